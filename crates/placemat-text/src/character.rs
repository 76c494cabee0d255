//! What Unicode says about a code point: name, category, block and script; and a remark on some.

use std::sync::OnceLock;

use placemat::CodePoint;
use unicode_properties::{GeneralCategory, UnicodeGeneralCategory as _};
use unicode_script::UnicodeScript as _;

mod controls;

/// Returns the name, or the label in angle brackets that Unicode 4.8 defines for code points without a name.
pub(crate) fn name(c: CodePoint) -> String {
    let label = |what: &str| format!("<{what}-{:04X}>", c.value());
    if c.is_noncharacter() {
        return label("noncharacter");
    }
    let Some(character) = c.to_char() else {
        return label(if c.is_surrogate() { "surrogate" } else { "beyond" });
    };
    if let Some((_, name)) = controls::find(character) {
        return format!("<control> {name}");
    }
    if let Some(name) = from_table(character) {
        return name;
    }
    match character.general_category() {
        GeneralCategory::PrivateUse => label("private-use"),
        GeneralCategory::Unassigned => label("reserved"),
        _ => match derived(c) {
            Some(prefix) => format!("{prefix}{:04X}", c.value()),
            // This is not a label of Unicode: the character has a name, but the table here does not hold it.
            None => label("assigned"),
        },
    }
}

#[cfg(feature = "names")]
fn from_table(character: char) -> Option<String> {
    unicode_names2::name(character).map(|name| name.to_string())
}

#[cfg(not(feature = "names"))]
fn from_table(character: char) -> Option<String> {
    ELSEWHERE.get().and_then(|find| find(character))
}

/// The function that finds names, if this crate has no table of them.
static ELSEWHERE: OnceLock<fn(char) -> Option<String>> = OnceLock::new();

/// Sets `find` as the source of names, for a program that is compiled without the feature `names` and gets them in
/// another way. With the feature, `find` is never called. Only the first call has an effect, and only it returns
/// true.
///
/// ```
/// use placemat_text::explain::find_names_by;
///
/// assert!(find_names_by(|c| (c == '€').then(|| "EURO SIGN".to_owned())));
/// assert!(!find_names_by(|_| None));
/// ```
pub fn find_names_by(find: fn(char) -> Option<String>) -> bool {
    ELSEWHERE.set(find).is_ok()
}

/// Whether there is a source of names.
fn has_names() -> bool {
    cfg!(feature = "names") || ELSEWHERE.get().is_some()
}

/// Returns the prefix, by block, of a name that consists of a prefix and the code point (Unicode, Table 4-8) and is
/// not in the table.
fn derived(c: CodePoint) -> Option<&'static str> {
    Some(match block(c)? {
        "Tangut" | "Tangut Supplement" => "TANGUT IDEOGRAPH-",
        "Khitan Small Script" => "KHITAN SMALL SCRIPT CHARACTER-",
        "Jurchen" => "JURCHEN CHARACTER-",
        "Seal" => "SMALL SEAL CHARACTER-",
        name if name.starts_with("CJK Unified Ideographs") => "CJK UNIFIED IDEOGRAPH-",
        _ => return None,
    })
}

/// Returns the character as it can be shown: a control as its abbreviation, such as `NUL`, and a combining mark on a
/// dotted circle. The result is empty for invisible characters.
pub(crate) fn glyph(c: CodePoint) -> String {
    use GeneralCategory::{
        EnclosingMark, Format, LineSeparator, NonspacingMark, ParagraphSeparator, PrivateUse, SpaceSeparator,
        Unassigned,
    };
    let Some(character) = c.to_char() else { return String::new() };
    if let Some((short, _)) = controls::find(character) {
        return short.to_owned();
    }
    match character.general_category() {
        Format | LineSeparator | ParagraphSeparator | PrivateUse | SpaceSeparator | Unassigned => {
            String::new()
        }
        NonspacingMark | EnclosingMark => format!("\u{25CC}{character}"),
        _ => character.to_string(),
    }
}

/// Whether it can be shown in a line of text: it is assigned and not for private use. Dangerous characters are
/// escaped elsewhere.
pub(crate) fn can_be_seen(c: CodePoint) -> bool {
    !c.is_noncharacter() && !matches!(category(c).0, "Cn" | "Co" | "Cs" | "-")
}

