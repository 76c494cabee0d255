//! Where each conversion of whole texts is.

use core::mem::MaybeUninit;

use super::{Avx512, runs, strings, to_utf16, to_utf32};
use crate::vector::{Kinds, Met, Streams};

impl Streams for Avx512 {
    const STEPS: bool = true;

    #[inline(always)]
    fn plain_to_utf32(self, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> [usize; 2] {
        to_utf32::plain(self, src, dst)
    }

    #[inline(always)]
    fn all_to_utf32<const TEST: bool>(self, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> [usize; 2] {
        to_utf32::all::<TEST>(self, src, dst)
    }

    #[inline(always)]
    fn plain_to_utf16(self, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> [usize; 2] {
        to_utf16::plain(self, src, dst)
    }

    #[inline(always)]
    fn all_to_utf16(self, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> [usize; 2] {
        to_utf16::all(self, src, dst)
    }

    #[inline(always)]
    fn run_to_utf8<const BIG: bool>(
        self,
        kinds: Kinds,
        src: &[u8],
        dst: &mut [MaybeUninit<u8>],
        place: [usize; 2],
    ) -> ([usize; 2], Met) {
        runs::to_utf8::<BIG>(self, kinds, src, dst, place)
    }

    #[inline(always)]
    fn run_with_pairs_to_utf8<const BIG: bool, const CALM: bool>(
        self,
        src: &[u8],
        dst: &mut [MaybeUninit<u8>],
    ) -> ([usize; 2], usize) {
        runs::with_pairs_to_utf8::<BIG, CALM>(self, src, dst)
    }

    #[inline(always)]
    fn block_with_pairs_to_utf8<const BIG: bool, const PAIRS: bool>(
        self,
        src: &[u8],
        out: &mut [MaybeUninit<u8>; 256],
    ) -> Option<usize> {
        strings::block_with_pairs_to_utf8::<BIG, PAIRS>(self, src, out)
    }

    #[inline(always)]
    fn begins_with_few_others<const BIG: bool>(self, src: &[u8]) -> bool {
        strings::begins_with_few_others::<BIG>(self, src)
    }

    #[inline(always)]
    fn rest_to_utf8<const BIG: bool>(
        self,
        kinds: Kinds,
        src: &[u8],
        dst: &mut [MaybeUninit<u8>],
        place: [usize; 2],
    ) -> [usize; 2] {
        strings::rest_to_utf8::<BIG>(self, kinds, src, dst, place)
    }

    #[inline(always)]
    fn short_units_to_utf8<const BIG: bool>(
        self,
        src: &[u8],
        dst: &mut [MaybeUninit<u8>],
        place: [usize; 2],
    ) -> [usize; 2] {
        strings::short_units_to_utf8::<BIG>(self, src, dst, place)
    }

    #[inline(always)]
    fn short_to_utf8<const BIG: bool>(self, src: &[u8], out: &mut [MaybeUninit<u8>]) -> Option<usize> {
        strings::short_to_utf8::<BIG>(self, src, out)
    }
}
