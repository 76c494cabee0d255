//! Says what is wrong, what was expected, and what each policy replaces it by.

use placemat::boundary::announced_length;
use placemat::{CodePoint, Decision, Error, ErrorKind, Form, Handler, Layout, Policy, Transcoder};

use super::layout::{Reading, followers, openers, ranges, read, written};
use super::view::{Fault, View};
use crate::character;
use crate::notation::hex;

/// `U+20AC “€”`, or only the code point if it is invisible.
pub(crate) fn quoted(c: CodePoint) -> String {
    match character::glyph(c) {
        glyph if glyph.is_empty() => c.to_string(),
        glyph => format!("{c} “{glyph}”"),
    }
}

fn several(n: usize, what: &str) -> String {
    if n == 1 { format!("1 {what}") } else { format!("{n} {what}s") }
}

/// The bytes of an error.
pub(crate) fn malformed<'a>(view: &View<'a>, error: &Error) -> &'a [u8] {
    let start = error.offset() as usize;
    &view.bytes[start..start + usize::from(error.length())]
}

/// Says why one error is an error, in a sentence.
pub(crate) fn reason(view: &View<'_>, error: &Error) -> String {
    let bad = malformed(view, error);
    let next = view.bytes.get(error.range().end as usize).copied();
    let told = match view.layout {
        Layout::Announced => multibyte_reason(view.form, bad, next, error.kind()),
        Layout::Units { size, big_endian } => units_reason(size, big_endian, bad, error.kind()),
        Layout::Biased | Layout::Base64 | Layout::Plain => None,
    };
    if let Some(text) = told {
        return text;
    }
    format!("{} is malformed in {}: {}.", hex(bad), view.form, general(error.kind()))
}

fn multibyte_reason(form: Form, bad: &[u8], next: Option<u8>, kind: ErrorKind) -> Option<String> {
    let lead = *bad.first()?;
    let bytes = hex(bad);
    let due = announced_length(lead);
    Some(match kind {
        ErrorKind::UnexpectedContinuation => {
            format!("{bytes} only ever continues a sequence, and none is open here.")
        }
        ErrorKind::MissingContinuation => {
            let next = next?;
            format!(
                "{bytes} opens a sequence of {}, but {next:02X} cannot continue it.",
                several(due, "byte")
            )
        }
        ErrorKind::Truncated if bad.len() == due => {
            format!("The input ends after {bytes}, the first half of a pair: the second is missing.")
        }
        ErrorKind::Truncated => format!(
            "The input ends inside a sequence of {}: {} missing.",
            several(due, "byte"),
            match due.saturating_sub(bad.len()) {
                1 => "1 is".to_owned(),
                n => format!("{n} are"),
            }
        ),
        ErrorKind::Overlong if due == 2 => {
            format!(
                "{bytes} could only begin a character below U+0080 written in two bytes; only its one-byte form is valid."
            )
        }
        ErrorKind::Overlong => format!(
            "{bytes} {:02X} would write a value that fits in {} or fewer; only the shortest form is well-formed.",
            next?,
            several(due - 1, "byte")
        ),
        ErrorKind::Surrogate if bad.len() == due => match bad[1] {
            0xB0.. => format!("{bytes} is the second half of a pair, and no first half stands before it."),
            _ => format!("{bytes} is the first half of a pair, and no second half follows."),
        },
        ErrorKind::Surrogate => format!(
            "{bytes} {:02X} would write a surrogate, U+D800..U+DFFF: those belong to UTF-16 and are no characters.",
            next?
        ),
        ErrorKind::TooLarge if lead == 0xF4 => {
            format!("{bytes} {:02X} would write a value above U+10FFFF, the last code point.", next?)
        }
        ErrorKind::TooLarge => {
            format!("{bytes} could only begin values above U+10FFFF, the last code point.")
        }
        ErrorKind::InvalidByte => format!("{bytes} is in no sequence of {form}."),
        // `NonCanonical`. A new kind needs a sentence in `GENERAL`; without it the crate does not compile.
        _ => return None,
    })
}

