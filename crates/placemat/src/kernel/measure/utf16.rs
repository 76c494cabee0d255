//! Measures UTF-16, and checks it at the same time.

#![forbid(unsafe_code)]

use super::every::{Basic, every};
use super::{FEW, Measured, SHORT, SPAN, Tally, VECTORS, masks, to_line};
use crate::kernel::blocks::{last_part, part};
use crate::kernel::from_utf16::{splat_unit, swapped};
use crate::kernel::prefetch::Ahead;
use crate::vector::{Bytes, Lanes, Vector, ends_open, steps};

/// Like [`all`], for a short text, if all of it is well-formed.
#[inline(always)]
pub(crate) fn short<S: Vector, const BIG: bool, const TALLY: bool>(s: S, src: &[u8]) -> Option<Measured> {
    if src.is_empty() {
        // The memory at this address may not be mapped; a CPU takes long to find that out.
        return Some(Measured::default());
    }
    if const { S::LANES == 64 } && !TALLY {
        // A text with surrogates is checked again below.
        let is_basic = every::<S, _, 2>(s, src, Basic::<_, BIG>::new(s)).is_all(s);
        if is_basic && src.len().is_multiple_of(2) {
            return Some(Measured { read: src.len(), ..Measured::default() });
        }
    }
    if const { S::LANES == 64 } || TALLY && const { S::LANES == 32 } {
        return masks::utf16::<S, BIG, TALLY>(s, src);
    }
    if src.len() <= 2 * FEW {
        return few::<BIG>(src);
    }
    let mut walk = Walk { pairs: 0, longer: 0, shorter: s.splat(0) };
    let block = VECTORS * S::LANES;
    if !TALLY && src.len() > block {
        let last = &src[src.len() - block..];
        let ahead = Ahead::of(src);
        let is_bmp = walk.bmp_blocks::<S, BIG, false>(s, src, ahead) == src.len() / block * block
            && walk.bmp_blocks::<S, BIG, false>(s, last, ahead) == block
            && src.len().is_multiple_of(2);
        return is_bmp.then(|| Measured { read: src.len(), ..Measured::default() });
    }
    if !src.len().is_multiple_of(2) || ends_open::<BIG>(src) || !walk.part::<S, BIG, TALLY>(s, src, 0) {
        return None;
    }
    let (units, pairs) = (src.len() / 2, walk.pairs);
    let longer = walk.longer - walk.shorter.sum_bytes() as usize;
    Some(Measured {
        read: src.len(),
        code_points: units - pairs,
        supplementary: pairs,
        utf8: units + longer - 2 * pairs,
    })
}

/// Like [`short`], for a few units, one by one.
#[inline(always)]
fn few<const BIG: bool>(src: &[u8]) -> Option<Measured> {
    let (units, []) = src.as_chunks() else { return None };
    let unit = |&bytes: &[u8; 2]| if BIG { u16::from_be_bytes(bytes) } else { u16::from_le_bytes(bytes) };
    let mut measured = Measured { read: src.len(), ..Measured::default() };
    for c in char::decode_utf16(units.iter().map(unit)) {
        measured.add(c.ok()?);
    }
    Some(measured)
}

/// Measures UTF-16. Without `TALLY`, only finds how much is well-formed.
#[inline(always)]
pub(crate) fn all<S: Vector, const BIG: bool, const TALLY: bool>(s: S, src: &[u8]) -> Measured {
    let src = src.as_chunks::<2>().0;
    // A high surrogate at the end is not read.
    let src = src[..src.len() - usize::from(ends_open::<BIG>(src.as_flattened()))].as_flattened();
    let block = VECTORS * S::LANES;
    let most = if src.len() <= SHORT * S::LANES { src.len() } else { to_line(src) };
    let (head, body) = src.split_at(most);
    let mut walk = Walk { pairs: 0, longer: 0, shorter: s.splat(0) };
    let (mut read, ahead) = (0, Ahead::of(src));
    if walk.part::<S, BIG, TALLY>(s, head, 0) {
        read = head.len();
        // From here on, there is a unit before each block.
        for span in body.chunks(SPAN * block) {
            let end = read + span.len() / block * block;
            while read < end {
                if !ends_open::<BIG>(&src[..read]) {
                    read += walk.bmp_blocks::<S, BIG, TALLY>(s, &src[read..end], ahead);
                }
                let n = walk.mixed::<S, BIG, TALLY>(s, &src[read - 2..end]);
                read += n;
                if n == 0 {
                    break;
                }
            }
            if read == end && src.len() - read < block && walk.part::<S, BIG, TALLY>(s, src, read) {
                read = src.len();
            }
            walk.sum(s);
            if read < end {
                break;
            }
        }
    }
    walk.sum(s);
    if ends_open::<BIG>(&src[..read]) {
        // A high surrogate before an error, or before the one left out above, is not read either. It was counted as three
        // bytes.
        (read, walk.longer) = (read - 2, walk.longer - 2);
    }
    let (units, pairs) = (read / 2, walk.pairs);
    Measured {
        read,
        code_points: units - pairs,
        supplementary: pairs,
        // A pair was counted as twice three bytes; it has two less.
        utf8: units + walk.longer - 2 * pairs,
    }
}

