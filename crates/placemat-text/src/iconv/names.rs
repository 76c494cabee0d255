//! Resolves a name as iconv does: the encoding, and the suffixes.

use placemat::Form;
use placemat::label::Labels;

use super::Habit;
use super::subset::Subset;
use crate::Error;
use crate::charset::Charset;

/// A source or a target.
#[derive(Clone, Copy, Debug)]
pub(super) enum Encoding {
    /// A form that reads and writes its byte order mark, if it has one, by itself.
    Form(Form),
    /// A byte order mark decides the byte order and is removed. Without one, the order is that of this machine. The target is
    /// written in that order, with a mark.
    Marked {
        little: Form,
        big: Form,
    },
    Table(Charset, Subset),
    Iso2022Jp,
}

/// What to do with characters that cannot be converted. [`Suffixes::parse`] reads it from a name such as `ASCII//TRANSLIT`.
///
/// ```
/// use placemat_text::iconv::{Habit, Suffixes};
///
/// let (name, suffixes) = Suffixes::parse("latin1//TRANSLIT//IGNORE", Habit::Posix).unwrap();
/// assert_eq!(name, "latin1");
/// assert!(suffixes.transliterates && suffixes.discards_malformed && suffixes.discards_lacking);
/// assert!(Suffixes::parse("latin1//WRONG", Habit::Posix).is_err());
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Suffixes {
    /// A character that the target lacks is replaced by a similar one: `//TRANSLIT`.
    pub transliterates: bool,
    /// Malformed input is left out: `//IGNORE`.
    pub discards_malformed: bool,
    /// A character that the target lacks is left out: `//IGNORE` and `//NON_IDENTICAL_DISCARD`.
    pub discards_lacking: bool,
}

impl Suffixes {
    /// Splits a name into the encoding's name and its suffixes (POSIX.1-2024, `iconv_open`). `//` or commas separate several suffixes.
    ///
    /// # Errors
    /// A suffix is unknown. glibc ignores such a suffix, and so does [`Habit::Glibc`].
    pub fn parse(name: &str, habit: Habit) -> Result<(&str, Suffixes), Error> {
        let (name, rest) = name.split_once("//").unwrap_or((name, ""));
        let mut suffixes = Suffixes::default();
        for suffix in rest.split(['/', ',']).filter(|suffix| !suffix.is_empty()) {
            match &*suffix.to_ascii_uppercase() {
                "TRANSLIT" => suffixes.transliterates = true,
                "NON_IDENTICAL_DISCARD" if habit == Habit::Posix => suffixes.discards_lacking = true,
                "IGNORE" => (suffixes.discards_malformed, suffixes.discards_lacking) = (true, true),
                _ if habit == Habit::Glibc => {}
                _ => {
                    return Err(Error::refused(format!(
                        "unknown suffix {suffix:?}; the known ones are TRANSLIT, IGNORE and NON_IDENTICAL_DISCARD"
                    )));
                }
            }
        }
        Ok((name, suffixes))
    }
}

const NATIVE: bool = cfg!(target_endian = "little");

/// Names that mean other forms to iconv than to the library, squeezed.
fn form(squeezed: &str) -> Option<Encoding> {
    let native = |little, big| Encoding::Form(if NATIVE { little } else { big });
    let swapped = |little, big| Encoding::Form(if NATIVE { big } else { little });
    Some(match squeezed {
        "utf16" | "csutf16" => Encoding::Marked { little: Form::Utf16Le, big: Form::Utf16Be },
        "utf32" | "csutf32" => Encoding::Marked { little: Form::Utf32Le, big: Form::Utf32Be },
        "unicode" | "csunicode" => Encoding::Marked { little: Form::Ucs2Le, big: Form::Ucs2Be },
        "ucs2" | "iso10646ucs2" | "ucs2internal" | "osf00010100" | "osf00010101" | "osf00010102" => {
            native(Form::Ucs2Le, Form::Ucs2Be)
        }
        "ucs2swapped" => swapped(Form::Ucs2Le, Form::Ucs2Be),
        "unicodelittle" => Encoding::Form(Form::Ucs2Le),
        "unicodebig" => Encoding::Form(Form::Ucs2Be),
        "wchart" | "internal" | "ucs4internal" => native(Form::Utf32Le, Form::Utf32Be),
        "ucs4swapped" => swapped(Form::Utf32Le, Form::Utf32Be),
        "ucs4" | "iso10646ucs4" | "csucs4" | "ucs4be" | "iso10646" | "10646:1:1993" | "10646:1:1993/ucs4"
        | "osf00010104" | "osf00010105" | "osf00010106" => Encoding::Form(Form::Utf32Be),
        "ucs4le" => Encoding::Form(Form::Utf32Le),
        "utf8" | "osf05010001" => Encoding::Form(Form::Utf8),
        _ => return None,
    })
}

