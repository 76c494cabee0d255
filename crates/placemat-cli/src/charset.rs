//! An encoding of the command: one of placemat's forms, or a legacy encoding that another crate reads and writes.

pub(crate) mod guess;
mod reader;
mod writer;

use std::fmt;

use anyhow::{Result, anyhow};
use encoding_rs::Encoding;
use oem_cp::OEMCPHashMap;
use oem_cp::code_table::{DECODING_TABLE_CP_MAP, ENCODING_TABLE_CP_MAP};
use oem_cp::code_table_type::TableType;
use placemat::label::{LEGACY, Label, Labels};
use placemat::{CodePoint, Form};

pub(crate) use self::reader::{LegacyReader, Malformed};
pub(crate) use self::writer::{LegacyWriter, Refused};

/// What text can be read from and written to.
#[derive(Clone, Copy)]
pub(crate) enum Charset {
    Form(Form),
    Legacy(Legacy),
}

/// An encoding that is not a form.
#[derive(Clone, Copy)]
pub(crate) enum Legacy {
    /// One of the web's.
    Web(&'static Encoding, &'static str),
    /// A DOS code page.
    CodePage(CodePage, &'static str),
}

/// The tables of a DOS code page; its lower half is ASCII.
#[derive(Clone, Copy)]
pub(crate) struct CodePage {
    upper: &'static TableType,
    bytes: &'static OEMCPHashMap<char, u8>,
}

impl Charset {
    /// What `label` means to this reader of labels.
    pub(crate) fn resolve(labels: Labels, label: &str) -> Result<Charset> {
        let unknown =
            || anyhow!("unknown encoding {label:?}; placemat convert -l lists those that there are");
        match labels.resolve(label).ok_or_else(unknown)? {
            Label::Form(form) => Ok(Charset::Form(form)),
            Label::Legacy(name) => Legacy::named(name).map(Charset::Legacy).ok_or_else(unknown),
        }
    }

    /// The canonical names of all of them.
    pub(crate) fn names() -> impl Iterator<Item = &'static str> {
        Form::ALL.iter().map(|form| form.name()).chain(LEGACY.iter().copied())
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            Charset::Form(form) => form.name(),
            Charset::Legacy(Legacy::Web(_, name) | Legacy::CodePage(_, name)) => name,
        }
    }

    /// Whether it can be written.
    pub(crate) fn is_writable(self) -> bool {
        !matches!(self, Charset::Legacy(Legacy::Web(encoding, _)) if encoding == encoding_rs::REPLACEMENT)
    }

    /// Whether text in it can hold this code point.
    pub(crate) fn carries(self, c: CodePoint) -> bool {
        match self {
            Charset::Form(form) => form.carries(c),
            Charset::Legacy(legacy) => c.to_char().is_some_and(|c| legacy.carries(c)),
        }
    }
}

impl fmt::Display for Charset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl Legacy {
    /// The legacy encoding of that canonical name.
    fn named(name: &'static str) -> Option<Legacy> {
        let Some(number) = name.strip_prefix("cp") else {
            return Encoding::for_label(name.as_bytes()).map(|encoding| Legacy::Web(encoding, name));
        };
        let number: u16 = number.parse().ok()?;
        let upper = DECODING_TABLE_CP_MAP.get(&number)?;
        let bytes = ENCODING_TABLE_CP_MAP.get(&number)?;
        Some(Legacy::CodePage(CodePage { upper, bytes }, name))
    }

    fn carries(self, c: char) -> bool {
        match self {
            Legacy::Web(encoding, _) => !encoding.encode(c.encode_utf8(&mut [0; 4])).2,
            Legacy::CodePage(page, _) => page.byte(c).is_some(),
        }
    }
}

impl CodePage {
    /// The byte of a character.
    fn byte(self, c: char) -> Option<u8> {
        oem_cp::encode_char_checked(c, self.bytes)
    }

    /// The character of a byte.
    fn character(self, byte: u8) -> Option<char> {
        if byte.is_ascii() { Some(char::from(byte)) } else { self.upper.decode_char_checked(byte) }
    }
}

/// For `--labels`.
pub(crate) fn labels(name: &str) -> Result<Labels, String> {
    Labels::named(name).ok_or_else(|| {
        let names: Vec<_> = Labels::ALL.iter().map(|labels| labels.name()).collect();
        format!("one of {} is expected", names.join(", "))
    })
}
