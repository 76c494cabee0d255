//! Measures UTF-32, and checks it at the same time.

#![forbid(unsafe_code)]
#![allow(
    clippy::needless_range_loop,
    reason = "an iterator over vectors need not be inlined, and then costs calls"
)]

use super::every::{Check, every};
use super::{FEW, Measured, VECTORS, to_line};
use crate::kernel::blocks::{last_part, last_parts, part};
use crate::kernel::from_utf16::{reversed, splat_unit};
use crate::kernel::from_utf32::tile_quad;
use crate::kernel::prefetch::Ahead;
use crate::vector::{Bytes, Lanes, Vector, lesser};

/// Like [`all`], for a short text, if all of it is well-formed.
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
    let (mut sums, block) = (Quads::new::<S, TALLY>(s), VECTORS * S::LANES);
    if src.len() <= block {
        sums = sums.and_part::<S, BIG, TALLY>(s, src, src.len());
    } else {
        // Except with the widest vectors, the last block is never empty, so that no branch depends on its length.
        let n = if const { S::LANES < 64 } { (src.len() - 1) % block + 1 } else { src.len() % block };
        for text in src[..src.len() - n].chunks_exact(block) {
            sums = sums.with::<S, TALLY>(s, quads::<S, BIG>(s, text));
        }
        if TALLY {
            if n > 0 {
                sums = sums.and_part::<S, BIG, TALLY>(s, src, n);
            }
        } else {
            sums = sums.with::<S, TALLY>(s, quads::<S, BIG>(s, &src[src.len() - block..]));
        }
    }
    if !src.len().is_multiple_of(4) || !sums.are_well_formed::<S, TALLY>(s) {
        return None;
    }
    Some(sums.measured(s, src.len(), src.len().div_ceil(block)))
}

/// Like [`short`], for a few units, one by one.
#[inline(always)]
fn few<const BIG: bool>(src: &[u8]) -> Option<Measured> {
    let (units, []) = src.as_chunks() else { return None };
    let mut measured = Measured { read: src.len(), ..Measured::default() };
    for &unit in units {
        measured.add(char::from_u32(if BIG { u32::from_be_bytes(unit) } else { u32::from_le_bytes(unit) })?);
    }
    Some(measured)
}