/// Short and long name of the general category (UAX #44, table 12).
pub(crate) fn category(c: CodePoint) -> (&'static str, &'static str) {
    let Some(character) = c.to_char() else {
        return if c.is_surrogate() { ("Cs", "surrogate") } else { ("-", "beyond Unicode") };
    };
    match character.general_category() {
        GeneralCategory::UppercaseLetter => ("Lu", "uppercase letter"),
        GeneralCategory::LowercaseLetter => ("Ll", "lowercase letter"),
        GeneralCategory::TitlecaseLetter => ("Lt", "titlecase letter"),
        GeneralCategory::ModifierLetter => ("Lm", "modifier letter"),
        GeneralCategory::OtherLetter => ("Lo", "other letter"),
        GeneralCategory::NonspacingMark => ("Mn", "nonspacing mark"),
        GeneralCategory::SpacingMark => ("Mc", "spacing mark"),
        GeneralCategory::EnclosingMark => ("Me", "enclosing mark"),
        GeneralCategory::DecimalNumber => ("Nd", "decimal number"),
        GeneralCategory::LetterNumber => ("Nl", "letter number"),
        GeneralCategory::OtherNumber => ("No", "other number"),
        GeneralCategory::ConnectorPunctuation => ("Pc", "connector punctuation"),
        GeneralCategory::DashPunctuation => ("Pd", "dash punctuation"),
        GeneralCategory::OpenPunctuation => ("Ps", "open punctuation"),
        GeneralCategory::ClosePunctuation => ("Pe", "close punctuation"),
        GeneralCategory::InitialPunctuation => ("Pi", "initial punctuation"),
        GeneralCategory::FinalPunctuation => ("Pf", "final punctuation"),
        GeneralCategory::OtherPunctuation => ("Po", "other punctuation"),
        GeneralCategory::MathSymbol => ("Sm", "math symbol"),
        GeneralCategory::CurrencySymbol => ("Sc", "currency symbol"),
        GeneralCategory::ModifierSymbol => ("Sk", "modifier symbol"),
        GeneralCategory::OtherSymbol => ("So", "other symbol"),
        GeneralCategory::SpaceSeparator => ("Zs", "space separator"),
        GeneralCategory::LineSeparator => ("Zl", "line separator"),
        GeneralCategory::ParagraphSeparator => ("Zp", "paragraph separator"),
        GeneralCategory::Control => ("Cc", "control"),
        GeneralCategory::Format => ("Cf", "format"),
        GeneralCategory::Surrogate => ("Cs", "surrogate"),
        GeneralCategory::PrivateUse => ("Co", "private use"),
        GeneralCategory::Unassigned => ("Cn", "unassigned"),
    }
}

/// The block, if the code point is in one.
pub(crate) fn block(c: CodePoint) -> Option<&'static str> {
    match c.value() {
        0xD800..=0xDB7F => Some("High Surrogates"),
        0xDB80..=0xDBFF => Some("High Private Use Surrogates"),
        0xDC00..=0xDFFF => Some("Low Surrogates"),
        _ => unicode_blocks::find_unicode_block(c.to_char()?).map(|block| block.name()),
    }
}

/// The script. Surrogates and values above U+10FFFF have none.
pub(crate) fn script(c: CodePoint) -> Option<&'static str> {
    c.to_char().map(|character| character.script().full_name())
}

/// Remarks on some code points. Each row has the first and the last code point of a range.
const REMARKS: &[(u32, u32, &str)] = &[
    (0x00, 0x00, "ends a string in C, so that what follows it is not seen there"),
    (0x0A, 0x0A, "ends a line"),
    (0x1B, 0x1B, "begins the commands of a terminal: never print it from a source that you do not trust"),
    (0x85, 0x85, "a line end on IBM mainframes; more often the ellipsis of windows-1252, read as ISO-8859-1"),
    (0x80, 0x9F, "a C1 control: rarely meant; often a character of windows-1252 that was read as ISO-8859-1"),
    (0xA0, 0xA0, "looks like a space and is none: programs do not split there"),
    (0xAD, 0xAD, "shows only where a line is broken"),
    (0x0300, 0x036F, "joins the character before it"),
    (0x061C, 0x061C, BIDI),
    (0x200B, 0x200D, "has no width: two texts that look the same may differ by it"),
    (0x200E, 0x200F, BIDI),
    (0x2028, 0x2029, "ends a line for some programs and not for others"),
    (0x202A, 0x202E, BIDI),
    (0x2066, 0x2069, BIDI),
    (0xE000, 0xF8FF, "private use: has a meaning only by agreement"),
    (0xFE00, 0xFE0F, "a variation selector: chooses how the character before it looks"),
    (0xFEFF, 0xFEFF, "the byte order mark when it comes first; later a zero width no-break space"),
    (0xFFFC, 0xFFFC, "stands for an object that is not text"),
    (
        0xFFFD,
        0xFFFD,
        "stands for something that could not be read: text was lost before these bytes were written",
    ),
    (0xE0000, 0xE007F, "a tag: invisible, and can hide text"),
    (0xE0100, 0xE01EF, "a variation selector: chooses how the character before it looks"),
    (0xF0000, 0x10FFFD, "private use: has a meaning only by agreement"),
    (
        0x110000,
        0x7FFFFFFF,
        "in the 31-bit code space of ISO 10646 before 2003; no character was ever put there",
    ),
];