/// Names of subsets, squeezed, each with the label of the encoding that it is a part of.
#[rustfmt::skip]
const SUBSETS: &[(&[&str], &str, Subset)] = &[
    (&["iso88599", "88599", "latin5", "l5", "isoir148", "csisolatin5", "ecma128", "iso88599:1989", "turkish", "cp920", "ibm920", "osf00010009"], "windows-1254", Subset::Controls),
    (&["iso885911", "iso8859112001"], "windows-874", Subset::Controls),
    (&["tis620", "tis6200", "tis620.25291", "tis620.25330", "tis620.25331", "tis620.2529", "isoir166", "cstis620"], "windows-874", Subset::Thai),
    (&["gb2312", "euccn", "gb231280", "csgb2312", "cngb", "chinese", "csiso58gb231280", "isoir58"], "gbk", Subset::Gb2312),
    (&["gbk", "csgbk"], "gbk", Subset::Gbk),
    (&["cp936", "ms936", "windows936", "936"], "gbk", Subset::Cp936),
    (&["euckr", "cseuckr", "korean"], "euc-kr", Subset::EucKr),
    (&["sjis", "shiftjis", "csshiftjis", "mskanji"], "shift_jis", Subset::ShiftJis),
    (&["eucjp", "ujis", "cseucpkdfmtjapanese", "extendedunixcodepackedformatforjapanese"], "euc-jp", Subset::EucJp),
    (&["big5", "bigfive", "cnbig5", "csbig5"], "big5", Subset::Big5),
    (&["koi8u", "cskoi8u", "cp21866"], "koi8-u", Subset::Koi8U),
    (&["koi8ru"], "koi8-u", Subset::Koi8Ru),
];

/// Names that other tools use and no registry of ours has, squeezed, with our name for each.
#[rustfmt::skip]
const OTHERS: &[(&str, &str)] = &[
    ("ansi.x3.4", "us-ascii"), ("ansix3.4", "us-ascii"), ("isoir6", "us-ascii"), ("osf00010020", "us-ascii"),
    ("iso646.irv:1991", "us-ascii"), ("iso646us", "us-ascii"), ("cp1252", "windows-1252"),
    ("eucjpms", "euc-jp"), ("eucjpwin", "euc-jp"), ("eucjpopen", "euc-jp"), ("cp51932", "euc-jp"),
    ("ms932", "shift_jis"), ("ibm943", "shift_jis"), ("cp943", "shift_jis"), ("sjisopen", "shift_jis"), ("sjiswin", "shift_jis"),
    ("cswindows31j", "shift_jis"), ("uhc", "euc-kr"), ("ms949", "euc-kr"), ("oscs", "euc-kr"), ("windows949", "euc-kr"),
    ("big5hkscs", "big5"), ("cp950", "big5"), ("mac", "macintosh"), ("maccyrillic", "x-mac-cyrillic"), ("msmaccyrillic", "x-mac-cyrillic"),
    ("mscp949", "euc-kr"), ("latin7", "iso-8859-13"), ("l7", "iso-8859-13"), ("baltic", "iso-8859-13"), ("isoir179", "iso-8859-13"),
    ("isoir203", "iso-8859-15"),
    // IBM's numbers for parts of ISO/IEC 8859, and those of the Open Group.
    ("cp912", "iso-8859-2"), ("ibm912", "iso-8859-2"), ("cp915", "iso-8859-5"), ("ibm915", "iso-8859-5"),
    ("cp1089", "iso-8859-6"), ("ibm1089", "iso-8859-6"), ("cp813", "iso-8859-7"), ("ibm813", "iso-8859-7"),
    ("cp916", "iso-8859-8"), ("ibm916", "iso-8859-8"),
    ("osf00010001", "iso-8859-1"), ("osf00010002", "iso-8859-2"), ("osf00010003", "iso-8859-3"), ("osf00010004", "iso-8859-4"),
    ("osf00010005", "iso-8859-5"), ("osf00010006", "iso-8859-6"), ("osf00010007", "iso-8859-7"), ("osf00010008", "iso-8859-8"),
    ("osf0001000a", "iso-8859-10"),
];

/// Code pages with unused bytes; the tables of others have controls there.
const HOLED: [&str; 2] = ["cp864", "cp869"];