fn units_reason(size: usize, big_endian: bool, bad: &[u8], kind: ErrorKind) -> Option<String> {
    if kind == ErrorKind::Truncated {
        return Some(match bad.len() {
            odd if odd < size => format!("{} left over: a code unit has {size}.", several(odd, "byte")),
            _ => "The input ends inside a surrogate pair.".to_owned(),
        });
    }
    let unit = bad.get(..size)?;
    let value = if big_endian {
        unit.iter().fold(0, |value, &byte| value << 8 | u32::from(byte))
    } else {
        unit.iter().rev().fold(0, |value, &byte| value << 8 | u32::from(byte))
    };
    Some(match (kind, value) {
        (ErrorKind::Surrogate, _) if size == 4 => {
            format!("{value:04X} is a surrogate: those belong to UTF-16 and are no characters.")
        }
        (ErrorKind::Surrogate, 0xD800..=0xDBFF) => {
            format!("{value:04X} is the first half of a pair, and no second half follows.")
        }
        (ErrorKind::Surrogate, _) => {
            format!("{value:04X} is the second half of a pair, and no first half stands before it.")
        }
        (ErrorKind::TooLarge, _) => format!("{value:X} is above 10FFFF, the last code point."),
        _ => return None,
    })
}

/// A description of each kind of error, for any form. Without an entry for a new kind, the length and the assertion below
/// fail to compile.
const GENERAL: [(ErrorKind, &str); ErrorKind::ALL.len()] = [
    (ErrorKind::UnexpectedContinuation, "it continues a sequence, and none is open here"),
    (ErrorKind::MissingContinuation, "what follows cannot continue the sequence"),
    (ErrorKind::Truncated, "the input ends inside a sequence"),
    (ErrorKind::Overlong, "the value has a shorter form, the only one that is well-formed"),
    (ErrorKind::Surrogate, "a surrogate stands alone"),
    (ErrorKind::TooLarge, "the value is above the last one of the form"),
    (ErrorKind::InvalidByte, "no sequence contains it"),
    (ErrorKind::NonCanonical, "the value is right, but the form writes it in another way"),
    (ErrorKind::Unencodable, "the form cannot carry it"),
];

const _: () = {
    let mut at = 0;
    while at < GENERAL.len() {
        assert!(GENERAL[at].0 as usize == at, "in the order of the variants");
        at += 1;
    }
};

/// The description of a kind of error, for any form.
pub(crate) fn general(kind: ErrorKind) -> &'static str {
    GENERAL[kind as usize].1
}

/// Describes the bytes that would be well-formed in the place of `bad`, or after it if `bad` starts a sequence. `None` for
/// forms in which a single byte has no meaning.
///
/// ```
/// use placemat::Form;
/// use placemat_text::explain::expected;
///
/// assert_eq!(expected(Form::Utf8, b"\xE0").as_deref(), Some("A0..BF after E0"));
/// assert_eq!(expected(Form::Utf8, b"\xFF").as_deref(), Some("00..7F, or a lead byte C2..F4"));
/// ```
pub fn expected(form: Form, bad: &[u8]) -> Option<String> {
    if matches!(form.facts().layout, Layout::Units { .. } | Layout::Base64) {
        return None;
    }
    let after = followers(form, bad);
    let is_half = || matches!(read(form, &[bad, b"\xED\xB0\x80"].concat()), Reading::Whole(_));
    Some(match after.is_empty() {
        true if is_half() => format!("ED B0..BF 80..BF after {}", hex(bad)),
        true => openers(form).to_owned(),
        false => format!("{} after {}", written(&ranges(after)), hex(bad)),
    })
}

/// The result of one policy for one fault.
pub(crate) enum StandIn {
    Stops,
    Text(Vec<CodePoint>),
}

/// Returns the result of each policy for every fault: one entry per policy, one stand-in per fault.
pub(crate) fn stand_ins(view: &View<'_>, faults: &[&Fault]) -> Vec<(&'static str, Vec<StandIn>)> {
    Policy::ALL
        .iter()
        .filter(|(_, policy)| policy.fits(view.form, Form::Ucs4Be).is_ok())
        .map(|&(name, policy)| (name, under(view, faults, policy)))
        .collect()
}

