//! Offset maps: which byte of the source became which byte, UTF-16 unit, code point, line and column of the text.
//!
//! The text is what a [`Transcoder`] makes of the source: UTF-8, with the stand-ins of errors in it.
//!
//! ```
//! use placemat::Form;
//! use placemat::offsets::Offsets;
//!
//! let source = b"caf\xE9\n\xF0\x9F\x98\x80!"; // repaired: "caf\u{FFFD}\n\u{1F600}!"
//! let mut offsets = Offsets::new(Form::Utf8, source);
//! let mark = offsets.at_source(9);
//! assert_eq!((mark.line, mark.column), (2, 2));
//! assert_eq!((mark.text, mark.utf16, mark.code_point), (11, 7, 6));
//! assert_eq!(offsets.at_text(4).source, 3, "inside U+FFFD");
//! assert_eq!(offsets.at_line(2, 1).source, 5);
//! ```
//!
//! [`Offsets`] borrows the source and is built as far as it is used. [`Index`] borrows nothing and does not change: a language
//! server can keep one for each document, and many threads can use it.

#![forbid(unsafe_code)]

mod index;
mod map;
mod walk;

pub use self::index::Places;
use self::map::{Map, Side};
use self::walk::Pause;
use crate::form::Form;
use crate::policy::{Handler, Policy};
use crate::transcode::Transcoder;

/// One place, in every measure. A place is the start of a code point of the text, or the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Place {
    /// Bytes of the source before this place. Inside a stand-in, bytes before the error that it replaces.
    pub source: usize,
    /// Bytes of the text (UTF-8) before this place.
    pub text: usize,
    /// UTF-16 code units of the text before this place.
    pub utf16: usize,
    /// Code points of the text before this place.
    pub code_point: usize,
    /// The line, from 1. U+000A in the source ends a line.
    pub line: usize,
    /// The column, from 1. It counts code points of the source since the start of the line; each error is one, a leading byte
    /// order mark is none.
    pub column: usize,
    /// The column in UTF-16 code units of the text since its last U+000A, from 0, as language servers count (`character`).
    pub utf16_column: usize,
}

impl Place {
    const START: Place =
        Place { source: 0, text: 0, utf16: 0, code_point: 0, line: 1, column: 1, utf16_column: 0 };
}

/// The map between a source and its text.
///
/// The map is built as far as it is used, with a checkpoint every 4 KiB of source. A lookup is a binary search among the
/// checkpoints and a walk of at most 4 KiB, in one pass if there are no errors or they became U+FFFD; then a lookup that is not
/// before the last one goes on from there, so that lookups in ascending order take linear time together. Memory: up to a quarter
/// of the source that was passed. A handler must always decide the same about the same error, because the map calls it more than
/// once.
#[derive(Clone, Debug)]
pub struct Offsets<'a, H = Policy> {
    bytes: &'a [u8],
    map: Map<H>,
    last: Option<Pause<'a>>,
}

/// The complete map, without its source: to be kept next to the source and shared.
///
/// ```
/// use placemat::Form;
/// use placemat::offsets::Index;
///
/// struct Document {
///     text: Vec<u8>,
///     index: Index,
/// }
/// let text = "one\r\ntw\u{1F600}o".as_bytes().to_vec();
/// let document = Document { index: Index::new(Form::Utf8, &text), text };
///
/// let places = document.index.of(&document.text).unwrap();
/// assert_eq!(places.at_line_utf16(2, 4).source, 11);
/// assert_eq!(places.at_source(11).utf16_column, 4);
/// assert_eq!(places.line_end(1).source, 3);
/// ```
#[derive(Clone, Debug)]
pub struct Index<H = Policy> {
    /// Length of the source in bytes.
    len: usize,
    map: Map<H>,
}

