//! Memory that is used again.
//!
//! A column that is written anew takes as much memory as it has text, and memory that is new from the system costs more than what is
//! written there: the system clears each page when it is touched. So some buffers are kept when a column is dropped.
#![forbid(unsafe_code)]

use std::sync::{Mutex, MutexGuard};
use std::time::{Duration, Instant};

use arrow_buffer::Buffer;
use bytes::Bytes;

/// Smaller ones come from the allocator, which keeps them itself.
const LEAST: usize = 1 << 20;
/// Bytes that are kept at most, in all.
const MOST: usize = 512 << 20;
/// What nobody asked for so long is given back at the next opportunity.
const OLD: Duration = Duration::from_secs(5);

type Kept = Vec<(Instant, Vec<u8>)>;

static KEPT: Mutex<Kept> = Mutex::new(Vec::new());

/// What is kept, unless another thread looks at it just now. Nobody waits: a process may have been forked in that moment.
fn kept() -> Option<MutexGuard<'static, Kept>> {
    KEPT.try_lock().ok()
}

/// An empty vector with room for so many bytes.
pub(crate) fn take(capacity: usize) -> Vec<u8> {
    again(capacity).unwrap_or_else(|| Vec::with_capacity(capacity))
}

/// The same, if it was used before.
fn again(capacity: usize) -> Option<Vec<u8>> {
    if capacity < LEAST {
        return None;
    }
    let mut kept = kept()?;
    // Not one in which most room would be lost.
    let fits = |vec: &Vec<u8>| (capacity..=capacity.saturating_mul(4)).contains(&vec.capacity());
    let all = kept.iter().enumerate().filter(|(_, (_, vec))| fits(vec));
    let best = all.min_by_key(|(_, (_, vec))| vec.capacity()).map(|(at, _)| at)?;
    Some(kept.swap_remove(best).1)
}

/// Make room for so many more bytes. To copy costs less than memory that is new.
pub(crate) fn reserve(bytes: &mut Vec<u8>, more: usize) {
    if bytes.capacity() - bytes.len() < more
        && let Some(mut larger) = again(bytes.len() + more + bytes.capacity())
    {
        larger.extend_from_slice(bytes);
        drop(buffer(core::mem::replace(bytes, larger)));
    }
}

/// The bytes as a buffer that is kept when the last column with it is gone.
pub(crate) fn buffer(bytes: Vec<u8>) -> Buffer {
    if bytes.capacity() < LEAST {
        return Buffer::from_vec(bytes);
    }
    Buffer::from(Bytes::from_owner(Lent(bytes)))
}

/// Give the memory back that was kept for the next column: at most 512 MiB, which also go back when nothing was
/// rewritten for some seconds before the next column is.
///
/// ```
/// placemat_arrow::release_memory();
/// ```
pub fn release_memory() {
    let old = kept().map(|mut kept| core::mem::take(&mut *kept));
    drop(old);
}

struct Lent(Vec<u8>);

impl AsRef<[u8]> for Lent {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

impl Drop for Lent {
    fn drop(&mut self) {
        let mut vec = core::mem::take(&mut self.0);
        vec.clear();
        let now = Instant::now();
        let Some(mut kept) = kept() else { return };
        let mut old = kept.extract_if(.., |(since, _)| now.duration_since(*since) > OLD).collect::<Vec<_>>();
        kept.push((now, vec));
        // The oldest first.
        while kept.iter().map(|(_, vec)| vec.capacity()).sum::<usize>() > MOST {
            old.push(kept.remove(0));
        }
        drop(kept);
        // Only now: to give much memory back takes long, and others wait for the lock.
        drop(old);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_used_again_and_given_back() {
        let mut first = take(3 << 20);
        first.extend_from_slice(b"some text");
        let at = first.as_ptr();
        let buffer = buffer(first);
        assert_eq!(&*buffer, b"some text");
        let shared = buffer.clone();
        drop(buffer);
        let other = take(3 << 20);
        assert_ne!(other.as_ptr(), at);
        drop(shared);
        let again = take(2 << 20);
        assert_eq!((again.as_ptr(), again.len()), (at, 0));
        release_memory();
        assert!(KEPT.lock().unwrap().is_empty());
    }
}
