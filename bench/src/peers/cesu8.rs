//! simd_cesu8.

use crate::buffer::Buffer;
use crate::ops::Answer;
use crate::sample::Sample;
use simd_cesu8::{decode_strict, encode, mutf8};

pub fn utf8_cesu8<'a>(sample: &'a Sample, _: &mut Buffer) -> Answer<'a> {
    Answer::Bytes(encode(sample.text()))
}

pub fn cesu8_utf8<'a>(sample: &'a Sample, _: &mut Buffer) -> Answer<'a> {
    Answer::Text(decode_strict(sample.bytes()).unwrap_or_default())
}

pub fn utf8_mutf8<'a>(sample: &'a Sample, _: &mut Buffer) -> Answer<'a> {
    Answer::Bytes(mutf8::encode(sample.text()))
}

pub fn mutf8_utf8<'a>(sample: &'a Sample, _: &mut Buffer) -> Answer<'a> {
    Answer::Text(mutf8::decode_strict(sample.bytes()).unwrap_or_default())
}
