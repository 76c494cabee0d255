//! The encodings: placemat's own forms, and legacy encodings that other crates read and write.

mod asked;
mod ebcdic;
pub mod guess;
pub(crate) mod half;
#[cfg(not(target_family = "wasm"))]
mod known;
mod marking;
mod naming;
mod page;
mod reader;
mod sequences;
#[cfg(any(target_family = "wasm", test))]
mod streamed;
pub mod table;
mod upper;
mod writer;

use std::fmt;
use std::hash::{Hash, Hasher};

use encoding_rs::{Encoding, ISO_2022_JP};
use oem_cp::OEMCPHashMap;
use oem_cp::code_table::{DECODING_TABLE_CP_MAP, ENCODING_TABLE_CP_MAP};
use oem_cp::code_table_type::TableType;
use placemat::label::{LEGACY, Label};
use placemat::{CodePoint, Form};

pub use self::asked::Asked;
pub(crate) use self::marking::{ErrorReader, Part};
pub use self::naming::mark_of;
use self::page::Page;
pub use self::reader::{LegacyReader, Malformed};
pub use self::sequences::LEAD;
pub(crate) use self::sequences::{Sequence, Sequences, Tail};
pub(crate) use self::writer::{LegacyWriter, Refused};

/// An encoding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Charset {
    /// One of placemat's forms.
    Form(Form),
    /// An encoding that is not a form.
    Legacy(Legacy),
}

/// An encoding that is not a form.
#[derive(Clone, Copy, Debug)]
pub struct Legacy {
    name: &'static str,
    tables: Tables,
}

/// The tables that read and write a legacy encoding.
#[derive(Clone, Copy, Debug)]
enum Tables {
    /// An encoding of the WHATWG Encoding Standard.
    Web(&'static Encoding),
    /// A code page with one byte per character.
    CodePage(CodePage),
}

/// The tables of a code page.
#[derive(Clone, Copy, Debug)]
enum CodePage {
    /// A code page of DOS: the lower half is ASCII.
    Dos { upper: &'static TableType, bytes: &'static OEMCPHashMap<char, u8> },
    /// A code page of mainframes: letters and digits have other bytes than in ASCII.
    Ebcdic(&'static Page),
    /// Others: the lower half is ASCII.
    Upper(&'static Page),
}

impl Charset {
    /// All encodings, forms first.
    ///
    /// ```
    /// use placemat_text::charset::Charset;
    ///
    /// assert!(Charset::all().any(|charset| charset.name() == "shift_jis"));
    /// ```
    pub fn all() -> impl Iterator<Item = Charset> {
        let names = LEGACY.iter().filter(|&&name| name != "replacement");
        let legacy = names.filter_map(|name| Legacy::named(name)).map(Charset::Legacy);
        Form::ALL.iter().map(|&form| Charset::Form(form)).chain(legacy)
    }

    /// The label that its names stand for.
    ///
    /// ```
    /// use placemat::label::Labels;
    /// use placemat_text::charset::Charset;
    ///
    /// let charset = Charset::resolve(Labels::Lenient, "sjis").unwrap();
    /// assert!(charset.label().aliases().any(|(_, alias)| alias == "windows-31j"));
    /// ```
    pub fn label(self) -> Label {
        match self {
            Charset::Form(form) => Label::Form(form),
            Charset::Legacy(legacy) => Label::Legacy(legacy.name),
        }
    }

    /// The form, if this is a form and not a legacy encoding.
    ///
    /// ```
    /// use placemat::Form;
    /// use placemat_text::charset::Charset;
    ///
    /// assert_eq!(Charset::from(Form::Cesu8).form(), Some(Form::Cesu8));
    /// ```
    pub fn form(self) -> Option<Form> {
        match self {
            Charset::Form(form) => Some(form),
            Charset::Legacy(_) => None,
        }
    }

    /// The number of bytes of a code unit.
    ///
    /// ```
    /// use placemat::Form;
    /// use placemat_text::charset::Charset;
    ///
    /// assert_eq!(Charset::from(Form::Utf16Le).unit(), 2);
    /// ```
    pub fn unit(self) -> usize {
        self.form().map_or(1, |form| usize::from(form.facts().width.0))
    }

    /// The canonical name.
    ///
    /// ```
    /// use placemat::label::Labels;
    /// use placemat_text::charset::Charset;
    ///
    /// assert_eq!(Charset::resolve(Labels::Lenient, "KOI8 R").unwrap().name(), "koi8-r");
    /// ```
    pub fn name(self) -> &'static str {
        self.label().name()
    }

    /// Whether the encoding can hold this code point.
    ///
    /// ```
    /// use placemat::label::Labels;
    /// use placemat_text::charset::Charset;
    ///
    /// let koi8 = Charset::resolve(Labels::Lenient, "koi8-r").unwrap();
    /// assert!(koi8.carries('ж'.into()) && !koi8.carries('é'.into()));
    /// ```
    pub fn carries(self, c: CodePoint) -> bool {
        match self {
            Charset::Form(form) => form.carries(c),
            Charset::Legacy(legacy) => c.to_char().is_some_and(|c| legacy.carries(c)),
        }
    }

    /// Whether it is EBCDIC, where letters and digits have other bytes than in ASCII.
    ///
    /// ```
    /// use placemat::label::Labels;
    /// use placemat_text::charset::Charset;
    ///
    /// assert!(Charset::resolve(Labels::Lenient, "cp037").unwrap().is_ebcdic());
    /// ```
    pub fn is_ebcdic(self) -> bool {
        matches!(self, Charset::Legacy(Legacy { tables: Tables::CodePage(CodePage::Ebcdic(_)), .. }))
    }

    /// The code point to name in the replacement of one that the encoding cannot hold.
    pub(crate) fn shown(self, c: CodePoint) -> CodePoint {
        match self {
            Charset::Form(_) => c,
            Charset::Legacy(legacy) => legacy.shown(c),
        }
    }
}

/// The same encoding: names are unique.
impl PartialEq for Legacy {
    fn eq(&self, other: &Legacy) -> bool {
        self.name == other.name
    }
}

impl Eq for Legacy {}

impl Hash for Legacy {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.name.hash(state);
    }
}

impl PartialEq<Form> for Charset {
    fn eq(&self, form: &Form) -> bool {
        self.form() == Some(*form)
    }
}

impl From<Form> for Charset {
    fn from(form: Form) -> Charset {
        Charset::Form(form)
    }
}

impl fmt::Display for Charset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl Legacy {
    /// The canonical name.
    ///
    /// ```
    /// use placemat::label::Labels;
    /// use placemat_text::charset::Charset;
    ///
    /// let Ok(Charset::Legacy(legacy)) = Charset::resolve(Labels::Lenient, "KOI8 R") else { panic!() };
    /// assert_eq!(legacy.name(), "koi8-r");
    /// ```
    #[must_use]
    pub fn name(self) -> &'static str {
        self.name
    }

