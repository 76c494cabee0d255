//! The lane operations that kernels are written with, so that a kernel is written once and compiled for each width.
//!
//! A value of a [`Vector`] type is a *witness*: it can be had only inside a function that enables the CPU features it
//! stands for, and a vector can be had only from a witness. That is why all of this is safe to call.
//!
//! This is the floor: nothing here knows a kernel, and all `unsafe` of kernels is here.
#![allow(
    clippy::needless_range_loop,
    reason = "an iterator over vectors need not be inlined, and then costs calls"
)]

use core::mem::MaybeUninit;

pub(crate) use bytes::{Bytes, Lanes};
use bytes::{SHORTER, copy_overlapping, padded};
pub(crate) use grammar::{Grammar, Window};
pub(crate) use plain::{lesser, steps};

#[macro_use]
mod ops;

mod bytes;
pub(crate) mod grammar;
mod plain;
pub(crate) mod prefetch;
#[cfg(not(placemat_plain))]
mod shuffle;

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

/// Whether UTF-16 ends with the first half of a pair.
#[inline(always)]
pub(crate) fn ends_open<const BIG: bool>(text: &[u8]) -> bool {
    text.len() >= 2 && text[text.len() - if BIG { 2 } else { 1 }] & 0xFC == 0xD8
}

/// What units of UTF-16 are.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Kinds {
    /// Below 800h.
    Short,
    /// No surrogates.
    Basic,
    All,
}

