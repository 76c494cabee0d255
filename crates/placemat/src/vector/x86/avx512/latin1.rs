//! ISO 8859-1 to UTF-8 in a loop with its constants in registers. If they were in memory, a CPU could confuse their address with
//! that of a recent store a multiple of 4096 bytes away, and wait.

use core::arch::x86_64::*;
use core::hint::black_box;
use core::mem::MaybeUninit;

use super::units::Short;
use super::{Avx512, Bytes, lower_half};
use crate::vector::{Bytes as _, Vector as _};

/// The order of groups of eight bytes in which unpacking gives the pairs of the lower and of the upper half of the lanes.
const BY_HALVES: [u64; 8] = [0, 4, 1, 5, 2, 6, 3, 7];
/// The first lane of each pair.
const FIRST: u64 = 0x5555_5555_5555_5555;

ops! {
    fn in_order(v: Bytes, order: Bytes) -> Bytes = Bytes(_mm512_permutexvar_epi64(order.0, v.0));
    fn zipped(a: Bytes, b: Bytes) -> [Bytes; 2] =
        [Bytes(_mm512_unpacklo_epi8(a.0, b.0)), Bytes(_mm512_unpackhi_epi8(a.0, b.0))];
    /// The lower half as units of two bytes.
    fn widened(v: Bytes) -> Bytes = Bytes(_mm512_cvtepu8_epi16(_mm512_castsi512_si256(v.0)));
    fn upper_half(v: Bytes) -> Bytes = Bytes(_mm512_zextsi256_si512(_mm512_extracti64x4_epi64::<1>(v.0)));
}

/// Writes the first `len` bytes of a vector, with any room that is enough; returns the bytes written.
#[inline(always)]
pub(super) fn few_to_utf8(s: Avx512, bytes: Bytes, len: usize, out: &mut [MaybeUninit<u8>]) -> Option<usize> {
    // `None` if `len` is more than a vector, which happens only without enough room.
    let missing = 64_usize.checked_sub(len)?;
    let (short, [lower, upper]) = (Short::new::<false>(s), [widened(bytes), widened(upper_half(bytes))]);
    let (first, n) = short.bytes(s, lower);
    if len <= 32 {
        // Do not count the zeros behind the end.
        let n = n - (32 - len);
        if n > out.len() {
            return None;
        }
        s.store_within(first, out, 0);
        return Some(n);
    }
    let (second, more) = short.bytes(s, upper);
    s.store_two([first, second], n, n + more - missing, out)
}

/// Writes whole vectors while there is room for two for each; returns the bytes read and written. `LOOK`: with a branch for vectors of
/// ASCII.
#[inline(always)]
pub(super) fn to_utf8<const LOOK: bool>(s: Avx512, text: &[u8], out: &mut [MaybeUninit<u8>]) -> [usize; 2] {
    let (six, lead, next) = (s.splat(black_box(0xC0)), s.splat(black_box(0xC2)), s.splat(black_box(0xC3)));
    let by_halves = s.load(BY_HALVES.map(u64::to_le_bytes).as_flattened(), 0);
    let (mut at, mut n) = (0, 0);
    while let Some(block) = text.get(at..at + 64) {
        let Some(out) = out[n..].first_chunk_mut::<128>() else { break };
        at += 64;
        let bytes = s.load(block, 0);
        let two = bytes.high_bits();
        if LOOK && two == 0 {
            s.store(bytes, out, 0);
            n += 64;
            continue;
        }
        let bytes = in_order(bytes, by_halves);
        let high = bytes.at_least(six);
        let pairs = zipped(lead.replace(high, next), bytes.replace(high, bytes + six));
        s.put(pairs[0], !FIRST | s.spread(two, FIRST), out, 0);
        s.put(pairs[1], !FIRST | s.spread(two >> 32, FIRST), out, lower_half(two));
        n += 64 + two.count_ones() as usize;
    }
    [at, n]
}
