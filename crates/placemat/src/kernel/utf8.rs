//! UTF-8 as kernels read it: text near either end, and the short rules for text below E0. What is well-formed, `vector` knows.

#![forbid(unsafe_code)]

use super::target::LEAST_LEAD;
pub(crate) use crate::vector::grammar::unfinished;
use crate::vector::{Bytes, Vector};
pub(crate) use crate::vector::{Grammar, Window};

/// What is at some place of a source, and zeros on either side of it.
pub(crate) struct Padded<'a> {
    pub(crate) src: &'a [u8],
    pub(crate) at: usize,
}

impl Padded<'_> {
    #[inline(always)]
    pub(crate) fn window<S: Vector>(&self, s: S, lane: usize) -> Window<S::Bytes> {
        let at = self.at + lane;
        match self.src.get(at..) {
            // Nearer to the start the place is a boundary, before which nothing is open.
            Some(_) if at >= 3 => Window::load_part(s, self.src, at),
            Some(text) => Window::first(s.load_text(text)),
            None => Window::first(s.splat(0)),
        }
    }
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
