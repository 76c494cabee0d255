//! Boundaries: where sequences start, found from any byte without reading the text before it.
//!
//! A boundary is the start of a character or of an error as the form's reader delimits them (in UTF-8 a maximal subpart),
//! or the end. All functions accept ill-formed bytes. Cutting at a boundary does not change how the two sides are decoded, with
//! one exception: an error that ends because the next byte does not continue it becomes `truncated` when it is the last of its
//! side.
//!
//! ```
//! use placemat::boundary;
//!
//! let euro = b"\xE2\x82\xAC";
//! assert_eq!((boundary::floor(euro, 2), boundary::ceil(euro, 2)), (0, 3));
//! assert_eq!(boundary::floor(b"A\x80\x80\x80", 3), 3, "each stray byte is an error of its own");
//! assert_eq!(boundary::truncate(b"caf\xC3\xA9", 4), b"caf");
//! ```

#![forbid(unsafe_code)]

use core::iter::FusedIterator;

use crate::codec::{Codec, Decoded, Input};
use crate::form::utf8::Utf8;
use crate::form::{Form, Head, State};

pub use crate::form::{announced_length, is_continuation};

/// The last boundary of UTF-8 at or before byte `index` (the end, for an `index` beyond it). Goes back at most 3 bytes.
///
/// ```
/// # use placemat::boundary;
/// assert_eq!(boundary::floor("aé".as_bytes(), 2), 1);
/// assert_eq!(boundary::floor("aé".as_bytes(), 99), 3);
/// ```
#[must_use]
#[inline]
pub fn floor(bytes: &[u8], index: usize) -> usize {
    match bytes.get(index) {
        Some(&byte) if is_continuation(byte) => UTF8.of_bytes(bytes).floor(index),
        // An error never extends over a byte that could start a character.
        Some(_) => index,
        None => bytes.len(),
    }
}

/// The first boundary of UTF-8 at or after byte `index` (the end, for an `index` beyond it).
///
/// ```
/// # use placemat::boundary;
/// assert_eq!(boundary::ceil("éa".as_bytes(), 1), 2);
/// ```
#[must_use]
pub fn ceil(bytes: &[u8], index: usize) -> usize {
    UTF8.of_bytes(bytes).ceil(index)
}

/// Whether byte `index` of UTF-8 is a boundary.
///
/// ```
/// # use placemat::boundary;
/// assert!(boundary::is_boundary("éa".as_bytes(), 2));
/// assert!(!boundary::is_boundary("éa".as_bytes(), 1));
/// ```
#[must_use]
pub fn is_boundary(bytes: &[u8], index: usize) -> bool {
    UTF8.of_bytes(bytes).is_boundary(index)
}

/// The longest prefix of UTF-8 that fits into `limit` bytes without splitting a sequence: at most 3 bytes less than `limit`.
///
/// ```
/// # use placemat::boundary;
/// assert_eq!(boundary::truncate("aé".as_bytes(), 2), b"a");
/// ```
#[must_use]
pub fn truncate(bytes: &[u8], limit: usize) -> &[u8] {
    &bytes[..floor(bytes, limit)]
}

/// Splits UTF-8 into `n` pieces of about the same length (at least one; some may be empty), which together are `bytes`.
///
/// ```
/// let pieces: Vec<_> = placemat::boundary::split("äöü".as_bytes(), 2).collect();
/// assert_eq!(pieces, ["ä".as_bytes(), "öü".as_bytes()]);
/// ```
#[must_use]
pub fn split(bytes: &[u8], n: usize) -> Split<'_> {
    UTF8.of_bytes(bytes).split(n)
}

/// The boundaries of `bytes` in another form, or `None` if the form is not self-synchronising: UTF-1, UTF-7 and the
/// FSS-UTF of July 1992 can only be read from the start.
///
/// In UTF-16, UTF-32 and their relatives a boundary never lies inside a code unit or a surrogate pair. In CESU-8 and Modified
/// UTF-8 it never lies between the halves of a pair (the search goes at most 5 bytes back, as in the UTF-8 of RFC 2279). In a
/// form with its own byte order mark, the mark at the start of `bytes` is a sequence, and decides the form.
///
/// ```
/// use placemat::{Form, boundary};
/// let smile = b"\x3D\xD8\x00\xDE"; // D83D DE00
/// assert_eq!(boundary::of(Form::Utf16Le, smile).unwrap().floor(3), 0);
/// ```
#[must_use]
pub fn of(form: Form, bytes: &[u8]) -> Option<Boundaries<'_>> {
    let form = match form.marked().map(|marked| marked.resolve(bytes, true)) {
        Some(Head::Known { form, .. }) => form,
        _ => form,
    };
    Layout::of(form).map(|layout| layout.of_bytes(bytes))
}

/// The boundaries of a buffer. See [`of`].
#[derive(Clone, Copy, Debug)]
pub struct Boundaries<'a> {
    layout: Layout,
    bytes: &'a [u8],
}

