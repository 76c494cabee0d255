//! The simdutf8 crate, in the flavour that is its fastest and gives no position.

use super::count_pieces;
use crate::buffer::Buffer;
use crate::ops::Answer;
use crate::sample::Sample;

pub fn validate<'a>(sample: &'a Sample, _: &mut Buffer) -> Answer<'a> {
    Answer::Number(usize::from(simdutf8::basic::from_utf8(sample.bytes()).is_ok()))
}

pub fn validate_pieces<'a>(sample: &'a Sample, _: &mut Buffer) -> Answer<'a> {
    count_pieces(sample, |piece| simdutf8::basic::from_utf8(piece).is_ok())
}
