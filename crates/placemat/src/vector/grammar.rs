//! The grammar of UTF-8 as rules that are checked for every byte at once.
//!
//! Every rule about the first two bytes of a sequence is about three nibbles: the upper and the lower of the first byte, and the
//! upper of the second. There are eight rules, one per bit. Three tables of sixteen bytes have, for each nibble, the rules that
//! it may break; a rule is broken if all three agree (after Keiser and Lemire, "Validating UTF-8 in less than one instruction per
//! byte", 2020). A third or fourth byte is checked by the lead byte two or three bytes before it.

#![forbid(unsafe_code)]

use super::{Bytes, Vector};

/// A pair of bytes that is ill-formed, as sets of nibbles: bit `n` stands for the nibble `n`.
struct Rule {
    first_high: u16,
    first_low: u16,
    second_high: u16,
}

const fn nibbles(from: u16, to: u16) -> u16 {
    0xFFFF >> (15 - to) & 0xFFFF << from
}

const ANY: u16 = 0xFFFF;
const CONTINUATION: u16 = nibbles(0x8, 0xB);

const fn rule(first_high: u16, first_low: u16, second_high: u16) -> Rule {
    Rule { first_high, first_low, second_high }
}

/// Bit `n` of the tables is rule `n`.
const RULES: [Rule; 8] = [
    // A lead without a continuation.
    rule(nibbles(0xC, 0xF), ANY, !CONTINUATION),
    // A continuation after ASCII.
    rule(nibbles(0x0, 0x7), ANY, CONTINUATION),
    // Overlong: C0 and C1; E0 80..9F.
    rule(nibbles(0xC, 0xC), nibbles(0, 1), CONTINUATION),
    rule(nibbles(0xE, 0xE), nibbles(0, 0), nibbles(0x8, 0x9)),
    // Surrogates: ED A0..BF.
    rule(nibbles(0xE, 0xE), nibbles(0xD, 0xD), nibbles(0xA, 0xB)),
    // Too large: F4..FF before 90..BF. Overlong or too large: F0 and F5..FF before 80..8F.
    rule(nibbles(0xF, 0xF), nibbles(0x4, 0xF), nibbles(0x9, 0xB)),
    rule(nibbles(0xF, 0xF), nibbles(0x0, 0x0) | nibbles(0x5, 0xF), nibbles(0x8, 0x8)),
    // Two continuations: ill-formed unless the second is the third or fourth byte of its sequence. Must be the highest bit.
    rule(CONTINUATION, ANY, CONTINUATION),
];

/// The rules that forbid some continuations after F0 to FF. If they ignore the lower nibble, they forbid all.
const AFTER_FOURS: [usize; 2] = [5, 6];

pub(super) const FIRST_HIGH: [u8; 16] = table(0, false);
pub(super) const FIRST_LOW: [u8; 16] = table(1, false);
pub(super) const SECOND_HIGH: [u8; 16] = table(2, false);
/// [`FIRST_LOW`] with rules under which nothing may follow F0 to FF.
pub(super) const FIRST_LOW_BASIC: [u8; 16] = table(1, true);

const fn table(which: usize, basic: bool) -> [u8; 16] {
    let mut table = [0; 16];
    let mut bit = 0;
    while bit < 8 {
        let Rule { first_high, mut first_low, second_high } = RULES[bit];
        if basic && (bit == AFTER_FOURS[0] || bit == AFTER_FOURS[1]) {
            first_low = ANY;
        }
        let set = [first_high, first_low, second_high][which];
        let mut nibble = 0;
        while nibble < 16 {
            table[nibble] |= ((set >> nibble & 1) as u8) << bit;
            nibble += 1;
        }
        bit += 1;
    }
    table
}

/// Four vectors of the same text: each byte, and the one, two and three before it.
#[derive(Clone, Copy)]
pub(crate) struct Window<B> {
    pub(crate) at: B,
    pub(crate) before: [B; 3],
}

impl<B: Bytes> Window<B> {
    /// The lanes from `at` on, with at least three bytes before them. Overlapping loads are cheaper than moving lanes.
    #[inline(always)]
    pub(crate) fn load<S: Vector<Bytes = B>>(s: S, text: &[u8], at: usize) -> Self {
        // One check for all four loads.
        let text = &text[at - 3..at + S::LANES];
        let before = [s.load(text, 2), s.load(text, 1), s.load(text, 0)];
        Window { at: s.load(text, 3), before }
    }

    /// The lanes from `at` on, for any `at`. In a text shorter than a vector, `at` is 0, and zeros follow the text.
    #[inline(always)]
    pub(crate) fn load_any<S: Vector<Bytes = B>>(s: S, text: &[u8], at: usize) -> Self {
        match at {
            _ if text.len() < S::LANES => Window::first(s.load_text(text)),
            0 => Window::first(s.load(text, 0)),
            1 | 2 => Window::load_short(s, text, at),
            _ => Window::load(s, text, at),
        }
    }

    /// The lanes from `at` on, with one or two bytes before them.
    #[inline(always)]
    fn load_short<S: Vector<Bytes = B>>(s: S, text: &[u8], at: usize) -> Self {
        let first = s.load(text, 0);
        let two = if at == 1 { first.delayed::<1>() } else { first };
        let three = if at == 1 { first.delayed::<2>() } else { first.delayed::<1>() };
        Window { at: s.load(text, at), before: [s.load(text, at - 1), two, three] }
    }

