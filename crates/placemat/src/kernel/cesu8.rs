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
const SINGLES: u32 = 2;

/// How a supplementary character at the start of eight bytes looks in the other form.
pub(crate) trait Supplementary {
    /// Bytes that it takes here and there.
    const LENGTHS: (usize, usize);
    /// As little-endian numbers.
    fn convert(bytes: u64) -> Option<u64>;
}

/// From UTF-8.
pub(crate) struct Split;

impl Supplementary for Split {
    const LENGTHS: (usize, usize) = (4, 6);

    #[inline(always)]
    fn convert(bytes: u64) -> Option<u64> {
        let quad = (bytes as u32).swap_bytes();
        let bits = (quad >> 6 & 0x1C_0000) | (quad >> 4 & 0x3_F000) | (quad >> 2 & 0xFC0) | (quad & 0x3F);
        let offset = u64::from(bits.wrapping_sub(0x1_0000));
        if quad & 0xF8C0_C0C0 != 0xF080_8080 || offset >= 0x10_0000 {
            return None;
        }
        let high = 0xED_u64 | (0xA0 | offset >> 16) << 8 | (0x80 | offset >> 10 & 0x3F) << 16;
        let low = 0xED_u64 | (0xB0 | offset >> 6 & 0x0F) << 8 | (0x80 | offset & 0x3F) << 16;
        Some(high | low << 24)
    }
}

/// To UTF-8.
pub(crate) struct Join;

impl Supplementary for Join {
    const LENGTHS: (usize, usize) = (6, 4);

    #[inline(always)]
    fn convert(bytes: u64) -> Option<u64> {
        if bytes & 0xC0F0_FFC0_F0FF != 0x80B0_ED80_A0ED {
            return None;
        }
        let byte = |i: u32, mask: u64| bytes >> (8 * i) & mask;
        let value =
            0x1_0000 + (byte(1, 0x0F) << 16 | byte(2, 0x3F) << 10 | byte(4, 0x0F) << 6 | byte(5, 0x3F));
        let quad = 0xF080_8080
            | (value & 0x1C_0000) << 6
            | (value & 0x3_F000) << 4
            | (value & 0xFC0) << 2
            | (value & 0x3F);
        Some(u64::from((quad as u32).swap_bytes()))
    }
}

/// From `R` to `W`, up to the first error.
pub(crate) fn convert<R: Codec<State = ()>, W: Codec<State = ()>, P: Supplementary>(
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
        let (read, n, goes_on) = singles::<R, W, P>(&src[at..], &mut dst[written..]);
        (at, written) = (at + read, written + n);
        if !goes_on {
            return Progress { read: at, written, replaced: 0 };
        }
    }
}

/// Sequences one by one, until a few in a row are the same in both forms: bytes read and written, and whether the plain
/// forms would go on.
#[inline(always)]
fn singles<R: Codec<State = ()>, W: Codec<State = ()>, P: Supplementary>(
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> (usize, usize, bool) {
    let (mut read, mut written, mut calm) = (0, 0, 0);
    while calm < SINGLES {
        while let (Some(bytes), Some(place)) =
            (src[read..].first_chunk(), dst[written..].first_chunk_mut::<8>())
            && let Some(other) = P::convert(u64::from_le_bytes(*bytes))
        {
            *place = other.to_le_bytes().map(MaybeUninit::new);
            (read, written) = (read + P::LENGTHS.0, written + P::LENGTHS.1);
        }
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
