//! Helpers for the operations of AVX-512.

use core::arch::x86_64::*;
use core::mem::MaybeUninit;

use super::orders::{EACH, IN_ORDER};
use super::{Avx512, Bytes};
use crate::vector::Vector as _;
use crate::vector::lesser;

/// How many bytes the lower half of the lanes takes, if the lanes in `two` take two.
#[inline(always)]
pub(super) fn lower_half(two: u64) -> usize {
    32 + (two as u32).count_ones() as usize
}

/// The smallest page size.
const PAGE: usize = 4096;

/// Whether a vector load could reach into the next page. If that page is not mapped, a masked load does not fault, but takes some
/// hundred cycles.
#[inline(always)]
pub(super) fn is_slow_to_load(text: &[u8]) -> bool {
    text.as_ptr().addr() % PAGE > PAGE - 64
}

/// Loads at most sixty-four bytes with a load that ends where they end; zeros follow them.
#[cold]
#[inline(never)]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,bmi2")]
fn load_before(text: &[u8]) -> Bytes {
    let (len, missing) = (text.len().min(64), 64 - text.len().min(64));
    // SAFETY: lanes outside the mask are not read, and the others are those of `text`.
    let v = unsafe { _mm512_maskz_loadu_epi8(!0 << missing, text.as_ptr().wrapping_sub(missing).cast()) };
    // SAFETY: the table has sixty-four bytes.
    let each = unsafe { _mm512_loadu_si512(EACH.as_ptr().cast()) };
    let order = _mm512_add_epi8(each, _mm512_set1_epi8(missing as i8));
    // Only six bits of an index count; lanes behind the end are masked out.
    Bytes(_mm512_maskz_permutexvar_epi8(_bzhi_u64(!0, len as u32), order, v))
}

impl Avx512 {
    /// See [`Vector::load_text`](crate::vector::Vector::load_text).
    #[inline(always)]
    pub(super) fn load_anywhere(self, text: &[u8]) -> Bytes {
        match text {
            [] => self.splat(0),
            // SAFETY: `self` is the witness.
            _ if is_slow_to_load(text) => unsafe { load_before(text) },
            _ => self.load_part(text),
        }
    }

    ops! {
        /// The lanes whose bits are set, in order, then zeros. In registers this is far cheaper than straight to memory.
        pub(super) fn compress(self, v: Bytes, lanes: u64) -> Bytes = Bytes(_mm512_maskz_compress_epi8(lanes, v.0));
        /// For each lane, the one of 128 lanes whose number is in `order`.
        pub(super) fn choose(self, [a, b]: [Bytes; 2], order: Bytes) -> Bytes =
            Bytes(_mm512_permutex2var_epi8(a.0, order.0, b.0));
        /// Like `choose`, in the lanes whose bits are set; zeros in the others.
        pub(super) fn choose_in(self, lanes: u64, [a, b]: [Bytes; 2], order: Bytes) -> Bytes =
            Bytes(_mm512_maskz_permutex2var_epi8(lanes, a.0, order.0, b.0));
        /// Like `choose`, with two lanes at a time.
        pub(super) fn choose_pairs(self, [a, b]: [Bytes; 2], order: Bytes) -> Bytes =
            Bytes(_mm512_permutex2var_epi16(a.0, order.0, b.0));
        /// In the first of each four lanes, the lane whose number is in `order`; zeros in the others.
        pub(super) fn first_of_four(self, v: Bytes, order: Bytes) -> Bytes =
            Bytes(_mm512_maskz_permutexvar_epi8(0x1111_1111_1111_1111, order.0, v.0));
        /// The same four bytes, or the same eight, at all places.
        pub(super) fn splat_quad(self, quad: u32) -> Bytes = Bytes(_mm512_set1_epi32(quad as i32));
        pub(super) fn splat_eight(self, eight: u64) -> Bytes = Bytes(_mm512_set1_epi64(eight as i64));
        /// The lower bits of `bits`, one after the other, at the places that are set in `places`.
        pub(super) fn spread(self, bits: u64, places: u64) -> u64 = _pdep_u64(bits, places);
    }

    /// One or two bytes for each lane, in the lower or the upper half of the lanes.
    #[inline(always)]
    pub(super) fn half_of_one_or_two(self, pair: [Bytes; 2], two: u64, half: usize) -> Bytes {
        let both = self.choose(pair, self.load(&IN_ORDER[half], 0));
        self.compress(both, !self.spread(!two >> (32 * half), 0x5555_5555_5555_5555))
    }

