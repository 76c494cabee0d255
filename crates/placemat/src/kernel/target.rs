//! Computes what UTF-8 becomes at every byte: the bytes of UTF-16 and UTF-32 code units, as planes.

#![forbid(unsafe_code)]
#![allow(
    clippy::needless_range_loop,
    reason = "an iterator over vectors need not be inlined, and then costs calls"
)]

use core::mem::MaybeUninit;

use super::isolated_errors::Isolated;
use super::utf8::{LEAST_LEAD, Window};
use crate::vector::{Bytes, Lanes, Vector};

/// The lowest, middle and highest bytes of code units. The bytes of a unit are in the lane of its character's last
/// byte.
pub(crate) type Planes<B> = [B; 3];

/// Where the third and fourth bytes of sequences of four are.
#[derive(Clone, Copy)]
pub(crate) struct Fours<L> {
    pub(crate) third: L,
    pub(crate) fourth: L,
}

impl<L: Lanes> Fours<L> {
    /// Finds these lanes. The text must be well-formed.
    #[inline(always)]
    pub(crate) fn of<S: Vector<Bytes: Bytes<Lanes = L>>>(s: S, w: Window<S::Bytes>) -> Self {
        let lead = s.splat(0xF0);
        Fours { third: w.before[1].at_least(lead), fourth: w.before[2].at_least(lead) }
    }
}

/// An encoding form whose code units are written from planes.
pub(crate) trait Target<S: Vector>: Isolated<S> {
    /// Whether a supplementary character becomes two units, the first of which is written at the character's third
    /// byte.
    const PAIRS: bool;

    /// Returns the planes of text that may have sequences of four bytes.
    fn supplementary(s: S, w: Window<S::Bytes>, fours: Fours<<S::Bytes as Bytes>::Lanes>)
    -> Planes<S::Bytes>;
    /// Writes the units of the lanes whose bits are set. Returns how many these are. Without `SUPPLEMENTARY`, the
    /// highest bytes are zero. Needs `UNIT * LANES` bytes of room.
    fn put<const SUPPLEMENTARY: bool>(
        s: S,
        planes: Planes<S::Bytes>,
        lanes: u64,
        out: &mut [MaybeUninit<u8>],
        at: usize,
    ) -> usize;
    /// Writes little-endian numbers of two bytes; none is a surrogate.
    fn put_units(s: S, units: S::Bytes, out: &mut [MaybeUninit<u8>], at: usize);
    /// Writes little-endian code points from U+10000 on, four bytes each. Returns whether the level can do this.
    fn put_supplementary(s: S, code_points: S::Bytes, out: &mut [MaybeUninit<u8>], at: usize) -> bool;
}

/// Returns the planes of text that has no characters above U+FFFF.
#[inline(always)]
pub(crate) fn basic<S: Vector>(s: S, w: Window<S::Bytes>) -> Planes<S::Bytes> {
    let is_continuation = w.at.less(s.splat(LEAST_LEAD));
    let middle = w.before[0].keep(is_continuation);
    let lead = w.before[1].saturating_sub(s.splat(0xE0)).keep(is_continuation);
    let high = (middle.shr::<2>() & s.splat(0x0F)) | lead.shl::<4>();
    [lowest_eight(s, w, middle), high, s.splat(0)]
}

/// Returns the lowest sixteen bits of any character: eight in the first plane, eight in the second.
#[inline(always)]
fn lowest_sixteen<S: Vector>(s: S, w: Window<S::Bytes>) -> Planes<S::Bytes> {
    let [first, second, _] = w.before;
    // Only a continuation has bits in the bytes before it.
    let long = w.at.less(s.splat(LEAST_LEAD));
    let middle = first.keep(long);
    let lead = second.keep(long & first.less(s.splat(LEAST_LEAD)));
    let high = (middle.shr::<2>() & s.splat(0x0F)) | (lead.shl::<4>() & s.splat(0xF0));
    [lowest_eight(s, w, middle), high, s.splat(0)]
}

/// Returns the lowest eight bits of characters. `middle` is the last byte but one, or zero for ASCII.
#[inline(always)]
fn lowest_eight<S: Vector>(s: S, w: Window<S::Bytes>, middle: S::Bytes) -> S::Bytes {
    (w.at & s.splat(0x7F)) | (middle.shl::<6>() & s.splat(0xC0))
}

/// Returns the planes of text that has no characters above U+07FF.
#[inline(always)]
pub(crate) fn two<S: Vector>(s: S, w: Window<S::Bytes>) -> Planes<S::Bytes> {
    let middle = w.before[0].keep(w.at.less(s.splat(LEAST_LEAD)));
    [lowest_eight(s, w, middle), middle.shr::<2>() & s.splat(0x07), s.splat(0)]
}

/// Swaps the two bytes of each unit.
#[inline(always)]
fn swapped<B: Bytes>(units: B) -> B {
    units.shl::<8>() | units.shr::<8>()
}

