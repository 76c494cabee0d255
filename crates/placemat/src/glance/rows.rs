//! Counts the characters of many short rows at once: calling a kernel for each row takes longer than counting.

#![forbid(unsafe_code)]

use core::mem::MaybeUninit;

use crate::vector::{Bytes, Lanes, Vector, Write};

/// Rows that are counted in one call.
pub(crate) const ROWS: usize = 64;

/// How the kernel is called: with the ends of the rows, and without room to write to.
pub(crate) type Each = unsafe fn(&[u8], &mut [MaybeUninit<u8>], [u32; ROWS]) -> Option<[u32; ROWS]>;

/// The kernel, for CPUs that load a part of a vector as fast as a whole one.
pub(crate) struct EachRow;

impl Write for EachRow {
    type Setting = [u32; ROWS];
    type Answer = Option<[u32; ROWS]>;

    #[inline(always)]
    fn run<S: Vector>(s: S, src: &[u8], _: &mut [MaybeUninit<u8>], ends: [u32; ROWS]) -> Option<[u32; ROWS]> {
        if const { S::LANES < 64 } {
            return None;
        }
        let (mut counts, mut start) = ([0; ROWS], 0);
        for (count, end) in counts.iter_mut().zip(ends) {
            let mut row = src.get(start..end as usize)?;
            *count = row.len() as u32;
            while let Some((vector, rest)) = row.split_at_checked(S::LANES) {
                *count -= continuations(s, s.load(vector, 0));
                row = rest;
            }
            *count -= continuations(s, s.load_part(row));
            start = end as usize;
        }
        Some(counts)
    }
}

/// How many bytes are continuation bytes. The zeros behind the end of a row are none.
#[inline(always)]
fn continuations<S: Vector>(s: S, bytes: S::Bytes) -> u32 {
    s.splat(0x3F).at_least(bytes ^ s.splat(0x80)).bits().count_ones()
}
