//! UTF-16 without surrogates to UTF-8 with AVX2: sixteen units at a time, each sixteen in the way that is cheapest for them.

use core::arch::x86_64::*;
use core::mem::MaybeUninit;

use super::avx2::{Bytes, halves};
use crate::vector;
use crate::vector::shuffle::{ONE_OR_TWO, Row, Sixteen, UP_TO_THREE};

/// Two vectors of units below 800h: how many bytes. Whether one half is ASCII is not worth a guess. Takes 64 bytes of room.
#[inline(always)]
pub(super) fn put_short(units: [Bytes; 2], out: &mut [MaybeUninit<u8>], at: usize) -> usize {
    let out = out[at..at + 64].as_mut_ptr();
    // Packed, the halves of both vectors alternate; and apart again, they do not.
    // SAFETY: as in `ops!`.
    let (lower, upper, wide) = unsafe {
        let (bits, mark) = (_mm256_set1_epi16(0x3F), _mm256_set1_epi16(0x80));
        let [a, b] = [units[0].0, units[1].0];
        // The whole of ASCII, and of others the mark.
        let ascii = _mm256_packus_epi16(_mm256_min_epu16(a, mark), _mm256_min_epu16(b, mark));
        let last =
            _mm256_or_si256(_mm256_packus_epi16(_mm256_and_si256(a, bits), _mm256_and_si256(b, bits)), ascii);
        let lead = _mm256_packus_epi16(_mm256_srli_epi16::<6>(a), _mm256_srli_epi16::<6>(b));
        let lead = _mm256_or_si256(lead, _mm256_set1_epi8(0xC0_u8 as i8));
        let wide = vector::Bytes::high_bits(Bytes(ascii)) as u32;
        (Bytes(_mm256_unpacklo_epi8(lead, last)), Bytes(_mm256_unpackhi_epi8(lead, last)), wide)
    };
    let ([first, second], [third, fourth]) = (halves(lower), halves(upper));
    let row = |i: u32| &ONE_OR_TWO[usize::from((wide >> (8 * i)) as u8)];
    let before = |eights: u32| (wide & eights).count_ones() as usize;
    // SAFETY: each eight units take at most sixteen bytes; a vector comes only from a witness.
    unsafe {
        first.pick(row(0)).put(out);
        second.pick(row(2)).put(out.add(8 + before(0xFF)));
        third.pick(row(1)).put(out.add(16 + before(0xFF_00FF)));
        fourth.pick(row(3)).put(out.add(24 + before(0xFF_FFFF)));
    }
    32 + wide.count_ones() as usize
}

/// Two vectors of units, most of them from U+0800 on, or `only` these, unless one is a surrogate: how many bytes. Takes 128
/// bytes of room.
#[inline(always)]
pub(super) fn put_long(
    units: [Bytes; 2],
    only: bool,
    out: &mut [MaybeUninit<u8>],
    at: usize,
) -> Option<usize> {
    let out = out[at..at + 128].as_mut_ptr();
    if has_surrogate(units[0], units[1]) {
        return None;
    }
    // SAFETY: there are 128 bytes; the first sixteen units take at most 48 of them, and 64 are enough for others.
    unsafe {
        let n = long(units[0], only, out);
        Some(n + long(units[1], only, out.add(n)))
    }
}

ops! {
    fn has_surrogate(a: Bytes, b: Bytes) -> bool = {
        let kind =
            |units: Bytes| _mm256_cmpeq_epi16(_mm256_srli_epi16::<11>(units.0), _mm256_set1_epi16(0x1B));
        let any = _mm256_or_si256(kind(a), kind(b));
        _mm256_testz_si256(any, any) == 0
    };
}

/// Sixteen units that are no surrogates.
///
/// # Safety
/// There are 64 bytes of room.
#[inline(always)]
unsafe fn long(units: Bytes, only: bool, out: *mut MaybeUninit<u8>) -> usize {
    // SAFETY: sixteen sequences take at most 48 bytes, of which the last store begins at the 36th or before, and takes
    // sixteen; a vector comes only from a witness.
    unsafe {
        let ([even, odd], longer) = in_four(units);
        if only && longer == !0 {
            let order = _mm256_broadcastsi128_si256(_mm_load_si128(THREE.0.as_ptr().cast()));
            let even = halves(Bytes(_mm256_shuffle_epi8(even.0, order)));
            let odd = halves(Bytes(_mm256_shuffle_epi8(odd.0, order)));
            even[0].put(out);
            odd[0].put(out.add(12));
            even[1].put(out.add(24));
            odd[1].put(out.add(36));
            return 48;
        }
        let ([first, third], [second, fourth]) = (halves(even), halves(odd));
        let row = |i: u32| &UP_TO_THREE[usize::from((longer >> (8 * i)) as u8)];
        let before = |i: u32| (longer & ((1 << (8 * i)) - 1)).count_ones() as usize;
        first.pick(row(0)).put(out);
        second.pick(row(1)).put(out.add(4 + before(1)));
        third.pick(row(2)).put(out.add(8 + before(2)));
        fourth.pick(row(3)).put(out.add(12 + before(3)));
        16 + longer.count_ones() as usize
    }
}

/// The row of [`UP_TO_THREE`] for three bytes each.
static THREE: Row = UP_TO_THREE[0xFF];

/// Numbers that are no surrogates as the four bytes of which [`UP_TO_THREE`] chooses: the lower and the upper half of each
/// sixteen bytes; and the lengths as it wants them.
#[inline(always)]
fn in_four(units: Bytes) -> ([Bytes; 2], u32) {
    // SAFETY: as in `ops!`.
    unsafe {
        // The highest bits of the lower and the upper byte: whether it is 80 or more, whether it is 800 or more.
        let two = _mm256_min_epu16(units.0, _mm256_set1_epi16(0x80));
        let three = _mm256_adds_epu16(units.0, _mm256_set1_epi16(0x7800));
        let longer = _mm256_or_si256(two, _mm256_and_si256(three, _mm256_set1_epi16(0xFF00_u16 as i16)));
        let low: [u8; 16] = [0, 0, 2, 2, 4, 4, 6, 6, 8, 8, 10, 10, 12, 12, 14, 14];
        let low = _mm256_broadcastsi128_si256(_mm_loadu_si128(low.as_ptr().cast()));
        let ends = _mm256_and_si256(_mm256_shuffle_epi8(units.0, low), _mm256_set1_epi16(0x3F7F));
        let ends = _mm256_or_si256(ends, _mm256_set1_epi16(0x8000_u16 as i16));
        let upper = _mm256_and_si256(_mm256_srli_epi16::<4>(units.0), _mm256_set1_epi16(0x0FFC));
        let upper = _mm256_maddubs_epi16(upper, _mm256_set1_epi16(0x0140));
        let upper = _mm256_or_si256(upper, _mm256_set1_epi16(0xC0E0_u16 as i16));
        // The byte before the last has C0, or 80 if there is one before it.
        let less = _mm256_and_si256(_mm256_srli_epi16::<1>(three), _mm256_set1_epi16(0x4000));
        let starts = _mm256_xor_si256(upper, less);
        let halves = [Bytes(_mm256_unpacklo_epi16(ends, starts)), Bytes(_mm256_unpackhi_epi16(ends, starts))];
        (halves, vector::Bytes::high_bits(Bytes(longer)) as u32)
    }
}
