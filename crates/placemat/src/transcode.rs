//! The one streaming loop: `chunk → carry → kernel → reader → batch → writer`, with errors branching off to the policy.
//!
//! Everything that knows of chunks, positions and policies is here; the forms know none of it.

#![forbid(unsafe_code)]

mod advance;
mod fault;
mod memory;
mod output;
mod part;
mod queue;

use core::fmt;

use self::fault::Grouping;
use self::output::{Output, Put};
use self::queue::Queue;
use crate::bom::Bom;
use crate::carry::Carry;
use crate::codec::{Layout, ROOM};
use crate::error::Error;
use crate::form::{Form, State};
use crate::kernel::{self, Entry, Kernels, Level};
use crate::policy::{Decision, Fault, Handler, Policy, Text};

#[cfg(feature = "alloc")]
use crate::sequences::Sequences;

/// How far one call came.
#[must_use = "a step says how much was read and written, and whether it failed"]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// Bytes of the source that need not be offered again.
    pub read: usize,
    /// Bytes written to the start of the destination. What is behind them in it may have been overwritten.
    pub written: usize,
    /// Why it came no further.
    pub status: Status,
}

impl Step {
    /// How much was written, if that was everything.
    ///
    /// ```
    /// use placemat::{Status, utf16};
    /// assert_eq!(utf16::from_utf8(b"abc", &mut [0; 3]).ok(), Ok(3));
    /// assert_eq!(utf16::from_utf8(b"abc", &mut [0; 2]).ok(), Err(Status::NeedOutput));
    /// ```
    ///
    /// # Errors
    /// Every status but [`Status::Done`].
    pub const fn ok(self) -> Result<usize, Status> {
        match self.status {
            Status::Done => Ok(self.written),
            status @ (Status::NeedInput | Status::NeedOutput | Status::Failed(_)) => Err(status),
        }
    }
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Status::NeedInput => f.pad("the source is read, but not at its end"),
            Status::NeedOutput => f.pad("the destination is full"),
            Status::Done => f.pad("done"),
            Status::Failed(error) => error.fmt(f),
        }
    }
}

impl core::error::Error for Status {}

/// Why a call came no further.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// The whole source is read.
    NeedInput,
    /// What comes next does not fit into the destination.
    NeedOutput,
    /// The end of the input is reached and everything is written.
    Done,
    /// The policy is to stop here. Everything before the error is written, but for what the target holds back until it sees
    /// more ([`Transcoder::is_flushed`]); [`Step::read`] is past it, so that to go on is to skip it.
    Failed(Error),
}

/// Converts a stream from one form to another, in chunks of any size.
///
/// Laws, each of them tested: any division of the input and of the output gives the same bytes and the same errors at the
/// same offsets; input is always drained; no character is split across outputs, but the last bits of one in base64 may wait for
/// the next; with a destination of at least [`Transcoder::MIN_OUTPUT`] bytes a call makes progress. It never allocates, and its time
/// is linear.
///
/// Output is bounded, by the widths of the forms ([`Facts::width`](crate::Facts::width)): `n` bytes of a form that has at least `least` of them
/// for a code point become at most `n.div_ceil(least) * most` bytes of one that has at most `most`, and 16 more for a mark and
/// last words; so too under [`Policy::Replace`]. Other policies put at most four code points in the place of each byte of an
/// error, at most 13 in that of each code point which the target lacks, and a [`Handler`] at most [`Text::CAPACITY`].
///
/// ```
/// use placemat::{Form, Policy, Status, Transcoder};
///
/// let mut transcoder = Transcoder::new(Form::Utf8, Form::Utf16Le).on_error(Policy::Replace);
/// let mut out = [0; 64];
/// let mut text = Vec::new();
/// for chunk in [&b"caf\xC3"[..], b"\xA9 \xFF"] {          // é is cut in two
///     let step = transcoder.push(chunk, &mut out);
///     assert_eq!(step.status, Status::NeedInput);
///     text.extend_from_slice(&out[..step.written]);
/// }
/// let step = transcoder.finish(&mut out);
/// assert_eq!(step.status, Status::Done);
/// text.extend_from_slice(&out[..step.written]);
/// assert_eq!(text, b"c\0a\0f\0\xE9\0 \0\xFD\xFF");
/// assert_eq!(transcoder.errors(), 1);
/// ```
#[derive(Clone)]
pub struct Transcoder<H = Policy> {
    from: Form,
    to: Form,
    handler: H,
    bom: Bom,
    kernels: &'static Kernels,
    reader: State,
    writer: State,
    start: Start,
    /// Nothing is written yet, and a mark may be due before the first code point.
    mark_due: bool,
    /// Whether an earlier part or a mark has been written, so that no mark may follow.
    has_begun: bool,
    kernel: Option<Entry>,
    carry: Carry,
    /// Where the carry begins in the whole input; without one, the next byte to be read.
    offset: u64,
    grouping: Grouping,
    /// Whether leads announce lengths in the source, for errors by sequence.
    announces_length: bool,
    queue: Queue,
    errors: u64,
    /// Sequences since the last error, at most [`CALM`]: then kernels pay again.
    calm: u8,
    /// Sequences to go before batches pay again: one that the writer refuses is read twice.
    wary: u8,
}

