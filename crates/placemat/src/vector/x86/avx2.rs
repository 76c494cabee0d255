//! AVX2: Intel since Haswell (2013), AMD since Excavator and Zen.

mod bytes;
mod units;

use core::arch::x86_64::*;
use core::mem::MaybeUninit;

pub(crate) use self::bytes::{Bytes, Lanes};
use super::Unaligned;
use super::sse42::{self, BIT_OF_EACH};
use crate::vector::grammar::Nibbles;
use crate::vector::shuffle::{self, COMPRESS, put_pairs, put_quads};
use crate::vector::{self, Bytes as _, Streams, Vector};

witness! { Avx2: "avx2,bmi1,bmi2,lzcnt,popcnt" }

impl Streams for Avx2 {}

impl Vector for Avx2 {
    entries! { "avx2,bmi1,bmi2,lzcnt,popcnt" }
    const LANES: usize = 32;
    type Bytes = Bytes;
    type Grammar = Nibbles<Self>;
    type ConversionGrammar = Nibbles<Self>;

    from_supplementary! {}

    ops! {
        fn splat(self, byte: u8) -> Bytes = Bytes(_mm256_set1_epi8(byte as i8));
    }

    #[inline(always)]
    fn tile(self, sixteen: &[u8; 16]) -> Bytes {
        // SAFETY: `sixteen` is sixteen bytes; `self` is the witness.
        Bytes(unsafe { _mm256_broadcastsi128_si256((*sixteen.as_ptr().cast::<Unaligned<__m128i>>()).0) })
    }

    ops! {
        fn lanes(self, bits: u64) -> Lanes = Lanes({
            let each = [0, 0x0101_0101_0101_0101, 0x0202_0202_0202_0202, 0x0303_0303_0303_0303];
            let each = _mm256_set_epi64x(each[3], each[2], each[1], each[0]);
            let bytes = _mm256_shuffle_epi8(_mm256_set1_epi32(bits as i32), each);
            let bit = _mm256_set1_epi64x(BIT_OF_EACH);
            _mm256_cmpeq_epi8(_mm256_and_si256(bytes, bit), bit)
        });
    }

    #[inline(always)]
    fn load(self, bytes: &[u8], at: usize) -> Bytes {
        let bytes = &bytes[at..at + 32];
        // SAFETY: `bytes` has thirty-two bytes after the slicing above; `self` is the witness.
        Bytes(unsafe { (*bytes.as_ptr().cast::<Unaligned<__m256i>>()).0 })
    }

    #[inline(always)]
    fn store(self, v: Bytes, out: &mut [MaybeUninit<u8>], at: usize) {
        let out = &mut out[at..at + 32];
        // SAFETY: `out` has thirty-two bytes after the slicing above; `self` is the witness.
        unsafe { (*out.as_mut_ptr().cast::<Unaligned<__m256i>>()).0 = v.0 }
    }

    const HAS_THREE_BYTE_RUNS: bool = true;

    #[inline(always)]
    fn three_byte_run(self, text: &[u8]) -> Option<Bytes> {
        let at: *const __m128i = text[..48].as_ptr().cast();
        // SAFETY: sixteen bytes from 0, 8, 24 and 32 on are within the forty-eight of the slice above; `self` is the witness.
        unsafe {
            // Each half gets eight characters: the first five from one vector, the others from the other.
            let first = _mm256_loadu2_m128i(at.byte_add(24), at);
            let rest = _mm256_loadu2_m128i(at.byte_add(32), at.byte_add(8));
            let tails = _mm256_or_si256(
                _mm256_shuffle_epi8(first, _mm256_broadcastsi128_si256(row(&THREE_BYTE_RUN[0]))),
                _mm256_shuffle_epi8(rest, _mm256_broadcastsi128_si256(row(&THREE_BYTE_RUN[1]))),
            );
            let leads = _mm256_or_si256(
                _mm256_shuffle_epi8(first, _mm256_broadcastsi128_si256(row(&THREE_BYTE_RUN[2]))),
                _mm256_shuffle_epi8(rest, _mm256_broadcastsi128_si256(row(&THREE_BYTE_RUN[3]))),
            );
            let bits = _mm256_and_si256(tails, _mm256_set1_epi8(0x3F));
            let lower = _mm256_maddubs_epi16(bits, _mm256_set1_epi16(0x4001));
            let units = _mm256_or_si256(lower, _mm256_slli_epi16::<4>(leads));
            // Check the marks of continuation bytes and lead bytes.
            let bad_tails =
                _mm256_andnot_si256(_mm256_set1_epi8(0x3F), _mm256_xor_si256(tails, _mm256_set1_epi8(-0x80)));
            let bad_leads = _mm256_and_si256(
                _mm256_xor_si256(leads, _mm256_set1_epi16(0xE000_u16 as i16)),
                _mm256_set1_epi16(0xF000_u16 as i16),
            );
            // Units below 800h would need only two bytes; D800 to DFFF are surrogates.
            let upper = _mm256_and_si256(units, _mm256_set1_epi16(0xF800_u16 as i16));
            let bad_units = _mm256_or_si256(
                _mm256_cmpeq_epi16(upper, _mm256_setzero_si256()),
                _mm256_cmpeq_epi16(upper, _mm256_set1_epi16(0xD800_u16 as i16)),
            );
            let bad = _mm256_or_si256(_mm256_or_si256(bad_tails, bad_leads), bad_units);
            if _mm256_testz_si256(bad, bad) != 0 { Some(Bytes(units)) } else { None }
        }
    }

