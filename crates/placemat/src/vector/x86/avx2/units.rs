//! UTF-16 to UTF-8 and UTF-32, and UTF-32 to UTF-8 and UTF-16, with AVX2: one vector at a time, each with the cheapest method for
//! it.

use core::arch::x86_64::*;
use core::mem::MaybeUninit;

use super::{Bytes, halves, in_pairs};
use crate::vector::shuffle::{self, ONE_OR_TWO, Row, Sixteen, UP_TO_THREE};
use crate::vector::{self, Bytes as _};

/// Writes two vectors of units below 800h; returns the bytes written. Has no branch for ASCII halves, which would be
/// mispredicted. Needs 64 bytes of room.
#[inline(always)]
pub(super) fn put_short(units: [Bytes; 2], out: &mut [MaybeUninit<u8>], at: usize) -> usize {
    let out = out[at..at + 64].as_mut_ptr();
    let (lower, upper, wide) = one_or_two(units);
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

/// Writes two vectors of units of which most, or with `only` probably all, are U+0800 or more; `None` if one is a surrogate.
/// Returns the bytes written. Needs 128 bytes of room.
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
    // SAFETY: there are 128 bytes; the first sixteen units take at most 48 of them, which leaves 64 for the others.
    unsafe {
        let n = long(units[0], only, out);
        Some(n + long(units[1], only, out.add(n)))
    }
}

ops! {
    /// The lead bytes and the last bytes of the lower and of the upper units, and a bit for each unit that takes two bytes.
    fn one_or_two(units: [Bytes; 2]) -> (Bytes, Bytes, u32) = {
        // Packing interleaves the halves of both vectors; unpacking separates them again.
        let (bits, mark) = (_mm256_set1_epi16(0x3F), _mm256_set1_epi16(0x80));
        let [a, b] = [units[0].0, units[1].0];
        // The whole unit if it is ASCII, otherwise only the mark.
        let ascii = _mm256_packus_epi16(_mm256_min_epu16(a, mark), _mm256_min_epu16(b, mark));
        let last =
            _mm256_or_si256(_mm256_packus_epi16(_mm256_and_si256(a, bits), _mm256_and_si256(b, bits)), ascii);
        let lead = _mm256_packus_epi16(_mm256_srli_epi16::<6>(a), _mm256_srli_epi16::<6>(b));
        let lead = _mm256_or_si256(lead, _mm256_set1_epi8(0xC0_u8 as i8));
        let wide = vector::Bytes::high_bits(Bytes(ascii)) as u32;
        (Bytes(_mm256_unpacklo_epi8(lead, last)), Bytes(_mm256_unpackhi_epi8(lead, last)), wide)
    };
    fn has_surrogate(a: Bytes, b: Bytes) -> bool = {
        let upper = _mm256_set1_epi16(0x1B);
        let first = _mm256_cmpeq_epi16(_mm256_srli_epi16::<11>(a.0), upper);
        let second = _mm256_cmpeq_epi16(_mm256_srli_epi16::<11>(b.0), upper);
        let any = _mm256_or_si256(first, second);
        _mm256_testz_si256(any, any) == 0
    };
}

/// Writes sixteen units that are no surrogates.
///
/// # Safety
/// There are 64 bytes of room.
#[inline(always)]
unsafe fn long(units: Bytes, only: bool, out: *mut MaybeUninit<u8>) -> usize {
    // SAFETY: sixteen sequences take at most 48 bytes, of which the last store begins at the 36th or before, and takes
    // sixteen; a vector comes only from a witness.
    unsafe {
        let Parts { ends, starts, longer } = parts(units);
        let ([even, odd], longer) = in_four(ends, starts, longer);
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
        put_up_to_three([even, odd], longer, out)
    }
}

