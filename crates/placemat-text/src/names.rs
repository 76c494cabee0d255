//! Finds names of files that are not UTF-8 or were decoded twice, and the names that they should have.

use placemat::label::Labels;
use placemat::{Bom, Form, Policy};
use placemat_detect::detect;
use placemat_detect::mojibake::{Page, Undoer};
use serde::{Deserialize, Serialize};

use crate::charset::Charset;
use crate::convert::{Settings, whole};
use crate::faults::run::{NAME_MALFORMED, NAME_MOJIBAKE};
use crate::models::FilePath;

/// The least confidence in the encoding of names; higher than for texts, because names are short.
const SURE: f32 = 0.75;

/// Judges the names of one tree. The encoding of those that are not UTF-8 is guessed from all of them together.
#[derive(Debug)]
pub struct Names {
    charset: Option<Charset>,
}

/// What is wrong with a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Misnamed {
    /// The name that the file should have, if it is known and a valid name.
    pub becomes: Option<String>,
    /// Why.
    pub why: Why,
}

/// Why a name is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Why {
    /// It is not UTF-8. The encoding of this name is a guess; there may be none.
    Malformed(Option<&'static str>),
    /// It was decoded twice. Here are the encodings that it was misread in, the last misreading first.
    Mojibake(Vec<Page>),
}

impl Names {
    /// Guesses the encoding of the names that are not UTF-8 from all of these names.
    ///
    /// ```
    /// use placemat_text::names::Names;
    ///
    /// let names: [&[u8]; 3] = [b"Gr\xFC\xDFe.txt", b"f\xFCr sp\xE4ter.txt", b"\xDCbersicht \xF6ffentlich.txt"];
    /// assert_eq!(Names::of(names).judge(names[0]).unwrap().becomes.unwrap(), "Grüße.txt");
    /// ```
    #[must_use]
    pub fn of<'a>(names: impl IntoIterator<Item = &'a [u8]>) -> Names {
        let malformed: Vec<_> = names.into_iter().filter(|name| str::from_utf8(name).is_err()).collect();
        let found = detect(&malformed.join(&b'\n'), true);
        let name = (found.confidence >= SURE).then(|| found.encoding.name());
        let charset = name.and_then(|name| Charset::resolve(Labels::Lenient, name).ok());
        Names { charset: charset.filter(|charset| *charset != Form::Utf8 && *charset != Form::UsAscii) }
    }

    /// Takes names that are not UTF-8 to be in this encoding.
    ///
    /// ```
    /// use placemat_text::names::Names;
    /// use placemat::label::Labels;
    /// use placemat_text::charset::Charset;
    ///
    /// let names = Names::in_charset(Charset::resolve(Labels::Lenient, "koi8-r").unwrap());
    /// assert_eq!(names.judge(b"\xCD\xC9\xD2").unwrap().becomes.unwrap(), "мир");
    /// ```
    #[must_use]
    pub fn in_charset(charset: Charset) -> Names {
        Names { charset: Some(charset) }
    }

    /// Says what is wrong with a name. A name is one component of a path.
    ///
    /// ```
    /// use placemat_text::names::Names;
    ///
    /// let names = Names::of([]);
    /// assert_eq!(names.judge("cafÃ©.txt".as_bytes()).unwrap().becomes.unwrap(), "café.txt");
    /// assert!(names.judge("café.txt".as_bytes()).is_none());
    /// // Of one letter nobody can say what it is.
    /// assert_eq!(names.judge(b"caf\xE9.txt").unwrap().becomes, None);
    /// ```
    #[must_use]
    pub fn judge(&self, name: &[u8]) -> Option<Misnamed> {
        let Ok(text) = str::from_utf8(name) else {
            let becomes = self.charset.and_then(|charset| read(name, charset)).filter(|name| is_name(name));
            return Some(Misnamed { becomes, why: Why::Malformed(self.charset.map(Charset::name)) });
        };
        let (mut becomes, mut at, mut via) = (String::new(), 0, Vec::new());
        Undoer::new().block(text, |change| {
            // A name is short, so offsets in it fit in usize.
            let (start, end) = (change.range.start as usize, change.range.end as usize);
            becomes.push_str(&text[at..start]);
            becomes.push_str(&change.replacement);
            at = end;
            if via.is_empty() {
                via = change.via;
            }
        });
        becomes.push_str(&text[at..]);
        (at > 0).then(|| Misnamed {
            becomes: Some(becomes).filter(|name| is_name(name)),
            why: Why::Mojibake(via),
        })
    }
}

/// Converts the name to UTF-8, if it is well-formed in this encoding.
fn read(name: &[u8], charset: Charset) -> Option<String> {
    let settings = Settings { to: Form::Utf8.into(), policy: Policy::Stop, bom: Bom::Keep };
    String::from_utf8(whole(charset, settings, name).ok()?).ok()
}

/// Whether a file can have this name, without characters that spoil a list of names.
fn is_name(name: &str) -> bool {
    let is_bad = |c: char| c.is_control() || matches!(c, '/' | '\\' | char::REPLACEMENT_CHARACTER);
    !matches!(name, "" | "." | "..") && !name.contains(is_bad)
}

/// A line of the report of `repair --names`: a file or folder is about to be renamed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename = "rename")]
pub struct Rename {
    /// The path before the renaming, relative to the folder of the report.
    #[serde(flatten)]
    pub path: FilePath,
    /// Its new name, in the same folder.
    pub to: String,
}

impl Misnamed {
    /// The name of the encoding to pass to `repair --names --mend`.
    ///
    /// ```
    /// use placemat_text::names::Names;
    /// assert_eq!(Names::of([]).judge(b"\xFF").unwrap().mend(), Some("ENCODING"));
    /// ```
    #[must_use]
    pub fn mend(&self) -> Option<&'static str> {
        match self.why {
            Why::Malformed(name) => Some(name.filter(|_| self.becomes.is_some()).unwrap_or("ENCODING")),
            Why::Mojibake(_) => None,
        }
    }

    /// The kind of the error, as it is printed.
    ///
    /// ```
    /// use placemat_text::names::Names;
    /// assert_eq!(Names::of([]).judge(b"\xFF").unwrap().kind(), "name-malformed");
    /// ```
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match self.why {
            Why::Malformed(_) => NAME_MALFORMED,
            Why::Mojibake(_) => NAME_MOJIBAKE,
        }
    }

    /// "the name is not UTF-8; in windows-1252 it is Grüße.txt", "the name was decoded twice; it should be café.txt".
    ///
    /// ```
    /// use placemat_text::names::Names;
    /// let sentence = "the name was decoded twice; it should be café.txt";
    /// assert_eq!(Names::of([]).judge("cafÃ©.txt".as_bytes()).unwrap().sentence(), sentence);
    /// ```
    #[must_use]
    pub fn sentence(&self) -> String {
        let becomes = self.becomes.as_ref().map(|name| crate::escape::text(name).to_string());
        match (&self.why, becomes) {
            (Why::Malformed(Some(charset)), Some(name)) => {
                format!("the name is not UTF-8; in {charset} it is {name}")
            }
            (Why::Malformed(_), _) => "the name is not UTF-8, and its encoding is not clear".to_owned(),
            (Why::Mojibake(_), Some(name)) => format!("the name was decoded twice; it should be {name}"),
            (Why::Mojibake(_), None) => {
                "the name was decoded twice, and the original is not a valid name".to_owned()
            }
        }
    }
}