    #[inline(always)]
    fn put_bytes(self, bytes: Bytes, lanes: u64, out: &mut [MaybeUninit<u8>], at: usize) -> usize {
        shuffle::put_bytes(halves(bytes), lanes, out, at)
    }

    #[inline(always)]
    fn put_pairs(self, pairs: [Bytes; 2], lanes: u64, out: &mut [MaybeUninit<u8>], at: usize) -> usize {
        put_pairs(self.groups(pairs), lanes, out, at)
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
        let Some(high) = high else { return self.put_wide(low, lanes, out, at) };
        put_quads(self.groups(low), Some(self.groups(high)), lanes, out, at)
    }

    #[inline(always)]
    fn put_one_or_two(self, pair: [Bytes; 2], two: u64, out: &mut [MaybeUninit<u8>], at: usize) {
        shuffle::put_one_or_two(self.groups(pair), two, out, at);
    }

    #[inline(always)]
    fn put_sequences(self, planes: [Bytes; 4], longer: [u64; 3], out: &mut [MaybeUninit<u8>], at: usize) {
        let [a, b, c, d] = shuffle::in_fours(self, planes);
        let ([a, b], [c, d]) = ([halves(a), halves(b)], [halves(c), halves(d)]);
        shuffle::put_sequences([a[0], a[1], b[0], b[1], c[0], c[1], d[0], d[1]], longer, out, at);
    }

    ops! {
        fn separate(self, [a, b]: [Bytes; 2]) -> [Bytes; 2] = {
            let low = _mm256_set1_epi16(0xFF);
            let lows = _mm256_packus_epi16(_mm256_and_si256(a.0, low), _mm256_and_si256(b.0, low));
            let highs = _mm256_packus_epi16(_mm256_srli_epi16::<8>(a.0), _mm256_srli_epi16::<8>(b.0));
            [
                Bytes(_mm256_permute4x64_epi64::<0b11_01_10_00>(lows)),
                Bytes(_mm256_permute4x64_epi64::<0b11_01_10_00>(highs)),
            ]
        };
        fn separate_pairs(self, [a, b]: [Bytes; 2]) -> [Bytes; 2] = {
            let low = _mm256_set1_epi32(0xFFFF);
            let lows = _mm256_packus_epi32(_mm256_and_si256(a.0, low), _mm256_and_si256(b.0, low));
            let highs = _mm256_packus_epi32(_mm256_srli_epi32::<16>(a.0), _mm256_srli_epi32::<16>(b.0));
            [
                Bytes(_mm256_permute4x64_epi64::<0b11_01_10_00>(lows)),
                Bytes(_mm256_permute4x64_epi64::<0b11_01_10_00>(highs)),
            ]
        };
        fn widen(self, units: Bytes) -> [Bytes; 2] =
            [
                Bytes(_mm256_cvtepu16_epi32(_mm256_castsi256_si128(units.0))),
                Bytes(_mm256_cvtepu16_epi32(_mm256_extracti128_si256::<1>(units.0))),
            ];
        fn narrow(self, [a, b]: [Bytes; 2]) -> Bytes =
            Bytes(_mm256_permute4x64_epi64::<0b11_01_10_00>(_mm256_packus_epi32(a.0, b.0)));
        fn narrow_units(self, [a, b]: [Bytes; 2]) -> Bytes =
            Bytes(_mm256_permute4x64_epi64::<0b11_01_10_00>(_mm256_packus_epi16(a.0, b.0)));
    }

    #[inline(always)]
    fn put_short(self, units: [Bytes; 2], out: &mut [MaybeUninit<u8>], at: usize) -> usize {
        units::put_short(units, out, at)
    }

