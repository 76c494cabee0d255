//! AVX-512 as Ice Lake and Zen 4 have it: with the byte permutations and byte compressions of VBMI and VBMI2.

mod bytes;
mod check;
mod grammar;
mod latin1;
mod ops;
mod orders;
mod pairs;
mod quads;
mod runs;
mod streams;
mod strings;
mod to_utf16;
mod to_utf32;
mod units;

use core::arch::x86_64::*;
use core::mem::MaybeUninit;

use self::bytes::{Bytes, Lanes};
use self::grammar::Additions;
use self::ops::{is_slow_to_load, lower_half, three_byte_run};
use self::orders::{APART, FOURFOLD, IN_ORDER, PAIRS_APART, PAIRS_IN_ORDER, QUARTERS, THREE_BYTE_RUN};
use self::pairs::Pairs;
use super::Unaligned;
use crate::vector::{Bytes as _, Vector, Window, lesser, shuffle};

witness! { Avx512: "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2,avx2,bmi1,bmi2,lzcnt,popcnt" }

impl Vector for Avx512 {
    entries! { "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2,avx2,bmi1,bmi2,lzcnt,popcnt" }
    const LANES: usize = 64;
    type Bytes = Bytes;
    type Grammar = Additions;
    type ConversionGrammar = Pairs;

    from_supplementary! {}

    ops! {
        fn splat(self, byte: u8) -> Bytes = Bytes(_mm512_set1_epi8(byte as i8));
    }

    #[inline(always)]
    fn tile(self, sixteen: &[u8; 16]) -> Bytes {
        // SAFETY: `sixteen` is sixteen bytes; `self` is the witness.
        Bytes(unsafe { _mm512_broadcast_i32x4((*sixteen.as_ptr().cast::<Unaligned<__m128i>>()).0) })
    }

    #[inline(always)]
    fn lanes(self, bits: u64) -> Lanes {
        Lanes(bits)
    }

    #[inline(always)]
    fn load(self, bytes: &[u8], at: usize) -> Bytes {
        let bytes = &bytes[at..at + 64];
        // SAFETY: `bytes` has sixty-four bytes after the slicing above; `self` is the witness.
        Bytes(unsafe { (*bytes.as_ptr().cast::<Unaligned<__m512i>>()).0 })
    }

    #[inline(always)]
    fn store(self, v: Bytes, out: &mut [MaybeUninit<u8>], at: usize) {
        let out = &mut out[at..at + 64];
        // SAFETY: `out` has sixty-four bytes after the slicing above; `self` is the witness.
        unsafe { (*out.as_mut_ptr().cast::<Unaligned<__m512i>>()).0 = v.0 }
    }

    #[inline(always)]
    fn copy_part(self, from: &[MaybeUninit<u8>; 256], to: &mut [MaybeUninit<u8>]) {
        let mut at = 0;
        while at < to.len() && at < from.len() {
            // SAFETY: the mask includes as many lanes as `to` has bytes from `at` on (at most 64), and other lanes are neither
            // read nor written; `self` is the witness.
            unsafe {
                let mask = _bzhi_u64(!0, lesser(to.len() - at, 64) as u32);
                let v = _mm512_maskz_loadu_epi8(mask, from.as_ptr().add(at).cast());
                _mm512_mask_storeu_epi8(to.as_mut_ptr().add(at).cast(), mask, v);
            }
            at += 64;
        }
    }

    #[inline(always)]
    fn is_well_formed(self, w: Window<Bytes>) -> bool {
        self.broken_lanes(w) == 0
    }

    #[inline(always)]
    fn broken_lanes(self, w: Window<Bytes>) -> u64 {
        grammar::broken_alone(self, w).high_bits()
    }

    const MEDIUM: usize = grammar::MEDIUM;

    #[inline(always)]
    fn is_medium_well_formed(self, text: &[u8]) -> bool {
        grammar::is_medium_well_formed(self, text)
    }

    #[inline(always)]
    fn is_short_utf16<const BIG: bool>(self, text: &[u8]) -> bool {
        check::is_short_utf16::<BIG>(self, text)
    }

    #[inline(always)]
    fn is_short_utf32<const BIG: bool>(self, text: &[u8]) -> bool {
        check::is_short_utf32::<BIG>(self, text)
    }

    const HAS_LOOKUP_SEVEN: bool = true;

    #[inline(always)]
    fn lookup_seven(self, bytes: Bytes, table: &[u8; 128]) -> Option<Bytes> {
        let [lower, upper] = [self.load(table, 0), self.load(table, 64)];
        Some(self.choose([lower, upper], bytes))
    }

    const HAS_THREE_BYTE_RUNS: bool = true;

