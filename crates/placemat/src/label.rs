//! Labels: the names of encodings, who uses which name, and which form a name means.
//!
//! The same label means different things to different readers: `latin1` is ISO-8859-1 to the IANA registry and
//! windows-1252 to the web, `utf8` is UTF-8 to the web and CESU-8 to Oracle. [`Labels`] names the reader.
//!
//! ```
//! use placemat::Form;
//! use placemat::label::{Label, Labels};
//!
//! assert_eq!(Labels::Lenient.resolve("UTF 8"), Some(Label::Form(Form::Utf8)));
//! assert_eq!(Labels::Whatwg.resolve("UTF 8"), None);
//! assert_eq!(Labels::Iana.resolve("latin1").unwrap().name(), "iso-8859-1");
//! assert_eq!(Labels::Whatwg.resolve("latin1").unwrap().name(), "windows-1252");
//! ```

#![forbid(unsafe_code)]

mod content_type;
mod index;
mod table;

use core::fmt;

pub use self::content_type::{Charset, charset_of, charset_of_meta};
use self::index::{CANONICAL, Hash, is_separator};
use self::table::{IANA, MYSQL, ORACLE, Table, UNOFFICIAL, WHATWG};
use crate::form::Form;

/// What a label means.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Label {
    /// One of our own forms.
    Form(Form),
    /// One of [`LEGACY`]. Other crates read these: `encoding_rs`, and crates of code pages.
    Legacy(&'static str),
}

/// The legacy encodings that labels can mean, by canonical name: those of the WHATWG Encoding Standard in lower case, then the
/// DOS and EBCDIC code pages that it lacks, and others of one byte a character.
#[rustfmt::skip]
pub const LEGACY: &[&str] = &[
    "ibm866", "iso-8859-2", "iso-8859-3", "iso-8859-4", "iso-8859-5", "iso-8859-6", "iso-8859-7",
    "iso-8859-8", "iso-8859-8-i", "iso-8859-10", "iso-8859-13", "iso-8859-14", "iso-8859-15", "iso-8859-16",
    "koi8-r", "koi8-u", "macintosh", "windows-874", "windows-1250", "windows-1251", "windows-1253",
    "windows-1254", "windows-1255", "windows-1256", "windows-1257", "windows-1258", "x-mac-cyrillic", "gbk",
    "gb18030", "big5", "euc-jp", "iso-2022-jp", "shift_jis", "euc-kr", "replacement", "x-user-defined",
    "cp437", "cp720", "cp737", "cp775", "cp850", "cp852", "cp855", "cp857", "cp858", "cp860", "cp861",
    "cp862", "cp863", "cp864", "cp865", "cp869", "cp037", "cp273", "cp277", "cp280", "cp284", "cp297", "cp500",
    "cp1026", "cp1125", "hp-roman8", "koi8-t", "kz-1048", "ptcp154", "x-mac-ce", "x-mac-croatian", "x-mac-greek",
    "x-mac-icelandic", "x-mac-romanian", "x-mac-turkish",
];

impl Label {
    /// The canonical name: [`Form::name`], or the name in [`LEGACY`].
    ///
    /// ```
    /// # use placemat::{Form, label::Label};
    /// assert_eq!(Label::from(Form::Utf16Le).name(), "utf-16le");
    /// assert_eq!(Label::Legacy("koi8-r").name(), "koi8-r");
    /// ```
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Label::Form(form) => form.name(),
            Label::Legacy(name) => name,
        }
    }

    /// The form or legacy encoding of that canonical name (exact).
    ///
    /// ```
    /// # use placemat::label::Label;
    /// assert_eq!(Label::named("shift_jis"), Some(Label::Legacy("shift_jis")));
    /// ```
    #[must_use]
    pub fn named(name: &str) -> Option<Label> {
        Form::named(name)
            .map(Label::Form)
            .or_else(|| LEGACY.iter().find(|&&legacy| legacy == name).map(|&legacy| Label::Legacy(legacy)))
    }

    /// Every other name of this encoding, with the table that has the name ([`Labels::Lenient`] for an unofficial name).
    ///
    /// ```
    /// # use placemat::{Form, label::{Label, Labels}};
    /// let mut aliases = Label::from(Form::Utf8).aliases();
    /// assert!(aliases.any(|alias| alias == (Labels::Iana, "csUTF8")));
    /// ```
    pub fn aliases(self) -> impl Iterator<Item = (Labels, &'static str)> {
        let tables = [
            (Labels::Iana, &IANA),
            (Labels::Whatwg, &WHATWG),
            (Labels::Lenient, &UNOFFICIAL),
            (Labels::Oracle, &ORACLE),
            (Labels::Mysql, &MYSQL),
        ];
        let name = self.name();
        tables
            .into_iter()
            .flat_map(move |(labels, table)| table.labels_of(name).map(move |alias| (labels, alias)))
            .filter(move |(_, alias)| !alias.eq_ignore_ascii_case(name))
    }
}