impl<'a> Offsets<'a> {
    /// Creates the map between `bytes` and the text that [`decode_lossy`](crate::decode_lossy) makes of them: U+FFFD stands for each
    /// error and each surrogate. Does nothing until it is used.
    ///
    /// ```
    /// use placemat::{Form, offsets::Offsets};
    /// assert_eq!(Offsets::new(Form::Utf8, b"a\xFFb").at_source(2).text, 4);
    /// ```
    #[must_use]
    pub fn new(form: Form, bytes: &'a [u8]) -> Offsets<'a> {
        let transcoder = Transcoder::new(form, Form::Utf8).on_error(Policy::Lossy);
        Offsets { bytes, map: Map::start(transcoder, true), last: None }
    }
}

impl<'a, H: Handler + Clone> Offsets<'a, H> {
    /// Creates the map between `bytes` and what this transcoder, from its start, makes of them. Where its handler stops, the map
    /// continues behind the error. `None` if the transcoder does not write UTF-8.
    ///
    /// ```
    /// use placemat::{Form, Policy, Transcoder, offsets::Offsets};
    /// let skipping = Transcoder::new(Form::Utf8, Form::Utf8).on_error(Policy::Skip);
    /// assert_eq!(Offsets::of(skipping, b"a\xFFb").unwrap().at_source(2).text, 1);
    /// ```
    #[must_use]
    pub fn of(transcoder: Transcoder<H>, bytes: &'a [u8]) -> Option<Offsets<'a, H>> {
        let writes_text = transcoder.forms().1 == Form::Utf8;
        writes_text.then(|| Offsets { bytes, map: Map::start(transcoder, false), last: None })
    }

    /// Builds the rest of the map and separates it from the source. One pass over what was not passed yet.
    ///
    /// ```
    /// use placemat::{Form, offsets::Offsets};
    /// let index = Offsets::new(Form::Utf8, b"a\nb").into_index();
    /// assert_eq!(index.of(b"a\nb").unwrap().at_source(2).line, 2);
    /// ```
    #[must_use]
    pub fn into_index(mut self) -> Index<H> {
        while !self.map.complete {
            self.map.pass_block(self.bytes);
        }
        Index { len: self.bytes.len(), map: self.map }
    }

    /// The place of the sequence that holds byte `offset` of the source. A shift of UTF-7, and a byte order mark that is not part
    /// of the text, belong to what follows. For an `offset` at or beyond the end, the end.
    ///
    /// ```
    /// # use placemat::{Form, offsets::Offsets};
    /// let place = Offsets::new(Form::Utf8, "a\né".as_bytes()).at_source(3);
    /// assert_eq!((place.source, place.line, place.column), (2, 2, 1));
    /// ```
    #[must_use]
    pub fn at_source(&mut self, offset: usize) -> Place {
        self.find(Side::Source, |place| place.source <= offset)
    }

    /// The place of column `column` of line `line`, both from 1. If the line is shorter, the place of the line feed; if there are
    /// fewer lines, the end.
    ///
    /// ```
    /// # use placemat::{Form, offsets::Offsets};
    /// assert_eq!(Offsets::new(Form::Utf8, b"one\ntwo").at_line(2, 3).source, 6);
    /// ```
    #[must_use]
    pub fn at_line(&mut self, line: usize, column: usize) -> Place {
        self.find(Side::Source, |place| (place.line, place.column) <= (line, column))
    }

    /// The place of the code point that holds byte `offset` of the text. For an `offset` at or beyond the end, the end.
    ///
    /// ```
    /// # use placemat::{Form, offsets::Offsets};
    /// assert_eq!(Offsets::new(Form::Iso8859_1, b"\xE9a").at_text(2).source, 1);
    /// ```
    #[must_use]
    pub fn at_text(&mut self, offset: usize) -> Place {
        self.find(Side::Text, |place| place.text <= offset)
    }

    /// The place of the code point that holds this UTF-16 code unit of the text, from 0. For a unit at or beyond the end, the
    /// end.
    ///
    /// ```
    /// # use placemat::{Form, offsets::Offsets};
    /// assert_eq!(Offsets::new(Form::Utf8, "😀a".as_bytes()).at_utf16(2).source, 4);
    /// ```
    #[must_use]
    pub fn at_utf16(&mut self, unit: usize) -> Place {
        self.find(Side::Text, |place| place.utf16 <= unit)
    }

    /// The place of this code point of the text, from 0. For a number at or beyond the end, the end.
    ///
    /// ```
    /// # use placemat::{Form, offsets::Offsets};
    /// assert_eq!(Offsets::new(Form::Utf8, "😀a".as_bytes()).at_code_point(1).source, 4);
    /// ```
    #[must_use]
    pub fn at_code_point(&mut self, index: usize) -> Place {
        self.find(Side::Text, |place| place.code_point <= index)
    }

    /// The place of the end: the lengths of source and text, in every measure. One pass over what was not passed yet.
    ///
    /// ```
    /// # use placemat::{Form, offsets::Offsets};
    /// let end = Offsets::new(Form::Utf8, "a😀".as_bytes()).end();
    /// assert_eq!((end.text, end.utf16, end.code_point), (5, 3, 2));
    /// ```
    #[must_use]
    pub fn end(&mut self) -> Place {
        self.find(Side::Source, |_| true)
    }

    fn find(&mut self, side: Side, is_not_past: impl Fn(&Place) -> bool) -> Place {
        while !self.map.complete && self.map.checkpoints.last().is_some_and(|last| is_not_past(&last.place)) {
            self.map.pass_block(self.bytes);
        }
        let (place, last) = self.map.find_next(self.bytes, self.last.take(), side, is_not_past);
        self.last = last;
        place
    }
}
