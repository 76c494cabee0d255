//! Kernels for every CPU, with words of eight bytes and the standard library.

#![forbid(unsafe_code)]

use core::mem::MaybeUninit;

use super::measure::Measured;
use super::{Done, Progress, Valid, put};
use crate::policy::Fixed;

const HIGH: u64 = 0x8080_8080_8080_8080;

/// Returns the length of the ASCII prefix.
pub(crate) fn ascii_prefix(src: &[u8]) -> usize {
    let (words, rest) = src.as_chunks();
    for (i, word) in words.iter().enumerate() {
        let high = u64::from_le_bytes(*word) & HIGH;
        if high != 0 {
            return 8 * i + high.trailing_zeros() as usize / 8;
        }
    }
    8 * words.len() + rest.iter().take_while(|byte| byte.is_ascii()).count()
}

/// Converts UTF-8 to ISO 8859-1, up to a character that this does not have.
pub(crate) fn utf8_to_latin1(src: &[u8], dst: &mut [MaybeUninit<u8>], _: Fixed) -> Done {
    let (mut read, mut written) = (0, 0);
    loop {
        let (rest, room) = (&src[read..], &mut dst[written..]);
        let ascii = ascii_prefix(&rest[..rest.len().min(room.len())]);
        put(&rest[..ascii], room);
        (read, written) = (read + ascii, written + ascii);
        let ([lead @ (0xC2 | 0xC3), tail @ 0x80..0xC0, ..], [place, ..]) =
            (&rest[ascii..], &mut room[ascii..])
        else {
            return Done::new(Progress { read, written, replaced: 0 });
        };
        place.write(lead << 6 | tail & 0x3F);
        (read, written) = (read + 2, written + 1);
    }
}

/// Whether a text of at most sixteen bytes is ASCII, without a loop. `false` for longer ones: for those, a misprediction of the length would
/// cost more than a call.
#[inline(always)]
pub(crate) fn is_short_ascii(src: &[u8]) -> bool {
    if src.len() > 16 {
        return false;
    }
    let all = if let (Some(low), Some(high)) = (src.first_chunk(), src.last_chunk()) {
        u64::from_le_bytes(*low) | u64::from_le_bytes(*high)
    } else if let (Some(low), Some(high)) = (src.first_chunk(), src.last_chunk()) {
        u64::from(u32::from_le_bytes(*low) | u32::from_le_bytes(*high))
    } else if let [first, .., last] = src {
        u64::from(first | src[1] | last)
    } else {
        src.first().map_or(0, |&byte| u64::from(byte))
    };
    all & HIGH == 0
}

/// Whether well-formed UTF-8 has at most sixteen bytes, none of them F0 or above, without a loop.
#[cfg(feature = "alloc")]
#[inline(always)]
pub(crate) fn is_short_and_basic(src: &[u8]) -> bool {
    if src.len() > 16 {
        return false;
    }
    let four = |word: u64| word & word << 1 & word << 2 & word << 3;
    let any = if let (Some(low), Some(high)) = (src.first_chunk(), src.last_chunk()) {
        four(u64::from_le_bytes(*low)) | four(u64::from_le_bytes(*high))
    } else if let (Some(low), Some(high)) = (src.first_chunk(), src.last_chunk()) {
        four(u64::from(u32::from_le_bytes(*low)) | u64::from(u32::from_le_bytes(*high)) << 32)
    } else {
        // A text this short has no sequence of four bytes.
        0
    };
    any & HIGH == 0
}

/// Returns the exact length of the well-formed prefix.
pub(crate) fn utf8_prefix(src: &[u8]) -> Valid {
    match core::str::from_utf8(src) {
        Ok(text) => Valid::near(text.len()),
        Err(error) => Valid::near(error.valid_up_to()),
    }
}

/// The lowest bit of each byte.
const LOW: u64 = HIGH >> 7;

/// Returns how many bytes are of a kind; `kind` sets the lowest bit of those bytes.
#[inline(always)]
fn tally(src: &[u8], kind: impl Fn(u64) -> u64) -> usize {
    // The most words that a byte can count.
    const SPAN: usize = 255;
    let (words, rest) = src.as_chunks();
    let mut n = 0;
    for span in words.chunks(SPAN) {
        let sums = span.iter().fold(0, |sums, word| sums + (kind(u64::from_le_bytes(*word)) & LOW));
        // Adds the sums in pairs of bytes, then all of them.
        let pairs = (sums & 0x00FF_00FF_00FF_00FF) + (sums >> 8 & 0x00FF_00FF_00FF_00FF);
        n += (pairs.wrapping_mul(0x0001_0001_0001_0001) >> 48) as usize;
    }
    rest.iter().fold(n, |n, &byte| n + (kind(byte.into()) & 1) as usize)
}

/// Counts the bytes that are no continuations.
pub(crate) fn utf8_count(src: &[u8]) -> usize {
    tally(src, |word| !word >> 7 | word >> 6)
}

