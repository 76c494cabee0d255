//! The loop: first the bytes carried over from the last chunk, then the kernel, then batches of code points or single sequences.

#![forbid(unsafe_code)]

use super::output::{Output, Put};
use super::{End, KERNEL_AFTER, Start, Status, Step, Transcoder};
use crate::bom::Bom;
use crate::code_point::CodePoint;
use crate::codec::{Decoded, Input, ROOM};
use crate::dispatch::Entry;
use crate::error::ErrorKind;
use crate::form::{Form, Head, State};
use crate::kernel::Progress;
use crate::policy::{Fixed, Handler};
use crate::run::{BATCH, FEW, Stop};

impl<H: Handler> Transcoder<H> {
    pub(super) fn run(&mut self, src: &[u8], dst: &mut [u8], last: bool) -> Step {
        let mut out = Output::new(dst);
        let mut read = 0;
        let status = loop {
            match self.drain(&mut out) {
                Ok(true) => {}
                Ok(false) => break Status::NeedOutput,
                Err(error) => break Status::Failed(error),
            }
            let kept = self.carry.len();
            let tried = if kept == 0 { self.run_kernel(&src[read..], &mut out) } else { None };
            read += tried.unwrap_or(0);
            let rest = &src[read..];
            if rest.is_empty() && (kept == 0 || !last) {
                break Status::NeedInput;
            }
            let (used, end) = if kept == 0 {
                self.advance(Input { bytes: rest, last }, &mut out, tried)
            } else {
                let (bytes, len) = self.carry.extended(rest);
                let last = last && len == kept + rest.len();
                self.advance_once(Input { bytes: &bytes[..len], last }, &mut out)
            };
            self.offset += used as u64;
            read += used.saturating_sub(kept);
            self.carry.consume(used);
            match end {
                End::More => {}
                End::Full => break Status::NeedOutput,
                End::Failed(error) => break Status::Failed(error),
                End::Short => {
                    self.carry.append(&src[read..]);
                    read = src.len();
                    break Status::NeedInput;
                }
            }
        };
        Step { read, written: out.written(), status }
    }

    /// Convert as much as the kernel can. Returns how many bytes it read; `None` if there is no kernel or it may not run.
    fn run_kernel(&mut self, src: &[u8], out: &mut Output<'_>) -> Option<usize> {
        let kernel = self.ready_kernel()?;
        let progress = kernel.run(src, out.rest());
        self.note(progress);
        out.advance(progress.written);
        Some(progress.read)
    }

    /// Whether the handler always writes U+FFFD, so that it need not be called.
    fn replaces(&self) -> bool {
        self.handler.fixed() == Some(Fixed::Replace)
    }

    /// Like `run_kernel`, appending as far as `out` has room. Returns how many bytes were read.
    #[cfg(feature = "alloc")]
    pub(crate) fn append_by_kernel(&mut self, src: &[u8], out: &mut alloc::vec::Vec<u8>) -> usize {
        let is_drained = self.queue.front().is_none() && self.carry.len() == 0;
        let Some(kernel) = self.ready_kernel().filter(|_| is_drained) else { return 0 };
        let progress = kernel.append(src, out);
        self.note(progress);
        progress.read
    }

    /// The kernel, if it may run now.
    fn ready_kernel(&self) -> Option<Entry> {
        let kernel = self.kernel?;
        let is_clean = self.clean == KERNEL_AFTER || !kernel.stops() && self.replaces();
        (self.is_under_way() && is_clean && self.writer.at_rest()).then_some(kernel)
    }

    fn note(&mut self, progress: Progress) {
        self.errors += progress.replaced as u64;
        self.offset += progress.read as u64;
    }

    /// Whether the start of the text, with its byte order mark, is done.
    pub(crate) fn is_under_way(&self) -> bool {
        self.start == Start::Past && !self.mark_due
    }

