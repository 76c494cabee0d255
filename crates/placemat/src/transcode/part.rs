//! Texts that come in parts: several inputs that make one output, or a piece from the middle of one input.

#![forbid(unsafe_code)]

use super::{Start, Status, Step, Transcoder};
use crate::carry::Carry;
use crate::codec::{Input, Layout};
use crate::form::{Form, State};
use crate::policy::Handler;

use super::fault::Grouping;

impl<H: Handler> Transcoder<H> {
    /// The handler that decides on errors, for instance to read what it has recorded.
    ///
    /// ```
    /// use placemat::{Form, Policy, Transcoder};
    /// let transcoder = Transcoder::new(Form::Utf8, Form::Utf8).on_error(Policy::Skip);
    /// assert_eq!(*transcoder.handler(), Policy::Skip);
    /// ```
    #[must_use]
    pub fn handler(&self) -> &H {
        &self.handler
    }

    /// Treats the input as a piece from the middle of a text, cut between two sequences: no byte order mark is read or written,
    /// and U+FEFF is a character. Call it before the first chunk. It holds for this input, until `Done` or [`Transcoder::reset`].
    ///
    /// ```
    /// use placemat::{Form, Transcoder};
    /// let mut out = [0; 64];
    /// let step = Transcoder::new(Form::Utf8, Form::Utf16).from_middle().push("\u{FEFF}a".as_bytes(), &mut out);
    /// assert_eq!(&out[..step.written], [0xFE, 0xFF, 0x00, 0x61]);
    /// ```
    #[must_use]
    pub fn from_middle(mut self) -> Self {
        let _ = self.resolve(Input { bytes: &[], last: true });
        self.start = Start::Past;
        self.mark_due = false;
        self
    }

    /// Ends this input, but not the text, which continues in another input. Converts what was kept back, but does not write what
    /// the form needs at the end of a text.
    ///
    /// Call it again in the same cases as [`Transcoder::finish`]. After `Done`, call [`Transcoder::next_part`].
    ///
    /// ```
    /// use placemat::{Form, Transcoder};
    /// let (mut out, mut text) = ([0; 64], Vec::new());
    /// let mut t = Transcoder::new(Form::Utf8, Form::Utf16);
    /// let mut note = |step: placemat::Step, out: &[u8]| text.extend_from_slice(&out[..step.written]);
    /// note(t.push(b"\xEF\xBB\xBFa", &mut out), &out);
    /// note(t.finish_part(&mut out), &out);
    /// t.next_part(Form::Utf16);
    /// note(t.push(b"\xFF\xFEb\0", &mut out), &out);
    /// note(t.finish(&mut out), &out);
    /// assert_eq!(text, b"\xFE\xFF\0a\0b"); // one mark
    /// ```
    pub fn finish_part(&mut self, dst: &mut [u8]) -> Step {
        let step = self.run(&[], dst, true);
        match step.status {
            Status::NeedInput => Step { status: Status::Done, ..step },
            Status::NeedOutput | Status::Done | Status::Failed(_) => step,
        }
    }

    /// Continue with another input, in the form `from`; offsets count from 0 again. A text has at most one byte order mark, so a mark at
    /// the start of this part is dropped unless all parts before it were empty.
    ///
    /// ```
    /// use placemat::{Form, Transcoder};
    /// let mut out = [0; 16];
    /// let mut transcoder = Transcoder::new(Form::Iso8859_1, Form::Utf8);
    /// let first = transcoder.push(b"\xE9", &mut out).written;
    /// transcoder.finish_part(&mut out[first..]);
    /// transcoder.next_part(Form::Utf16Le);
    /// let second = transcoder.push(b"\xE8\0", &mut out[first..]).written;
    /// assert_eq!(&out[..first + second], "éè".as_bytes());
    /// ```
    pub fn next_part(&mut self, from: Form) {
        self.has_begun |= self.start == Start::Past;
        self.from = from;
        self.announces_length = from.facts().layout == Layout::Announced;
        self.reader = State::new(from);
        self.start = Start::Mark;
        self.kernel = None;
        self.carry = Carry::EMPTY;
        self.offset = 0;
        self.grouping = Grouping::NONE;
    }
}