/// How the form marks where sequences start.
#[derive(Clone, Copy, Debug)]
struct Layout {
    form: Form,
    /// Reads the first sequence. UTF-8 has its own reader here, so that the linker need not keep the others.
    first: fn(Form, Input<'_>) -> Decoded,
    /// Bytes in a code unit.
    unit: usize,
    /// How many bytes back a lead byte can be.
    reach: usize,
}

const UTF8: Layout =
    Layout { form: Form::Utf8, first: |_, input| Utf8::decode(&mut (), input), unit: 1, reach: 3 };

impl Layout {
    fn of(form: Form) -> Option<Layout> {
        let facts = form.facts();
        let (unit, longest) = (usize::from(facts.width.0), usize::from(facts.width.1));
        let first = |form, input: Input<'_>| State::new(form).decode(input);
        facts.self_synchronising.then_some(Layout { form, first, unit, reach: longest.max(4) - 1 })
    }

    fn of_bytes(self, bytes: &[u8]) -> Boundaries<'_> {
        Boundaries { layout: self, bytes }
    }
}

impl<'a> Boundaries<'a> {
    /// The last boundary at or before byte `index` (the end, for an `index` beyond it). Constant time.
    ///
    /// ```
    /// # use placemat::{Form, boundary};
    /// assert_eq!(boundary::of(Form::Utf16Le, b"a\0b\0").unwrap().floor(3), 2);
    /// ```
    #[must_use]
    pub fn floor(&self, index: usize) -> usize {
        if index >= self.bytes.len() {
            return self.bytes.len();
        }
        let [far, near] = self.candidates(index);
        let reaches = |&start: &usize| start + self.length(start) > index;
        [far, near].into_iter().find(reaches).unwrap_or(index)
    }

    /// The first boundary at or after byte `index` (the end, for an `index` beyond it). Constant time.
    ///
    /// ```
    /// # use placemat::{Form, boundary};
    /// assert_eq!(boundary::of(Form::Utf16Le, b"a\0b\0").unwrap().ceil(1), 2);
    /// ```
    #[must_use]
    pub fn ceil(&self, index: usize) -> usize {
        match self.floor(index) {
            start if start >= index.min(self.bytes.len()) => start,
            start => start + self.length(start),
        }
    }

    /// Whether byte `index` is a boundary. Constant time.
    ///
    /// ```
    /// # use placemat::{Form, boundary};
    /// let pair = boundary::of(Form::Utf16Be, b"\xD8\x3D\xDE\x00").unwrap();
    /// assert_eq!([0, 2, 4].map(|index| pair.is_boundary(index)), [true, false, true]);
    /// ```
    #[must_use]
    pub fn is_boundary(&self, index: usize) -> bool {
        self.floor(index) == index
    }

    /// The longest prefix that fits into `limit` bytes without splitting a sequence.
    ///
    /// ```
    /// # use placemat::{Form, boundary};
    /// assert_eq!(boundary::of(Form::Utf16Le, b"a\0b\0").unwrap().truncate(3), b"a\0");
    /// ```
    #[must_use]
    pub fn truncate(&self, limit: usize) -> &'a [u8] {
        &self.bytes[..self.floor(limit)]
    }

    /// Splits the buffer into `n` pieces of about the same length (at least one; some may be empty), which together are the buffer.
    ///
    /// ```
    /// # use placemat::{Form, boundary};
    /// let pieces: Vec<_> = boundary::of(Form::Utf16Le, b"a\0b\0").unwrap().split(2).collect();
    /// assert_eq!(pieces, [b"a\0", b"b\0"]);
    /// ```
    #[must_use]
    pub fn split(self, n: usize) -> Split<'a> {
        Split { boundaries: self, n: n.max(1), next: 0 }
    }

    /// Where a sequence that covers byte `index` can start: at the code unit that holds this byte, or one unit before it, if the
    /// unit may be the second half of a surrogate pair.
    fn candidates(&self, index: usize) -> [usize; 2] {
        let bytes = self.bytes;
        if self.layout.unit > 1 {
            let near = index - index % self.layout.unit;
            return [near.saturating_sub(2 * usize::from(self.layout.unit == 2)), near];
        }
        let back =
            bytes[..=index].iter().rev().take(1 + self.layout.reach).position(|&byte| !is_continuation(byte));
        let near = index - back.unwrap_or(0);
        let is_half = |at: usize, seconds: u8| {
            bytes[at] == 0xED && bytes.get(at + 1).is_some_and(|b| b & 0xF0 == seconds)
        };
        match near.checked_sub(3) {
            Some(far) if is_half(near, 0xB0) && is_half(far, 0xA0) => [far, near],
            _ => [near, near],
        }
    }

    /// The length of the sequence at a boundary; positive before the end.
    fn length(&self, start: usize) -> usize {
        let Layout { form, first, .. } = self.layout;
        first(form, Input { bytes: &self.bytes[start..], last: true }).len().unwrap_or(1)
    }
}

/// The iterator that [`split`] returns.
#[derive(Clone, Debug)]
pub struct Split<'a> {
    boundaries: Boundaries<'a>,
    n: usize,
    next: usize,
}

impl Split<'_> {
    /// Where the piece with this number starts.
    fn start(&self, piece: usize) -> usize {
        let share = self.boundaries.bytes.len() as u128 * piece as u128 / self.n as u128;
        self.boundaries.floor(share as usize)
    }
}

impl<'a> Iterator for Split<'a> {
    type Item = &'a [u8];

    fn next(&mut self) -> Option<&'a [u8]> {
        if self.next == self.n {
            return None;
        }
        self.next += 1;
        Some(&self.boundaries.bytes[self.start(self.next - 1)..self.start(self.next)])
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.n - self.next, Some(self.n - self.next))
    }
}

impl ExactSizeIterator for Split<'_> {}
impl FusedIterator for Split<'_> {}
