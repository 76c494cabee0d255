//! The lane operations that kernels are written with, so that a kernel is written once and compiled for each width.
//!
//! A value of a [`Vector`] type is a *witness*: it can be had only inside a function that enables the CPU features it
//! stands for, and a vector can be had only from a witness. That is why all of this is safe to call.

//!
//! This is the floor: nothing here knows a kernel, and all `unsafe` of kernels is here.

use core::mem::MaybeUninit;

pub(crate) use bytes::{Bytes, Lanes};
use bytes::{KINDS, SHORTER, copy_overlapping, padded};
pub(crate) use grammar::{Grammar, Window};

#[macro_use]
mod ops;

mod bytes;
pub(crate) mod grammar;
pub(crate) mod prefetch;
mod shuffle;

#[cfg(all(target_arch = "aarch64", target_feature = "neon", target_endian = "little"))]
mod aarch64 {
    pub(super) mod neon;
}
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod wasm32 {
    pub(super) mod simd128;
}
#[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(target_env = "sgx")))]
pub(crate) mod cpu;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(target_env = "sgx")))]
mod x86;

#[cfg(all(target_arch = "aarch64", target_feature = "neon", target_endian = "little"))]
pub(crate) use aarch64::neon::Neon;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
pub(crate) use wasm32::simd128::Simd128;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(target_env = "sgx")))]
pub(crate) use x86::{avx2::Avx2, avx512::Avx512, sse42::Sse42};

/// A kernel that only reads, written for any vectors.
pub(crate) trait Read {
    type Answer;
    fn run<S: Vector>(s: S, src: &[u8]) -> Self::Answer;
}

/// A kernel that writes, written for any vectors.
pub(crate) trait Write {
    /// What it is told besides the text.
    type Setting;
    type Answer;
    fn run<S: Vector>(s: S, src: &[u8], dst: &mut [MaybeUninit<u8>], setting: Self::Setting) -> Self::Answer;
}

/// A set of vector instructions.
pub(crate) trait Vector: Copy {
    /// Bytes in a vector: 16, 32 or 64.
    const LANES: usize;
    /// A vector of bytes.
    type Bytes: Bytes;
    /// How these instructions look for what is ill-formed in UTF-8.
    type Grammar: Grammar<Self>;

    /// The kernel as a function of its own, compiled with these instructions.
    ///
    /// # Safety
    /// The CPU has them.
    unsafe fn read<K: Read>(src: &[u8]) -> K::Answer;
    /// The same.
    ///
    /// # Safety
    /// The CPU has the instructions.
    unsafe fn write<K: Write>(src: &[u8], dst: &mut [MaybeUninit<u8>], setting: K::Setting) -> K::Answer;
    /// Call a kernel from another one, as a function of its own: so that the caller need not save the registers that it uses.
    fn read_apart<K: Read>(self, src: &[u8]) -> K::Answer;
    /// The same.
    fn write_apart<K: Write>(self, src: &[u8], dst: &mut [MaybeUninit<u8>], setting: K::Setting)
    -> K::Answer;
    /// Do something in a function of its own: so that its constants have all registers.
    fn apart<R>(self, what: impl FnOnce() -> R) -> R;

