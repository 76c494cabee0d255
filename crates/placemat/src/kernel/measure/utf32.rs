//! UTF-32, which is checked as it is measured.

#![forbid(unsafe_code)]
#![allow(
    clippy::needless_range_loop,
    reason = "an iterator over vectors need not be inlined, and then costs calls"
)]

use super::every::{Check, every};
use super::{FEW, Measured, SHORT, VECTORS, to_line};
use crate::kernel::blocks::{last_part, part};
use crate::kernel::from_utf16::{reversed, splat_unit};
use crate::kernel::from_utf32::tile_quad;
use crate::kernel::prefetch::Ahead;
use crate::vector::{Bytes, Lanes, Vector};

/// [`all`] of a short text, if all of it is well-formed.
#[inline(always)]
pub(crate) fn short<S: Vector, const BIG: bool, const TALLY: bool>(s: S, src: &[u8]) -> Option<Measured> {
    if src.is_empty() {
        return Some(Measured::default());
    }
    if const { S::LANES < 64 } && src.len() <= 4 * FEW {
        return few::<BIG>(src);
    }
    if const { S::LANES == 64 } && !TALLY {
        let are_good =
            every::<S, _, 4>(s, src, Checked::<_, BIG>::new(s)).are_good(s) && src.len().is_multiple_of(4);
        return are_good.then(|| Measured { read: src.len(), ..Measured::default() });
    }
    let (mut sums, block) = (Quads::new(s), VECTORS * S::LANES);
    if TALLY || src.len() <= block {
        let blocks = src.chunks_exact(block);
        let rest = blocks.remainder();
        for text in blocks {
            sums = sums.with::<S, TALLY>(s, quads::<S, BIG>(s, text));
        }
        if !rest.is_empty() {
            sums = sums.and_part::<S, BIG, TALLY>(s, rest);
        }
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
            sums = sums.and_part::<S, BIG, TALLY>(s, rest);
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
    /// Where a CPU has lanes as bits: the bytes in UTF-8 that follow a first one, without the fourth, and those that take four.
    longer: usize,
    fours: usize,
    /// The least difference from a surrogate, and the greatest unit.
    least: B,
    greatest: B,
}

impl<B: Bytes> Quads<B> {
    /// Nothing yet.
    #[inline(always)]
    fn new<S: Vector<Bytes = B>>(s: S) -> Self {
        let (zero, [least, greatest]) = (s.splat(0), bounds(s));
        Quads { shorter: zero, four: zero, longer: 0, fours: 0, least, greatest }
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
        if const { S::LANES == 64 } {
            let (units, four) = (read / 4, self.fours);
            let utf8 = units + self.longer + four;
            return Measured { read, code_points: units, supplementary: four, utf8 };
        }
        let (units, four) = (read / 4, self.four.sum_quads() as usize);
        // The zeros behind the last block's end are as much shorter as it is long.
        let longer = 2 * blocks * (VECTORS * S::LANES / 4) - self.shorter.sum_bytes() as usize;
        Measured { read, code_points: units, supplementary: four, utf8: units + longer + four }
    }

    /// And these units.
    #[inline(always)]
    fn with<S: Vector<Bytes = B>, const TALLY: bool>(mut self, s: S, all: [B; VECTORS]) -> Self {
        let (units, kind) =
            ([all[0].pack_quads(all[1]), all[2].pack_quads(all[3])], splat_unit::<S, false>(s, 0xD800));
        self.least = self.least.min_units((units[0] ^ kind).min_units(units[1] ^ kind));
        let greatest = all[0].max_quads(all[1]).max_quads(all[2].max_quads(all[3]));
        self.greatest = self.greatest.max_quads(greatest);
        if TALLY && const { S::LANES == 64 } {
            return self.counted(s, all, units);
        }
        if TALLY {
            self.shorter = self.shorter + units[0].shorter(units[1]);
        }
        // A branch that is guessed wrong costs more than to count what is not there, but where vectors are narrow.
        if TALLY
            && (const { S::LANES > 16 }
                || !(greatest & tile_quad(s, 0xFFFF_0000_u32.to_le_bytes())).is_zero())
        {
            for i in 0..VECTORS {
                self.four = self.four.tally_quads(all[i], tile_quad(s, 0xFFFF_u32.to_le_bytes()));
            }
        }
        self
    }
}

/// Units that are only checked. To join their bits takes less time than to find the greatest. From U+100000 on, where all is for
/// private use, it says nothing, and there is another look.
#[derive(Clone, Copy)]
struct Checked<B, const BIG: bool> {
    /// The least difference from a surrogate.
    least: B,
    bits: B,
}

impl<B: Bytes, const BIG: bool> Checked<B, BIG> {
    #[inline(always)]
    fn new<S: Vector<Bytes = B>>(s: S) -> Self {
        Checked { least: bounds(s)[0], bits: s.splat(0) }
    }

    /// Whether all are certainly well-formed.
    #[inline(always)]
    fn are_good<S: Vector<Bytes = B>>(self, s: S) -> bool {
        let far = self.bits & tile_quad(s, 0xFFF0_0000_u32.to_le_bytes());
        // One mask: each costs more than to join what it is of.
        ((self.least ^ bounds(s)[0]) | far).is_zero()
    }
}

impl<S: Vector, const BIG: bool> Check<S> for Checked<S::Bytes, BIG> {
    #[inline(always)]
    fn with(mut self, s: S, [a, b, c, d]: [S::Bytes; VECTORS]) -> Self {
        let [a, b] = [in_order::<S, BIG>(s, a), in_order::<S, BIG>(s, b)];
        let [c, d] = [in_order::<S, BIG>(s, c), in_order::<S, BIG>(s, d)];
        let kind = splat_unit::<S, false>(s, 0xD800);
        self.least = self.least.min_units((a.pack_quads(b) ^ kind).min_units(c.pack_quads(d) ^ kind));
        self.bits = self.bits | a | b | c | d;
        self
    }
}

impl<B: Bytes> Quads<B> {
    /// And these, which are at most a block.
    #[inline(always)]
    fn and_part<S: Vector<Bytes = B>, const BIG: bool, const TALLY: bool>(self, s: S, text: &[u8]) -> Self {
        if const { S::LANES == 64 } && text.len() <= 2 * S::LANES {
            let mut all = [s.splat(0); VECTORS];
            all[0] = in_order::<S, BIG>(s, part(s, text, 0));
            if text.len() <= S::LANES {
                return self.with::<S, TALLY>(s, all);
            }
            all[1] = in_order::<S, BIG>(s, part(s, text, S::LANES));
            return self.with::<S, TALLY>(s, all);
        }
        self.with::<S, TALLY>(s, part_quads::<S, BIG>(s, text))
    }

    /// And as many as are in these units, as bits.
    #[inline(always)]
    fn counted<S: Vector<Bytes = B>>(mut self, s: S, all: [B; VECTORS], units: [B; 2]) -> Self {
        let upper = units[0].upper_bits(units[1]);
        let planes = [s.separate_pairs([all[0], all[1]])[1], s.separate_pairs([all[2], all[3]])[1]];
        for least in [1, 16] {
            self.longer += upper.at_least(s.splat(least)).bits().count_ones() as usize;
        }
        let planes = planes[0] | planes[1].shl::<8>();
        self.fours += planes.at_least(s.splat(1)).bits().count_ones() as usize;
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
    if const { S::LANES == 64 } {
        for i in 0..VECTORS {
            all[i] = in_order::<S, BIG>(s, part(s, text, i * S::LANES));
        }
        return all;
    }
    for (i, quads) in text.chunks(S::LANES).enumerate().take(VECTORS) {
        let quads = if text.len() < S::LANES {
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
