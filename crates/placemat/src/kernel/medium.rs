//! Converts medium texts block by block, each block like a short text of its own, which saves the setup of the loop for long
//! texts.

#![forbid(unsafe_code)]

use core::mem::MaybeUninit;

use super::blocks::{BLOCK, Blocks, Expected, ROOM};
use super::{Progress, ascii, from_utf16, from_utf32, latin1, short, target, to_latin1};
use crate::vector::Vector;

/// The longest texts that these functions are for, in bytes.
pub(crate) const FROM_UTF16: usize = 16 * 2 * BLOCK;
pub(crate) const FROM_UTF32: usize = 16 * 4 * BLOCK;
/// The longest text from ISO 8859-1 if it is not ASCII.
const FEW_LATIN1: usize = 6 * BLOCK;
/// The longest texts from and to ISO 8859-1. With the widest vectors, the methods for short texts accept more than one
/// block.
pub(crate) const fn longest_from_latin1<S: Vector>() -> usize {
    if S::LANES < BLOCK { 12 * BLOCK } else { 0 }
}
pub(crate) const fn longest_to_latin1<S: Vector>() -> usize {
    if S::LANES < BLOCK { 64 * BLOCK } else { 0 }
}

/// Converts as many blocks of `SIZE` bytes as `short` accepts. `cut` returns how many bytes at the end of a block belong to
/// a sequence that goes on behind it.
#[inline(always)]
fn blocks<const SIZE: usize>(
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    cut: impl Fn(&[u8]) -> usize,
    short: impl Fn(&[u8], &mut [MaybeUninit<u8>]) -> Option<Progress>,
) -> Progress {
    let mut done = Progress::default();
    while done.read < src.len() {
        let rest = &src[done.read..];
        let block = match rest.first_chunk::<SIZE>() {
            Some(block) if rest.len() > SIZE => &block[..SIZE - cut(block)],
            _ => rest,
        };
        let Some(progress) = short(block, &mut dst[done.written..]) else { break };
        done.read += progress.read;
        done.written += progress.written;
    }
    done
}

/// Converts whole blocks, as long as each is of one simple kind and there is room for the most that it could become.
#[inline(always)]
fn one_kind<S: Vector, T: Blocks<S, SIZE>, const SIZE: usize>(
    s: S,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Progress {
    let mut done = Progress::default();
    while let (Some(text), Some(room)) =
        (src[done.read..].first_chunk::<SIZE>(), dst[done.written..].first_chunk_mut::<ROOM>())
    {
        if T::fast_block(s, text, room) {
            done.written += T::UNIT * BLOCK;
        } else if let Some(n) = T::bmp_block::<{ Expected::ANYTHING }>(s, text, room) {
            done.written += n;
        } else {
            break;
        }
        done.read += SIZE;
    }
    done
}

/// Converts UTF-8 to the units of `T`: all or nothing.
#[inline(always)]
pub(crate) fn utf8<S: Vector, T: target::Target<S>>(
    s: S,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Progress {
    if src.len() <= short::SHORT {
        return Progress::default();
    }
    short::medium::<S, T>(s, src, dst).unwrap_or_default()
}

/// Converts UTF-16 to `T`, as long as each block is of one kind.
#[inline(always)]
pub(crate) fn utf16<S: Vector, T: from_utf16::Target<S>>(
    s: S,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Progress {
    if src.len() <= 2 * BLOCK {
        return Progress::default();
    }
    one_kind::<S, T, { 2 * BLOCK }>(s, src, dst)
}

/// Converts UTF-32 to `T`, as long as each block is of one kind.
#[inline(always)]
pub(crate) fn utf32<S: Vector, T: from_utf32::Target<S>>(
    s: S,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Progress {
    if src.len() <= 4 * BLOCK {
        return Progress::default();
    }
    one_kind::<S, T, { 4 * BLOCK }>(s, src, dst)
}

/// Copies all of a text of more than one block, if it is ASCII.
#[inline(always)]
fn copy<S: Vector>(s: S, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Option<Progress> {
    let out = dst.get_mut(..src.len())?;
    if !ascii::all(s, src) {
        return None;
    }
    ascii::put_all::<S, false>(
        s,
        src,
        out,
        1,
        #[inline(always)]
        |bytes, out| s.store(bytes, out, 0),
    )
}

/// Converts ISO 8859-1 to UTF-8.
#[inline(always)]
pub(crate) fn latin1_to_utf8<S: Vector>(s: S, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Progress {
    if src.len() <= BLOCK {
        return Progress::default();
    }
    if let Some(done) = copy(s, src, dst) {
        return done;
    }
    if src.len() > FEW_LATIN1 {
        return Progress::default();
    }
    blocks::<BLOCK>(
        src,
        dst,
        #[inline(always)]
        |_| 0,
        #[inline(always)]
        |src, dst| latin1::short_to_utf8(s, src, dst),
    )
}

/// Converts UTF-8 to ISO 8859-1.
#[inline(always)]
pub(crate) fn utf8_to_latin1<S: Vector>(s: S, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Progress {
    if src.len() <= BLOCK {
        return Progress::default();
    }
    if let Some(done) = copy(s, src, dst) {
        return done;
    }
    blocks::<BLOCK>(
        src,
        dst,
        #[inline(always)]
        |block| usize::from(block[block.len() - 1] >= 0xC0),
        #[inline(always)]
        |src, dst| to_latin1::from_short_utf8(s, src, dst),
    )
}
