//! Validation of a few units, and their length in another form, without a kernel.
#![forbid(unsafe_code)]

use super::{FEW, ONES, Word, utf16};
use crate::codec::Codec;
use crate::dispatch::{Level, kernels};
use crate::form::utf16::{Strict, Utf16};
use crate::form::utf32::Utf32;
use crate::plain::Native;
use crate::typed::Unit;

/// Units that can be validated and measured here, without a kernel.
pub(crate) trait Few: Unit {
    /// The form of the units.
    type Form: Codec<State = ()>;
    /// Whether they are surely well-formed; `false` if that needs a kernel.
    fn are_well_formed(few: &[Self]) -> bool;
    /// The most units whose length is measured here.
    const MEASURED: usize;
    /// How many units of `UNIT` bytes they become; `None` if that needs a kernel.
    fn length<const UNIT: usize>(few: &[Self]) -> Option<usize>;
}

/// How many units of `unit` bytes a character becomes, without a branch for each length.
#[inline(always)]
pub(crate) fn length_of(unit: usize, character: u32) -> usize {
    let longer = |last: u32| usize::from(character > last);
    match unit {
        1 => 1 + longer(0x7F) + longer(0x7FF) + longer(0xFFFF),
        2 => 1 + longer(0xFFFF),
        _ => 1,
    }
}

/// The sum of the lengths of characters in units of `UNIT` bytes.
#[inline(always)]
fn length<const UNIT: usize>(mut chars: impl Iterator<Item = Option<char>>) -> Option<usize> {
    chars.try_fold(0, |sum, c| Some(sum + length_of(UNIT, c?.into())))
}

#[inline(never)]
fn are_utf16(few: &[u16]) -> bool {
    match (few.first_chunk(), few.last_chunk()) {
        (Some(&first), Some(&last)) => !(Word::new(first).has_surrogate() | Word::new(last).has_surrogate()),
        _ => utf16(few).all(|c| c.is_some()),
    }
}

impl Few for u16 {
    type Form = Utf16<Native, Strict>;

    #[inline(always)]
    fn are_well_formed(few: &[u16]) -> bool {
        if few.len() <= ONES && few.iter().all(|unit| unit & 0xF800 != 0xD800) {
            return true;
        }
        // The AVX-512 kernel takes equally long for all of them.
        kernels().level() != Level::Avx512 && are_utf16(few)
    }

    const MEASURED: usize = FEW;

    #[inline(never)]
    fn length<const UNIT: usize>(few: &[u16]) -> Option<usize> {
        let (Some(&first), Some(&last)) = (few.first_chunk(), few.last_chunk()) else {
            return length::<UNIT>(utf16(few));
        };
        // Remove those of the last four units that are among the first four.
        let among = 16 * (FEW - few.len()) as u32;
        let (first, last) = (Word::new(first), Word(Word::new(last).0.checked_shr(among).unwrap_or(0)));
        if first.has_surrogate() | last.has_surrogate() {
            return None;
        }
        let longer = |n| {
            (((first.from(n) >> 15) + (last.from(n) >> 15)).wrapping_mul(0x0001_0001_0001_0001) >> 48)
                as usize
        };
        Some(few.len() + if UNIT == 1 { longer(7) + longer(11) } else { 0 })
    }
}

impl Few for u32 {
    type Form = Utf32<Native>;

    #[inline(always)]
    fn are_well_formed(few: &[u32]) -> bool {
        few.len() <= 4 && few.iter().all(|&unit| char::from_u32(unit).is_some())
    }

    const MEASURED: usize = FEW / 2;

    #[inline(never)]
    fn length<const UNIT: usize>(few: &[u32]) -> Option<usize> {
        length::<UNIT>(few.iter().map(|&unit| char::from_u32(unit)))
    }
}