    /// Convert from the source itself, not from the carry. `tried` is how many bytes the kernel has just read, if it ran.
    fn advance(&mut self, input: Input<'_>, out: &mut Output<'_>, tried: Option<usize>) -> (usize, End) {
        let fitting = out.rest().len() / ROOM;
        if fitting == 0 || self.one_by_one > 0 || !self.is_under_way() {
            return self.advance_once(input, out);
        }
        let is_short = match tried {
            // What stopped the kernel is near, so a short batch comes before the next try. A kernel that read nothing may have
            // scanned far ahead, so a long batch comes before the next try.
            Some(read) => read > 0,
            None => self.clean < KERNEL_AFTER && !self.replaces(),
        };
        if is_short {
            let mut batch = [CodePoint::of(0); FEW];
            self.advance_batch(input, out, &mut batch[..FEW.min(fitting)])
        } else {
            let mut batch = [CodePoint::of(0); BATCH];
            self.advance_batch(input, out, &mut batch[..BATCH.min(fitting)])
        }
    }

    /// Convert as many code points as `batch` has room for. The output has [`ROOM`] bytes for each.
    fn advance_batch(
        &mut self,
        input: Input<'_>,
        out: &mut Output<'_>,
        batch: &mut [CodePoint],
    ) -> (usize, End) {
        let reader = self.reader;
        let run = self.reader.decode_run(input, batch, self.replaces());
        let mut left_out = 0;
        if run.len > 0 {
            let carried = if self.forbids_escapes() { until_escape(&batch[..run.len]) } else { run.len };
            // A U+FFFD that stands for an error is not left out.
            let skips = run.replaced == 0 && self.handler.skips_unencodable();
            let taken;
            (taken, left_out) = self.encode_batch(&batch[..carried], skips, out);
            if taken < run.len {
                // Read the batch again, so that the reader's state is that behind the refused code point.
                self.reader = reader;
                return self.fault_after(taken, input);
            }
        }
        self.errors += run.replaced as u64;
        let is_clean = run.replaced == 0 && left_out == 0;
        self.clean = if is_clean { KERNEL_AFTER.min(self.clean.saturating_add(run.len as u8)) } else { 0 };
        match run.stop {
            Stop::Malformed { kind, len } => {
                let bytes = &input.bytes[run.read..][..usize::from(len)];
                (run.read + bytes.len(), self.fault(kind, bytes, run.read, None))
            }
            Stop::Incomplete => (run.read, End::Short),
            Stop::Full => (run.read, End::More),
        }
    }

    /// Write code points up to the first that the writer refuses. With `skips`, leave the refused ones out and continue. Returns
    /// how many code points are done, and how many of them were left out.
    fn encode_batch(&mut self, batch: &[CodePoint], skips: bool, out: &mut Output<'_>) -> (usize, usize) {
        let (mut done, mut left_out) = (0, 0);
        loop {
            let (taken, written) = self.writer.encode_run(&batch[done..], out.rest());
            out.advance(written);
            done += taken;
            if done == batch.len() || !skips {
                self.errors += left_out as u64;
                return (done, left_out);
            }
            (done, left_out) = (done + 1, left_out + 1);
        }
    }

    /// Read `n` code points again (a replaced error counts as one), and report the next one, which the writer refused.
    fn fault_after(&mut self, n: usize, input: Input<'_>) -> (usize, End) {
        let (mut at, mut seen) = (0, 0);
        loop {
            let (kind, len, code_point) = match self
                .reader
                .decode(Input { bytes: &input.bytes[at..], ..input })
            {
                Decoded::CodePoint { value, len } => (ErrorKind::Unencodable, usize::from(len), Some(value)),
                Decoded::Malformed { kind, len } => (kind, usize::from(len), None),
                Decoded::Nothing { len } => {
                    at += usize::from(len);
                    continue;
                }
                Decoded::Incomplete => return (at, End::Short),
            };
            if seen == n {
                return (at + len, self.fault(kind, &input.bytes[at..at + len], at, code_point));
            }
            self.errors += u64::from(code_point.is_none());
            seen += 1;
            at += len;
        }
    }

    /// Convert one sequence: at the start of the stream, between chunks, and where room is short.
    fn advance_once(&mut self, input: Input<'_>, out: &mut Output<'_>) -> (usize, End) {
        if self.start == Start::Mark {
            return self.resolve(input);
        }
        let reader = self.reader;
        match self.reader.decode(input) {
            Decoded::Incomplete => (0, End::Short),
            Decoded::Nothing { len } => (usize::from(len), End::More),
            Decoded::Malformed { kind, len } => {
                self.start = Start::Past;
                let len = usize::from(len);
                (len, self.fault(kind, &input.bytes[..len], 0, None))
            }
            Decoded::CodePoint { value, len } => {
                let len = usize::from(len);
                if self.start == Start::First && value == CodePoint::MARK && self.drops_mark() {
                    self.start = Start::Past;
                    return (len, End::More);
                }
                match self.put(value, out) {
                    Put::Done => {
                        self.start = Start::Past;
                        self.clean = KERNEL_AFTER.min(self.clean + 1);
                        self.one_by_one = self.one_by_one.saturating_sub(1);
                        (len, End::More)
                    }
                    Put::Full => {
                        self.reader = reader;
                        (0, End::Full)
                    }
                    Put::Refused => {
                        self.start = Start::Past;
                        (len, self.fault(ErrorKind::Unencodable, &input.bytes[..len], 0, Some(value)))
                    }
                }
            }
        }
    }

