//! Converts UTF-16 to UTF-8 and UTF-32.
//!
//! Works on 64 code units at a time, as planes of their lower and upper bytes. The two surrogates of a pair are treated
//! separately: in UTF-8, each becomes two bytes. So no branch depends on where the pairs are.

#![forbid(unsafe_code)]

use core::mem::MaybeUninit;

mod short;
mod utf8;
mod wide;

pub(crate) use short::{cut, of_many_kinds, short};
pub(crate) use utf8::{Utf8, with_pairs};
pub(crate) use wide::Utf32;

use super::Progress;
use super::blocks::{BLOCK, Blocks, Cursor, ROOM};
use super::scratch::Scratch;
use super::single::Single;
use crate::vector::{Bytes, Lanes, Vector, ends_open, steps};

type Block = [u8; 2 * BLOCK];
/// A block of units, with one unit before it and one after.
type Text = [u8; 2 + 2 * BLOCK + 2];

/// Surrogate pairs, little-endian.
const PAIRS: [u8; 16] = *b"\0\xD8\0\xDC\0\xD8\0\xDC\0\xD8\0\xDC\0\xD8\0\xDC";

/// What kinds of units a block has: a bit for each unit.
#[derive(Clone, Copy)]
pub(crate) struct Kinds {
    /// Not ASCII. `three`: U+0800 and above, surrogates included.
    two: u64,
    three: u64,
    high: u64,
    low: u64,
}

/// An encoding form that units of UTF-16 are converted to.
pub(crate) trait Target<S: Vector>: Blocks<S, { 2 * BLOCK }> + Single {
    /// The bytes written for a high surrogate. They are taken back if the low surrogate is in the next block.
    const HALF: usize;
    /// Whether [`mixed`](Target::mixed) is implemented.
    const MIXES: bool = false;

    /// Writes at most a block, if it has no surrogates. Returns how many bytes it became.
    fn short(s: S, rest: &[u8], out: &mut [MaybeUninit<u8>; ROOM]) -> Option<usize>;
    /// Writes a vector of units, in the byte order of the source. Returns whether all are of the commonest kind.
    #[inline(always)]
    fn plain(_: S, _units: S::Bytes, _: &mut [MaybeUninit<u8>], _at: usize) -> bool {
        false
    }
    /// Writes a vector of units of all kinds (little-endian) by a shorter method than [`put`](Target::put). Returns how many
    /// bytes they became; `None` if a surrogate has no partner, in these units or in those one `before`.
    #[inline(always)]
    fn mixed(
        _: S,
        _units: S::Bytes,
        _before: S::Bytes,
        _: &mut [MaybeUninit<u8>],
        _at: usize,
    ) -> Option<usize> {
        None
    }
    /// Converts text with pairs as far as it is well-formed and there is room, if the level has a method for any such text. Returns
    /// also about how many pairs there are. `TEST`: vectors are tested for pairs, because there are few.
    #[inline(always)]
    fn all<const TEST: bool>(_: S, _src: &[u8], _dst: &mut [MaybeUninit<u8>]) -> (Progress, usize) {
        (Progress::default(), 0)
    }
    /// Writes `units` units. Returns how many bytes those of `keep`, at most as many, became. `bad`: the surrogates without
    /// partners.
    fn put(
        s: S,
        text: &Text,
        units: usize,
        kinds: Kinds,
        bad: u64,
        keep: u64,
        out: &mut [MaybeUninit<u8>; ROOM],
    ) -> usize;
}

/// Returns the lower and upper bytes of the units from a lane on. [`planes_before`] starts one unit earlier.
#[inline(always)]
fn planes<S: Vector, const BIG: bool>(s: S, text: &Text, lane: usize) -> [S::Bytes; 2] {
    planes_at::<S, BIG>(s, text, 2 + 2 * lane)
}

#[inline(always)]
fn planes_before<S: Vector, const BIG: bool>(s: S, text: &Text, lane: usize) -> [S::Bytes; 2] {
    planes_at::<S, BIG>(s, text, 2 * lane)
}

