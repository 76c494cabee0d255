//! Selection of bytes with a shuffle of sixteen, whose order comes from a table. For levels without a compress instruction.

use core::mem::MaybeUninit;

use crate::vector::{Bytes, Vector};

/// A vector of sixteen bytes, which exists only where its instructions are enabled.
pub(super) trait Sixteen: Bytes {
    /// The lanes whose numbers are in the row; zero where it has no lane's number.
    fn pick(self, order: &Row) -> Self;
    /// Interleaves pairs of bytes, this vector's first: the lower half, the upper half.
    fn with_pairs(self, second: Self) -> [Self; 2];
    /// # Safety
    /// Sixteen bytes can be written at `to`.
    unsafe fn put(self, to: *mut MaybeUninit<u8>);
    /// Writes the lower eight bytes, then the upper eight.
    ///
    /// # Safety
    /// Eight bytes can be written at each pointer.
    unsafe fn put_halves(self, to: [*mut MaybeUninit<u8>; 2]);
}

/// The lanes of two vectors as pairs, if there are two vectors. A call of `map` would hide the features from the compiler.
#[inline(always)]
pub(super) fn interleaved<S: Vector>(simd: S, pair: Option<[S::Bytes; 2]>) -> Option<[S::Bytes; 2]> {
    Some(simd.interleave(pair?))
}

/// The lanes of four vectors as groups of four bytes, in order.
#[inline(always)]
pub(super) fn in_fours<S: Vector>(simd: S, [first, second, third, fourth]: [S::Bytes; 4]) -> [S::Bytes; 4] {
    let (upper, lower) = (simd.interleave([first, second]), simd.interleave([third, fourth]));
    let [a, b] = simd.interleave_pairs([upper[0], lower[0]]);
    let [c, d] = simd.interleave_pairs([upper[1], lower[1]]);
    [a, b, c, d]
}

/// Writes the bytes whose bits are set, sixteen at a time, and returns how many these are. Each group needs sixteen bytes of
/// room, however many it writes.
#[inline(always)]
pub(super) fn put_bytes<B: Sixteen, const N: usize>(
    groups: [B; N],
    lanes: u64,
    out: &mut [MaybeUninit<u8>],
    at: usize,
) -> usize {
    let out = out[at..at + 16 * N].as_mut_ptr();
    let mut n = 0;
    for i in 0..N {
        let group = groups[i];
        let (low, high) = (lanes >> (16 * i) & 0xFF, lanes >> (16 * i + 8) & 0xFF);
        let (lows, highs) = (EIGHT[low as usize], EIGHT[high as usize] | 0x0808_0808_0808_0808);
        let half = low.count_ones() as usize;
        let order = Row((u128::from(lows) | u128::from(highs) << 64).to_le_bytes());
        // SAFETY: at most sixteen bytes were written by each group before this one and eight by the first half, so the
        // eight bytes from `n` on, and from `n + half` on, are within the `16 * N` that the slice above has.
        unsafe { group.pick(&order).put_halves([out.add(n), out.add(n + half)]) }
        n += half + high.count_ones() as usize;
    }
    n
}

/// For each selection of eight bytes, the shuffle that moves the selected ones to the front, first byte lowest.
static EIGHT: [u64; 256] = {
    let mut rows = [0x8080_8080_8080_8080; 256];
    let mut lanes = 0;
    while lanes < 256 {
        let (mut from, mut to) = (0, 0);
        while from < 8 {
            if lanes >> from & 1 != 0 {
                rows[lanes] ^= (0x80 ^ from) << (8 * to);
                to += 1;
            }
            from += 1;
        }
        lanes += 1;
    }
    rows
};

