//! UTF-32, which is checked as it is measured.

#![forbid(unsafe_code)]
#![allow(
    clippy::needless_range_loop,
    reason = "an iterator over vectors need not be inlined, and then costs calls"
)]

use super::{FEW, Measured, SHORT, VECTORS, to_line};
use crate::kernel::blocks::{last_part, part};
use crate::kernel::from_utf16::{reversed, splat_unit};
use crate::kernel::from_utf32::tile_quad;
use crate::kernel::prefetch::Ahead;
use crate::vector::{Bytes, Vector};

/// [`all`] of a short text, if all of it is well-formed.
#[inline(always)]
pub(crate) fn short<S: Vector, const BIG: bool, const TALLY: bool>(s: S, src: &[u8]) -> Option<Measured> {
    if src.is_empty() {
        return Some(Measured::default());
    }
    if S::LANES < 64 && src.len() <= 4 * FEW {
        return few::<BIG>(src);
    }
    let (mut sums, block) = (Quads::new(s), VECTORS * S::LANES);
    if TALLY {
        let blocks = src.chunks_exact(block);
        let rest = blocks.remainder();
        for text in blocks {
            sums = sums.with::<S, TALLY>(s, quads::<S, BIG>(s, text));
        }
        if !rest.is_empty() {
            sums = sums.with::<S, TALLY>(s, part_quads::<S, BIG>(s, rest));
        }
    } else if src.len() <= block {
        sums = sums.with::<S, TALLY>(s, part_quads::<S, BIG>(s, src));
    } else {
        for text in src.chunks_exact(block) {
            sums = sums.with::<S, TALLY>(s, quads::<S, BIG>(s, text));
        }
        sums = sums.with::<S, TALLY>(s, quads::<S, BIG>(s, &src[src.len() - block..]));
    }
    if !src.len().is_multiple_of(4) || !sums.are_well_formed(s) {
        return None;
    }
    Some(sums.measured(s, src.len(), src.len().div_ceil(block)))
}

/// The same of a few units, one by one.
#[inline(always)]
fn few<const BIG: bool>(src: &[u8]) -> Option<Measured> {
    let (units, []) = src.as_chunks() else { return None };
    let mut measured = Measured { read: src.len(), ..Measured::default() };
    for &unit in units {
        measured.add(char::from_u32(if BIG { u32::from_be_bytes(unit) } else { u32::from_le_bytes(unit) })?);
    }
    Some(measured)
}

/// UTF-32. Without `TALLY`, only how much is well-formed.
#[inline(always)]
pub(crate) fn all<S: Vector, const BIG: bool, const TALLY: bool>(s: S, src: &[u8]) -> Measured {
    /// Blocks between two looks for errors.
    const SPAN: usize = 64;
    let (block, src) = (VECTORS * S::LANES, src.as_chunks::<4>().0.as_flattened());
    let (mut measured, ahead) = (Measured::default(), Ahead::of(src));
    let most = if src.len() <= SHORT * S::LANES { src.len() } else { to_line(src) };
    let (head, body) = src.split_at(most);
    for span in core::iter::once(head).chain(body.chunks(SPAN * block)) {
        let mut sums = Quads::new(s);
        let blocks = span.chunks_exact(block);
        let rest = blocks.remainder();
        for text in blocks {
            ahead.ask(text);
            sums = sums.with::<S, TALLY>(s, quads::<S, BIG>(s, text));
        }
        if !rest.is_empty() {
            sums = sums.with::<S, TALLY>(s, part_quads::<S, BIG>(s, rest));
        }
        if !sums.are_well_formed(s) {
            break;
        }
        let here = sums.measured(s, span.len(), span.len().div_ceil(block));
        measured.read += here.read;
        measured.code_points += here.code_points;
        measured.supplementary += here.supplementary;
        measured.utf8 += here.utf8;
    }
    measured
}

