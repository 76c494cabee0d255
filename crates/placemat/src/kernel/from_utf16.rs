//! UTF-16 to UTF-8 and UTF-32.
//!
//! Sixty-four code units at a time, as planes of their lower and upper bytes. Each half of a surrogate pair is treated
//! alone: in UTF-8 each becomes two bytes, so no branch asks where pairs are.

#![forbid(unsafe_code)]

use core::marker::PhantomData;
use core::mem::MaybeUninit;

use super::Progress;
use super::blocks::{BLOCK, Blocks, Course, ROOM, part};
use crate::simd::{Bytes, Lanes, Simd};

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
    /// What a unit of the commonest kind takes.
    const UNIT: usize;
    /// What a unit that is [`plain`](Target::plain) takes at most, or zero.
    const PLAIN: usize = 0;

    /// Write a whole block, if all units are of the commonest kind.
    fn steady<const BIG: bool>(s: S, text: &Block, out: &mut [MaybeUninit<u8>]) -> bool;
    /// Write a whole block if it is of another simple kind, and say how many bytes it took; `runs` of units of three bytes are
    /// likely, or not.
    #[inline(always)]
    fn plain<const BIG: bool>(_: S, _: &Block, _: bool, _: &mut [MaybeUninit<u8>; ROOM]) -> Option<usize> {
        None
    }
    /// Write less than a block, if it has no surrogates, and say how many bytes it took.
    fn short<const BIG: bool>(s: S, rest: &[u8], out: &mut [MaybeUninit<u8>; ROOM]) -> Option<usize>;
    /// Write a whole block of pairs of surrogates, and say how many bytes it took.
    fn pairs<const BIG: bool>(s: S, text: &Block, out: &mut [MaybeUninit<u8>; ROOM]) -> Option<usize>;
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

/// The bits that any unit of a block has.
#[inline(always)]
fn any<S: Simd>(s: S, text: &Block) -> S::Bytes {
    let mut any = units(s, text, 0);
    for i in 1..2 * BLOCK / S::LANES {
        any = any | units(s, text, i);
    }
    any
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

/// Units of UTF-32 with their bytes in the other order.
#[inline(always)]
pub(crate) fn reversed<S: Simd>(s: S, quads: S::Bytes) -> S::Bytes {
    s.tile(&[3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12]).lookup(quads)
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

/// Is this unit's upper byte that of a high (D8) or low (DC) surrogate?
#[inline(always)]
fn is<const BIG: bool>(unit: [u8; 2], kind: u8) -> bool {
    unit[if BIG { 0 } else { 1 }] & 0xFC == kind
}

/// Blocks of UTF-16.
struct Of<T, const BIG: bool>(PhantomData<T>);

impl<S: Simd, T: Target<S>, const BIG: bool> Blocks<S> for Of<T, BIG> {
    const SIZE: usize = 2 * BLOCK;
    const UNIT: usize = T::UNIT;
    const PLAIN: usize = T::PLAIN;

    #[inline(always)]
    fn steady(s: S, text: &[u8], out: &mut [MaybeUninit<u8>]) -> bool {
        text.first_chunk().is_some_and(|text| T::steady::<BIG>(s, text, out))
    }

    #[inline(always)]
    fn plain(s: S, text: &[u8], runs: bool, out: &mut [MaybeUninit<u8>; ROOM]) -> Option<usize> {
        T::plain::<BIG>(s, text.first_chunk()?, runs, out)
    }

    #[inline(always)]
    fn supplementary(s: S, text: &[u8], out: &mut [MaybeUninit<u8>; ROOM]) -> Option<usize> {
        T::pairs::<BIG>(s, text.first_chunk()?, out)
    }
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
    let (mut course, mut replaced) = (Course::new(), 0);
    let mut padded: Text;
    while course.at < src.len() {
        course.run::<S, Of<T, BIG>>(s, src, dst);
        let at = course.at;
        if at == src.len() {
            break;
        }
        let rest = &mut dst[course.written..];
        let mut side = [MaybeUninit::uninit(); ROOM];
        let direct = rest.len() >= ROOM;
        let units = BLOCK.min((src.len() - at) / 2);
        if units < BLOCK
            && let Some(n) = T::short::<BIG>(s, &src[at..], rest.first_chunk_mut().unwrap_or(&mut side))
        {
            if !direct {
                let Some(place) = rest.get_mut(..n) else { break };
                place.copy_from_slice(&side[..n]);
            }
            course.pass(2 * units, n, false);
            continue;
        }
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
        let n = T::put::<BIG>(s, text, kinds, bad, keep, rest.first_chunk_mut().unwrap_or(&mut side));
        if !direct {
            let Some(place) = rest.get_mut(..n) else { break };
            place.copy_from_slice(&side[..n]);
        }
        replaced += bad.count_ones() as usize;
        let halves = kinds.high | kinds.low;
        // Not from `keep` unless it must: where the next block begins must not wait for this one's units.
        let read = 2 * if stop { keep.count_ones() as usize } else { units };
        course.pass(read, n, halves.wrapping_add(1) > 1);
        if stop {
            break;
        }
        if halves == !0 {
            // A block of pairs may begin here.
            together::<BIG>(src, &mut course, T::HALF);
        }
    }
    together::<BIG>(src, &mut course, T::HALF);
    Progress { read: course.at, written: course.written, replaced }
}

/// What was read and written, less the first half of a pair that is split.
#[inline(always)]
fn together<const BIG: bool>(src: &[u8], course: &mut Course, half: usize) {
    let (before, after) = (&src[..course.at], &src[course.at..]);
    if before.last_chunk().is_some_and(|&last| is::<BIG>(last, 0xD8))
        && after.first_chunk().is_some_and(|&next| is::<BIG>(next, 0xDC))
    {
        (course.at, course.written) = (course.at - 2, course.written - half);
    }
}

/// Where units of UTF-16 come from.
pub(crate) trait Units<S: Simd> {
    /// Whether those from `at` on are units of UTF-16, as many as a vector has lanes.
    fn are_units(&self, _: S, _: usize) -> bool {
        true
    }
    /// These units, lower bytes first.
    fn two(&self, s: S, at: usize) -> [S::Bytes; 2];
}

/// UTF-16 itself.
struct Wide<'a, const BIG: bool>(&'a Block);

impl<S: Simd, const BIG: bool> Units<S> for Wide<'_, BIG> {
    #[inline(always)]
    fn two(&self, s: S, at: usize) -> [S::Bytes; 2] {
        let two = [s.load(self.0, 2 * at), s.load(self.0, 2 * at + S::LANES)];
        if BIG { [swapped(two[0]), swapped(two[1])] } else { two }
    }
}

