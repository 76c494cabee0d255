//! Search in the bytes of a form, without decoding.
//!
//! A match consists of whole sequences: it starts and ends at a [`boundary`] of the haystack, also in ill-formed bytes, and in
//! UTF-16 and UTF-32 only whole code units are compared. So the matches in well-formed text are those of a search in the decoded
//! text. This works for every self-synchronising form in which a character is written in one way; needle and haystack must be in
//! the same form. UTF-1, UTF-7 and the FSS-UTF of July 1992 are refused, because the bytes of a character do not say where it
//! starts. Profiles that read two encodings of a character are refused too: those of Modified UTF-8, in which `C0 AF` is also a
//! slash, and the lenient one of Unicode 1.1.
//!
//! ```
//! use placemat::{Form, search};
//!
//! let euros = search::Finder::new(Form::Utf8, "€".as_bytes()).unwrap();
//! assert_eq!(euros.find("30 € or 40 €".as_bytes()), Some(3));
//! assert_eq!(euros.find_iter("30 € or 40 €".as_bytes()).collect::<Vec<_>>(), [3, 13]);
//! assert!(search::Finder::new(Form::Utf8, b"\xAC").unwrap().find("€".as_bytes()).is_none());
//! ```

#![forbid(unsafe_code)]

mod two_way;

use core::iter::FusedIterator;

use self::two_way::{Needle, Walk};
use crate::boundary::{self, Boundaries};
use crate::code_point::CodePoint;
use crate::codec::ROOM;
use crate::form::{Form, State};

/// A needle that is prepared for the search in any number of haystacks of its form.
#[derive(Clone, Debug)]
pub struct Finder<'n> {
    form: Form,
    needle: Units<'n>,
}

/// The needle in the code units of its form.
#[derive(Clone, Debug)]
enum Units<'n> {
    Bytes(Needle<'n, u8>),
    Pairs(Needle<'n, [u8; 2]>),
    Quads(Needle<'n, [u8; 4]>),
}

impl<'n> Finder<'n> {
    /// Prepares a needle, written in `form`. `None` if the form is not self-synchronising or reads two encodings of a character,
    /// or if the needle does not consist of whole code units.
    ///
    /// A form with its own byte order mark is refused too; [`Sequences::form`](crate::Sequences::form) returns the concrete form.
    /// Linear in the needle; no allocation.
    ///
    /// ```
    /// # use placemat::{Form, search::Finder};
    /// assert!(Finder::new(Form::Utf16Le, b"a\0").is_some());
    /// assert!(Finder::new(Form::Utf16Le, b"a").is_none(), "half a code unit");
    /// assert!(Finder::new(Form::Utf7, b"a").is_none(), "not self-synchronising");
    /// ```
    #[must_use]
    pub fn new(form: Form, needle: &'n [u8]) -> Option<Finder<'n>> {
        let facts = form.facts();
        if !facts.self_synchronising || !has_one_spelling(form) || form.marked().is_some() {
            return None;
        }
        let needle = match facts.width.0 {
            2 => Units::Pairs(Needle::new(whole(needle)?)),
            4 => Units::Quads(Needle::new(whole(needle)?)),
            _ => Units::Bytes(Needle::new(needle)),
        };
        Some(Finder { form, needle })
    }

    /// Returns where the needle is found first, in bytes.
    ///
    /// Linear in the haystack, whatever needle and haystack are; no allocation.
    ///
    /// ```
    /// # use placemat::{Form, search::Finder};
    /// let finder = Finder::new(Form::Utf16Le, b"a\0").unwrap();
    /// assert_eq!(finder.find(b"\0ab\0a\0"), Some(4), "only at code units");
    /// ```
    #[must_use]
    pub fn find(&self, haystack: &[u8]) -> Option<usize> {
        self.find_iter(haystack).next()
    }

    /// Iterates over the matches, as offsets in bytes, from left to right without overlap. An empty needle matches at every
    /// boundary between whole code units.
    ///
    /// Linear in the haystack, whatever needle and haystack are; no allocation.
    ///
    /// ```
    /// # use placemat::{Form, search::Finder};
    /// let finder = Finder::new(Form::Utf8, b"aa").unwrap();
    /// assert_eq!(finder.find_iter(b"aaaaa").collect::<Vec<_>>(), [0, 2], "matches do not overlap");
    /// ```
    #[must_use]
    pub fn find_iter<'f, 'h>(&'f self, haystack: &'h [u8]) -> FindIter<'f, 'n, 'h> {
        FindIter {
            finder: self,
            haystack,
            boundaries: boundary::of(self.form, haystack),
            walk: Walk::START,
            free: 0,
        }
    }

    /// The needle's length in bytes.
    fn len(&self) -> usize {
        match &self.needle {
            Units::Bytes(needle) => needle.len(),
            Units::Pairs(needle) => 2 * needle.len(),
            Units::Quads(needle) => 4 * needle.len(),
        }
    }
}

/// Whether each character is read from only one sequence of bytes.
const fn has_one_spelling(form: Form) -> bool {
    !matches!(form, Form::Mutf8Java | Form::Mutf8JvmOld | Form::Mutf8Art | Form::Unicode11Utf8Lenient)
}

/// The units of `bytes`, if they are whole.
fn whole<const N: usize>(bytes: &[u8]) -> Option<&[[u8; N]]> {
    let (units, rest) = bytes.as_chunks();
    rest.is_empty().then_some(units)
}

/// The iterator that [`Finder::find_iter`] returns.
#[derive(Clone, Debug)]
pub struct FindIter<'f, 'n, 'h> {
    finder: &'f Finder<'n>,
    haystack: &'h [u8],
    boundaries: Option<Boundaries<'h>>,
    walk: Walk,
    /// Bytes before this belong to a match already.
    free: usize,
}

impl Iterator for FindIter<'_, '_, '_> {
    type Item = usize;

    fn next(&mut self) -> Option<usize> {
        let boundaries = self.boundaries?;
        loop {
            let at = match &self.finder.needle {
                Units::Bytes(needle) => needle.next(self.haystack, &mut self.walk)?,
                Units::Pairs(needle) => 2 * needle.next(self.haystack.as_chunks().0, &mut self.walk)?,
                Units::Quads(needle) => 4 * needle.next(self.haystack.as_chunks().0, &mut self.walk)?,
            };
            let end = at + self.finder.len();
            if at >= self.free && boundaries.is_boundary(at) && boundaries.is_boundary(end) {
                self.free = end;
                return Some(at);
            }
        }
    }

    /// Matches do not overlap; an empty needle matches at each boundary.
    fn size_hint(&self) -> (usize, Option<usize>) {
        let rest = self.haystack.len().saturating_sub(self.free);
        (0, Some(rest / self.finder.len().max(1) + 1))
    }
}

