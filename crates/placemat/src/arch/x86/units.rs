//! UTF-16 without surrogates to UTF-8 with AVX2: sixteen units at a time, each sixteen in the way that is cheapest for them.

use core::arch::x86_64::*;
use core::mem::MaybeUninit;

use super::avx2::{Bytes, halves};
use super::sse42;
use crate::arch::groups::{ONE_OR_TWO, Row, Sixteen, UP_TO_THREE};
use crate::simd;

/// Two vectors of units in UTF-8, unless one is a surrogate: how many bytes. As bytes they are `ascii`, but where `wide` has
/// a bit. Takes 128 bytes of room.
#[inline(always)]
pub(super) fn put(
    units: [Bytes; 2],
    ascii: [sse42::Bytes; 2],
    wide: u32,
    runs: bool,
    out: &mut [MaybeUninit<u8>],
    at: usize,
) -> Option<usize> {
    let out = out[at..at + 128].as_mut_ptr();
    // Not in a loop, which the compiler would keep, and the vectors in memory.
    // SAFETY: there are 128 bytes; the first sixteen units take at most 48 of them, and 64 are enough for others.
    unsafe {
        let long = _mm256_set1_epi16(0xF800_u16 as i16);
        if _mm256_testz_si256(_mm256_or_si256(units[0].0, units[1].0), long) != 0 {
            return Some(put_short(units, wide, out));
        }
        let alone = wide & (wide - 1) == 0;
        let n = sixteen(units[0], ascii[0], wide as u16, alone, runs, out)?;
        Some(n + sixteen(units[1], ascii[1], (wide >> 16) as u16, alone, runs, out.add(n))?)
    }
}

/// Thirty-two units below 800h: how many bytes. Whether one half is ASCII is not worth a guess.
///
/// # Safety
/// There are 64 bytes of room.
#[inline(always)]
unsafe fn put_short(units: [Bytes; 2], wide: u32, out: *mut MaybeUninit<u8>) -> usize {
    // Packed, the halves of both vectors alternate; and apart again, they do not.
    // SAFETY: as in `lanes!`.
    let (lower, upper) = unsafe {
        let (bits, mark) = (_mm256_set1_epi16(0x3F), _mm256_set1_epi16(0x80));
        let [a, b] = [units[0].0, units[1].0];
        // The whole of ASCII, and of others the mark.
        let ascii = _mm256_packus_epi16(_mm256_min_epu16(a, mark), _mm256_min_epu16(b, mark));
        let last =
            _mm256_or_si256(_mm256_packus_epi16(_mm256_and_si256(a, bits), _mm256_and_si256(b, bits)), ascii);
        let lead = _mm256_packus_epi16(_mm256_srli_epi16::<6>(a), _mm256_srli_epi16::<6>(b));
        let lead = _mm256_or_si256(lead, _mm256_set1_epi8(0xC0_u8 as i8));
        (Bytes(_mm256_unpacklo_epi8(lead, last)), Bytes(_mm256_unpackhi_epi8(lead, last)))
    };
    let ([first, second], [third, fourth]) = (halves(lower), halves(upper));
    let row = |i: u32| &ONE_OR_TWO[usize::from((wide >> (8 * i)) as u8)];
    let before = |i: u32| 8 * i as usize + (wide & ((1 << (8 * i)) - 1)).count_ones() as usize;
    // SAFETY: each eight units take at most sixteen bytes; a vector comes only from a witness.
    unsafe {
        first.pick(row(0)).put(out);
        second.pick(row(1)).put(out.add(before(1)));
        third.pick(row(2)).put(out.add(before(2)));
        fourth.pick(row(3)).put(out.add(before(3)));
    }
    32 + wide.count_ones() as usize
}

