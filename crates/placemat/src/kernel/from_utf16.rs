//! UTF-16 to UTF-8 and UTF-32.
//!
//! Sixty-four code units at a time, as planes of their lower and upper bytes. Each half of a surrogate pair is treated
//! alone: in UTF-8 each becomes two bytes, so no branch asks where pairs are.

#![forbid(unsafe_code)]

use core::mem::MaybeUninit;

use super::Progress;
use crate::simd::{Bytes, Lanes, Simd};

/// Code units in a block.
const BLOCK: usize = 64;
/// The most that a block can become.
const ROOM: usize = 4 * BLOCK;

type Block = [u8; 2 * BLOCK];
/// A block of units, with one unit before it and one after.
type Text = [u8; 2 + 2 * BLOCK + 2];

/// What kinds of units a block has: a bit for each unit.
#[derive(Clone, Copy)]
pub(crate) struct Kinds {
    /// Not ASCII; from U+0800 on, surrogates included.
    two: u64,
    three: u64,
    high: u64,
    low: u64,
}

/// A form that units of UTF-16 become.
pub(crate) trait Target<S: Simd> {
    /// What a high surrogate that is written too early has taken.
    const HALF: usize;
    /// What a unit of a plain block takes, if that is always the same.
    const UNIT: usize;

    /// Write a whole block if it is of the common kind, and say how many bytes it took.
    fn plain<const BIG: bool>(s: S, text: &Block, out: &mut [MaybeUninit<u8>]) -> Option<usize>;
    /// Write the units and say how many bytes those of `keep` took. `bad` are surrogates without partners.
    fn put<const BIG: bool>(
        s: S,
        text: &Text,
        kinds: Kinds,
        bad: u64,
        keep: u64,
        out: &mut [MaybeUninit<u8>; ROOM],
    ) -> usize;
}

/// The lower and upper bytes of the units from a lane on, and of those one before them.
#[inline(always)]
fn planes<S: Simd, const BIG: bool>(s: S, text: &Text, lane: usize) -> [S::Bytes; 2] {
    planes_at::<S, BIG>(s, text, 2 + 2 * lane)
}

#[inline(always)]
fn planes_before<S: Simd, const BIG: bool>(s: S, text: &Text, lane: usize) -> [S::Bytes; 2] {
    planes_at::<S, BIG>(s, text, 2 * lane)
}

#[inline(always)]
fn planes_at<S: Simd, const BIG: bool>(s: S, text: &[u8], at: usize) -> [S::Bytes; 2] {
    let [first, second] = s.separate([s.load(text, at), s.load(text, at + S::LANES)]);
    if BIG { [second, first] } else { [first, second] }
}

/// A vector of the same unit, in the byte order of the source.
#[inline(always)]
pub(crate) fn splat_unit<S: Simd, const BIG: bool>(s: S, unit: u16) -> S::Bytes {
    let [first, second] = if BIG { unit.to_be_bytes() } else { unit.to_le_bytes() };
    s.tile(&[
        first, second, first, second, first, second, first, second, first, second, first, second, first,
        second, first, second,
    ])
}

/// Whether any of a block of units is a surrogate.
#[inline(always)]
fn has_surrogate<S: Simd, const BIG: bool>(s: S, text: &Block) -> bool {
    let mut any = kind(s, units(s, text, 0));
    for i in 1..2 * BLOCK / S::LANES {
        any = any | kind(s, units(s, text, i));
    }
    any.bits() & UPPER[usize::from(BIG)] != 0
}

/// The lanes where surrogates have their upper bytes, and some others.
#[inline(always)]
pub(crate) fn kind<S: Simd>(s: S, units: S::Bytes) -> <S::Bytes as Bytes>::Lanes {
    (units & s.splat(0xF8)).equal(s.splat(0xD8))
}

/// The lanes of upper bytes, by byte order.
pub(crate) const UPPER: [u64; 2] = [0xAAAA_AAAA_AAAA_AAAA, 0x5555_5555_5555_5555];

/// Units with their bytes in the other order.
#[inline(always)]
pub(crate) fn swapped<B: Bytes>(units: B) -> B {
    units.shl::<8>() | units.shr::<8>()
}

/// The vectors of a block, one after the other.
#[inline(always)]
fn units<S: Simd>(s: S, text: &Block, i: usize) -> S::Bytes {
    s.load(text, i * S::LANES)
}