    #[inline(always)]
    fn put_long(
        self,
        units: [Bytes; 2],
        only: bool,
        out: &mut [MaybeUninit<u8>],
        at: usize,
    ) -> Option<usize> {
        units::put_long(units, only, out, at)
    }

    const MIXES_TO_UTF16: bool = true;

    #[inline(always)]
    fn last_mixed_to_utf16(
        self,
        code_points: Bytes,
        first: usize,
        out: &mut [MaybeUninit<u8>],
        at: usize,
    ) -> Option<usize> {
        units::to_utf16(code_points, first, out, at)
    }

    const MIXES_QUADS: bool = true;

    #[inline(always)]
    fn quads_to_utf8(self, code_points: Bytes, out: &mut [MaybeUninit<u8>], at: usize) -> Option<usize> {
        units::quads_to_utf8(code_points, out, at)
    }

    const MIXES_UTF16: bool = true;

    #[inline(always)]
    fn last_mixed_to_utf32(
        self,
        units: Bytes,
        before: Bytes,
        first: usize,
        out: &mut [MaybeUninit<u8>],
        at: usize,
    ) -> Option<usize> {
        units::to_utf32(units, before, first, out, at)
    }

    #[inline(always)]
    fn mixed_to_utf8(
        self,
        units: Bytes,
        before: Bytes,
        out: &mut [MaybeUninit<u8>],
        at: usize,
    ) -> Option<usize> {
        units::to_utf8(units, before, out, at)
    }

    ops! {
        fn interleave(self, [low, high]: [Bytes; 2]) -> [Bytes; 2] = {
            let (even, odd) = (_mm256_unpacklo_epi8(low.0, high.0), _mm256_unpackhi_epi8(low.0, high.0));
            [
                Bytes(_mm256_permute2x128_si256::<0x20>(even, odd)),
                Bytes(_mm256_permute2x128_si256::<0x31>(even, odd)),
            ]
        };
        fn interleave_pairs(self, [first, second]: [Bytes; 2]) -> [Bytes; 2] = {
            let (even, odd) =
                (_mm256_unpacklo_epi16(first.0, second.0), _mm256_unpackhi_epi16(first.0, second.0));
            [
                Bytes(_mm256_permute2x128_si256::<0x20>(even, odd)),
                Bytes(_mm256_permute2x128_si256::<0x31>(even, odd)),
            ]
        };
        fn widen_fourfold(self, v: Bytes) -> [Bytes; 4] = {
            let (lower, upper) = (_mm256_castsi256_si128(v.0), _mm256_extracti128_si256::<1>(v.0));
            [
                Bytes(_mm256_cvtepu8_epi32(lower)),
                Bytes(_mm256_cvtepu8_epi32(_mm_srli_si128::<8>(lower))),
                Bytes(_mm256_cvtepu8_epi32(upper)),
                Bytes(_mm256_cvtepu8_epi32(_mm_srli_si128::<8>(upper))),
            ]
        };
    }

    #[inline(always)]
    fn load_part(self, bytes: &[u8]) -> Bytes {
        if bytes.len() >= 32 {
            return self.load(bytes, 0);
        }
        if let Some(low) = bytes.first_chunk::<16>() {
            let last = &bytes[bytes.len() - 16..];
            // Bytes that the last sixteen share with the first sixteen are shifted out; zeros come in at the other end.
            let shift = MOVE_DOWN[32 - bytes.len()..].first_chunk::<16>().unwrap_or(&[0x80; 16]);
            // SAFETY: each has sixteen bytes, as the code above ensures; `self` is the witness.
            return Bytes(unsafe {
                let last = _mm_loadu_si128(last.as_ptr().cast());
                let high = _mm_shuffle_epi8(last, _mm_loadu_si128(shift.as_ptr().cast()));
                _mm256_set_m128i(high, _mm_loadu_si128(low.as_ptr().cast()))
            });
        }
        self.low(vector::padded(bytes))
    }
}

/// The sixteen bytes from `n` on are the shuffle that moves lanes down by `n`; zeros come in.
const MOVE_DOWN: [u8; 32] = {
    let mut shuffle = [0x80; 32];
    let mut i = 0;
    while i < 16 {
        shuffle[i] = i as u8;
        i += 1;
    }
    shuffle
};

/// Shuffles for characters of three bytes. The first two bring the third and the second byte of each character to its two lanes,
/// the last two its first byte to the second lane. They apply to bytes 0 to 15, and to bytes 8 to 23.
const THREE_BYTE_RUN: [[u8; 16]; 4] = {
    let mut shuffles = [[0x80; 16]; 4];
    let mut i = 0;
    while i < 8 {
        let (which, from) = if i < 5 { (0, 3 * i) } else { (1, 3 * i - 8) };
        shuffles[which][2 * i] = from as u8 + 2;
        shuffles[which][2 * i + 1] = from as u8 + 1;
        shuffles[2 + which][2 * i + 1] = from as u8;
        i += 1;
    }
    shuffles
};

