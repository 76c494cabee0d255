//! Keeps memory of dropped columns, to use it again.
//!
//! A column that is rewritten takes as much memory as it has text. New memory from the system costs more than what is written there,
//! because the system clears each page at its first use. So some buffers are kept when a column is dropped.
#![forbid(unsafe_code)]

use std::sync::{Mutex, MutexGuard};
use std::time::{Duration, Instant};

use arrow_buffer::Buffer;
use bytes::Bytes;

/// Smaller buffers come from the allocator, which keeps them itself.
const LEAST: usize = 1 << 20;
/// The number of bytes that are kept at most, in all.
const MOST: usize = 512 << 20;
/// A buffer that was not used for this long is given back at the next opportunity.
const OLD: Duration = Duration::from_secs(5);

type Kept = Vec<(Instant, Vec<u8>)>;

static KEPT: Mutex<Kept> = Mutex::new(Vec::new());

/// The kept buffers, unless another thread uses them just now. Nobody waits for the lock: if the process was forked while it was
/// held, it is never released.
fn kept() -> Option<MutexGuard<'static, Kept>> {
    KEPT.try_lock().ok()
}

/// An empty vector with room for `capacity` bytes.
pub(crate) fn take(capacity: usize) -> Vec<u8> {
    again(capacity).unwrap_or_else(|| Vec::with_capacity(capacity))
}

/// Like [`take`], but only from the kept buffers.
fn again(capacity: usize) -> Option<Vec<u8>> {
    if capacity < LEAST {
        return None;
    }
    let mut kept = kept()?;
    // Not a buffer of which most would be wasted.
    let fits = |vec: &Vec<u8>| (capacity..=capacity.saturating_mul(4)).contains(&vec.capacity());
    let all = kept.iter().enumerate().filter(|(_, (_, vec))| fits(vec));
    let best = all.min_by_key(|(_, (_, vec))| vec.capacity()).map(|(at, _)| at)?;
    Some(kept.swap_remove(best).1)
}

/// Makes room for `more` bytes, in a kept buffer if one fits: a copy costs less than new memory.
pub(crate) fn reserve(bytes: &mut Vec<u8>, more: usize) {
    if bytes.capacity() - bytes.len() < more
        && let Some(mut larger) = again(bytes.len() + more + bytes.capacity())
    {
        larger.extend_from_slice(bytes);
        drop(buffer(core::mem::replace(bytes, larger)));
    }
}

/// The bytes as a buffer that is kept when the last column that uses it is dropped.
pub(crate) fn buffer(bytes: Vec<u8>) -> Buffer {
    if bytes.capacity() < LEAST {
        return Buffer::from_vec(bytes);
    }
    Buffer::from(Bytes::from_owner(Lent(bytes)))
}

/// Gives back the memory that was kept for the next column, at most 512 MiB. Memory that was not used for some seconds also goes back
/// when the next rewritten column is dropped.
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
        // Only after the lock is released: to free much memory takes long, and others do not wait for the lock.
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
