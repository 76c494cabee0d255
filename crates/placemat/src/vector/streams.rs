//! Conversions of whole texts that a level may have instead of those in steps of a vector.

#![forbid(unsafe_code)]

use core::mem::MaybeUninit;

/// The kinds of UTF-16 units that a text contains.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Kinds {
    /// Below 800h.
    Short,
    /// No surrogates.
    Basic,
    All,
}

/// Why a run ends.
#[derive(Clone, Copy, PartialEq)]
#[allow(dead_code, reason = "only levels that have runs say all of it")]
pub(crate) enum Met {
    /// Units of other kinds, or ill-formed ones.
    Others,
    /// There was nothing of the widest kind for a while.
    Calm,
    /// Less than a vector is left, or there is too little room.
    End,
}

/// Conversions of UTF-16 and UTF-32. If `STEPS` is false, they do nothing.
pub(crate) trait Streams: Copy {
    /// Whether the functions below are implemented. They write only to the destination, whatever the length.
    const STEPS: bool = false;
    /// Writes UTF-16 (little-endian) as UTF-32 up to the first pair, or all of a text of at most two vectors. Returns the numbers
    /// of bytes read and written; zeros for a text that needs another function.
    #[inline(always)]
    fn plain_to_utf32(self, _src: &[u8], _dst: &mut [MaybeUninit<u8>]) -> [usize; 2] {
        [0, 0]
    }
    /// Writes UTF-16 (little-endian) with pairs as UTF-32, as far as the text is well-formed and there is room. `TEST`: vectors are
    /// tested for pairs. That is faster if the CPU can predict the result. Returns the same numbers.
    #[inline(always)]
    fn all_to_utf32<const TEST: bool>(self, _src: &[u8], _dst: &mut [MaybeUninit<u8>]) -> [usize; 2] {
        [0, 0]
    }
    /// Like [`plain_to_utf32`](Streams::plain_to_utf32), from UTF-32 (little-endian) to UTF-16. `all_to_utf16` is like
    /// `all_to_utf32` with tests.
    #[inline(always)]
    fn plain_to_utf16(self, _src: &[u8], _dst: &mut [MaybeUninit<u8>]) -> [usize; 2] {
        [0, 0]
    }
    #[inline(always)]
    fn all_to_utf16(self, _src: &[u8], _dst: &mut [MaybeUninit<u8>]) -> [usize; 2] {
        [0, 0]
    }
    /// Writes vectors of UTF-16 of these kinds as UTF-8, with two bytes for each half of a pair. `place` is where to begin in the
    /// source and in the destination; the unit before it must be no high surrogate. Returns where it stopped, and why.
    #[inline(always)]
    fn run_to_utf8<const BIG: bool>(
        self,
        _kinds: Kinds,
        _src: &[u8],
        _dst: &mut [MaybeUninit<u8>],
        place: [usize; 2],
    ) -> ([usize; 2], Met) {
        (place, Met::End)
    }
    /// Writes vectors of UTF-16 with many pairs as UTF-8, like [`run_to_utf8`](Streams::run_to_utf8). Returns where it stopped, and how many
    /// vectors had a part of a pair. `CALM`: among units of three bytes, it stops where there are no pairs for a while, and returns 0 for
    /// their number.
    #[inline(always)]
    fn run_with_pairs_to_utf8<const BIG: bool, const CALM: bool>(
        self,
        _src: &[u8],
        _dst: &mut [MaybeUninit<u8>],
    ) -> ([usize; 2], usize) {
        ([0, 0], 0)
    }
    /// Writes all of a text of at most two vectors as UTF-8, fastest if it has pairs but no units of three bytes. `None` if it is
    /// ill-formed or ends with a high surrogate. `PAIRS`: `None` also if it has no pairs.
    #[inline(always)]
    fn block_with_pairs_to_utf8<const BIG: bool, const PAIRS: bool>(
        self,
        _src: &[u8],
        _out: &mut [MaybeUninit<u8>; 256],
    ) -> Option<usize> {
        None
    }
    /// Whether 64 units of UTF-16 are ASCII but for a few, of which the first is 800h or above.
    #[inline(always)]
    fn begins_with_few_others<const BIG: bool>(self, _src: &[u8]) -> bool {
        false
    }
    /// Like [`run_to_utf8`](Streams::run_to_utf8), to the end of the text or of the room. From a unit of a wider kind on, it
    /// converts the rest as text of that kind. Best for a few vectors.
    #[inline(always)]
    fn rest_to_utf8<const BIG: bool>(
        self,
        _kinds: Kinds,
        _src: &[u8],
        _dst: &mut [MaybeUninit<u8>],
        place: [usize; 2],
    ) -> [usize; 2] {
        place
    }
    /// Like [`rest_to_utf8`](Streams::rest_to_utf8), for up to eight vectors of units below 800h. Best if little more of the text
    /// is left.
    #[inline(always)]
    fn short_units_to_utf8<const BIG: bool>(
        self,
        _src: &[u8],
        _dst: &mut [MaybeUninit<u8>],
        place: [usize; 2],
    ) -> [usize; 2] {
        place
    }
    /// Writes all of a text of at most two vectors as UTF-8, or of more if there is much room. `None` if it is ill-formed or ends
    /// with half a pair. Returns the bytes written. Needs the room of four vectors.
    #[inline(always)]
    fn short_to_utf8<const BIG: bool>(self, _src: &[u8], _out: &mut [MaybeUninit<u8>]) -> Option<usize> {
        None
    }
}
