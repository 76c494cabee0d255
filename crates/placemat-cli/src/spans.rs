//! Counting the errors of a file in UTF-8, and its characters that are not shown, by several threads.
//!
//! The file is cut into spans, each of which begins at a boundary that its three preceding bytes decide, or with a line where lines
//! matter. Nothing is mapped: a file that shrinks while it is read is merely short.

use std::fs::File;
use std::io;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

use memchr::memrchr;
use placemat::invisible::{AROUND, Kinds};

use crate::input::HEAD;
use crate::pool::{self, Pool};
use placemat_text::faults::hidden;
use placemat_text::faults::{Totals, unfinished};
use placemat_text::repair::blocks::{self, LONGEST_LINE};

/// How a file is cut.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cut {
    /// Bytes that one thread takes at a time: a multiple of `block` and of `longest`, longer than any sequence.
    span: u64,
    /// Bytes of one read: small enough to stay in a core's cache.
    block: usize,
    /// Where lines matter, how far one may reach; see [`LONGEST_LINE`].
    longest: u64,
}

impl Default for Cut {
    fn default() -> Cut {
        Cut { span: 4 << 20, block: 128 << 10, longest: LONGEST_LINE }
    }
}

/// Room before a block for what the last one left unfinished, at first; more than 3, and so that blocks lie well in memory.
const MARGIN: usize = 64;

/// Count the bytes and errors of a file in UTF-8, and its findings of these kinds, with as many of the pool as are free.
///
/// Memory: one block a thread; with kinds the longest line beside it, as far as [`LONGEST_LINE`] lets it grow.
///
/// # Errors
/// Those of reading.
pub(crate) fn count(file: &File, pool: &Pool, cut: Cut, kinds: Kinds) -> io::Result<(Totals, u64)> {
    let len = file.metadata()?.len();
    let spans = len.div_ceil(cut.span).max(1);
    let work = Work { file, cut, kinds, spans, next: AtomicU64::new(0), pool };
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
            let (other, more) = handle.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))?;
            sum.map(|(sum, hidden)| {
                (Totals { bytes: sum.bytes + other.bytes, errors: sum.errors + other.errors }, hidden + more)
            })
        })
    })
}

struct Work<'a> {
    file: &'a File,
    cut: Cut,
    kinds: Kinds,
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
    fn run(&self, goes_on: &mut dyn FnMut() -> bool) -> io::Result<(Totals, u64)> {
        let mut buffer = vec![0; MARGIN + self.cut.block];
        let (mut totals, mut hidden) = (Totals::default(), 0);
        while goes_on() {
            let span = self.next.fetch_add(1, Ordering::Relaxed);
            if span >= self.spans || self.pool.is_stopped() {
                break;
            }
            self.span(span, &mut buffer, &mut totals, &mut hidden)?;
        }
        Ok((totals, hidden))
    }

    /// Whether lines matter.
    fn has_lines(&self) -> bool {
        self.kinds != Kinds::NONE
    }

    /// How many bytes on either side matter.
    fn around(&self) -> usize {
        if self.has_lines() { AROUND } else { 0 }
    }

    /// The boundary at or before `at`, a multiple of `longest`: where lines matter, that of a line which is not too long.
    fn boundary(&self, at: u64) -> io::Result<u64> {
        let (mut end, mut size) = (at, 3);
        let mut before = vec![0; size];
        let stop = if self.has_lines() { at.saturating_sub(self.cut.longest) } else { at };
        let read = read_fully(self.file, &mut before[..at.min(3) as usize], at.saturating_sub(3))?;
        let boundary = at - if read as u64 == at.min(3) { unfinished(&before[..read]) as u64 } else { 0 };
        while end > stop {
            size = (2 * size).max(256);
            let start = end.saturating_sub(size as u64).max(stop);
            before.resize((end - start) as usize, 0);
            let read = read_fully(self.file, &mut before, start)?;
            if let Some(line) = memrchr(b'\n', &before[..read]) {
                return Ok(start + line as u64 + 1);
            }
            end = start;
        }
        Ok(boundary)
    }

    fn span(&self, span: u64, buffer: &mut Vec<u8>, totals: &mut Totals, hidden: &mut u64) -> io::Result<()> {
        let nominal = span * self.cut.span;
        let mut start = self.boundary(nominal)?;
        let is_last = span + 1 == self.spans;
        let end = if is_last { u64::MAX } else { self.boundary(nominal + self.cut.span)? };
        let last = end.saturating_add(self.around() as u64);
        // Blocks are read at multiples of their size; before the first lies what belongs to it.
        let (block, mut room) = (self.cut.block, buffer.len() - self.cut.block);
        // What was judged and still surrounds what was not, and both.
        let mut before = start.min(self.around() as u64) as usize;
        let mut kept = (nominal - start) as usize + before;
        make_room(buffer, &mut room, kept);
        kept = read_fully(self.file, &mut buffer[room - kept..room], start - before as u64)?;
        let mut at = nominal;
        loop {
            let wanted = (last.max(at) - at).min(block as u64) as usize;
            let read = read_fully(self.file, &mut buffer[room..room + wanted], at)?;
            at += read as u64;
            let is_over = read < wanted || at >= last;
            let bytes = &buffer[room - kept..room + read];
            let mut from = before.min(bytes.len());
            while let Some(settled) = self.settled(&bytes[from..], start, end, is_over) {
                let (known, text) = bytes.split_at(from);
                let (lines, after) = text.split_at(settled);
                let counts = hidden::count(lines, [known, after], self.kinds, start == 0);
                totals.bytes += settled as u64;
                totals.errors += counts.errors;
                *hidden += counts.hidden;
                start += settled as u64;
                from += settled;
            }
            if is_over {
                self.pool.done.add_bytes(at.min(end).saturating_sub(nominal));
                return Ok(());
            }
            before = from.min(self.around());
            kept = bytes.len() - from + before;
            make_room(buffer, &mut room, kept);
            buffer.copy_within(room + read - kept..room + read, room - kept);
        }
    }

    /// How much of `text`, which begins at `start`, can be judged now; of the span's last bytes all up to its end.
    fn settled(&self, text: &[u8], start: u64, end: u64, is_over: bool) -> Option<usize> {
        let longest = self.cut.longest;
        let settled = match text.len().checked_sub(self.around()) {
            _ if is_over => {
                let left = text.len().min(usize::try_from(end.saturating_sub(start)).unwrap_or(usize::MAX));
                let cut =
                    if self.has_lines() { blocks::end_of_part(&text[..left], start, longest) } else { None };
                cut.unwrap_or(left)
            }
            _ if !self.has_lines() => text.len() - unfinished(text),
            Some(ready) => blocks::end(text, start, ready, longest)?,
            None => return None,
        };
        (settled > 0).then_some(settled)
    }
}

