//! Decodes EUC-TW and Johab well enough to recognise them. No library in use here decodes them.
#![forbid(unsafe_code)]

use encoding_rs::BIG5;

/// What bytes begin with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Head {
    Character {
        unit: u16,
        len: usize,
    },
    Malformed,
    /// A character that is cut off at the end.
    Incomplete,
}

/// Reads a character of EUC-TW; `bytes` are not empty.
///
/// The ideographs of plane 1 are those of Big5's first level in almost the same order; the other planes
/// are read as one rare ideograph.
pub(super) fn euc_tw(bytes: &[u8]) -> Head {
    let high = |i: usize| bytes.get(i).is_none_or(|byte| (0xA1..0xFF).contains(byte));
    match bytes {
        [byte @ ..0x80, ..] => Head::Character { unit: u16::from(*byte), len: 1 },
        [0x8E, ..] if bytes.get(1).is_none_or(|p| (0xA1..0xB1).contains(p)) && high(2) && high(3) => {
            if bytes.len() < 4 { Head::Incomplete } else { Head::Character { unit: RARE, len: 4 } }
        }
        [0xA1..=0xA9 | 0xC2 | 0xC4..=0xFD, ..] if high(1) => match bytes {
            [lead, trail, ..] => Head::Character { unit: plane_1(*lead, *trail), len: 2 },
            _ => Head::Incomplete,
        },
        _ => Head::Malformed,
    }
}

/// An ideograph that is in no list of frequent ones.
const RARE: u16 = 0x9FA5;
const SYMBOL: u16 = '※' as u16;

fn plane_1(lead: u8, trail: u8) -> u16 {
    let Some(row) = lead.checked_sub(0xC4) else {
        return if (lead, trail) == (0xA1, 0xA2) { '，' as u16 } else { SYMBOL };
    };
    let index = usize::from(row) * 94 + usize::from(trail - 0xA1);
    let column = (index % 157) as u8;
    let big5 = [0xA4 + (index / 157) as u8, if column < 63 { 0x40 + column } else { 0xA1 - 63 + column }];
    let text = BIG5.decode_without_bom_handling(&big5).0;
    text.encode_utf16().next().unwrap_or(RARE)
}

/// Reads a character of Johab; `bytes` are not empty. The two bytes of a syllable hold its three letters, five bits each.
pub(super) fn johab(bytes: &[u8]) -> Head {
    let (lead, trail) = match bytes {
        [byte @ ..0x80, ..] => return Head::Character { unit: u16::from(*byte), len: 1 },
        [lead @ (0x84..=0xD3 | 0xD8..=0xDE | 0xE0..=0xF9), trail, ..] => (*lead, *trail),
        [0x84..=0xD3 | 0xD8..=0xDE | 0xE0..=0xF9] => return Head::Incomplete,
        _ => return Head::Malformed,
    };
    let unit = match (lead, trail) {
        (0xD8..=0xDE, 0x31..=0x7E | 0x91..=0xFE) => Some(SYMBOL),
        (0xE0..=0xF9, 0x31..=0x7E | 0x91..=0xFE) => Some(RARE),
        (0x84..=0xD3, 0x41..=0x7E | 0x81..=0xFE) => syllable(lead, trail),
        _ => None,
    };
    unit.map_or(Head::Malformed, |unit| Head::Character { unit, len: 2 })
}

fn syllable(lead: u8, trail: u8) -> Option<u16> {
    let bits = u16::from(lead) << 8 | u16::from(trail);
    let initial = (bits >> 10 & 31).checked_sub(2).filter(|i| *i < 19)?;
    let medial = match bits >> 5 & 31 {
        v @ 3..=7 => v - 3,
        v @ 10..=15 => v - 5,
        v @ 18..=23 => v - 7,
        v @ 26..=29 => v - 9,
        _ => return None,
    };
    let last = match bits & 31 {
        t @ 1..=17 => t - 1,
        t @ 19..=29 => t - 2,
        _ => return None,
    };
    Some(0xAC00 + (initial * 21 + medial) * 28 + last)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(bytes: &[u8], next: fn(&[u8]) -> Head) -> Vec<u16> {
        let mut rest = bytes;
        let mut units = Vec::new();
        while !rest.is_empty() {
            let Head::Character { unit, len } = next(rest) else { panic!("{rest:02X?}") };
            units.push(unit);
            rest = &rest[len..];
        }
        units
    }

    #[test]
    fn johab_syllables() {
        let text: Vec<u16> = "한글 가힝".encode_utf16().collect();
        assert_eq!(read(b"\xD0\x65\x8B\x69 \x88\x61\xD3\xB7", johab), text);
        assert_eq!(johab(b"\x88"), Head::Incomplete);
        assert_eq!(johab(b"\x80a"), Head::Malformed);
    }

    #[test]
    fn euc_tw_ideographs() {
        let text: Vec<u16> = "一乙人中".encode_utf16().collect();
        assert_eq!(read(b"\xC4\xA1\xC4\xA2\xC4\xA9\xC4\xE3", euc_tw), text);
        assert_eq!(euc_tw(b"\x8E\xA2\xA1"), Head::Incomplete);
        assert_eq!(euc_tw(b"\xC4A"), Head::Malformed);
    }
}
