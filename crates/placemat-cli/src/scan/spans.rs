//! Counting the errors of a file in UTF-8, by several threads.
//!
//! The file is cut into spans, each of which begins at a boundary that its three preceding bytes decide. Nothing is
//! mapped: a file that shrinks while it is read is merely short.

use std::fs::File;
use std::io;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

use placemat::{Form, errors, is_valid};

use super::{Totals, unfinished};
use crate::crew::Crew;

/// How a file is cut.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cut {
    /// Bytes that one thread takes at a time; a multiple of `block`.
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

/// Count the bytes and errors of a file in UTF-8, with as many of the crew as are free.
///
/// Memory: one block a thread.
///
/// # Errors
/// Those of reading.
pub(crate) fn count(file: &File, crew: &Crew, cut: Cut) -> io::Result<Totals> {
    let len = file.metadata()?.len();
    let spans = len.div_ceil(cut.span).max(1);
    let work = Work { file, cut, spans, next: AtomicU64::new(0), crew };
    if spans == 1 {
        return work.run(&mut || {});
    }
    thread::scope(|scope| {
        let mut handles = Vec::new();
        let own = work.run(&mut || {
            if let Some(seat) = crew.seat() {
                let work = &work;
                handles.push(scope.spawn(move || {
                    let _seat = seat;
                    work.run(&mut || {})
                }));
            }
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
    crew: &'a Crew,
}

impl Work<'_> {
    /// Take spans until there are none; look for help before each.
    fn run(&self, call_others: &mut dyn FnMut()) -> io::Result<Totals> {
        let mut buffer = vec![0; MARGIN + self.cut.block];
        let mut totals = Totals::default();
        loop {
            let span = self.next.fetch_add(1, Ordering::Relaxed);
            if span >= self.spans || self.crew.is_stopped() {
                return Ok(totals);
            }
            if span + 1 < self.spans {
                call_others();
            }
            self.span(span, &mut buffer, &mut totals)?;
        }
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
                return Ok(());
            }
            buffer.copy_within(MARGIN + read - left..MARGIN + read, MARGIN - left);
            kept = left;
        }
    }
}

/// The first 8 KiB.
///
/// # Errors
/// Those of reading.
pub(crate) fn head(file: &File) -> io::Result<Vec<u8>> {
    let mut head = vec![0; 8 << 10];
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