/// Less than a block of it.
struct Part<'a, const BIG: bool>(&'a [u8]);

impl<S: Simd, const BIG: bool> Units<S> for Part<'_, BIG> {
    #[inline(always)]
    fn two(&self, s: S, at: usize) -> [S::Bytes; 2] {
        let two = [part(s, self.0, 2 * at), part(s, self.0, 2 * at + S::LANES)];
        if BIG { [swapped(two[0]), swapped(two[1])] } else { two }
    }
}

/// So many units in UTF-8, if none is a surrogate: how many bytes. Zeros stand behind them.
#[inline(always)]
pub(crate) fn put_part<S: Simd, U: Units<S>>(
    s: S,
    text: &U,
    units: usize,
    out: &mut [MaybeUninit<u8>; ROOM],
) -> Option<usize> {
    let (mut n, mut done) = (0, 0);
    while done < units {
        n += put_units(s, text, done, false, out, n)?;
        done += S::LANES;
    }
    Some(n - (done - units))
}

/// As many units as a vector has lanes in UTF-8, if none is a surrogate: how many bytes.
#[inline(always)]
pub(crate) fn put_units<S: Simd, U: Units<S>>(
    s: S,
    text: &U,
    lane: usize,
    runs: bool,
    out: &mut [MaybeUninit<u8>; ROOM],
    at: usize,
) -> Option<usize> {
    if !text.are_units(s, lane) {
        return None;
    }
    let units = text.two(s, lane);
    let most = splat_unit::<S, false>(s, 0xFF);
    let ascii = s.narrow_units([units[0].min_units(most), units[1].min_units(most)]);
    let wide = ascii.high_bits();
    if wide == 0 {
        s.store(ascii, out, at);
        return Some(S::LANES);
    }
    s.put_wide(units, ascii, wide, runs, out, at)
}

/// UTF-8.
pub(crate) struct Utf8;

impl<S: Simd> Target<S> for Utf8 {
    const HALF: usize = 2;
    const UNIT: usize = 1;
    const PLAIN: usize = 3;

    /// ASCII.
    #[inline(always)]
    fn steady<const BIG: bool>(s: S, text: &Block, out: &mut [MaybeUninit<u8>]) -> bool {
        let is_ascii = (any(s, text) & splat_unit::<S, BIG>(s, 0xFF80)).is_zero();
        if is_ascii {
            for lane in (0..BLOCK).step_by(S::LANES) {
                let units = [s.load(text, 2 * lane), s.load(text, 2 * lane + S::LANES)];
                s.store(if BIG { s.separate(units)[1] } else { s.narrow_units(units) }, out, lane);
            }
        }
        is_ascii
    }