/// UTF-16, in either byte order.
pub(crate) struct Utf16<const BIG: bool>;

impl<S: Vector, const BIG: bool> Isolated<S> for Utf16<BIG> {
    const UNIT: usize = 2;
    const REPLACEMENT: &'static [u8] = if BIG { &[0xFF, 0xFD] } else { &[0xFD, 0xFF] };

    #[inline(always)]
    fn put_ascii(s: S, ascii: S::Bytes, out: &mut [MaybeUninit<u8>], at: usize) {
        let [lower, upper] = if BIG { s.interleave([s.splat(0), ascii]) } else { s.widen_twofold(ascii) };
        s.store(lower, out, at);
        s.store(upper, out, at + S::LANES);
    }
}

impl<S: Vector, const BIG: bool> Target<S> for Utf16<BIG> {
    const PAIRS: bool = true;

    #[inline(always)]
    fn supplementary(
        s: S,
        w: Window<S::Bytes>,
        fours: Fours<<S::Bytes as Bytes>::Lanes>,
    ) -> Planes<S::Bytes> {
        let [first, second, _] = w.before;
        let [low, high, none] = lowest_sixteen(s, w);
        // The low surrogate: DC, with the lowest two of the bits above the lower eight.
        let high = high.replace(fours.fourth, (high & s.splat(0x03)) | s.splat(0xDC));
        // The high surrogate: D7C0 plus the upper bits of the code point, all of which are in the first three bytes.
        let bits = (first.shl::<2>() & s.splat(0xFC)) | (w.at.shr::<4>() & s.splat(0x03));
        let carry = s.splat(1).keep(bits.at_least(s.splat(0x40)));
        let low = low.replace(fours.third, bits + s.splat(0xC0));
        let high = high.replace(fours.third, (second & s.splat(0x07)) + s.splat(0xD7) + carry);
        [low, high, none]
    }

    #[inline(always)]
    fn put<const SUPPLEMENTARY: bool>(
        s: S,
        [low, high, _]: Planes<S::Bytes>,
        lanes: u64,
        out: &mut [MaybeUninit<u8>],
        at: usize,
    ) -> usize {
        s.put_pairs(if BIG { [high, low] } else { [low, high] }, lanes, out, at)
    }

    #[inline(always)]
    fn put_units(s: S, units: S::Bytes, out: &mut [MaybeUninit<u8>], at: usize) {
        s.store(if BIG { swapped(units) } else { units }, out, at);
    }

    #[inline(always)]
    fn put_supplementary(s: S, code_points: S::Bytes, out: &mut [MaybeUninit<u8>], at: usize) -> bool {
        let Some(pairs) = s.supplementary_to_pairs(code_points) else { return false };
        s.store(if BIG { swapped(pairs) } else { pairs }, out, at);
        true
    }
}

/// UTF-32.
pub(crate) struct Utf32;

impl<S: Vector> Isolated<S> for Utf32 {
    const UNIT: usize = 4;
    const REPLACEMENT: &'static [u8] = &[0xFD, 0xFF, 0, 0];

    #[inline(always)]
    fn put_ascii(s: S, ascii: S::Bytes, out: &mut [MaybeUninit<u8>], at: usize) {
        // Indices, not iterators: an iterator over vectors need not be inlined, and then costs a call for each.
        let quarters = s.widen_fourfold(ascii);
        for i in 0..4 {
            s.store(quarters[i], out, at + i * S::LANES);
        }
    }
}

impl<S: Vector> Target<S> for Utf32 {
    const PAIRS: bool = false;

    #[inline(always)]
    fn supplementary(
        s: S,
        w: Window<S::Bytes>,
        fours: Fours<<S::Bytes as Bytes>::Lanes>,
    ) -> Planes<S::Bytes> {
        let [_, second, third] = w.before;
        let [low, high, _] = lowest_sixteen(s, w);
        let upper = (second.shr::<4>() & s.splat(0x03)) | (third.shl::<2>() & s.splat(0x1C));
        [low, high, upper.keep(fours.fourth)]
    }

    #[inline(always)]
    fn put<const SUPPLEMENTARY: bool>(
        s: S,
        [low, high, upper]: Planes<S::Bytes>,
        lanes: u64,
        out: &mut [MaybeUninit<u8>],
        at: usize,
    ) -> usize {
        s.put_quads([low, high], SUPPLEMENTARY.then_some([upper, s.splat(0)]), lanes, out, at)
    }

    #[inline(always)]
    fn put_units(s: S, units: S::Bytes, out: &mut [MaybeUninit<u8>], at: usize) {
        let [lower, upper] = s.widen(units);
        s.store(lower, out, at);
        s.store(upper, out, at + S::LANES);
    }

    #[inline(always)]
    fn put_supplementary(s: S, code_points: S::Bytes, out: &mut [MaybeUninit<u8>], at: usize) -> bool {
        s.store(code_points, out, at);
        true
    }
}
