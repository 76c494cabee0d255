//! Counting the errors of a file in UTF-8, by several threads.
//!
//! The file is cut into spans, each of which begins at a boundary that its three preceding bytes decide. Nothing is
//! mapped: a file that shrinks while it is read is merely short.

use std::fs::File;
use std::io;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

use placemat::{Form, errors, is_valid};

use crate::input::HEAD;
use crate::pool::{self, Pool};
use placemat_text::faults::{Totals, unfinished};

/// How a file is cut.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cut {
    /// Bytes that one thread takes at a time: a multiple of `block`, longer than any sequence.
    span: u64,
    /// Bytes of one read: small enough to stay in a core's cache.
    block: usize,
}

impl Default for Cut {
    fn default() -> Cut {
        Cut { span: 4 << 20, block: 128 << 10 }
    }
}

/// Room before a block for what the last one left unfinished; more than 3, so that blocks lie well in memory.
const MARGIN: usize = 64;

/// Count the bytes and errors of a file in UTF-8, with as many of the pool as are free.
///
/// Memory: one block a thread.
///
/// # Errors
/// Those of reading.
pub(crate) fn count(file: &File, pool: &Pool, cut: Cut) -> io::Result<Totals> {
    let len = file.metadata()?.len();
    let spans = len.div_ceil(cut.span).max(1);
    let work = Work { file, cut, spans, next: AtomicU64::new(0), pool };
    if spans == 1 {
        return work.run(&mut || true);
    }
    thread::scope(|scope| {
        let mut handles = Vec::new();
        let own = work.run(&mut || {
            if work.has_work_for_another()
                && let Some(permit) = pool.free_permit()
            {
                let work = &work;
                handles.extend(pool::start(scope, move || work.run(&mut || !permit.is_wanted())));
            }
            true
        });
        handles.into_iter().fold(own, |sum, handle| {
            let other = handle.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))?;
            sum.map(|sum| Totals { bytes: sum.bytes + other.bytes, errors: sum.errors + other.errors })
        })
    })
}

struct Work<'a> {
    file: &'a File,
    cut: Cut,
    spans: u64,
    next: AtomicU64,
    pool: &'a Pool,
}

impl Work<'_> {
    /// Whether another could help.
    fn has_work_for_another(&self) -> bool {
        self.next.load(Ordering::Relaxed) + 1 < self.spans
    }

    /// Take spans until there are none, or `goes_on`, asked before each, says no.
    fn run(&self, goes_on: &mut dyn FnMut() -> bool) -> io::Result<Totals> {
        let mut buffer = vec![0; MARGIN + self.cut.block];
        let mut totals = Totals::default();
        while goes_on() {
            let span = self.next.fetch_add(1, Ordering::Relaxed);
            if span >= self.spans || self.pool.is_stopped() {
                break;
            }
            self.span(span, &mut buffer, &mut totals)?;
        }
        Ok(totals)
    }

    /// The boundary at or before `at`.
    fn boundary(&self, at: u64) -> io::Result<u64> {
        let mut before = [0; 3];
        let start = at.saturating_sub(3);
        let wanted = (at - start) as usize;
        let read = read_fully(self.file, &mut before[..wanted], start)?;
        Ok(at - if read == wanted { unfinished(&before[..read]) as u64 } else { 0 })
    }

    fn span(&self, span: u64, buffer: &mut [u8], totals: &mut Totals) -> io::Result<()> {
        let nominal = span * self.cut.span;
        let start = self.boundary(nominal)?;
        let is_last = span + 1 == self.spans;
        let end = if is_last { u64::MAX } else { self.boundary(nominal + self.cut.span)? };
        // Blocks are read at multiples of their size; before the first lies what belongs to it.
        let mut kept = (nominal - start) as usize;
        let mut at = nominal;
        kept = read_fully(self.file, &mut buffer[MARGIN - kept..MARGIN], start)?;
        loop {
            let wanted = (end.max(at) - at).min(self.cut.block as u64) as usize;
            let read = read_fully(self.file, &mut buffer[MARGIN..MARGIN + wanted], at)?;
            at += read as u64;
            let is_over = at >= end || read < self.cut.block;
            let bytes = &buffer[MARGIN - kept..MARGIN + read];
            let left = if is_over { 0 } else { unfinished(bytes) };
            let whole = &bytes[..bytes.len() - left];
            totals.bytes += whole.len() as u64;
            if !is_valid(whole) {
                totals.errors += errors(Form::Utf8, whole).count() as u64;
            }
            if is_over {
                self.pool.done.add_bytes(at - nominal);
                return Ok(());
            }
            buffer.copy_within(MARGIN + read - left..MARGIN + read, MARGIN - left);
            kept = left;
        }
    }
}

/// What decides whether a file is binary.
///
/// # Errors
/// Those of reading.
pub(crate) fn head(file: &File) -> io::Result<Vec<u8>> {
    let mut head = vec![0; HEAD as usize];
    let read = read_fully(file, &mut head, 0)?;
    head.truncate(read);
    Ok(head)
}

