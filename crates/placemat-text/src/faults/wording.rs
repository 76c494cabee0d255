//! The sentences that say what is wrong, and what was expected.

use placemat::boundary::announced_length;
use placemat::{ErrorKind, Form, Layout};

use crate::charset::Charset;
use crate::explain;
use crate::faults::hint::{Broken, Mistake};
use crate::faults::{Finding, Kind};
use crate::notation::hex;
use crate::rules::LineEnding;

/// Says what is wrong.
///
/// ```
/// use placemat_text::faults::wording;
/// use placemat::Form;
/// use placemat_text::faults::locate::{Search, search};
///
/// let search_for = Search { limit: 10, ..Search::new(Form::Utf8.into()) };
/// search(&mut &b"na\xC3\xAFve\ncaf\xE9!"[..], search_for, &mut |finding| {
///     assert_eq!(wording::sentence(finding), "E9 begins a sequence of 3 bytes, but 21 cannot follow");
///     Ok::<_, ()>(())
/// })
/// .unwrap();
/// ```
pub fn sentence(finding: &Finding<'_>) -> String {
    let bytes = hex(finding.bytes());
    if let Some(form) = finding.announced {
        return format!("{bytes} is the byte order mark of {form}, not of {}", finding.charset);
    }
    match finding.kind {
        Kind::Malformed(kind) if finding.charset == Form::Utf8 => in_utf8(finding, kind, &bytes),
        Kind::Malformed(kind) => in_other(finding, kind, finding.charset, &bytes),
        Kind::MarkForbidden => format!("{bytes} is a byte order mark, which the rules forbid here"),
        Kind::MarkRequired => "no byte order mark, which the rules require here".into(),
        Kind::LineEnding(wanted) => wrong_line_ending(finding, wanted).into(),
        Kind::Declared => {
            let label = String::from_utf8_lossy(finding.bytes());
            format!("the file says that it is {label}, and is {}", finding.charset)
        }
    }
}

fn in_utf8(finding: &Finding<'_>, kind: ErrorKind, bytes: &str) -> String {
    if let Some(broken) = finding.broken() {
        return broken_character(finding, broken);
    }
    let lead = finding.bytes()[0];
    let what = match announced(lead) {
        Some(n) => format!("{bytes} begins a sequence of {n} bytes"),
        None => bytes.to_owned(),
    };
    match kind {
        ErrorKind::UnexpectedContinuation => format!("{bytes} continues a sequence, but none has begun"),
        ErrorKind::Truncated => format!("{what}, and the input ends inside it"),
        ErrorKind::InvalidByte => format!("{bytes} occurs nowhere in UTF-8"),
        ErrorKind::Overlong if lead < 0xC2 => {
            format!("{bytes} would begin an overlong sequence, whatever follows")
        }
        ErrorKind::TooLarge if lead > 0xF4 => {
            format!("{bytes} would begin a value above U+10FFFF, whatever follows")
        }
        ErrorKind::MissingContinuation | ErrorKind::Overlong | ErrorKind::Surrogate | ErrorKind::TooLarge => {
            match finding.after().first() {
                Some(next) => format!("{what}, but {next:02X} cannot follow"),
                None => format!("{what}, but it is not continued"),
            }
        }
        _ => in_general(bytes, kind),
    }
}

fn broken_character(finding: &Finding<'_>, broken: Broken) -> String {
    let start = finding.range.start;
    let bytes = hex(&finding.window[start..start + broken.len]);
    let value = broken.value;
    match broken.is {
        Mistake::Overlong => {
            format!("{bytes} is U+{value:04X} in {} bytes, more than it needs: overlong", broken.len)
        }
        Mistake::Surrogate => format!("{bytes} is the surrogate U+{value:04X}, half of a UTF-16 pair"),
        Mistake::Pair => format!("{bytes} is U+{value:04X} as two surrogates"),
        Mistake::TooLarge => format!("{bytes} is the value {value:X}, above U+10FFFF"),
    }
}