/// Writes one to three of the four bytes of each unit, by these lengths.
///
/// # Safety
/// There are 64 bytes of room.
#[inline(always)]
unsafe fn put_up_to_three([even, odd]: [Bytes; 2], longer: u32, out: *mut MaybeUninit<u8>) -> usize {
    let ([first, third], [second, fourth]) = (halves(even), halves(odd));
    let row = |i: u32| &UP_TO_THREE[usize::from((longer >> (8 * i)) as u8)];
    let before = |i: u32| (longer & ((1 << (8 * i)) - 1)).count_ones() as usize;
    // SAFETY: sixteen sequences take at most 48 bytes, of which the last store begins at the 36th or before, and takes
    // sixteen; a vector comes only from a witness.
    unsafe {
        first.pick(row(0)).put(out);
        second.pick(row(1)).put(out.add(4 + before(1)));
        third.pick(row(2)).put(out.add(8 + before(2)));
        fourth.pick(row(3)).put(out.add(12 + before(3)));
    }
    16 + longer.count_ones() as usize
}

/// The row of [`UP_TO_THREE`] for three bytes each.
static THREE: Row = UP_TO_THREE[0xFF];

/// For each unit, the bytes from which [`UP_TO_THREE`] selects, two in each vector, and the lengths, as highest bits.
struct Parts {
    ends: Bytes,
    starts: Bytes,
    longer: Bytes,
}

ops! {
    /// The parts of units that are no surrogates.
    fn parts(units: Bytes) -> Parts = {
        // The highest bit of the lower byte: 80 or more. That of the upper byte: 800 or more.
        let two = _mm256_min_epu16(units.0, _mm256_set1_epi16(0x80));
        let three = _mm256_adds_epu16(units.0, _mm256_set1_epi16(0x7800));
        let longer = _mm256_or_si256(two, _mm256_and_si256(three, _mm256_set1_epi16(0xFF00_u16 as i16)));
        let low = _mm256_setr_epi64x(0x0606_0404_0202_0000, 0x0E0E_0C0C_0A0A_0808, 0x0606_0404_0202_0000, 0x0E0E_0C0C_0A0A_0808);
        let ends = _mm256_and_si256(_mm256_shuffle_epi8(units.0, low), _mm256_set1_epi16(0x3F7F));
        let ends = _mm256_or_si256(ends, _mm256_set1_epi16(0x8000_u16 as i16));
        let upper = _mm256_and_si256(_mm256_srli_epi16::<4>(units.0), _mm256_set1_epi16(0x0FFC));
        let upper = _mm256_maddubs_epi16(upper, _mm256_set1_epi16(0x0140));
        let upper = _mm256_or_si256(upper, _mm256_set1_epi16(0xC0E0_u16 as i16));
        // The byte before the last one has the mark C0, or 80 if another byte precedes it.
        let less = _mm256_and_si256(_mm256_srli_epi16::<1>(three), _mm256_set1_epi16(0x4000));
        Parts { ends: Bytes(ends), starts: Bytes(_mm256_xor_si256(upper, less)), longer: Bytes(longer) }
    };
    /// Parts as four bytes each: the lower and the upper half of each sixteen bytes; and the lengths as bits.
    fn in_four(ends: Bytes, starts: Bytes, longer: Bytes) -> ([Bytes; 2], u32) = {
        let halves =
            [Bytes(_mm256_unpacklo_epi16(ends.0, starts.0)), Bytes(_mm256_unpackhi_epi16(ends.0, starts.0))];
        (halves, vector::Bytes::high_bits(longer) as u32)
    };
    /// Masks of high and of low surrogates; `None` unless each low one, and no other unit, has a high one in `before`.
    fn surrogates(units: Bytes, before: Bytes) -> Option<[__m256i; 2]> = {
        let kinds = _mm256_set1_epi16(0xFC00_u16 as i16);
        let of_high = _mm256_set1_epi16(0xD800_u16 as i16);
        let low = _mm256_cmpeq_epi16(_mm256_and_si256(units.0, kinds), _mm256_set1_epi16(0xDC00_u16 as i16));
        let due = _mm256_cmpeq_epi16(_mm256_and_si256(before.0, kinds), of_high);
        let lone = _mm256_xor_si256(low, due);
        let high = _mm256_cmpeq_epi16(_mm256_and_si256(units.0, kinds), of_high);
        (_mm256_testz_si256(lone, lone) != 0).then_some([high, low])
    };
    /// Returns these parts with the two bytes that each surrogate becomes.
    fn with_surrogates(parts: Parts, [high, low]: [__m256i; 2], units: Bytes, before: Bytes) -> Parts = {
        let Parts { ends, starts, longer } = parts;
        // The ten bits of a high surrogate, plus 40h, are eleven: the upper five and the next six go here. The low surrogate has
        // the rest.
        let plus = _mm256_sub_epi16(units.0, _mm256_set1_epi16(0xD7C0_u16 as i16));
        let last = _mm256_and_si256(_mm256_slli_epi16::<6>(plus), _mm256_set1_epi16(0x3F00));
        let last = _mm256_or_si256(last, _mm256_set1_epi16(0x8000_u16 as i16));
        let first = _mm256_and_si256(plus, _mm256_set1_epi16(0x0700));
        let first = _mm256_or_si256(first, _mm256_set1_epi16(0xF000_u16 as i16));
        let left = _mm256_and_si256(_mm256_slli_epi16::<12>(before.0), _mm256_set1_epi16(0x3000));
        let third = _mm256_and_si256(_mm256_slli_epi16::<2>(units.0), _mm256_set1_epi16(0x0F00));
        let third = _mm256_or_si256(_mm256_or_si256(left, third), _mm256_set1_epi16(0x8000_u16 as i16));
        let starts = _mm256_blendv_epi8(_mm256_blendv_epi8(starts.0, first, high), third, low);
        let two = _mm256_and_si256(_mm256_or_si256(high, low), _mm256_set1_epi16(0xFF00_u16 as i16));
        Parts {
            ends: Bytes(_mm256_blendv_epi8(ends.0, last, high)),
            starts: Bytes(starts),
            longer: Bytes(_mm256_andnot_si256(two, longer.0)),
        }
    };
}