impl FusedIterator for FindIter<'_, '_, '_> {}

/// Splits `bytes` at every `delimiter`, an ASCII character as the form writes it. The pieces do not include it, as with
/// [`slice::split`].
///
/// `None` if that is not reliable: for a `delimiter` above 7F, in UTF-7, in UTF-1 for the characters 21 to 7E, which occur inside
/// other characters there, in a profile that reads two encodings of a character, and in a form with its own byte order mark, as
/// in [`Finder::new`].
///
/// Each step is linear in the piece; no allocation.
///
/// ```
/// use placemat::{Form, search};
/// let lines = search::split(Form::Utf16Le, b"\x0A\x01\x0A\x00b\x00", b'\n').unwrap();
/// assert_eq!(lines.collect::<Vec<_>>(), [&b"\x0A\x01"[..], b"b\x00"]); // U+010A is no line feed
/// ```
#[must_use]
pub fn split(form: Form, bytes: &[u8], delimiter: u8) -> Option<Split<'_>> {
    let facts = form.facts();
    let stands_alone = facts.ascii_transparent
        || facts.self_synchronising
        || form == Form::Utf1 && matches!(delimiter, 0..=0x20 | 0x7F);
    if !delimiter.is_ascii() || !stands_alone || !has_one_spelling(form) || form.marked().is_some() {
        return None;
    }
    let mut room = [0; ROOM];
    let len = State::new(form).encode(CodePoint::from(delimiter), &mut room).ok()?;
    let mut mark = [0; 4];
    mark.get_mut(..len)?.copy_from_slice(&room[..len]);
    Some(Split { unit: usize::from(facts.width.0), delimiter: mark, len, rest: Some(bytes) })
}

/// The iterator that [`split`] returns.
#[derive(Clone, Debug)]
pub struct Split<'a> {
    unit: usize,
    /// The delimiter as the form writes it, in `len` bytes.
    delimiter: [u8; 4],
    len: usize,
    rest: Option<&'a [u8]>,
}

impl<'a> Iterator for Split<'a> {
    type Item = &'a [u8];

    fn next(&mut self) -> Option<&'a [u8]> {
        let bytes = self.rest?;
        let delimiter = &self.delimiter[..self.len];
        let at = match *delimiter {
            [byte] => bytes.iter().position(|&b| b == byte),
            _ => {
                bytes.windows(self.len).step_by(self.unit).position(|w| w == delimiter).map(|n| n * self.unit)
            }
        };
        self.rest = at.map(|at| &bytes[at + self.len..]);
        Some(&bytes[..at.unwrap_or(bytes.len())])
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.rest.map_or((0, Some(0)), |rest| (1, Some(rest.len() / self.len + 1)))
    }
}

impl FusedIterator for Split<'_> {}
