//! The Hangul syllables of Unicode 1.1, which amendment 5 to ISO/IEC 10646-1:1993 moved from `3400..=4DFF` to `AC00..=D7A3`.
//!
//! ```text
//! 3400..=3D2D  the 2,350 of KS C 5601, in their order
//! 3D2E..=44B7  the 1,930 of KS C 5657, likewise
//! 44B8..=44BD  six from GB 12052
//! 44BE..=4DFF  the first 2,370 of all others
//! ```
//!
//! Within each range the order is that of Unicode 2.0, so the table follows from the two sets. 4,516 syllables had no code point.

#![forbid(unsafe_code)]

use core::ops::Range;

const OLD: u32 = 0x3400;
const NEW: u32 = 0xAC00;
const SYLLABLES: usize = 11_172;

/// Where each set stands in the table.
const KS_C_5601: Range<usize> = 0..2350;
const KS_C_5657: Range<usize> = 2350..4280;
const GB_12052: Range<usize> = 4280..4286;
const OTHERS: Range<usize> = 4286..6656;

/// Which syllable is in which set. The file describes its format and its source.
const SETS: &[u8] = include_bytes!("unicode11_hangul.txt");

/// The present code points, in the order of the old ones.
static TABLE: [u16; OTHERS.end] = table();

/// The present code point of the syllable that had the code point `old`, if there was one.
pub(super) fn to_new(old: u32) -> Option<u32> {
    let index = old.checked_sub(OLD)?;
    TABLE.get(index as usize).map(|&new| u32::from(new))
}

/// The old code point of this syllable, if it had one.
pub(super) fn to_old(new: u32) -> Option<u32> {
    let new = u16::try_from(new).ok()?;
    let index = [KS_C_5601, KS_C_5657, OTHERS]
        .into_iter()
        .find_map(|set| TABLE[set.clone()].binary_search(&new).ok().map(|at| set.start + at))
        .or_else(|| TABLE[GB_12052].iter().position(|&other| other == new).map(|at| GB_12052.start + at))?;
    Some(OLD + index as u32)
}

/// Whether this was the code point of a Hangul syllable in Unicode 1.1.
pub(super) const fn is_old(value: u32) -> bool {
    matches!(value, 0x3400..=0x4DFF)
}

/// Whether this is the code point of a Hangul syllable in Unicode 2.0 and later.
pub(super) const fn is_new(value: u32) -> bool {
    matches!(value, 0xAC00..=0xD7A3)
}

const fn table() -> [u16; OTHERS.end] {
    let mut table = [0; OTHERS.end];
    // Where the next syllable of each set goes.
    let mut places = [OTHERS.start, KS_C_5601.start, KS_C_5657.start];
    let ends = [OTHERS.end, KS_C_5601.end, KS_C_5657.end];
    let six = [0xBBC3, 0xD63B, 0xBF59, 0xBFE5, 0xCB94, 0xC6D8];
    let mut at = 0;
    while at < six.len() {
        table[GB_12052.start + at] = six[at];
        at += 1;
    }
    let mut syllable = 0;
    let mut at = 0;
    while syllable < SYLLABLES {
        match SETS[at] {
            b'#' => {
                while SETS[at] != b'\n' {
                    at += 1;
                }
            }
            b'\r' | b'\n' => {}
            byte => {
                let four = byte - 0x2A;
                let digits = [four / 27, four / 9 % 3, four / 3 % 3, four % 3];
                let mut next = 0;
                while next < 4 {
                    let set = digits[next] as usize;
                    if places[set] < ends[set] {
                        table[places[set]] = (NEW as usize + syllable) as u16;
                        places[set] += 1;
                    }
                    syllable += 1;
                    next += 1;
                }
            }
        }
        at += 1;
    }
    table
}