impl Kinds {
    #[inline(always)]
    fn of<S: Simd, const BIG: bool>(s: S, text: &Text) -> Self {
        let mut kinds = Kinds { two: 0, three: 0, high: 0, low: 0 };
        for lane in (0..BLOCK).step_by(S::LANES) {
            let [low, high] = planes::<S, BIG>(s, text, lane);
            let ascii = high.equal(s.splat(0)).bits() & !low.high_bits();
            kinds.two |= (!ascii & !0 >> (64 - S::LANES)) << lane;
            kinds.three |= high.at_least(s.splat(0x08)).bits() << lane;
            let surrogate = high & s.splat(0xFC);
            kinds.high |= surrogate.equal(s.splat(0xD8)).bits() << lane;
            kinds.low |= surrogate.equal(s.splat(0xDC)).bits() << lane;
        }
        kinds
    }
}

/// Of a block that was written here, how many units count, and what they take, if that brings the next to where stores do
/// not cross a line of the cache. The others are written again.
#[inline(always)]
pub(crate) fn to_boundary(room: &[MaybeUninit<u8>; ROOM], unit: usize) -> Option<(usize, usize)> {
    const LINE: usize = 64;
    let n = room.as_ptr().addr().wrapping_neg() % LINE;
    (unit != 0 && n != 0 && n.is_multiple_of(unit)).then(|| (n / unit, n))
}

/// Is this unit's upper byte that of a high (D8) or low (DC) surrogate?
#[inline(always)]
fn is<const BIG: bool>(unit: [u8; 2], kind: u8) -> bool {
    unit[if BIG { 0 } else { 1 }] & 0xFC == kind
}

