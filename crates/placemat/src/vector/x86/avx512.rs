//! AVX-512 as Ice Lake and Zen 4 have it: with the byte permutations and byte compressions of VBMI and VBMI2.

mod bytes;
mod grammar;
mod latin1;
mod orders;
mod runs;
mod strings;
mod to_utf16;
mod to_utf32;
mod units;

use core::arch::x86_64::*;
use core::mem::MaybeUninit;

use self::bytes::{Bytes, Lanes};
use self::grammar::Pairs;
use self::orders::{APART, EACH, FOURFOLD, IN_ORDER, PAIRS_APART, PAIRS_IN_ORDER, QUARTERS, THREE_BYTE_RUN};
use crate::vector::{Bytes as _, Kinds, Met, Vector};
use crate::vector::{Window, shuffle};

witness! { Avx512: "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2,avx2,bmi1,bmi2,lzcnt,popcnt" }

impl Vector for Avx512 {
    entries! { "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2,avx2,bmi1,bmi2,lzcnt,popcnt" }
    const LANES: usize = 64;
    type Bytes = Bytes;
    type Grammar = Pairs;

    from_supplementary! {}

    ops! {
        fn splat(self, byte: u8) -> Bytes = Bytes(_mm512_set1_epi8(byte as i8));
    }

    #[inline(always)]
    fn tile(self, sixteen: &[u8; 16]) -> Bytes {
        // SAFETY: `sixteen` is sixteen bytes; `self` is the witness.
        Bytes(unsafe { _mm512_broadcast_i32x4(_mm_loadu_si128(sixteen.as_ptr().cast())) })
    }

    #[inline(always)]
    fn lanes(self, bits: u64) -> Lanes {
        Lanes(bits)
    }

    #[inline(always)]
    fn load(self, bytes: &[u8], at: usize) -> Bytes {
        let bytes = &bytes[at..at + 64];
        // SAFETY: sixty-four bytes are here, as the line above saw; `self` is the witness.
        Bytes(unsafe { _mm512_loadu_si512(bytes.as_ptr().cast()) })
    }

    #[inline(always)]
    fn store(self, v: Bytes, out: &mut [MaybeUninit<u8>], at: usize) {
        let out = &mut out[at..at + 64];
        // SAFETY: sixty-four bytes are here, as the line above saw; `self` is the witness.
        unsafe { _mm512_storeu_si512(out.as_mut_ptr().cast(), v.0) }
    }

    #[inline(always)]
    fn copy_part(self, from: &[MaybeUninit<u8>; 256], to: &mut [MaybeUninit<u8>]) {
        let mut at = 0;
        while at < to.len() && at < from.len() {
            // SAFETY: the mask leaves in as many lanes as `to` has bytes from `at` on (all from 64 on), and what it leaves out
            // is neither read nor written; `self` is the witness.
            unsafe {
                let mask = _bzhi_u64(!0, (to.len() - at).min(64) as u32);
                let v = _mm512_maskz_loadu_epi8(mask, from.as_ptr().add(at).cast());
                _mm512_mask_storeu_epi8(to.as_mut_ptr().add(at).cast(), mask, v);
            }
            at += 64;
        }
    }