    #[inline(always)]
    fn three_byte_run(self, text: &[u8]) -> Option<Bytes> {
        let text = &text[..96];
        let (first, rest) = (self.load(text, 0), self.load(text, 32));
        let [tails, leads] = [self.load(&THREE_BYTE_RUN[0], 0), self.load(&THREE_BYTE_RUN[1], 0)];
        three_byte_run([first, rest], [tails, leads])
    }

    #[inline(always)]
    fn put_bytes(self, bytes: Bytes, lanes: u64, out: &mut [MaybeUninit<u8>], at: usize) -> usize {
        self.put(bytes, lanes, out, at);
        lanes.count_ones() as usize
    }

    #[inline(always)]
    fn put_bytes_exactly(self, bytes: Bytes, lanes: u64, out: &mut [MaybeUninit<u8>]) -> Option<usize> {
        let n = lanes.count_ones() as usize;
        self.store_first(self.compress(bytes, lanes), n, out)?;
        Some(n)
    }

    #[inline(always)]
    fn store_first(self, bytes: Bytes, n: usize, out: &mut [MaybeUninit<u8>]) -> Option<()> {
        if out.len() < 64 && n > out.len() {
            return None;
        }
        self.store_within(bytes, out, 0);
        Some(())
    }

    #[inline(always)]
    fn put_pairs(self, pairs: [Bytes; 2], lanes: u64, out: &mut [MaybeUninit<u8>], at: usize) -> usize {
        let [lower, upper] = self.interleave(self.compress_both(pairs, lanes));
        self.store(lower, out, at);
        self.store(upper, out, at + 64);
        lanes.count_ones() as usize
    }

    #[inline(always)]
    fn put_quads(
        self,
        low: [Bytes; 2],
        high: Option<[Bytes; 2]>,
        lanes: u64,
        out: &mut [MaybeUninit<u8>],
        at: usize,
    ) -> usize {
        let n = lanes.count_ones() as usize;
        let low = self.compress_both(low, lanes);
        if let Some(high) = high {
            let (first, second) = (self.interleave(low), self.interleave(self.compress_both(high, lanes)));
            for half in 0..2 {
                if n > 32 * half {
                    let [lower, upper] = self.interleave_pairs([first[half], second[half]]);
                    self.store(lower, out, at + 128 * half);
                    self.store(upper, out, at + 128 * half + 64);
                }
            }
            return n;
        }
        for quarter in 0..4 {
            if quarter >= 2 && n <= 16 * quarter {
                break;
            }
            let quads = self.choose_in(0x3333_3333_3333_3333, low, self.load(&QUARTERS[quarter], 0));
            self.store(quads, out, at + 64 * quarter);
        }
        n
    }

    #[inline(always)]
    fn put_one_or_two(self, pair: [Bytes; 2], two: u64, out: &mut [MaybeUninit<u8>], at: usize) {
        self.store(self.half_of_one_or_two(pair, two, 0), out, at);
        self.store(self.half_of_one_or_two(pair, two, 1), out, at + lower_half(two));
    }

    #[inline(always)]
    fn put_sequences(self, planes: [Bytes; 4], longer: [u64; 3], out: &mut [MaybeUninit<u8>], at: usize) {
        let all = shuffle::in_fours(self, planes);
        let [two, three, four] = longer;
        let mut at = at;
        for i in 0..4 {
            let lanes = self.spread(two >> (16 * i), 0x4444_4444_4444_4444)
                | self.spread(three >> (16 * i), 0x2222_2222_2222_2222)
                | self.spread(four >> (16 * i), 0x1111_1111_1111_1111)
                | 0x8888_8888_8888_8888;
            self.put(all[i], lanes, out, at);
            at += lanes.count_ones() as usize;
        }
    }

    #[inline(always)]
    fn separate(self, two: [Bytes; 2]) -> [Bytes; 2] {
        let [lows, highs] = [self.load(&APART[0], 0), self.load(&APART[1], 0)];
        [self.choose(two, lows), self.choose(two, highs)]
    }

    #[inline(always)]
    fn separate_pairs(self, two: [Bytes; 2]) -> [Bytes; 2] {
        let [lows, highs] = [self.load(&PAIRS_APART[0], 0), self.load(&PAIRS_APART[1], 0)];
        [self.choose_pairs(two, lows), self.choose_pairs(two, highs)]
    }

    #[inline(always)]
    fn widen_fourfold(self, v: Bytes) -> [Bytes; 4] {
        let mut quarters = [v; 4];
        for i in 0..4 {
            quarters[i] = self.first_of_four(v, self.load(&FOURFOLD[i], 0));
        }
        quarters
    }