    /// Returns the legacy encoding with that canonical name.
    fn named(name: &'static str) -> Option<Legacy> {
        if let Some(page) = upper::named(name) {
            return Some(Legacy { name, tables: Tables::CodePage(CodePage::Upper(page)) });
        }
        let Some(number) = name.strip_prefix("cp") else {
            let encoding = Encoding::for_label(name.as_bytes())?;
            return Some(Legacy { name, tables: Tables::Web(encoding) });
        };
        let number: u16 = number.parse().ok()?;
        let page = ebcdic::numbered(number).map(CodePage::Ebcdic).or_else(|| CodePage::of_dos(number))?;
        Some(Legacy { name, tables: Tables::CodePage(page) })
    }

    /// Whether the encoding has escapes: three bytes that are no text, but set the meaning of the bytes after them.
    pub(crate) fn has_escapes(self) -> bool {
        matches!(self.tables, Tables::Web(encoding) if encoding == ISO_2022_JP)
    }

    /// The code point to name in a replacement. ISO-2022-JP must not hold its own escape and shift characters; a
    /// replacement that names them by number would let them through.
    fn shown(self, c: CodePoint) -> CodePoint {
        match c.value() {
            0x0E | 0x0F | 0x1B if self.has_escapes() => CodePoint::REPLACEMENT,
            _ => c,
        }
    }

    fn carries(self, c: char) -> bool {
        match self.tables {
            Tables::Web(encoding) => !encoding.encode(c.encode_utf8(&mut [0; 4])).2,
            Tables::CodePage(page) => page.byte(c).is_some(),
        }
    }
}

impl CodePage {
    fn of_dos(number: u16) -> Option<CodePage> {
        let upper = DECODING_TABLE_CP_MAP.get(&number)?;
        let bytes = ENCODING_TABLE_CP_MAP.get(&number)?;
        Some(CodePage::Dos { upper, bytes })
    }

    /// The byte of a character.
    fn byte(self, c: char) -> Option<u8> {
        match self {
            CodePage::Dos { bytes, .. } => oem_cp::encode_char_checked(c, bytes),
            CodePage::Upper(_) if c.is_ascii() => Some(c as u8),
            CodePage::Ebcdic(page) | CodePage::Upper(page) => page.byte(c),
        }
    }

    /// The character of a byte.
    fn character(self, byte: u8) -> Option<char> {
        match self {
            CodePage::Dos { .. } if byte.is_ascii() => Some(char::from(byte)),
            CodePage::Dos { upper, .. } => upper.decode_char_checked(byte),
            CodePage::Ebcdic(page) | CodePage::Upper(page) => page.character(byte),
        }
    }
}
