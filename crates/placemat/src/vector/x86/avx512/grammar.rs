//! The grammar of UTF-8 by additions, with one table.

use core::arch::x86_64::*;

use super::{Avx512, Bytes};
use crate::vector::grammar::{Grammar, Window};
use crate::vector::{Bytes as _, Vector};

/// The rules for this level: a byte must be a continuation if and only if one is due, and after a lead byte it must be one that
/// this lead byte allows. Only the highest bit of each lane has a meaning.
#[derive(Clone, Copy)]
pub(crate) struct Additions {
    /// See [`shifts`].
    shifts: Bytes,
    /// Lead bytes of three and more, and of four, lose the highest bit if these are added.
    overflow: [Bytes; 2],
}

const SHIFTS: [u8; 64] = shifts(0xF4);
const SHIFTS_BASIC: [u8; 64] = shifts(0xEF);

/// For each lead byte, by its lower six bits: the number that, added, gives 80h or more only for continuations that may not
/// follow it. Lead bytes above `greatest` allow none.
const fn shifts(greatest: u8) -> [u8; 64] {
    let mut shifts = [0; 64];
    let mut lead = 0xC2;
    while lead <= greatest {
        shifts[lead as usize - 0xC0] = match lead {
            0xE0 => 0x100 - 0xA0,
            0xED => 0x180 - 0xA0,
            0xF0 => 0x100 - 0x90,
            0xF4 => 0x180 - 0x90,
            _ => 0x80,
        } as u8;
        lead += 1;
    }
    shifts
}

impl Grammar<Avx512> for Additions {
    #[inline(always)]
    fn new(s: Avx512) -> Self {
        Additions::with(s, &SHIFTS)
    }

    #[inline(always)]
    fn basic(s: Avx512) -> Self {
        Additions::with(s, &SHIFTS_BASIC)
    }

    #[inline(always)]
    fn broken(&self, broken: Bytes, w: Window<Bytes>) -> Bytes {
        let lead = lead(w.before[0]);
        let due = or_overflow(lead, w.before[1], self.overflow[0]);
        broken | self.wrong(w, lead, or_overflow(due, w.before[2], self.overflow[1]))
    }

    #[inline(always)]
    fn broken_basic(&self, broken: Bytes, w: Window<Bytes>) -> Bytes {
        let lead = lead(w.before[0]);
        broken | self.wrong(w, lead, or_overflow(lead, w.before[1], self.overflow[0]))
    }

    #[inline(always)]
    fn unequal(_s: Avx512, bytes: Bytes, before: Bytes) -> Bytes {
        misplaced(bytes, lead(before))
    }

    #[inline(always)]
    fn errors(s: Avx512, broken: Bytes) -> Bytes {
        broken & s.splat(0x80)
    }
}

impl Additions {
    #[inline(always)]
    fn with(s: Avx512, shifts: &[u8; 64]) -> Self {
        Additions {
            shifts: s.load(shifts, 0),
            overflow: [s.splat(0xE0_u8.wrapping_neg()), s.splat(0xF0_u8.wrapping_neg())],
        }
    }

    ops! {
        /// Bytes that are continuations where none is `due`, or the other way round, or that the lead byte before forbids.
        fn wrong(&self, w: Window<Bytes>, lead: Bytes, due: Bytes) -> Bytes = Bytes({
            // a | (b & c)
            _mm512_ternarylogic_epi64::<0xF8>(misplaced(w.at, due).0, lead.0, self.shifted(w).0)
        });
        /// Behind a lead byte, the highest bit is set where this is a continuation that the lead byte forbids.
        fn shifted(&self, w: Window<Bytes>) -> Bytes =
            // Only six bits of an index count.
            w.at + Bytes(_mm512_permutexvar_epi8(w.before[0].0, self.shifts.0));
    }
}

/// Lead bytes.
#[inline(always)]
fn lead(bytes: Bytes) -> Bytes {
    bytes & (bytes + bytes)
}

ops! {
    /// Continuations where none is `due`, and bytes that are none where one is. A continuation has the highest bit but not the
    /// next one.
    fn misplaced(bytes: Bytes, due: Bytes) -> Bytes =
        // a ^ (b & !c)
        Bytes(_mm512_ternarylogic_epi64::<0xB4>(due.0, bytes.0, (bytes + bytes).0));
    /// Adds to `due` the lanes of `bytes` that lose the highest bit if `addend` is added.
    fn or_overflow(due: Bytes, bytes: Bytes, addend: Bytes) -> Bytes =
        // a | (b & !c)
        Bytes(_mm512_ternarylogic_epi64::<0xF4>(due.0, bytes.0, (bytes + addend).0));
}

/// The highest bit is set where a byte cannot follow the bytes before it, for a single vector. With subtractions, which take
/// longer than the additions, but do not wait for each other.
#[inline(always)]
pub(super) fn broken_alone(s: Avx512, w: Window<Bytes>) -> Bytes {
    let [first, second, third] = w.before;
    let lead = lead(first);
    let due = lead | second.saturating_sub(s.splat(0xE0 - 0x80)) | third.saturating_sub(s.splat(0xF0 - 0x80));
    let is = w.at & ((w.at + w.at) ^ s.splat(0xFF));
    (lead & Additions::new(s).shifted(w)) | (due ^ is)
}

/// The longest text for [`is_medium_well_formed`]: in a longer text, an error should be found before everything is read.
pub(super) const MEDIUM: usize = 384;

/// If these are subtracted, the last three bytes have the highest bit where a sequence goes on behind the vector.
const ENDS: [u8; 64] = {
    let mut ends = [0xFF; 64];
    (ends[61], ends[62], ends[63]) = (0xF0 - 0x80, 0xE0 - 0x80, 0xC0 - 0x80);
    ends
};

/// See [`Vector::is_medium_well_formed`]. The last vector overlaps the one before it.
#[inline(always)]
pub(super) fn is_medium_well_formed(s: Avx512, text: &[u8]) -> bool {
    let end = text.len() - 64;
    let (first, last) = (s.load(text, 0), s.load(text, end));
    let mut any = first | last;
    // These slices need no check that could fail: a function that can panic needs a stack frame.
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
