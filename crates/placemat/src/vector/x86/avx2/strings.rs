//! Strings of up to two vectors, always as two: a branch on the length is mispredicted too often.

use core::arch::x86_64::*;

use super::{Avx2, Bytes};
use crate::vector::grammar::{Grammar, Nibbles, Window, unfinished};
use crate::vector::{self, Bytes as _, Vector};

/// The longest string, in bytes.
pub(super) const SHORT: usize = 64;

/// See [`Vector::is_short_well_formed`].
#[inline(always)]
pub(super) fn is_well_formed(s: Avx2, text: &[u8]) -> bool {
    if is_ascii(s, text) {
        return true;
    }
    let [low, high] = load(s, text);
    let grammar = Nibbles::new(s);
    let broken = grammar.broken(s.splat(0), Window::first(low));
    let broken = grammar.broken(broken, second(low, high));
    // Behind a shorter text there is a zero, which is no continuation byte.
    broken.is_zero() && (text.len() < SHORT || unfinished(text) == 0)
}

ops! {
    /// A vector of sixteen bytes, with zeros behind them.
    fn of_number(_s: Avx2, bits: u128) -> Bytes = Bytes(_mm256_set_epi64x(0, 0, (bits >> 64) as i64, bits as i64));
    /// The second of two vectors, with the bytes before it.
    fn second(low: Bytes, high: Bytes) -> Window<Bytes> = {
        // The upper half of the first vector, and above it the lower half of the second.
        let middle = _mm256_permute2x128_si256::<0x21>(low.0, high.0);
        Window {
            at: high,
            before: [
                Bytes(_mm256_alignr_epi8::<15>(high.0, middle)),
                Bytes(_mm256_alignr_epi8::<14>(high.0, middle)),
                Bytes(_mm256_alignr_epi8::<13>(high.0, middle)),
            ],
        }
    };
}

/// Whether 17 to 64 bytes are ASCII: two vectors that overlap.
#[inline(always)]
fn is_ascii(s: Avx2, text: &[u8]) -> bool {
    if text.len() >= 32 {
        return (s.load(text, 0) | s.load(text, text.len() - 32)).high_bits() == 0;
    }
    match (text.first_chunk::<16>(), text.last_chunk::<16>()) {
        (Some(first), Some(last)) => {
            (u128::from_le_bytes(*first) | u128::from_le_bytes(*last))
                & 0x8080_8080_8080_8080_8080_8080_8080_8080
                == 0
        }
        _ => false,
    }
}

/// At most sixty-four bytes, with zeros behind them: whole groups of four bytes with a mask, then the rest.
#[inline(always)]
fn load(s: Avx2, text: &[u8]) -> [Bytes; 2] {
    if text.len() == SHORT {
        return [s.load(text, 0), s.load(text, 32)];
    }
    let Some(&last) = text.last_chunk() else {
        return [of_number(s, vector::padded(text)), s.splat(0)];
    };
    // A CPU does not read what a mask excludes, but emulators do (qemu 7.2). So the bytes must not reach into a page that may not
    // be mapped.
    if text.as_ptr().addr() % PAGE > PAGE - SHORT {
        let copy = copied(text);
        return [s.load(&copy, 0), s.load(&copy, 32)];
    }
    let fours = text.len() / 4;
    // The last bytes that are not in a group of four; none if all are.
    let rest = u64::from(u32::from_le_bytes(last)) >> (8 * (4 - text.len() % 4));
    let [low, high] = [0, 8].map(|first| &WHOLE[16 + first - fours.min(16)..][..8]);
    // SAFETY: each mask has eight numbers, as the slices ensure. Only lanes whose masks are set are read from memory. These are
    // the first `fours` groups of four bytes, which `text` has; `s` is the witness.
    unsafe {
        let (low, high) = (low.as_ptr().cast(), high.as_ptr().cast());
        let (low, high) = (_mm256_loadu_si256(low), _mm256_loadu_si256(high));
        let start: *const i32 = text.as_ptr().cast();
        let low = _mm256_maskload_epi32(start, low);
        let high = _mm256_maskload_epi32(start.wrapping_add(8), high);
        let (rest, place) = (_mm256_set1_epi32(rest as i32), _mm256_set1_epi32(fours as i32));
        let (first, second) =
            (_mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7), _mm256_setr_epi32(8, 9, 10, 11, 12, 13, 14, 15));
        [
            Bytes(_mm256_or_si256(low, _mm256_and_si256(rest, _mm256_cmpeq_epi32(place, first)))),
            Bytes(_mm256_or_si256(high, _mm256_and_si256(rest, _mm256_cmpeq_epi32(place, second)))),
        ]
    }
}

/// The smallest page size.
const PAGE: usize = 4096;

#[cold]
fn copied(text: &[u8]) -> [u8; SHORT] {
    let mut copy = [0; SHORT];
    copy[..text.len()].copy_from_slice(text);
    copy
}

/// The 16 numbers from `16 - n` on begin with `n` masks that are set.
static WHOLE: [i32; 32] = {
    let mut whole = [0; 32];
    let mut i = 0;
    while i < 16 {
        whole[i] = -1;
        i += 1;
    }
    whole
};
