//! Reads bytes that are given as escapes of a format, or as a literal of a programming language.

mod dump;
mod html;
mod literal;
mod mime;

use std::{error, fmt};

use placemat::{CodePoint, Form};

use crate::escape;

/// A kind of escapes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Escapes {
    /// `\u00e9`, and the other escapes of JSON and JavaScript.
    Json,
    /// `\x{e9}`, as in Perl and regular expressions; `\N{U+E9}`, `\o{351}`.
    Perl,
    /// `%C3%A9`.
    Url,
    /// `=C3=A9`.
    QuotedPrintable,
    /// `=?utf-8?Q?caf=C3=A9?=` in the header of a mail.
    EncodedWord,
    /// `&#233;`, `&#xE9;`, `&eacute;`.
    Html,
    /// `w6k=`, in either alphabet.
    Base64,
    /// A literal of Python: `'\xe9'` is a character, `b'\xe9'` a byte.
    Python,
    /// A literal of C: `"\xC3\xA9"` are bytes.
    C,
    /// A literal of Rust: `"\u{e9}"`, `b"\xC3\xA9"`.
    Rust,
    /// A literal of Java.
    Java,
    /// Lines of hexdump -C, xxd or od.
    Hexdump,
}

/// Why a text cannot be read as this kind of escapes. The place is in bytes, from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EscapesError {
    kind: Escapes,
    place: usize,
    found: String,
    why: &'static str,
}

impl fmt::Display for EscapesError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let EscapesError { kind, place, found, why } = self;
        write!(f, "byte {place}, “{}”, is no escape of {}: {why}", escape::text(found), kind.name())
    }
}

impl error::Error for EscapesError {}