/// Writes units of all kinds; `before` has the same text one unit earlier. Returns the bytes written. Needs 64 bytes of room.
#[inline(always)]
pub(super) fn to_utf8(units: Bytes, before: Bytes, out: &mut [MaybeUninit<u8>], at: usize) -> Option<usize> {
    let out = out[at..at + 64].as_mut_ptr();
    let surrogates = surrogates(units, before)?;
    let Parts { ends, starts, longer } = with_surrogates(parts(units), surrogates, units, before);
    let (halves, longer) = in_four(ends, starts, longer);
    // SAFETY: there are 64 bytes.
    Some(unsafe { put_up_to_three(halves, longer, out) })
}

/// Like [`to_utf8`], but to UTF-32, and without the first `first` units. Needs 64 bytes of room.
#[inline(always)]
pub(super) fn to_utf32(
    units: Bytes,
    before: Bytes,
    first: usize,
    out: &mut [MaybeUninit<u8>],
    at: usize,
) -> Option<usize> {
    let [high, low] = surrogates(units, before)?;
    let (lower, upper, high) = code_points(units, before, high, low);
    let lanes = !high & (0xFFFF << first) & 0xFFFF;
    Some(4 * shuffle::put_quads(halves(lower), Some(halves(upper)), lanes, out, at))
}

ops! {
    /// The lower and the upper units of code points, at the units that are no high surrogates, and a bit for each high surrogate.
    fn code_points(units: Bytes, before: Bytes, high: __m256i, low: __m256i) -> (Bytes, Bytes, u64) = {
        let bits = _mm256_and_si256(units.0, _mm256_set1_epi16(0x03FF));
        let pair = _mm256_add_epi16(_mm256_slli_epi16::<10>(before.0), bits);
        // D800 becomes 360h here, and the upper unit of U+10000 is 1.
        let upper = _mm256_sub_epi16(_mm256_srli_epi16::<6>(before.0), _mm256_set1_epi16(0x35F));
        let lanes = _mm256_movemask_epi8(_mm256_packs_epi16(high, _mm256_setzero_si256())) as u32;
        (
            Bytes(_mm256_blendv_epi8(units.0, pair, low)),
            Bytes(_mm256_and_si256(upper, low)),
            u64::from((lanes | lanes >> 8) & 0xFFFF),
        )
    };
}

