//! Says how a decoder without checks reads a fault, and what was probably meant.

use placemat::boundary::announced_length;
use placemat::{CodePoint, ErrorKind, Form, Layout};

use super::danger;
use super::fault::quoted;
use super::layout::{Reading, read};
use super::view::{Fault, View};
use crate::notation::hex;

/// The result of a decoder that takes as many bytes as the lead byte announces, and checks none of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Careless {
    pub(crate) value: CodePoint,
    /// The bytes after the malformed ones that the decoder takes too, so that they are lost.
    pub(crate) swallowed: Vec<u8>,
}

/// Returns that result; `None` if no lead byte announces a length, or if the input ends before that length.
pub(crate) fn careless(view: &View<'_>, fault: &Fault) -> Option<Careless> {
    let bytes = &view.bytes[fault.range.start..];
    let lead = *bytes.first()?;
    let due = announced_length(lead);
    if view.layout != Layout::Announced || due == 0 {
        return None;
    }
    let taken = &bytes[..due.min(bytes.len())];
    if taken.len() < due {
        return None;
    }
    let mut value = u32::from(lead) & (0x7F >> due);
    for byte in &taken[1..] {
        value = value << 6 | u32::from(byte & 0x3F);
    }
    let swallowed = taken.get(fault.range.len()..).unwrap_or_default().to_vec();
    Some(Careless { value: CodePoint::new(value)?, swallowed })
}

/// Describes that result in a sentence, and says why it is dangerous.
pub(crate) fn careless_text(view: &View<'_>, fault: &Fault) -> Option<(String, Option<&'static str>)> {
    if let Some(pair) = pair(view, fault) {
        return Some((
            format!("two surrogates, which become {} as soon as somebody joins them", quoted(pair)),
            Some(danger::PAIR),
        ));
    }
    let Some(careless) = careless(view, fault) else {
        let first = fault.errors.first()?;
        return match first.kind() {
            ErrorKind::Truncated if view.layout == Layout::Announced => {
                Some((danger::READ_ON.0.to_owned(), Some(danger::READ_ON.1)))
            }
            ErrorKind::Surrogate => Some((danger::PASSED.0.to_owned(), Some(danger::PASSED.1))),
            ErrorKind::UnexpectedContinuation => {
                Some((danger::DELETED.0.to_owned(), Some(danger::DELETED.1)))
            }
            _ => None,
        };
    };
    if careless.swallowed.is_empty() {
        return Some((quoted(careless.value), danger::of(view.form, careless.value)));
    }
    let text = format!("{}, with {} swallowed", quoted(careless.value), hex(&careless.swallowed));
    let eats_ascii = careless.swallowed.iter().any(u8::is_ascii);
    Some((text, Some(if eats_ascii { danger::SWALLOWED } else { danger::SWALLOWED_OTHER })))
}

/// The code point of a surrogate pair written as two sequences of three bytes, as in CESU-8.
pub(crate) fn pair(view: &View<'_>, fault: &Fault) -> Option<CodePoint> {
    let bytes = &view.bytes[fault.range.clone()];
    if view.layout != Layout::Announced || bytes.len() != 6 || bytes[0] != 0xED || bytes[3] != 0xED {
        return None;
    }
    let unit = |at: usize| 0xD000 | u32::from(bytes[at] & 0x3F) << 6 | u32::from(bytes[at + 1] & 0x3F);
    CodePoint::new(0x1_0000 + ((unit(1) & 0x3FF) << 10 | unit(4) & 0x3FF))
}

/// What the author probably meant, the most likely first.
pub(crate) fn meant(view: &View<'_>, fault: &Fault) -> Vec<String> {
    let bytes = &view.bytes[fault.range.clone()];
    let mut guesses = Vec::new();
    if let Some(c) = pair(view, fault) {
        return vec![format!("{} as CESU-8 writes it", quoted(c))];
    }
    match careless(view, fault) {
        Some(Careless { value, swallowed }) if swallowed.is_empty() => guesses.push(by_value(bytes, value)),
        _ => guesses.extend(cut_short(view, fault, bytes)),
    }
    // The bytes of a code unit are not characters of a single-byte encoding.
    let is_bytes = !matches!(view.layout, Layout::Units { .. });
    if let Some(text) = windows_1252(bytes).filter(|_| is_bytes) {
        guesses.push(format!("“{text}” in windows-1252"));
    }
    guesses
}

/// Forms that may have written the bytes, with a phrase for each.
const WRITERS: &[(Form, &str)] = &[
    (Form::Utf8, " as UTF-8 writes it"),
    (Form::Wtf8, ", a surrogate as WTF-8 and Python's surrogatepass write it"),
    (Form::Mutf8, " as Modified UTF-8 (Java) writes it"),
    (Form::Utf8Rfc2279, " in the form of RFC 2279, which went to U+7FFFFFFF"),
];