const BIDI: &str = "changes the order in which text is shown: what one reads may not be what a compiler reads \
                    (CVE-2021-42574)";

/// A remark on a code point, if there is one.
pub(crate) fn remark(c: CodePoint) -> Option<&'static str> {
    if c.is_noncharacter() {
        return Some("a noncharacter: well-formed, never assigned, for use inside a program");
    }
    if c.is_high_surrogate() {
        return Some("the first half of a pair in UTF-16; no character by itself");
    }
    if c.is_low_surrogate() {
        return Some("the second half of a pair in UTF-16; no character by itself");
    }
    let value = c.value();
    let found = REMARKS.iter().find(|(first, last, _)| (*first..=*last).contains(&value));
    match (found, category(c).0) {
        (Some((_, _, text)), _) => Some(text),
        (None, "Mn" | "Me") => Some("joins the character before it"),
        (None, "Cn") => Some("not assigned in the version of Unicode that is known here"),
        (None, _) if has_names() && name(c).starts_with("<assigned-") => {
            Some("a new character: its name is not in the version of Unicode from which names are known here")
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(value: u32) -> CodePoint {
        CodePoint::new(value).unwrap()
    }

    #[cfg(feature = "names")]
    #[test]
    fn every_code_point_has_a_name_or_a_label() {
        assert_eq!(name(of(0x20AC)), "EURO SIGN");
        assert_eq!(name(of(0x0A)), "<control> LINE FEED");
        assert_eq!(name(of(0xD55C)), "HANGUL SYLLABLE HAN");
        assert_eq!(name(of(0x4F60)), "CJK UNIFIED IDEOGRAPH-4F60");
        assert_eq!(name(of(0xD800)), "<surrogate-D800>");
        assert_eq!(name(of(0xFFFE)), "<noncharacter-FFFE>");
        assert_eq!(name(of(0xE000)), "<private-use-E000>");
        assert_eq!(name(of(0x0378)), "<reserved-0378>");
        assert_eq!(name(of(0x11_0000)), "<beyond-110000>");
        assert_eq!(name(of(0x1_7000)), "TANGUT IDEOGRAPH-17000");
        assert_eq!(name(of(0x1_8D20)), "TANGUT IDEOGRAPH-18D20");
        assert_eq!(name(of(0x1_8D21)), "<reserved-18D21>");
        assert_eq!(name(of(0x1_8CDA)), "KHITAN SMALL SCRIPT CHARACTER-18CDA");
        assert_eq!(name(of(0x1_8E00)), "JURCHEN CHARACTER-18E00");
        assert_eq!(name(of(0x2_B81E)), "CJK UNIFIED IDEOGRAPH-2B81E");
        assert_eq!(name(of(0x3_D000)), "SMALL SEAL CHARACTER-3D000");
        assert_eq!(name(of(0x1_B170)), "NUSHU CHARACTER-1B170");
        assert_eq!(name(of(0xF900)), "CJK COMPATIBILITY IDEOGRAPH-F900");
    }

    #[test]
    fn what_is_reserved_is_what_is_not_assigned() {
        let mut unnamed = 0;
        for c in '\0'..=char::MAX {
            let (c, is_unassigned) = (c.into(), c.general_category() == GeneralCategory::Unassigned);
            let name = name(c);
            let is_noncharacter = c.is_noncharacter();
            assert_eq!(name.starts_with("<reserved-"), is_unassigned && !is_noncharacter, "{c} {name}");
            unnamed += u32::from(name.starts_with("<assigned-"));
        }
        assert!(unnamed < 1000 || !cfg!(feature = "names"), "{unnamed}: are names far behind categories?");
    }

    #[test]
    fn blocks_are_found_at_both_ends() {
        assert_eq!(block(of(0)), Some("Basic Latin"));
        assert_eq!(block(of(0x20CF)), Some("Currency Symbols"));
        assert_eq!(block(of(0x10_FFFF)), Some("Supplementary Private Use Area-B"));
        assert_eq!(block(of(0x2FE0)), None);
    }

    #[test]
    fn a_mark_is_shown_on_a_circle_and_a_control_by_name() {
        assert_eq!(glyph(of(0x0301)), "\u{25CC}\u{301}");
        assert_eq!(glyph(of(0)), "NUL");
        assert_eq!(glyph(of(0x202E)), "");
    }
}
