//! Units of UTF-16, each as one number, to UTF-8.

use core::arch::x86_64::*;
use core::hint::black_box;
use core::mem::MaybeUninit;

use super::{Avx512, Bytes};
use crate::vector::Vector as _;

#[inline(always)]
fn store<const PART: bool>(s: Avx512, v: Bytes, out: &mut [MaybeUninit<u8>], at: usize) {
    if PART { s.store_within(v, out, at) } else { s.store(v, out, at) }
}

/// The same four bytes at all places. `KEEP`: in a register, because the compiler might load it from memory. Then a loop that
/// stores is half as fast: a CPU may confuse the address with that of a recent store a multiple of 4096 bytes away, and wait.
#[inline(always)]
fn quad<const KEEP: bool>(s: Avx512, quad: u32) -> Bytes {
    s.splat_quad(if KEEP { black_box(quad) } else { quad })
}

/// Like [`quad`], for two bytes.
#[inline(always)]
fn pair<const KEEP: bool>(s: Avx512, pair: u16) -> Bytes {
    quad::<KEEP>(s, u32::from(pair) << 16 | u32::from(pair))
}

/// Constants for the last two bytes of units.
#[derive(Clone, Copy)]
struct Ends {
    least: Bytes,
    places: Bytes,
    bits: Bytes,
    marks: Bytes,
}

impl Ends {
    #[inline(always)]
    fn new<const KEEP: bool>(s: Avx512) -> Self {
        let places = 0x3036_2026_1016_0006;
        Ends {
            least: pair::<KEEP>(s, 0x80),
            // For each unit, the eight bits from bit 6 on, and the lowest eight bits.
            places: s.splat_eight(if KEEP { black_box(places) } else { places }),
            bits: pair::<KEEP>(s, 0x3F3F),
            marks: pair::<KEEP>(s, 0x80C0),
        }
    }
}

/// Writes units below 800h.
#[derive(Clone, Copy)]
pub(super) struct Short {
    ends: Ends,
    others: Bytes,
    lanes: Bytes,
}

impl Short {
    #[inline(always)]
    pub(super) fn new<const KEEP: bool>(s: Avx512) -> Self {
        // The bits from bit 6 on are 0 or 1 in ASCII.
        Short { ends: Ends::new::<KEEP>(s), others: pair::<KEEP>(s, 0xF800), lanes: pair::<KEEP>(s, 0x0002) }
    }

    #[inline(always)]
    pub(super) fn takes(&self, units: Bytes) -> bool {
        any_of(units, self.others) == 0
    }

    /// Writes these units. Returns the bytes written.
    #[inline(always)]
    pub(super) fn put<const PART: bool>(
        &self,
        s: Avx512,
        units: Bytes,
        out: &mut [MaybeUninit<u8>],
        at: usize,
    ) -> usize {
        let (bytes, n) = self.bytes(s, units);
        store::<PART>(s, bytes, out, at);
        n
    }

    /// The bytes that these units become, and their number.
    #[inline(always)]
    pub(super) fn bytes(&self, s: Avx512, units: Bytes) -> (Bytes, usize) {
        let (bytes, two) = ends(units, units, &self.ends);
        (s.compress(bytes, at_least(bytes, self.lanes)), 32 + two.count_ones() as usize)
    }
}

/// Writes units that are no surrogates.
#[derive(Clone, Copy)]
pub(super) struct Basic {
    ends: Ends,
    least: Bytes,
    less: Bytes,
    lead: Bytes,
    lanes: Bytes,
    kinds: Bytes,
    surrogates: Bytes,
}

impl Basic {
    #[inline(always)]
    pub(super) fn new<const KEEP: bool>(s: Avx512) -> Self {
        Basic {
            ends: Ends::new::<KEEP>(s),
            least: pair::<KEEP>(s, 0x800),
            less: pair::<KEEP>(s, 0x40),
            lead: pair::<KEEP>(s, 0xE0),
            lanes: quad::<KEEP>(s, 0x0002_0101),
            kinds: pair::<KEEP>(s, 0xF800),
            surrogates: pair::<KEEP>(s, 0xD800),
        }
    }

