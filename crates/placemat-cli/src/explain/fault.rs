//! What is wrong, what was expected, what a careless decoder reads, and what was probably meant.

use placemat::{CodePoint, Error, ErrorKind, Form, Handler, Policy, Transcoder, Verdict};

use super::character;
use super::danger;
use super::layout::{Layout, announced, followers};
use super::view::{Fault, View};

/// `E2 82 AC`.
pub(crate) fn hex(bytes: &[u8]) -> String {
    let digits: Vec<String> = bytes.iter().map(|byte| format!("{byte:02X}")).collect();
    digits.join(" ")
}

/// `U+20AC “€”`, or the code point alone where nothing can be seen.
pub(crate) fn quoted(c: CodePoint) -> String {
    match character::glyph(c) {
        glyph if glyph.is_empty() => c.to_string(),
        glyph => format!("{c} “{glyph}”"),
    }
}

fn several(n: usize, what: &str) -> String {
    if n == 1 { format!("1 {what}") } else { format!("{n} {what}s") }
}

/// The reason for one error in a sentence.
pub(crate) fn reason(view: &View<'_>, error: &Error) -> String {
    let start = error.offset() as usize;
    let bad = &view.bytes[start..start + usize::from(error.length())];
    let next = view.bytes.get(start + bad.len()).copied();
    let told = match view.layout {
        Layout::Announced => multibyte_reason(view.form, bad, next, error.kind()),
        Layout::Units { size, big } => units_reason(size, big, bad, error.kind()),
        _ => None,
    };
    if let Some(text) = told {
        return text;
    }
    format!("{} is malformed in {}: {}.", hex(bad), view.form, general(error.kind()))
}

fn multibyte_reason(form: Form, bad: &[u8], next: Option<u8>, kind: ErrorKind) -> Option<String> {
    let lead = *bad.first()?;
    let bytes = hex(bad);
    let due = announced(lead);
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
                "{bytes} could only write a character below U+0080 in two bytes; the one byte itself is its only form."
            )
        }
        ErrorKind::Overlong => format!(
            "{bytes} {:02X} would write a value that fits in {} or fewer; only the shortest form is well-formed.",
            next?,
            several(due - 1, "byte")
        ),
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
        _ => return None,
    })
}

fn units_reason(size: usize, big: bool, bad: &[u8], kind: ErrorKind) -> Option<String> {
    if kind == ErrorKind::Truncated {
        return Some(match bad.len() {
            odd if odd < size => format!("{} left over: a code unit has {size}.", several(odd, "byte")),
            _ => "The input ends inside a surrogate pair.".to_owned(),
        });
    }
    let unit = bad.get(..size)?;
    let value = if big {
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

/// A kind of error in words, for any form.
pub(crate) fn general(kind: ErrorKind) -> &'static str {
    match kind {
        ErrorKind::UnexpectedContinuation => "it continues a sequence, and none is open here",
        ErrorKind::MissingContinuation => "what follows cannot continue the sequence",
        ErrorKind::Truncated => "the input ends inside a sequence",
        ErrorKind::Overlong => "the value has a shorter form, the only one that is well-formed",
        ErrorKind::Surrogate => "a surrogate stands alone",
        ErrorKind::TooLarge => "the value is above the last one of the form",
        ErrorKind::InvalidByte => "no sequence contains it",
        ErrorKind::NonCanonical => "the value is right, but the form writes it in another way",
        _ => "the form cannot carry it",
    }
}

/// What would have been well-formed in the place of the error or after it.
pub(crate) fn expected(view: &View<'_>, error: &Error) -> Option<String> {
    if !matches!(view.layout, Layout::Announced | Layout::Biased) {
        return None;
    }
    let start = error.offset() as usize;
    let bad = &view.bytes[start..start + usize::from(error.length())];
    match followers(view.form, bad) {
        Some((first, last)) => Some(format!("{first:02X}..{last:02X} after {}", hex(bad))),
        None => {
            let leads: Vec<u8> =
                (0x80..=0xFF).filter(|&lead| followers(view.form, &[lead]).is_some()).collect();
            let (first, last) = (leads.first()?, leads.last()?);
            Some(format!("00..7F, or a lead byte {first:02X}..{last:02X}"))
        }
    }
}

/// What a decoder makes of a fault that takes the announced number of bytes and checks nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Careless {
    pub(crate) value: CodePoint,
    /// Bytes that were no part of the sequence and are gone.
    pub(crate) swallowed: Vec<u8>,
}

/// See [`Careless`]; `None` where no lead announces a length.
pub(crate) fn careless(view: &View<'_>, fault: &Fault) -> Option<Careless> {
    let bytes = &view.bytes[fault.range.start..];
    let lead = *bytes.first()?;
    let due = announced(lead);
    if view.layout != Layout::Announced || due == 0 {
        return None;
    }
    let taken = &bytes[..due.min(bytes.len())];
    if taken.len() < due {
        return None;
    }
    let mut value = u32::from(lead) & (0x7F >> due);
    for tail in &taken[1..] {
        value = value << 6 | u32::from(tail & 0x3F);
    }
    let swallowed = taken.get(fault.range.len()..).unwrap_or_default().to_vec();
    Some(Careless { value: CodePoint::new(value)?, swallowed })
}