/// Measures UTF-32. Without `TALLY`, only finds how much is well-formed.
#[inline(always)]
pub(crate) fn all<S: Vector, const BIG: bool, const TALLY: bool>(s: S, src: &[u8]) -> Measured {
    /// Blocks between two checks for errors.
    const SPAN: usize = 64;
    let (block, src) = (VECTORS * S::LANES, src.as_chunks::<4>().0.as_flattened());
    let (mut measured, ahead) = (Measured::default(), Ahead::of(src));
    let (head, body) = src.split_at(lesser(to_line(src), src.len()));
    for span in core::iter::once(head).chain(body.chunks(SPAN * block)) {
        let mut sums = Quads::new::<S, TALLY>(s);
        let blocks = span.chunks_exact(block);
        let rest = blocks.remainder();
        for text in blocks {
            ahead.ask(text);
            sums = sums.with::<S, TALLY>(s, quads::<S, BIG>(s, text));
        }
        if !rest.is_empty() {
            let end = measured.read + span.len();
            sums = sums.and_part::<S, BIG, TALLY>(s, &src[..end], rest.len());
        }
        if !sums.are_well_formed::<S, TALLY>(s) {
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

/// What is known about a text.
#[derive(Clone, Copy)]
struct Quads<B> {
    /// By how much units are shorter than three bytes in UTF-8, and how many are at most U+FFFF.
    shorter: B,
    basic: B,
    /// On levels whose masks are bits: the bytes in UTF-8 that follow a first one, without fourth bytes, and how many units
    /// become four bytes.
    longer: usize,
    fours: usize,
    /// The least difference from a surrogate; the greatest unit, or its upper half.
    least: B,
    greatest: B,
}

impl<B: Bytes> Quads<B> {
    /// The state before the first unit.
    #[inline(always)]
    fn new<S: Vector<Bytes = B>, const TALLY: bool>(s: S) -> Self {
        let (zero, [least, greatest]) = (s.splat(0), bounds::<S, TALLY>(s));
        Quads { shorter: zero, basic: zero, longer: 0, fours: 0, least, greatest }
    }

    /// Whether no unit is a surrogate or too large.
    #[inline(always)]
    fn are_well_formed<S: Vector<Bytes = B>, const TALLY: bool>(self, s: S) -> bool {
        let [least, greatest] = bounds::<S, TALLY>(s);
        ((self.least ^ least) | (self.greatest ^ greatest)).is_zero()
    }

    /// Returns the lengths of the `read` bytes seen, which were `blocks` blocks, at most 85.
    #[inline(always)]
    fn measured<S: Vector<Bytes = B>>(self, _: S, read: usize, blocks: usize) -> Measured {
        let units = read / 4;
        if const { S::LANES == 64 } {
            let four = self.fours;
            let utf8 = units + self.longer + four;
            return Measured { read, code_points: units, supplementary: four, utf8 };
        }
        // This includes the zeros after the text, each of which becomes one byte.
        let all = blocks * S::LANES;
        // By how much all of them are shorter than four bytes.
        let shorter = (self.shorter + self.basic).sum_bytes() as usize;
        let supplementary = all - self.basic.sum_bytes() as usize;
        Measured { read, code_points: units, supplementary, utf8: 3 * all + units - shorter }
    }

    /// Adds these units.
    #[inline(always)]
    fn with<S: Vector<Bytes = B>, const TALLY: bool>(mut self, s: S, all: [B; VECTORS]) -> Self {
        let (units, kind) =
            ([all[0].pack_quads(all[1]), all[2].pack_quads(all[3])], splat_unit::<S, false>(s, 0xD800));
        self.least = self.least.min_units((units[0] ^ kind).min_units(units[1] ^ kind));
        if !TALLY || const { S::LANES == 64 } {
            let greatest = all[0].max_quads(all[1]).max_quads(all[2].max_quads(all[3]));
            self.greatest = self.greatest.max_quads(greatest);
            return if TALLY { self.counted(s, all, units) } else { self };
        }
        let upper = B::upper_halves(all);
        self.greatest = self.greatest.max(upper);
        self.shorter = self.shorter + units[0].shorter(units[1]);
        self.basic = self.basic.tally(upper.equal(s.splat(0)));
        self
    }
}

/// Checks units without counting them. To join their bits takes less time than to find the greatest unit. But for units from
/// U+100000 on, which are all for private use, the bits say nothing, and another check must follow.
#[derive(Clone, Copy)]
struct Checked<B, const BIG: bool> {
    /// The least difference from a surrogate.
    least: B,
    bits: B,
}

impl<B: Bytes, const BIG: bool> Checked<B, BIG> {
    #[inline(always)]
    fn new<S: Vector<Bytes = B>>(s: S) -> Self {
        Checked { least: splat_unit::<S, false>(s, 0x800), bits: s.splat(0) }
    }

    /// Whether all units are certainly well-formed.
    #[inline(always)]
    fn are_good<S: Vector<Bytes = B>>(self, s: S) -> bool {
        let far = self.bits & tile_quad(s, 0xFFF0_0000_u32.to_le_bytes());
        // Tests both with one mask: a mask costs more than joining its sources.
        ((self.least ^ splat_unit::<S, false>(s, 0x800)) | far).is_zero()
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
    /// Adds the last `n` bytes, at most a block.
    #[inline(always)]
    fn and_part<S: Vector<Bytes = B>, const BIG: bool, const TALLY: bool>(
        self,
        s: S,
        text: &[u8],
        n: usize,
    ) -> Self {
        if const { S::LANES == 64 } && n <= 2 * S::LANES {
            let (text, mut all) = (&text[text.len() - n..], [s.splat(0); VECTORS]);
            all[0] = in_order::<S, BIG>(s, part(s, text, 0));
            if n <= S::LANES {
                return self.with::<S, TALLY>(s, all);
            }
            all[1] = in_order::<S, BIG>(s, part(s, text, S::LANES));
            return self.with::<S, TALLY>(s, all);
        }
        self.with::<S, TALLY>(s, part_quads::<S, BIG>(s, text, n))
    }

    /// Adds the counts of these units, by bits.
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

/// Returns the bounds of well-formed units: the least difference from a surrogate, and the greatest unit or its upper half.
#[inline(always)]
fn bounds<S: Vector, const TALLY: bool>(s: S) -> [S::Bytes; 2] {
    let greatest = if !TALLY || const { S::LANES == 64 } {
        tile_quad(s, 0x10_FFFF_u32.to_le_bytes())
    } else {
        s.splat(0x10)
    };
    [splat_unit::<S, false>(s, 0x800), greatest]
}

/// Loads a block of units, lowest bytes first.
#[inline(always)]
fn quads<S: Vector, const BIG: bool>(s: S, text: &[u8]) -> [S::Bytes; VECTORS] {
    let mut all = [s.splat(0); VECTORS];
    for i in 0..VECTORS {
        all[i] = in_order::<S, BIG>(s, s.load(text, i * S::LANES));
    }
    all
}

/// Loads the last `n` bytes, at most a block, with zeros somewhere between or after them.
#[inline(always)]
fn part_quads<S: Vector, const BIG: bool>(s: S, text: &[u8], n: usize) -> [S::Bytes; VECTORS] {
    let (size, zero, len) = (S::LANES, s.splat(0), text.len());
    let mut all = [zero; VECTORS];
    if const { S::LANES == 64 } {
        for i in 0..VECTORS {
            all[i] = part(s, &text[len - n..], i * size);
        }
    } else if len >= VECTORS * size {
        all = last_parts(s, text, n);
    } else {
        let text = &text[len - n..];
        all = match n {
            _ if n <= size => [part(s, text, 0), zero, zero, zero],
            _ if n <= 2 * size => [s.load(text, 0), last_part(s, text, n - size), zero, zero],
            _ => {
                let [third, fourth] = last_parts(s, text, n - 2 * size);
                [s.load(text, 0), s.load(text, size), third, fourth]
            }
        };
    }
    for i in 0..VECTORS {
        all[i] = in_order::<S, BIG>(s, all[i]);
    }
    all
}

/// Puts the bytes of a vector of units in order, lowest first.
#[inline(always)]
fn in_order<S: Vector, const BIG: bool>(s: S, quads: S::Bytes) -> S::Bytes {
    if BIG { reversed(s, quads) } else { quads }
}
