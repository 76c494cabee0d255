//! UTF-16, which is checked as it is measured.

#![forbid(unsafe_code)]

use super::every::{Basic, every};
use super::{FEW, Measured, SHORT, SPAN, Tally, VECTORS, masks, to_line};
use crate::kernel::blocks::{last_part, part};
use crate::kernel::from_utf16::{splat_unit, swapped};
use crate::kernel::prefetch::Ahead;
use crate::vector::{Bytes, Lanes, Vector, ends_open, steps};

/// [`all`] of a short text, if all of it is well-formed.
#[inline(always)]
pub(crate) fn short<S: Vector, const BIG: bool, const TALLY: bool>(s: S, src: &[u8]) -> Option<Measured> {
    if src.is_empty() {
        // There may be no memory at all, and a CPU takes long to find that.
        return Some(Measured::default());
    }
    if const { S::LANES == 64 } && !TALLY {
        // What has surrogates is looked at again.
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

/// The same of a few units, one by one.
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

/// UTF-16. Without `TALLY`, only how much is well-formed.
#[inline(always)]
pub(crate) fn all<S: Vector, const BIG: bool, const TALLY: bool>(s: S, src: &[u8]) -> Measured {
    let src = src.as_chunks::<2>().0;
    // At the end, the first half of a pair is not read.
    let src = src[..src.len() - usize::from(ends_open::<BIG>(src.as_flattened()))].as_flattened();
    let block = VECTORS * S::LANES;
    let most = if src.len() <= SHORT * S::LANES { src.len() } else { to_line(src) };
    let (head, body) = src.split_at(most);
    let mut walk = Walk { pairs: 0, longer: 0, shorter: s.splat(0) };
    let (mut read, ahead) = (0, Ahead::of(src));
    if walk.part::<S, BIG, TALLY>(s, head, 0) {
        read = head.len();
        // From here on there is a unit before each block.
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
        // Nor is one before an error or before that half, which has counted as three bytes.
        (read, walk.longer) = (read - 2, walk.longer - 2);
    }
    let (units, pairs) = (read / 2, walk.pairs);
    Measured {
        read,
        code_points: units - pairs,
        supplementary: pairs,
        // A pair is twice three bytes less two.
        utf8: units + walk.longer - 2 * pairs,
    }
}

/// After so many blocks without a pair, the next is hardly worth a look for them.
const QUIET: usize = 4;

/// What is known of the units before.
struct Walk<B> {
    pairs: usize,
    /// The bytes in UTF-8 that follow a first one, if all units take three.
    longer: usize,
    /// By how much they are shorter, as far as it is not subtracted yet.
    shorter: B,
}

impl<B: Bytes> Walk<B> {
    /// Whole blocks up to one with surrogates: how many bytes.
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
                // Surrogates are what is below 800 then.
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

    /// Whole blocks behind the first unit of `text`, up to some without surrogates, or up to a surrogate that stands
    /// alone: each low one must have a high one before it, and each high one but the last a low one behind it.
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
            // Not after each block, where a branch would be guessed wrong.
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

    /// At most [`SHORT`] vectors from `from` on, before which are none or a vector and more, and of which the last need not be
    /// whole. Whether all of it is well-formed, but for a high surrogate at its end; otherwise nothing is counted.
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
        // The zeros behind the end are as much shorter as they are long.
        (self.longer, self.shorter) = (self.longer + n, shorter);
        true
    }

    /// What lanes have counted becomes a number.
    #[inline(always)]
    fn sum<S: Vector<Bytes = B>>(&mut self, s: S) {
        self.longer -= self.shorter.sum_bytes() as usize;
        self.shorter = s.splat(0);
    }
}

/// What is known of pairs in at most 250 vectors.
#[derive(Clone, Copy)]
struct Pairs<B: Bytes> {
    /// Low surrogates, and all lower bytes.
    low: Tally<B>,
    vectors: usize,
    /// Where one of a low surrogate and a high one before it is missing.
    lone: B::Lanes,
}

impl<B: Bytes> Pairs<B> {
    #[inline(always)]
    fn new<S: Vector<Bytes = B>>(s: S) -> Self {
        Pairs { low: Tally { lanes: s.splat(0), bits: 0 }, vectors: 0, lone: s.lanes(0) }
    }

    /// And these units, and those one `before` them.
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

/// The low surrogates of a text like that of [`Walk::part`], if each has a high one before it, and the other way round.
#[inline(always)]
fn part_pairs<S: Vector, const BIG: bool>(s: S, text: &[u8], from: usize) -> Option<usize> {
    let mut pairs = Pairs::new(s);
    if text.len() < S::LANES {
        let units = part(s, text, 0);
        pairs = pairs.with::<S, BIG>(s, units, units.delayed::<2>());
        // A high surrogate at the end is followed by what is not known, not by a zero.
        let lone = pairs.lone.bits() & ((1 << text.len()) - 1);
        return (lone == 0).then(|| pairs.sum::<S>());
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
    (!pairs.are_bad::<S>()).then(|| pairs.sum::<S>())
}

/// The last `n` bytes of units as two vectors, lower bytes first, and zeros somewhere.
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

/// A vector of units, lower bytes first.
#[inline(always)]
fn units<S: Vector, const BIG: bool>(s: S, text: &[u8], i: usize) -> S::Bytes {
    let units = s.load(text, i * S::LANES);
    if BIG { swapped(units) } else { units }
}