/// Why a run ends.
#[derive(Clone, Copy, PartialEq)]
#[allow(dead_code, reason = "only levels that have runs say all of it")]
pub(crate) enum Met {
    /// Units of other kinds, or ill-formed ones.
    Others,
    /// For a while, nothing of the widest kind.
    Calm,
    /// Less than a vector, or too little room.
    End,
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
    /// A mask of the lanes whose bits are set in `bits`, bit 0 for lane 0.
    fn lanes(self, bits: u64) -> <Self::Bytes as Bytes>::Lanes;
    /// Load `LANES` bytes from `at` on. Panics where there are fewer; a range that the compiler can check costs nothing.
    fn load(self, bytes: &[u8], at: usize) -> Self::Bytes;
    /// Load the first `LANES` bytes. Where there are fewer, zeros come after them.
    fn load_part(self, bytes: &[u8]) -> Self::Bytes;
    /// The same, fast also where the page of memory after `text` is not mapped.
    #[inline(always)]
    fn load_text(self, text: &[u8]) -> Self::Bytes {
        self.load_part(text)
    }
    /// Whether [`load_part`](Vector::load_part) is slow for a text because the page after it may not be mapped. An empty one is slow too.
    #[inline(always)]
    fn is_slow_to_load(self, _text: &[u8]) -> bool {
        false
    }
    /// Store `LANES` bytes from `at` on. Panics where there is no room.
    fn store(self, v: Self::Bytes, out: &mut [MaybeUninit<u8>], at: usize);
    /// Copy the first `to.len()` bytes of `from`, at most 256.
    #[inline(always)]
    fn copy_part(self, from: &[MaybeUninit<u8>; 256], to: &mut [MaybeUninit<u8>]) {
        copy_overlapping(from, to);
    }
    /// Whether every byte of a vector may follow the bytes before it. For a single vector: in a loop, use a `Grammar`.
    #[inline(always)]
    fn is_well_formed(self, w: Window<Self::Bytes>) -> bool {
        Self::Grammar::new(self).broken(self.splat(0), w).is_zero()
    }
    /// The lanes where a byte cannot follow what precedes it.
    #[inline(always)]
    fn broken_lanes(self, w: Window<Self::Bytes>) -> u64 {
        let broken = Self::Grammar::new(self).broken(self.splat(0), w);
        !broken.equal(self.splat(0)).bits() & !0 >> (64 - Self::LANES)
    }
    /// The longest text that [`is_short_well_formed`](Vector::is_short_well_formed) takes.
    const SHORT: usize = Self::LANES - 1;
    /// Whether a text of at most `SHORT` bytes is well-formed UTF-8. Where it can, without a branch on the length.
    #[inline(always)]
    fn is_short_well_formed(self, text: &[u8]) -> bool {
        // The zero after the last byte is no continuation, so a sequence that is cut off is broken there.
        self.is_well_formed(Window::first(self.load_text(text)))
    }
    /// The longest text that [`is_medium_well_formed`](Vector::is_medium_well_formed) takes; 0 if it is not implemented.
    const MEDIUM: usize = 0;
    /// The same of a vector or more.
    #[inline(always)]
    fn is_medium_well_formed(self, _text: &[u8]) -> bool {
        false
    }
    /// Whether UTF-16 of at most two vectors is well-formed, all but half a unit at its end. Not if that is not implemented, or needs a closer look.
    #[inline(always)]
    fn is_short_utf16<const BIG: bool>(self, _text: &[u8]) -> bool {
        false
    }
    /// The same of UTF-32.
    #[inline(always)]
    fn is_short_utf32<const BIG: bool>(self, _text: &[u8]) -> bool {
        false
    }
    /// Whether [`three_byte_run`](Vector::three_byte_run) is implemented.
    const HAS_THREE_BYTE_RUNS: bool = false;
    /// Convert `LANES * 3 / 2` bytes of UTF-8 that are all characters of three bytes to UTF-16, little-endian. `None` if they
    /// hold anything else.
    #[inline(always)]
    fn three_byte_run(self, _text: &[u8]) -> Option<Self::Bytes> {
        None
    }
    /// Whether [`lookup_seven`](Vector::lookup_seven) is implemented.
    const HAS_LOOKUP_SEVEN: bool = false;
    /// For each lane, the byte of `table` that its lower seven bits number.
    #[inline(always)]
    fn lookup_seven(self, _bytes: Self::Bytes, _table: &[u8; 128]) -> Option<Self::Bytes> {
        None
    }
    /// Write the lanes whose bits are set in `lanes`, in order. Returns how many. Always needs `LANES` bytes of room.
    fn put_bytes(self, bytes: Self::Bytes, lanes: u64, out: &mut [MaybeUninit<u8>], at: usize) -> usize;
    /// The same in any room that suffices; `None` if it does not.
    #[inline(always)]
    fn put_bytes_exactly(self, bytes: Self::Bytes, lanes: u64, out: &mut [MaybeUninit<u8>]) -> Option<usize> {
        let mut scratch = [MaybeUninit::uninit(); 256];
        let n = self.put_bytes(bytes, lanes, &mut scratch, 0);
        self.copy_part(&scratch, out.get_mut(..n)?);
        Some(n)
    }
    /// The first `n` lanes as they are, in any room that suffices; `None` if it does not.
    #[inline(always)]
    fn store_first(self, bytes: Self::Bytes, n: usize, out: &mut [MaybeUninit<u8>]) -> Option<()> {
        let mut scratch = [MaybeUninit::uninit(); 256];
        self.store(bytes, &mut scratch, 0);
        self.copy_part(&scratch, out.get_mut(..n)?);
        Some(())
    }
    /// The same with two bytes for each lane, one of each vector of `pairs`. Always needs `2 * LANES` bytes of room.
    fn put_pairs(self, pairs: [Self::Bytes; 2], lanes: u64, out: &mut [MaybeUninit<u8>], at: usize) -> usize;
    /// The same with four bytes for each lane, two of each pair; `None` stands for zeros. Always needs `4 * LANES` bytes of room.
    fn put_quads(
        self,
        pairs: [Option<[Self::Bytes; 2]>; 2],
        lanes: u64,
        out: &mut [MaybeUninit<u8>],
        at: usize,
    ) -> usize;
    /// Write two bytes for each lane whose bit is set in `two`, one of each vector, and for others the second alone. Needs
    /// `2 * LANES` bytes of room.
    fn put_one_or_two(self, pair: [Self::Bytes; 2], two: u64, out: &mut [MaybeUninit<u8>], at: usize);
    /// Write 1 to 4 bytes for each lane: the last ones of the four in `planes`. `longer[i]` has a bit for each lane of at least
    /// `i + 2` bytes. Needs `4 * LANES` bytes of room.
    fn put_sequences(
        self,
        planes: [Self::Bytes; 4],
        longer: [u64; 3],
        out: &mut [MaybeUninit<u8>],
        at: usize,
    );
    /// Take two vectors as pairs of lanes: a vector of all first lanes, and one of all second lanes.
    fn separate(self, two: [Self::Bytes; 2]) -> [Self::Bytes; 2];
    /// The same with two lanes at a time.
    fn separate_pairs(self, two: [Self::Bytes; 2]) -> [Self::Bytes; 2];
    /// Widen little-endian units of two bytes to four: the lower half of the units, then the upper half.
    #[inline(always)]
    fn widen(self, units: Self::Bytes) -> [Self::Bytes; 2] {
        self.interleave_pairs([units, self.splat(0)])
    }
    /// Narrow little-endian units of four bytes, all below 2¹⁶, to two.
    #[inline(always)]
    fn narrow(self, quads: [Self::Bytes; 2]) -> Self::Bytes {
        self.separate_pairs(quads)[0]
    }
    /// Narrow little-endian units of two bytes, all below 2⁸, to one.
    #[inline(always)]
    fn narrow_units(self, units: [Self::Bytes; 2]) -> Self::Bytes {
        self.separate(units)[0]
    }
    /// Write UTF-16 (little-endian units, all below 800h) as UTF-8. Returns the bytes written. Needs `2 * LANES` bytes of room.
    #[inline(always)]
    fn put_short(self, units: [Self::Bytes; 2], out: &mut [MaybeUninit<u8>], at: usize) -> usize {
        let [lower, upper] = self.separate(units);
        let two = (upper.at_least(self.splat(1)).bits() | lower.high_bits()) & !0 >> (64 - Self::LANES);
        let last = lower.replace(self.lanes(two), (lower & self.splat(0x3F)) | self.splat(0x80));
        let lead = (upper.shl::<2>() & self.splat(0x1C)) | (lower.shr::<6>() & self.splat(0x03));
        self.put_one_or_two([lead | self.splat(0xC0), last], two, out, at);
        Self::LANES + two.count_ones() as usize
    }
    /// The same of units that are no surrogates. Needs `4 * LANES` bytes of room.
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
    /// The same, or `None` if one is a surrogate. `only`: expect units from 800h on alone. Needs `4 * LANES` bytes of room.
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
    /// For each byte, the one of `table` that its upper half numbers.
    #[inline(always)]
    fn of_upper_half(self, bytes: Self::Bytes, table: &[u8; 16]) -> Self::Bytes {
        (bytes.shr::<4>() & self.splat(0x0F)).lookup(self.tile(table))
    }
    /// Convert UTF-16 (little-endian) that is surrogate pairs alone to UTF-8. `None` if it is not, or if the level has no fast
    /// way.
    #[inline(always)]
    fn pairs_to_utf8(self, _units: Self::Bytes) -> Option<Self::Bytes> {
        None
    }
    /// The same to UTF-32, little-endian.
    #[inline(always)]
    fn pairs_to_code_points(self, _units: Self::Bytes) -> Option<Self::Bytes> {
        None
    }
    /// Convert UTF-8 that is sequences of four bytes alone to UTF-32, little-endian. `None` as above.
    #[inline(always)]
    fn sequences_to_code_points(self, _sequences: Self::Bytes) -> Option<Self::Bytes> {
        None
    }
    /// Convert UTF-32 (little-endian) that is characters from U+10000 on alone to UTF-8. `None` as above.
    #[inline(always)]
    fn supplementary_to_utf8(self, _code_points: Self::Bytes) -> Option<Self::Bytes> {
        None
    }
    /// The same to surrogate pairs.
    #[inline(always)]
    fn supplementary_to_pairs(self, _code_points: Self::Bytes) -> Option<Self::Bytes> {
        None
    }
    /// Whether [`mixed_to_utf8`](Vector::mixed_to_utf8) and its relatives are implemented.
    const MIXES: bool = false;
    /// Whether [`mixed_to_utf16`](Vector::mixed_to_utf16) is.
    const MIXES_TO_UTF16: bool = Self::MIXES;
    /// Whether those that read UTF-16 are.
    const MIXES_UTF16: bool = Self::MIXES;
    /// Write UTF-32 (little-endian) as UTF-16. Returns the bytes written; `None` if a unit is no scalar value. Needs a vector of
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
    /// The same but for the `first` so many units, which stand before the others.
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
    /// Write UTF-32 (little-endian) as UTF-8. Returns the bytes written; `None` if a unit is no scalar value. Needs a vector of
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
    /// Write UTF-16 (little-endian) as UTF-32; a pair is written where its low surrogate is. `before` holds the units one
    /// earlier. Returns the bytes written; `None` if a low surrogate does not follow a high one, or the other way round. Needs two
    /// vectors of room.
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
    /// The same but for the `first` so many units, which stand before the others.
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
    /// The same to UTF-8, two bytes for each half of a pair. Writes at most three vectors, and needs four of room.
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
    /// Whether the ways below are implemented: with no place to write to but the destination, whatever the length.
    const STEPS: bool = false;
    /// Write UTF-16 (little-endian) as UTF-32 as far as it has no pairs, or all of a text of at most two vectors. Returns the bytes that it read
    /// and wrote; none in a text that has more to it.
    #[inline(always)]
    fn plain_to_utf32(self, _src: &[u8], _dst: &mut [MaybeUninit<u8>]) -> [usize; 2] {
        [0, 0]
    }
    /// The same of any kind, as far as it is well-formed and there is room.
    #[inline(always)]
    fn all_to_utf32(self, _src: &[u8], _dst: &mut [MaybeUninit<u8>]) -> [usize; 2] {
        [0, 0]
    }
    /// UTF-32 (little-endian) as UTF-16 in the same two ways.
    #[inline(always)]
    fn plain_to_utf16(self, _src: &[u8], _dst: &mut [MaybeUninit<u8>]) -> [usize; 2] {
        [0, 0]
    }
    #[inline(always)]
    fn all_to_utf16(self, _src: &[u8], _dst: &mut [MaybeUninit<u8>]) -> [usize; 2] {
        [0, 0]
    }
    /// Write vectors of UTF-16 of these kinds as UTF-8, two bytes for each half of a pair, from these places in the source and the
    /// destination on; before others there is no half of a pair. Returns how far it came, and why not further.
    #[inline(always)]
    fn run_to_utf8<const BIG: bool>(
        self,
        _kinds: Kinds,
        _src: &[u8],
        _dst: &mut [MaybeUninit<u8>],
        place: [usize; 2],
    ) -> ([usize; 2], Met) {
        (place, Met::End)
    }
    /// The same to the end of both, where nothing before is of other kinds. Best for a few vectors.
    #[inline(always)]
    fn rest_to_utf8<const BIG: bool>(
        self,
        _kinds: Kinds,
        _src: &[u8],
        _dst: &mut [MaybeUninit<u8>],
        place: [usize; 2],
    ) -> [usize; 2] {
        place
    }
    /// Some vectors of units below 800h, best where a text has little more: up to eight.
    #[inline(always)]
    fn short_units_to_utf8<const BIG: bool>(
        self,
        _src: &[u8],
        _dst: &mut [MaybeUninit<u8>],
        place: [usize; 2],
    ) -> [usize; 2] {
        place
    }
    /// All of a text of at most two vectors, or more where there is much room, in the same way, if it is well-formed and does not end
    /// with half a pair. Returns the bytes that it takes. Needs the room that four vectors take.
    #[inline(always)]
    fn short_to_utf8<const BIG: bool>(self, _src: &[u8], _out: &mut [MaybeUninit<u8>]) -> Option<usize> {
        None
    }
    /// Write the first `len` bytes of a vector of ISO 8859-1, at most 64, as UTF-8, in any room that suffices: how many bytes. Only where
    /// `LANES` is 64.
    #[inline(always)]
    fn few_latin1_to_utf8(
        self,
        _bytes: Self::Bytes,
        _len: usize,
        _out: &mut [MaybeUninit<u8>],
    ) -> Option<usize> {
        None
    }
    /// Write whole vectors of ISO 8859-1 as UTF-8, as far as there is room for two each: how many bytes. With the widest vectors only.
    /// `LOOK`: for vectors of ASCII, where there are many.
    #[inline(always)]
    fn latin1_to_utf8<const LOOK: bool>(self, _text: &[u8], _out: &mut [MaybeUninit<u8>]) -> usize {
        0
    }
    /// Interleave the lanes of two vectors: the lower half of the result, then the upper half.
    fn interleave(self, pairs: [Self::Bytes; 2]) -> [Self::Bytes; 2];
    /// The same with two lanes at a time.
    fn interleave_pairs(self, quads: [Self::Bytes; 2]) -> [Self::Bytes; 2];
    /// Widen each lane to two bytes: the lower half, then the upper half.
    #[inline(always)]
    fn widen_twofold(self, v: Self::Bytes) -> [Self::Bytes; 2] {
        self.interleave([v, self.splat(0)])
    }
    /// Widen each lane to four bytes: the four quarters.
    #[inline(always)]
    fn widen_fourfold(self, v: Self::Bytes) -> [Self::Bytes; 4] {
        let zero = self.splat(0);
        let [lower, upper] = self.interleave([v, zero]);
        let ([a, b], [c, d]) = (self.interleave_pairs([lower, zero]), self.interleave_pairs([upper, zero]));
        [a, b, c, d]
    }
}
