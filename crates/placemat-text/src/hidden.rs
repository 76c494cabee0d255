//! Names and describes characters that are not shown ([`placemat::invisible`]).

use placemat::CodePoint;
use placemat::invisible::{Finding, Kind, Kinds, findings, findings_of};

use crate::character;
use crate::escape::{self, Cut};

/// The word in a list of kinds for those that are checked if none is named.
pub const DEFAULT: &str = "default";

/// Returns the kind with that name.
///
/// # Errors
/// A sentence that lists the names.
///
/// ```
/// assert!(placemat_text::hidden::kind("control").is_ok() && placemat_text::hidden::kind("esc").is_err());
/// ```
pub fn kind(name: &str) -> Result<Kind, String> {
    Kind::named(name).ok_or_else(|| unknown(name, ""))
}

/// The message for a name that is none of these: the kinds, and what is accepted besides.
fn unknown(name: &str, besides: &str) -> String {
    let names: Vec<_> = Kind::ALL.iter().map(|kind| kind.name()).collect();
    format!("{name}: one of {}{besides} is expected", names.join(", "))
}

/// Reads names with commas between them; `all` and [`DEFAULT`] are names too.
///
/// # Errors
/// A sentence that lists the names, with `all`.
///
/// ```
/// use placemat::invisible::Kinds;
/// assert_eq!(placemat_text::hidden::kinds("default"), Ok(Kinds::DEFAULT));
/// assert!(placemat_text::hidden::kinds("esc").unwrap_err().ends_with(", all is expected"));
/// ```
pub fn kinds(text: &str) -> Result<Kinds, String> {
    text.split(',').try_fold(Kinds::NONE, |kinds, name| {
        Ok(kinds.union(match name {
            DEFAULT => Kinds::DEFAULT,
            "all" => Kinds::ALL,
            name => Kinds::NONE.with(Kind::named(name).ok_or_else(|| unknown(name, ", all"))?),
        }))
    })
}

/// Returns the findings of these kinds, in the order of their offsets. `bytes` are the start of a text (`is_start`)
/// or lines from its middle.
///
/// ```
/// use placemat::invisible::Kinds;
/// use placemat_text::hidden::found;
/// assert_eq!(found("\u{FEFF}a\u{200B}b".as_bytes(), Kinds::DEFAULT, true)[0].offset, 4);
/// ```
#[must_use]
pub fn found(bytes: &[u8], kinds: Kinds, is_start: bool) -> Vec<Finding<'_>> {
    found_between(bytes, [&[]; 2], kinds, is_start)
}

/// Like [`found`], for lines that stand between others.
pub(crate) fn found_between<'a>(
    bytes: &'a [u8],
    [before, after]: [&'a [u8]; 2],
    kinds: Kinds,
    is_start: bool,
) -> Vec<Finding<'a>> {
    let found = findings_of(bytes, kinds).between(before, after);
    let mut found: Vec<_> = if is_start { found } else { found.from_middle() }.collect();
    found.sort_by_key(|found| found.offset);
    found
}

/// The number of columns of a hidden text that are shown.
pub(crate) const SHOWN: usize = 40;

/// Returns the text that the characters hide, if they hide any, with U+FFFD for malformed bytes.
///
/// ```
/// use placemat_text::hidden::payload;
/// assert_eq!(payload("\u{E0068}\u{E0069}".as_bytes()).as_deref(), Some("hi"));
/// assert_eq!(payload("\u{200B}".as_bytes()), None);
/// ```
#[must_use]
pub fn payload(bytes: &[u8]) -> Option<String> {
    let bytes: Vec<u8> = findings(bytes).from_middle().next()?.payload().collect();
    (!bytes.is_empty()).then(|| String::from_utf8_lossy(&bytes).into_owned())
}

/// The sentence that says what is wrong with a finding.
pub(crate) fn sentence(kind: Kind, bytes: &[u8]) -> String {
    let text = str::from_utf8(bytes).unwrap_or_default();
    let count = text.chars().count();
    let first = text.chars().next().unwrap_or_default();
    let name = format!("U+{:04X} {}", u32::from(first), character::name(CodePoint::from(first)));
    let hides = || match payload(bytes) {
        Some(payload) => {
            let payload = escape::text(&payload).to_string();
            format!(", hide “{}”", escape::shortened(&payload, SHOWN, Cut::End))
        }
        None => String::new(),
    };
    match kind {
        Kind::TagPayload if count > 1 => format!("{count} tag characters, which are not shown{}", hides()),
        Kind::VariationPayload if count > 1 => {
            format!("{count} variation selectors, which are not shown{}", hides())
        }
        Kind::VariationPayload => format!("{name} is not shown, and what precedes it has no such variant"),
        Kind::BidiUnbalanced => format!("{name} changes the order in which this line is shown"),
        Kind::TagPayload | Kind::ZeroWidth | Kind::Invisible => {
            format!("{name} is not shown, and nothing beside it needs it")
        }
        Kind::Control => format!("{name} is a control code"),
        Kind::PrivateUse => format!("{name} is for private use, and means nothing to others"),
        Kind::Noncharacter => format!("{name} is no character, and not for interchange"),
        Kind::Unassigned => {
            format!("{name} is not assigned in Unicode {}", placemat::invisible::UNICODE_VERSION)
        }
        kind => rule(kind).to_owned(),
    }
}

/// The number of characters at the start of a run that are shown.
const FIRST: usize = 3;

/// Writes each character as `\u{…}`. Of a long run, only the first ones and the last are written.
///
/// ```
/// use placemat_text::hidden::shown;
/// assert_eq!(shown("\u{200B}".as_bytes()), r"\u{200b}");
/// assert_eq!(shown("\u{FE00}".repeat(9).as_bytes()), r"\u{fe00}\u{fe00}\u{fe00}…\u{fe00}");
/// ```
#[must_use]
pub fn shown(run: &[u8]) -> String {
    let text = String::from_utf8_lossy(run);
    let last = text.chars().count().saturating_sub(1);
    let mut shown = String::new();
    for (at, c) in text.chars().enumerate() {
        if at == FIRST && at < last {
            shown.push('…');
        }
        if at < FIRST || at == last {
            shown.extend(c.escape_unicode());
        }
    }
    shown
}

/// A description of the kind in general.
pub(crate) fn rule(kind: Kind) -> &'static str {
    match kind {
        Kind::TagPayload => "Tag characters, which are not shown and can hide text.",
        Kind::VariationPayload => "Variation selectors that select nothing and can hide bytes.",
        Kind::BidiUnbalanced => {
            "A bidirectional control that is not closed on its line, or has a delimiter of strings or comments inside."
        }
        Kind::ZeroWidth => "A character without width where nothing needs one.",
        Kind::Invisible => "A character that is not shown where nothing needs one.",
        Kind::Control => "A control code other than tab and line ends.",
        Kind::PrivateUse => "A character for private use.",
        Kind::Noncharacter => "A noncharacter.",
        Kind::Unassigned => "A code point that Unicode has not assigned.",
        _ => "A character that is not shown.",
    }
}
