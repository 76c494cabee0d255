//! The loop itself: what is carried, the kernel, batches, and single sequences.

#![forbid(unsafe_code)]

use super::output::{Output, Put};
use super::{CALM, End, Start, Status, Step, Transcoder};
use crate::bom::Bom;
use crate::code_point::CodePoint;
use crate::codec::{Decoded, Input, ROOM};
use crate::error::ErrorKind;
use crate::form::{Head, State};
use crate::policy::{Fixed, Handler};
use crate::run::{BATCH, Batch, Stop};

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
            if kept == 0 {
                read += self.run_kernel(&src[read..], &mut out);
            }
            let rest = &src[read..];
            if rest.is_empty() && (kept == 0 || !last) {
                break Status::NeedInput;
            }
            let (used, end) = if kept == 0 {
                self.advance(Input { bytes: rest, last }, &mut out)
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

    /// Let the kernel do what it can. Returns how much it read.
    fn run_kernel(&mut self, src: &[u8], out: &mut Output<'_>) -> usize {
        let Some(kernel) = self.kernel else { return 0 };
        let replaces = !kernel.stops() && self.handler.fixed() == Some(Fixed::Replace);
        if !self.is_under_way() || self.calm < CALM && !replaces || !self.writer.at_rest() {
            return 0;
        }
        let progress = kernel.run(src, out.rest());
        self.errors += progress.replaced as u64;
        self.offset += progress.read as u64;
        out.advance(progress.written);
        progress.read
    }

    /// Whether the beginning, with its marks, is behind us.
    fn is_under_way(&self) -> bool {
        self.start == Start::Past && !self.mark_due
    }

    /// One stretch of work on the source itself.
    fn advance(&mut self, input: Input<'_>, out: &mut Output<'_>) -> (usize, End) {
        // What stopped a kernel is near; then let it try again.
        let limit = if self.kernel.is_some() { 16 } else { BATCH };
        let limit = limit.min(out.rest().len() / ROOM);
        if limit == 0 || self.calm < CALM || !self.is_under_way() {
            return self.advance_once(input, out);
        }
        self.advance_batch(input, out, limit)
    }

    /// Up to `limit` code points, for each of which there is [`ROOM`].
    fn advance_batch(&mut self, input: Input<'_>, out: &mut Output<'_>, limit: usize) -> (usize, End) {
        let reader = self.reader;
        let mut batch = Batch::new();
        let run = self.reader.decode_run(input, &mut batch, limit);
        let (taken, written) = self.writer.encode_run(batch.code_points(), out.rest());
        out.advance(written);
        if let Some(&refused) = batch.code_points().get(taken) {
            // Read again up to the refused one: the reader's state and position belong behind it.
            self.reader = reader;
            let (at, len) = self.skip_code_points(input, taken);
            return (
                at + len,
                self.fault(ErrorKind::Unencodable, &input.bytes[at..at + len], at, Some(refused)),
            );
        }
        match run.stop {
            Stop::Malformed { kind, len } => {
                let bytes = &input.bytes[run.read..][..usize::from(len)];
                (run.read + bytes.len(), self.fault(kind, bytes, run.read, None))
            }
            Stop::Incomplete => (run.read, End::Short),
            Stop::Empty | Stop::Full => (run.read, End::More),
        }
    }

    /// Step over `n` code points and say where the next one stands and how long it is.
    fn skip_code_points(&mut self, input: Input<'_>, n: usize) -> (usize, usize) {
        let (mut at, mut seen) = (0, 0);
        loop {
            let (code_point, len) = match self.reader.decode(Input { bytes: &input.bytes[at..], ..input }) {
                Decoded::CodePoint { len, .. } => (true, usize::from(len)),
                Decoded::Nothing { len } | Decoded::Malformed { len, .. } => (false, usize::from(len)),
                Decoded::Incomplete => return (at, 0),
            };
            if code_point && seen == n {
                return (at, len);
            }
            seen += usize::from(code_point);
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
        self.reader = State::new(form);
        // Behind a mark, U+FEFF is a character.
        self.start = if skip == 0 { Start::First } else { Start::Past };
        let fixed = self.handler.fixed().unwrap_or(Fixed::Stop);
        self.kernel = self.kernels.find(form, self.writer.form(), fixed);
        (skip, End::More)
    }

    /// Write one code point, after the mark if that is due. All or nothing.
    pub(super) fn put(&mut self, c: CodePoint, out: &mut Output<'_>) -> Put {
        let is_mark = self.start == Start::First && c == CodePoint::MARK;
        if self.mark_due && !is_mark {
            match out.put_with(&mut self.writer, |state, room| state.encode(CodePoint::MARK, room)) {
                Put::Done => self.mark_due = false,
                other => return other,
            }
        }
        let put = out.put_with(&mut self.writer, |state, room| state.encode(c, room));
        if put == Put::Done {
            self.mark_due = false;
        }
        put
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
        match self.bom {
            _ if self.has_begun => true,
            Bom::Keep => !self.mark_due && (self.to.marked().is_some() || !self.to.carries(CodePoint::MARK)),
            Bom::Strip => true,
            Bom::Add => !self.mark_due,
        }
    }
}
