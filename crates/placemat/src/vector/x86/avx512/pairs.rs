//! The grammar of UTF-8 with tables of 128 bytes.

use core::arch::x86_64::*;

use super::{Avx512, Bytes};
use crate::vector::grammar::{self, Grammar, Window};
use crate::vector::{Bytes as _, Vector};

/// The rules for loops that also convert, which have other additions to do. One instruction reads a table of 128 bytes, which has
/// what a first byte forbids for the second.
#[derive(Clone, Copy)]
pub(crate) struct Pairs {
    /// What the first bytes 80..BF and C0..FF forbid.
    firsts: [Bytes; 2],
    /// The kind of a second byte, by its upper nibble. The table is there four times, because an index has six bits.
    seconds: Bytes,
    /// Lead bytes of two or more, three or more, and four bytes have the highest bit if these are subtracted.
    expect: [Bytes; 3],
    /// Shifts each byte down by four.
    upper: __m512i,
    high: Bytes,
}

/// [`grammar::FIRST_HIGH`] and [`grammar::FIRST_LOW`] combined, without the two rules that only count continuations. ASCII reads
/// the entry of the byte 80h above, which does no harm: that entry can only forbid continuations, and no continuation may follow
/// ASCII.
const FIRSTS: [[u8; 64]; 2] = firsts(&grammar::FIRST_LOW);
const FIRSTS_BASIC: [[u8; 64]; 2] = firsts(&grammar::FIRST_LOW_BASIC);

const fn firsts(first_low: &[u8; 16]) -> [[u8; 64]; 2] {
    let mut firsts = [[0; 64]; 2];
    let mut i = 0;
    while i < 128 {
        let byte = 0x80 + i;
        firsts[i / 64][i % 64] = grammar::FIRST_HIGH[byte >> 4] & first_low[byte & 15] & !(CONTINUES | 0b11);
        i += 1;
    }
    firsts
}

/// The bit of [`grammar::SECOND_HIGH`] that all continuations have.
const CONTINUES: u8 = 0x80;

impl Grammar<Avx512> for Pairs {
    #[inline(always)]
    fn new(s: Avx512) -> Self {
        Pairs::with(s, &FIRSTS)
    }

    #[inline(always)]
    fn basic(s: Avx512) -> Self {
        Pairs::with(s, &FIRSTS_BASIC)
    }

    #[inline(always)]
    fn broken(&self, broken: Bytes, w: Window<Bytes>) -> Bytes {
        let fourth = w.before[2].saturating_sub(self.expect[2]);
        self.broken_at(broken, w, self.expected(w) | fourth)
    }

    #[inline(always)]
    fn broken_basic(&self, broken: Bytes, w: Window<Bytes>) -> Bytes {
        self.broken_at(broken, w, self.expected(w))
    }
}

impl Pairs {
    #[inline(always)]
    fn with(s: Avx512, firsts: &[[u8; 64]; 2]) -> Self {
        Pairs {
            firsts: [s.load(&firsts[0], 0), s.load(&firsts[1], 0)],
            seconds: s.tile(&grammar::SECOND_HIGH),
            expect: [s.splat(0xC0 - 0x80), s.splat(0xE0 - 0x80), s.splat(0xF0 - 0x80)],
            upper: upper(s),
            high: s.splat(CONTINUES),
        }
    }

    /// The highest bit is set where a second or third byte must stand.
    #[inline(always)]
    fn expected(&self, w: Window<Bytes>) -> Bytes {
        w.before[0].saturating_sub(self.expect[0]) | w.before[1].saturating_sub(self.expect[1])
    }

    ops! {
        fn broken_at(&self, broken: Bytes, w: Window<Bytes>, expected: Bytes) -> Bytes = {
            let upper = _mm512_multishift_epi64_epi8(self.upper, w.at.0);
            let forbidden = Bytes(_mm512_permutex2var_epi8(self.firsts[0].0, w.before[0].0, self.firsts[1].0));
            let is = Bytes(_mm512_permutexvar_epi8(upper, self.seconds.0));
            broken | forbidden & is | (expected ^ is) & self.high
        };
    }
}

ops! {
    fn upper(_s: Avx512) -> __m512i = _mm512_set1_epi64(0x3C34_2C24_1C14_0C04);
}