#[inline(always)]
fn planes_at<S: Vector, const BIG: bool>(s: S, text: &[u8], at: usize) -> [S::Bytes; 2] {
    let [first, second] = s.separate([s.load(text, at), s.load(text, at + S::LANES)]);
    if BIG { [second, first] } else { [first, second] }
}

/// A vector of the same unit, in the byte order of the source.
#[inline(always)]
pub(crate) fn splat_unit<S: Vector, const BIG: bool>(s: S, unit: u16) -> S::Bytes {
    let [first, second] = if BIG { unit.to_be_bytes() } else { unit.to_le_bytes() };
    s.tile(&[
        first, second, first, second, first, second, first, second, first, second, first, second, first,
        second, first, second,
    ])
}

/// Returns the bitwise or of a block.
#[inline(always)]
fn any<S: Vector>(s: S, text: &Block) -> S::Bytes {
    let mut any = units(s, text, 0);
    for i in 1..2 * BLOCK / S::LANES {
        any = any | units(s, text, i);
    }
    any
}

/// Whether a block contains a surrogate.
#[inline(always)]
fn has_surrogate<S: Vector>(s: S, text: &Block) -> bool {
    let mut any = kind(s, units(s, text, 0));
    for i in 1..2 * BLOCK / S::LANES {
        any = any | kind(s, units(s, text, i));
    }
    any.bits() & UPPER[0] != 0
}