    #[inline(always)]
    pub(super) fn takes(&self, units: Bytes) -> bool {
        of_kind(units, self.kinds, self.surrogates) == 0
    }

    /// Writes these units. Returns the bytes written, and which units have three bytes.
    #[inline(always)]
    pub(super) fn put<const PART: bool>(
        &self,
        s: Avx512,
        units: Bytes,
        out: &mut [MaybeUninit<u8>],
        at: usize,
    ) -> (usize, __mmask32) {
        let (ends, two) = ends(units, units, &self.ends);
        let three = units_from(units, self.least);
        let sequences = [starts(units, three, self.lead), minus(ends, three, self.less)];
        (put_sequences::<PART>(s, sequences, [two, three], self.lanes, out, at), three)
    }
}

/// Writes units of all kinds.
#[derive(Clone, Copy)]
pub(super) struct Mixed {
    basic: Basic,
    kinds: Bytes,
    second: Bytes,
    plus: Bytes,
    one: Bytes,
    mark: Bytes,
    short: Bytes,
}

impl Mixed {
    #[inline(always)]
    pub(super) fn new<const KEEP: bool>(s: Avx512) -> Self {
        Mixed {
            basic: Basic::new::<KEEP>(s),
            kinds: pair::<KEEP>(s, 0xFC00),
            second: pair::<KEEP>(s, 0xDC00),
            plus: pair::<KEEP>(s, 0x2840),
            one: pair::<KEEP>(s, 0x400),
            mark: pair::<KEEP>(s, 0x70),
            short: pair::<KEEP>(s, 0x0002),
        }
    }

    /// Writes these units; `None` if a surrogate lacks its partner. `before` has the same text one unit earlier; `open` is 1 if
    /// its first unit is a high surrogate. Returns the bytes written, and which units are high surrogates and which have
    /// three bytes.
    #[inline(always)]
    pub(super) fn put<const PART: bool>(
        &self,
        s: Avx512,
        units: Bytes,
        (before, open): (Bytes, u32),
        out: &mut [MaybeUninit<u8>],
        at: usize,
    ) -> Option<(usize, [__mmask32; 2])> {
        let basic = &self.basic;
        let [is_first, is_second] = self.surrogates(units, open)?;
        let three = units_from(units, basic.least);
        let (ends, two) = self.ends(units, before, [is_first, is_second, three]);
        let three = three & !(is_first | is_second);
        let sequences = [starts(units, three, basic.lead), ends];
        Some((put_sequences::<PART>(s, sequences, [two, three], basic.lanes, out, at), [is_first, three]))
    }

    /// Like [`put`](Mixed::put), but `None` also if a unit becomes three bytes: each unit, also half a pair, becomes one or two.
    #[inline(always)]
    pub(super) fn put_without_three(
        &self,
        s: Avx512,
        units: Bytes,
        (before, open): (Bytes, u32),
        out: &mut [MaybeUninit<u8>],
        at: usize,
    ) -> Option<(usize, __mmask32)> {
        let [is_first, is_second] = self.surrogates(units, open)?;
        let three = units_from(units, self.basic.least);
        if three != is_first | is_second {
            return None;
        }
        let (ends, two) = self.ends(units, before, [is_first, is_second, three]);
        s.store(s.compress(ends, at_least(ends, self.short)), out, at);
        Some((32 + two.count_ones() as usize, is_first))
    }

    #[inline(always)]
    pub(super) fn has_pairs(&self, units: [Bytes; 2]) -> bool {
        let first = of_kind(units[0], self.basic.kinds, self.basic.surrogates);
        let second = of_kind(units[1], self.basic.kinds, self.basic.surrogates);
        first | second != 0
    }

