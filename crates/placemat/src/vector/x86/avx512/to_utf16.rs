//! UTF-32 to UTF-16.
//!
//! Text without pairs is narrowed; its last vectors overlap those before them. In text with pairs, each code point becomes two
//! units, and a compression keeps those that are used.

use core::arch::x86_64::*;
use core::mem::MaybeUninit;

use super::units::lone_or_paired;
use super::{Avx512, Bytes};
use crate::vector::{Bytes as _, Vector as _};

/// Up to this many bytes are written as if they had no pairs, and written again, without a branch, if they have: in text of many
/// kinds, a branch for each vector is often mispredicted.
const FEW: usize = 640;

/// Converts up to the first pair, or all of at most two vectors. Returns the bytes read and written.
#[inline(always)]
pub(super) fn plain(s: Avx512, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> [usize; 2] {
    if !src.len().is_multiple_of(4) {
        return [0, 0];
    }
    let written = match src.len() {
        0..=64 => one(s, src, dst),
        65..=128 => two(s, src, dst),
        129..=FEW => few(s, src, dst),
        _ => return many(s, src, dst),
    };
    written.map_or([0, 0], |n| [src.len(), n])
}

/// Converts at most a vector.
#[inline(always)]
fn one(s: Avx512, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Option<usize> {
    let code_points = s.load_from(src, 0);
    let (units, pairs) = in_units(code_points);
    // Do not count the zeros behind the end.
    let n = src.len() / 2 + 2 * pairs.count_ones() as usize;
    if !are_orders(order_of(code_points)) || n > dst.len() {
        return None;
    }
    s.store_within(compressed(units), dst, 0);
    Some(n)
}

/// Converts more than one vector, but at most two.
#[inline(always)]
fn two(s: Avx512, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Option<usize> {
    let two = [s.load(src, 0), s.load_from(src, 64)];
    // This branch comes first: it may be mispredicted, and its condition is known before the places of the units.
    if large(two[0] | two[1]) != 0 {
        let (vectors, at, n) = mixed::<false>(two)?;
        return s.store_two(vectors, at, src.len() / 2 + n - 64, dst);
    }
    let units = s.narrow(two);
    if src.len() / 2 > dst.len() || lone_or_paired(units) != 0 {
        return None;
    }
    s.store_within(units, dst, 0);
    Some(src.len() / 2)
}

/// Converts all of a text of more than two vectors, and at most `FEW` bytes.
#[inline(always)]
fn few(s: Avx512, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Option<usize> {
    let (any, least) = in_place(s, src, dst.get_mut(..src.len() / 2)?);
    // This branch comes first: it may be mispredicted, and its condition is known sooner.
    if large(any) == 0 {
        return (surrogates(least) == 0).then_some(src.len() / 2);
    }
    if !are_far_below_last(any) || surrogates(least) != 0 {
        return None;
    }
    pairs::<true>(s, src, dst)
}

/// Writes a text of two vectors or more as if it had no pairs. Returns the bits of all its code points, and a vector that shows
/// surrogates.
#[inline(always)]
fn in_place(s: Avx512, src: &[u8], out: &mut [MaybeUninit<u8>]) -> (Bytes, Bytes) {
    let (mut any, mut least) = (s.splat(0), s.splat(0xFF));
    let ((pairs, left), places) = (src.as_chunks::<128>(), out.as_chunks_mut::<64>().0);
    for i in 0..pairs.len().min(places.len()) {
        let two = [s.load(&pairs[i], 0), s.load(&pairs[i], 64)];
        let units = s.narrow(two);
        s.store(units, &mut places[i], 0);
        (any, least) = (any | (two[0] | two[1]), least_of(least, units));
    }
    if left.len() > 64 {
        let two = [s.load(src, src.len() - 128), s.load(src, src.len() - 64)];
        let units = s.narrow(two);
        s.store(units, out, out.len() - 64);
        (any, least) = (any | (two[0] | two[1]), least_of(least, units));
    } else if !left.is_empty() {
        let quads = s.load(src, src.len() - 64);
        let units = narrow_one(quads);
        s.store_half(units, out, out.len() - 32);
        (any, least) = (any | quads, least_of(least, units));
    }
    (any, least)
}

/// Converts all of a text, without a branch on the content. `CHECKED`: the text is known to be code points.
#[inline(always)]
fn pairs<const CHECKED: bool>(s: Avx512, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Option<usize> {
    let (mut text, mut written, mut most) = (src, 0, s.splat(0));
    while !text.is_empty() {
        let quads = match text.first_chunk::<64>() {
            Some(vector) => s.load(vector, 0),
            None => s.load_part(text),
        };
        let (units, pairs) = in_units(quads);
        s.store_within(compressed(units), dst, written);
        if !CHECKED {
            most = most.max_quads(order_of(quads));
        }
        written += bytes(pairs);
        text = text.get(64..).unwrap_or_default();
    }
    // Do not count the zeros behind the end.
    written -= (src.len().wrapping_neg() % 64) / 2;
    (written <= dst.len() && (CHECKED || are_orders(most))).then_some(written)
}

/// Converts all of a text without pairs, or what precedes the first pair.
#[inline(always)]
fn many(s: Avx512, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> [usize; 2] {
    let Some(out) = dst.get_mut(..src.len() / 2) else { return [0, 0] };
    let ((pairs, left), places) = (src.as_chunks::<128>(), out.as_chunks_mut::<64>().0);
    for i in 0..pairs.len().min(places.len()) {
        let two = [s.load(&pairs[i], 0), s.load(&pairs[i], 64)];
        let units = s.narrow(two);
        if others(two, units) {
            return [128 * i, 64 * i];
        }
        s.store(units, &mut places[i], 0);
    }
    if !left.is_empty() {
        let two = [s.load(src, src.len() - 128), s.load(src, src.len() - 64)];
        let (units, read) = (s.narrow(two), src.len() - left.len());
        if others(two, units) {
            return [read, read / 2];
        }
        s.store(units, out, out.len() - 64);
    }
    [src.len(), out.len()]
}

/// Whether any of these is above U+FFFF, or a surrogate. One branch on both masks as one number: two branches take a third
/// longer.
#[inline(always)]
fn others(two: [Bytes; 2], units: Bytes) -> bool {
    u32::from(large(two[0] | two[1])) | lone_or_paired(units) != 0
}

/// Converts as far as the text is well-formed and there is room.
#[inline(always)]
pub(super) fn all(s: Avx512, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> [usize; 2] {
    let src = src.as_chunks::<4>().0.as_flattened();
    let (mut text, mut written, is_long) = (src, 0, src.len() > FEW);
    while let Some((two, rest)) = text.split_first_chunk::<128>() {
        let two = [s.load(two, 0), s.load(two, 64)];
        let out = &mut dst[written..];
        // Only in long text: text with pairs usually has many of them.
        let n = if is_long && large(two[0] | two[1]) == 0 {
            let units = s.narrow(two);
            if out.len() >= 64 && lone_or_paired(units) == 0 {
                s.store(units, out, 0);
                Some(64)
            } else {
                None
            }
        } else if let Some((vectors, at, n)) = mixed::<true>(two) {
            s.store_two(vectors, at, n, out)
        } else {
            None
        };
        let Some(n) = n else { return [src.len() - text.len(), written] };
        (text, written) = (rest, written + n);
    }
    match pairs::<false>(s, text, &mut dst[written..]) {
        Some(n) => [src.len(), written + n],
        None => [src.len() - text.len(), written],
    }
}

/// Two vectors of all kinds, if they are code points: what each becomes, where the second begins, and the length of both.
#[inline(always)]
fn mixed<const LOOP: bool>(two: [Bytes; 2]) -> Option<([Bytes; 2], usize, usize)> {
    if !are_orders(order_of(two[0]).max_quads(order_of(two[1]))) {
        return None;
    }
    let [(first, lower), (second, upper)] = [in_units(two[0]), in_units(two[1])];
    let (at, n) = (bytes(lower), bytes(lower) + bytes(upper));
    // In loops it is best to reuse the masks from here.
    let vectors = if LOOP {
        [compressed_by(first, lower), compressed_by(second, upper)]
    } else {
        [compressed(first), compressed(second)]
    };
    Some((vectors, at, n))
}

/// How many bytes a vector becomes.
#[inline(always)]
fn bytes(pairs: __mmask16) -> usize {
    32 + 2 * pairs.count_ones() as usize
}

ops! {
    /// A mask of the numbers above U+FFFF.
    fn large(quads: Bytes) -> __mmask16 =
        _mm512_test_epi32_mask(quads.0, _mm512_set1_epi32(0xFFFF_0000_u32 as i32));
    /// Whether the numbers whose bits are in `any` are all below U+100000.
    fn are_far_below_last(any: Bytes) -> bool =
        _mm512_test_epi32_mask(any.0, _mm512_set1_epi32(0xFFF0_0000_u32 as i32)) == 0;
    /// The units of one vector of code points, then zeros.
    fn narrow_one(quads: Bytes) -> Bytes = Bytes(_mm512_zextsi256_si512(_mm512_cvtepi32_epi16(quads.0)));
    /// Adds units to a minimum that is below 800h if one of them is a surrogate.
    fn least_of(least: Bytes, units: Bytes) -> Bytes = {
        let kinds = _mm512_xor_si512(units.0, _mm512_set1_epi16(0xD800_u16 as i16));
        Bytes(_mm512_min_epu16(least.0, kinds))
    };
    fn surrogates(least: Bytes) -> __mmask32 =
        _mm512_cmplt_epu16_mask(least.0, _mm512_set1_epi16(0x800));
    /// Numbers in an order in which scalar values come first, and everything else behind them.
    fn order_of(quads: Bytes) -> Bytes =
        Bytes(_mm512_sub_epi32(_mm512_xor_si512(quads.0, _mm512_set1_epi32(0xD800)), _mm512_set1_epi32(0x800)));
    fn are_orders(orders: Bytes) -> bool =
        _mm512_cmpge_epu32_mask(orders.0, _mm512_set1_epi32(0x11_0000 - 0x800)) == 0;
    /// Code points as two units each, the second zero if it is not used, and a mask of those that use both.
    fn in_units(code_points: Bytes) -> (Bytes, __mmask16) = {
        let pairs = _mm512_cmpgt_epu32_mask(code_points.0, _mm512_set1_epi32(0xFFFF));
        // Each as two numbers: the bits above the lowest ten, and the lowest ten with more, which are cut off.
        let places = _mm512_set1_epi64(0x2820_322A_0800_120A);
        let halves = _mm512_multishift_epi64_epi8(places, code_points.0);
        let bits = _mm512_and_si512(halves, _mm512_set1_epi32(0x03FF_FFFF));
        // D800 minus the 40h of U+10000.
        let marks = _mm512_set1_epi32(0xDC00_D7C0_u32 as i32);
        let units = _mm512_mask_add_epi32(code_points.0, pairs, bits, marks);
        (Bytes(units), pairs)
    };
    fn compressed(units: Bytes) -> Bytes = Bytes({
        let lanes = _mm512_cmpge_epu16_mask(units.0, _mm512_set1_epi32(0x0001_0000));
        _mm512_maskz_compress_epi16(lanes, units.0)
    });
    /// Like `compressed`, by the mask of second units that are used.
    fn compressed_by(units: Bytes, pairs: __mmask16) -> Bytes =
        Bytes(_mm512_maskz_compress_epi16(_pdep_u32(u32::from(pairs), 0xAAAA_AAAA) | 0x5555_5555, units.0));
}