/// So many sequences without a fault promise more of them.
const CALM: u8 = 16;

/// How much of the beginning has been seen.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Start {
    /// Nothing: a mark may decide the form.
    Mark,
    /// The form is known; the first code point may be a mark.
    First,
    Past,
}

/// What ended one stretch of work.
enum End {
    /// All of the window is read, or an unfinished sequence is left at its end.
    Short,
    /// Something was done; look again.
    More,
    Full,
    Failed(Error),
}

impl Transcoder {
    /// The destination size, in bytes, with which every call makes progress.
    pub const MIN_OUTPUT: usize = ROOM;

    /// A transcoder that stops at the first error. See [`Transcoder::on_error`].
    #[must_use]
    pub fn new(from: Form, to: Form) -> Transcoder {
        Transcoder {
            from,
            to,
            handler: Policy::Stop,
            bom: Bom::Keep,
            kernels: kernel::kernels(),
            reader: State::new(from),
            writer: State::new(to),
            start: Start::Mark,
            mark_due: to.marked().is_some(),
            has_begun: false,
            kernel: None,
            carry: Carry::EMPTY,
            offset: 0,
            grouping: Grouping::NONE,
            announces_length: from.facts().layout == Layout::Announced,
            queue: Queue::EMPTY,
            errors: 0,
            calm: CALM,
            wary: 0,
        }
    }
}

impl<H: Handler> Transcoder<H> {
    /// Let this policy, or any other [`Handler`], decide what becomes of errors from here on. Whether a [`Policy`] serves
    /// between these forms is not asked: [`Policy::fits`] tells.
    #[must_use]
    pub fn on_error<G: Handler>(self, handler: G) -> Transcoder<G> {
        let Transcoder { from, to, bom, kernels, reader, writer, start, mark_due, .. } = self;
        let Transcoder { has_begun, carry, offset, announces_length, queue, errors, calm, wary, .. } = self;
        let transcoder = Transcoder {
            handler,
            from,
            to,
            bom,
            kernels,
            reader,
            writer,
            start,
            mark_due,
            has_begun,
            kernel: None,
            carry,
            offset,
            // Errors that were settled otherwise may not have been noted.
            grouping: Grouping::NONE,
            announces_length,
            queue,
            errors,
            calm,
            wary,
        };
        transcoder.with_its_kernel()
    }

