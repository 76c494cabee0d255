//! The operations on lanes that kernels consist of. A kernel is written once and compiled for each width.
//!
//! A value of a [`Vector`] type is a *witness*: it exists only inside a function that enables the CPU features for which it
//! stands, and a vector can be created only with a witness. Therefore all of this is safe to call.
//!
//! This is the lowest layer: it knows no kernels, and contains all `unsafe` code that kernels need.
#![allow(
    clippy::needless_range_loop,
    reason = "an iterator over vectors need not be inlined, and then costs calls"
)]

use core::mem::MaybeUninit;

pub(crate) use bytes::{Bytes, Lanes};
use bytes::{SHORTER, copy_overlapping, padded};
pub(crate) use grammar::{Grammar, Window};
pub(crate) use plain::{lesser, steps};
pub(crate) use streams::{Kinds, Met, Streams};

#[macro_use]
mod ops;

mod bytes;
pub(crate) mod grammar;
mod plain;
pub(crate) mod prefetch;
#[cfg(not(placemat_plain))]
mod shuffle;
mod streams;

#[cfg(all(not(placemat_plain), target_arch = "aarch64", target_feature = "neon", target_endian = "little"))]
mod aarch64 {
    pub(super) mod neon;
}
#[cfg(all(not(placemat_plain), target_arch = "wasm32", target_feature = "simd128"))]
mod wasm32 {
    pub(super) mod simd128;
}
#[cfg(all(not(placemat_plain), target_arch = "x86_64", target_feature = "sse2", not(target_env = "sgx")))]
pub(crate) mod cpu;
#[cfg(all(not(placemat_plain), target_arch = "x86_64", target_feature = "sse2", not(target_env = "sgx")))]
mod x86;

#[cfg(all(
    not(placemat_plain),
    target_arch = "aarch64",
    target_feature = "neon",
    target_endian = "little"
))]
pub(crate) use aarch64::neon::Neon;
#[cfg(all(not(placemat_plain), target_arch = "wasm32", target_feature = "simd128"))]
pub(crate) use wasm32::simd128::Simd128;
#[cfg(all(
    not(placemat_plain),
    target_arch = "x86_64",
    target_feature = "sse2",
    not(target_env = "sgx")
))]
#[cfg_attr(placemat_no_avx512, allow(unused_imports, reason = "no level uses `Avx512`"))]
pub(crate) use x86::{avx2::Avx2, avx512::Avx512, sse42::Sse42};

/// A kernel that only reads, generic over the vectors.
pub(crate) trait Read {
    type Answer;
    fn run<S: Vector>(s: S, src: &[u8]) -> Self::Answer;
}

/// A kernel that also writes, generic over the vectors.
pub(crate) trait Write {
    /// The input in addition to the text.
    type Setting;
    type Answer;
    fn run<S: Vector>(s: S, src: &[u8], dst: &mut [MaybeUninit<u8>], setting: Self::Setting) -> Self::Answer;
}

/// Whether UTF-16 ends with the first half of a pair.
#[inline(always)]
pub(crate) fn ends_open<const BIG: bool>(text: &[u8]) -> bool {
    text.len() >= 2 && text[text.len() - if BIG { 2 } else { 1 }] & 0xFC == 0xD8
}

/// A set of vector instructions.
pub(crate) trait Vector: Copy + Streams {
    /// Bytes in a vector: 16, 32 or 64.
    const LANES: usize;
    /// A vector of bytes.
    type Bytes: Bytes;
    /// The check for ill-formed UTF-8 with these instructions.
    type Grammar: Grammar<Self>;
    /// The same for loops that also convert, which keep other parts of the CPU busy.
    type ConversionGrammar: Grammar<Self>;