/// The sentence about it, and why it was an attack.
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
        return Some((quoted(careless.value), danger::of(careless.value)));
    }
    let text = format!("{}, with {} swallowed", quoted(careless.value), hex(&careless.swallowed));
    let eats_ascii = careless.swallowed.iter().any(u8::is_ascii);
    Some((text, Some(if eats_ascii { danger::SWALLOWED } else { danger::SWALLOWED_OTHER })))
}

/// The code point of a surrogate pair that was written as two sequences.
pub(crate) fn pair(view: &View<'_>, fault: &Fault) -> Option<CodePoint> {
    let bytes = &view.bytes[fault.range.clone()];
    if view.layout != Layout::Announced || bytes.len() != 6 || bytes[0] != 0xED || bytes[3] != 0xED {
        return None;
    }
    let unit = |at: usize| 0xD000 | u32::from(bytes[at] & 0x3F) << 6 | u32::from(bytes[at + 1] & 0x3F);
    CodePoint::new(0x1_0000 + ((unit(1) & 0x3FF) << 10 | unit(4) & 0x3FF))
}

/// What the author probably meant, most likely first.
pub(crate) fn meant(view: &View<'_>, fault: &Fault) -> Vec<String> {
    let bytes = &view.bytes[fault.range.clone()];
    let mut guesses = Vec::new();
    if let Some(c) = pair(view, fault) {
        return vec![format!("{} as CESU-8 writes it", quoted(c))];
    }
    match careless(view, fault) {
        Some(Careless { value, swallowed }) if swallowed.is_empty() => guesses.extend(by_value(bytes, value)),
        _ => guesses.extend(cut_short(view, fault, bytes)),
    }
    if let Some(text) = windows_1252(bytes) {
        guesses.push(format!("“{text}” in windows-1252"));
    }
    guesses
}

fn by_value(bytes: &[u8], value: CodePoint) -> Option<String> {
    Some(match (bytes.len(), value.value()) {
        (2, 0) => "U+0000 as Modified UTF-8 (Java) writes it".to_owned(),
        (_, 0..=0x7F) => {
            format!("{} in more bytes than it needs: an accident hardly ever, an attack often", quoted(value))
        }
        (_, 0xD800..=0xDFFF) => format!("{value}, a surrogate as WTF-8 and Python's surrogatepass write it"),
        (5 | 6, _) => format!("{value} in the form of RFC 2279, which went to U+7FFFFFFF"),
        (_, 0x11_0000..) => return None,
        _ => format!("{} in more bytes than it needs", quoted(value)),
    })
}

/// The characters that a cut sequence could have been.
fn cut_short(view: &View<'_>, fault: &Fault, bytes: &[u8]) -> Option<String> {
    let error = fault.errors.first()?;
    let is_cut = matches!(error.kind(), ErrorKind::Truncated | ErrorKind::MissingContinuation);
    if view.layout != Layout::Announced || !is_cut || bytes.len() < 2 {
        return None;
    }
    let due = announced(bytes[0]);
    let fill = |tail: u8| {
        let mut whole = bytes.to_vec();
        whole.resize(due, tail);
        std::str::from_utf8(&whole).ok()?.chars().next()
    };
    let (first, last) = (fill(0x80)?, fill(0xBF)?);
    Some(format!("a character of U+{:04X}..U+{:04X}, cut short", u32::from(first), u32::from(last)))
}

/// The bytes as windows-1252, if that is text rather than noise.
fn windows_1252(bytes: &[u8]) -> Option<String> {
    if bytes.len() > 2 || bytes.iter().all(u8::is_ascii) {
        return None;
    }
    let text = placemat::convert(Form::Windows1252, Form::Utf8, bytes).ok()?;
    let text = String::from_utf8(text).ok()?;
    (!text.chars().any(char::is_control)).then_some(text)
}

/// What stands for one fault under one policy.
pub(crate) enum StandIn {
    Stops,
    Text(Vec<CodePoint>),
}

/// What each policy puts in the place of every fault: one entry a policy, one stand-in a fault.
pub(crate) fn stand_ins(view: &View<'_>, faults: &[&Fault]) -> Vec<(&'static str, Vec<StandIn>)> {
    Policy::ALL
        .iter()
        .filter(|(_, policy)| policy.misfit(view.form, Form::Ucs4Be).is_none())
        .map(|&(name, policy)| (name, under(view, faults, policy)))
        .collect()
}

/// Watches a policy decide.
struct Watched {
    policy: Policy,
    decided: Vec<(u64, StandIn)>,
}

impl Handler for &mut Watched {
    fn decide(&mut self, fault: &placemat::Fault<'_>, text: &mut placemat::Text) -> Verdict {
        let before = text.code_points().len();
        let stand_in = match self.policy.decide(fault, text) {
            Verdict::Stop => StandIn::Stops,
            Verdict::Resume => StandIn::Text(text.code_points()[before..].to_vec()),
        };
        self.decided.push((fault.error.offset(), stand_in));
        Verdict::Resume
    }

    fn size(&self) -> placemat::ErrorSize {
        self.policy.size
    }
}

fn under(view: &View<'_>, faults: &[&Fault], policy: Policy) -> Vec<StandIn> {
    let mut watched = Watched { policy, decided: Vec::new() };
    let transcoder = Transcoder::new(view.form, Form::Ucs4Be).on_error(&mut watched);
    // The target carries everything and the watcher never stops, so this cannot fail.
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
