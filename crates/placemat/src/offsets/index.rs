//! Lookups in a complete map.

#![forbid(unsafe_code)]

use super::{Index, Offsets, Place, Side};
use crate::code_point::CodePoint;
use crate::form::Form;
use crate::policy::Handler;

impl Index {
    /// Creates the same map as [`Offsets::new`]. One pass; memory as for [`Offsets`].
    ///
    /// ```
    /// use placemat::{Form, offsets::Index};
    /// let index = Index::new(Form::Utf8, b"one\ntwo");
    /// assert_eq!(index.of(b"one\ntwo").unwrap().end().line, 2);
    /// ```
    #[must_use]
    pub fn new(form: Form, bytes: &[u8]) -> Index {
        Offsets::new(form, bytes).into_index()
    }
}

impl<H: Handler + Clone> Index<H> {
    /// Returns the lookups for the source that the index was made of. `None` if the length of `bytes` is another one.
    ///
    /// Other bytes of the same length give meaningless places, but do no harm. Constant time.
    ///
    /// ```
    /// # use placemat::{Form, offsets::Index};
    /// let index = Index::new(Form::Utf8, b"one");
    /// assert!(index.of(b"one").is_some() && index.of(b"three").is_none());
    /// ```
    #[must_use]
    pub fn of<'a>(&'a self, bytes: &'a [u8]) -> Option<Places<'a, H>> {
        (bytes.len() == self.len).then_some(Places { index: self, bytes })
    }
}

/// An [`Index`] together with its source. A lookup is a binary search among the checkpoints and a walk of at most 4 KiB.
#[derive(Clone, Copy, Debug)]
pub struct Places<'a, H> {
    index: &'a Index<H>,
    bytes: &'a [u8],
}

impl<H: Handler + Clone> Places<'_, H> {
    /// See [`Offsets::at_source`].
    ///
    /// ```
    /// # use placemat::{Form, offsets::Index};
    /// let text = "é\nb".as_bytes();
    /// let place = Index::new(Form::Utf8, text).of(text).unwrap().at_source(3);
    /// assert_eq!((place.line, place.column, place.utf16), (2, 1, 2));
    /// ```
    #[must_use]
    pub fn at_source(&self, offset: usize) -> Place {
        self.find(Side::Source, |place| place.source <= offset)
    }

    /// See [`Offsets::at_text`].
    ///
    /// ```
    /// # use placemat::{Form, offsets::Index};
    /// let index = Index::new(Form::Utf16Le, b"\xE9\0a\0");
    /// assert_eq!(index.of(b"\xE9\0a\0").unwrap().at_text(2).source, 2);
    /// ```
    #[must_use]
    pub fn at_text(&self, offset: usize) -> Place {
        self.find(Side::Text, |place| place.text <= offset)
    }

    /// See [`Offsets::at_utf16`].
    ///
    /// ```
    /// # use placemat::{Form, offsets::Index};
    /// let text = "😀a".as_bytes();
    /// assert_eq!(Index::new(Form::Utf8, text).of(text).unwrap().at_utf16(2).source, 4);
    /// ```
    #[must_use]
    pub fn at_utf16(&self, unit: usize) -> Place {
        self.find(Side::Text, |place| place.utf16 <= unit)
    }

    /// See [`Offsets::at_code_point`].
    ///
    /// ```
    /// # use placemat::{Form, offsets::Index};
    /// let text = "😀a".as_bytes();
    /// assert_eq!(Index::new(Form::Utf8, text).of(text).unwrap().at_code_point(1).source, 4);
    /// ```
    #[must_use]
    pub fn at_code_point(&self, index: usize) -> Place {
        self.find(Side::Text, |place| place.code_point <= index)
    }

    /// The place of column `column` of line `line`, both from 1. If the line is shorter, the end of the line; if there are fewer
    /// lines, the end.
    ///
    /// ```
    /// # use placemat::{Form, offsets::Index};
    /// let text = b"one\r\ntwo";
    /// let index = Index::new(Form::Utf8, text);
    /// let places = index.of(text).unwrap();
    /// assert_eq!((places.at_line(2, 2).source, places.at_line(1, 99).source), (6, 3));
    /// ```
    #[must_use]
    pub fn at_line(&self, line: usize, column: usize) -> Place {
        let place = self.find(Side::Source, |place| (place.line, place.column) <= (line, column));
        self.before_line_feed(place)
    }

    /// The place of UTF-16 code unit `column`, from 0, of line `line`, from 1. A language server calls it
    /// `{ line: line - 1, character: column }`. If the line is shorter, the end of the line; if there are fewer lines, the end.
    ///
    /// ```
    /// # use placemat::{Form, offsets::Index};
    /// let text = "a\n😀b".as_bytes();
    /// assert_eq!(Index::new(Form::Utf8, text).of(text).unwrap().at_line_utf16(2, 2).source, 6);
    /// ```
    #[must_use]
    pub fn at_line_utf16(&self, line: usize, column: usize) -> Place {
        let place = self.find(Side::Text, |place| (place.line, place.utf16_column) <= (line, column));
        self.before_line_feed(place)
    }

    /// The end of line `line`, from 1: before U+000A or U+000D U+000A, or the end of the text.
    ///
    /// ```
    /// # use placemat::{Form, offsets::Index};
    /// let text = b"one\r\ntwo";
    /// let index = Index::new(Form::Utf8, text);
    /// let places = index.of(text).unwrap();
    /// assert_eq!((places.line_end(1).source, places.line_end(2).source), (3, 8));
    /// ```
    #[must_use]
    pub fn line_end(&self, line: usize) -> Place {
        self.at_line(line, usize::MAX)
    }

    /// The place of the end: the lengths of source and text, in every measure.
    ///
    /// ```
    /// # use placemat::{Form, offsets::Index};
    /// let text = "a😀".as_bytes();
    /// let end = Index::new(Form::Utf8, text).of(text).unwrap().end();
    /// assert_eq!((end.source, end.utf16, end.code_point), (5, 3, 2));
    /// ```
    #[must_use]
    pub fn end(&self) -> Place {
        self.find(Side::Source, |_| true)
    }

    /// If `place` is a line feed behind a carriage return, the place of the carriage return.
    fn before_line_feed(&self, place: Place) -> Place {
        if place.column == 1 || self.read(place) != Some(CodePoint::of(0x0A)) {
            return place;
        }
        let before = self.find(Side::Source, |other| (other.line, other.column) < (place.line, place.column));
        if self.read(before) == Some(CodePoint::of(0x0D)) { before } else { place }
    }

    /// The code point of the source at this place.
    fn read(&self, place: Place) -> Option<CodePoint> {
        let checkpoints = &self.index.map.checkpoints;
        let number = checkpoints.partition_point(|one| one.place.source <= place.source).saturating_sub(1);
        self.index.map.source_walk(self.bytes, number).read(place.source)
    }

    fn find(&self, side: Side, is_not_past: impl Fn(&Place) -> bool) -> Place {
        self.index.map.find(self.bytes, side, is_not_past)
    }
}