/// Writes the pairs of bytes whose bits are set, eight pairs at a time, and returns how many these are. Each group needs sixteen
/// bytes of room, however many it writes.
#[inline(always)]
pub(super) fn put_pairs<B: Sixteen, const N: usize>(
    groups: [B; N],
    lanes: u64,
    out: &mut [MaybeUninit<u8>],
    at: usize,
) -> usize {
    let out = out[at..at + 16 * N].as_mut_ptr();
    let mut n = 0;
    for i in 0..N {
        let group = groups[i];
        // Counted in a whole register: sums of `u8`s would be truncated to eight bits again and again.
        let lanes = lanes >> (8 * i) & 0xFF;
        let order = &COMPRESS[lanes as usize];
        // SAFETY: at most eight pairs were written by each group before this one, so the sixteen bytes from `2 * n` on are
        // within the `16 * N` that the slice above has.
        unsafe { group.pick(order).put(out.add(2 * n)) }
        n += lanes.count_ones() as usize;
    }
    n
}

/// Like [`put_pairs`], for groups of four bytes, given as their first and second pairs; these are zeros if not given. Each group
/// needs thirty-two bytes of room.
#[inline(always)]
pub(super) fn put_quads<B: Sixteen, const N: usize>(
    low: [B; N],
    high: Option<[B; N]>,
    lanes: u64,
    out: &mut [MaybeUninit<u8>],
    at: usize,
) -> usize {
    let out = out[at..at + 32 * N].as_mut_ptr();
    let mut n = 0;
    for i in 0..N {
        let lanes = lanes >> (8 * i) & 0xFF;
        let order = &COMPRESS[lanes as usize];
        let second = match high {
            Some(high) => high[i].pick(order),
            None => low[i].saturating_sub(low[i]),
        };
        let [lower, upper] = low[i].pick(order).with_pairs(second);
        // SAFETY: at most eight quads were written by each group before this one, so the thirty-two bytes from `4 * n` on
        // are within the `32 * N` that the slice above has.
        unsafe {
            lower.put(out.add(4 * n));
            upper.put(out.add(4 * n + 16));
        }
        n += lanes.count_ones() as usize;
    }
    n
}

/// A row that can be loaded as a vector.
#[derive(Clone, Copy)]
#[repr(align(16))]
pub(super) struct Row(pub(super) [u8; 16]);

/// For each selection of eight pairs, the shuffle that moves the selected ones to the front.
pub(super) static COMPRESS: [Row; 256] = {
    let mut rows = [Row([0x80; 16]); 256];
    let mut lanes = 0;
    while lanes < 256 {
        let (mut from, mut to) = (0, 0);
        while from < 8 {
            if lanes >> from & 1 != 0 {
                rows[lanes].0[2 * to] = 2 * from;
                rows[lanes].0[2 * to + 1] = 2 * from + 1;
                to += 1;
            }
            from += 1;
        }
        lanes += 1;
    }
    rows
};

/// Writes pairs of bytes, or only the second byte if the bit is not set, eight pairs at a time. Each group needs sixteen bytes of
/// room.
#[inline(always)]
pub(super) fn put_one_or_two<B: Sixteen, const N: usize>(
    groups: [B; N],
    two: u64,
    out: &mut [MaybeUninit<u8>],
    at: usize,
) {
    let out = out[at..at + 16 * N].as_mut_ptr();
    let mut n = 0;
    for i in 0..N {
        let group = groups[i];
        let two = two >> (8 * i) & 0xFF;
        let order = &ONE_OR_TWO[two as usize];
        // SAFETY: each group before this one wrote at most sixteen bytes.
        unsafe { group.pick(order).put(out.add(n)) }
        n += 8 + two.count_ones() as usize;
    }
}

/// For each selection of eight pairs, the shuffle that drops the first bytes of the others.
pub(super) static ONE_OR_TWO: [Row; 256] = {
    let mut rows = [Row([0x80; 16]); 256];
    let mut two = 0;
    while two < 256 {
        let (mut from, mut to) = (0, 0);
        while from < 16 {
            if from % 2 == 1 || two >> (from / 2) & 1 != 0 {
                rows[two].0[to] = from;
                to += 1;
            }
            from += 1;
        }
        two += 1;
    }
    rows
};

