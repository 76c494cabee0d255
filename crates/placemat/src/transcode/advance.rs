//! The loop itself: what is carried, the kernel, batches, and single sequences.

#![forbid(unsafe_code)]

#[cfg(feature = "alloc")]
use core::mem::MaybeUninit;

use super::output::{Output, Put};
use super::{CALM, End, Start, Status, Step, Transcoder};
use crate::bom::Bom;
use crate::code_point::CodePoint;
use crate::codec::{Decoded, Input, ROOM};
use crate::error::ErrorKind;
use crate::form::{Form, Head, State};
use crate::kernel::{Entry, Progress};
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

    /// Let the kernel do what it can. Returns how much it read, if it was asked.
    fn run_kernel(&mut self, src: &[u8], out: &mut Output<'_>) -> Option<usize> {
        let kernel = self.ready_kernel()?;
        let progress = kernel.run(src, out.rest());
        self.note(progress);
        out.advance(progress.written);
        Some(progress.read)
    }

    /// Whether U+FFFD stands for every error, and nobody wants to be asked.
    fn replaces(&self) -> bool {
        self.handler.fixed() == Some(Fixed::Replace)
    }

    /// The same into room that nobody has cleared; says how much was read and written.
    #[cfg(feature = "alloc")]
    pub(crate) fn run_kernel_in(&mut self, src: &[u8], room: &mut [MaybeUninit<u8>]) -> Progress {
        let is_drained = self.queue.front().is_none() && self.carry.len() == 0;
        let Some(kernel) = self.ready_kernel().filter(|_| is_drained) else { return Progress::default() };
        let progress = kernel.fill(src, room);
        self.note(progress);
        progress
    }

    /// The kernel, where it may run.
    fn ready_kernel(&self) -> Option<Entry> {
        let kernel = self.kernel?;
        let is_calm = self.calm == CALM || !kernel.stops() && self.replaces();
        (self.is_under_way() && is_calm && self.writer.at_rest()).then_some(kernel)
    }

    fn note(&mut self, progress: Progress) {
        self.errors += progress.replaced as u64;
        self.offset += progress.read as u64;
    }

    /// Whether the beginning, with its marks, is behind us.
    pub(super) fn is_under_way(&self) -> bool {
        self.start == Start::Past && !self.mark_due
    }

    /// One stretch of work on the source itself, where a kernel stopped if one was `tried`.
    fn advance(&mut self, input: Input<'_>, out: &mut Output<'_>, tried: Option<usize>) -> (usize, End) {
        let fitting = out.rest().len() / ROOM;
        if fitting == 0 || self.wary > 0 || !self.is_under_way() {
            return self.advance_once(input, out);
        }
        let is_short = match tried {
            // What stopped the kernel is near; then let it try again. If it read nothing, it may have looked far ahead for that.
            Some(read) => read > 0,
            None => self.calm < CALM && !self.replaces(),
        };
        if is_short {
            let mut batch = [CodePoint::of(0); FEW];
            self.advance_batch(input, out, &mut batch[..FEW.min(fitting)])
        } else {
            let mut batch = [CodePoint::of(0); BATCH];
            self.advance_batch(input, out, &mut batch[..BATCH.min(fitting)])
        }
    }

    /// As many code points as `batch` has room for; for each there is [`ROOM`].
    fn advance_batch(
        &mut self,
        input: Input<'_>,
        out: &mut Output<'_>,
        batch: &mut [CodePoint],
    ) -> (usize, End) {
        let reader = self.reader;
        let run = self.reader.decode_run(input, batch, self.replaces());
        if run.len > 0 {
            let carried = if self.forbids_escapes() { until_escape(&batch[..run.len]) } else { run.len };
            let (taken, written) = self.writer.encode_run(&batch[..carried], out.rest());
            out.advance(written);
            if taken < run.len {
                // The reader's state and position belong behind the refused one.
                self.reader = reader;
                return self.fault_after(taken, input);
            }
        }
        self.errors += run.replaced as u64;
        self.calm = if run.replaced > 0 { 0 } else { CALM.min(self.calm.saturating_add(run.len as u8)) };
        match run.stop {
            Stop::Malformed { kind, len } => {
                let bytes = &input.bytes[run.read..][..usize::from(len)];
                (run.read + bytes.len(), self.fault(kind, bytes, run.read, None))
            }
            Stop::Incomplete => (run.read, End::Short),
            Stop::Full => (run.read, End::More),
        }
    }

    /// Read `n` code points again, replacements among them, and what the writer made of the next: a fault.
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

    /// One sequence, at the start of the stream, between chunks, and where room is short.
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
                        self.calm = CALM.min(self.calm + 1);
                        self.wary = self.wary.saturating_sub(1);
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

    /// Settle the form of the input by its mark.
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

    /// The source is in this form.
    pub(super) fn settle(&mut self, form: Form, start: Start) {
        self.reader = State::new(form);
        self.start = start;
        self.kernel = self.find_kernel();
    }

    pub(super) fn find_kernel(&self) -> Option<Entry> {
        let fixed = self.handler.fixed().unwrap_or(Fixed::Stop);
        self.kernels.find(self.reader.form(), self.writer.form(), fixed)
    }

    /// Write one code point, after the mark if that is due. All or nothing.
    pub(super) fn put(&mut self, c: CodePoint, out: &mut Output<'_>) -> Put {
        if self.forbids_escapes() && is_escape(c) {
            return Put::Refused;
        }
        let is_mark = self.start == Start::First && c == CodePoint::MARK;
        // Without a mark, a text that begins like one would be read as another.
        if self.mark_due
            && !is_mark
            && (self.writes_mark() || c == CodePoint::MARK || c == CodePoint::NO_MARK)
        {
            match out.put_with(&mut self.writer, |state, room| state.encode(CodePoint::MARK, room)) {
                Put::Done => (self.mark_due, self.has_begun) = (false, true),
                other => return other,
            }
        }
        let put = out.put_with(&mut self.writer, |state, room| state.encode(c, room));
        if put == Put::Done {
            self.mark_due = false;
        }
        put
    }

    /// Whether escapes of UTF-8B must not reach the target: there they would be surrogates like any other, to be joined with one
    /// that stands before them.
    fn forbids_escapes(&self) -> bool {
        matches!(self.reader.form(), Form::Utf8b | Form::Utf8bPython) && self.to.confuses_escapes()
    }

    /// Whether the writer begins with a mark, or does where its lack would change the text.
    pub(super) fn may_write_mark(&self) -> bool {
        self.to.marked().is_some() || self.writes_mark()
    }

    /// Whether the writer begins with a mark.
    pub(super) fn writes_mark(&self) -> bool {
        match self.to.marked() {
            Some(marked) => marked.writes_mark || self.bom == Bom::Add,
            None => self.bom == Bom::Add && self.to.carries(CodePoint::MARK),
        }
    }

    /// Whether a mark at the start of the text goes no further.
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

/// Whether it stands for a byte in UTF-8B.
fn is_escape(c: CodePoint) -> bool {
    matches!(c.value(), 0xDC80..=0xDCFF)
}

/// How many code points stand before the first escape.
fn until_escape(code_points: &[CodePoint]) -> usize {
    code_points.iter().position(|&c| is_escape(c)).unwrap_or(code_points.len())
}