/// After this many blocks without a pair, a check for pairs in the next one hardly pays.
const QUIET: usize = 4;

/// The state of a measurement.
struct Walk<B> {
    pairs: usize,
    /// The bytes in UTF-8 beyond one for each unit, if all units become three.
    longer: usize,
    /// By how much units are shorter than that, as far as it is not subtracted yet.
    shorter: B,
}

impl<B: Bytes> Walk<B> {
    /// Measures whole blocks up to one with surrogates. Returns how many bytes.
    #[inline(always)]
    fn bmp_blocks<S: Vector<Bytes = B>, const BIG: bool, const TALLY: bool>(
        &mut self,
        s: S,
        text: &[u8],
        ahead: Ahead,
    ) -> usize {
        let (kind, limit) = (splat_unit::<S, false>(s, 0xD800), splat_unit::<S, false>(s, 0x800));
        let mut n = 0;
        for text in text.chunks_exact(VECTORS * S::LANES) {
            ahead.ask(text);
            let (mut shorter, mut least) = (self.shorter, limit);
            for i in steps(0..VECTORS, 2) {
                let two = [units::<S, BIG>(s, text, i), units::<S, BIG>(s, text, i + 1)];
                // After this, surrogates are the numbers below 800h.
                least = least.min_units((two[0] ^ kind).min_units(two[1] ^ kind));
                if TALLY {
                    shorter = shorter + two[0].shorter(two[1]);
                }
            }
            if least.equal(limit).bits() != !0 >> (64 - S::LANES) {
                break;
            }
            self.shorter = shorter;
            n += text.len();
        }
        self.longer += n;
        n
    }

    /// Measures whole blocks behind the first unit of `text`, up to some without surrogates, or up to a surrogate without a
    /// partner: each low one must follow a high one, and each high one except the last must precede a low one. Returns how
    /// many bytes.
    #[inline(always)]
    fn mixed<S: Vector<Bytes = B>, const BIG: bool, const TALLY: bool>(
        &mut self,
        s: S,
        text: &[u8],
    ) -> usize {
        let (kinds, high, low) = (s.splat(0xFC), s.splat(0xD8), s.splat(0xDC));
        let (last, text) = text.split_at(2);
        let mut open = u64::from(ends_open::<BIG>(last));
        let (mut n, mut before) = (0, self.pairs);
        for text in text.chunks_exact(VECTORS * S::LANES) {
            let (mut bad, mut pairs, mut shorter) = (0, 0, self.shorter);
            for i in steps(0..VECTORS, 2) {
                let two = [s.load(text, i * S::LANES), s.load(text, (i + 1) * S::LANES)];
                let upper = s.separate(two)[usize::from(!BIG)] & kinds;
                let is_high = upper.equal(high).bits();
                let is_low = upper.equal(low).bits();
                bad |= is_low ^ (is_high << 1 | open);
                open = is_high >> (S::LANES - 1);
                pairs += is_low.count_ones() as usize;
                if TALLY {
                    shorter = shorter + units::<S, BIG>(s, text, i).shorter(units::<S, BIG>(s, text, i + 1));
                }
            }
            if bad & !0 >> (64 - S::LANES) != 0 {
                break;
            }
            n += text.len();
            self.pairs += pairs;
            self.shorter = shorter;
            // Not after each block, because the branch would be mispredicted.
            if n.is_multiple_of(QUIET * text.len()) {
                if self.pairs == before {
                    break;
                }
                before = self.pairs;
            }
        }
        self.longer += n;
        n
    }

    /// Measures at most [`SHORT`] vectors from `from` on; the last need not be whole. `from` is 0, or at least the length of a
    /// vector. Returns whether all of it is well-formed, except a high surrogate at its end. If not, counts nothing.
    #[inline(always)]
    fn part<S: Vector<Bytes = B>, const BIG: bool, const TALLY: bool>(
        &mut self,
        s: S,
        text: &[u8],
        from: usize,
    ) -> bool {
        let (kind, limit) = (splat_unit::<S, false>(s, 0xD800), splat_unit::<S, false>(s, 0x800));
        let (mut shorter, mut least, mut n) = (self.shorter, limit, 0);
        let whole = text[from..].chunks_exact(2 * S::LANES);
        let rest = whole.remainder().len();
        for text in whole {
            let two = [units::<S, BIG>(s, text, 0), units::<S, BIG>(s, text, 1)];
            least = least.min_units((two[0] ^ kind).min_units(two[1] ^ kind));
            if TALLY {
                shorter = shorter + two[0].shorter(two[1]);
            }
            n += 2 * S::LANES;
        }
        if rest > 0 {
            let two = rest_units::<S, BIG>(s, text, rest);
            least = least.min_units((two[0] ^ kind).min_units(two[1] ^ kind));
            if TALLY {
                shorter = shorter + two[0].shorter(two[1]);
            }
            n += 2 * S::LANES;
        }
        let is_open = ends_open::<BIG>(&text[..from]);
        if is_open || least.equal(limit).bits() != !0 >> (64 - S::LANES) {
            let Some(pairs) = part_pairs::<S, BIG>(s, text, from) else { return false };
            self.pairs += pairs;
        }
        // The zeros behind the end add the same to `longer` and to `shorter`.
        (self.longer, self.shorter) = (self.longer + n, shorter);
        true
    }