/// Writes code points as UTF-16, without the first `first`; `None` if one is no scalar value. Returns the bytes written. Needs 32
/// bytes of room.
#[inline(always)]
pub(super) fn to_utf16(
    code_points: Bytes,
    first: usize,
    out: &mut [MaybeUninit<u8>],
    at: usize,
) -> Option<usize> {
    if !are_scalar_values(code_points) {
        return None;
    }
    let (units, lanes) = units_of(code_points);
    Some(2 * shuffle::put_pairs(halves(units), lanes & 0xFFFF << (2 * first), out, at))
}

/// Like [`to_utf16`], but to UTF-8, and with all code points.
#[inline(always)]
pub(super) fn quads_to_utf8(code_points: Bytes, out: &mut [MaybeUninit<u8>], at: usize) -> Option<usize> {
    if !are_scalar_values(code_points) {
        return None;
    }
    let (sequences, longer) = sequences(code_points);
    shuffle::put_sequences(halves(sequences), longer, out, at);
    let [two, three, four] = longer;
    Some(8 + (two.count_ones() + three.count_ones() + four.count_ones()) as usize)
}

ops! {
    /// Code points as four bytes each, of which the last ones belong to the sequence, and a bit for each that takes at least two,
    /// three and four.
    fn sequences(code_points: Bytes) -> (Bytes, [u64; 3]) = {
        let c = code_points.0;
        let two = _mm256_cmpgt_epi32(c, _mm256_set1_epi32(0x7F));
        let three = _mm256_cmpgt_epi32(c, _mm256_set1_epi32(0x7FF));
        let four = _mm256_cmpgt_epi32(c, _mm256_set1_epi32(0xFFFF));
        // Six bits in each byte, the highest bits first.
        let lower = _mm256_and_si256(_mm256_slli_epi32::<16>(c), _mm256_set1_epi32(0x0FFF_0000));
        let twelves = _mm256_or_si256(_mm256_srli_epi32::<12>(c), lower);
        let lower = _mm256_and_si256(_mm256_slli_epi16::<8>(twelves), _mm256_set1_epi16(0x3F00));
        let sixes = _mm256_or_si256(_mm256_srli_epi16::<6>(twelves), lower);
        // The marks for two bytes, and how they change for three and four bytes.
        let marks = _mm256_and_si256(two, _mm256_set1_epi32(0x80C0_0000_u32 as i32));
        let marks = _mm256_xor_si256(marks, _mm256_and_si256(three, _mm256_set1_epi32(0x0040_E000)));
        let marks = _mm256_xor_si256(marks, _mm256_and_si256(four, _mm256_set1_epi32(0x0000_60F0)));
        let ascii = _mm256_andnot_si256(two, _mm256_slli_epi32::<24>(c));
        (
            Bytes(_mm256_or_si256(_mm256_or_si256(sixes, marks), ascii)),
            [quad_bits(Bytes(two)), quad_bits(Bytes(three)), quad_bits(Bytes(four))],
        )
    };
}

ops! {
    /// The highest bits of the numbers of four lanes.
    fn quad_bits(quads: Bytes) -> u64 = u64::from(_mm256_movemask_ps(_mm256_castsi256_ps(quads.0)) as u32);
    fn are_scalar_values(code_points: Bytes) -> bool = {
        let greatest = _mm256_set1_epi32(0x10_FFFF);
        let large = _mm256_xor_si256(_mm256_max_epu32(code_points.0, greatest), greatest);
        let kinds = _mm256_and_si256(code_points.0, _mm256_set1_epi32(!0x7FF));
        let surrogates = _mm256_cmpeq_epi32(kinds, _mm256_set1_epi32(0xD800));
        Bytes(_mm256_or_si256(large, surrogates)).is_zero()
    };
    /// Code points as one or two units each, and a bit for each unit that is used.
    fn units_of(code_points: Bytes) -> (Bytes, u64) = {
        let two = _mm256_cmpgt_epi32(code_points.0, _mm256_set1_epi32(0xFFFF));
        let units = _mm256_blendv_epi8(code_points.0, in_pairs(code_points).0, two);
        let lanes = _mm256_or_si256(two, _mm256_set1_epi32(0xFFFF));
        let lanes = _mm256_movemask_epi8(_mm256_packs_epi16(lanes, _mm256_setzero_si256())) as u32;
        (Bytes(units), u64::from((lanes | lanes >> 8) & 0xFFFF))
    };
}