/// A handler that records what a policy decides, and never stops.
struct Watched {
    policy: Policy,
    decided: Vec<(u64, StandIn)>,
}

impl Handler for &mut Watched {
    fn decide(&mut self, fault: &placemat::Fault<'_>, text: &mut placemat::Text) -> Decision {
        let before = text.code_points().len();
        let stand_in = match self.policy.decide(fault, text) {
            Decision::Stop => StandIn::Stops,
            Decision::Resume => StandIn::Text(text.code_points()[before..].to_vec()),
        };
        self.decided.push((fault.error.offset(), stand_in));
        Decision::Resume
    }

    fn size(&self) -> placemat::ErrorSize {
        self.policy.size
    }
}

fn under(view: &View<'_>, faults: &[&Fault], policy: Policy) -> Vec<StandIn> {
    let mut watched = Watched { policy, decided: Vec::new() };
    let transcoder = Transcoder::new(view.form, Form::Ucs4Be).on_error(&mut watched);
    // This cannot fail: the target carries every code point, and the handler never stops.
    let _ = placemat::length_with(transcoder, view.bytes);
    let mut decided = watched.decided.into_iter().peekable();
    faults
        .iter()
        .map(|fault| {
            while decided.next_if(|(at, _)| *at < fault.range.start as u64).is_some() {}
            let mut text = Vec::new();
            let mut stops = false;
            while let Some((_, stand_in)) = decided.next_if(|(at, _)| *at < fault.range.end as u64) {
                match stand_in {
                    StandIn::Stops => stops = true,
                    StandIn::Text(more) => text.extend(more),
                }
            }
            if stops { StandIn::Stops } else { StandIn::Text(text) }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_expected_is_what_the_form_reads() {
        for (form, bytes, text) in [
            (Form::Utf8, &b"\xFF"[..], "00..7F, or a lead byte C2..F4"),
            (Form::Utf8, b"\xE0\x80", "A0..BF after E0"),
            (Form::Cesu8, b"\xF0\x9F\x98\x80", "00..7F, or a lead byte C2..EF"),
            (Form::Cesu8, b"\xED\xA0\x80A", "ED B0..BF 80..BF after ED A0 80"),
            (Form::Mutf8, b"\0", "01..7F, or a lead byte C0, C2..EF"),
            (Form::Mutf8Art, b"\0", "01..7F, or a lead byte C0..F4"),
            (Form::Mutf8, b"\xC0\x81", "80 after C0"),
            (Form::Utf1, b"\xFE", "00..9F, or a lead byte A0..FD"),
            (Form::Utf1, b"\xA1", "21..7E, A0..FF after A1"),
            (Form::FssUtf199207, b"\xFE", "00..7F, or a lead byte 80..F7"),
            (Form::UsAscii, b"\x80", "00..7F"),
        ] {
            let view = View::new(form, bytes, None);
            let error = placemat::errors(form, bytes).next().unwrap();
            assert_eq!(expected(form, malformed(&view, &error)).as_deref(), Some(text), "{form} {bytes:X?}");
        }
    }

    #[test]
    fn where_the_input_ends_what_is_missing_is_said() {
        for (bytes, said) in [
            (&b"\xED\xA0"[..], "The input ends inside a sequence of 3 bytes: 1 is missing."),
            (
                b"\xED\xA0\xBD",
                "The input ends after ED A0 BD, the first half of a pair: the second is missing.",
            ),
        ] {
            let view = View::new(Form::Cesu8, bytes, None);
            let error = placemat::errors(Form::Cesu8, bytes).next().unwrap();
            assert_eq!(reason(&view, &error), said);
        }
    }

    #[test]
    fn half_a_pair_is_called_so_where_pairs_are_written() {
        for (bytes, half) in [(b"\xED\xA0\x80A", "first half"), (b"\xED\xB0\x80A", "second half")] {
            let view = View::new(Form::Cesu8, bytes, None);
            let error = placemat::errors(Form::Cesu8, bytes).next().unwrap();
            assert!(reason(&view, &error).contains(half), "{}", reason(&view, &error));
        }
    }
}
