//! Placemat.

use placemat::{Form, Status, cesu8, latin1, mutf8, utf16, utf32};

use super::{count_pieces, transcode};
use crate::buffer::Buffer;
use crate::ops::Answer;
use crate::sample::Sample;

pub fn validate<'a>(sample: &'a Sample, _: &mut Buffer) -> Answer<'a> {
    Answer::Number(usize::from(placemat::validate(sample.bytes()).is_ok()))
}

pub fn validate_pieces<'a>(sample: &'a Sample, _: &mut Buffer) -> Answer<'a> {
    count_pieces(sample, |piece| placemat::validate(piece).is_ok())
}

pub fn transcode_pieces<'a>(sample: &'a Sample, out: &mut Buffer) -> Answer<'a> {
    transcode(sample.pieces(), out.u16s_mut(), |piece, out| utf16::from_utf8(piece, out).written)
}

pub fn utf16_pieces<'a>(sample: &'a Sample, out: &mut Buffer) -> Answer<'a> {
    transcode(sample.utf16_pieces(), out.bytes_mut(), |piece, out| utf16::to_utf8(piece, out).written)
}

/// A function that calls a face, which reads `$input` and writes units of `$size` bytes into `$output`.
macro_rules! face {
    ($name:ident, $face:path, $input:ident, $output:ident, $size:literal) => {
        pub fn $name<'a>(sample: &'a Sample, out: &mut Buffer) -> Answer<'a> {
            let step = $face(sample.input.$input(), out.$output());
            Answer::Written(if step.status == Status::Done { $size * step.written } else { 0 })
        }
    };
}

face!(utf8_utf16, utf16::from_utf8, bytes, u16s_mut, 2);
face!(utf8_utf16_lossy, utf16::from_utf8_lossy, bytes, u16s_mut, 2);
face!(utf8_utf32, utf32::from_utf8, bytes, u32s_mut, 4);
face!(utf8_latin1, latin1::from_utf8, bytes, bytes_mut, 1);
face!(latin1_utf8, latin1::to_utf8, bytes, bytes_mut, 1);
face!(utf16_utf8, utf16::to_utf8, u16s, bytes_mut, 1);
face!(utf32_utf8, utf32::to_utf8, u32s, bytes_mut, 1);
face!(utf16_utf32, utf16::to_utf32, u16s, u32s_mut, 4);
face!(utf32_utf16, utf32::to_utf16, u32s, u16s_mut, 2);

pub fn repair<'a>(sample: &'a Sample, _: &mut Buffer) -> Answer<'a> {
    Answer::Text(placemat::repair(sample.bytes()))
}

/// Text that is known to be well-formed is a `str`.
pub fn count<'a>(sample: &'a Sample, _: &mut Buffer) -> Answer<'a> {
    Answer::Number(placemat::count_str(sample.text()))
}

pub fn count_checked<'a>(sample: &'a Sample, _: &mut Buffer) -> Answer<'a> {
    Answer::Number(placemat::count(Form::Utf8, sample.bytes()))
}

pub fn utf8_utf16_length<'a>(sample: &'a Sample, _: &mut Buffer) -> Answer<'a> {
    Answer::Number(utf16::len_of_str(sample.text()))
}

/// With the check, without which there is no length.
pub fn utf16_utf8_length<'a>(sample: &'a Sample, _: &mut Buffer) -> Answer<'a> {
    Answer::Number(utf16::utf8_len(sample.input.u16s()).unwrap_or(0))
}

pub fn utf32_utf8_length<'a>(sample: &'a Sample, _: &mut Buffer) -> Answer<'a> {
    Answer::Number(utf32::utf8_len(sample.input.u32s()).unwrap_or(0))
}

pub fn latin1_utf8_length<'a>(sample: &'a Sample, _: &mut Buffer) -> Answer<'a> {
    Answer::Number(latin1::utf8_len(sample.bytes()))
}

pub fn utf16_validate<'a>(sample: &'a Sample, _: &mut Buffer) -> Answer<'a> {
    Answer::Number(usize::from(utf16::validate(sample.input.u16s()).is_ok()))
}

pub fn utf32_validate<'a>(sample: &'a Sample, _: &mut Buffer) -> Answer<'a> {
    Answer::Number(usize::from(utf32::validate(sample.input.u32s()).is_ok()))
}

pub fn utf8_cesu8<'a>(sample: &'a Sample, _: &mut Buffer) -> Answer<'a> {
    Answer::Bytes(cesu8::encode(sample.text()))
}

pub fn cesu8_utf8<'a>(sample: &'a Sample, _: &mut Buffer) -> Answer<'a> {
    Answer::Text(cesu8::decode(sample.bytes()).unwrap_or_default())
}

pub fn utf8_mutf8<'a>(sample: &'a Sample, _: &mut Buffer) -> Answer<'a> {
    Answer::Bytes(mutf8::encode(sample.text()))
}

pub fn mutf8_utf8<'a>(sample: &'a Sample, _: &mut Buffer) -> Answer<'a> {
    Answer::Text(mutf8::decode(sample.bytes()).unwrap_or_default())
}