    /// The bytes from `at` on, at most a vector, then zeros.
    #[inline(always)]
    pub(super) fn load_from(self, bytes: &[u8], at: usize) -> Bytes {
        // The address is never behind the end: memory there may not be mapped, and a CPU takes long to find that out.
        self.load_part(&bytes[lesser(at, bytes.len())..])
    }

    /// Stores as many bytes of a vector as there is room for from `at` on.
    #[inline(always)]
    pub(super) fn store_within(self, v: Bytes, out: &mut [MaybeUninit<u8>], at: usize) {
        match out.get_mut(at..) {
            Some(out) if out.len() >= 64 => self.store(v, out, 0),
            Some(out) if !out.is_empty() => {
                // SAFETY: the mask includes as many lanes as `out` has bytes, which are less than 64; `self` is the witness.
                unsafe {
                    let mask = _bzhi_u64(!0, out.len() as u32);
                    _mm512_mask_storeu_epi8(out.as_mut_ptr().cast(), mask, v.0);
                }
            }
            _ => {}
        }
    }

    /// Stores half a vector from `at` on.
    #[inline(always)]
    pub(super) fn store_half(self, v: Bytes, out: &mut [MaybeUninit<u8>], at: usize) {
        let out = &mut out[at..at + 32];
        // SAFETY: `out` has thirty-two bytes after the slicing above; `self` is the witness.
        unsafe { _mm256_storeu_si256(out.as_mut_ptr().cast(), _mm512_castsi512_si256(v.0)) }
    }

    /// Stores two vectors, the second from `at` (at most 64) on, of which `n` bytes count in all. Returns `n` if there is room.
    #[inline(always)]
    pub(super) fn store_two(
        self,
        two: [Bytes; 2],
        at: usize,
        n: usize,
        out: &mut [MaybeUninit<u8>],
    ) -> Option<usize> {
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

    /// Writes the lanes whose bits are set, in order; needs a vector of room.
    #[inline(always)]
    pub(super) fn put(self, v: Bytes, lanes: u64, out: &mut [MaybeUninit<u8>], at: usize) {
        self.store(self.compress(v, lanes), out, at);
    }

    /// Like [`compress`](Self::compress), for two vectors.
    #[inline(always)]
    pub(super) fn compress_both(self, [a, b]: [Bytes; 2], lanes: u64) -> [Bytes; 2] {
        [self.compress(a, lanes), self.compress(b, lanes)]
    }
}

ops! {
    /// Two vectors of three-byte sequences as units; `tails` and `leads` are the shuffles for their tails and leads.
    pub(super) fn three_byte_run([first, rest]: [Bytes; 2], [tails, leads]: [Bytes; 2]) -> Option<Bytes> = {
        let tails = _mm512_permutex2var_epi8(first.0, tails.0, rest.0);
        let leads = _mm512_maskz_permutex2var_epi8(0xAAAA_AAAA_AAAA_AAAA, first.0, leads.0, rest.0);
        let bits = _mm512_and_si512(tails, _mm512_set1_epi8(0x3F));
        let lower = _mm512_maddubs_epi16(bits, _mm512_set1_epi16(0x4001));
        let units = _mm512_or_si512(lower, _mm512_slli_epi16::<4>(leads));
        // Check the marks of continuation bytes and lead bytes.
        let bad_tails =
            _mm512_andnot_si512(_mm512_set1_epi8(0x3F), _mm512_xor_si512(tails, _mm512_set1_epi8(-0x80)));
        let bad_leads = _mm512_and_si512(
            _mm512_xor_si512(leads, _mm512_set1_epi16(0xE000_u16 as i16)),
            _mm512_set1_epi16(0xF000_u16 as i16),
        );
        let bad = _mm512_or_si512(bad_tails, bad_leads);
        // Units below 800h would need only two bytes; D800 to DFFF are surrogates.
        let upper = _mm512_and_si512(units, _mm512_set1_epi16(0xF800_u16 as i16));
        let surrogates = _mm512_cmpeq_epi16_mask(upper, _mm512_set1_epi16(0xD800_u16 as i16));
        let bad = _mm512_test_epi16_mask(bad, bad) | _mm512_testn_epi16_mask(upper, upper) | surrogates;
        if bad == 0 { Some(Bytes(units)) } else { None }
    };
}