    /// Let a closure decide: it sees each [`Fault`] and writes what stands for it.
    ///
    /// ```
    /// use placemat::{Form, Transcoder, Decision};
    /// let mut seen = Vec::new();
    /// let mut t = Transcoder::new(Form::Utf8, Form::Utf8).on_error_with(|fault, text| {
    ///     seen.push(fault.error.offset());
    ///     text.push('?').map_or(Decision::Stop, |()| Decision::Resume)
    /// });
    /// let mut out = [0; 32];
    /// let step = t.push(b"a\xFFb\xFE", &mut out);
    /// assert_eq!(&out[..step.written], b"a?b?");
    /// assert_eq!(seen, [1, 3]);
    /// ```
    #[must_use]
    pub fn on_error_with<F>(self, handler: F) -> Transcoder<F>
    where
        F: FnMut(&Fault<'_>, &mut Text) -> Decision,
    {
        self.on_error(handler)
    }

    /// What becomes of a byte order mark ([`Bom::Keep`] unless set). Where the start is behind, it changes nothing.
    #[must_use]
    pub fn bom(mut self, bom: Bom) -> Self {
        self.bom = bom;
        let is_start = !self.has_begun && (self.start != Start::Past || self.mark_due);
        self.mark_due = is_start && self.may_write_mark();
        self
    }

    /// Use the kernels of this level, or of the best one below it that this CPU has. The result is the same on each.
    #[must_use]
    pub fn at_level(mut self, level: Level) -> Self {
        self.kernels = kernel::kernels_at_most(level);
        self.with_its_kernel()
    }

    /// With the kernel for these forms, this handler and this level, once the form of the source is known.
    fn with_its_kernel(mut self) -> Self {
        if self.start != Start::Mark {
            self.kernel = self.find_kernel();
        }
        self
    }

    /// Errors so far: ill-formed sequences, and code points that the target could not carry.
    #[must_use]
    pub fn errors(&self) -> u64 {
        self.errors
    }

    /// The bytes of the input that are behind what was written: read, less those of an unfinished sequence.
    #[must_use]
    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// The form that the input proved to have; differs from the one asked for in forms that own their mark.
    #[must_use]
    pub fn source_form(&self) -> Form {
        self.reader.form()
    }

    /// Whether the writer holds nothing back and is as at the start of a text, so that what was written stands by itself. It may
    /// hold back the last bits of a run of base64, and a high surrogate that WTF-8 must write as one with a low one.
    #[must_use]
    pub fn is_flushed(&self) -> bool {
        self.writer.at_rest()
    }

    /// Where in the source that starts which is written next: a sequence, or the error that stand-ins stand for. Ask after
    /// [`Status::NeedOutput`].
    ///
    /// ```
    /// use placemat::{Form, Policy, Transcoder};
    /// let mut transcoder = Transcoder::new(Form::Utf8, Form::Utf8).on_error(Policy::Replace);
    /// let step = transcoder.push(b"ab\xFFc", &mut [0; 3]);
    /// assert_eq!((step.written, transcoder.pending_offset()), (2, 2), "there is no room for U+FFFD");
    /// ```
    #[must_use]
    pub fn pending_offset(&self) -> u64 {
        if self.queue.front().is_some() { self.queue.error.offset() } else { self.offset }
    }

    /// The sequences of `bytes`, the whole source, from where the reader stands. For use behind the first chunk.
    #[cfg(feature = "alloc")]
    pub(crate) fn sequences_ahead<'a>(&self, bytes: &'a [u8]) -> Sequences<'a> {
        Sequences::resume(self.reader, bytes, self.offset as usize)
    }

    /// The fixed policy that its handler equals.
    #[cfg(feature = "alloc")]
    pub(crate) fn fixed(&self) -> Option<crate::policy::Fixed> {
        self.handler.fixed()
    }

    /// The forms that it reads and writes.
    #[cfg(feature = "alloc")]
    pub(crate) fn forms(&self) -> (Form, Form) {
        (self.from, self.to)
    }

    /// What the writer holds back, for where the text ends without [`Transcoder::finish`].
    #[cfg(feature = "alloc")]
    pub(crate) fn last_words<'a>(&mut self, room: &'a mut [u8; ROOM]) -> &'a [u8] {
        let len = self.writer.end(room);
        &room[..len]
    }

    /// Forget the stream, keep the settings; among them the form of the last [part](Transcoder::next_part).
    pub fn reset(&mut self) {
        self.reader = State::new(self.from);
        self.writer = State::new(self.to);
        self.start = Start::Mark;
        self.has_begun = false;
        self.kernel = None;
        self.carry = Carry::EMPTY;
        self.offset = 0;
        self.grouping = Grouping::NONE;
        self.queue.clear();
        self.errors = 0;
        (self.calm, self.wary) = (CALM, 0);
        self.mark_due = self.may_write_mark();
    }

    /// Convert the next chunk of the input.
    ///
    /// Read [`Step::status`]: with `NeedOutput` and `Failed` offer the rest of the source again.
    pub fn push(&mut self, src: &[u8], dst: &mut [u8]) -> Step {
        self.run(src, dst, false)
    }

    /// The input is over: convert what was kept back and write the form's last words.
    ///
    /// Call it again after `NeedOutput` and, to go on after an error, after `Failed`. After `Done` the transcoder is at the
    /// start of a new stream, but for [`Transcoder::errors`].
    pub fn finish(&mut self, dst: &mut [u8]) -> Step {
        let mut step = self.run(&[], dst, true);
        if step.status != Status::NeedInput {
            return step;
        }
        let mut out = Output::new(&mut dst[step.written..]);
        step.status = match out.put_with(&mut self.writer, |state, room| Ok(state.end(room))) {
            Put::Full => Status::NeedOutput,
            _ => Status::Done,
        };
        step.written += out.written();
        if step.status == Status::Done {
            let errors = self.errors;
            self.reset();
            self.errors = errors;
        }
        step
    }
}

impl<H> fmt::Debug for Transcoder<H> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Transcoder { from, to, bom, offset, errors, .. } = self;
        let mut shown = f.debug_struct("Transcoder");
        shown
            .field("from", from)
            .field("to", to)
            .field("bom", bom)
            .field("offset", offset)
            .field("errors", errors);
        shown.finish_non_exhaustive()
    }
}