    /// A kernel as a separate function, compiled with these instructions.
    ///
    /// # Safety
    /// The CPU must have these instructions.
    unsafe fn read<K: Read>(src: &[u8]) -> K::Answer;
    /// Like [`read`](Vector::read), for a kernel that also writes.
    ///
    /// # Safety
    /// The CPU must have these instructions.
    unsafe fn write<K: Write>(src: &[u8], dst: &mut [MaybeUninit<u8>], setting: K::Setting) -> K::Answer;
    /// Calls a kernel from another kernel, as a separate function, so that the caller need not save the registers that it uses.
    fn read_apart<K: Read>(self, src: &[u8]) -> K::Answer;
    /// Like [`read_apart`](Vector::read_apart), for a kernel that also writes.
    fn write_apart<K: Write>(self, src: &[u8], dst: &mut [MaybeUninit<u8>], setting: K::Setting)
    -> K::Answer;
    /// Runs a closure in a separate function, so that its constants can use all registers.
    fn apart<R>(self, what: impl FnOnce() -> R) -> R;

    fn splat(self, byte: u8) -> Self::Bytes;
    /// The same sixteen bytes in every sixteen lanes: a table for [`Bytes::lookup`].
    fn tile(self, sixteen: &[u8; 16]) -> Self::Bytes;
    /// A mask of the lanes whose bits are set in `bits`, bit 0 for lane 0.
    fn lanes(self, bits: u64) -> <Self::Bytes as Bytes>::Lanes;
    /// Loads `LANES` bytes from `at` on. Panics if there are fewer; for a range that the compiler can check, the check costs
    /// nothing.
    fn load(self, bytes: &[u8], at: usize) -> Self::Bytes;
    /// Loads the first `LANES` bytes. If there are fewer, zeros follow them.
    fn load_part(self, bytes: &[u8]) -> Self::Bytes;
    /// Like [`load_part`](Vector::load_part), but fast even if the page of memory behind `text` is not mapped.
    #[inline(always)]
    fn load_text(self, text: &[u8]) -> Self::Bytes {
        self.load_part(text)
    }
    /// Whether [`load_part`](Vector::load_part) is slow for a text because the page behind it may not be mapped. It is also slow
    /// for an empty text.
    #[inline(always)]
    fn is_slow_to_load(self, _text: &[u8]) -> bool {
        false
    }
    /// Stores `LANES` bytes from `at` on. Panics if there is no room.
    fn store(self, v: Self::Bytes, out: &mut [MaybeUninit<u8>], at: usize);
    /// Copies the first `to.len()` bytes of `from`, at most 256.
    #[inline(always)]
    fn copy_part(self, from: &[MaybeUninit<u8>; 256], to: &mut [MaybeUninit<u8>]) {
        copy_overlapping(from, to);
    }
    /// Whether every byte of a vector may follow the bytes before it. For a single vector: in a loop, use a `Grammar`.
    #[inline(always)]
    fn is_well_formed(self, w: Window<Self::Bytes>) -> bool {
        Self::Grammar::is_clean(self, Self::Grammar::new(self).broken(self.splat(0), w))
    }
    /// The lanes where a byte cannot follow the bytes before it.
    #[inline(always)]
    fn broken_lanes(self, w: Window<Self::Bytes>) -> u64 {
        let broken = Self::Grammar::errors(self, Self::Grammar::new(self).broken(self.splat(0), w));
        !broken.equal(self.splat(0)).bits() & !0 >> (64 - Self::LANES)
    }