/// Let there be as much room before the block, behind the first `room` bytes of the buffer.
fn make_room(buffer: &mut Vec<u8>, room: &mut usize, wanted: usize) {
    if *room < wanted {
        let more = wanted.next_multiple_of(MARGIN).max(2 * *room) - *room;
        let old = buffer.len();
        buffer.resize(old + more, 0);
        buffer.copy_within(..old, more);
        *room += more;
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
pub(crate) fn read_at(file: &File, buffer: &mut [u8], at: u64) -> io::Result<usize> {
    std::os::unix::fs::FileExt::read_at(file, buffer, at)
}

#[cfg(windows)]
pub(crate) fn read_at(file: &File, buffer: &mut [u8], at: u64) -> io::Result<usize> {
    std::os::windows::fs::FileExt::seek_read(file, buffer, at)
}

#[cfg(test)]
mod tests {
    use std::io::{Seek as _, Write as _};

    use super::*;
    use placemat::{Form, errors};
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
                    let cut = Cut { span: (block * blocks) as u64, block, longest: 1 };
                    let counts = count(&file, &pool, cut, Kinds::NONE).unwrap();
                    assert_eq!(counts, (expected, 0), "{len} bytes, {cut:?}");
                }
            }
        }
    }

    /// Lines with what may be hidden in them, some long.
    fn lines(seed: u64, len: usize) -> Vec<u8> {
        const PIECES: [&str; 16] = [
            "a",
            "\n",
            " \u{202E}",
            "\u{2066}",
            "\u{2069}",
            "\"",
            "\u{200E}",
            "\u{5D0}",
            "\u{200C}",
            "\u{627}",
            "\u{E0041}",
            "\u{FE00}\u{FE01}",
            "\u{FEFF}",
            "\r\n",
            "\u{1}",
            "\u{1F3F4}",
        ];
        let mut random = sample(seed, 2 * len).into_iter().map(usize::from);
        let mut bytes = Vec::new();
        while bytes.len() < len {
            let (Some(which), Some(count)) = (random.next(), random.next()) else { break };
            let count = if which % 16 == 0 && count > 200 { 900 } else { 1 };
            bytes.extend(PIECES[(which ^ count) % 16].repeat(count).bytes());
            if which == 0xFF {
                bytes.push(0xE2);
            }
        }
        bytes
    }

    #[test]
    fn spans_and_blocks_find_what_is_not_shown_as_the_whole_text_does() {
        let pool = Pool::new(3);
        for seed in 0..40 {
            let mut bytes = lines(seed, 20_000);
            // Marks that are explained from far away.
            bytes.splice(9000..9000, vec![b'-'; 300 * seed as usize]);
            let file = file_of(&bytes);
            // No line is as long as a mebibyte.
            let expected = placemat::invisible::findings(&bytes).count() as u64;
            assert!(expected > 1000);
            let errors = errors(Form::Utf8, &bytes).count() as u64;
            for (span, block) in [(1 << 20, 1000), (1 << 12, 512), (4096, 4096)] {
                let whole = Cut { span, block, longest: 1 << 20 };
                let (totals, found) = count(&file, &pool, whole, Kinds::DEFAULT).unwrap();
                assert_eq!((totals.bytes, totals.errors), (bytes.len() as u64, errors), "{seed} {whole:?}");
                assert_eq!(found, expected, "{seed} {whole:?}");
            }
            // With long lines, whatever the blocks are.
            let cut = |span, block| Cut { span, block, longest: 256 };
            let one = count(&file, &pool, cut(1 << 20, 1 << 20), Kinds::DEFAULT).unwrap();
            for (span, block) in [(256, 64), (512, 256), (768, 768), (1 << 13, 1 << 10), (1 << 15, 100)] {
                let cut = cut(span, block);
                assert_eq!(count(&file, &pool, cut, Kinds::DEFAULT).unwrap(), one, "{seed} {cut:?}");
            }
        }
    }

    #[test]
    fn a_stream_has_as_many_findings_as_spans_count() {
        // Lines above the mebibyte at which they are cut.
        let mut bytes = lines(7, 100_000);
        for (at, text) in [(50_000, "\u{2066}x"), (70_000, "\u{5D0}y"), (90_000, "z\u{200E}")] {
            bytes.splice(at..at, text.repeat(500_000).bytes());
        }
        let file = file_of(&bytes);
        let spans = count(&file, &Pool::new(2), Cut::default(), Kinds::DEFAULT).unwrap().1;
        for limit in [0, u64::MAX] {
            let (runs, _) =
                hidden::search(&mut &bytes[..], Kinds::DEFAULT, limit, &mut |_| anyhow::Ok(())).unwrap();
            assert_eq!(runs, spans);
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
