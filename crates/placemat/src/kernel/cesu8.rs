//! Converts CESU-8 and Modified UTF-8 from and to UTF-8. Vectors find and copy what is the same in both forms. Where these
//! differ, vectors convert the sequences too; what they leave is decoded and encoded one by one.

#![forbid(unsafe_code)]

mod words;

use core::mem::MaybeUninit;

use super::utf8::unfinished;
use super::{Common, Progress, put};
use crate::codec::{Codec, Decoded, Input, ROOM};
use crate::vector::{Bytes, Lanes, Vector, steps};

#[cfg(feature = "alloc")]
pub(crate) use words::by_words;
use words::{different, word, words};

/// Returns how many bytes at the start are neither F0 or above nor the first byte of a surrogate, nor, with `NUL`, zero, C0
/// or C1. If these bytes are UTF-8, they are the same in CESU-8, or with `NUL` in Modified UTF-8.
#[inline(always)]
pub(crate) fn prefix<S: Vector, const NUL: bool>(s: S, src: &[u8]) -> usize {
    let (mut at, lanes) = (0, S::LANES);
    if src.len() <= 4 * lanes && is_plain::<S, NUL>(s, src) {
        return src.len();
    }
    // Four vectors, and the byte after them.
    while let Some(four) = src[at..].get(..4 * lanes + 1) {
        let mut any = s.splat(0).less(s.splat(0));
        for i in 0..4 {
            any = any | special::<S, NUL>(s, s.load(four, i * lanes), Some(s.load(four, i * lanes + 1)));
        }
        if any.bits() != 0 {
            break;
        }
        at += 4 * lanes;
    }
    loop {
        let rest = &src[at..];
        let Some(behind) = rest.get(1..) else { return at };
        let n = rest.len().min(lanes);
        let special = special::<S, NUL>(s, s.load_part(rest), Some(s.load_part(behind)));
        let bits = special.bits() & !0 >> (64 - n);
        if bits != 0 {
            return at + bits.trailing_zeros() as usize;
        }
        at += n;
    }
}

/// Whether no byte of at most four vectors is special, whatever follows them.
#[inline(always)]
fn is_plain<S: Vector, const NUL: bool>(s: S, src: &[u8]) -> bool {
    let Some(last) = src.len().checked_sub(S::LANES) else {
        return special::<S, NUL>(s, s.load_text(src), None).bits() & !(!0 << src.len()) == 0;
    };
    // The last vector overlaps the one before it.
    let mut any = special::<S, NUL>(s, s.load(src, last), None);
    for at in steps(0..last, S::LANES) {
        any = any | special::<S, NUL>(s, s.load(src, at), None);
    }
    any.bits() == 0
}

/// The lanes where [`prefix`] stops. Each byte is followed by the one in the same lane of `next`; without `next`, where it
/// may have to stop.
#[inline(always)]
fn special<S: Vector, const NUL: bool>(
    s: S,
    bytes: S::Bytes,
    next: Option<S::Bytes>,
) -> <S::Bytes as Bytes>::Lanes {
    let lead = bytes.equal(s.splat(0xED));
    let surrogate = if let Some(next) = next { lead & next.at_least(s.splat(0xA0)) } else { lead };
    let special = bytes.at_least(s.splat(0xF0)) | surrogate;
    if NUL {
        return special | (bytes & s.splat(0xFE)).equal(s.splat(0xC0)) | bytes.equal(s.splat(0));
    }
    special
}

/// Like [`prefix`], without vectors. Never inlined: its caller would become too large to be inlined itself.
#[cfg(feature = "alloc")]
#[inline(never)]
pub(crate) fn scalar_prefix(src: &[u8], nul: bool) -> usize {
    let is_special = |at: usize| match src[at] {
        0 | 0xC0 | 0xC1 => nul,
        0xF0.. => true,
        0xED => src.get(at + 1).is_some_and(|&second| second >= 0xA0),
        _ => false,
    };
    (0..src.len()).find(|&at| is_special(at)).unwrap_or(src.len())
}

/// Bytes that are compared at once, at first and at most.
const FIRST: usize = 256;
const MOST: usize = 1 << 13;
/// If at most this many bytes are left at a difference, they are read by words.
pub(crate) const SHORT: usize = 512;
/// Bytes that are converted one sequence at a time where vectors cannot.
const SINGLES: usize = 128;

/// Converts a supplementary character, at the start of eight bytes, to the other form.
pub(crate) trait Supplementary {
    /// Whether the result of the kernel is checked, instead of its source.
    const JOINS: bool;
    /// The bytes of such a character in the source and in the result.
    const LENGTHS: (usize, usize);
    /// Takes and returns bytes as little-endian numbers. `None` if the bytes do not begin with such a character.
    fn convert(bytes: u64) -> Option<u64>;
}

/// From UTF-8 to the other form.
pub(crate) struct Split;

impl Supplementary for Split {
    const JOINS: bool = false;
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

/// From the other form to UTF-8.
pub(crate) struct Join;

impl Supplementary for Join {
    const JOINS: bool = true;
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

/// Converts from `R` to `W`, up to the first error. With `NUL`, one of them is Modified UTF-8.
pub(crate) fn convert<R: Codec<State = ()>, W: Codec<State = ()>, P: Supplementary, const NUL: bool>(
    common: Common,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Progress {
    let (mut at, mut written, mut window, mut piece) = (0, 0, FIRST, FIRST);
    loop {
        // If the very first sequence differs, there is no common prefix.
        if src.len() - at > SHORT || different::<P, NUL>(word(src, at)) > 0 {
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
        }
        window = FIRST;
        let start = at;
        if src.len() - at <= SHORT {
            let Progress { read, written: n, .. } = words::<P, NUL>(&common, &src[at..], &mut dst[written..]);
            (at, written) = (at + read, written + n);
            if at == src.len() {
                return Progress { read: at, written, replaced: 0 };
            }
        }
        loop {
            let text = &src[at..src.len().min(at + piece)];
            let text =
                if P::JOINS { text } else { common.well_formed(&text[..text.len() - unfinished(text)]) };
            let Progress { read, written: n, .. } = common.other(text, &mut dst[written..], P::JOINS);
            (at, written) = (at + read, written + n);
            // Goes on while there are sequences that differ, in longer and longer pieces.
            if read == n {
                piece = FIRST;
                break;
            }
            piece = (2 * piece).min(MOST);
        }
        if at > start && src.len() - at >= FIRST {
            continue;
        }
        let (read, n, goes_on) = singles::<R, W, P>(&src[at..], &mut dst[written..]);
        (at, written) = (at + read, written + n);
        if !goes_on {
            return Progress { read: at, written, replaced: 0 };
        }
    }
}

/// Converts sequences one by one, as many as it takes until vectors do better. Returns bytes read and written, and whether
/// there may be more to convert.
#[inline(always)]
fn singles<R: Codec<State = ()>, W: Codec<State = ()>, P: Supplementary>(
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> (usize, usize, bool) {
    let (mut read, mut written) = (0, 0);
    while read < SINGLES {
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
        (read, written) = (read + usize::from(len), written + n);
    }
    (read, written, true)
}