/// Sixteen units; `alone` if there is but one that is not ASCII.
///
/// # Safety
/// There are 64 bytes of room.
#[inline(always)]
unsafe fn sixteen(
    units: Bytes,
    ascii: sse42::Bytes,
    wide: u16,
    alone: bool,
    runs: bool,
    out: *mut MaybeUninit<u8>,
) -> Option<usize> {
    // SAFETY: sixteen sequences take at most 48 bytes, of which the last store begins at the 36th or before, and takes
    // sixteen; a vector comes only from a witness.
    unsafe {
        if wide == 0 {
            ascii.put(out);
            return Some(16);
        }
        if _mm256_testz_si256(units.0, _mm256_set1_epi16(0xF800_u16 as i16)) != 0 {
            let [first, second] = halves(in_two(units));
            let [low, high] = wide.to_le_bytes();
            first.pick(&ONE_OR_TWO[usize::from(low)]).put(out);
            let half = 8 + low.count_ones() as usize;
            second.pick(&ONE_OR_TWO[usize::from(high)]).put(out.add(half));
            return Some(16 + wide.count_ones() as usize);
        }
        let is_surrogate = _mm256_cmpeq_epi16(_mm256_srli_epi16::<11>(units.0), _mm256_set1_epi16(0x1B));
        if _mm256_testz_si256(is_surrogate, is_surrogate) == 0 {
            return None;
        }
        if alone {
            let i = wide.trailing_zeros() as usize;
            put_one(units, ascii, i, out);
            return Some(16 + 2);
        }
        let ([even, odd], longer) = in_four(units);
        if runs && longer == !0 {
            let order = _mm256_broadcastsi128_si256(_mm_load_si128(THREE.0.as_ptr().cast()));
            let even = halves(Bytes(_mm256_shuffle_epi8(even.0, order)));
            let odd = halves(Bytes(_mm256_shuffle_epi8(odd.0, order)));
            even[0].put(out);
            odd[0].put(out.add(12));
            even[1].put(out.add(24));
            odd[1].put(out.add(36));
            return Some(48);
        }
        let ([first, third], [second, fourth]) = (halves(even), halves(odd));
        let row = |i: u32| &UP_TO_THREE[usize::from((longer >> (8 * i)) as u8)];
        let before = |i: u32| (longer & ((1 << (8 * i)) - 1)).count_ones() as usize;
        first.pick(row(0)).put(out);
        second.pick(row(1)).put(out.add(4 + before(1)));
        third.pick(row(2)).put(out.add(8 + before(2)));
        fourth.pick(row(3)).put(out.add(12 + before(3)));
        Some(16 + longer.count_ones() as usize)
    }
}

/// One unit from U+0800 on among ASCII.
///
/// # Safety
/// There are 64 bytes of room; `i` is below 16.
#[inline(always)]
unsafe fn put_one(units: Bytes, ascii: sse42::Bytes, i: usize, out: *mut MaybeUninit<u8>) {
    // SAFETY: a vector is sixteen units; the rest begins at the 19th byte or before and takes sixteen.
    unsafe {
        let mut all = [0_u16; 16];
        _mm256_storeu_si256(all.as_mut_ptr().cast(), units.0);
        let unit = u32::from(all[i & 15]);
        let sequence = 0xE0_8080 | (unit & 0xF000) << 4 | (unit & 0xFC0) << 2 | unit & 0x3F;
        ascii.put(out);
        out.add(i).cast::<u32>().write_unaligned((sequence << 8).to_be());
        let rest = _mm_loadu_si128(REST.as_ptr().add(i & 15).cast());
        sse42::Bytes(_mm_shuffle_epi8(ascii.0, rest)).put(out.add(i + 3));
    }
}

/// From byte `n` on, the shuffle that moves sixteen lanes down by `n + 1`.
static REST: [u8; 32] = {
    let mut rest = [0x80; 32];
    let mut i = 0;
    while i < 15 {
        rest[i] = i as u8 + 1;
        i += 1;
    }
    rest
};

/// The row of [`UP_TO_THREE`] for three bytes each.
static THREE: Row = UP_TO_THREE[0xFF];

/// Numbers below 800h as two bytes of UTF-8 each, of which ASCII needs only the second.
#[inline(always)]
fn in_two(units: Bytes) -> Bytes {
    // SAFETY: as in `lanes!`.
    unsafe {
        let long = _mm256_cmpgt_epi16(units.0, _mm256_set1_epi16(0x7F));
        let last = _mm256_slli_epi16::<8>(units.0);
        let bits = _mm256_or_si256(
            _mm256_and_si256(last, _mm256_set1_epi16(0x3F00)),
            _mm256_srli_epi16::<6>(units.0),
        );
        let both = _mm256_or_si256(bits, _mm256_set1_epi16(0x80C0_u16 as i16));
        Bytes(_mm256_blendv_epi8(last, both, long))
    }
}

/// Numbers that are no surrogates as the four bytes of which [`UP_TO_THREE`] chooses: the lower and the upper half of each
/// sixteen bytes; and the lengths as it wants them.
#[inline(always)]
fn in_four(units: Bytes) -> ([Bytes; 2], u32) {
    // SAFETY: as in `lanes!`.
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
        (halves, simd::Bytes::high_bits(Bytes(longer)) as u32)
    }
}