impl Escapes {
    /// All kinds.
    pub const ALL: &'static [Escapes] = &[
        Escapes::Json,
        Escapes::Perl,
        Escapes::Url,
        Escapes::QuotedPrintable,
        Escapes::EncodedWord,
        Escapes::Html,
        Escapes::Base64,
        Escapes::Python,
        Escapes::C,
        Escapes::Rust,
        Escapes::Java,
        Escapes::Hexdump,
    ];

    /// The name, as users write it.
    ///
    /// ```
    /// assert_eq!(placemat_text::explain::Escapes::Url.name(), "url");
    /// ```
    pub const fn name(self) -> &'static str {
        match self {
            Escapes::Json => "json",
            Escapes::Perl => "perl",
            Escapes::Url => "url",
            Escapes::QuotedPrintable => "quoted-printable",
            Escapes::EncodedWord => "encoded-word",
            Escapes::Html => "html",
            Escapes::Base64 => "base64",
            Escapes::Python => "python",
            Escapes::C => "c",
            Escapes::Rust => "rust",
            Escapes::Java => "java",
            Escapes::Hexdump => "hexdump",
        }
    }

    /// Returns the kind with this name.
    ///
    /// ```
    /// use placemat_text::explain::Escapes;
    ///
    /// assert!(Escapes::ALL.iter().all(|kind| Escapes::named(kind.name()) == Some(*kind)));
    /// ```
    pub fn named(name: &str) -> Option<Escapes> {
        Escapes::ALL.iter().copied().find(|kind| kind.name() == name)
    }

    /// Returns the bytes that a text means: escaped bytes as they are, characters in `form`. A lone surrogate is kept in forms
    /// that can carry it. In UTF-8 it becomes three bytes, which are malformed.
    ///
    /// # Errors
    /// The first part that is no escape of this kind, or a character that the form lacks.
    ///
    /// ```
    /// use placemat::Form;
    /// use placemat_text::explain::Escapes;
    ///
    /// let read = |kind: Escapes, text| kind.read(text, Form::Utf8).unwrap();
    /// assert_eq!(read(Escapes::Json, r"\ud83d\ude00!"), "😀!".as_bytes());
    /// assert_eq!(read(Escapes::Url, "caf%C3%A9"), "café".as_bytes());
    /// assert_eq!(read(Escapes::Python, r"b'\xe9'"), b"\xE9");
    /// assert!(Escapes::Json.read(r"\u12", Form::Utf8).is_err());
    /// ```
    pub fn read(self, text: &str, form: Form) -> Result<Vec<u8>, EscapesError> {
        let mut out = Out { kind: self, form, bytes: Vec::new(), high: None };
        match self {
            Escapes::Json | Escapes::Perl | Escapes::Python | Escapes::C | Escapes::Rust | Escapes::Java => {
                literal::read(text, &mut out)?;
            }
            Escapes::Url => mime::marked(text, b'%', &mut out)?,
            Escapes::QuotedPrintable => mime::marked(text, b'=', &mut out)?,
            Escapes::EncodedWord => mime::word(text, &mut out)?,
            Escapes::Html => html::read(text, &mut out)?,
            Escapes::Base64 => mime::base64(text, &mut out)?,
            Escapes::Hexdump => dump::read(text, &mut out)?,
        }
        out.finish()
    }

    /// The encoding that a text names for its bytes. Only encoded words do, and all must name the same one.
    ///
    /// ```
    /// use placemat_text::explain::Escapes;
    ///
    /// assert_eq!(Escapes::EncodedWord.charset("=?koi8-r?B?8NLJ18XU?="), Some("koi8-r"));
    /// assert_eq!(Escapes::Url.charset("caf%C3%A9"), None);
    /// ```
    pub fn charset(self, text: &str) -> Option<&str> {
        if self == Escapes::EncodedWord { mime::charset(text) } else { None }
    }

    /// Guesses the kind of escapes of a text: its signs are in the text, and all of the text can be read as it. `None` for text
    /// without escapes.
    ///
    /// ```
    /// use placemat_text::explain::Escapes;
    ///
    /// assert_eq!(Escapes::guess("caf%C3%A9"), Some(Escapes::Url));
    /// assert_eq!(Escapes::guess("100 % café"), None);
    /// ```
    pub fn guess(text: &str) -> Option<Escapes> {
        let likely = Escapes::ALL.iter().copied().filter(|kind| kind.is_seen_in(text));
        let mut likely: Vec<_> = likely.collect();
        // Of equally strong kinds, the one listed first.
        while let Some(strongest) = likely.iter().copied().rev().max_by_key(|kind| kind.strength(text)) {
            if strongest.read(text, Form::Utf8Rfc2279Surrogates).is_ok() {
                return Some(strongest);
            }
            likely.retain(|kind| *kind != strongest);
        }
        None
    }

    /// Whether a text, although it could be meant literally, is so likely escaped that it should be mentioned. A single escape of
    /// ASCII is not enough, as in `a=10`.
    ///
    /// ```
    /// use placemat_text::explain::Escapes;
    ///
    /// assert!(Escapes::Url.is_evident("caf%C3%A9") && !Escapes::QuotedPrintable.is_evident("a=10"));
    /// ```
    pub fn is_evident(self, text: &str) -> bool {
        match self {
            Escapes::Base64 => false,
            Escapes::Hexdump => text.contains(['|', ':', '\n']),
            Escapes::Url | Escapes::QuotedPrintable => {
                let bytes = self.read(text, Form::Utf8).unwrap_or_default();
                text.is_ascii() && !bytes.is_ascii() || text.len() - bytes.len() > 2
            }
            _ => true,
        }
    }

    /// Whether the text has signs of this kind.
    fn is_seen_in(self, text: &str) -> bool {
        let backslash = |next: &str, digits: usize| literal::has(text, next, digits);
        match self {
            Escapes::Json | Escapes::Java => backslash("u", 4),
            Escapes::Perl => ["\\x{", "\\N{U+", "\\o{"].iter().any(|sign| text.contains(sign)),
            Escapes::Rust => text.contains("\\u{"),
            Escapes::Python => {
                ["b'", "b\"", "'"].iter().any(|start| text.starts_with(start)) && text.contains('\\')
                    || backslash("U", 8)
            }
            Escapes::C => backslash("x", 1) || backslash("", 3),
            Escapes::Url => mime::has_digits_behind(text, b'%'),
            Escapes::QuotedPrintable => mime::has_digits_behind(text, b'='),
            Escapes::EncodedWord => text.starts_with("=?") && text.ends_with("?="),
            Escapes::Html => html::is_seen_in(text),
            Escapes::Base64 => text.len() >= 4 && !text.contains(' '),
            Escapes::Hexdump => dump::is_seen_in(text),
        }
    }

    /// The precedence among several likely kinds: a literal in quotes before its escapes, base64 last.
    fn strength(self, text: &str) -> u8 {
        match self {
            Escapes::Hexdump | Escapes::EncodedWord => 9,
            Escapes::Rust | Escapes::Perl => 8,
            Escapes::Python => 7,
            Escapes::Json => 6,
            Escapes::C => 5,
            Escapes::Java => 4,
            Escapes::Html | Escapes::Url => 3,
            Escapes::QuotedPrintable if !text.trim_end().ends_with('=') => 2,
            Escapes::Base64 => 1,
            Escapes::QuotedPrintable => 0,
        }
    }
}

