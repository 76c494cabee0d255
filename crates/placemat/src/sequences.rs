//! A form's bytes, one sequence at a time.

#![forbid(unsafe_code)]

use core::iter::FusedIterator;
use core::ops::Range;

use crate::code_point::CodePoint;
use crate::codec::{Decoded, Input};
use crate::dispatch::kernels;
use crate::error::{Error, ErrorKind};
use crate::form::{Form, Head, State};

/// Every sequence of `bytes` in order, well-formed or not. Together they cover all bytes except shifts of UTF-7 and the byte order mark of
/// a form that has its own.
///
/// One pass, no allocation.
///
/// ```
/// use placemat::Form;
/// let all: Vec<_> = placemat::sequences(Form::Utf8, b"a\xC3\xA9\xFF").map(|s| (s.range(), s.code_point().is_ok())).collect();
/// assert_eq!(all, [(0..1, true), (1..3, true), (3..4, false)]);
/// ```
#[must_use]
pub fn sequences(form: Form, bytes: &[u8]) -> Sequences<'_> {
    let (form, at) = match form.marked().map(|marked| marked.resolve(bytes, true)) {
        Some(Head::Known { form, skip }) => (form, skip),
        _ => (form, 0),
    };
    Sequences { state: State::new(form), bytes, at }
}

/// The iterator that [`sequences`] returns.
#[derive(Clone, Debug)]
pub struct Sequences<'a> {
    state: State,
    bytes: &'a [u8],
    at: usize,
}

/// One sequence: its code point, or its error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sequence {
    start: usize,
    len: u8,
    is: Result<CodePoint, ErrorKind>,
}

impl Sequence {
    /// The bytes of the sequence.
    ///
    /// ```
    /// use placemat::{Form, sequences};
    /// assert_eq!(sequences(Form::Utf8, "aé".as_bytes()).nth(1).unwrap().range(), 1..3);
    /// ```
    #[must_use]
    pub fn range(&self) -> Range<usize> {
        self.start..self.start + usize::from(self.len)
    }

    /// The code point.
    ///
    /// ```
    /// use placemat::{Form, sequences};
    /// let mut all = sequences(Form::Utf8, b"a\xFF");
    /// assert_eq!(all.next().unwrap().code_point(), Ok('a'.into()));
    /// assert_eq!(all.next().unwrap().code_point().unwrap_err().offset(), 1);
    /// ```
    ///
    /// # Errors
    /// What is wrong with an ill-formed sequence.
    pub fn code_point(&self) -> Result<CodePoint, Error> {
        self.is.map_err(|kind| Error::new(kind, self.start as u64, self.len))
    }
}

impl<'a> Sequences<'a> {
    /// Continue at byte `at`, with the state that a reader had there.
    #[cfg(feature = "alloc")]
    pub(crate) fn resume(state: State, bytes: &'a [u8], at: usize) -> Sequences<'a> {
        Sequences { state, bytes, at }
    }

    /// The form of the bytes. It differs from the requested form only if that has its own byte order mark.
    ///
    /// ```
    /// use placemat::{Form, sequences};
    /// assert_eq!(sequences(Form::Utf16, b"\xFF\xFEa\0").form(), Form::Utf16Le);
    /// ```
    #[must_use]
    pub fn form(&self) -> Form {
        self.state.form()
    }
}

impl Iterator for Sequences<'_> {
    type Item = Sequence;

    fn next(&mut self) -> Option<Sequence> {
        while self.at < self.bytes.len() {
            let start = self.at;
            let (is, len) = match self.state.decode(Input { bytes: &self.bytes[start..], last: true }) {
                Decoded::CodePoint { value, len } => (Ok(value), len),
                Decoded::Malformed { kind, len } => (Err(kind), len),
                Decoded::Nothing { len } => {
                    self.at += usize::from(len);
                    continue;
                }
                // Never with `last` (law 1 of a codec); ending here keeps even a broken form from looping.
                Decoded::Incomplete => return None,
            };
            self.at += usize::from(len);
            return Some(Sequence { start, len, is });
        }
        None
    }

    /// Each sequence takes at least one byte.
    fn size_hint(&self) -> (usize, Option<usize>) {
        (0, Some(self.bytes.len().saturating_sub(self.at)))
    }
}

impl FusedIterator for Sequences<'_> {}

/// Every error of `bytes`, read as `form`, in one pass.
///
/// No allocation; well-formed UTF-8 is skipped at the speed of [`validate()`](crate::validate()).
///
/// ```
/// use placemat::Form;
/// let kinds: Vec<_> = placemat::errors(Form::Utf8, b"\xC0\x80 \xED\xA0\x80").map(|e| (e.offset(), e.kind().name())).collect();
/// assert_eq!(kinds, [
///     (0, "overlong"), (1, "unexpected-continuation"),
///     (3, "surrogate"), (4, "unexpected-continuation"), (5, "unexpected-continuation"),
/// ]);
/// ```
#[must_use]
pub fn errors(form: Form, bytes: &[u8]) -> Errors<'_> {
    Errors { sequences: sequences(form, bytes), clean: KERNEL_AFTER }
}

/// The iterator that [`errors`] returns.
#[derive(Clone, Debug)]
pub struct Errors<'a> {
    sequences: Sequences<'a>,
    /// Well-formed sequences since the last error, at most [`KERNEL_AFTER`].
    clean: u8,
}

/// After this many well-formed sequences a kernel is tried again.
const KERNEL_AFTER: u8 = 16;

impl Iterator for Errors<'_> {
    type Item = Error;

    fn next(&mut self) -> Option<Error> {
        let is_utf8 = self.sequences.form() == Form::Utf8;
        loop {
            if is_utf8 && self.clean == KERNEL_AFTER {
                let rest = &self.sequences.bytes[self.sequences.at..];
                self.sequences.at += kernels().utf8_prefix(rest);
                self.clean = 0;
            }
            match self.sequences.next()?.code_point() {
                Ok(_) => self.clean = KERNEL_AFTER.min(self.clean + 1),
                Err(error) => {
                    self.clean = 0;
                    return Some(error);
                }
            }
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.sequences.size_hint()
    }
}

impl FusedIterator for Errors<'_> {}