    /// Masks of the high and the low surrogates, if all are in pairs.
    #[inline(always)]
    fn surrogates(&self, units: Bytes, open: u32) -> Option<[__mmask32; 2]> {
        let is_first = of_kind(units, self.kinds, self.basic.surrogates);
        let is_second = of_kind(units, self.kinds, self.second);
        (is_second == is_first << 1 | open).then_some([is_first, is_second])
    }

    /// The last two bytes of each unit; see [`ends`].
    #[inline(always)]
    fn ends(
        &self,
        units: Bytes,
        before: Bytes,
        [is_first, is_second, three]: [__mmask32; 3],
    ) -> (Bytes, __mmask32) {
        let basic = &self.basic;
        let (ends, two) = ends(halves(units, before, [is_first, is_second], self), units, &basic.ends);
        (plus(minus(ends, three, basic.less), is_first, self.mark), two)
    }
}

/// Writes units, given as their first byte and their last two, with masks of those that have two bytes or more, and three.
/// Returns the bytes written.
#[inline(always)]
fn put_sequences<const PART: bool>(
    s: Avx512,
    sequences: [Bytes; 2],
    [two, three]: [__mmask32; 2],
    lanes: Bytes,
    out: &mut [MaybeUninit<u8>],
    at: usize,
) -> usize {
    let [first, second] = s.interleave_pairs(sequences);
    // Not computed from the lanes, which are known later: a load may have to wait for the addresses of earlier stores.
    let n = at + 16 + ((two as u16).count_ones() + (three as u16).count_ones()) as usize;
    store::<PART>(s, s.compress(first, at_least(first, lanes)), out, at);
    store::<PART>(s, s.compress(second, at_least(second, lanes)), out, n);
    32 + (two.count_ones() + three.count_ones()) as usize
}

#[inline(always)]
pub(super) fn put_short(s: Avx512, units: [Bytes; 2], out: &mut [MaybeUninit<u8>], at: usize) -> usize {
    let short = Short::new::<false>(s);
    let n = short.put::<false>(s, units[0], out, at);
    n + short.put::<false>(s, units[1], out, at + n)
}

#[inline(always)]
pub(super) fn put_long(
    s: Avx512,
    units: [Bytes; 2],
    out: &mut [MaybeUninit<u8>],
    at: usize,
) -> Option<usize> {
    let basic = Basic::new::<false>(s);
    if !(basic.takes(units[0]) & basic.takes(units[1])) {
        return None;
    }
    let (n, _) = basic.put::<false>(s, units[0], out, at);
    let (more, _) = basic.put::<false>(s, units[1], out, at + n);
    Some(n + more)
}

#[inline(always)]
pub(super) fn to_utf8(
    s: Avx512,
    units: Bytes,
    before: Bytes,
    out: &mut [MaybeUninit<u8>],
    at: usize,
) -> Option<usize> {
    let open = u32::from(first_of(before) & 0xFC00 == 0xD800);
    let (n, _) = Mixed::new::<false>(s).put::<false>(s, units, (before, open), out, at)?;
    Some(n)
}

