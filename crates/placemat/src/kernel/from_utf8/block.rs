//! Converts one block, and checks whether it is well-formed.

#![forbid(unsafe_code)]

use core::mem::MaybeUninit;

use super::Outcome::{Broken, Done};
use super::{BLOCK, Class, Conversion, Outcome};
use crate::kernel::classify::Marks;
use crate::kernel::target::{self, Fours, Target};
use crate::kernel::utf8::{Grammar, LEAST_LEAD, Near, UpToTwo, Window};
use crate::vector::{Bytes, Lanes, Vector, steps};

impl<S: Vector> Conversion<'_, S> {
    /// Writes the units that end in a block. `text` has three more bytes before the block and one after it.
    #[inline(always)]
    pub(super) fn block<T: Target<S>>(
        &mut self,
        text: &[u8; 3 + BLOCK + 1],
        out: &mut [MaybeUninit<u8>],
    ) -> Outcome<usize> {
        let (last, next) = (text[2], text[3 + BLOCK]);
        let (mut continuations, mut high) = (0, self.s.splat(0));
        for lane in steps(0..BLOCK, S::LANES) {
            let bytes = self.s.load(text, 3 + lane);
            continuations |= bytes.less(self.s.splat(LEAST_LEAD)).bits() << lane;
            high = high.max(bytes);
        }
        let ends = !(continuations >> 1 | u64::from(next & 0xC0 == 0x80) << 63);
        let class = if high.at_least(self.s.splat(0xE0)).bits() == 0 {
            Class::Two
        } else if high.at_least(self.s.splat(0xF0)).bits() == 0 {
            Class::Three
        } else {
            Class::Four
        };
        // A sequence of the block before may end in this one.
        let all = if self.before > class { self.before } else { class };
        let block = match all {
            Class::Two => self.two::<T>(text, continuations, ends, last, out),
            Class::Three => self.lanes::<T, false>(text, ends, out),
            Class::Four => self.lanes::<T, true>(text, ends, out),
        };
        if let Done(_) = block {
            self.before = class;
        }
        block
    }

    /// Converts a block whose bytes are all below E0, so that a byte is a continuation if and only if a lead
    /// precedes it.
    #[inline(always)]
    fn two<T: Target<S>>(
        &self,
        text: &[u8; 3 + BLOCK + 1],
        continuations: u64,
        ends: u64,
        last: u8,
        out: &mut [MaybeUninit<u8>],
    ) -> Outcome<usize> {
        let s = self.s;
        let (mut seen, mut written) = (UpToTwo::new(s, s.splat(last)), 0);
        for lane in steps(0..BLOCK, S::LANES) {
            let w = Window::load(s, text, 3 + lane);
            if const { S::LANES < BLOCK } {
                seen = seen.with::<S, S::ConversionGrammar>(s, w.at, w.before[0]);
            }
            let lanes = ends >> lane & (!0 >> (64 - S::LANES));
            written += T::UNIT * T::put::<false>(s, target::two(s, w), lanes, out, written);
        }
        let is_broken = if const { S::LANES < BLOCK } {
            !seen.broken(s).is_zero()
        } else {
            // With one vector per block, masks are computed while the vector unit does other work.
            let bytes = s.load(text, 3);
            let (long, no_leads) = (bytes.high_bits(), bytes.less(s.splat(0xC2)).bits());
            // C0 and C1 are neither leads nor continuations.
            let after_leads = (long & !no_leads) << 1 | u64::from(last >= 0xC0);
            (no_leads ^ continuations) | (after_leads ^ continuations) | u64::from(last & 0xFE == 0xC0) != 0
        };
        if is_broken { Broken } else { Done(written) }
    }

    #[inline(always)]
    fn lanes<T: Target<S>, const SUPPLEMENTARY: bool>(
        &self,
        text: &[u8; 3 + BLOCK + 1],
        ends: u64,
        out: &mut [MaybeUninit<u8>],
    ) -> Outcome<usize> {
        let s = self.s;
        let (mut broken, mut written) = (s.splat(0), 0);
        for lane in steps(0..BLOCK, S::LANES) {
            let w = Window::load(s, text, 3 + lane);
            let (planes, also);
            if SUPPLEMENTARY {
                let fours = Fours::of(s, w);
                broken = self.grammar.broken(broken, w);
                planes = T::supplementary(s, w, fours);
                also = if T::PAIRS { fours.third.bits() } else { 0 };
            } else {
                broken = self.grammar.broken_basic(broken, w);
                (planes, also) = (target::basic(s, w), 0);
            }
            let lanes = (ends >> lane | also) & (!0 >> (64 - S::LANES));
            written += T::UNIT * T::put::<SUPPLEMENTARY>(s, planes, lanes, out, written);
        }
        if S::ConversionGrammar::is_clean(s, broken) { Done(written) } else { Broken }
    }
}

/// Converts a block with errors: U+FFFD for each maximal subpart. Returns how many bytes.
#[inline(always)]
pub(super) fn mended<S: Vector, T: Target<S>>(
    s: S,
    text: &Near,
    marks: &Marks,
    out: &mut [MaybeUninit<u8>],
) -> usize {
    let firsts = if T::PAIRS { marks.thirds } else { 0 };
    let mut written = 0;
    for lane in steps(0..BLOCK, S::LANES) {
        let fours = Fours { third: s.lanes(marks.thirds >> lane), fourth: s.lanes(marks.fourths >> lane) };
        let replace = s.lanes(marks.replace >> lane);
        let [low, high, upper] = T::supplementary(s, Window::load(s, text, 3 + lane), fours);
        let planes = [low.replace(replace, s.splat(0xFD)), high.replace(replace, s.splat(0xFF)), upper];
        let lanes = (marks.ends | marks.replace | firsts) >> lane & (!0 >> (64 - S::LANES));
        written += T::UNIT * T::put::<true>(s, planes, lanes, out, written);
    }
    written
}
