//! Checks text written in the form of Unicode 1.1 for that version's Hangul syllables: RFC 2279 keeps the label for such text.

use std::io::{self, Write};

use placemat::Form;

use crate::charset::Charset;

/// A writer that looks in UTF-8 for U+3400 to U+4DFF, which is E3 90 80 to E4 B7 BF.
pub struct Syllables<'a> {
    out: &'a mut (dyn Write + Send),
    /// Whether a syllable is required and none was seen yet.
    is_looking: bool,
    last: Option<u8>,
}

impl<'a> Syllables<'a> {
    /// Passes everything that is written to `out`.
    ///
    /// ```
    /// use std::io::Write as _;
    /// use placemat::Form;
    /// use placemat_text::convert::syllables::Syllables;
    ///
    /// let mut out = Vec::new();
    /// let mut syllables = Syllables::new(&mut out, Form::Unicode11Utf8.into());
    /// syllables.write_all(b"\xE3\x90\x80").unwrap();
    /// assert!(!syllables.are_missing());
    /// ```
    pub fn new(out: &'a mut (dyn Write + Send), to: Charset) -> Syllables<'a> {
        let is_looking = to == Form::Unicode11Utf8 || to == Form::Unicode11Utf8Lenient;
        Syllables { out, is_looking, last: None }
    }

    /// Whether a syllable was required, and there was text, but no syllable in it.
    ///
    /// ```
    /// use std::io::Write as _;
    /// use placemat::Form;
    /// use placemat_text::convert::syllables::Syllables;
    ///
    /// let mut out = Vec::new();
    /// let mut syllables = Syllables::new(&mut out, Form::Unicode11Utf8.into());
    /// syllables.write_all(b"no Hangul").unwrap();
    /// assert!(syllables.are_missing());
    /// ```
    pub fn are_missing(&self) -> bool {
        self.is_looking && self.last.is_some()
    }
}

impl Write for Syllables<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.out.write(bytes)?;
        if self.is_looking {
            let before = self.last.into_iter().chain(bytes[..written].iter().copied());
            let mut pairs = before.zip(&bytes[usize::from(self.last.is_none()).min(written)..written]);
            self.is_looking = !pairs.any(|pair| matches!(pair, (0xE3, 0x90..=0xBF) | (0xE4, 0x80..=0xB7)));
            self.last = bytes[..written].last().copied().or(self.last);
        }
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}