ops! {
    pub(super) fn is_ascii(units: Bytes) -> bool = not_ascii(units) == 0;
    pub(super) fn is_any_long(units: Bytes) -> bool = long(units) != 0;
    /// Masks of the units from 80h and from 800h on.
    pub(super) fn not_ascii(units: Bytes) -> __mmask32 =
        _mm512_test_epi16_mask(units.0, _mm512_set1_epi16(0xFF80_u16 as i16));
    pub(super) fn long(units: Bytes) -> __mmask32 =
        _mm512_test_epi16_mask(units.0, _mm512_set1_epi16(0xF800_u16 as i16));
    fn first_of(units: Bytes) -> u32 = _mm512_cvtsi512_si32(units.0) as u32;
    /// A mask of the units that have any of these bits.
    fn any_of(units: Bytes, bits: Bytes) -> __mmask32 = _mm512_test_epi16_mask(units.0, bits.0);
    /// A mask of the units that equal `kind` in these bits.
    fn of_kind(units: Bytes, bits: Bytes, kind: Bytes) -> __mmask32 =
        _mm512_cmpeq_epi16_mask(_mm512_and_si512(units.0, bits.0), kind.0);
    /// A mask of the units that are `least` or more.
    fn units_from(units: Bytes, least: Bytes) -> __mmask32 = _mm512_cmpge_epu16_mask(units.0, least.0);
    /// A mask of the bytes that are `least` or more.
    fn at_least(bytes: Bytes, least: Bytes) -> u64 = _mm512_cmpge_epu8_mask(bytes.0, least.0);
    /// The last two bytes of each unit, with the marks of two bytes if the unit is not ASCII; and a mask of those that are not
    /// ASCII. Of ASCII only the second byte is used.
    fn ends(bits: Bytes, units: Bytes, ends: &Ends) -> (Bytes, __mmask32) = {
        let two = units_from(units, ends.least);
        let bytes = _mm512_multishift_epi64_epi8(ends.places.0, bits.0);
        let bits = _mm512_and_si512(bytes, ends.bits.0);
        (Bytes(_mm512_mask_add_epi16(bytes, two, bits, ends.marks.0)), two)
    };
    /// The first byte of the units in `three`; zeros for the others.
    fn starts(units: Bytes, three: __mmask32, lead: Bytes) -> Bytes =
        Bytes(_mm512_maskz_add_epi16(three, _mm512_srli_epi16::<12>(units.0), lead.0));
    fn plus(units: Bytes, which: __mmask32, more: Bytes) -> Bytes =
        Bytes(_mm512_mask_add_epi16(units.0, which, units.0, more.0));
    fn minus(units: Bytes, which: __mmask32, less: Bytes) -> Bytes =
        Bytes(_mm512_mask_sub_epi16(units.0, which, units.0, less.0));
    /// Units; for surrogates, the twelve bits that they become, in the lowest bits.
    fn halves(units: Bytes, before: Bytes, [is_first, is_second]: [__mmask32; 2], mixed: &Mixed) -> Bytes = {
        // For a high surrogate, its ten bits plus 40h, without the last two. These two precede the ten bits of the low surrogate,
        // which has ones there; adding one more makes them zeros.
        let more = _mm512_add_epi16(units.0, mixed.plus.0);
        let left = _mm512_add_epi16(_mm512_slli_epi16::<10>(before.0), mixed.one.0);
        let bits = _mm512_mask_srli_epi16::<2>(units.0, is_first, more);
        Bytes(_mm512_mask_add_epi16(bits, is_second, units.0, left))
    };
    /// A mask of all surrogates.
    pub(super) fn lone_or_paired(units: Bytes) -> __mmask32 = {
        let kind = _mm512_and_si512(units.0, _mm512_set1_epi16(0xF800_u16 as i16));
        _mm512_cmpeq_epi16_mask(kind, _mm512_set1_epi16(0xD800_u16 as i16))
    };
    /// Masks of high and of low surrogates; `None` unless each low one, and no other unit, has a high one in `before`.
    pub(super) fn surrogates(units: Bytes, before: Bytes) -> Option<[__mmask32; 2]> = {
        let kinds = _mm512_set1_epi16(0xFC00_u16 as i16);
        let (first, second) = (_mm512_set1_epi16(0xD800_u16 as i16), _mm512_set1_epi16(0xDC00_u16 as i16));
        let kind = _mm512_and_si512(units.0, kinds);
        let is_second = _mm512_cmpeq_epi16_mask(kind, second);
        let follows = _mm512_cmpeq_epi16_mask(_mm512_and_si512(before.0, kinds), first);
        (is_second == follows).then_some([_mm512_cmpeq_epi16_mask(kind, first), is_second])
    };
}