/// Counts the leads of sequences of four bytes.
fn fours(src: &[u8]) -> usize {
    tally(src, |word| word >> 7 & word >> 6 & word >> 5 & word >> 4)
}

pub(crate) fn utf8_in_utf16(src: &[u8]) -> usize {
    utf8_count(src) + fours(src)
}

pub(crate) fn utf8_measure(src: &[u8]) -> Measured {
    Measured { read: src.len(), code_points: utf8_count(src), supplementary: fours(src), utf8: src.len() }
}

pub(crate) fn latin1_in_utf8(src: &[u8]) -> usize {
    src.len() + tally(src, |word| word >> 7)
}

pub(crate) fn latin1(src: &[u8]) -> Measured {
    let utf8 = latin1_in_utf8(src);
    Measured { read: src.len(), code_points: src.len(), supplementary: 0, utf8 }
}

/// Units that are checked together.
const GROUP: usize = 16;

pub(crate) fn utf16_valid<const BIG: bool>(src: &[u8]) -> usize {
    utf16::<BIG>(src).read
}

/// Measures UTF-16 up to the first error.
pub(crate) fn utf16<const BIG: bool>(src: &[u8]) -> Measured {
    let unit = |bytes: [u8; 2]| if BIG { u16::from_be_bytes(bytes) } else { u16::from_le_bytes(bytes) };
    let units = src.as_chunks::<2>().0;
    let (mut at, mut found) = (0, Measured::default());
    loop {
        while let Some(group) = units[at..].first_chunk::<GROUP>() {
            let surrogates = group.iter().fold(0, |n, &u| n + u16::from(unit(u) & 0xF800 == 0xD800));
            if surrogates > 0 {
                break;
            }
            let longer = |n, &u| n + u16::from(unit(u) >= 0x80) + u16::from(unit(u) >= 0x800);
            found.utf8 += GROUP + usize::from(group.iter().fold(0, longer));
            found.code_points += GROUP;
            at += GROUP;
        }
        let end = units.len().min(at + GROUP);
        while at < end {
            let len = match unit(units[at]) {
                0..0x80 => 1,
                0x80..0x800 => 2,
                0xD800..0xDC00 if units.get(at + 1).is_some_and(|&next| unit(next) & 0xFC00 == 0xDC00) => 4,
                0xD800..0xE000 => return Measured { read: 2 * at, ..found },
                _ => 3,
            };
            found.utf8 += len;
            found.code_points += 1;
            found.supplementary += usize::from(len == 4);
            at += 1 + usize::from(len == 4);
        }
        if at >= units.len() {
            return Measured { read: 2 * at, ..found };
        }
    }
}

pub(crate) fn utf32_valid<const BIG: bool>(src: &[u8]) -> usize {
    utf32::<BIG>(src).read
}

/// Measures UTF-32 up to the first error.
pub(crate) fn utf32<const BIG: bool>(src: &[u8]) -> Measured {
    let unit = |bytes: [u8; 4]| if BIG { u32::from_be_bytes(bytes) } else { u32::from_le_bytes(bytes) };
    let is_scalar_value = |unit: u32| unit < 0x11_0000 && unit & 0xFFFF_F800 != 0xD800;
    let mut found = Measured::default();
    for group in src.as_chunks::<4>().0.chunks(GROUP) {
        let bad = group.iter().fold(0, |n, &u| n + u32::from(!is_scalar_value(unit(u))));
        let good = match bad {
            0 => group,
            _ => &group[..group.iter().take_while(|&&u| is_scalar_value(unit(u))).count()],
        };
        let (longer, fours) = good.iter().fold((0, 0), |(longer, fours): (u32, u32), &u| {
            let four = u32::from(unit(u) >= 0x1_0000);
            (longer + u32::from(unit(u) >= 0x80) + u32::from(unit(u) >= 0x800) + four, fours + four)
        });
        found.read += 4 * good.len();
        found.code_points += good.len();
        found.supplementary += fours as usize;
        found.utf8 += good.len() + longer as usize;
        if bad > 0 {
            break;
        }
    }
    found
}

#[cfg(all(test, feature = "alloc"))]
mod tests {
    #[test]
    fn short_and_basic_is_what_its_characters_say() {
        for text in ["", "a", "é", "€", "😀", "é€", "a😀", "\u{EFFFF}\u{10FFFF}", "ïðñ", "\u{FFFF}\u{800}"]
        {
            for before in 0..14 {
                for behind in 0..14 {
                    let text = ["a".repeat(before).as_str(), text, "ÿ".repeat(behind).as_str()].concat();
                    let expected = text.len() <= 16 && text.chars().all(|c| c < '\u{10000}');
                    assert_eq!(super::is_short_and_basic(text.as_bytes()), expected, "{text}");
                }
            }
        }
    }
}
