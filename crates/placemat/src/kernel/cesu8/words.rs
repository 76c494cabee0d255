//! Conversion of short texts to and from CESU-8 and Modified UTF-8, eight bytes at a time, without vectors.
#![forbid(unsafe_code)]

use core::mem::MaybeUninit;

use super::Supplementary;
use crate::kernel::utf8::unfinished;
use crate::kernel::{Common, Progress};

/// Converts a short text by words, as far as it is well-formed and there is room.
#[inline(always)]
pub(super) fn words<P: Supplementary, const NUL: bool>(
    common: &Common,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Progress {
    if P::JOINS {
        let words = by_words::<P, NUL>(src, dst);
        return if words.is_known { words.progress() } else { common.checked(words.progress(), dst) };
    }
    by_words::<P, NUL>(common.well_formed(&src[..src.len() - unfinished(src)]), dst).progress()
}

/// The result of [`by_words`], small enough to be returned in registers.
#[derive(Clone, Copy)]
pub(crate) struct Words {
    read: u32,
    written: u32,
    /// Whether `text` certainly was well-formed, because it has only pairs and ASCII. Checking bytes that were just written takes long.
    pub(crate) is_known: bool,
}

impl Words {
    #[inline(always)]
    pub(crate) fn progress(self) -> Progress {
        Progress { read: self.read as usize, written: self.written as usize, replaced: 0 }
    }
}

/// Converts at most [`SHORT`](super::SHORT) bytes by words. `text` is well-formed; if `P` joins, it may be anything, and the result is well-formed only if `text` was.
#[inline(never)]
pub(crate) fn by_words<P: Supplementary, const NUL: bool>(text: &[u8], dst: &mut [MaybeUninit<u8>]) -> Words {
    let (mut read, mut written, mut any) = (0, 0, 0);
    while read < text.len()
        && let Some(place) = dst[written..].first_chunk_mut::<8>()
    {
        let bytes = word(text, read);
        // Supplementary characters often follow each other, so this comes before any search. The zeros after the end are not
        // part of one.
        if let Some(other) = P::convert(bytes) {
            *place = other.to_le_bytes().map(MaybeUninit::new);
            (read, written) = (read + P::LENGTHS.0, written + P::LENGTHS.1);
            continue;
        }
        let (mut n, mut other) = (different::<P, NUL>(bytes).min(text.len() - read), bytes);
        let mut m = n;
        if P::JOINS {
            any |= bytes & !(!0_u64).checked_shl(8 * n as u32).unwrap_or(0);
        }
        if n == 0 {
            (n, m, other) = match bytes as u8 {
                0 if NUL && !P::JOINS => (1, 2, 0x80C0),
                0xC0 if NUL && P::JOINS && bytes >> 8 & 0xFF == 0x80 => (2, 1, 0),
                // What is written is checked later. That also finds a sequence that is not complete.
                0xED if P::JOINS && bytes >> 8 & 0xFF < 0xA0 => {
                    any |= bytes;
                    (3, 3, bytes)
                }
                _ => break,
            };
        }
        if n > text.len() - read {
            break;
        }
        *place = other.to_le_bytes().map(MaybeUninit::new);
        (read, written) = (read + n, written + m);
    }
    // The bytes copied may end in the middle of a sequence.
    let open = unfinished(&text[..read]);
    Words { read: (read - open) as u32, written: (written - open) as u32, is_known: any & HIGH == 0 }
}

/// The lowest and the highest bit of each byte. No ASCII byte has the highest.
const LOW: u64 = u64::from_le_bytes([1; 8]);
const HIGH: u64 = LOW << 7;

/// Eight bytes from `at` on, with zeros after the end, as a little-endian number.
#[inline(always)]
pub(super) fn word(text: &[u8], at: usize) -> u64 {
    let rest = &text[at..];
    match (rest.first_chunk(), text.last_chunk()) {
        (Some(word), _) => u64::from_le_bytes(*word),
        (None, Some(last)) => u64::from_le_bytes(*last).checked_shr(64 - 8 * rest.len() as u32).unwrap_or(0),
        (None, None) => rest.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte)),
    }
}

/// Returns how many of eight bytes precede the first one that may begin a sequence that differs in the other form.
#[inline(always)]
pub(super) fn different<P: Supplementary, const NUL: bool>(bytes: u64) -> usize {
    // Sets the highest bit of the lowest byte that is zero, and perhaps of bytes above that one.
    let zeros = |word: u64| word.wrapping_sub(LOW) & !word & HIGH;
    let mut found = bytes & bytes << 1 & bytes << 2 & bytes << 3 & HIGH;
    if P::JOINS {
        found |= zeros(bytes ^ (LOW * 0xED));
    }
    if NUL {
        found |= zeros(bytes);
        if P::JOINS {
            found |= zeros((bytes & (LOW * 0xFE)) ^ (LOW * 0xC0));
        }
    }
    found.trailing_zeros() as usize / 8
}