impl From<Form> for Label {
    fn from(form: Form) -> Label {
        Label::Form(form)
    }
}

impl fmt::Display for Label {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The readers of labels, as the command's `--labels` takes them.
///
/// All but [`Lenient`](Labels::Lenient) compare labels as the WHATWG Encoding Standard does: ASCII white space around a label and
/// the case of ASCII letters do not matter, everything else does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Labels {
    /// Our own names first, then those of IANA, of the web, and the unofficial ones (`utf-8-bom`, `65001`, `18N`).
    /// Spaces, `_` and `-` do not matter. A name that is in none of these tables is looked up again without `x-` in front.
    #[default]
    Lenient,
    /// The names and aliases of the IANA registry.
    Iana,
    /// The 228 labels of the WHATWG Encoding Standard, with the meaning that browsers give them.
    Whatwg,
    /// The IANA registry and the label that RFC 2279 section 5 proposed for text with the Hangul of Unicode 1.1,
    /// `unicode-1-1-utf-8`, which the web reads as plain UTF-8.
    Rfc2279,
    /// The names of Oracle Database, then the IANA registry. `UTF8` is CESU-8.
    Oracle,
    /// The names of MySQL and MariaDB, then the IANA registry. `utf8` has no supplementary characters.
    Mysql,
}

impl Labels {
    /// Every reader.
    pub const ALL: &'static [Labels] =
        &[Labels::Lenient, Labels::Iana, Labels::Whatwg, Labels::Rfc2279, Labels::Oracle, Labels::Mysql];

    /// The name, as `--labels` takes it.
    ///
    /// ```
    /// # use placemat::label::Labels;
    /// assert_eq!(Labels::Whatwg.name(), "whatwg");
    /// ```
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Labels::Lenient => "lenient",
            Labels::Iana => "iana",
            Labels::Whatwg => "whatwg",
            Labels::Rfc2279 => "rfc2279",
            Labels::Oracle => "oracle",
            Labels::Mysql => "mysql",
        }
    }

    /// The reader of that name (exact).
    ///
    /// ```
    /// # use placemat::label::Labels;
    /// assert_eq!(Labels::named("mysql"), Some(Labels::Mysql));
    /// ```
    #[must_use]
    pub fn named(name: &str) -> Option<Labels> {
        Labels::ALL.iter().copied().find(|labels| labels.name() == name)
    }

    /// What `label` means to this reader. One pass over the label and a lookup in a hash table; never allocates. A label has at
    /// most 256 bytes, without the ASCII white space at its ends.
    ///
    /// ```
    /// # use placemat::{Form, label::{Label, Labels}};
    /// assert_eq!(Labels::Lenient.resolve("utf-8-bom"), Some(Label::Form(Form::Utf8Bom)));
    /// assert_eq!(Labels::Whatwg.resolve(" SJIS\n"), Some(Label::Legacy("shift_jis")));
    /// assert_eq!(Labels::Iana.resolve("utf8"), None);
    /// ```
    #[must_use]
    pub fn resolve(self, label: &str) -> Option<Label> {
        let label = label.trim_matches(is_white_space);
        let hash = Hash::of(label.as_bytes())?;
        let tables: &[&Table] = match self {
            Labels::Lenient => return lenient(label, hash).or_else(|| without_mark(label)),
            Labels::Rfc2279 if label.eq_ignore_ascii_case(Form::Unicode11Utf8.name()) => {
                return Some(Label::Form(Form::Unicode11Utf8));
            }
            Labels::Iana | Labels::Rfc2279 => &[&IANA],
            Labels::Whatwg => &[&WHATWG],
            Labels::Oracle => &[&ORACLE, &IANA],
            Labels::Mysql => &[&MYSQL, &IANA],
        };
        tables.iter().find_map(|table| table.find(hash, |alias| alias.eq_ignore_ascii_case(label)))
    }

    /// What a label from an untrusted source, such as a header or a document, means to this reader.
    ///
    /// UTF-7 can write `<` in ways that a filter does not see, and a lenient profile accepts what the strict form refuses. A
    /// label that means such a form is refused, unless the form is in `allowed`.
    ///
    /// # Errors
    /// [`Refused`] if the label means nothing to this reader, or if it means a form that is unsafe in an untrusted source.
    ///
    /// ```
    /// # use placemat::{Form, label::{Label, Labels, Refused}};
    /// assert_eq!(Labels::Lenient.resolve_untrusted("utf8", &[]), Ok(Label::Form(Form::Utf8)));
    /// let surrogates = Form::Utf8Surrogates;
    /// assert_eq!(Labels::Lenient.resolve_untrusted("utf-8/surrogates", &[]), Err(Refused::Unsafe(surrogates)));
    /// assert!(Labels::Lenient.resolve_untrusted("utf-8/surrogates", &[surrogates]).is_ok());
    /// ```
    pub fn resolve_untrusted(self, label: &str, allowed: &[Form]) -> Result<Label, Refused> {
        match self.resolve(label) {
            None => Err(Refused::Unknown),
            Some(Label::Form(form)) if is_unsafe(form) && !allowed.contains(&form) => {
                Err(Refused::Unsafe(form))
            }
            Some(label) => Ok(label),
        }
    }
}

