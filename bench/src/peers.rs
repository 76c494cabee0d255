//! Each library, called as one who uses it would call it. Samples are well-formed but for those of `repair`; whoever can
//! tell is asked to.

pub mod cesu8;
pub mod encoding;
pub mod ours;
pub mod simd8;
pub mod simdutf;
pub mod standard;

use crate::ops::Answer;
use crate::sample::Sample;

/// How many pieces of the sample are valid.
fn count_pieces<'a>(sample: &'a Sample, is_valid: impl Fn(&[u8]) -> bool) -> Answer<'a> {
    Answer::Number(sample.pieces().filter(|piece| is_valid(piece)).count())
}

/// How many units all pieces come to, each written to the start of `out`.
fn transcode<'a, T: 'a, U>(
    pieces: impl Iterator<Item = &'a [T]>,
    out: &mut [U],
    convert: impl Fn(&[T], &mut [U]) -> usize,
) -> Answer<'a> {
    Answer::Number(pieces.map(|piece| convert(piece, out)).sum())
}
