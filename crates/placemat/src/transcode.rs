//! The streaming loop: `chunk → carry → kernel → reader → batch → writer`. Errors go to the policy.
//!
//! Only this module deals with chunks, positions and policies; the forms deal with none of them.

#![forbid(unsafe_code)]

mod advance;
mod fault;
mod memory;
mod output;
mod part;
mod queue;
mod settings;
mod step;

use core::fmt;

use self::fault::Grouping;
use self::output::{Output, Put};
use self::queue::Queue;
pub use self::step::{Status, Step};
use crate::bom::Bom;
use crate::carry::Carry;
use crate::codec::{Layout, ROOM};
use crate::dispatch::{self, Entry, Kernels};
use crate::error::Error;
use crate::form::{Form, State};
use crate::policy::{Handler, Policy};

#[cfg(feature = "alloc")]
use crate::sequences::Sequences;

/// Converts a stream from one form to another, in chunks of any size.
///
/// These laws are tested. Any division of the input and of the output gives the same bytes, and the same errors at the same
/// offsets. Input is always drained. No character is split across outputs, but in base64 the last bits of a character may wait
/// for the next output. With a destination of at least [`Transcoder::MIN_OUTPUT`] bytes a call makes progress. A transcoder never
/// allocates, and its time is linear.
///
/// Output is bounded by the widths of the forms ([`Facts::width`](crate::Facts::width)). Let `least` be the fewest bytes of a
/// code point in the source form, and `most` the most bytes of one in the target form. Then `n` bytes become at most
/// `n.div_ceil(least) * most` bytes, and 16 more for a byte order mark and what the form writes at the end. The same holds under
/// [`Policy::Replace`]. Other policies write at most four code points for each byte of an error and at most 13 for each code
/// point that the target lacks; a [`Handler`] writes at most [`Text::CAPACITY`](crate::Text::CAPACITY).
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
    kernels: Kernels,
    reader: State,
    writer: State,
    start: Start,
    /// Nothing is written yet, and a byte order mark may have to be written before the first code point.
    mark_due: bool,
    /// Whether an earlier part or a mark has been written, so that no mark may follow.
    has_begun: bool,
    kernel: Option<Entry>,
    carry: Carry,
    /// The offset of the carry in the whole input. If the carry is empty, the offset of the next byte to be read.
    offset: u64,
    grouping: Grouping,
    /// Whether lead bytes announce the length in the source form ([`ErrorSize::Sequence`](crate::ErrorSize) needs it).
    announces_length: bool,
    queue: Queue,
    errors: u64,
    /// Sequences since the last error, at most [`KERNEL_AFTER`].
    clean: u8,
    /// How many sequences are still converted one by one before batches are tried again. In a batch, everything before a refused
    /// sequence is read twice.
    one_by_one: u8,
}

/// After this many sequences without an error a kernel is tried again.
const KERNEL_AFTER: u8 = 16;

/// How much of the start of the source has been read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Start {
    /// Nothing: a byte order mark may decide the form.
    Mark,
    /// The form is known; the first code point may be a byte order mark.
    First,
    Past,
}

/// What ended one round of work.
enum End {
    /// All of the window is read, or an unfinished sequence is left at its end.
    Short,
    /// Some input was used; continue.
    More,
    Full,
    Failed(Error),
}

impl Transcoder {
    /// The destination size, in bytes, with which every call makes progress.
    pub const MIN_OUTPUT: usize = ROOM;

    /// A transcoder that stops at the first error. See [`Transcoder::on_error`].
    ///
    /// ```
    /// use placemat::{Form, Transcoder};
    /// let mut out = [0; 16];
    /// let step = Transcoder::new(Form::Utf8, Form::Utf16Be).push("é".as_bytes(), &mut out);
    /// assert_eq!(&out[..step.written], b"\0\xE9");
    /// ```
    #[must_use]
    #[inline]
    pub fn new(from: Form, to: Form) -> Transcoder {
        Transcoder {
            from,
            to,
            handler: Policy::Stop,
            bom: Bom::Keep,
            kernels: dispatch::kernels(),
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
            clean: KERNEL_AFTER,
            one_by_one: 0,
        }
    }
}

impl<H: Handler> Transcoder<H> {
    /// The number of errors so far: ill-formed sequences, and code points that the target could not carry.
    ///
    /// ```
    /// use placemat::{Form, Policy, Transcoder};
    /// let mut transcoder = Transcoder::new(Form::Utf8, Form::Utf8).on_error(Policy::Replace);
    /// transcoder.push(b"a\xFFb\xFF", &mut [0; 32]);
    /// assert_eq!(transcoder.errors(), 2);
    /// ```
    #[must_use]
    pub fn errors(&self) -> u64 {
        self.errors
    }

    /// How many bytes of the input are converted: those read, less those of an unfinished sequence.
    ///
    /// ```
    /// use placemat::{Form, Transcoder};
    /// let mut transcoder = Transcoder::new(Form::Utf8, Form::Utf8);
    /// let step = transcoder.push(b"ab\xC3", &mut [0; 16]);
    /// assert_eq!((step.read, transcoder.offset()), (3, 2), "C3 is read, but what it begins is not finished");
    /// ```
    #[must_use]
    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// The form of the input. It differs from the requested form only if that has its own byte order mark.
    ///
    /// ```
    /// use placemat::{Form, Transcoder};
    /// let mut transcoder = Transcoder::new(Form::Utf16, Form::Utf8);
    /// transcoder.push(b"\xFF\xFEa\0", &mut [0; 16]);
    /// assert_eq!(transcoder.source_form(), Form::Utf16Le);
    /// ```
    #[must_use]
    pub fn source_form(&self) -> Form {
        self.reader.form()
    }