impl fmt::Display for Labels {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// Why a label from an untrusted source was refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Refused {
    /// The reader does not know the label.
    Unknown,
    /// The label means UTF-7, or a profile that accepts what the strict form refuses.
    Unsafe(Form),
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refused::Unknown => f.write_str("unknown label"),
            Refused::Unsafe(form) => write!(f, "an untrusted label may not select {form}"),
        }
    }
}

impl core::error::Error for Refused {}

/// Whether a label from an untrusted source must not select this form.
fn is_unsafe(form: Form) -> bool {
    let (family, profile) = form.name().split_once('/').unwrap_or((form.name(), ""));
    family == "utf-7" || family == "utf-7-imap" || !matches!(profile, "" | "bom" | "web")
}

/// Whether `c` is ASCII white space (WHATWG Infra Standard).
fn is_white_space(c: char) -> bool {
    matches!(c, '\t' | '\n' | '\x0C' | '\r' | ' ')
}

/// Labels that the order of the tables would give the wrong meaning.
const EXCEPTIONS: [(&str, Form); 2] = [
    // `unicode-1-1-utf-8` is our name for the form of RFC 2279; only the web uses this spelling.
    ("unicode11utf8", Form::Utf8),
    // Not registered. Only to the web it is windows-1252.
    ("ascii", Form::UsAscii),
];

fn lenient(label: &str, hash: Hash) -> Option<Label> {
    if let Some((_, form)) = EXCEPTIONS.iter().find(|(alias, _)| alias.eq_ignore_ascii_case(label)) {
        return Some(Label::Form(*form));
    }
    let is_label = |alias: &str| squeeze(alias).eq(squeeze(label));
    CANONICAL
        .find(hash, is_label)
        .or_else(|| [&IANA, &WHATWG, &UNOFFICIAL].iter().find_map(|table| table.find(hash, is_label)))
}

/// Looks up a label without the mark of names that are not registered: `x-utf-8`. The registered names with `cs` in front are
/// all in the table of IANA; others of that kind, such as `csUnicode11UTF8`, were never names.
fn without_mark(label: &str) -> Option<Label> {
    let rest = label.strip_prefix(['x', 'X'])?.strip_prefix(['-', '_'])?;
    lenient(rest, Hash::of(rest.as_bytes())?)
}

/// The bytes of a label that `lenient` compares.
fn squeeze(label: &str) -> impl Iterator<Item = u8> {
    label.bytes().filter(|&byte| !is_separator(byte)).map(|byte| byte.to_ascii_lowercase())
}
