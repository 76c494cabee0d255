//! Memory that will be needed soon.
//!
//! A load or a store that crosses two lines of the cache waits long where they are not in the nearest one, and CPUs, which see
//! for themselves what comes next, bring it less near than that. What is fast enough to notice asks for it, on CPUs that were timed
//! and gain by it.

#![forbid(unsafe_code)]

pub(super) use crate::vector::prefetch::gains;
use crate::vector::prefetch::prefetch;
use crate::vector::steps;

/// Bytes in a line of the cache.
const LINE: usize = 64;
/// How many bytes ahead it is asked for.
const DISTANCE: usize = 1024;
/// Where there is less than so much, it is not: what is behind an end is brought for nothing.
const LEAST: usize = 4 * DISTANCE;

/// How far ahead it is asked for.
#[derive(Clone, Copy)]
pub(crate) struct Ahead(usize);

impl Ahead {
    /// In spans that are long enough by themselves.
    pub(crate) const FAR: Self = Ahead(DISTANCE);

    /// In text, or in room for it, that is gone through from start to end.
    #[inline(always)]
    pub(crate) fn of<B>(all: &[B]) -> Self {
        Ahead(if size_of_val(all) < LEAST { 0 } else { DISTANCE })
    }

    /// What comes so far behind these bytes, as much as they are. There is no branch on where it ends: that costs more.
    #[inline(always)]
    pub(crate) fn ask<B>(self, bytes: &[B]) {
        if gains() {
            self.lines(bytes);
        }
    }

    /// The same of text and of room for what it becomes.
    #[inline(always)]
    pub(crate) fn ask_both<A, B>(self, text: &[A], room: &[B]) {
        if gains() {
            self.lines(text);
            self.lines(room);
        }
    }

    /// The same, for who knows that this CPU gains.
    #[inline(always)]
    pub(crate) fn lines<B>(self, bytes: &[B]) {
        let next = bytes.as_ptr().cast::<u8>().wrapping_add(self.0);
        for line in steps(0..size_of_val(bytes), LINE) {
            prefetch(next.wrapping_add(line));
        }
    }
}