/// Writes the last bytes of groups of four, four groups at a time: one byte, and one more for each of `two`, `three` and `four`
/// that has the bit. Each step needs sixteen bytes of room.
#[inline(always)]
pub(super) fn put_sequences<B: Sixteen, const N: usize>(
    groups: [B; N],
    [two, three, four]: [u64; 3],
    out: &mut [MaybeUninit<u8>],
    at: usize,
) {
    let out = out[at..at + 16 * N].as_mut_ptr();
    // The length minus one, in two bits.
    let (ones, twos) = (two & !three | four, three);
    let mut n = 0;
    for i in 0..N {
        let group = groups[i];
        let index = ones >> (4 * i) & 15 | (twos >> (4 * i) & 15) << 4;
        let Sequences { order, len } = &SEQUENCES[index as usize];
        // SAFETY: each group before this one wrote at most sixteen bytes.
        unsafe { group.pick(order).put(out.add(n)) }
        n += usize::from(*len);
    }
}

/// Writes four sequences of one to three bytes at a time, as [`UP_TO_THREE`] selects them. Returns the number of bytes. Each
/// group needs sixteen bytes of room.
#[cfg(all(not(placemat_plain), target_arch = "x86_64"))]
#[inline(always)]
pub(super) fn put_basic<B: Sixteen, const N: usize>(
    groups: [B; N],
    longer: u64,
    out: &mut [MaybeUninit<u8>],
    at: usize,
) -> usize {
    let out = out[at..at + 16 * N].as_mut_ptr();
    for i in 0..N {
        let group = groups[i];
        let n = 4 * i + (longer & ((1 << (8 * i)) - 1)).count_ones() as usize;
        let order = &UP_TO_THREE[(longer >> (8 * i) & 0xFF) as usize];
        // SAFETY: each group before this one wrote at most twelve bytes.
        unsafe { group.pick(order).put(out.add(n)) }
    }
    4 * N + longer.count_ones() as usize
}

/// The shuffle for the lengths of four sequences. Each length has two bits; as many are set as the sequence has bytes beyond the
/// first. Each sequence is given as four bytes: the only byte of one, the last byte of a longer one, the first byte of three, the
/// byte before the last one.
#[cfg(all(not(placemat_plain), target_arch = "x86_64"))]
pub(super) static UP_TO_THREE: [Row; 256] = {
    let mut rows = [Row([0x80; 16]); 256];
    let mut index = 0;
    while index < 256 {
        let (mut quad, mut to) = (0, 0);
        while quad < 4 {
            let (order, len): ([u8; 3], u32) = match (index >> (2 * quad) & 3u32).count_ones() {
                0 => ([0, 0, 0], 1),
                1 => ([3, 1, 0], 2),
                _ => ([2, 3, 1], 3),
            };
            let mut i = 0;
            while i < len {
                rows[index as usize].0[to] = 4 * quad as u8 + order[i as usize];
                (i, to) = (i + 1, to + 1);
            }
            quad += 1;
        }
        index += 1;
    }
    rows
};

#[derive(Clone, Copy)]
struct Sequences {
    order: Row,
    len: u8,
}

/// The shuffle for the lengths minus one of four sequences, whose lower bits come first in the index, then their upper bits. It
/// drops the leading bytes that are not needed. Also the number of bytes left.
static SEQUENCES: [Sequences; 256] = {
    let mut rows = [Sequences { order: Row([0x80; 16]), len: 0 }; 256];
    let mut index = 0;
    while index < 256 {
        let mut from = 0;
        let mut to = 0;
        while from < 16 {
            let quad = from / 4;
            let more = (index >> quad & 1) + (index >> (4 + quad) & 1) * 2;
            if from as usize % 4 + more >= 3 {
                rows[index].order.0[to] = from;
                to += 1;
            }
            from += 1;
        }
        rows[index].len = to as u8;
        index += 1;
    }
    rows
};
