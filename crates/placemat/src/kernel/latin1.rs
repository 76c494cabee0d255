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

/// ISO 8859-1 to UTF-8.
#[inline(always)]
pub(crate) fn to_utf8<S: Simd, const REPLACE: bool>(
    s: S,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Progress {
    const ROOM: usize = 2 * BLOCK;
    let (mut at, mut written, mut streak) = (0, 0, LONG);
    let mut padded = [0; BLOCK];
    while at < src.len() {
        if streak == LONG {
            let n = ascii::copy(s, &src[at..], &mut dst[written..]);
            (at, written, streak) = (at + n, written + n, 0);
        }
        let rest = &src[at..];
        let text: &[u8; BLOCK] = match rest.first_chunk() {
            Some(text) => text,
            None => {
                padded[..rest.len()].copy_from_slice(rest);
                &padded
            }
        };
        let dst = &mut dst[written..];
        let mut side = [MaybeUninit::uninit(); ROOM];
        let direct = dst.len() >= ROOM;
        let room: &mut [_; ROOM] = dst.first_chunk_mut().unwrap_or(&mut side);
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
        // What stands for the zeros after the end does not count.
        n -= BLOCK - rest.len().min(BLOCK);
        if !direct {
            let Some(place) = dst.get_mut(..n) else { break };
            place.copy_from_slice(&side[..n]);
        }
        streak = if n == BLOCK { streak + 1 } else { 0 };
        at += rest.len().min(BLOCK);
        written += n;
    }
    Progress { read: at, written, replaced: 0 }
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
