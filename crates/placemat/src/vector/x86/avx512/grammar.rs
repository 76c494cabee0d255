//! What well-formed text is, with tables of 128 bytes.

use core::arch::x86_64::*;

use super::{Avx512, Bytes};
use crate::vector::grammar::{self, Grammar, Window};
use crate::vector::{Bytes as _, Vector};

/// The rules for this level: a table of 128 says in one instruction what a first byte forbids its second.
#[derive(Clone, Copy)]
pub(crate) struct Pairs {
    /// What the first bytes 80..BF and C0..FF forbid.
    firsts: [Bytes; 2],
    /// What a second byte is, by its upper nibble (four times: the index has two bits too many).
    seconds: Bytes,
    /// Leads of two and more, three and more, four: less these, they have the highest bit.
    expect: [Bytes; 3],
    /// Shifts each byte down by four.
    upper: __m512i,
    high: Bytes,
}

/// [`grammar::FIRST_HIGH`] and [`grammar::FIRST_LOW`] in one, without the two rules that only count continuations. ASCII reads
/// the entry 80h above its own, which does no harm: whatever continuation it is forbidden, none may follow it.
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

    /// The highest bit where a second or third byte must stand.
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
    /// Of an index, six bits count.
    fn chosen(index: Bytes, table: Bytes) -> Bytes = Bytes(_mm512_permutexvar_epi8(index.0, table.0));
}

/// By the six lower bits of a lead: what brings the continuations that may follow it below 80h, and others not.
const SHIFTS: [u8; 64] = {
    let mut shifts = [0x80; 64];
    let mut lead = 0xC0;
    while lead <= 0xFF {
        shifts[lead - 0xC0] = match lead {
            0xE0 => 0x100 - 0xA0,
            0xED => 0x180 - 0xA0,
            0xF0 => 0x100 - 0x90,
            0xF4 => 0x180 - 0x90,
            // Leads of nothing.
            0xC0 | 0xC1 | 0xF5.. => 0,
            _ => 0x80,
        } as u8;
        lead += 1;
    }
    shifts
};

/// The highest bit where a byte of a vector alone cannot follow what precedes it: the rules once more, with additions instead of tables,
/// which take long to load. A byte is a continuation if and only if one is due, and after a lead it is one that this may have.
#[inline(always)]
pub(super) fn broken_alone(s: Avx512, w: Window<Bytes>) -> Bytes {
    let [first, second, third] = w.before;
    // All in the highest bit: a lead has the next one too, a continuation not.
    let lead = first & (first + first);
    let due = lead | second.saturating_sub(s.splat(0xE0 - 0x80)) | third.saturating_sub(s.splat(0xF0 - 0x80));
    let is = w.at & ((w.at + w.at) ^ s.splat(0xFF));
    let shifts = chosen(first, s.load(&SHIFTS, 0));
    (lead & (w.at + shifts)) | (due ^ is)
}

/// The longest text that [`is_medium_well_formed`] is for: an error in more need not wait until all of it is read.
pub(super) const MEDIUM: usize = 384;

/// Less these, the last three bytes have the highest bit where a sequence goes on behind them.
const ENDS: [u8; 64] = {
    let mut ends = [0xFF; 64];
    (ends[61], ends[62], ends[63]) = (0xF0 - 0x80, 0xE0 - 0x80, 0xC0 - 0x80);
    ends
};

/// As [`Vector::is_medium_well_formed`] has it. The last vector overlaps the one before it.
#[inline(always)]
pub(super) fn is_medium_well_formed(s: Avx512, text: &[u8]) -> bool {
    let end = text.len() - 64;
    let (first, last) = (s.load(text, 0), s.load(text, end));
    let mut any = first | last;
    // By slices that need no check which could fail: a function that can panic has a frame.
    let mut rest = text.get(64..text.len() - 1).unwrap_or_default();
    while let Some((vector, others)) = rest.split_first_chunk::<64>() {
        any = any | s.load(vector, 0);
        rest = others;
    }
    if any.high_bits() == 0 {
        return true;
    }
    let mut broken = broken_alone(s, Window::first(first)) | last.saturating_sub(s.load(&ENDS, 0));
    let mut rest = text.get(61..text.len() - 1).unwrap_or_default();
    while let Some(window) = rest.first_chunk::<67>() {
        broken = broken | broken_alone(s, Window::load(s, window, 3));
        rest = rest.get(64..).unwrap_or_default();
    }
    if end > 0 {
        broken = broken | broken_alone(s, Window::load_any(s, text, end));
    }
    broken.high_bits() == 0
}