    /// Whether long text is checked in different ways, by what it contains. Elsewhere there is one way, for less code.
    const WAYS: bool = true;
    /// The longest text that [`is_medium_well_formed`](Vector::is_medium_well_formed) accepts; 0 if it is not implemented.
    const MEDIUM: usize = 0;
    /// Whether a text of at least one vector and at most `MEDIUM` bytes is well-formed UTF-8.
    #[inline(always)]
    fn is_medium_well_formed(self, _text: &[u8]) -> bool {
        false
    }
    /// Whether UTF-16 of at most two vectors is well-formed, except half a unit at its end. `false` if this is not implemented,
    /// or if the text needs another check.
    #[inline(always)]
    fn is_short_utf16<const BIG: bool>(self, _text: &[u8]) -> bool {
        false
    }
    /// The same for UTF-32.
    #[inline(always)]
    fn is_short_utf32<const BIG: bool>(self, _text: &[u8]) -> bool {
        false
    }
    /// Whether [`three_byte_run`](Vector::three_byte_run) is implemented.
    const HAS_THREE_BYTE_RUNS: bool = false;
    /// Converts `LANES * 3 / 2` bytes of UTF-8 to UTF-16 (little-endian), if all characters have three bytes; otherwise `None`.
    #[inline(always)]
    fn three_byte_run(self, _text: &[u8]) -> Option<Self::Bytes> {
        None
    }
    /// Whether [`lookup_seven`](Vector::lookup_seven) is implemented.
    const HAS_LOOKUP_SEVEN: bool = false;
    /// For each lane, the byte of `table` whose index is the lower seven bits of the lane.
    #[inline(always)]
    fn lookup_seven(self, _bytes: Self::Bytes, _table: &[u8; 128]) -> Option<Self::Bytes> {
        None
    }
    /// Writes the lanes whose bits are set in `lanes`, in order. Returns how many these are. Always needs `LANES` bytes of room.
    fn put_bytes(self, bytes: Self::Bytes, lanes: u64, out: &mut [MaybeUninit<u8>], at: usize) -> usize;
    /// Like [`put_bytes`](Vector::put_bytes), with any room that is enough; `None` if it is not.
    #[inline(always)]
    fn put_bytes_exactly(self, bytes: Self::Bytes, lanes: u64, out: &mut [MaybeUninit<u8>]) -> Option<usize> {
        let mut scratch = [MaybeUninit::uninit(); 256];
        let n = self.put_bytes(bytes, lanes, &mut scratch, 0);
        self.copy_part(&scratch, out.get_mut(..n)?);
        Some(n)
    }
    /// Stores the first `n` lanes unchanged, with any room that is enough; `None` if it is not.
    #[inline(always)]
    fn store_first(self, bytes: Self::Bytes, n: usize, out: &mut [MaybeUninit<u8>]) -> Option<()> {
        let mut scratch = [MaybeUninit::uninit(); 256];
        self.store(bytes, &mut scratch, 0);
        self.copy_part(&scratch, out.get_mut(..n)?);
        Some(())
    }
    /// Like `put_bytes`, with two bytes for each lane, one of each vector of `pairs`. Always needs `2 * LANES` bytes of room.
    fn put_pairs(self, pairs: [Self::Bytes; 2], lanes: u64, out: &mut [MaybeUninit<u8>], at: usize) -> usize;
    /// Like `put_bytes`, with four bytes for each lane: the two of `low`, then those of `high`, or zeros. Always needs
    /// `4 * LANES` bytes of room.
    fn put_quads(
        self,
        low: [Self::Bytes; 2],
        high: Option<[Self::Bytes; 2]>,
        lanes: u64,
        out: &mut [MaybeUninit<u8>],
        at: usize,
    ) -> usize;
    /// Writes two bytes, one of each vector, for each lane whose bit is set in `two`, and only the second byte for other lanes.
    /// Needs `2 * LANES` bytes of room.
    fn put_one_or_two(self, pair: [Self::Bytes; 2], two: u64, out: &mut [MaybeUninit<u8>], at: usize);
    /// Writes 1 to 4 bytes for each lane: the last ones of the four in `planes`. `longer[i]` has a bit for each lane of at least
    /// `i + 2` bytes. Needs `4 * LANES` bytes of room.
    fn put_sequences(
        self,
        planes: [Self::Bytes; 4],
        longer: [u64; 3],
        out: &mut [MaybeUninit<u8>],
        at: usize,
    );
    /// Takes two vectors as pairs of lanes. Returns a vector of all first lanes, and one of all second lanes.
    fn separate(self, two: [Self::Bytes; 2]) -> [Self::Bytes; 2];
    /// Like [`separate`](Vector::separate), with two lanes at a time.
    fn separate_pairs(self, two: [Self::Bytes; 2]) -> [Self::Bytes; 2];
    /// Widens little-endian units of two bytes to four: the lower half of the units, then the upper half.
    #[inline(always)]
    fn widen(self, units: Self::Bytes) -> [Self::Bytes; 2] {
        self.interleave_pairs([units, self.splat(0)])
    }
    /// Narrows little-endian units of four bytes, all below 2¹⁶, to two.
    #[inline(always)]
    fn narrow(self, quads: [Self::Bytes; 2]) -> Self::Bytes {
        self.separate_pairs(quads)[0]
    }
    /// Narrows little-endian units of two bytes, all below 2⁸, to one.
    #[inline(always)]
    fn narrow_units(self, units: [Self::Bytes; 2]) -> Self::Bytes {
        self.separate(units)[0]
    }
    /// Writes UTF-16 (little-endian units, all below 800h) as UTF-8. Returns the bytes written. Needs `2 * LANES` bytes of room.
    #[inline(always)]
    fn put_short(self, units: [Self::Bytes; 2], out: &mut [MaybeUninit<u8>], at: usize) -> usize {
        let [lower, upper] = self.separate(units);
        let two = (upper.at_least(self.splat(1)).bits() | lower.high_bits()) & !0 >> (64 - Self::LANES);
        let last = lower.replace(self.lanes(two), (lower & self.splat(0x3F)) | self.splat(0x80));
        let lead = (upper.shl::<2>() & self.splat(0x1C)) | (lower.shr::<6>() & self.splat(0x03));
        self.put_one_or_two([lead | self.splat(0xC0), last], two, out, at);
        Self::LANES + two.count_ones() as usize
    }
    /// Like [`put_short`](Vector::put_short), for units that are no surrogates. Needs `4 * LANES` bytes of room.
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
    /// Like [`put_basic`](Vector::put_basic), but `None` if a unit is a surrogate. `only`: optimize for units that are all 800h
    /// or more. Needs `4 * LANES` bytes of room.
    #[inline(always)]
    fn put_long(
        self,
        units: [Self::Bytes; 2],
        _only: bool,
        out: &mut [MaybeUninit<u8>],
        at: usize,
    ) -> Option<usize> {
        let surrogates = (self.separate(units)[1] & self.splat(0xF8)).equal(self.splat(0xD8));
        if surrogates.bits() == 0 { Some(self.put_basic(units, out, at)) } else { None }
    }
    /// For each byte, the byte of `table` whose index is the upper half of the byte.
    #[inline(always)]
    fn of_upper_half(self, bytes: Self::Bytes, table: &[u8; 16]) -> Self::Bytes {
        (bytes.shr::<4>() & self.splat(0x0F)).lookup(self.tile(table))
    }
    /// Converts UTF-16 (little-endian) that consists of surrogate pairs to UTF-8. `None` if there is anything else, or if the
    /// level has no fast method.
    #[inline(always)]
    fn pairs_to_utf8(self, _units: Self::Bytes) -> Option<Self::Bytes> {
        None
    }
    /// Like [`pairs_to_utf8`](Vector::pairs_to_utf8), to UTF-32 (little-endian).
    #[inline(always)]
    fn pairs_to_code_points(self, _units: Self::Bytes) -> Option<Self::Bytes> {
        None
    }
    /// Converts UTF-8 that consists of sequences of four bytes to UTF-32, little-endian. `None` as above.
    #[inline(always)]
    fn sequences_to_code_points(self, _sequences: Self::Bytes) -> Option<Self::Bytes> {
        None
    }
    /// Converts UTF-32 (little-endian) that consists of characters from U+10000 on to UTF-8. `None` as above.
    #[inline(always)]
    fn supplementary_to_utf8(self, _code_points: Self::Bytes) -> Option<Self::Bytes> {
        None
    }
    /// Like [`supplementary_to_utf8`](Vector::supplementary_to_utf8), to surrogate pairs.
    #[inline(always)]
    fn supplementary_to_pairs(self, _code_points: Self::Bytes) -> Option<Self::Bytes> {
        None
    }
    /// Whether [`mixed_to_utf8`](Vector::mixed_to_utf8) and its relatives are implemented.
    const MIXES: bool = false;
    /// Whether [`mixed_to_utf16`](Vector::mixed_to_utf16) is implemented.
    const MIXES_TO_UTF16: bool = Self::MIXES;
    /// Whether those of these functions that read UTF-16 are implemented.
    const MIXES_UTF16: bool = Self::MIXES;
    /// Writes UTF-32 (little-endian) as UTF-16. Returns the bytes written; `None` if a unit is no scalar value. Needs a vector of
    /// room.
    #[inline(always)]
    fn mixed_to_utf16(
        self,
        code_points: Self::Bytes,
        out: &mut [MaybeUninit<u8>],
        at: usize,
    ) -> Option<usize> {
        self.last_mixed_to_utf16(code_points, 0, out, at)
    }
    /// Like [`mixed_to_utf16`](Vector::mixed_to_utf16), without the first `first` units.
    #[inline(always)]
    fn last_mixed_to_utf16(
        self,
        _code_points: Self::Bytes,
        _first: usize,
        _out: &mut [MaybeUninit<u8>],
        _at: usize,
    ) -> Option<usize> {
        None
    }
    /// Whether [`quads_to_utf8`](Vector::quads_to_utf8) is implemented.
    const MIXES_QUADS: bool = false;
    /// Writes UTF-32 (little-endian) as UTF-8. Returns the bytes written; `None` if a unit is no scalar value. Needs a vector of
    /// room.
    #[inline(always)]
    fn quads_to_utf8(
        self,
        _code_points: Self::Bytes,
        _out: &mut [MaybeUninit<u8>],
        _at: usize,
    ) -> Option<usize> {
        None
    }
    /// Writes UTF-16 (little-endian) as UTF-32; a pair is written at its low surrogate. `before` holds the same text one unit
    /// earlier. Returns the bytes written; `None` if a low surrogate does not follow a high one, or a high one is not followed by
    /// a low one. Needs two vectors of room.
    #[inline(always)]
    fn mixed_to_utf32(
        self,
        units: Self::Bytes,
        before: Self::Bytes,
        out: &mut [MaybeUninit<u8>],
        at: usize,
    ) -> Option<usize> {
        self.last_mixed_to_utf32(units, before, 0, out, at)
    }
    /// Like [`mixed_to_utf32`](Vector::mixed_to_utf32), without the first `first` units.
    #[inline(always)]
    fn last_mixed_to_utf32(
        self,
        _units: Self::Bytes,
        _before: Self::Bytes,
        _first: usize,
        _out: &mut [MaybeUninit<u8>],
        _at: usize,
    ) -> Option<usize> {
        None
    }
    /// Like [`mixed_to_utf32`](Vector::mixed_to_utf32), to UTF-8: each half of a pair becomes two bytes. Writes at most three
    /// vectors, and needs room for four.
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
    /// Writes the first `len` bytes of a vector of ISO 8859-1, at most 64, as UTF-8, with any room that is enough. Returns the
    /// bytes written. Only if `LANES` is 64.
    #[inline(always)]
    fn few_latin1_to_utf8(
        self,
        _bytes: Self::Bytes,
        _len: usize,
        _out: &mut [MaybeUninit<u8>],
    ) -> Option<usize> {
        None
    }
    /// Writes whole vectors of ISO 8859-1 as UTF-8, while there is room for two vectors for each. Returns the bytes read and written.
    /// Only with the widest vectors. `LOOK`: checks for vectors of ASCII, for text that has many.
    #[inline(always)]
    fn latin1_to_utf8<const LOOK: bool>(self, _text: &[u8], _out: &mut [MaybeUninit<u8>]) -> [usize; 2] {
        [0, 0]
    }
    /// Interleaves the lanes of two vectors: the lower half of the result, then the upper half.
    fn interleave(self, pairs: [Self::Bytes; 2]) -> [Self::Bytes; 2];
    /// Like [`interleave`](Vector::interleave), with two lanes at a time.
    fn interleave_pairs(self, quads: [Self::Bytes; 2]) -> [Self::Bytes; 2];
    /// Widens each lane to two bytes: the lower half, then the upper half.
    #[inline(always)]
    fn widen_twofold(self, v: Self::Bytes) -> [Self::Bytes; 2] {
        self.interleave([v, self.splat(0)])
    }
    /// Widens each lane to four bytes: the four quarters.
    #[inline(always)]
    fn widen_fourfold(self, v: Self::Bytes) -> [Self::Bytes; 4] {
        let zero = self.splat(0);
        let [lower, upper] = self.interleave([v, zero]);
        let ([a, b], [c, d]) = (self.interleave_pairs([lower, zero]), self.interleave_pairs([upper, zero]));
        [a, b, c, d]
    }
}