    /// Without surrogates.
    #[inline(always)]
    fn plain<const BIG: bool>(
        s: S,
        text: &Block,
        runs: bool,
        out: &mut [MaybeUninit<u8>; ROOM],
    ) -> Option<usize> {
        let mut n = 0;
        for lane in (0..BLOCK).step_by(S::LANES) {
            n += put_units(s, &Wide::<BIG>(text), lane, runs, out, n)?;
        }
        Some(n)
    }

    #[inline(always)]
    fn pairs<const BIG: bool>(s: S, text: &Block, out: &mut [MaybeUninit<u8>; ROOM]) -> Option<usize> {
        for at in (0..2 * BLOCK).step_by(S::LANES) {
            let units = s.load(text, at);
            let units = if BIG { swapped(units) } else { units };
            s.store(s.pairs_to_utf8(units)?, out, at);
        }
        Some(2 * BLOCK)
    }

    #[inline(always)]
    fn short<const BIG: bool>(s: S, rest: &[u8], out: &mut [MaybeUninit<u8>; ROOM]) -> Option<usize> {
        put_part(s, &Part::<BIG>(rest), rest.len() / 2, out)
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
            if three == 0 && (high | low) >> lane & part == 0 {
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

/// Units that are no surrogates in UTF-32.
#[inline(always)]
fn put_wide<S: Simd, const BIG: bool, const BIG_TARGET: bool>(
    s: S,
    units: S::Bytes,
    out: &mut [MaybeUninit<u8>],
    at: usize,
) {
    let units = if BIG == BIG_TARGET { units } else { swapped(units) };
    let [first, second] = if BIG_TARGET { s.interleave_pairs([s.splat(0), units]) } else { s.widen(units) };
    s.store(first, out, at);
    s.store(second, out, at + S::LANES);
}

/// UTF-32, in either byte order.
pub(crate) struct Utf32<const BIG: bool>;

impl<S: Simd, const BIG_TARGET: bool> Target<S> for Utf32<BIG_TARGET> {
    const HALF: usize = 0;
    const UNIT: usize = 4;

    /// Without surrogates.
    #[inline(always)]
    fn steady<const BIG: bool>(s: S, text: &Block, out: &mut [MaybeUninit<u8>]) -> bool {
        if has_surrogate::<S, BIG>(s, text) {
            return false;
        }
        for i in 0..2 * BLOCK / S::LANES {
            put_wide::<S, BIG, BIG_TARGET>(s, units(s, text, i), out, 2 * i * S::LANES);
        }
        true
    }

    #[inline(always)]
    fn pairs<const BIG: bool>(s: S, text: &Block, out: &mut [MaybeUninit<u8>; ROOM]) -> Option<usize> {
        for at in (0..2 * BLOCK).step_by(S::LANES) {
            let units = s.load(text, at);
            let units = if BIG { swapped(units) } else { units };
            let code_points = s.pairs_to_code_points(units)?;
            s.store(if BIG_TARGET { reversed(s, code_points) } else { code_points }, out, at);
        }
        Some(2 * BLOCK)
    }

    #[inline(always)]
    fn short<const BIG: bool>(s: S, rest: &[u8], out: &mut [MaybeUninit<u8>; ROOM]) -> Option<usize> {
        let mut at = 0;
        while at < rest.len().min(2 * BLOCK) {
            let units = part(s, rest, at);
            if kind(s, units).bits() & UPPER[usize::from(BIG)] != 0 {
                return None;
            }
            put_wide::<S, BIG, BIG_TARGET>(s, units, out, 2 * at);
            at += S::LANES;
        }
        Some(2 * rest.len())
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
        if S::MIXES
            && !BIG
            && !BIG_TARGET
            && bad == 0
            && let Some(n) = s.put_joined(text, kinds.low, lanes, out)
        {
            return n;
        }
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
    fn steady<const BIG: bool>(s: S, text: &Block, out: &mut [MaybeUninit<u8>]) -> bool {
        if has_surrogate::<S, BIG>(s, text) {
            return false;
        }
        for i in 0..2 * BLOCK / S::LANES {
            let units = units(s, text, i);
            s.store(if BIG == BIG_TARGET { units } else { swapped(units) }, out, i * S::LANES);
        }
        true
    }

    #[inline(always)]
    fn pairs<const BIG: bool>(_: S, _: &Block, _: &mut [MaybeUninit<u8>; ROOM]) -> Option<usize> {
        None
    }

    #[inline(always)]
    fn short<const BIG: bool>(s: S, rest: &[u8], out: &mut [MaybeUninit<u8>; ROOM]) -> Option<usize> {
        let mut at = 0;
        while at < rest.len().min(2 * BLOCK) {
            let units = part(s, rest, at);
            if kind(s, units).bits() & UPPER[usize::from(BIG)] != 0 {
                return None;
            }
            s.store(if BIG == BIG_TARGET { units } else { swapped(units) }, out, at);
            at += S::LANES;
        }
        Some(rest.len())
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
