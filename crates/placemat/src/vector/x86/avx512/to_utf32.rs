//! UTF-16 to UTF-32.
//!
//! Text without pairs is widened; its last vectors overlap those before them. In text with pairs, each unit gets the one before
//! it beside it, low surrogates are joined with their high ones, and a compression drops the high ones.

use core::arch::x86_64::*;
use core::mem::MaybeUninit;

use super::orders::WITH_BEFORE;
use super::units::lone_or_paired;
use super::{Avx512, Bytes};
use crate::vector::{Vector as _, ends_open};

/// Converts up to the first pair, or all of at most two vectors. Returns the bytes read and written.
#[inline(always)]
pub(super) fn plain(s: Avx512, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> [usize; 2] {
    if !src.len().is_multiple_of(2) {
        return [0, 0];
    }
    let written = match src.len() {
        0..=64 => one(s, src, dst),
        65..=128 => two(s, src, dst),
        129..LONG => return many::<false>(s, src, dst),
        _ => return many::<true>(s, src, dst),
    };
    written.map_or([0, 0], |n| [src.len(), n])
}

/// Converts at most a vector.
#[inline(always)]
fn one(s: Avx512, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Option<usize> {
    let units = s.load_from(src, 0);
    let [first, second] = s.widen(units);
    let n = 2 * src.len();
    if lone_or_paired(units) == 0 {
        if n > dst.len() {
            return None;
        }
        s.store_within(first, dst, 0);
        if n > 64 {
            s.store_within(second, dst, 64);
        }
        return Some(n);
    }
    let kinds = kinds(units);
    let is_closed = kinds.are_paired(0, !0) && kinds.first >> 31 == 0;
    if is_closed { put(s, [s.splat(0), units], kinds, !0 >> (32 - src.len() / 2), dst) } else { None }
}

/// Converts more than one vector, but at most two.
#[inline(always)]
fn two(s: Avx512, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Option<usize> {
    // The second overlaps the first.
    let units = [s.load(src, 0), s.load(src, src.len() - 64)];
    if lone_or_paired(units[0]) | lone_or_paired(units[1]) == 0 {
        let out = dst.get_mut(..2 * src.len())?;
        let ([a, b], [c, d], n) = (s.widen(units[0]), s.widen(units[1]), out.len());
        s.store(a, out, 0);
        s.store(b, out, 64);
        if n > 192 {
            s.store(c, out, n - 128);
        }
        s.store(d, out, n - 64);
        return Some(n);
    }
    let (first, second, new) = (kinds(units[0]), kinds(units[1]), !0 << ((128 - src.len()) / 2));
    let are_paired = first.are_paired(0, !0) & second.are_paired(first.first >> 31, new);
    if !are_paired || second.first >> 31 != 0 {
        return None;
    }
    let n = put(s, [s.splat(0), units[0]], first, !0, dst)?;
    Some(n + put(s, units, second, new, &mut dst[n..])?)
}

/// From this many bytes on, stores are aligned to cache lines: a store across two lines takes longer.
const LONG: usize = 1024;

/// Converts all of a text without pairs, or what precedes the first pair.
#[inline(always)]
fn many<const IS_LONG: bool>(s: Avx512, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> [usize; 2] {
    let Some(out) = dst.get_mut(..2 * src.len()) else { return [0, 0] };
    let (mut start, past) = (0, out.as_ptr().addr() % 64);
    if IS_LONG && past.is_multiple_of(4) {
        let units = s.load(src, 0);
        if lone_or_paired(units) != 0 {
            return [0, 0];
        }
        put_plain(s, units, out, 0);
        start = 64 - past / 2;
    }
    let ((vectors, left), places) =
        (src[start..].as_chunks::<64>(), out[2 * start..].as_chunks_mut::<128>().0);
    for i in 0..vectors.len().min(places.len()) {
        let units = s.load(&vectors[i], 0);
        if lone_or_paired(units) != 0 {
            return [start + 64 * i, 2 * (start + 64 * i)];
        }
        put_plain(s, units, &mut places[i], 0);
    }
    if !left.is_empty() {
        let (units, read) = (s.load(src, src.len() - 64), src.len() - left.len());
        if lone_or_paired(units) != 0 {
            return [read, 2 * read];
        }
        // The last vector overlaps the one before it.
        let end = out.len();
        match left.len() {
            ..=32 => s.store(s.widen(units)[1], out, end - 64),
            _ => put_plain(s, units, out, end - 128),
        }
    }
    [src.len(), out.len()]
}

/// Writes units without surrogates.
#[inline(always)]
fn put_plain(s: Avx512, units: Bytes, out: &mut [MaybeUninit<u8>], at: usize) {
    let [first, second] = s.widen(units);
    s.store(first, out, at);
    s.store(second, out, at + 64);
}

/// If at most this many bytes are left at the first pair, no vector is tested for pairs: in text of many kinds, such a branch is often
/// mispredicted.
const FEW: usize = 320;

/// Converts as far as the text is well-formed and there is room. `TEST`: vectors of texts that are not short are tested for pairs.
#[inline(always)]
pub(super) fn all<const TEST: bool>(s: Avx512, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> [usize; 2] {
    let src = src.as_chunks::<2>().0.as_flattened();
    let is_tested = TEST && src.len() > FEW;
    // `open` is 1 if half a pair is open; it is written with the other half.
    let (mut text, mut written, mut open, mut before) = (src, 0, 0, s.splat(0));
    while let Some((vector, rest)) = text.split_first_chunk::<64>() {
        let (units, out) = (s.load(vector, 0), &mut dst[written..]);
        let stop = [src.len() - text.len() - 2 * open as usize, written];
        let n = if is_tested && lone_or_paired(units) | open == 0 {
            s.store_two(s.widen(units), 64, 128, out)
        } else {
            let kinds = kinds(units);
            if !kinds.are_paired(open, !0) {
                return stop;
            }
            let n = put(s, [before, units], kinds, !0, out);
            (open, before) = (kinds.first >> 31, units);
            n
        };
        let Some(n) = n else { return stop };
        (text, written) = (rest, written + n);
    }
    if !text.is_empty() {
        let missing = (64 - text.len()) / 2;
        let (units, lanes) = match src.len() {
            ..64 => (s.load_from(src, 0), !0 >> missing),
            n => (s.load(src, n - 64), !0 << missing),
        };
        let kinds = kinds(units);
        if kinds.are_paired(open, lanes)
            && let Some(n) = put(s, [before, units], kinds, lanes, &mut dst[written..])
        {
            return [src.len() - 2 * usize::from(ends_open::<false>(src)), written + n];
        }
    }
    [src.len() - text.len() - 2 * open as usize, written]
}

/// Masks of high and of low surrogates.
#[derive(Clone, Copy)]
struct Kinds {
    first: __mmask32,
    second: __mmask32,
}

impl Kinds {
    /// Whether in these lanes each low surrogate, and no other unit, follows a high one. `open` is 1 if the unit before is a high
    /// one.
    #[inline(always)]
    fn are_paired(self, open: u32, lanes: u32) -> bool {
        (self.second ^ (self.first << 1 | open)) & lanes == 0
    }
}

/// Writes the units of these lanes, joining surrogate pairs. Returns the bytes written, if there is room.
#[inline(always)]
fn put(
    s: Avx512,
    [before, units]: [Bytes; 2],
    kinds: Kinds,
    lanes: u32,
    out: &mut [MaybeUninit<u8>],
) -> Option<usize> {
    let keep = !kinds.first & lanes;
    let (at, n) = (4 * (keep as u16).count_ones() as usize, 4 * keep.count_ones() as usize);
    let lower = s.choose_pairs([before, units], s.load(&WITH_BEFORE[0], 0));
    let upper = pairs_of(units, s.load(&WITH_BEFORE[1], 0));
    let lower = joined(lower, kinds.second as u16, keep as u16);
    let upper = joined(upper, (kinds.second >> 16) as u16, (keep >> 16) as u16);
    s.store_two([lower, upper], at, n, out)
}

ops! {
    fn kinds(units: Bytes) -> Kinds = {
        let kinds = _mm512_and_si512(units.0, _mm512_set1_epi16(0xFC00_u16 as i16));
        let (first, second) = (_mm512_set1_epi16(0xD800_u16 as i16), _mm512_set1_epi16(0xDC00_u16 as i16));
        Kinds { first: _mm512_cmpeq_epi16_mask(kinds, first), second: _mm512_cmpeq_epi16_mask(kinds, second) }
    };
    /// The units whose numbers are in `order`.
    fn pairs_of(units: Bytes, order: Bytes) -> Bytes = Bytes(_mm512_permutexvar_epi16(order.0, units.0));
    /// Units, each with the unit before it in the upper half: those in `joins` are joined with it to a code point, and those in
    /// `keep` are kept.
    fn joined(units: Bytes, joins: __mmask16, keep: __mmask16) -> Bytes = Bytes({
        // The sum of the low unit and 400h times the high one, as signed numbers, plus a correction.
        let sums = _mm512_madd_epi16(units.0, _mm512_set1_epi32(0x0400_0001));
        let pairs = _mm512_add_epi32(sums, _mm512_set1_epi32(0x1_0000 + 0x2400 + (0x2800 << 10)));
        let alone = _mm512_and_si512(units.0, _mm512_set1_epi32(0xFFFF));
        _mm512_maskz_compress_epi32(keep, _mm512_mask_mov_epi32(alone, joins, pairs))
    });
}
