//! What kernels share for UTF-8: text near its start or end, and the short rules for text below E0. The complete rules are in
//! `vector`.

#![forbid(unsafe_code)]

pub(crate) use crate::vector::grammar::unfinished;
use crate::vector::{Bytes, Vector};
pub(crate) use crate::vector::{Grammar, Window};

/// Bytes below this, as signed numbers, are continuations.
pub(crate) const LEAST_LEAD: u8 = 0xC0;

/// Sixty-four bytes, with three before them.
pub(crate) type Near = [u8; 3 + 64];

/// Returns the bytes of `src` around `at`, `BEFORE` of them before it: in place, or a copy with zeros where `src` has no
/// bytes.
#[inline(always)]
pub(crate) fn around<'a, const BEFORE: usize, const N: usize>(
    src: &'a [u8],
    at: usize,
    copy: &'a mut [u8; N],
) -> &'a [u8; N] {
    if let Some(text) = src.get(at.wrapping_sub(BEFORE)..).and_then(<[u8]>::first_chunk) {
        return text;
    }
    *copy = [0; N];
    let from = at.saturating_sub(BEFORE);
    let near = &src[from..src.len().min(at + N - BEFORE)];
    copy[BEFORE - (at - from)..][..near.len()].copy_from_slice(near);
    copy
}

/// Not zero if the end of a vector cuts off a sequence.
#[inline(always)]
pub(crate) fn cut_off<S: Vector>(s: S, last: S::Bytes) -> S::Bytes {
    /// The greatest last bytes with which no sequence is cut off.
    const WHOLE: [u8; 64] = {
        let mut greatest = [0xFF; 64];
        [greatest[61], greatest[62], greatest[63]] = [0xEF, 0xDF, 0xBF];
        greatest
    };
    last.saturating_sub(s.load(&WHOLE, 64 - S::LANES))
}

/// Text below E0, in which a byte is a continuation if and only if a lead precedes it.
#[derive(Clone, Copy)]
pub(crate) struct UpToTwo<B> {
    /// The highest bit is set where that is not so.
    unequal: B,
    /// The least of the bytes as [`ordered`](Self::ordered).
    pub(crate) least: B,
}

impl<B: Bytes> UpToTwo<B> {
    /// The state before the first byte. Of `before`, only bytes that are not allowed count.
    #[inline(always)]
    pub(crate) fn new<S: Vector<Bytes = B>>(s: S, before: B) -> Self {
        UpToTwo { unequal: s.splat(0), least: Self::ordered(s, before) }
    }

    /// Maps bytes to an order: first, up to 1F, those of E0 and above; then C0 and C1; last, from 80 on, ASCII.
    #[inline(always)]
    fn ordered<S: Vector<Bytes = B>>(s: S, bytes: B) -> B {
        bytes ^ s.splat(0xE0)
    }

    /// Adds bytes. Each follows the byte in the same lane of `before`.
    #[inline(always)]
    pub(crate) fn with<S: Vector<Bytes = B>, G: Grammar<S>>(self, s: S, bytes: B, before: B) -> Self {
        let unequal = self.unequal | G::unequal(s, bytes, before);
        UpToTwo { unequal, least: self.least.min(Self::ordered(s, bytes)) }
    }

    /// Not zero if the text is ill-formed, or not below E0.
    #[inline(always)]
    pub(crate) fn broken<S: Vector<Bytes = B>>(self, s: S) -> B {
        (self.unequal & s.splat(0x80)) | s.splat(0x22).saturating_sub(self.least)
    }

    /// Whether there is a byte of E0 or above.
    #[inline(always)]
    pub(crate) fn has_more<S: Vector<Bytes = B>>(self, s: S) -> bool {
        !s.splat(0x20).saturating_sub(self.least).is_zero()
    }
}
