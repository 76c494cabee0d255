//! Reads one large file in UTF-8 with several threads, in sections whose order does not matter.

use std::fs::File;
use std::io::{self, Read};
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

use crate::pool::{self, Pool};
use crate::portion::{Section, boundary};

/// Bytes of a section: longer than any sequence.
pub(crate) const SECTION: u64 = 4 << 20;

/// Adds up the results of `each` for all sections, with the free threads of the pool. Returns `None` if the file has one section only.
///
/// # Errors
/// Those of reading.
pub(crate) fn fold<T: Default + Send>(
    file: &File,
    pool: &Pool,
    section: u64,
    each: &(dyn Fn(&mut dyn Read) -> io::Result<T> + Sync),
    add: &(dyn Fn(&mut T, T) + Sync),
) -> io::Result<Option<T>> {
    let sections = file.metadata()?.len().div_ceil(section);
    if sections < 2 {
        return Ok(None);
    }
    let next = AtomicU64::new(0);
    // `goes_on` is asked before each section.
    let work = |goes_on: &mut dyn FnMut() -> bool| {
        let mut sum = T::default();
        while goes_on() && !pool.is_stopped() {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= sections {
                break;
            }
            let at = boundary(file, number * section)?;
            let is_last = number + 1 == sections;
            let end = if is_last { u64::MAX } else { boundary(file, (number + 1) * section)? };
            add(&mut sum, each(&mut pool.done.watch(Section { file, at, end }))?);
        }
        io::Result::Ok(sum)
    };
    thread::scope(|scope| {
        let mut others = Vec::new();
        let mut sum = work(&mut || {
            if next.load(Ordering::Relaxed) + 1 < sections
                && let Some(permit) = pool.free_permit()
            {
                let work = &work;
                others.extend(pool::start(scope, move || work(&mut || !permit.is_wanted())));
            }
            true
        })?;
        for other in others {
            add(&mut sum, other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))?);
        }
        Ok(Some(sum))
    })
}

#[cfg(test)]
mod tests {
    use std::io::{Seek as _, Write as _};

    use placemat::Form;
    use placemat_text::count::{Counts, count};

    use super::*;

    #[test]
    fn sections_count_what_the_whole_does() {
        let pool = Pool::new(3);
        let pieces: [&[u8]; 9] = [
            b"abc\n",
            b"\xC3\xA9",
            b"\xE2\x82\xAC",
            b"\xF0\x9F\x98\x80",
            b"\xE2\x82",
            b"\xF0\x9F",
            b"\x80",
            b"\xFF",
            b"\xC3",
        ];
        let mut seed = 1992_u32;
        for section in [4, 5, 7, 64, 1000] {
            let mut bytes = Vec::new();
            for _ in 0..2000 {
                seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                bytes.extend_from_slice(pieces[(seed >> 16) as usize % pieces.len()]);
            }
            let mut file = tempfile::tempfile().unwrap();
            file.write_all(&bytes).unwrap();
            file.rewind().unwrap();
            let each = |source: &mut dyn Read| count(source, Form::Utf8.into(), None);
            let sum = fold(&file, &pool, section, &each, &|sum: &mut Counts, more| sum.add(&more)).unwrap();
            let whole = count(&mut &bytes[..], Form::Utf8.into(), None).unwrap();
            assert_eq!(sum, Some(whole), "{section}");
        }
    }
}