    /// Subtracts what the lanes have counted.
    #[inline(always)]
    fn sum<S: Vector<Bytes = B>>(&mut self, s: S) {
        self.longer -= self.shorter.sum_bytes() as usize;
        self.shorter = s.splat(0);
    }
}

/// What is known about pairs in at most 250 vectors.
#[derive(Clone, Copy)]
struct Pairs<B: Bytes> {
    /// The number of low surrogates, plus one for each lower byte.
    low: Tally<B>,
    vectors: usize,
    /// Where a low surrogate has no high one before it, or a high one no low one after it.
    lone: B::Lanes,
}

impl<B: Bytes> Pairs<B> {
    #[inline(always)]
    fn new<S: Vector<Bytes = B>>(s: S) -> Self {
        Pairs { low: Tally { lanes: s.splat(0), bits: 0 }, vectors: 0, lone: s.lanes(0) }
    }

    /// Adds these units. `before` are the same text one unit earlier.
    #[inline(always)]
    fn with<S: Vector<Bytes = B>, const BIG: bool>(mut self, s: S, units: B, before: B) -> Self {
        let kinds = splat_unit::<S, BIG>(s, 0xFC00);
        let low = (units & kinds).equal(splat_unit::<S, BIG>(s, 0xDC00));
        self.lone = self.lone | (low ^ (before & kinds).equal(splat_unit::<S, BIG>(s, 0xD800)));
        self.low = self.low.with::<S>(low);
        self.vectors += 1;
        self
    }

    #[inline(always)]
    fn are_bad<S: Vector<Bytes = B>>(self) -> bool {
        self.lone.bits() & !0 >> (64 - S::LANES) != 0
    }

    #[inline(always)]
    fn sum<S: Vector<Bytes = B>>(self) -> usize {
        self.low.sum() - self.vectors * S::LANES / 2
    }
}

/// Returns the number of low surrogates of a text like that of [`Walk::part`], if each follows a high one, and each high one
/// precedes a low one.
#[inline(always)]
fn part_pairs<S: Vector, const BIG: bool>(s: S, text: &[u8], from: usize) -> Option<usize> {
    let mut pairs = Pairs::new(s);
    if text.len() < S::LANES {
        let units = part(s, text, 0);
        pairs = pairs.with::<S, BIG>(s, units, units.delayed::<2>());
        // A high surrogate at the end is followed by units that are not known, not by a zero.
        let lone = pairs.lone.bits() & ((1 << text.len()) - 1);
        return if lone == 0 { Some(pairs.sum::<S>()) } else { None };
    }
    let mut at = from;
    while let Some(units) = text[at..].get(..S::LANES) {
        let units = s.load(units, 0);
        let before = if at == 0 { units.delayed::<2>() } else { s.load(text, at - 2) };
        pairs = pairs.with::<S, BIG>(s, units, before);
        at += S::LANES;
    }
    let n = text.len() - at;
    if n > 0 {
        let before = last_part(s, &text[..text.len() - 2], n);
        pairs = pairs.with::<S, BIG>(s, last_part(s, text, n), before);
    }
    if pairs.are_bad::<S>() { None } else { Some(pairs.sum::<S>()) }
}

/// Returns the last `n` bytes of units as two vectors, lower bytes first, with zeros somewhere between or after them.
#[inline(always)]
fn rest_units<S: Vector, const BIG: bool>(s: S, text: &[u8], n: usize) -> [S::Bytes; 2] {
    let at = text.len() - n;
    let two = if const { S::LANES == 64 } || text.len() < S::LANES {
        [part(s, text, at), part(s, text, at + S::LANES)]
    } else if n <= S::LANES {
        [last_part(s, text, n), s.splat(0)]
    } else {
        [s.load(text, at), last_part(s, text, n - S::LANES)]
    };
    if BIG { [swapped(two[0]), swapped(two[1])] } else { two }
}

/// Loads a vector of units, lower bytes first.
#[inline(always)]
fn units<S: Vector, const BIG: bool>(s: S, text: &[u8], i: usize) -> S::Bytes {
    let units = s.load(text, i * S::LANES);
    if BIG { swapped(units) } else { units }
}