/// What was seen of UTF-32.
#[derive(Clone, Copy)]
struct Quads<B> {
    /// By how much units are shorter in UTF-8 than three bytes; those that take four.
    shorter: B,
    four: B,
    /// The least difference from a surrogate, and the greatest unit.
    least: B,
    greatest: B,
}

impl<B: Bytes> Quads<B> {
    /// Nothing yet.
    #[inline(always)]
    fn new<S: Vector<Bytes = B>>(s: S) -> Self {
        let (zero, [least, greatest]) = (s.splat(0), bounds(s));
        Quads { shorter: zero, four: zero, least, greatest }
    }

    /// Whether nothing was a surrogate or too large.
    #[inline(always)]
    fn are_well_formed<S: Vector<Bytes = B>>(self, s: S) -> bool {
        let [least, greatest] = bounds(s);
        ((self.least ^ least) | (self.greatest ^ greatest)).is_zero()
    }

    /// What so many bytes come to, which were so many blocks.
    #[inline(always)]
    fn measured<S: Vector<Bytes = B>>(self, _: S, read: usize, blocks: usize) -> Measured {
        let (units, four) = (read / 4, self.four.sum_quads() as usize);
        // The zeros behind the last block's end are as much shorter as it is long.
        let longer = 2 * blocks * (VECTORS * S::LANES / 4) - self.shorter.sum_bytes() as usize;
        Measured { read, code_points: units, supplementary: four, utf8: units + longer + four }
    }

    /// And these units.
    #[inline(always)]
    fn with<S: Vector<Bytes = B>, const TALLY: bool>(mut self, s: S, all: [B; VECTORS]) -> Self {
        let greatest = all[0].max_quads(all[1]).max_quads(all[2].max_quads(all[3]));
        self.greatest = self.greatest.max_quads(greatest);
        let (units, kind) =
            ([all[0].pack_quads(all[1]), all[2].pack_quads(all[3])], splat_unit::<S, false>(s, 0xD800));
        self.least = self.least.min_units((units[0] ^ kind).min_units(units[1] ^ kind));
        if TALLY {
            self.shorter = self.shorter + units[0].shorter(units[1]);
        }
        // A branch that is guessed wrong costs more than to count what is not there, but where vectors are narrow.
        if TALLY && (S::LANES > 16 || !(greatest & tile_quad(s, 0xFFFF_0000_u32.to_le_bytes())).is_zero()) {
            for i in 0..VECTORS {
                self.four = self.four.tally_quads(all[i], tile_quad(s, 0xFFFF_u32.to_le_bytes()));
            }
        }
        self
    }
}

/// The least difference from a surrogate and the greatest unit that are well-formed.
#[inline(always)]
fn bounds<S: Vector>(s: S) -> [S::Bytes; 2] {
    [splat_unit::<S, false>(s, 0x800), tile_quad(s, 0x10_FFFF_u32.to_le_bytes())]
}

/// A block of units, lowest bytes first.
#[inline(always)]
fn quads<S: Vector, const BIG: bool>(s: S, text: &[u8]) -> [S::Bytes; VECTORS] {
    let mut all = [s.splat(0); VECTORS];
    for i in 0..VECTORS {
        all[i] = in_order::<S, BIG>(s, s.load(text, i * S::LANES));
    }
    all
}

/// The same of at most a block, with zeros somewhere.
#[inline(always)]
fn part_quads<S: Vector, const BIG: bool>(s: S, text: &[u8]) -> [S::Bytes; VECTORS] {
    let mut all = [s.splat(0); VECTORS];
    for (i, quads) in text.chunks(S::LANES).enumerate().take(VECTORS) {
        let quads = if S::LANES == 64 || text.len() < S::LANES {
            part(s, quads, 0)
        } else {
            last_part(s, &text[..i * S::LANES + quads.len()], quads.len())
        };
        all[i] = in_order::<S, BIG>(s, quads);
    }
    all
}

/// A vector of units, lowest bytes first.
#[inline(always)]
fn in_order<S: Vector, const BIG: bool>(s: S, quads: S::Bytes) -> S::Bytes {
    if BIG { reversed(s, quads) } else { quads }
}