/// Describes a line ending other than the one in `placemat.toml`.
fn wrong_line_ending(finding: &Finding<'_>, wanted: LineEnding) -> &'static str {
    // The code units of CR and LF differ in this byte only.
    let feed: Vec<_> = finding.bytes().iter().map(|&byte| if byte == b'\r' { b'\n' } else { byte }).collect();
    let is_pair = finding.after().starts_with(&feed);
    match wanted {
        LineEnding::Lf if is_pair => "the line ends with CR LF, and the rules ask for LF",
        LineEnding::Any | LineEnding::Lf | LineEnding::Crlf if finding.bytes().contains(&b'\r') => {
            "a CR without LF, and the rules ask for one line ending"
        }
        LineEnding::Any | LineEnding::Lf | LineEnding::Crlf => {
            "the line ends with LF, and the rules ask for CR LF"
        }
    }
}

fn in_other(finding: &Finding<'_>, kind: ErrorKind, charset: Charset, bytes: &str) -> String {
    match kind {
        ErrorKind::UnexpectedContinuation => format!("{bytes} continues a sequence, but none has begun"),
        ErrorKind::MissingContinuation => format!("{bytes} begins a sequence that does not go on"),
        ErrorKind::Truncated => format!("the input ends after {bytes}, inside a sequence"),
        ErrorKind::Overlong => format!("{bytes} is longer than the value needs"),
        ErrorKind::Surrogate if has_pairs(charset) => format!("{bytes} is a surrogate that stands alone"),
        ErrorKind::Surrogate => {
            let lead = finding.bytes().first().copied().unwrap_or_default();
            let is_whole = charset.unit() > 1 || finding.bytes().len() >= announced_length(lead);
            format!("{bytes} {} a surrogate, which {charset} lacks", if is_whole { "is" } else { "begins" })
        }
        ErrorKind::TooLarge => format!("{bytes} is a value too large for {charset}"),
        ErrorKind::NonCanonical => {
            format!("{bytes} has the right value, but not as {charset} writes it")
        }
        ErrorKind::InvalidByte | ErrorKind::Unencodable => format!(
            "{bytes} {} in {charset}",
            if charset.form().is_some() { "occurs nowhere" } else { "means nothing" }
        ),
        _ => in_general(bytes, kind),
    }
}

/// Describes a kind that has no sentence of its own above, with the text of [`RULES`]. That array must have an entry
/// for each kind.
fn in_general(bytes: &str, kind: ErrorKind) -> String {
    format!("{bytes}: {}", rule(Kind::Malformed(kind)))
}

/// Says what was expected instead.
///
/// ```
/// use placemat_text::faults::wording;
/// use placemat::Form;
/// use placemat_text::faults::locate::{Search, search};
///
/// let search_for = Search { limit: 10, ..Search::new(Form::Utf8.into()) };
/// search(&mut &b"na\xC3\xAFve\ncaf\xE9!"[..], search_for, &mut |finding| {
///     assert_eq!(wording::expected(finding).unwrap(), "expected a byte from 80 to BF");
///     Ok::<_, ()>(())
/// })
/// .unwrap();
/// ```
pub fn expected(finding: &Finding<'_>) -> Option<String> {
    if let Some(form) = finding.announced {
        return Some(format!("to check it as {form}: -f {form}"));
    }
    if finding.kind == Kind::Declared {
        return Some("expected utf-8, or no name".into());
    }
    let Kind::Malformed(kind) = finding.kind else { return None };
    if finding.charset != Form::Utf8 {
        return expected_in_other(finding, kind);
    }
    if let Some(broken) = finding.broken() {
        return expected_for(broken);
    }
    let lead = finding.bytes()[0];
    match kind {
        ErrorKind::UnexpectedContinuation | ErrorKind::InvalidByte => {
            Some("expected a first byte: 00 to 7F, or C2 to F4".into())
        }
        ErrorKind::Overlong if lead < 0xC2 => Some("expected a first byte from C2".into()),
        ErrorKind::TooLarge if lead > 0xF4 => Some("expected a first byte up to F4".into()),
        ErrorKind::MissingContinuation
        | ErrorKind::Truncated
        | ErrorKind::Overlong
        | ErrorKind::Surrogate
        | ErrorKind::TooLarge => {
            announced(lead)?;
            let (low, high) = if finding.bytes().len() == 1 { second(lead) } else { (0x80, 0xBF) };
            Some(format!("expected a byte from {low:02X} to {high:02X}"))
        }
        _ => None,
    }
}

fn expected_for(broken: Broken) -> Option<String> {
    match (broken.is, char::from_u32(broken.value)) {
        (Mistake::Surrogate, _) => Some("expected a character: UTF-8 has no surrogates".into()),
        (Mistake::TooLarge, _) => Some("expected no more than U+10FFFF, F4 8F BF BF".into()),
        (Mistake::Overlong | Mistake::Pair, c) => {
            Some(format!("expected {}", hex(c?.encode_utf8(&mut [0; 4]).as_bytes())))
        }
    }
}

fn expected_in_other(finding: &Finding<'_>, kind: ErrorKind) -> Option<String> {
    let unit = finding.charset.unit();
    match kind {
        ErrorKind::Truncated if finding.bytes().len() < unit => {
            Some(format!("expected the rest of a unit of {unit} bytes"))
        }
        ErrorKind::Truncated if unit == 2 => Some("expected the rest of a surrogate pair".into()),
        ErrorKind::Surrogate if unit == 2 && has_pairs(finding.charset) => {
            Some("expected a high surrogate (D800 to DBFF) and then a low one (DC00 to DFFF)".into())
        }
        ErrorKind::NonCanonical => {
            let form = finding.charset.form().filter(|&form| form.facts().layout == Layout::Announced)?;
            let writes = |other| placemat::convert(other, form, finding.bytes()).ok();
            [Form::Utf8, Form::Cesu8]
                .into_iter()
                .find_map(writes)
                .map(|bytes| format!("expected {}", hex(&bytes)))
        }
        _ => Some(format!("expected {}", explain::expected(finding.charset.form()?, finding.bytes())?)),
    }
}

/// Whether the encoding writes supplementary characters as pairs of surrogates.
fn has_pairs(charset: Charset) -> bool {
    let written = |form| placemat::convert(Form::Utf8, form, "\u{10000}".as_bytes()).ok();
    let len = charset.form().and_then(written).map_or(0, |pair| pair.len());
    if charset.unit() == 2 { len == 4 } else { charset.unit() == 1 && len >= 6 }
}

/// A description of each kind of malformed sequence.
const RULES: [(ErrorKind, &str); ErrorKind::ALL.len()] = [
    (ErrorKind::UnexpectedContinuation, "A continuation byte where a sequence should begin."),
    (ErrorKind::MissingContinuation, "A sequence that the next byte does not continue."),
    (ErrorKind::Truncated, "A sequence that the end of the input cuts off."),
    (ErrorKind::Overlong, "A value written in more bytes than it needs."),
    (ErrorKind::Surrogate, "A surrogate, which is no character."),
    (ErrorKind::TooLarge, "A value above the range of the form."),
    (ErrorKind::InvalidByte, "A byte that occurs nowhere in the form."),
    (ErrorKind::NonCanonical, "The right value, written in a way that the form does not allow."),
    (ErrorKind::Unencodable, "A character that the form cannot carry."),
];

/// A description of a kind of error.
///
/// ```
/// use placemat::ErrorKind;
/// use placemat_text::faults::{Kind, wording};
///
/// let overlong = wording::rule(Kind::Malformed(ErrorKind::Overlong));
/// assert_eq!(overlong, "A value written in more bytes than it needs.");
/// ```
pub fn rule(kind: Kind) -> &'static str {
    match kind {
        Kind::Malformed(kind) => RULES.iter().find(|(of, _)| *of == kind).map_or("", |(_, rule)| rule),
        Kind::MarkForbidden => "A byte order mark where placemat.toml forbids it.",
        Kind::MarkRequired => "No byte order mark where placemat.toml requires one.",
        Kind::LineEnding(_) => "A line ending other than the one that placemat.toml asks for.",
        Kind::Declared => "A file that names another encoding than the one it is in.",
    }
}

/// The length that a lead byte of UTF-8 announces.
fn announced(lead: u8) -> Option<usize> {
    matches!(lead, 0xC2..=0xF4).then(|| announced_length(lead))
}

/// The range of the second byte after a lead byte (RFC 3629, section 4).
fn second(lead: u8) -> (u8, u8) {
    match lead {
        0xE0 => (0xA0, 0xBF),
        0xED => (0x80, 0x9F),
        0xF0 => (0x90, 0xBF),
        0xF4 => (0x80, 0x8F),
        _ => (0x80, 0xBF),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_kind_has_its_sentence() {
        let sentences: BTreeSet<_> = Kind::all().map(rule).collect();
        assert!(sentences.len() == Kind::all().count() && !sentences.contains(""));
    }
}
