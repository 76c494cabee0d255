//! The role of each byte in a form: which of its bits are markers, and which part of a sequence it is.
//!
//! There is no list of forms here: the form's reader is called for each byte, and the layout is one of the form's facts.

use std::sync::OnceLock;

use placemat::{CodePoint, ErrorKind, Form, Layout, sequences};

use super::document::Ink;

/// The number of leading bits of the byte that are markers. `at` is the position of the byte in its sequence.
pub(crate) fn markers(layout: Layout, byte: u8, at: usize) -> u32 {
    match layout {
        Layout::Announced => (byte.leading_ones() + 1).min(8),
        Layout::Biased if at > 0 => 1,
        Layout::Biased => (byte.leading_ones() + 1).min(8),
        // D8 to DF are the high bytes of surrogates: 1101 10 or 1101 11, then payload.
        Layout::Units { size: 2, big_endian }
            if at.is_multiple_of(2) == big_endian && byte & 0xF8 == 0xD8 =>
        {
            6
        }
        Layout::Units { .. } | Layout::Base64 | Layout::Plain => 0,
    }
}

/// How a form reads some bytes as one sequence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reading {
    /// One character.
    Whole(CodePoint),
    /// The start of a well-formed sequence.
    Begun,
    /// Malformed.
    Wrong(ErrorKind),
}

/// Reads `bytes` as one sequence.
pub(crate) fn read(form: Form, bytes: &[u8]) -> Reading {
    let mut all = sequences(form, bytes);
    let Some(first) = all.next() else { return Reading::Begun };
    match first.code_point() {
        Ok(c) if first.range().len() == bytes.len() => Reading::Whole(c),
        Ok(_) => Reading::Wrong(ErrorKind::UnexpectedContinuation),
        Err(error) if error.kind() == ErrorKind::Truncated && first.range().len() == bytes.len() => {
            Reading::Begun
        }
        Err(error) => Reading::Wrong(error.kind()),
    }
}

/// Returns the bytes that may follow this start of a sequence, ascending.
pub(crate) fn followers(form: Form, beginning: &[u8]) -> Vec<u8> {
    let mut longer = [beginning, &[0]].concat();
    let at = beginning.len();
    let follows = |&byte: &u8| {
        longer[at] = byte;
        !matches!(read(form, &longer), Reading::Wrong(_))
    };
    (0..=0xFF).filter(follows).collect()
}

/// Joins ascending bytes to ranges of a first and a last byte.
pub(crate) fn ranges(bytes: impl IntoIterator<Item = u8>) -> Vec<(u8, u8)> {
    let mut ranges: Vec<(u8, u8)> = Vec::new();
    for byte in bytes {
        match ranges.last_mut() {
            Some((_, last)) if last.checked_add(1) == Some(byte) => *last = byte,
            _ => ranges.push((byte, byte)),
        }
    }
    ranges
}

/// Writes ranges as `21..7E, A0`.
pub(crate) fn written(ranges: &[(u8, u8)]) -> String {
    let one = |&(first, last): &(u8, u8)| {
        if first == last { format!("{first:02X}") } else { format!("{first:02X}..{last:02X}") }
    };
    ranges.iter().map(one).collect::<Vec<_>>().join(", ")
}

/// Returns the first or the last character whose sequence starts with these bytes, and the whole sequence.
pub(crate) fn edge(form: Form, beginning: &[u8], first: bool) -> Option<(CodePoint, Vec<u8>)> {
    match read(form, beginning) {
        Reading::Whole(c) => Some((c, beginning.to_vec())),
        Reading::Begun if beginning.len() < 6 => {
            let next = followers(form, beginning);
            if next.is_empty() {
                // No single byte is a valid start for the second half of a surrogate pair, so all three bytes are tried.
                let half = if first { [0xED, 0xB0, 0x80] } else { [0xED, 0xBF, 0xBF] };
                return edge(form, &[beginning, &half].concat(), first);
            }
            // The first follower may lead to no character, such as that of a lone low surrogate. Then the others are tried.
            let longer = |byte: &u8| edge(form, &[beginning, &[*byte]].concat(), first);
            if first { next.iter().find_map(longer) } else { next.iter().rev().find_map(longer) }
        }
        Reading::Begun | Reading::Wrong(_) => None,
    }
}

/// Describes the bytes with which a sequence may start: `00..7F, or a lead byte C2..F4`.
pub(crate) fn openers(form: Form) -> &'static str {
    // The result is kept, since it takes thousands of readings.
    static KNOWN: [OnceLock<String>; Form::ALL.len()] = [const { OnceLock::new() }; Form::ALL.len()];
    KNOWN[form as usize].get_or_init(|| {
        let (singles, leads): (Vec<u8>, Vec<u8>) = followers(form, &[])
            .into_iter()
            .filter(|&byte| edge(form, &[byte], true).is_some())
            .partition(|&byte| matches!(read(form, &[byte]), Reading::Whole(_)));
        let (singles, leads) = (written(&ranges(singles)), written(&ranges(leads)));
        if leads.is_empty() { singles } else { format!("{singles}, or a lead byte {leads}") }
    })
}

/// The role of a byte at the start of a sequence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Class {
    Ascii,
    /// A character by itself that is not ASCII.
    Single,
    Continuation,
    Lead,
    /// A lead byte that not every continuation byte may follow.
    Limited,
    Never(ErrorKind),
}

impl Class {
    /// Returns the class of a byte in a form whose code units are bytes.
    pub(crate) fn of(form: Form, byte: u8) -> Class {
        match read(form, &[byte]) {
            Reading::Whole(_) if byte < 0x80 => Class::Ascii,
            Reading::Whole(_) => Class::Single,
            Reading::Wrong(ErrorKind::UnexpectedContinuation) => Class::Continuation,
            Reading::Wrong(kind) => Class::Never(kind),
            Reading::Begun => {
                let second = |first| edge(form, &[byte], first)?.1.get(1).copied();
                let is_limited = (second(true), second(false)) != (Some(0x80), Some(0xBF));
                if form.facts().layout == Layout::Announced && is_limited {
                    Class::Limited
                } else {
                    Class::Lead
                }
            }
        }
    }

    pub(crate) fn ink(self) -> Ink {
        match self {
            Class::Ascii => Ink::Ascii,
            Class::Continuation => Ink::Continuation,
            Class::Single | Class::Lead => Ink::Lead,
            Class::Limited => Ink::Limited,
            Class::Never(_) => Ink::Never,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_come_from_the_reader() {
        let of = |byte| Class::of(Form::Utf8, byte);
        assert_eq!(of(b'A'), Class::Ascii);
        assert_eq!(of(0x80), Class::Continuation);
        assert_eq!(of(0xC0), Class::Never(ErrorKind::Overlong));
        assert_eq!(of(0xC2), Class::Lead);
        assert_eq!(of(0xED), Class::Limited);
        assert_eq!(of(0xFF), Class::Never(ErrorKind::InvalidByte));
        assert_eq!(Class::of(Form::Utf8Surrogates, 0xED), Class::Lead);
    }

    #[test]
    fn surrogates_have_six_marker_bits_in_either_order() {
        assert_eq!(markers(Form::Utf16Be.facts().layout, 0xD8, 0), 6);
        assert_eq!(markers(Form::Utf16Le.facts().layout, 0xD8, 0), 0);
        assert_eq!(markers(Form::Utf16Le.facts().layout, 0xD8, 1), 6);
    }
}