    /// The lanes from `at` on, with at least three bytes before them; zeros follow the end of the text, which is near.
    #[inline(always)]
    pub(crate) fn load_part<S: Vector<Bytes = B>>(s: S, text: &[u8], at: usize) -> Self {
        let before =
            [s.load_part(&text[at - 1..]), s.load_part(&text[at - 2..]), s.load_part(&text[at - 3..])];
        Window { at: s.load_part(&text[at..]), before }
    }

    /// The first lanes of a text.
    #[inline(always)]
    pub(crate) fn first(at: B) -> Self {
        Window { at, before: [at.delayed::<1>(), at.delayed::<2>(), at.delayed::<3>()] }
    }
}

/// The rules in registers, in the representation that suits the instructions.
pub(crate) trait Grammar<S: Vector>: Copy {
    fn new(s: S) -> Self;
    /// Rules under which all characters from U+10000 on are ill-formed.
    fn basic(s: S) -> Self;
    /// Returns `broken` with the lanes added where a byte cannot follow the bytes before it; see [`Grammar::errors`]. A sequence
    /// that the end of the text cuts off is not detected.
    fn broken(&self, broken: S::Bytes, w: Window<S::Bytes>) -> S::Bytes;
    /// Like [`Grammar::broken`], if neither these lanes nor the three before them have a byte from F0 on. Or with the rules of
    /// [`Grammar::basic`], which forbid these bytes: then the lane behind such a byte is added.
    fn broken_basic(&self, broken: S::Bytes, w: Window<S::Bytes>) -> S::Bytes;
    /// The highest bit is set where a byte is a continuation but does not follow a lead byte, or the other way round.
    #[inline(always)]
    fn unequal(s: S, bytes: S::Bytes, before: S::Bytes) -> S::Bytes {
        let is_after_lead = before.saturating_sub(s.splat(0xC0 - 0x80));
        is_after_lead.with_high_bit_flipped(bytes.less(s.splat(0xC0)))
    }
    /// The lanes that were added are not zero.
    #[inline(always)]
    fn errors(_s: S, broken: S::Bytes) -> S::Bytes {
        broken
    }
    /// Whether no lane was added.
    #[inline(always)]
    fn is_clean(s: S, broken: S::Bytes) -> bool {
        Self::errors(s, broken).is_zero()
    }
}

/// The three tables of nibbles.
#[derive(Clone, Copy)]
pub(crate) struct Nibbles<S: Vector> {
    first_high: S::Bytes,
    first_low: S::Bytes,
    second_high: S::Bytes,
    low: S::Bytes,
    third: S::Bytes,
    fourth: S::Bytes,
    high: S::Bytes,
}

impl<S: Vector> Grammar<S> for Nibbles<S> {
    #[inline(always)]
    fn new(s: S) -> Self {
        Nibbles::with(s, &FIRST_LOW)
    }

    #[inline(always)]
    fn basic(s: S) -> Self {
        Nibbles::with(s, &FIRST_LOW_BASIC)
    }

    #[inline(always)]
    fn broken(&self, broken: S::Bytes, w: Window<S::Bytes>) -> S::Bytes {
        let [_, second, third] = w.before;
        let expected = second.saturating_sub(self.third) | third.saturating_sub(self.fourth);
        broken | ((expected & self.high) ^ self.pair(w))
    }

    #[inline(always)]
    fn broken_basic(&self, broken: S::Bytes, w: Window<S::Bytes>) -> S::Bytes {
        broken | ((w.before[1].saturating_sub(self.third) & self.high) ^ self.pair(w))
    }
}

impl<S: Vector> Nibbles<S> {
    #[inline(always)]
    fn with(s: S, first_low: &[u8; 16]) -> Self {
        Nibbles {
            first_high: s.tile(&FIRST_HIGH),
            first_low: s.tile(first_low),
            second_high: s.tile(&SECOND_HIGH),
            low: s.splat(0x0F),
            third: s.splat(0xE0 - 0x80),
            fourth: s.splat(0xF0 - 0x80),
            high: s.splat(0x80),
        }
    }

    /// The rules that each byte and the byte before it break together.
    #[inline(always)]
    fn pair(&self, w: Window<S::Bytes>) -> S::Bytes {
        let first = w.before[0];
        (first.shr::<4>() & self.low).lookup(self.first_high)
            & (first & self.low).lookup(self.first_low)
            & (w.at.shr::<4>() & self.low).lookup(self.second_high)
    }
}

/// The highest bit is set if `byte` is a continuation byte. `before`, the byte before it, is ASCII. Without comparisons, because
/// the compiler makes branches of these, which would be mispredicted.
#[inline(always)]
pub(crate) fn lone(before: u8, byte: u8) -> u8 {
    !before & byte & !(byte << 1)
}

/// How many bytes at the end of `text` begin a sequence that is not finished (0 to 3), if everything before it is well-formed.
#[inline(always)]
pub(crate) fn unfinished(text: &[u8]) -> usize {
    match *text {
        [.., last] if last >= 0xC0 => 1,
        [.., last, _] if last >= 0xE0 => 2,
        [.., last, _, _] if last >= 0xF0 => 3,
        _ => 0,
    }
}
