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

/// Text below E0, in which a byte is a continuation if and only if a lead precedes it.
#[derive(Clone, Copy)]
pub(crate) struct UpToTwo<B> {
    /// The highest bit where that is not so.
    unequal: B,
    /// The least of what C0 and C1 are 0 and 1 in.
    least: B,
}

impl<B: Bytes> UpToTwo<B> {
    /// Nothing yet but `before`, of which only C0 and C1 count.
    #[inline(always)]
    pub(crate) fn new<S: Vector<Bytes = B>>(s: S, before: B) -> Self {
        UpToTwo { unequal: s.splat(0), least: before ^ s.splat(0xC0) }
    }

    /// With these bytes, each behind one of `before`.
    #[inline(always)]
    pub(crate) fn with<S: Vector<Bytes = B>>(self, s: S, bytes: B, before: B) -> Self {
        let is_after_lead = before.saturating_sub(s.splat(0xC0 - 0x80));
        let unequal = self.unequal | is_after_lead.with_high_bit_flipped(bytes.less(s.splat(LEAST_LEAD)));
        UpToTwo { unequal, least: self.least.min(bytes ^ s.splat(0xC0)) }
    }

    /// Not zero where something is ill-formed.
    #[inline(always)]
    pub(crate) fn broken<S: Vector<Bytes = B>>(self, s: S) -> B {
        (self.unequal & s.splat(0x80)) | s.splat(2).saturating_sub(self.least)
    }
}
