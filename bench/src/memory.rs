//! Measures the limit set by memory: the least time to read the input and write as many bytes as the output has.

use std::hint::black_box;

use crate::buffer::{Buffer, Unit};
use crate::lines::MEMORY;
use crate::ops::Peer;
use crate::sample::Sample;

/// Words of 8 bytes that are read before the next part of the output is written.
const BLOCK: usize = 512;

/// A peer that reads the input, writes as many bytes as the output has, and does nothing else.
pub fn peer(written: usize) -> Peer {
    let pass = move |sample: &Sample, out: &mut Buffer| {
        let (src, dst) = (u64::of(&sample.input), &mut u64::of_mut(out)[..written / 8]);
        let share = (BLOCK * dst.len()).div_ceil(src.len().max(1)).max(1);
        let mut sum = 0;
        let mut writes = dst.chunks_mut(share);
        for block in src.chunks(BLOCK) {
            sum |= pass(block, writes.next().unwrap_or_default());
        }
        sum as usize
    };
    Peer::unchecked(MEMORY, Box::new(pass))
}

/// Reads the input and writes the output with the widest vectors.
fn pass(src: &[u64], dst: &mut [u64]) -> u64 {
    #[cfg(target_arch = "x86_64")]
    {
        if std::is_x86_feature_detected!("avx512f") {
            // SAFETY: the CPU has it.
            return unsafe { pass_avx512(src, dst) };
        }
        if std::is_x86_feature_detected!("avx2") {
            // SAFETY: the CPU has it.
            return unsafe { pass_avx2(src, dst) };
        }
    }
    touch(src, dst)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f")]
fn pass_avx512(src: &[u64], dst: &mut [u64]) -> u64 {
    touch(src, dst)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn pass_avx2(src: &[u64], dst: &mut [u64]) -> u64 {
    touch(src, dst)
}

#[inline(always)]
fn touch(src: &[u64], dst: &mut [u64]) -> u64 {
    // The words differ, so that the compiler does not replace the loop by a call of `memset`, which may use other stores.
    let first = black_box(1);
    dst.iter_mut().zip(first..).for_each(|(word, value)| *word = value);
    src.iter().fold(0, |sum, word| sum | word)
}
