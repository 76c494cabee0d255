//! Copies UTF-16 and UTF-32, in the same byte order or the other, and checks them. As U+FFFD takes the place of one unit, this needs no
//! kernels of its own, only those that check and those that swap.

#![forbid(unsafe_code)]

use core::mem::MaybeUninit;

use crate::kernel::{Prefix, Progress, Ready, Swap, put};
use crate::policy::Fixed;
use crate::vector::ends_open;

/// The units of a form, copied.
#[derive(Clone, Copy)]
pub(crate) struct Units {
    pub(super) valid: Ready<Prefix>,
    /// For a target in the other byte order.
    pub(super) swap: Option<Ready<Swap>>,
    /// Bytes in a unit: 2 or 4.
    pub(super) size: usize,
    /// Whether the highest byte of a unit of the source comes first.
    pub(super) is_big: bool,
    pub(super) fixed: Fixed,
}

/// How many bytes are checked before they are copied, so that they are still in the L1 cache.
const CHUNK: usize = 1024;
/// How many units are looked at together where an error is near.
const GROUP: usize = 16;

impl Units {
    /// Copies up to an error, or with U+FFFD for each. Stops before a high surrogate at the end.
    pub(super) fn convert(&self, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Progress {
        let src = &src[..src.len().min(dst.len()) / self.size * self.size];
        let (mut at, mut replaced) = (0, 0);
        loop {
            let chunk = self.closed(&src[at..src.len().min(at + CHUNK)]);
            let room = &mut dst[at..];
            match self.swap {
                Some(swap) => swap.write(chunk, room, ()),
                None => put(chunk, room),
            }
            let mut valid = self.valid.read(chunk);
            while valid < chunk.len() {
                valid += self.before_error(&chunk[valid..]);
                if valid < chunk.len() {
                    if self.fixed == Fixed::Stop {
                        return Progress { read: at + valid, written: at + valid, replaced };
                    }
                    self.replace(&mut room[valid..]);
                    (valid, replaced) = (valid + self.size, replaced + 1);
                }
            }
            at += chunk.len();
            if chunk.is_empty() {
                return Progress { read: at, written: at, replaced };
            }
        }
    }

    /// The units without a high surrogate at the end.
    fn closed<'a>(&self, units: &'a [u8]) -> &'a [u8] {
        match self.size {
            2 if self.is_big && ends_open::<true>(units) => &units[..units.len() - 2],
            2 if !self.is_big && ends_open::<false>(units) => &units[..units.len() - 2],
            _ => units,
        }
    }

    /// How many bytes precede the first error.
    fn before_error(&self, units: &[u8]) -> usize {
        match (self.size, self.is_big) {
            (2, false) => utf16_before_error(units.as_chunks().0, u16::from_le_bytes),
            (2, true) => utf16_before_error(units.as_chunks().0, u16::from_be_bytes),
            (_, false) => utf32_before_error(units.as_chunks().0, u32::from_le_bytes),
            (_, true) => utf32_before_error(units.as_chunks().0, u32::from_be_bytes),
        }
    }

    /// Writes U+FFFD in the byte order of the target.
    fn replace(&self, dst: &mut [MaybeUninit<u8>]) {
        let replacement = u32::from(char::REPLACEMENT_CHARACTER);
        if self.is_big == self.swap.is_none() {
            put(&replacement.to_be_bytes()[4 - self.size..], dst);
        } else {
            put(&replacement.to_le_bytes()[..self.size], dst);
        }
    }
}

#[inline(always)]
fn utf16_before_error(units: &[[u8; 2]], number: impl Fn([u8; 2]) -> u16) -> usize {
    let kind = |unit: &[u8; 2]| number(*unit) & 0xFC00;
    let mut at = 0;
    while at < units.len() {
        let group = &units[at..units.len().min(at + GROUP)];
        let surrogates = group.iter().fold(0, |n, unit| n + u16::from(number(*unit) & 0xF800 == 0xD800));
        let end = at + group.len();
        if surrogates == 0 {
            at = end;
        }
        while at < end {
            at += match (kind(&units[at]), units.get(at + 1).map(kind)) {
                (0xD800, Some(0xDC00)) => 2,
                (0xD800 | 0xDC00, _) => return 2 * at,
                _ => 1,
            }
        }
    }
    2 * at
}

#[inline(always)]
fn utf32_before_error(units: &[[u8; 4]], number: impl Fn([u8; 4]) -> u32) -> usize {
    4 * units.iter().position(|unit| char::from_u32(number(*unit)).is_none()).unwrap_or(units.len())
}
