//! Reads a file in UTF-8 with several threads.
//!
//! The file is cut into spans. Each begins at a boundary, which the three bytes before it decide, or at the start of a
//! line where lines matter. Nothing is memory-mapped: a file that shrinks while it is read is only shorter.

mod count;

use std::fs::File;
use std::io;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;

use memchr::memrchr;
use placemat::invisible::AROUND;

pub(crate) use self::count::{Counts, count, misread};
use crate::pool::{self, Pool};
use crate::portion::{boundary, read_fully};
use placemat_text::io::unfinished;
use placemat_text::repair::blocks::{self, LONGEST_LINE};

/// How a file is cut.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cut {
    /// Bytes that one thread takes at a time: a multiple of `block` and of `longest`, longer than any sequence.
    pub(crate) span: u64,
    /// Bytes of one read: small enough to stay in a core's cache.
    pub(crate) block: usize,
    /// Where lines matter, the length of the longest line that is kept whole; see [`LONGEST_LINE`].
    pub(crate) longest: u64,
}

impl Default for Cut {
    fn default() -> Cut {
        Cut { span: 4 << 20, block: 128 << 10, longest: LONGEST_LINE }
    }
}

/// The initial room before a block for what the last one left unfinished: more than 3 bytes, and enough to align the blocks.
const MARGIN: usize = 64;

/// A part of a text: whole lines where lines matter, except lines that are too long.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Part<'a> {
    pub(crate) text: &'a [u8],
    /// Where lines matter, the text before and after it: [`AROUND`] bytes or more, where there are so many.
    pub(crate) around: [&'a [u8]; 2],
    /// Where it begins in the file.
    pub(crate) offset: u64,
}

/// Takes a part, on any thread, and says whether more are wanted.
type Take<'a> = dyn Fn(Part<'_>) -> bool + Sync + 'a;

/// Calls `take` with each part of a file in UTF-8, in any order, on the free threads of the pool. Returns `false` if no more were wanted.
///
/// Memory: one block for each thread and, where lines matter, the longest line, as far as [`LONGEST_LINE`] lets it grow.
///
/// # Errors
/// Those of reading.
pub(crate) fn each(file: &File, pool: &Pool, cut: Cut, has_lines: bool, take: &Take<'_>) -> io::Result<bool> {
    let len = file.metadata()?.len();
    let spans = len.div_ceil(cut.span).max(1);
    let (next, is_wanted) = (AtomicU64::new(0), AtomicBool::new(true));
    let work = Work { file, cut, has_lines, take, spans, next, is_wanted, pool };
    if spans == 1 {
        work.run(&mut || true)?;
        return Ok(work.is_wanted());
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
        handles.into_iter().fold(own, |so_far, handle| {
            handle.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)).and(so_far)
        })
    })?;
    Ok(work.is_wanted())
}

struct Work<'a> {
    file: &'a File,
    cut: Cut,
    has_lines: bool,
    take: &'a Take<'a>,
    spans: u64,
    next: AtomicU64,
    is_wanted: AtomicBool,
    pool: &'a Pool,
}

impl Work<'_> {
    /// Whether another thread could help.
    fn has_work_for_another(&self) -> bool {
        self.next.load(Ordering::Relaxed) + 1 < self.spans
    }

    /// Whether more parts are wanted.
    fn is_wanted(&self) -> bool {
        self.is_wanted.load(Ordering::Relaxed) && !self.pool.is_stopped()
    }

    /// Takes spans until there are none, or `goes_on`, asked before each, says no.
    fn run(&self, goes_on: &mut dyn FnMut() -> bool) -> io::Result<()> {
        let mut buffer = vec![0; MARGIN + self.cut.block];
        while goes_on() && self.is_wanted() {
            let span = self.next.fetch_add(1, Ordering::Relaxed);
            if span >= self.spans {
                break;
            }
            self.span(span, &mut buffer)?;
        }
        Ok(())
    }

    /// How many bytes on either side matter.
    fn around(&self) -> usize {
        if self.has_lines { AROUND } else { 0 }
    }

    /// The boundary at or before `at`, which is a multiple of `longest`. Where lines matter, that is the start of a
    /// line, unless the line is too long.
    fn boundary(&self, at: u64) -> io::Result<u64> {
        let (mut end, mut size, mut before) = (at, 3, Vec::new());
        let stop = if self.has_lines { at.saturating_sub(self.cut.longest) } else { at };
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
        boundary(self.file, at)
    }

    fn span(&self, span: u64, buffer: &mut Vec<u8>) -> io::Result<()> {
        let nominal = span * self.cut.span;
        let mut start = self.boundary(nominal)?;
        let is_last = span + 1 == self.spans;
        let end = if is_last { u64::MAX } else { self.boundary(nominal + self.cut.span)? };
        let last = end.saturating_add(self.around() as u64);
        // Blocks are read at multiples of their size. The bytes between `start` and the first of them come before it.
        let (block, mut room) = (self.cut.block, buffer.len() - self.cut.block);
        // `before`: the bytes that were judged and surround the next ones. `kept`: these and the bytes that were not judged.
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
                let (text, after) = text.split_at(settled);
                if !(self.take)(Part { text, around: [known, after], offset: start }) {
                    self.is_wanted.store(false, Ordering::Relaxed);
                    return Ok(());
                }
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

    /// How much of `text`, which begins at `start`, can be judged now. When the span is over, that is all up to its end.
    fn settled(&self, text: &[u8], start: u64, end: u64, is_over: bool) -> Option<usize> {
        let longest = self.cut.longest;
        let settled = match text.len().checked_sub(self.around()) {
            _ if is_over => {
                let left = text.len().min(usize::try_from(end.saturating_sub(start)).unwrap_or(usize::MAX));
                let cut =
                    if self.has_lines { blocks::end_of_part(&text[..left], start, longest) } else { None };
                cut.unwrap_or(left)
            }
            _ if !self.has_lines => text.len() - unfinished(text),
            Some(ready) => blocks::end(text, start, ready, longest)?,
            None => return None,
        };
        (settled > 0).then_some(settled)
    }
}

/// Makes room for `wanted` bytes before the block, which begins after the first `room` bytes of the buffer.
fn make_room(buffer: &mut Vec<u8>, room: &mut usize, wanted: usize) {
    if *room < wanted {
        let more = wanted.next_multiple_of(MARGIN).max(2 * *room) - *room;
        let old = buffer.len();
        buffer.resize(old + more, 0);
        buffer.copy_within(..old, more);
        *room += more;
    }
}

#[cfg(test)]
mod tests;
