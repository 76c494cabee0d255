//! Choosing bytes with a shuffle of sixteen, whose order comes from a table: for the levels that cannot compress.
//!
//! These are for SSSE3 and above; whoever calls them holds a witness.

use core::arch::x86_64::*;
use core::mem::MaybeUninit;

/// Write the bytes whose bits are set, sixteen at a time, and say how many they were. Each group takes sixteen bytes of
/// room whatever it writes.
#[inline(always)]
pub(super) fn put_bytes<const N: usize>(
    groups: [__m128i; N],
    lanes: u64,
    out: &mut [MaybeUninit<u8>],
    at: usize,
) -> usize {
    let out = out[at..at + 16 * N].as_mut_ptr();
    let mut n = 0;
    for i in 0..N {
        let group = groups[i];
        let [low, high] = ((lanes >> (16 * i)) as u16).to_le_bytes();
        let (lows, highs) = (EIGHT[usize::from(low)], EIGHT[usize::from(high)] | 0x0808_0808_0808_0808);
        let half = low.count_ones() as usize;
        // SAFETY: see above for the features. At most sixteen bytes were written by each group before this one and eight
        // by the first half, so the eight bytes from `n` on, and from `n + half` on, are within the `16 * N` that the
        // slice above has.
        unsafe {
            let packed = _mm_shuffle_epi8(group, _mm_set_epi64x(highs as i64, lows as i64));
            _mm_storel_epi64(out.add(n).cast(), packed);
            _mm_storeh_pd(out.add(n + half).cast(), _mm_castsi128_pd(packed));
        }
        n += half + high.count_ones() as usize;
    }
    n
}

/// For each choice of eight bytes, the shuffle that brings the chosen to the front, first byte lowest.
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

/// Write the pairs of bytes whose bits are set, eight pairs at a time, and say how many they were. Each group takes
/// sixteen bytes of room whatever it writes.
#[inline(always)]
pub(super) fn put_pairs<const N: usize>(
    groups: [__m128i; N],
    lanes: u64,
    out: &mut [MaybeUninit<u8>],
    at: usize,
) -> usize {
    let out = out[at..at + 16 * N].as_mut_ptr();
    let mut n = 0;
    for i in 0..N {
        let group = groups[i];
        let lanes = (lanes >> (8 * i)) as u8;
        let order = &COMPRESS[usize::from(lanes)];
        // SAFETY: see above for the features. At most eight pairs were written by each group before this one, so the
        // sixteen bytes from `2 * n` on are within the `16 * N` that the slice above has.
        unsafe {
            let packed = _mm_shuffle_epi8(group, _mm_load_si128(order.0.as_ptr().cast()));
            _mm_storeu_si128(out.add(2 * n).cast(), packed);
        }
        n += lanes.count_ones() as usize;
    }
    n
}

/// The same for four bytes each, whose first and second pairs are given; `None` stands for zeros. Each group takes
/// thirty-two bytes of room.
#[inline(always)]
pub(super) fn put_quads<const N: usize>(
    pairs: [Option<[__m128i; N]>; 2],
    lanes: u64,
    out: &mut [MaybeUninit<u8>],
    at: usize,
) -> usize {
    let out = out[at..at + 32 * N].as_mut_ptr();
    let mut n = 0;
    for i in 0..N {
        let lanes = (lanes >> (8 * i)) as u8;
        let order = &COMPRESS[usize::from(lanes)];
        // SAFETY: see above for the features. At most eight quads were written by each group before this one, so the
        // thirty-two bytes from `4 * n` on are within the `32 * N` that the slice above has.
        unsafe {
            let order = _mm_load_si128(order.0.as_ptr().cast());
            let mut packed = [_mm_setzero_si128(); 2];
            for (packed, pair) in packed.iter_mut().zip(pairs) {
                if let Some(groups) = pair {
                    *packed = _mm_shuffle_epi8(groups[i], order);
                }
            }
            let [first, second] = packed;
            _mm_storeu_si128(out.add(4 * n).cast(), _mm_unpacklo_epi16(first, second));
            _mm_storeu_si128(out.add(4 * n + 16).cast(), _mm_unpackhi_epi16(first, second));
        }
        n += lanes.count_ones() as usize;
    }
    n
}

/// A row that a vector can be loaded from at once.
#[derive(Clone, Copy)]
#[repr(align(16))]
pub(super) struct Row(pub(super) [u8; 16]);

/// For each choice of eight pairs, the shuffle that brings the chosen to the front.
static COMPRESS: [Row; 256] = {
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

/// Write pairs of bytes, or, where the bit is not set, only the second: eight pairs at a time. Each group takes sixteen
/// bytes of room.
#[inline(always)]
pub(super) fn put_one_or_two<const N: usize>(
    groups: [__m128i; N],
    two: u64,
    out: &mut [MaybeUninit<u8>],
    at: usize,
) {
    let out = out[at..at + 16 * N].as_mut_ptr();
    let mut n = 0;
    for i in 0..N {
        let group = groups[i];
        let two = (two >> (8 * i)) as u8;
        let order = &ONE_OR_TWO[usize::from(two)];
        // SAFETY: see above for the features. Each group before this one wrote at most sixteen bytes.
        unsafe {
            let packed = _mm_shuffle_epi8(group, _mm_load_si128(order.0.as_ptr().cast()));
            _mm_storeu_si128(out.add(n).cast(), packed);
        }
        n += 8 + two.count_ones() as usize;
    }
}

/// For each choice of eight pairs, the shuffle that drops the first bytes of the others.
static ONE_OR_TWO: [Row; 256] = {
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

/// Write the last bytes of quads, four quads at a time: one, or as many more as there are numbers in `longer` with the
/// bit. Each group takes sixteen bytes of room.
#[inline(always)]
pub(super) fn put_sequences<const N: usize>(
    groups: [__m128i; N],
    [two, three, four]: [u64; 3],
    out: &mut [MaybeUninit<u8>],
    at: usize,
) {
    let out = out[at..at + 16 * N].as_mut_ptr();
    // The length less one, in two bits.
    let (ones, twos) = (two & !three | four, three);
    let mut n = 0;
    for i in 0..N {
        let group = groups[i];
        let index = ones >> (4 * i) & 15 | (twos >> (4 * i) & 15) << 4;
        let Sequences { order, len } = &SEQUENCES[index as usize];
        // SAFETY: see above for the features. Each group before this one wrote at most sixteen bytes.
        unsafe {
            let packed = _mm_shuffle_epi8(group, _mm_load_si128(order.0.as_ptr().cast()));
            _mm_storeu_si128(out.add(n).cast(), packed);
        }
        n += usize::from(*len);
    }
}

#[derive(Clone, Copy)]
struct Sequences {
    order: Row,
    len: u8,
}

/// For the lengths of four sequences, less one, their lower bits below their upper bits: the shuffle that drops the
/// leading bytes that are not meant, and what is left.
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