/// A row that can be loaded as a vector.
#[repr(align(32))]
#[derive(Clone, Copy)]
struct WideRow([u8; 32]);

/// The shuffles of [`COMPRESS`], with two zeros after each pair.
static WIDE: [WideRow; 256] = {
    let mut rows = [WideRow([0x80; 32]); 256];
    let mut at = 0;
    while at < 256 * 16 {
        let (lanes, byte) = (at / 16, at % 16);
        rows[lanes].0[4 * (byte / 2) + byte % 2] = COMPRESS[lanes].0[byte];
        at += 1;
    }
    rows
};

#[inline(always)]
fn row(row: &[u8; 16]) -> __m128i {
    // SAFETY: sixteen bytes; as in `ops!`.
    unsafe { _mm_loadu_si128(row.as_ptr().cast()) }
}

impl Avx2 {
    ops! {
        /// A vector of sixteen bytes, with zeros above them.
        fn low(self, number: u128) -> Bytes =
            Bytes(_mm256_set_epi64x(0, 0, (number >> 64) as i64, number as i64));
        /// In each half: the lower lanes of that half as pairs, and the upper ones.
        fn interleave_halves(self, a: Bytes, b: Bytes) -> [Bytes; 2] =
            [Bytes(_mm256_unpacklo_epi8(a.0, b.0)), Bytes(_mm256_unpackhi_epi8(a.0, b.0))];
        /// The lower half in both halves.
        fn twice_lower(self, v: Bytes) -> Bytes = Bytes(_mm256_permute2x128_si256::<0x00>(v.0, v.0));
        /// The upper half in both halves.
        fn twice_upper(self, v: Bytes) -> Bytes = Bytes(_mm256_permute2x128_si256::<0x11>(v.0, v.0));
    }

    /// Writes the pairs of lanes whose bits are set, with two zeros behind each, eight pairs at a time.
    #[inline(always)]
    fn put_wide(
        self,
        [first, second]: [Bytes; 2],
        lanes: u64,
        out: &mut [MaybeUninit<u8>],
        at: usize,
    ) -> usize {
        let out = out[at..at + 128].as_mut_ptr();
        let [even, odd] = self.interleave_halves(first, second);
        // Each group of eight pairs is in both halves, so that one shuffle brings them to their places.
        let groups =
            [self.twice_lower(even), self.twice_lower(odd), self.twice_upper(even), self.twice_upper(odd)];
        let mut n = 0;
        for i in 0..4 {
            // The offset of the row for these lanes, in bytes. It has as many bits set as the lanes.
            let row = (lanes << 5 >> (8 * i)) as usize & (0xFF << 5);
            // SAFETY: `row` is less than the 256 rows of thirty-two bytes have, and a multiple of thirty-two, so there is an
            // aligned row; at most eight quads were written by each group before this one, so the thirty-two bytes from `4 * n`
            // on are within the 128 that the slice above has; `self` is the witness.
            unsafe {
                let order = _mm256_load_si256(WIDE.as_ptr().byte_add(row).cast());
                _mm256_storeu_si256(out.add(4 * n).cast(), _mm256_shuffle_epi8(groups[i].0, order));
            }
            n += row.count_ones() as usize;
        }
        (lanes as u32).count_ones() as usize
    }

    /// The lanes of two vectors as pairs, eight at a time.
    #[inline(always)]
    fn groups(self, [first, second]: [Bytes; 2]) -> [sse42::Bytes; 4] {
        let [even, odd] = self.interleave_halves(first, second);
        let ([first, third], [second, fourth]) = (halves(even), halves(odd));
        [first, second, third, fourth]
    }
}

ops! {
    /// The lower half and the upper half. A CPU that has AVX2 has everything that the halves need.
    pub(super) fn halves(v: Bytes) -> [sse42::Bytes; 2] =
        [sse42::Bytes(_mm256_castsi256_si128(v.0)), sse42::Bytes(_mm256_extracti128_si256::<1>(v.0))];
}

supplementary! { _mm256_set1_epi32 _mm256_and_si256 _mm256_or_si256 _mm256_xor_si256 _mm256_add_epi32 _mm256_sub_epi32
_mm256_madd_epi16 _mm256_slli_epi32 _mm256_srli_epi32 _mm256_slli_epi16 _mm256_srli_epi16 }