    /// Whether the writer holds nothing back, so that what was written is complete as it stands. Writers of base64 may hold back the last
    /// bits of a run, and WTF-8 a high surrogate, which it must write together with a low one that follows.
    ///
    /// ```
    /// use placemat::{Form, Transcoder};
    /// let mut transcoder = Transcoder::new(Form::Utf8, Form::Utf7);
    /// transcoder.push("é".as_bytes(), &mut [0; 16]);
    /// assert!(!transcoder.is_flushed());
    /// transcoder.finish(&mut [0; 16]);
    /// assert!(transcoder.is_flushed());
    /// ```
    #[must_use]
    pub fn is_flushed(&self) -> bool {
        self.writer.at_rest()
    }

    /// The offset in the source, in bytes, of what is written next: a sequence, or the error whose stand-ins are pending. For use after
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

    /// The bytes that were read and not yet decoded.
    #[cfg(feature = "alloc")]
    pub(crate) fn kept(&self) -> &[u8] {
        self.carry.bytes()
    }

    /// The sequences from the position of the reader on; `bytes` is the whole source. For use after the first chunk.
    #[cfg(feature = "alloc")]
    pub(crate) fn sequences_ahead<'a>(&self, bytes: &'a [u8]) -> Sequences<'a> {
        Sequences::resume(self.reader, bytes, self.offset as usize)
    }

    /// The fixed policy that the handler equals.
    #[cfg(feature = "alloc")]
    pub(crate) fn fixed(&self) -> Option<crate::policy::Fixed> {
        self.handler.fixed()
    }

    /// The forms that the transcoder reads and writes.
    #[cfg(feature = "alloc")]
    pub(crate) fn forms(&self) -> (Form, Form) {
        (self.from, self.to)
    }

    /// What the writer holds back, for a text that ends at an error, without [`Transcoder::finish`].
    #[cfg(feature = "alloc")]
    pub(crate) fn last_words<'a>(&mut self, room: &'a mut [u8; ROOM]) -> &'a [u8] {
        let len = self.writer.end(room);
        &room[..len]
    }

    /// Start a new stream with the same settings, and with the form of the last [part](Transcoder::next_part).
    ///
    /// ```
    /// use placemat::{Form, Transcoder};
    /// let mut transcoder = Transcoder::new(Form::Utf8, Form::Utf8);
    /// transcoder.push(b"half a character: \xC3", &mut [0; 32]);
    /// transcoder.reset();
    /// assert_eq!((transcoder.offset(), transcoder.push(b"a", &mut [0; 16]).written), (0, 1));
    /// ```
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
        (self.clean, self.one_by_one) = (KERNEL_AFTER, 0);
        self.mark_due = self.may_write_mark();
    }

    /// Convert the next chunk of the input.
    ///
    /// Read [`Step::status`]: after `NeedOutput` and `Failed`, call `push` again with the rest of the source.
    ///
    /// ```
    /// use placemat::{Form, Status, Transcoder};
    /// let mut out = [0; 16];
    /// let mut transcoder = Transcoder::new(Form::Utf8, Form::Utf16Be);
    /// assert_eq!(transcoder.push(b"a\xC3", &mut out).written, 2);
    /// let step = transcoder.push(b"\xA9", &mut out[2..]);
    /// assert_eq!((step.read, step.written, step.status), (1, 2, Status::NeedInput));
    /// assert_eq!(&out[..4], b"\0a\0\xE9");
    /// ```
    pub fn push(&mut self, src: &[u8], dst: &mut [u8]) -> Step {
        self.run(src, dst, false)
    }

    /// Ends the input: converts what was kept back, and writes what the form needs at the end of a text.
    ///
    /// Call it again after `NeedOutput`, and after `Failed` in order to continue behind the error. After `Done` the transcoder is
    /// at the start of a new stream, but [`Transcoder::errors`] keeps its number.
    ///
    /// ```
    /// use placemat::{Form, Status, Transcoder};
    /// let mut out = [0; 16];
    /// let mut transcoder = Transcoder::new(Form::Utf8, Form::Utf7);
    /// let written = transcoder.push("£".as_bytes(), &mut out).written;
    /// let step = transcoder.finish(&mut out[written..]);
    /// assert_eq!((&out[..written + step.written], step.status), (&b"+AKM-"[..], Status::Done));
    /// ```
    pub fn finish(&mut self, dst: &mut [u8]) -> Step {
        let mut step = self.run(&[], dst, true);
        if step.status != Status::NeedInput {
            return step;
        }
        let mut out = Output::new(&mut dst[step.written..]);
        step.status = match out.put_with(&mut self.writer, |state, room| Ok(state.end(room))) {
            Put::Full => Status::NeedOutput,
            Put::Done | Put::Refused => Status::Done,
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