/// UTF-16 to `T`, up to the first surrogate without a partner, or with U+FFFD for each.
#[inline(always)]
pub(crate) fn convert<S: Simd, T: Target<S>, const BIG: bool, const REPLACE: bool>(
    s: S,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Progress {
    // Whole units only, and at the end no half of a pair.
    let src = src.as_chunks::<2>().0;
    let open = src.last().is_some_and(|&unit| is::<BIG>(unit, 0xD8));
    let src = src[..src.len() - usize::from(open)].as_flattened();
    let (mut at, mut written, mut replaced) = (0, 0, 0);
    let mut padded: Text;
    while at < src.len() {
        let text = match src.get(at.wrapping_sub(2)..).and_then(<[u8]>::first_chunk) {
            Some(text) => text,
            None => {
                let from = at.saturating_sub(2);
                padded = [0; 2 + 2 * BLOCK + 2];
                let near = &src[from..src.len().min(at + 2 * BLOCK + 2)];
                padded[2 - (at - from)..][..near.len()].copy_from_slice(near);
                &padded
            }
        };
        let units = BLOCK.min((src.len() - at) / 2);
        if units == BLOCK
            && let (Some(block), Some(room)) =
                (src[at..].first_chunk(), dst[written..].first_chunk_mut::<ROOM>())
            && let Some(n) = T::plain::<BIG>(s, block, room)
        {
            let (units, n) = to_boundary(room, T::UNIT).unwrap_or((BLOCK, n));
            (at, written) = (at + 2 * units, written + n);
            if T::UNIT != 0 {
                let room = dst[written..].chunks_exact_mut(T::UNIT * BLOCK);
                for (block, room) in src[at..].as_chunks().0.iter().zip(room) {
                    let Some(n) = T::plain::<BIG>(s, block, room) else { break };
                    (at, written) = (at + 2 * BLOCK, written + n);
                }
            }
            continue;
        }
        let kinds = Kinds::of::<S, BIG>(s, text);
        let [before, after] = [[text[0], text[1]], [text[2 + 2 * BLOCK], text[3 + 2 * BLOCK]]];
        let follows = kinds.high << 1 | u64::from(is::<BIG>(before, 0xD8));
        let precedes = kinds.low >> 1 | u64::from(is::<BIG>(after, 0xDC)) << 63;
        let mut keep = !0 >> (BLOCK - units);
        let mut bad = (kinds.low & !follows | kinds.high & !precedes) & keep;
        let stop = !REPLACE && bad != 0;
        if stop {
            keep = (1 << bad.trailing_zeros()) - 1;
            bad = 0;
        }
        let rest = &mut dst[written..];
        let mut side = [MaybeUninit::uninit(); ROOM];
        let direct = rest.len() >= ROOM;
        let n = T::put::<BIG>(s, text, kinds, bad, keep, rest.first_chunk_mut().unwrap_or(&mut side));
        if !direct {
            let Some(place) = rest.get_mut(..n) else { break };
            place.copy_from_slice(&side[..n]);
        }
        written += n;
        replaced += bad.count_ones() as usize;
        if stop {
            at += 2 * keep.count_ones() as usize;
            break;
        }
        // Not from `keep`: where the next block begins must not wait for this one's units.
        at += 2 * units;
    }
    // A pair is not split.
    if let Some(&last) = src[..at].last_chunk()
        && is::<BIG>(last, 0xD8)
        && src[at..].first_chunk().is_some_and(|&next| is::<BIG>(next, 0xDC))
    {
        (at, written) = (at - 2, written - T::HALF);
    }
    Progress { read: at, written, replaced }
}

/// UTF-8.
pub(crate) struct Utf8;

impl<S: Simd> Target<S> for Utf8 {
    const HALF: usize = 2;
    const UNIT: usize = 0;

    /// Below U+0800, and ASCII first.
    #[inline(always)]
    fn plain<const BIG: bool>(s: S, text: &Block, out: &mut [MaybeUninit<u8>]) -> Option<usize> {
        let mut any = s.splat(0);
        for i in 0..2 * BLOCK / S::LANES {
            any = any | units(s, text, i);
        }
        if (any & splat_unit::<S, BIG>(s, 0xFF80)).is_zero() {
            for lane in (0..BLOCK).step_by(S::LANES) {
                s.store(planes_at::<S, BIG>(s, text, 2 * lane)[0], out, lane);
            }
            return Some(BLOCK);
        }
        if !(any & splat_unit::<S, BIG>(s, 0xF800)).is_zero() {
            return None;
        }
        let mut n = 0;
        for lane in (0..BLOCK).step_by(S::LANES) {
            let [lower, upper] = planes_at::<S, BIG>(s, text, 2 * lane);
            let two = (upper.at_least(s.splat(1)).bits() | lower.high_bits()) & !0 >> (64 - S::LANES);
            let last = lower.replace(s.lanes(two), (lower & s.splat(0x3F)) | s.splat(0x80));
            let lead =
                (upper.shl::<2>() & s.splat(0x1C)) | (lower.shr::<6>() & s.splat(0x03)) | s.splat(0xC0);
            s.put_one_or_two([lead, last], two, out, n);
            n += S::LANES + two.count_ones() as usize;
        }
        Some(n)
    }

    #[inline(always)]
    fn put<const BIG: bool>(
        s: S,
        text: &Text,
        kinds: Kinds,
        bad: u64,
        keep: u64,
        out: &mut [MaybeUninit<u8>; ROOM],
    ) -> usize {
        let Kinds { two, three, high, low } = kinds;
        let three = three & !(high | low) | bad;
        let mut written = 0;
        for lane in (0..BLOCK).step_by(S::LANES) {
            let part = !0 >> (64 - S::LANES);
            let (two, three) = (two >> lane & part, three >> lane & part);
            let [lower, upper] = planes::<S, BIG>(s, text, lane);
            let wide = s.lanes(two);
            let last = lower.replace(wide, (lower & s.splat(0x3F)) | s.splat(0x80));
            let middle = (upper.shl::<2>() & s.splat(0x3C)) | (lower.shr::<6>() & s.splat(0x03));
            if kinds.three == 0 {
                s.put_one_or_two([middle | s.splat(0xC0), last], two, out, written);
            } else {
                let first = (upper.shr::<4>() & s.splat(0x0F)) | s.splat(0xE0);
                let mut second = middle | s.splat(0x80).replace(s.lanes(two & !three), s.splat(0xC0));
                let mut planes = [s.splat(0), first, second, last];
                if high | low != 0 {
                    let [before, _] = planes_before::<S, BIG>(s, text, lane);
                    let (high, low) = (s.lanes(high >> lane), s.lanes(low >> lane));
                    // A high surrogate: F0, 90 and the upper bits of what is 40h more than its ten bits.
                    let plus = lower + s.splat(0x40);
                    let carry = s.splat(1).keep(lower.at_least(s.splat(0xC0)));
                    let top = (upper & s.splat(0x03)) + carry;
                    second = second.replace(high, top | s.splat(0xF0));
                    let end = (plus.shr::<2>() & s.splat(0x3F)) | s.splat(0x80);
                    // A low one: the two bits that the high one has left, and four of its own.
                    let left = (before.shl::<4>() & s.splat(0x30)) | (middle & s.splat(0x0F)) | s.splat(0x80);
                    second = second.replace(low, left);
                    let mut last = last.replace(high, end);
                    let mut first = first;
                    if bad != 0 {
                        let bad = s.lanes(bad >> lane);
                        first = first.replace(bad, s.splat(0xEF));
                        second = second.replace(bad, s.splat(0xBF));
                        last = last.replace(bad, s.splat(0xBD));
                    }
                    planes = [s.splat(0), first, second, last];
                }
                s.put_sequences(planes, [two, three, 0], out, written);
            }
            written += S::LANES + (two.count_ones() + three.count_ones()) as usize;
        }
        (keep.count_ones() + (two & keep).count_ones() + (three & keep).count_ones()) as usize
    }
}

/// UTF-32, in either byte order.
pub(crate) struct Utf32<const BIG: bool>;

impl<S: Simd, const BIG_TARGET: bool> Target<S> for Utf32<BIG_TARGET> {
    const HALF: usize = 0;
    const UNIT: usize = 4;

    /// Without surrogates.
    #[inline(always)]
    fn plain<const BIG: bool>(s: S, text: &Block, out: &mut [MaybeUninit<u8>]) -> Option<usize> {
        if has_surrogate::<S, BIG>(s, text) {
            return None;
        }
        let zero = s.splat(0);
        for i in 0..2 * BLOCK / S::LANES {
            let units = units(s, text, i);
            let units = if BIG == BIG_TARGET { units } else { swapped(units) };
            let [first, second] = if BIG_TARGET { s.interleave_pairs([zero, units]) } else { s.widen(units) };
            s.store(first, out, 2 * i * S::LANES);
            s.store(second, out, (2 * i + 1) * S::LANES);
        }
        Some(4 * BLOCK)
    }

    #[inline(always)]
    fn put<const BIG: bool>(
        s: S,
        text: &Text,
        kinds: Kinds,
        bad: u64,
        keep: u64,
        out: &mut [MaybeUninit<u8>; ROOM],
    ) -> usize {
        let zero = s.splat(0);
        let lanes = !kinds.high & keep | bad;
        let mut written = 0;
        for lane in (0..BLOCK).step_by(S::LANES) {
            let [mut lower, mut upper] = planes::<S, BIG>(s, text, lane);
            let lanes = lanes >> lane & (!0 >> (64 - S::LANES));
            let order = |[lower, upper]: [S::Bytes; 2], top: Option<S::Bytes>| {
                let top = top.map(|top| if BIG_TARGET { [zero, top] } else { [top, zero] });
                let low = Some(if BIG_TARGET { [upper, lower] } else { [lower, upper] });
                if BIG_TARGET { [top, low] } else { [low, top] }
            };
            if kinds.high | kinds.low == 0 {
                written += 4 * s.put_quads(order([lower, upper], None), lanes, out, written);
                continue;
            }
            let [lower_before, upper_before] = planes_before::<S, BIG>(s, text, lane);
            let low = s.lanes((kinds.low & !bad) >> lane);
            let bits = (upper & s.splat(0x03)) | (lower_before.shl::<2>() & s.splat(0xFC));
            let top = (upper_before.shl::<2>() & s.splat(0x0C)) | (lower_before.shr::<6>() & s.splat(0x03));
            let bad = s.lanes(bad >> lane);
            upper = upper.replace(low, bits).replace(bad, s.splat(0xFF));
            lower = lower.replace(bad, s.splat(0xFD));
            let top = (top + s.splat(1)).keep(low);
            written += 4 * s.put_quads(order([lower, upper], Some(top)), lanes, out, written);
        }
        written
    }
}

/// UTF-16, in either byte order: the other, or a copy that is checked.
pub(crate) struct Utf16<const BIG: bool>;

impl<S: Simd, const BIG_TARGET: bool> Target<S> for Utf16<BIG_TARGET> {
    const HALF: usize = 2;
    const UNIT: usize = 2;

    /// Without surrogates.
    #[inline(always)]
    fn plain<const BIG: bool>(s: S, text: &Block, out: &mut [MaybeUninit<u8>]) -> Option<usize> {
        if has_surrogate::<S, BIG>(s, text) {
            return None;
        }
        for i in 0..2 * BLOCK / S::LANES {
            let units = units(s, text, i);
            s.store(if BIG == BIG_TARGET { units } else { swapped(units) }, out, i * S::LANES);
        }
        Some(2 * BLOCK)
    }

    #[inline(always)]
    fn put<const BIG: bool>(
        s: S,
        text: &Text,
        _kinds: Kinds,
        bad: u64,
        keep: u64,
        out: &mut [MaybeUninit<u8>; ROOM],
    ) -> usize {
        for lane in (0..BLOCK).step_by(S::LANES) {
            let [lower, upper] = planes::<S, BIG>(s, text, lane);
            let bad = s.lanes(bad >> lane);
            let (lower, upper) = (lower.replace(bad, s.splat(0xFD)), upper.replace(bad, s.splat(0xFF)));
            let [first, second] = s.interleave(if BIG_TARGET { [upper, lower] } else { [lower, upper] });
            s.store(first, out, 2 * lane);
            s.store(second, out, 2 * lane + S::LANES);
        }
        2 * keep.count_ones() as usize
    }
}
