//! Whether UTF-16 or UTF-32 of at most two vectors is well-formed, without a branch on the content.

use core::arch::x86_64::*;

use super::orders::APART;
use super::{Avx512, Bytes};
use crate::vector::{Bytes as _, Lanes as _, Vector as _};

ops! {
    /// A mask of the equal numbers of two lanes.
    fn equal_units(units: Bytes, others: Bytes) -> u64 = u64::from(_mm512_cmpeq_epi16_mask(units.0, others.0));
    /// Numbers in an order in which scalar values come first: surrogates are moved behind them, with everything that is no code
    /// point.
    fn ordered(s: Avx512, quads: Bytes) -> Bytes = Bytes({
        let moved = _mm512_xor_si512(quads.0, s.splat_quad(0xD800).0);
        _mm512_sub_epi32(moved, s.splat_quad(0x800).0)
    });
    /// Whether all these ordered numbers are scalar values.
    fn are_code_points(s: Avx512, ordered: Bytes) -> bool =
        _mm512_cmpge_epu32_mask(ordered.0, s.splat_quad(0x11_0000 - 0x800).0) == 0;
    fn reversed(quads: Bytes) -> Bytes =
        Bytes(_mm512_shuffle_epi8(quads.0, _mm512_set4_epi32(0x0C0D_0E0F, 0x0809_0A0B, 0x0405_0607, 0x0001_0203)));
}

/// The same unit in all places.
#[inline(always)]
fn splat_unit<const BIG: bool>(s: Avx512, unit: u16) -> Bytes {
    let unit = u32::from(if BIG { unit.swap_bytes() } else { unit });
    s.splat_quad(unit << 16 | unit)
}

/// See [`Vector::is_short_utf16`](crate::vector::Vector::is_short_utf16).
#[inline(always)]
pub(super) fn is_short_utf16<const BIG: bool>(s: Avx512, text: &[u8]) -> bool {
    // The upper half of a unit that is cut off could look like a low surrogate; the lower half cannot.
    let text = if BIG { &text[..text.len() & !1] } else { text };
    if text.len() <= 64 {
        let kinds = s.load_part(text) & splat_unit::<BIG>(s, 0xFC00);
        let high = equal_units(kinds, splat_unit::<BIG>(s, 0xD800));
        // Behind the last unit there is no low surrogate.
        return high << 1 == equal_units(kinds, splat_unit::<BIG>(s, 0xDC00));
    }
    let two = [s.load(text, 0), s.load_part(&text[64..])];
    let upper = s.choose(two, s.load(&APART[usize::from(!BIG)], 0));
    let kinds = upper & s.splat(0xFC);
    let (high, low) = (kinds.equal(s.splat(0xD8)).bits(), kinds.equal(s.splat(0xDC)).bits());
    high.checked_add(high) == Some(low)
}

/// See [`ordered`].
#[inline(always)]
fn in_order<const BIG: bool>(s: Avx512, quads: Bytes) -> Bytes {
    ordered(s, if BIG { reversed(quads) } else { quads })
}

/// See [`Vector::is_short_utf32`](crate::vector::Vector::is_short_utf32).
#[inline(always)]
pub(super) fn is_short_utf32<const BIG: bool>(s: Avx512, text: &[u8]) -> bool {
    if text.len() <= 64 {
        return are_code_points(s, in_order::<BIG>(s, s.load_part(text)));
    }
    // The last vector overlaps the one before it.
    let [first, last] = [s.load(text, 0), s.load(text, text.len() - 64)];
    let [first, last] = [in_order::<BIG>(s, first), in_order::<BIG>(s, last)];
    text.len().is_multiple_of(4) && are_code_points(s, first.max_quads(last))
}