/// The lanes of the upper bytes of surrogates; also lower bytes with the same bits, so apply [`UPPER`].
#[inline(always)]
pub(crate) fn kind<S: Vector>(s: S, units: S::Bytes) -> <S::Bytes as Bytes>::Lanes {
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
pub(crate) fn reversed<S: Vector>(s: S, quads: S::Bytes) -> S::Bytes {
    s.tile(&[3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12]).lookup(quads)
}

/// Loads one of the vectors of a block.
#[inline(always)]
fn units<S: Vector>(s: S, text: &Block, i: usize) -> S::Bytes {
    s.load(text, i * S::LANES)
}

impl Kinds {
    #[inline(always)]
    fn of<S: Vector, const BIG: bool>(s: S, text: &Text, units: usize) -> Self {
        let mut kinds = Kinds { two: 0, three: 0, high: 0, low: 0 };
        for lane in steps(0..units, S::LANES) {
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

/// Whether this is the upper byte of a high (D8) or low (DC) surrogate.
#[inline(always)]
fn is<const BIG: bool>(unit: [u8; 2], kind: u8) -> bool {
    unit[if BIG { 0 } else { 1 }] & 0xFC == kind
}

/// Converts a block with [`Target::mixed`]. Returns how many bytes it became, and whether any and whether all units are
/// surrogates.
#[inline(always)]
fn mixed<S: Vector, T: Target<S>, const BIG: bool>(
    s: S,
    text: &Text,
    room: &mut [MaybeUninit<u8>; ROOM],
) -> Option<(usize, bool, bool)> {
    let [last, after] = [[text[2 * BLOCK], text[2 * BLOCK + 1]], [text[2 * BLOCK + 2], text[2 * BLOCK + 3]]];
    if !T::MIXES || is::<BIG>(last, 0xD8) && !is::<BIG>(after, 0xDC) {
        return None;
    }
    let (mut n, mut any, mut all) = (0, 0, !0);
    for at in steps(0..2 * BLOCK, S::LANES) {
        let [units, before] = [s.load(text, 2 + at), s.load(text, at)];
        let [units, before] = if BIG { [swapped(units), swapped(before)] } else { [units, before] };
        n += T::mixed(s, units, before, room, n)?;
        let surrogates = kind(s, units).bits() & UPPER[0];
        (any, all) = (any | surrogates, all & surrogates);
    }
    Some((n, any != 0, all == UPPER[0] & (!0 >> (64 - S::LANES))))
}

/// Returns the whole units, without a high surrogate at the end.
#[inline(always)]
pub(crate) fn closed<const BIG: bool>(src: &[u8]) -> &[u8] {
    let src = src.as_chunks::<2>().0.as_flattened();
    &src[..src.len() - 2 * usize::from(ends_open::<BIG>(src))]
}

/// How many bytes [`Target::all`] gets at a time.
const SPAN: usize = 1024;
/// If at least one unit in this many begins a pair, a test of each vector for pairs is mispredicted too often.
const DENSE: usize = 128;

/// Converts UTF-16 to `T`, up to the first surrogate without a partner, or with U+FFFD for each of these.
#[inline(always)]
pub(crate) fn convert<S: Vector, T: Target<S>, const BIG: bool>(
    s: S,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    replace: bool,
) -> Progress {
    let src = closed::<BIG>(src);
    let (mut cursor, mut replaced, mut is_dense) = (Cursor::new(), 0, false);
    let mut padded: Text;
    while cursor.at < src.len() {
        let start = cursor.at;
        cursor.run::<S, T, { 2 * BLOCK }>(s, src, dst);
        let at = cursor.at;
        if at == src.len() {
            break;
        }
        let rest = &mut dst[cursor.written..];
        let span = &src[at..src.len().min(at + SPAN)];
        let (done, pairs) = if at == start && is_dense {
            T::all::<false>(s, span, rest)
        } else {
            T::all::<true>(s, span, rest)
        };
        if done.read > 0 {
            is_dense = 2 * DENSE * pairs >= done.read;
            cursor.pass(done.read, done.written, pairs > 0 && 4 * pairs < done.read);
            continue;
        }
        let mut scratch = Scratch::new();
        let units = BLOCK.min((src.len() - at) / 2);
        // Also if there is room for the block, but not for the bytes that may be written behind it.
        if !cfg!(placemat_lean)
            && (units < BLOCK || rest.len() < ROOM)
            && let Some(n) = T::short(s, &src[at..at + 2 * units], scratch.room(rest))
        {
            if !scratch.copy(s, rest, n) {
                break;
            }
            cursor.pass(2 * units, n, false);
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
        if units == BLOCK
            && let Some(room) = rest.first_chunk_mut()
            && let Some((n, any, all)) = mixed::<S, T, BIG>(s, text, room)
        {
            cursor.pass(2 * BLOCK, n, any && !all);
            if all {
                unsplit_pair::<BIG>(src, &mut cursor, T::HALF);
            }
            continue;
        }
        let kinds = Kinds::of::<S, BIG>(s, text, BLOCK);
        let [before, after] = [[text[0], text[1]], [text[2 + 2 * BLOCK], text[3 + 2 * BLOCK]]];
        let follows = kinds.high << 1 | u64::from(is::<BIG>(before, 0xD8));
        let precedes = kinds.low >> 1 | u64::from(is::<BIG>(after, 0xDC)) << 63;
        let mut keep = !0 >> (BLOCK - units);
        let mut bad = (kinds.low & !follows | kinds.high & !precedes) & keep;
        let stop = !replace && bad != 0;
        if stop {
            keep = (1 << bad.trailing_zeros()) - 1;
            bad = 0;
        }
        let n = T::put(s, text, BLOCK, kinds, bad, keep, scratch.room(rest));
        if !scratch.copy(s, rest, n) {
            break;
        }
        replaced += bad.count_ones() as usize;
        let halves = kinds.high | kinds.low;
        // Not from `keep` unless necessary: the start of the next block should not depend on the units of this one.
        let read = 2 * if stop { keep.count_ones() as usize } else { units };
        cursor.pass(read, n, halves.wrapping_add(1) > 1);
        if stop {
            break;
        }
        if halves == !0 {
            // A block of pairs may begin here.
            unsplit_pair::<BIG>(src, &mut cursor, T::HALF);
        }
    }
    unsplit_pair::<BIG>(src, &mut cursor, T::HALF);
    Progress { read: cursor.at, written: cursor.written, replaced }
}

/// Takes back the high surrogate of a pair that is split.
#[inline(always)]
fn unsplit_pair<const BIG: bool>(src: &[u8], cursor: &mut Cursor, half: usize) {
    let (before, after) = (&src[..cursor.at], &src[cursor.at..]);
    if ends_open::<BIG>(before) && after.first_chunk().is_some_and(|&next| is::<BIG>(next, 0xDC)) {
        (cursor.at, cursor.written) = (cursor.at - 2, cursor.written - half);
    }
}