fn by_value(bytes: &[u8], value: CodePoint) -> String {
    let writes = |(form, _): &&(Form, &str)| read(*form, bytes) == Reading::Whole(value);
    match WRITERS.iter().find(writes) {
        Some((_, text)) => format!("{}{text}", quoted(value)),
        None if value.value() < 0x80 => {
            format!("{} in more bytes than it needs: rarely an accident, often an attack", quoted(value))
        }
        None => format!("{} in more bytes than it needs", quoted(value)),
    }
}

/// The range of characters that a truncated sequence could have been.
fn cut_short(view: &View<'_>, fault: &Fault, bytes: &[u8]) -> Option<String> {
    let error = fault.errors.first()?;
    let is_cut = matches!(error.kind(), ErrorKind::Truncated | ErrorKind::MissingContinuation);
    if view.layout != Layout::Announced || !is_cut || bytes.len() < 2 {
        return None;
    }
    let due = announced_length(bytes[0]);
    let fill = |continuation: u8| {
        let mut whole = bytes.to_vec();
        whole.resize(due, continuation);
        std::str::from_utf8(&whole).ok()?.chars().next()
    };
    let (first, last) = (fill(0x80)?, fill(0xBF)?);
    Some(format!("a character of U+{:04X}..U+{:04X}, cut short", u32::from(first), u32::from(last)))
}

/// Decodes one or two bytes as windows-1252, unless all are ASCII or one is a control.
fn windows_1252(bytes: &[u8]) -> Option<String> {
    if bytes.len() > 2 || bytes.iter().all(u8::is_ascii) {
        return None;
    }
    let text = placemat::convert(Form::Windows1252, Form::Utf8, bytes).ok()?;
    let text = String::from_utf8(text).ok()?;
    (!text.chars().any(char::is_control)).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns what the first fault probably means, and why it is dangerous.
    fn told(form: Form, bytes: &[u8]) -> (Vec<String>, Option<&'static str>) {
        let view = View::new(form, bytes, None);
        let fault = view.items[0].as_fault().unwrap();
        (meant(&view, fault), careless_text(&view, fault).and_then(|(_, why)| why))
    }

    #[test]
    fn what_was_meant_is_what_some_form_writes() {
        for (form, bytes, expected) in [
            (Form::Utf8, &b"\xC0\x80"[..], "U+0000 “NUL” as Modified UTF-8 (Java) writes it"),
            (
                Form::Utf8,
                b"\xC1\xA1",
                "U+0061 “a” in more bytes than it needs: rarely an accident, often an attack",
            ),
            (Form::Utf8, b"\xE0\x82\xA9", "U+00A9 “©” in more bytes than it needs"),
            (Form::Utf8, b"\xF8\x80\x82\x82\xAC", "U+20AC “€” in more bytes than it needs"),
            (Form::Utf8, b"\xFC\x80\x80\x80\x82\x80", "U+0080 “PAD” in more bytes than it needs"),
            (Form::Utf8, b"\xED\xA0\x80", "U+D800, a surrogate as WTF-8 and Python's surrogatepass write it"),
            (Form::Utf8, b"\xF4\x90\x80\x80", "U+110000 in the form of RFC 2279, which went to U+7FFFFFFF"),
            (
                Form::Utf8,
                b"\xF8\x88\x80\x80\x80",
                "U+200000 in the form of RFC 2279, which went to U+7FFFFFFF",
            ),
            (Form::Cesu8, "😀".as_bytes(), "U+1F600 “😀” as UTF-8 writes it"),
            (Form::Mutf8, "😀".as_bytes(), "U+1F600 “😀” as UTF-8 writes it"),
            (Form::Utf8Mb3, "😀".as_bytes(), "U+1F600 “😀” as UTF-8 writes it"),
            (Form::Unicode11Utf8, "가".as_bytes(), "U+AC00 “가” as UTF-8 writes it"),
        ] {
            assert_eq!(told(form, bytes).0[0], expected, "{form} {bytes:X?}");
        }
    }

    #[test]
    fn bytes_of_units_are_no_windows_1252() {
        assert_eq!(told(Form::Utf16Be, b"\xD8\x3D\0A").0, [""; 0]);
        assert_eq!(told(Form::UsAscii, b"\xE9").0, ["“é” in windows-1252"]);
    }

    #[test]
    fn two_spellings_are_a_danger_where_there_are_two() {
        assert!(told(Form::Cesu8, "😀".as_bytes()).1.unwrap().contains("two spellings"));
        assert_eq!(told(Form::Utf8Mb3, "😀".as_bytes()).1, None);
    }
}
