//! Each library, called as one who uses it would call it. Samples are well-formed but for those of `repair`; whoever can
//! tell is asked to.

pub mod cesu8;
pub mod encoding;
pub mod ours;
pub mod simd8;
pub mod simdutf;
pub mod standard;

use crate::buffer::Buffer;
use crate::ops::Answer;
use crate::sample::Sample;

/// How many pieces of the sample are valid.
fn count_pieces<'a>(sample: &'a Sample, is_valid: impl Fn(&[u8]) -> bool) -> Answer<'a> {
    Answer::Number(sample.pieces().filter(|piece| is_valid(piece)).count())
}

/// How many units all pieces of the sample come to, each written to the start of the buffer.
fn transcode_pieces<'a>(
    sample: &'a Sample,
    out: &mut Buffer,
    convert: impl Fn(&[u8], &mut [u16]) -> usize,
) -> Answer<'a> {
    Answer::Number(sample.pieces().map(|piece| convert(piece, out.u16s_mut())).sum())
}

/// The same from UTF-16 to UTF-8.
fn transcode_utf16_pieces<'a>(
    sample: &'a Sample,
    out: &mut Buffer,
    convert: impl Fn(&[u16], &mut [u8]) -> usize,
) -> Answer<'a> {
    Answer::Number(sample.utf16_pieces().map(|piece| convert(piece, out.bytes_mut())).sum())
}
