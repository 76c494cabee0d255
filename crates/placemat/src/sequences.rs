//! A whole buffer, sequence by sequence, without a policy.

#![forbid(unsafe_code)]

use crate::code_point::CodePoint;
use crate::codec::{Decoded, Input};
use crate::error::ErrorKind;
use crate::form::{Form, Head, State};

/// Walks over the code points and errors of a buffer. Bytes that stand for nothing (shifts, a mark that the form owns)
/// are passed over.
#[derive(Clone)]
pub(crate) struct Sequences<'a> {
    state: State,
    bytes: &'a [u8],
    at: usize,
}

/// A code point or an error, and the bytes that hold it.
#[derive(Clone, Copy)]
pub(crate) struct Sequence {
    pub(crate) start: usize,
    pub(crate) len: usize,
    pub(crate) value: Result<CodePoint, ErrorKind>,
}

impl<'a> Sequences<'a> {
    pub(crate) fn new(form: Form, bytes: &'a [u8]) -> Sequences<'a> {
        let (form, at) = concrete(form, bytes);
        Sequences { state: State::new(form), bytes, at }
    }
}

impl Iterator for Sequences<'_> {
    type Item = Sequence;

    #[inline]
    fn next(&mut self) -> Option<Sequence> {
        loop {
            let start = self.at;
            let rest = self.bytes.get(start..).filter(|rest| !rest.is_empty())?;
            let (len, value) = match self.state.decode(Input { bytes: rest, last: true }) {
                Decoded::CodePoint { value, len } => (len, Ok(value)),
                Decoded::Malformed { kind, len } => (len, Err(kind)),
                Decoded::Nothing { len } => {
                    self.at += usize::from(len);
                    continue;
                }
                Decoded::Incomplete => unreachable!("law 1 of a codec"),
            };
            self.at += usize::from(len);
            return Some(Sequence { start, len: usize::from(len), value });
        }
    }
}

/// The form that the bytes really hold, by their mark, and how long the mark is.
pub(crate) fn concrete(form: Form, bytes: &[u8]) -> (Form, usize) {
    match form.marked().map(|rule| rule.resolve(bytes, true)) {
        Some(Head::Known { form, skip }) => (form, skip),
        Some(Head::Incomplete) | None => (form, 0),
    }
}