    fn splat(self, byte: u8) -> Self::Bytes;
    /// The same sixteen bytes in every sixteen lanes: what [`Bytes::lookup`] looks up in.
    fn tile(self, sixteen: &[u8; 16]) -> Self::Bytes;
    /// The lanes whose bits are set.
    fn lanes(self, bits: u64) -> <Self::Bytes as Bytes>::Lanes;
    /// `LANES` bytes from `at` on. A range that the compiler can check costs nothing.
    fn load(self, bytes: &[u8], at: usize) -> Self::Bytes;
    /// The first `LANES` bytes, or, when there are fewer, those and zeros after them.
    fn load_part(self, bytes: &[u8]) -> Self::Bytes;
    /// The same for a text, behind which memory may end.
    #[inline(always)]
    fn load_text(self, text: &[u8]) -> Self::Bytes {
        self.load_part(text)
    }
    /// `LANES` bytes go to `at`.
    fn store(self, v: Self::Bytes, out: &mut [MaybeUninit<u8>], at: usize);
    /// As many of the first 256 bytes as there is room for.
    #[inline(always)]
    fn copy_part(self, from: &[MaybeUninit<u8>; 256], to: &mut [MaybeUninit<u8>]) {
        copy_overlapping(from, to);
    }
    /// Whether no byte of a vector is one that cannot follow what precedes it, where it is asked once.
    #[inline(always)]
    fn is_well_formed(self, w: Window<Self::Bytes>) -> bool {
        Self::Grammar::new(self).broken(self.splat(0), w).is_zero()
    }
    /// The longest text that [`is_short_well_formed`](Simd::is_short_well_formed) takes.
    const SHORT: usize = Self::LANES - 1;
    /// Whether a text of at most `SHORT` bytes is well-formed: without a branch on how long it is, if that can be.
    #[inline(always)]
    fn is_short_well_formed(self, text: &[u8]) -> bool {
        // The zero after the last byte is no continuation, so a sequence that is cut off is broken there.
        self.is_well_formed(Window::first(self.load_text(text)))
    }
    /// Whether [`three_byte_run`](Simd::threes) can do anything.
    const HAS_THREE_BYTE_RUNS: bool = false;
    /// Characters of three bytes, which `LANES * 3 / 2` bytes are, as little-endian numbers of two lanes. Nothing, if they
    /// are anything else.
    #[inline(always)]
    fn three_byte_run(self, _text: &[u8]) -> Option<Self::Bytes> {
        None
    }
    /// Whether [`lookup_seven`](Simd::lookup_seven) can do anything.
    const HAS_LOOKUP_SEVEN: bool = false;
    /// What stands in the table where the lower seven bits of each byte say.
    #[inline(always)]
    fn lookup_seven(self, _bytes: Self::Bytes, _table: &[u8; 128]) -> Option<Self::Bytes> {
        None
    }
    /// The lanes whose bits are set, in order, from `at` on: how many they are. Takes `LANES` bytes of room whatever it
    /// writes.
    fn put_bytes(self, bytes: Self::Bytes, lanes: u64, out: &mut [MaybeUninit<u8>], at: usize) -> usize;
    /// The lanes whose bits are set, in order, as two bytes each, from `at` on: how many they are. Takes
    /// `2 * LANES` bytes of room whatever it writes.
    fn put_pairs(self, pairs: [Self::Bytes; 2], lanes: u64, out: &mut [MaybeUninit<u8>], at: usize) -> usize;
    /// The same for four bytes each, in two pairs, of which one may be all zeros (`None`). Takes `4 * LANES` bytes of room.
    fn put_quads(
        self,
        pairs: [Option<[Self::Bytes; 2]>; 2],
        lanes: u64,
        out: &mut [MaybeUninit<u8>],
        at: usize,
    ) -> usize;
    /// All lanes as two bytes each, or, where the bit is not set, as the second alone. Takes `2 * LANES` bytes of room.
    fn put_one_or_two(self, pair: [Self::Bytes; 2], two: u64, out: &mut [MaybeUninit<u8>], at: usize);
    /// All lanes as the last one to four of four bytes: one, and as many more as there are numbers in `longer` with the
    /// bit, of which each has only bits that the one before it has. Takes `4 * LANES` bytes of room.
    fn put_sequences(
        self,
        planes: [Self::Bytes; 4],
        longer: [u64; 3],
        out: &mut [MaybeUninit<u8>],
        at: usize,
    );
    /// The first and the second bytes of all pairs of lanes of two vectors.
    fn separate(self, two: [Self::Bytes; 2]) -> [Self::Bytes; 2];
    /// The first and the second pairs of all fours.
    fn separate_pairs(self, two: [Self::Bytes; 2]) -> [Self::Bytes; 2];
    /// All little-endian numbers of two lanes as four lanes each: the lower half, the upper half.
    #[inline(always)]
    fn widen(self, units: Self::Bytes) -> [Self::Bytes; 2] {
        self.interleave_pairs([units, self.splat(0)])
    }
    /// All little-endian numbers of four lanes, which are below 2¹⁶, as two lanes each, in order.
    #[inline(always)]
    fn narrow(self, quads: [Self::Bytes; 2]) -> Self::Bytes {
        self.separate_pairs(quads)[0]
    }
    /// All little-endian numbers of two lanes, which are below 2⁸, as one lane each, in order.
    #[inline(always)]
    fn narrow_units(self, units: [Self::Bytes; 2]) -> Self::Bytes {
        self.separate(units)[0]
    }
    /// All little-endian numbers of two lanes, which are below 800h, in UTF-8: how many bytes. Takes `2 * LANES` bytes of
    /// room.
    #[inline(always)]
    fn put_short(self, units: [Self::Bytes; 2], out: &mut [MaybeUninit<u8>], at: usize) -> usize {
        let [lower, upper] = self.separate(units);
        let two = (upper.at_least(self.splat(1)).bits() | lower.high_bits()) & !0 >> (64 - Self::LANES);
        let last = lower.replace(self.lanes(two), (lower & self.splat(0x3F)) | self.splat(0x80));
        let lead = (upper.shl::<2>() & self.splat(0x1C)) | (lower.shr::<6>() & self.splat(0x03));
        self.put_one_or_two([lead | self.splat(0xC0), last], two, out, at);
        Self::LANES + two.count_ones() as usize
    }
    /// All little-endian numbers of two lanes, which are no surrogates, in UTF-8: how many bytes. Takes `4 * LANES` bytes
    /// of room.
    #[inline(always)]
    fn put_basic(self, units: [Self::Bytes; 2], out: &mut [MaybeUninit<u8>], at: usize) -> usize {
        let ([lower, upper], part) = (self.separate(units), !0 >> (64 - Self::LANES));
        let two = (upper.at_least(self.splat(1)).bits() | lower.high_bits()) & part;
        let three = upper.at_least(self.splat(0x08)).bits() & part;
        let last = lower.replace(self.lanes(two), (lower & self.splat(0x3F)) | self.splat(0x80));
        let second = (upper.shl::<2>() & self.splat(0x3C)) | (lower.shr::<6>() & self.splat(0x03));
        let second = second | self.splat(0x80).replace(self.lanes(two & !three), self.splat(0xC0));
        let first = (upper.shr::<4>() & self.splat(0x0F)) | self.splat(0xE0);
        self.put_sequences([self.splat(0), first, second, last], [two, three, 0], out, at);
        Self::LANES + (two.count_ones() + three.count_ones()) as usize
    }
    /// All little-endian numbers of two lanes in UTF-8, unless one is a surrogate: how many bytes. Takes `4 * LANES` bytes of
    /// room. That `only` numbers from 800h on are there is likely, or not.
    #[inline(always)]
    fn put_long(
        self,
        units: [Self::Bytes; 2],
        _only: bool,
        out: &mut [MaybeUninit<u8>],
        at: usize,
    ) -> Option<usize> {
        let surrogates = (self.separate(units)[1] & self.splat(0xF8)).equal(self.splat(0xD8));
        (surrogates.bits() == 0).then(|| self.put_basic(units, out, at))
    }
    /// What each byte of UTF-8 is: 1 for a continuation, 10h for a lead of four.
    #[inline(always)]
    fn kinds(self, bytes: Self::Bytes) -> Self::Bytes {
        (bytes.shr::<4>() & self.splat(0x0F)).lookup(self.tile(&KINDS))
    }
    /// Pairs of surrogates, as little-endian numbers, in UTF-8: nothing unless all are pairs, or where it is no shorter so.
    #[inline(always)]
    fn pairs_to_utf8(self, _units: Self::Bytes) -> Option<Self::Bytes> {
        None
    }
    /// The same as code points, little-endian numbers of four lanes.
    #[inline(always)]
    fn pairs_to_code_points(self, _units: Self::Bytes) -> Option<Self::Bytes> {
        None
    }
    /// Code points from U+10000 on, as little-endian numbers, in UTF-8: nothing unless all are, or where it is no shorter so.
    #[inline(always)]
    fn supplementary_to_utf8(self, _code_points: Self::Bytes) -> Option<Self::Bytes> {
        None
    }
    /// The same as pairs of surrogates.
    #[inline(always)]
    fn supplementary_to_pairs(self, _code_points: Self::Bytes) -> Option<Self::Bytes> {
        None
    }
    /// Whether [`mixed_to_utf8`](Simd::mixed_to_utf8) and the like can do anything.
    const MIXES: bool = false;
    /// Scalar values as little-endian numbers of four lanes in UTF-16: how many bytes. Nothing if one is something else. Takes
    /// a vector of room.
    #[inline(always)]
    fn mixed_to_utf16(
        self,
        _code_points: Self::Bytes,
        _out: &mut [MaybeUninit<u8>],
        _at: usize,
    ) -> Option<usize> {
        None
    }
    /// UTF-16 as little-endian numbers in UTF-32, pairs where their second units are: how many bytes. Nothing if one of the
    /// second units does not follow a first, or the other way round, of those one `before`. Takes two vectors of room.
    #[inline(always)]
    fn mixed_to_utf32(
        self,
        _units: Self::Bytes,
        _before: Self::Bytes,
        _out: &mut [MaybeUninit<u8>],
        _at: usize,
    ) -> Option<usize> {
        None
    }
    /// The same in UTF-8, two bytes for each half of a pair. Takes four vectors of room, and writes three at most.
    #[inline(always)]
    fn mixed_to_utf8(
        self,
        _units: Self::Bytes,
        _before: Self::Bytes,
        _out: &mut [MaybeUninit<u8>],
        _at: usize,
    ) -> Option<usize> {
        None
    }
    /// All lanes as two bytes each: the lower half, the upper half.
    fn interleave(self, pairs: [Self::Bytes; 2]) -> [Self::Bytes; 2];
    /// The same with two lanes at a time.
    fn interleave_pairs(self, quads: [Self::Bytes; 2]) -> [Self::Bytes; 2];
    /// Each lane and three zeros after it: the four quarters.
    #[inline(always)]
    fn widen_fourfold(self, v: Self::Bytes) -> [Self::Bytes; 4] {
        let zero = self.splat(0);
        let [lower, upper] = self.interleave([v, zero]);
        let ([a, b], [c, d]) = (self.interleave_pairs([lower, zero]), self.interleave_pairs([upper, zero]));
        [a, b, c, d]
    }
}