/// The output so far.
struct Out {
    kind: Escapes,
    form: Form,
    bytes: Vec<u8>,
    /// The high surrogate that was read last, and its place.
    high: Option<(u32, usize)>,
}

impl Out {
    fn error(&self, text: &str, at: usize, why: &'static str) -> EscapesError {
        let found: String = text.get(at..).unwrap_or_default().chars().take(8).collect();
        EscapesError { kind: self.kind, place: at + 1, found, why }
    }

    fn byte(&mut self, byte: u8) -> Result<(), EscapesError> {
        self.settle()?;
        self.bytes.push(byte);
        Ok(())
    }

    /// Adds text without escapes.
    fn text(&mut self, text: &str) -> Result<(), EscapesError> {
        text.chars().try_for_each(|c| self.value(u32::from(c), 0))
    }

    /// Adds a code point. Two surrogates that are a pair become one code point.
    fn value(&mut self, value: u32, at: usize) -> Result<(), EscapesError> {
        match (self.high.take(), value) {
            (Some((high, _)), 0xDC00..=0xDFFF) => {
                self.write(0x1_0000 + ((high - 0xD800) << 10) + (value - 0xDC00), at)
            }
            (before, 0xD800..=0xDBFF) => {
                self.high = Some((value, at));
                before.map_or(Ok(()), |(high, at)| self.write(high, at))
            }
            (before, _) => {
                before.map_or(Ok(()), |(high, at)| self.write(high, at))?;
                self.write(value, at)
            }
        }
    }

    fn settle(&mut self) -> Result<(), EscapesError> {
        self.high.take().map_or(Ok(()), |(high, at)| self.write(high, at))
    }

    fn write(&mut self, value: u32, at: usize) -> Result<(), EscapesError> {
        let wrong = |why| EscapesError { kind: self.kind, place: at + 1, found: format!("{value:X}"), why };
        let Some(point) = CodePoint::new(value).filter(|_| value <= 0x10_FFFF) else {
            return Err(wrong("it is above U+10FFFF"));
        };
        // A surrogate in UTF-8 is an error that the explanation is to show.
        let is_surrogate = point.to_char().is_none();
        let form =
            if self.form == Form::Utf8 && is_surrogate { Form::Utf8Rfc2279Surrogates } else { self.form };
        let typed = super::of_code_points(&format!("U+{value:04X}"), form);
        self.bytes.extend(typed.map_err(|_| wrong("the form lacks it"))?);
        Ok(())
    }

    fn finish(mut self) -> Result<Vec<u8>, EscapesError> {
        self.settle()?;
        Ok(self.bytes)
    }
}

/// Reads the hexadecimal digits at `at`, `least` to `most` of them. Returns their value and their number.
fn hex_at(text: &str, at: usize, least: usize, most: usize) -> Option<(u32, usize)> {
    let rest = text.get(at..)?;
    let len = rest.bytes().take(most).take_while(u8::is_ascii_hexdigit).count();
    let value = u32::from_str_radix(&rest[..len], 16).ok()?;
    (len >= least).then_some((value, len))
}

#[cfg(test)]
mod tests;