    ops! {
        fn widen(self, units: Bytes) -> [Bytes; 2] =
            [
                Bytes(_mm512_cvtepu16_epi32(_mm512_castsi512_si256(units.0))),
                Bytes(_mm512_cvtepu16_epi32(_mm512_extracti64x4_epi64::<1>(units.0))),
            ];
        fn widen_twofold(self, v: Bytes) -> [Bytes; 2] =
            [
                Bytes(_mm512_cvtepu8_epi16(_mm512_castsi512_si256(v.0))),
                Bytes(_mm512_cvtepu8_epi16(_mm512_extracti64x4_epi64::<1>(v.0))),
            ];
        fn narrow(self, [a, b]: [Bytes; 2]) -> Bytes = Bytes({
            let order = _mm512_setr_epi64(0, 2, 4, 6, 1, 3, 5, 7);
            _mm512_permutexvar_epi64(order, _mm512_packus_epi32(a.0, b.0))
        });
        fn narrow_units(self, [a, b]: [Bytes; 2]) -> Bytes = Bytes({
            let order = _mm512_setr_epi64(0, 2, 4, 6, 1, 3, 5, 7);
            _mm512_permutexvar_epi64(order, _mm512_packus_epi16(a.0, b.0))
        });
    }

    #[inline(always)]
    fn put_short(self, units: [Bytes; 2], out: &mut [MaybeUninit<u8>], at: usize) -> usize {
        units::put_short(self, units, out, at)
    }

    #[inline(always)]
    fn put_long(self, units: [Bytes; 2], _: bool, out: &mut [MaybeUninit<u8>], at: usize) -> Option<usize> {
        units::put_long(self, units, out, at)
    }

    #[inline(always)]
    fn interleave(self, pairs: [Bytes; 2]) -> [Bytes; 2] {
        let [lower, upper] = [self.load(&IN_ORDER[0], 0), self.load(&IN_ORDER[1], 0)];
        [self.choose(pairs, lower), self.choose(pairs, upper)]
    }

    #[inline(always)]
    fn interleave_pairs(self, quads: [Bytes; 2]) -> [Bytes; 2] {
        let [lower, upper] = [self.load(&PAIRS_IN_ORDER[0], 0), self.load(&PAIRS_IN_ORDER[1], 0)];
        [self.choose_pairs(quads, lower), self.choose_pairs(quads, upper)]
    }

    #[inline(always)]
    fn load_part(self, bytes: &[u8]) -> Bytes {
        // SAFETY: lanes outside the mask are not read, and the mask includes `len` lanes (at most 64); `self` is the witness.
        Bytes(unsafe {
            let mask = _bzhi_u64(!0, lesser(bytes.len(), 64) as u32);
            _mm512_maskz_loadu_epi8(mask, bytes.as_ptr().cast())
        })
    }

    #[inline(always)]
    fn is_slow_to_load(self, text: &[u8]) -> bool {
        is_slow_to_load(text)
    }

    #[inline(always)]
    fn load_text(self, text: &[u8]) -> Bytes {
        self.load_anywhere(text)
    }

    ops! {
        // Only six bits of an index count, and a tile contains the table four times.
        fn of_upper_half(self, bytes: Bytes, table: &[u8; 16]) -> Bytes =
            Bytes(_mm512_permutexvar_epi8(_mm512_srli_epi16::<4>(bytes.0), self.tile(table).0));
    }

    const MIXES: bool = true;

    const MIXES_QUADS: bool = true;

    #[inline(always)]
    fn quads_to_utf8(self, code_points: Bytes, out: &mut [MaybeUninit<u8>], at: usize) -> Option<usize> {
        quads::to_utf8(self, code_points, out, at)
    }

    #[inline(always)]
    fn few_latin1_to_utf8(self, bytes: Bytes, len: usize, out: &mut [MaybeUninit<u8>]) -> Option<usize> {
        latin1::few_to_utf8(self, bytes, len, out)
    }

    #[inline(always)]
    fn latin1_to_utf8<const LOOK: bool>(self, text: &[u8], out: &mut [MaybeUninit<u8>]) -> [usize; 2] {
        latin1::to_utf8::<LOOK>(self, text, out)
    }

    #[inline(always)]
    fn mixed_to_utf16(self, code_points: Bytes, out: &mut [MaybeUninit<u8>], at: usize) -> Option<usize> {
        quads::to_utf16(self, code_points, out, at)
    }

    #[inline(always)]
    fn mixed_to_utf32(
        self,
        units: Bytes,
        before: Bytes,
        out: &mut [MaybeUninit<u8>],
        at: usize,
    ) -> Option<usize> {
        quads::from_utf16(self, units, before, out, at)
    }

    #[inline(always)]
    fn mixed_to_utf8(
        self,
        units: Bytes,
        before: Bytes,
        out: &mut [MaybeUninit<u8>],
        at: usize,
    ) -> Option<usize> {
        units::to_utf8(self, units, before, out, at)
    }
}

supplementary! { _mm512_set1_epi32 _mm512_and_si512 _mm512_or_si512 _mm512_xor_si512 _mm512_add_epi32 _mm512_sub_epi32
_mm512_madd_epi16 _mm512_slli_epi32 _mm512_srli_epi32 _mm512_slli_epi16 _mm512_srli_epi16 }