    /// Decide the form of the input by its byte order mark.
    pub(super) fn resolve(&mut self, input: Input<'_>) -> (usize, End) {
        let (form, skip) = match self.from.marked().map(|marked| marked.resolve(input.bytes, input.last)) {
            Some(Head::Incomplete) => return (0, End::Short),
            Some(Head::Known { form, skip }) => (form, skip),
            None => (self.from, 0),
        };
        // Behind a mark, U+FEFF is a character.
        self.settle(form, if skip == 0 { Start::First } else { Start::Past });
        (skip, End::More)
    }

    /// The form of the source is known: make its reader and look for a kernel.
    pub(super) fn settle(&mut self, form: Form, start: Start) {
        self.reader = State::new(form);
        self.start = start;
        self.kernel = self.find_kernel();
    }

    pub(super) fn find_kernel(&self) -> Option<Entry> {
        let fixed = self.handler.fixed().unwrap_or(Fixed::Stop);
        self.kernels.find(self.reader.form(), self.writer.form(), fixed)
    }

    /// Write one code point, after the byte order mark if that is due. Writes both or nothing.
    pub(super) fn put(&mut self, c: CodePoint, out: &mut Output<'_>) -> Put {
        if self.forbids_escapes() && is_escape(c) {
            return Put::Refused;
        }
        let is_mark = self.start == Start::First && c == CodePoint::MARK;
        // Without a mark, a text that begins with U+FEFF or U+FFFE would be read as something else.
        if self.mark_due
            && !is_mark
            && (self.writes_mark() || c == CodePoint::MARK || c == CodePoint::NO_MARK)
        {
            match out.put_with(&mut self.writer, |state, room| state.encode(CodePoint::MARK, room)) {
                Put::Done => (self.mark_due, self.has_begun) = (false, true),
                other @ (Put::Full | Put::Refused) => return other,
            }
        }
        let put = out.put_with(&mut self.writer, |state, room| state.encode(c, room));
        if put == Put::Done {
            self.mark_due = false;
        }
        put
    }

    /// Whether escapes of UTF-8B must not reach the target. They would be ordinary surrogates there, and could be joined with a
    /// surrogate before them.
    fn forbids_escapes(&self) -> bool {
        matches!(self.reader.form(), Form::Utf8b | Form::Utf8bPython) && self.to.confuses_escapes()
    }

    /// Whether the writer may begin with a byte order mark: always, or where the text would be read as something else without one.
    pub(super) fn may_write_mark(&self) -> bool {
        self.to.marked().is_some() || self.writes_mark()
    }

    /// Whether the writer always begins with a byte order mark.
    pub(super) fn writes_mark(&self) -> bool {
        match self.to.marked() {
            Some(marked) => marked.writes_mark || self.bom == Bom::Add,
            None => self.bom == Bom::Add && self.to.carries(CodePoint::MARK),
        }
    }

    /// Whether a byte order mark at the start of the source is dropped.
    fn drops_mark(&self) -> bool {
        let is_due = self.mark_due && self.writes_mark();
        match self.bom {
            _ if self.has_begun => true,
            Bom::Keep => !is_due && (self.to.marked().is_some() || !self.to.carries(CodePoint::MARK)),
            Bom::Strip => true,
            Bom::Add => !is_due,
        }
    }
}

/// Whether `c` is the escape of a byte in UTF-8B.
fn is_escape(c: CodePoint) -> bool {
    matches!(c.value(), 0xDC80..=0xDCFF)
}

/// How many code points stand before the first escape.
fn until_escape(code_points: &[CodePoint]) -> usize {
    code_points.iter().position(|&c| is_escape(c)).unwrap_or(code_points.len())
}