impl Encoding {
    /// Returns the encoding that `name`, without suffixes, means. For an empty name it is `locale`, the codeset of the locale.
    pub(super) fn named(name: &str, locale: &str) -> Result<Encoding, Error> {
        let name = if name.is_empty() || name.eq_ignore_ascii_case("char") { locale } else { name };
        let bare = name.trim_end_matches('/');
        let bare = bare.strip_prefix("ISO-10646/").unwrap_or(bare);
        let squeezed = squeezed(bare);
        if let Some(encoding) = form(&squeezed) {
            return Ok(encoding);
        }
        if let Some(&(_, base, subset)) = SUBSETS.iter().find(|(names, ..)| names.contains(&&*squeezed)) {
            return Ok(Encoding::Table(Charset::resolve(Labels::Lenient, base)?, subset));
        }
        let other = OTHERS.iter().find(|&&(other, _)| other == squeezed).map_or(bare, |&(_, ours)| ours);
        let charset = Charset::resolve(Labels::Lenient, other)
            .or_else(|error| resolve_isolated(&squeezed).ok_or(error))?;
        Ok(match charset {
            Charset::Form(Form::Windows1252) => Encoding::Table(charset, Subset::Windows),
            Charset::Form(form) => Encoding::Form(form),
            Charset::Legacy(legacy) if legacy.has_escapes() => Encoding::Iso2022Jp,
            Charset::Legacy(legacy)
                if legacy.name().starts_with("windows-") || HOLED.contains(&legacy.name()) =>
            {
                Encoding::Table(charset, Subset::Windows)
            }
            Charset::Legacy(_) => Encoding::Table(charset, Subset::Whole),
        })
    }

    /// Equal keys mean equal encodings.
    fn key(self) -> (&'static str, Option<Subset>) {
        match self {
            Encoding::Form(form) => (form.name(), None),
            Encoding::Marked { little: Form::Utf16Le, .. } => ("UTF-16", None),
            Encoding::Marked { little: Form::Utf32Le, .. } => ("UTF-32", None),
            Encoding::Marked { .. } => ("UNICODE", None),
            Encoding::Table(charset, subset) => (charset.name(), Some(subset)),
            Encoding::Iso2022Jp => ("ISO-2022-JP", None),
        }
    }

    /// The form that it reads or writes; the little-endian one where a byte order mark decides.
    pub(super) fn form(self) -> Option<Form> {
        match self {
            Encoding::Form(form) | Encoding::Marked { little: form, .. } => Some(form),
            Encoding::Table(..) | Encoding::Iso2022Jp => None,
        }
    }
}

/// Names that are in no list of labels, or there name another encoding.
#[rustfmt::skip]
const LISTED: [&str; 37] = [
    "UTF-16", "UTF-32", "UCS-2", "UCS-4", "WCHAR_T", "INTERNAL", "UNICODELITTLE", "UNICODEBIG", "ASCII", "ISO-8859-1", "ISO-8859-9", "ISO-8859-11",
    "TIS-620", "CP1252", "GB2312", "EUC-CN", "GBK", "CP936", "BIG5", "BIG5-HKSCS", "CP950", "EUC-KR", "UHC", "CP949", "SJIS", "SHIFT_JIS", "CP932",
    "MS932", "EUC-JP", "EUCJP", "EUC-JP-MS", "KOI8-U", "MAC", "MAC-CYRILLIC", "LATIN7", "CP912", "CP915",
];

/// Returns every encoding that can be opened, as a list of its names in upper case, the canonical one first. Each name is only in
/// the list of the encoding that it opens.
///
/// ```
/// let mut all = placemat_text::iconv::names();
/// assert!(all.any(|names| names[0] == "KOI8-R" && names.contains(&"CSKOI8R".to_owned())));
/// ```
pub fn names() -> impl Iterator<Item = Vec<String>> {
    let own = LISTED.iter().map(|&name| name.to_owned());
    let labels = Charset::all().flat_map(|charset| {
        let aliases = charset.label().aliases().map(|(_, alias)| alias);
        [charset.name()].into_iter().chain(aliases).map(str::to_ascii_uppercase).collect::<Vec<_>>()
    });
    let (mut keys, mut groups) = (Vec::new(), Vec::<Vec<String>>::new());
    for name in labels.chain(own) {
        let Ok(encoding) = Encoding::named(&name, "") else { continue };
        let key = encoding.key();
        match keys.iter().position(|other| *other == key) {
            Some(at) if groups[at].contains(&name) => {}
            Some(at) => groups[at].push(name),
            None => {
                keys.push(key);
                groups.push(vec![name]);
            }
        }
    }
    groups.into_iter()
}

/// glibc's spellings of numbered standards: `ISO88591`, `8859_1`, `ISO_8859-1:1987`, `IBM850`.
fn resolve_isolated(squeezed: &str) -> Option<Charset> {
    let part = squeezed.strip_prefix("iso").unwrap_or(squeezed).strip_prefix("8859");
    let name = match (part, squeezed.strip_prefix("ibm")) {
        (Some(part), _) => format!("iso-8859-{}", part.split(':').next()?),
        (None, Some(number)) => format!("cp{number}"),
        _ => return None,
    };
    Charset::resolve(Labels::Lenient, &name).ok()
}

fn squeezed(name: &str) -> String {
    // No name is longer.
    let letters = name.chars().take(80).filter(|c| !matches!(c, ' ' | '_' | '-'));
    letters.map(|c| c.to_ascii_lowercase()).collect()
}
