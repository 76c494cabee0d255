//! Vectors of bytes and masks of their lanes, and code for levels that lack an instruction.

#![forbid(unsafe_code)]

use core::mem::MaybeUninit;
use core::ops::{Add, BitAnd, BitOr, BitXor};

use super::plain::steps;

/// A table for [`Bytes::shorter`], by the upper nine bits of a number, up to 15; numbers from 16 on are not shorter. As two
/// numbers, the lower half first.
pub(super) const SHORTER: [u64; 2] = [0x0101_0101_0101_0102, 0x0101_0101_0101_0101];

/// A vector of bytes.
pub(crate) trait Bytes:
    Copy + Add<Output = Self> + BitAnd<Output = Self> + BitOr<Output = Self> + BitXor<Output = Self>
{
    /// A mask of lanes, in the representation that suits the CPU.
    type Lanes: Lanes;

    /// The unsigned difference, or zero if it would be negative.
    fn saturating_sub(self, other: Self) -> Self;
    /// The greater of two unsigned bytes.
    fn max(self, other: Self) -> Self;
    /// The smaller of two unsigned bytes.
    fn min(self, other: Self) -> Self;
    /// Flips the highest bit in these lanes. The other bits of the result are unspecified.
    fn with_high_bit_flipped(self, lanes: Self::Lanes) -> Self;
    /// Lanes that are less as *signed* bytes: continuation bytes are less than -64.
    fn less(self, other: Self) -> Self::Lanes;
    /// Lanes that are the same.
    fn equal(self, other: Self) -> Self::Lanes;
    /// Lanes that are greater or equal, as unsigned bytes.
    fn at_least(self, other: Self) -> Self::Lanes;
    /// Keeps these lanes; the others become zero.
    fn keep(self, lanes: Self::Lanes) -> Self;
    /// Takes these lanes from `other`.
    fn replace(self, lanes: Self::Lanes, other: Self) -> Self;
    /// Shifts each two lanes to the left by `N` bits as one number, whose upper byte is the second lane. If `N` is below 8, zeros
    /// may come in instead of the bits of the neighbour.
    fn shl<const N: u32>(self) -> Self;
    /// Shifts each two lanes to the right by `N` bits as one number; zeros may come in as for `shl`.
    fn shr<const N: u32>(self) -> Self;
    /// Adds one in these lanes.
    fn tally(self, lanes: Self::Lanes) -> Self;
    /// By how many bytes each number of two lanes is shorter than three bytes in UTF-8, for the numbers of both vectors in any
    /// order.
    fn shorter(self, other: Self) -> Self;
    /// The upper nine bits of the numbers of two lanes of both vectors, in any order, as bytes; more than 255 becomes 255. Only
    /// if masks of lanes are bits.
    #[inline(always)]
    fn upper_bits(self, _other: Self) -> Self {
        self
    }
    /// The lesser of the unsigned little-endian numbers of two lanes.
    fn min_units(self, other: Self) -> Self;
    /// Whether all unsigned little-endian numbers of two lanes are at least those of `limit`.
    #[inline(always)]
    fn are_units_from(self, limit: Self) -> bool {
        (self.min_units(limit) ^ limit).is_zero()
    }
    /// The greater of the unsigned little-endian numbers of four lanes.
    fn max_quads(self, other: Self) -> Self;
    /// The numbers of four lanes of both vectors as numbers of two lanes, in any order. A number that does not fit becomes FFFF,
    /// or 0 if it is 2³¹ or more.
    fn pack_quads(self, other: Self) -> Self;
    /// The upper halves of the numbers of four lanes of four vectors, in any order, as bytes. Those that do not fit into a byte
    /// become more than 7Eh. Only if masks of lanes are no bits.
    #[inline(always)]
    fn upper_halves([first, ..]: [Self; 4]) -> Self {
        first
    }
    /// The sum of all lanes.
    fn sum_bytes(self) -> u64;
    /// The bitwise or of all lanes.
    #[inline(always)]
    fn or_all(self) -> u8 {
        let (mut or, mut left) = (0, self);
        for bit in (0..8).rev() {
            or |= u8::from(left.high_bits() != 0) << bit;
            left = left + left;
        }
        or
    }
    /// For each lane, whose value is below 16, the byte of `table` (a tile) with that index.
    fn lookup(self, table: Self) -> Self;
    /// The vector shifted up by `N` (1, 2 or 3) lanes; zeros come in.
    fn delayed<const N: i32>(self) -> Self;
    /// The highest bit of each lane, with lane 0 in the lowest bit.
    fn high_bits(self) -> u64;
    /// Whether every bit is zero.
    fn is_zero(self) -> bool;
}

/// A mask of the lanes of a vector.
pub(crate) trait Lanes:
    Copy + BitAnd<Output = Self> + BitOr<Output = Self> + BitXor<Output = Self>
{
    /// One bit for each lane, with lane 0 in the lowest bit.
    fn bits(self) -> u64;
}

/// The last `N` bytes of at least `N`. The same as `last_chunk`, in a third of the code before optimization.
#[inline(always)]
pub(super) fn last<const N: usize>(bytes: &[u8]) -> [u8; N] {
    match bytes[bytes.len() - N..].first_chunk() {
        Some(last) => *last,
        None => [0; N],
    }
}

/// At most sixteen bytes as a little-endian number, with zeros above them: two overlapping reads and no loop.
#[inline(always)]
pub(super) fn padded(bytes: &[u8]) -> u128 {
    let n = bytes.len();
    if let Some(low) = bytes.first_chunk() {
        let high = u64::from_le_bytes(last(bytes));
        u128::from(u64::from_le_bytes(*low)) | u128::from(high) << (8 * (n - 8))
    } else if let Some(low) = bytes.first_chunk() {
        let high = u32::from_le_bytes(last(bytes));
        u128::from(u64::from(u32::from_le_bytes(*low)) | u64::from(high) << (8 * (n - 4)))
    } else if let [first, .., last] = bytes {
        u128::from(
            u32::from(*first) | u32::from(bytes[n / 2]) << (8 * (n / 2)) | u32::from(*last) << (8 * (n - 1)),
        )
    } else if let [byte] = bytes {
        u128::from(*byte)
    } else {
        0
    }
}

/// Fills `to` from the start of `from`, in pieces of a fixed size, of which the last overlaps the one before it.
#[inline(always)]
pub(super) fn copy_overlapping(from: &[MaybeUninit<u8>; 256], to: &mut [MaybeUninit<u8>]) {
    /// Copies one piece.
    macro_rules! piece {
        ($at:expr, $size:literal) => {
            to[$at..$at + $size].copy_from_slice(&from[$at..$at + $size])
        };
    }
    /// If there are less than two pieces: the first one and the last one, which may overlap.
    macro_rules! two_pieces {
        ($($size:literal)*) => {$(
            if to.len() >= $size {
                let last = to.len() - $size;
                piece!(0, $size);
                piece!(last, $size);
                return;
            }
        )*};
    }
    if to.len() >= 32 {
        let last = to.len() - 32;
        for at in steps(0..last, 32) {
            piece!(at, 32);
        }
        piece!(last, 32);
        return;
    }
    two_pieces!(16 8 4 2 1);
}
