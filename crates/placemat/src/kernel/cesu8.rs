//! CESU-8 and Modified UTF-8 from and to UTF-8: what is the same in both is found by vectors and copied, the rest goes
//! through the plain forms, a few sequences at a time.

#![forbid(unsafe_code)]

use core::mem::MaybeUninit;

use super::utf8::unfinished;
use super::{Common, Progress};
use crate::codec::{Codec, Decoded, Input, ROOM};
use crate::simd::{Bytes, Lanes, Simd};

/// How many bytes at the start are neither C0, C1, from F0 on, the first of a surrogate, nor, with `NUL`, zero: whatever
/// of them is UTF-8 is the same in CESU-8, or in Modified UTF-8.
#[inline(always)]
pub(crate) fn prefix<S: Simd, const NUL: bool>(s: S, src: &[u8]) -> usize {
    let mut surrogate = 0;
    let mut at = 0;
    while at < src.len() {
        let rest = &src[at..];
        let bytes = if rest.len() < S::LANES { s.load_part(rest) } else { s.load(rest, 0) };
        let valid = !0 >> (64 - S::LANES.min(rest.len()));
        let mut special = bytes.at_least(s.splat(0xF0)) | (bytes & s.splat(0xFE)).equal(s.splat(0xC0));
        if NUL {
            special = special | bytes.equal(s.splat(0));
        }
        // ED, and a second byte that makes it a surrogate.
        let may_be = bytes.equal(s.splat(0xED)).bits();
        let mut bits = special.bits() & valid;
        if may_be | surrogate != 0 {
            let second = bytes.at_least(s.splat(0xA0)).bits() & valid;
            if surrogate & second != 0 {
                return at - 1;
            }
            bits |= may_be & second >> 1;
            surrogate = may_be >> (S::LANES - 1) & 1;
        }
        if bits != 0 {
            return at + bits.trailing_zeros() as usize;
        }
        at += S::LANES.min(rest.len());
    }
    at
}

/// The same without vectors.
#[cfg(feature = "alloc")]
pub(crate) fn plain_prefix(src: &[u8], nul: bool) -> usize {
    let is_special = |at: usize| match src[at] {
        0 => nul,
        0xC0 | 0xC1 | 0xF0.. => true,
        0xED => src.get(at + 1).is_some_and(|&second| second >= 0xA0),
        _ => false,
    };
    (0..src.len()).find(|&at| is_special(at)).unwrap_or(src.len())
}

/// Bytes that are looked at together, at first and at most.
const FIRST: usize = 128;
const MOST: usize = 1 << 13;
/// Sequences that are converted one by one before vectors look again.
const SINGLES: u32 = 8;

/// From `R` to `W`, up to the first error.
pub(crate) fn convert<R: Codec<State = ()>, W: Codec<State = ()>>(
    common: Common,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Progress {
    let (mut at, mut written, mut window) = (0, 0, FIRST);
    loop {
        let len = window.min(src.len() - at).min(dst.len() - written);
        let text = &src[at..at + len];
        let same = &text[..common.prefix(text)];
        let same = common.well_formed(&same[..same.len() - unfinished(same)]);
        put(same, &mut dst[written..]);
        (at, written) = (at + same.len(), written + same.len());
        if same.len() + 3 >= len && len == window {
            window = (2 * window).min(MOST);
            continue;
        }
        window = FIRST;
        let (read, n, goes_on) = singles::<R, W>(&src[at..], &mut dst[written..]);
        (at, written) = (at + read, written + n);
        if !goes_on {
            return Progress { read: at, written, replaced: 0 };
        }
    }
}

/// Sequences one by one, until a few in a row are the same in both forms: bytes read and written, and whether the plain
/// forms would go on.
#[inline(always)]
fn singles<R: Codec<State = ()>, W: Codec<State = ()>>(
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> (usize, usize, bool) {
    let (mut read, mut written, mut calm) = (0, 0, 0);
    while calm < SINGLES {
        let input = Input { bytes: &src[read..], last: false };
        if input.bytes.is_empty() {
            return (read, written, false);
        }
        let Decoded::CodePoint { value, len } = R::decode(&mut (), input) else {
            return (read, written, false);
        };
        let mut room = [0; ROOM];
        let Ok(n) = W::encode(&mut (), value, &mut room) else { return (read, written, false) };
        let rest = &mut dst[written..];
        if n > rest.len() {
            return (read, written, false);
        }
        match rest.first_chunk_mut::<ROOM>() {
            Some(place) => *place = room.map(MaybeUninit::new),
            None => put(&room[..n], rest),
        }
        calm = if usize::from(len) == n { calm + 1 } else { 0 };
        (read, written) = (read + usize::from(len), written + n);
    }
    (read, written, true)
}

#[inline(always)]
fn put(bytes: &[u8], dst: &mut [MaybeUninit<u8>]) {
    for (place, &byte) in dst.iter_mut().zip(bytes) {
        place.write(byte);
    }
}
