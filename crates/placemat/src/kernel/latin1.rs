//! ISO 8859-1 to everything: no input is wrong.

#![forbid(unsafe_code)]

use core::mem::MaybeUninit;

use super::Progress;
use super::{ascii, target};
use crate::simd::{Bytes, Simd};

/// Bytes in a block.
const BLOCK: usize = 64;
/// After so many blocks of ASCII, more are likely to follow.
const LONG: u32 = 32;

/// Blocks between two looks at how much room there is.
const STRETCH: usize = 16;

/// ISO 8859-1 to UTF-8.
#[inline(always)]
pub(crate) fn to_utf8<S: Simd, const REPLACE: bool>(
    s: S,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Progress {
    let (mut at, mut written, mut streak) = (0, 0, LONG);
    while at < src.len() {
        if streak >= LONG {
            let n = ascii::copy(s, &src[at..], &mut dst[written..]);
            (at, written, streak) = (at + n, written + n, 0);
        }
        let text = src[at..].first_chunk::<{ STRETCH * BLOCK }>();
        let room = dst[written..].first_chunk_mut::<{ 2 * STRETCH * BLOCK }>();
        let (Some(text), Some(room)) = (text, room) else {
            let rest = &src[at..];
            let n = edge(s, rest, &mut dst[written..]);
            let Some(n) = n else { break };
            (at, written) = (at + rest.len().min(BLOCK), written + n);
            continue;
        };
        let mut n = 0;
        for i in 0..STRETCH {
            let (Some(text), Some(room)) = (text[BLOCK * i..].first_chunk(), room[n..].first_chunk_mut())
            else {
                break;
            };
            let len = block(s, text, room);
            streak = if len == BLOCK { streak + 1 } else { 0 };
            n += len;
        }
        (at, written) = (at + STRETCH * BLOCK, written + n);
    }
    Progress { read: at, written, replaced: 0 }
}

/// A block at an end: how much it becomes, if that fits.
#[inline(always)]
fn edge<S: Simd>(s: S, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Option<usize> {
    let len = src.len().min(BLOCK);
    let (mut text, mut side) = ([0; BLOCK], [MaybeUninit::uninit(); 2 * BLOCK]);
    text[..len].copy_from_slice(&src[..len]);
    // What stands for the zeros after the end does not count.
    let n = block(s, &text, &mut side) - (BLOCK - len);
    dst.get_mut(..n)?.copy_from_slice(&side[..n]);
    Some(n)
}

#[inline(always)]
fn block<S: Simd>(s: S, text: &[u8; BLOCK], room: &mut [MaybeUninit<u8>; 2 * BLOCK]) -> usize {
    let mut n = 0;
    for lane in (0..BLOCK).step_by(S::LANES) {
        let bytes = s.load(text, lane);
        let two = bytes.high_bits();
        if two == 0 {
            s.store(bytes, room, n);
        } else {
            let lead = (bytes.shr::<6>() & s.splat(0x03)) | s.splat(0xC0);
            let last = bytes & s.splat(0xBF).replace(s.lanes(!two), s.splat(0x7F));
            s.put_one_or_two([lead, last], two, room, n);
        }
        n += S::LANES + two.count_ones() as usize;
    }
    n
}

/// ISO 8859-1 to the units of `T`.
#[inline(always)]
pub(crate) fn to_units<S: Simd, T: target::Target<S>, const REPLACE: bool>(
    s: S,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Progress {
    let whole = src.len().min(dst.len() / T::UNIT);
    let (blocks, rest) = src[..whole].as_chunks::<BLOCK>();
    let mut room = dst.chunks_exact_mut(BLOCK * T::UNIT);
    for (text, room) in blocks.iter().zip(&mut room) {
        for lane in (0..BLOCK).step_by(S::LANES) {
            T::put_ascii(s, s.load(text, lane), room, lane * T::UNIT);
        }
    }
    let (mut padded, mut side) = ([0; BLOCK], [MaybeUninit::uninit(); 4 * BLOCK]);
    padded[..rest.len()].copy_from_slice(rest);
    for lane in (0..BLOCK).step_by(S::LANES) {
        T::put_ascii(s, s.load(&padded, lane), &mut side, lane * T::UNIT);
    }
    let at = (whole - rest.len()) * T::UNIT;
    let written = whole * T::UNIT;
    dst[at..written].copy_from_slice(&side[..written - at]);
    Progress { read: whole, written, replaced: 0 }
}
