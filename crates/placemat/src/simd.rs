//! The lane operations that kernels are written with, so that a kernel is written once and compiled for each width.
//!
//! A value of a [`Simd`] type is a *witness*: it can be had only inside a function that enables the CPU features it
//! stands for, and a vector can be had only from a witness. That is why all of this is safe to call.

#![forbid(unsafe_code)]

use core::mem::MaybeUninit;
use core::ops::{Add, BitAnd, BitOr, BitXor};

use crate::kernel::utf8::{Grammar, Window};

/// A set of vector instructions.
pub(crate) trait Simd: Copy {
    /// Bytes in a vector: 16, 32 or 64.
    const LANES: usize;
    /// A vector of bytes.
    type Bytes: Bytes;
    /// How these instructions look for what is ill-formed in UTF-8.
    type Grammar: Grammar<Self>;

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
    /// Whether [`threes`](Simd::threes) can do anything.
    const HAS_THREES: bool = false;
    /// Characters of three bytes, which `LANES * 3 / 2` bytes are, as little-endian numbers of two lanes. Nothing, if they
    /// are anything else.
    #[inline(always)]
    fn threes(self, _text: &[u8]) -> Option<Self::Bytes> {
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

/// For an upper nibble, what [`Simd::kinds`] says.
pub(crate) const KINDS: [u8; 16] = [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 0, 0, 0, 0x10];

/// For the upper nine bits of a number, up to 15, how much [`Bytes::shorter`] it is; from 16 on it is not.
pub(crate) const SHORTER: [u8; 16] = [2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1];

/// A vector of bytes.
pub(crate) trait Bytes:
    Copy + Add<Output = Self> + BitAnd<Output = Self> + BitOr<Output = Self> + BitXor<Output = Self>
{
    /// Which lanes, as the CPU likes to hold it.
    type Lanes: Lanes;

    /// Unsigned difference, or zero where it would be negative.
    fn saturating_sub(self, other: Self) -> Self;
    /// The greater of two unsigned bytes.
    fn max(self, other: Self) -> Self;
    /// The smaller of two unsigned bytes.
    fn min(self, other: Self) -> Self;
    /// The highest bit is the other one in these lanes; the other bits are anything.
    fn with_high_bit_flipped(self, lanes: Self::Lanes) -> Self;
    /// Lanes that are less as *signed* bytes: continuation bytes are those below -64.
    fn less(self, other: Self) -> Self::Lanes;
    /// Lanes that are the same.
    fn equal(self, other: Self) -> Self::Lanes;
    /// Lanes that are not less, unsigned.
    fn at_least(self, other: Self) -> Self::Lanes;
    /// The lanes given, zeros elsewhere.
    fn keep(self, lanes: Self::Lanes) -> Self;
    /// These lanes from `other`.
    fn replace(self, lanes: Self::Lanes, other: Self) -> Self;
    /// Each two lanes moved up by `N` bits as one number, the second lane on top. Below 8, zeros may come in instead of the
    /// neighbour's bits.
    fn shl<const N: u32>(self) -> Self;
    /// Each two lanes moved down by `N` bits as one number, with the same licence.
    fn shr<const N: u32>(self) -> Self;
    /// One more in these lanes.
    fn tally(self, lanes: Self::Lanes) -> Self;
    /// By how many bytes the numbers of two lanes of both vectors, in any order, are shorter than three in UTF-8.
    fn shorter(self, other: Self) -> Self;
    /// One more in each four lanes, as one little-endian number, where those of `quads` are greater, *signed*.
    fn tally_quads(self, quads: Self, limit: Self) -> Self;
    /// The lesser of two unsigned little-endian numbers of two lanes.
    fn min_units(self, other: Self) -> Self;
    /// The greater of two unsigned little-endian numbers of four lanes.
    fn max_quads(self, other: Self) -> Self;
    /// The numbers of four lanes of both vectors as numbers of two, in any order: what does not fit is FFFF, or 0 from 2³¹ on.
    fn pack_quads(self, other: Self) -> Self;
    /// The sum of all lanes.
    fn sum_bytes(self) -> u64;
    /// The sum of all lanes, which are below 8.
    #[inline(always)]
    fn sum_small(self) -> u64 {
        self.sum_bytes()
    }
    /// The sum of all numbers of four lanes; at most `i32::MAX`.
    fn sum_quads(self) -> u64;
    /// For each lane, whose value is below 16, the byte of `table` (a tile) that it numbers.
    fn lookup(self, table: Self) -> Self;
    /// The vector moved up by `N` (1, 2 or 3) lanes; zeros come in.
    fn delayed<const N: i32>(self) -> Self;
    /// The highest bit of each lane, lane 0 lowest.
    fn high_bits(self) -> u64;
    /// Whether every bit is zero.
    fn is_zero(self) -> bool;
}

/// Which lanes of a vector.
pub(crate) trait Lanes:
    Copy + BitAnd<Output = Self> + BitOr<Output = Self> + BitXor<Output = Self>
{
    /// A bit for each, lane 0 lowest.
    fn bits(self) -> u64;
}

/// At most sixteen bytes as a little-endian number, zeros above them: two overlapping reads, no loop.
#[inline(always)]
pub(crate) fn padded(bytes: &[u8]) -> u128 {
    let n = bytes.len();
    if let (Some(low), Some(high)) = (bytes.first_chunk(), bytes.last_chunk()) {
        u128::from(u64::from_le_bytes(*low)) | u128::from(u64::from_le_bytes(*high)) << (8 * (n - 8))
    } else if let (Some(low), Some(high)) = (bytes.first_chunk(), bytes.last_chunk()) {
        u128::from(
            u64::from(u32::from_le_bytes(*low)) | u64::from(u32::from_le_bytes(*high)) << (8 * (n - 4)),
        )
    } else if let [first, .., last] = bytes {
        u128::from(
            u32::from(*first) | u32::from(bytes[n / 2]) << (8 * (n / 2)) | u32::from(*last) << (8 * (n - 1)),
        )
    } else {
        bytes.first().map_or(0, |&byte| u128::from(byte))
    }
}

/// As many bytes as there is room for: pieces of a fixed size, of which the last overlaps the one before it.
#[inline(always)]
fn copy_overlapping(from: &[MaybeUninit<u8>; 256], to: &mut [MaybeUninit<u8>]) {
    macro_rules! in_pieces {
        ($($size:literal)*) => {$(
            if to.len() >= $size {
                let last = to.len() - $size;
                for at in (0..last).step_by($size) {
                    to[at..at + $size].copy_from_slice(&from[at..at + $size]);
                }
                to[last..].copy_from_slice(&from[last..last + $size]);
                return;
            }
        )*};
    }
    in_pieces!(32 16 8 4 2 1);
}