    #[inline(always)]
    fn is_well_formed(self, w: Window<Bytes>) -> bool {
        grammar::is_well_formed(self, w)
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
    fn put_pairs(self, [low, high]: [Bytes; 2], lanes: u64, out: &mut [MaybeUninit<u8>], at: usize) -> usize {
        let [lower, upper] = self.interleave([self.compress(low, lanes), self.compress(high, lanes)]);
        self.store(lower, out, at);
        self.store(upper, out, at + 64);
        lanes.count_ones() as usize
    }

    #[inline(always)]
    fn put_quads(
        self,
        pairs: [Option<[Bytes; 2]>; 2],
        lanes: u64,
        out: &mut [MaybeUninit<u8>],
        at: usize,
    ) -> usize {
        let n = lanes.count_ones() as usize;
        let ([Some(pair), None] | [None, Some(pair)]) = pairs else {
            let (first, second) = (self.packed(pairs[0], lanes), self.packed(pairs[1], lanes));
            for half in 0..2 {
                if n > 32 * half {
                    let [lower, upper] = self.interleave_pairs([first[half], second[half]]);
                    self.store(lower, out, at + 128 * half);
                    self.store(upper, out, at + 128 * half + 64);
                }
            }
            return n;
        };
        let places = if pairs[0].is_some() { 0x3333_3333_3333_3333 } else { 0xCCCC_CCCC_CCCC_CCCC };
        let pair = [self.compress(pair[0], lanes), self.compress(pair[1], lanes)];
        for quarter in 0..4 {
            if quarter >= 2 && n <= 16 * quarter {
                break;
            }
            let quads = self.choose_in(places, pair, self.load(&QUARTERS[quarter], 0));
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
    fn put_one_or_two_exactly(
        self,
        pair: [Bytes; 2],
        two: u64,
        n: usize,
        out: &mut [MaybeUninit<u8>],
    ) -> Option<()> {
        if out.len() < 128 && n > out.len() {
            return None;
        }
        self.store_within(self.half_of_one_or_two(pair, two, 0), out, 0);
        // Texts of at most half a vector are many.
        let at = lower_half(two);
        if at < n {
            self.store_within(self.half_of_one_or_two(pair, two, 1), out, at);
        }
        Some(())
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
        // SAFETY: lanes that the mask leaves out are not read, and `_bzhi_u64` leaves `len` of them in (all from 64 on);
        // `self` is the witness.
        Bytes(unsafe {
            let mask = _bzhi_u64(!0, bytes.len().min(64) as u32);
            _mm512_maskz_loadu_epi8(mask, bytes.as_ptr().cast())
        })
    }

    #[inline(always)]
    fn load_text(self, text: &[u8]) -> Bytes {
        // Where the next page is not there, a load that reaches into it does not fault, but takes some hundred cycles.
        if text.is_empty() {
            return self.splat(0);
        }
        if text.as_ptr().addr() % PAGE > PAGE - 64 {
            // SAFETY: `self` is the witness.
            return unsafe { load_before(text) };
        }
        self.load_part(text)
    }

    ops! {
        // Of an index, six bits count, and a tile is the same four times.
        fn of_upper_half(self, bytes: Bytes, table: &[u8; 16]) -> Bytes =
            Bytes(_mm512_permutexvar_epi8(_mm512_srli_epi16::<4>(bytes.0), self.tile(table).0));
    }

    const MIXES: bool = true;

    const STEPS: bool = true;

    #[inline(always)]
    fn plain_to_utf32(self, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> [usize; 2] {
        to_utf32::plain(self, src, dst)
    }

    #[inline(always)]
    fn all_to_utf32(self, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> [usize; 2] {
        to_utf32::all(self, src, dst)
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
    fn latin1_to_utf8<const LOOK: bool>(self, text: &[u8], out: &mut [MaybeUninit<u8>]) -> usize {
        latin1::to_utf8::<LOOK>(self, text, out)
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

    #[inline(always)]
    fn mixed_to_utf16(self, code_points: Bytes, out: &mut [MaybeUninit<u8>], at: usize) -> Option<usize> {
        units::to_utf16(self, code_points, out, at)
    }

    #[inline(always)]
    fn mixed_to_utf32(
        self,
        units: Bytes,
        before: Bytes,
        out: &mut [MaybeUninit<u8>],
        at: usize,
    ) -> Option<usize> {
        units::to_utf32(self, units, before, out, at)
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

/// How many bytes the lower half of the lanes take, of which some take two.
#[inline(always)]
fn lower_half(two: u64) -> usize {
    32 + (two as u32).count_ones() as usize
}

/// The smallest page there is.
const PAGE: usize = 4096;

/// At most sixty-four bytes, by a load that ends where they do, and zeros after them.
#[cold]
#[inline(never)]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,bmi2")]
fn load_before(text: &[u8]) -> Bytes {
    let (len, missing) = (text.len().min(64), 64 - text.len().min(64));
    // SAFETY: lanes that the mask leaves out are not read, and the others are those of `text`.
    let v = unsafe { _mm512_maskz_loadu_epi8(!0 << missing, text.as_ptr().wrapping_sub(missing).cast()) };
    // SAFETY: it is sixty-four bytes.
    let each = unsafe { _mm512_loadu_si512(EACH.as_ptr().cast()) };
    let order = _mm512_add_epi8(each, _mm512_set1_epi8(missing as i8));
    // Of an index, six bits count; what is behind the end is masked out.
    Bytes(_mm512_maskz_permutexvar_epi8(_bzhi_u64(!0, len as u32), order, v))
}

impl Avx512 {
    ops! {
        /// The lanes whose bits are set, in order, and zeros. In registers it is far cheaper than straight to memory.
        fn compress(self, v: Bytes, lanes: u64) -> Bytes = Bytes(_mm512_maskz_compress_epi8(lanes, v.0));
        /// For each lane, the one of 128 that `order` numbers.
        fn choose(self, [a, b]: [Bytes; 2], order: Bytes) -> Bytes =
            Bytes(_mm512_permutex2var_epi8(a.0, order.0, b.0));
        /// The same in the lanes whose bits are set, and zeros.
        fn choose_in(self, lanes: u64, [a, b]: [Bytes; 2], order: Bytes) -> Bytes =
            Bytes(_mm512_maskz_permutex2var_epi8(lanes, a.0, order.0, b.0));
        /// The same with two lanes at a time.
        fn choose_pairs(self, [a, b]: [Bytes; 2], order: Bytes) -> Bytes =
            Bytes(_mm512_permutex2var_epi16(a.0, order.0, b.0));
        /// In the first of each four lanes, the lane that `order` numbers there, and zeros.
        fn first_of_four(self, v: Bytes, order: Bytes) -> Bytes =
            Bytes(_mm512_maskz_permutexvar_epi8(0x1111_1111_1111_1111, order.0, v.0));
        /// The same four bytes, and the same eight, in all places.
        fn splat_quad(self, quad: u32) -> Bytes = Bytes(_mm512_set1_epi32(quad as i32));
        fn splat_eight(self, eight: u64) -> Bytes = Bytes(_mm512_set1_epi64(eight as i64));
        /// The lower bits, one after the other, at the places that are set.
        fn spread(self, bits: u64, places: u64) -> u64 = _pdep_u64(bits, places);
    }

    /// Of one or two bytes for each lane, those of the lower or the upper half of them.
    #[inline(always)]
    fn half_of_one_or_two(self, pair: [Bytes; 2], two: u64, half: usize) -> Bytes {
        let both = self.choose(pair, self.load(&IN_ORDER[half], 0));
        self.compress(both, !self.spread(!two >> (32 * half), 0x5555_5555_5555_5555))
    }

    /// What there is of a vector from `at` on, and zeros.
    #[inline(always)]
    fn load_from(self, bytes: &[u8], at: usize) -> Bytes {
        // Never from behind the end, where memory may not be mapped, and a CPU takes long to find that.
        self.load_part(&bytes[at.min(bytes.len())..])
    }

    /// Store as many bytes of a vector as there is room for from `at` on.
    #[inline(always)]
    fn store_within(self, v: Bytes, out: &mut [MaybeUninit<u8>], at: usize) {
        match out.get_mut(at..) {
            Some(out) if out.len() >= 64 => self.store(v, out, 0),
            Some(out) if !out.is_empty() => {
                // SAFETY: the mask leaves in as many lanes as `out` has bytes, which are less than 64; `self` is the witness.
                unsafe {
                    let mask = _bzhi_u64(!0, out.len() as u32);
                    _mm512_mask_storeu_epi8(out.as_mut_ptr().cast(), mask, v.0);
                }
            }
            _ => {}
        }
    }

    /// Half a vector, from `at` on.
    #[inline(always)]
    fn store_half(self, v: Bytes, out: &mut [MaybeUninit<u8>], at: usize) {
        let out = &mut out[at..at + 32];
        // SAFETY: thirty-two bytes are here, as the line above saw; `self` is the witness.
        unsafe { _mm256_storeu_si256(out.as_mut_ptr().cast(), _mm512_castsi512_si256(v.0)) }
    }

    /// Two vectors of which `n` bytes count, the second from `at` on, at most 64: how many, if there is room.
    #[inline(always)]
    fn store_two(self, two: [Bytes; 2], at: usize, n: usize, out: &mut [MaybeUninit<u8>]) -> Option<usize> {
        if out.len() >= 128 {
            self.store(two[0], out, 0);
            self.store(two[1], out, at);
        } else if n <= out.len() {
            self.store_within(two[0], out, 0);
            self.store_within(two[1], out, at);
        } else {
            return None;
        }
        Some(n)
    }

    /// Write the lanes given, in order; takes a vector of room.
    #[inline(always)]
    fn put(self, v: Bytes, lanes: u64, out: &mut [MaybeUninit<u8>], at: usize) {
        self.store(self.compress(v, lanes), out, at);
    }

    /// The lanes given of two vectors, as pairs.
    #[inline(always)]
    fn packed(self, pair: Option<[Bytes; 2]>, lanes: u64) -> [Bytes; 2] {
        let Some([first, second]) = pair else { return [self.splat(0); 2] };
        self.interleave([self.compress(first, lanes), self.compress(second, lanes)])
    }
}

supplementary! { _mm512_set1_epi32 _mm512_and_si512 _mm512_or_si512 _mm512_xor_si512 _mm512_add_epi32 _mm512_sub_epi32
_mm512_madd_epi16 _mm512_slli_epi32 _mm512_srli_epi32 _mm512_slli_epi16 _mm512_srli_epi16 }

ops! {
    /// Two vectors of three-byte sequences as units, by what chooses their tails and their leads.
    fn three_byte_run([first, rest]: [Bytes; 2], [tails, leads]: [Bytes; 2]) -> Option<Bytes> = {
        let tails = _mm512_permutex2var_epi8(first.0, tails.0, rest.0);
        let leads = _mm512_maskz_permutex2var_epi8(0xAAAA_AAAA_AAAA_AAAA, first.0, leads.0, rest.0);
        let bits = _mm512_and_si512(tails, _mm512_set1_epi8(0x3F));
        let lower = _mm512_maddubs_epi16(bits, _mm512_set1_epi16(0x4001));
        let units = _mm512_or_si512(lower, _mm512_slli_epi16::<4>(leads));
        // Continuations and leads must be what they are.
        let bad_tails =
            _mm512_andnot_si512(_mm512_set1_epi8(0x3F), _mm512_xor_si512(tails, _mm512_set1_epi8(-0x80)));
        let bad_leads = _mm512_and_si512(
            _mm512_xor_si512(leads, _mm512_set1_epi16(0xE000_u16 as i16)),
            _mm512_set1_epi16(0xF000_u16 as i16),
        );
        let bad = _mm512_or_si512(bad_tails, bad_leads);
        // Below 800h two bytes would do; from D800 to DFFF are the surrogates.
        let upper = _mm512_and_si512(units, _mm512_set1_epi16(0xF800_u16 as i16));
        let surrogates = _mm512_cmpeq_epi16_mask(upper, _mm512_set1_epi16(0xD800_u16 as i16));
        let bad = _mm512_test_epi16_mask(bad, bad) | _mm512_testn_epi16_mask(upper, upper) | surrogates;
        if bad == 0 { Some(Bytes(units)) } else { None }
    };
}
