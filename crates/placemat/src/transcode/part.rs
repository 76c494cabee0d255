//! Texts that come in parts: several inputs that make one output, or a piece from the middle of one input.

#![forbid(unsafe_code)]

use super::{Start, Status, Step, Transcoder};
use crate::carry::Carry;
use crate::codec::{Input, Layout};
use crate::form::{Form, State};
use crate::policy::Handler;

use super::fault::Grouping;

impl<H: Handler> Transcoder<H> {
    /// What decides on errors, to look at what it has seen.
    #[must_use]
    pub fn handler(&self) -> &H {
        &self.handler
    }

    /// The input is cut out of the middle of a text, between two sequences: no mark is read or written, and U+FEFF is a
    /// character. Call it before the first chunk; it holds for this input, until `Done` or [`Transcoder::reset`].
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

    /// This input is over, the text is not: convert what was kept back, but leave out the last words of the form.
    ///
    /// Call it again as [`Transcoder::finish`]; after `Done`, [`Transcoder::next_part`] says how it goes on.
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
            _ => step,
        }
    }

    /// Go on with another input, in the form `from`; its offsets count from 0 again. A text has one mark at most, so that
    /// behind a part that held anything another one is dropped.
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
