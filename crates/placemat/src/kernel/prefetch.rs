//! Prefetches memory that will be needed soon.
//!
//! A load or a store that crosses two cache lines is slow unless both are in the nearest cache. The prefetcher of a CPU does not
//! bring lines as near as that. So loops that are fast enough to notice the delay prefetch themselves, on CPUs that were measured
//! and gain by it.

#![forbid(unsafe_code)]

pub(super) use crate::vector::prefetch::gains;
use crate::vector::prefetch::prefetch;
use crate::vector::steps;

/// Bytes in a cache line.
const LINE: usize = 64;
/// How many bytes ahead to prefetch.
const DISTANCE: usize = 1024;
/// Shorter texts are not prefetched: what lies behind their end would be fetched for nothing.
const LEAST: usize = 4 * DISTANCE;

/// How many bytes ahead to prefetch.
#[derive(Clone, Copy)]
pub(crate) struct Ahead(usize);

impl Ahead {
    /// For spans that are long enough in themselves.
    pub(crate) const FAR: Self = Ahead(DISTANCE);

    /// For text that is read from start to end, or for room that is filled so.
    #[inline(always)]
    pub(crate) fn of<B>(all: &[B]) -> Self {
        Ahead(if size_of_val(all) < LEAST { 0 } else { DISTANCE })
    }

    /// Prefetches as many bytes as these, at the distance. Goes past the end of the text, because a branch would cost more.
    #[inline(always)]
    pub(crate) fn ask<B>(self, bytes: &[B]) {
        if gains() {
            self.lines(bytes);
        }
    }

    /// Prefetches for a text and for the room that its result is written to.
    #[inline(always)]
    pub(crate) fn ask_both<A, B>(self, text: &[A], room: &[B]) {
        if gains() {
            self.lines(text);
            self.lines(room);
        }
    }

    /// Like `ask`, for callers that have checked that this CPU gains.
    #[inline(always)]
    pub(crate) fn lines<B>(self, bytes: &[B]) {
        let next = bytes.as_ptr().cast::<u8>().wrapping_add(self.0);
        for line in steps(0..size_of_val(bytes), LINE) {
            prefetch(next.wrapping_add(line));
        }
    }
}