/// Fill the buffer from `at`, unless the file ends before.
pub(crate) fn read_fully(file: &File, buffer: &mut [u8], at: u64) -> io::Result<usize> {
    let mut filled = 0;
    while filled < buffer.len() {
        match read_at(file, &mut buffer[filled..], at + filled as u64) {
            Ok(0) => break,
            Ok(read) => filled += read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(filled)
}

#[cfg(unix)]
fn read_at(file: &File, buffer: &mut [u8], at: u64) -> io::Result<usize> {
    std::os::unix::fs::FileExt::read_at(file, buffer, at)
}

#[cfg(windows)]
fn read_at(file: &File, buffer: &mut [u8], at: u64) -> io::Result<usize> {
    std::os::windows::fs::FileExt::seek_read(file, buffer, at)
}

#[cfg(test)]
mod tests {
    use std::io::{Seek as _, Write as _};

    use super::*;
    use placemat_text::faults::Kind;
    use placemat_text::faults::locate::{Search, search};

    /// Bytes that are mostly pieces of UTF-8, well-formed or not, from a fixed seed.
    fn sample(seed: u64, len: usize) -> Vec<u8> {
        const PIECES: [&[u8]; 14] = [
            b"a",
            b"text\n",
            b"\xC3\xA9",
            b"\xE2\x82\xAC",
            b"\xF0\x9F\x98\x80",
            b"\xE2\x82",
            b"\xF0\x9F\x98",
            b"\xC3",
            b"\x80",
            b"\xED\xA0\x80",
            b"\xC0\xAF",
            b"\xF4\x90\x80\x80",
            b"\xFF",
            b"\xEF\xBB\xBF",
        ];
        let mut state = seed;
        let mut bytes = Vec::new();
        while bytes.len() < len {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            bytes.extend_from_slice(PIECES[(state >> 33) as usize % PIECES.len()]);
        }
        bytes.truncate(len);
        bytes
    }

    fn file_of(bytes: &[u8]) -> File {
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(bytes).unwrap();
        file.rewind().unwrap();
        file
    }

    #[test]
    fn spans_and_blocks_of_any_size_count_what_one_pass_counts() {
        let pool = Pool::new(3);
        for len in (0..40).chain([100, 1000, 5000]) {
            let bytes = sample(len as u64, len);
            let expected = Totals { bytes: len as u64, errors: errors(Form::Utf8, &bytes).count() as u64 };
            let file = file_of(&bytes);
            for block in [1, 2, 3, 4, 5, 8, 61] {
                for blocks in [4, 5, 9] {
                    let cut = Cut { span: (block * blocks) as u64, block };
                    assert_eq!(count(&file, &pool, cut).unwrap(), expected, "{len} bytes, {cut:?}");
                }
            }
        }
    }

    #[test]
    fn a_stream_gives_the_errors_that_the_library_gives() {
        for seed in 0..20 {
            let bytes = sample(seed, 9000);
            let expected: Vec<_> = errors(Form::Utf8, &bytes)
                .map(|e| (Kind::Malformed(e.kind()), e.offset(), usize::from(e.length())))
                .collect();
            for block in [8, 9, 64, 1000] {
                let mut found = Vec::new();
                let wanted = Search { limit: u64::MAX, block, ..Search::new(Form::Utf8.into()) };
                let totals = search(&mut &bytes[..], wanted, &mut |finding| {
                    found.push((finding.kind, finding.offset, finding.range.len()));
                    assert_eq!(finding.bytes(), &bytes[finding.offset as usize..][..finding.range.len()]);
                    anyhow::Ok(())
                });
                assert_eq!(totals.unwrap().0, Totals { bytes: 9000, errors: expected.len() as u64 });
                let difference = found.iter().zip(&expected).find(|(a, b)| a != b);
                assert_eq!(difference, None, "block {block}");
            }
        }
    }

    #[test]
    fn lines_and_columns_are_those_of_the_whole_text() {
        for seed in 0..20 {
            let bytes = sample(seed, 3000);
            let mut expected = Vec::new();
            let (mut line, mut column) = (1, 1);
            for sequence in placemat::sequences(Form::Utf8, &bytes) {
                match sequence.code_point() {
                    Err(_) => {
                        expected.push((line, column));
                        column += 1;
                    }
                    Ok(c) if c.value() == u32::from('\n') => (line, column) = (line + 1, 1),
                    Ok(c) if c.value() == 0xFEFF && sequence.range().start == 0 => {}
                    Ok(_) => column += 1,
                }
            }
            let mut found = Vec::new();
            let wanted = Search { limit: u64::MAX, block: 100, ..Search::new(Form::Utf8.into()) };
            search(&mut &bytes[..], wanted, &mut |finding| {
                found.push((finding.line, finding.column));
                anyhow::Ok(())
            })
            .unwrap();
            assert_eq!(found, expected);
        }
    }
}
