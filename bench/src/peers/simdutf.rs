//! The simdutf crate: the C++ library, bundled.

use super::{count_pieces, transcode};
use crate::buffer::Buffer;
use crate::ops::Answer;
use crate::sample::Sample;

pub fn validate<'a>(sample: &'a Sample, _: &mut Buffer) -> Answer<'a> {
    Answer::Number(usize::from(simdutf::validate_utf8(sample.bytes())))
}

pub fn validate_pieces<'a>(sample: &'a Sample, _: &mut Buffer) -> Answer<'a> {
    count_pieces(sample, simdutf::validate_utf8)
}

pub fn transcode_pieces<'a>(sample: &'a Sample, out: &mut Buffer) -> Answer<'a> {
    transcode(sample.pieces(), out.u16s_mut(), |piece, out| {
        // SAFETY: both are valid for their length; a piece is much shorter than the buffer.
        unsafe { simdutf::convert_utf8_to_utf16le(piece.as_ptr(), piece.len(), out.as_mut_ptr()) }
    })
}

pub fn utf16_pieces<'a>(sample: &'a Sample, out: &mut Buffer) -> Answer<'a> {
    transcode(sample.utf16_pieces(), out.bytes_mut(), |piece, out| {
        // SAFETY: as above.
        unsafe { simdutf::convert_utf16le_to_utf8(piece.as_ptr(), piece.len(), out.as_mut_ptr()) }
    })
}

pub fn count<'a>(sample: &'a Sample, _: &mut Buffer) -> Answer<'a> {
    Answer::Number(simdutf::count_utf8(sample.bytes()))
}

/// It counts without a look at what it counts.
pub fn count_checked<'a>(sample: &'a Sample, _: &mut Buffer) -> Answer<'a> {
    let bytes = sample.bytes();
    Answer::Number(if simdutf::validate_utf8(bytes) { simdutf::count_utf8(bytes) } else { 0 })
}

/// A function that calls `$number`, which looks at `$input`.
macro_rules! look {
    ($name:ident, $number:ident, $input:ident) => {
        pub fn $name<'a>(sample: &'a Sample, _: &mut Buffer) -> Answer<'a> {
            Answer::Number(usize::from(simdutf::$number(sample.input.$input())))
        }
    };
}

look!(utf8_utf16_length, utf16_length_from_utf8, bytes);
look!(utf16_utf8_length, utf8_length_from_utf16le, u16s);
look!(utf32_utf8_length, utf8_length_from_utf32, u32s);
look!(latin1_utf8_length, utf8_length_from_latin1, bytes);
look!(utf16_validate, validate_utf16le, u16s);
look!(utf32_validate, validate_utf32, u32s);

/// A function that calls `$convert`, which reads `$input` and writes units of `$size` bytes into `$output`.
macro_rules! conversion {
    ($name:ident, $convert:ident, $input:ident, $output:ident, $size:literal) => {
        pub fn $name<'a>(sample: &'a Sample, out: &mut Buffer) -> Answer<'a> {
            let (src, dst) = (sample.input.$input(), out.$output());
            // SAFETY: both are valid for their length; `out` holds the longest result there can be (`main`).
            Answer::Written($size * unsafe { simdutf::$convert(src.as_ptr(), src.len(), dst.as_mut_ptr()) })
        }
    };
}

conversion!(utf8_utf16, convert_utf8_to_utf16le, bytes, u16s_mut, 2);
conversion!(utf8_utf32, convert_utf8_to_utf32, bytes, u32s_mut, 4);
conversion!(utf8_latin1, convert_utf8_to_latin1, bytes, bytes_mut, 1);
conversion!(latin1_utf8, convert_latin1_to_utf8, bytes, bytes_mut, 1);
conversion!(utf16_utf8, convert_utf16le_to_utf8, u16s, bytes_mut, 1);
conversion!(utf32_utf8, convert_utf32_to_utf8, u32s, bytes_mut, 1);
conversion!(utf16_utf32, convert_utf16le_to_utf32, u16s, u32s_mut, 4);
conversion!(utf32_utf16, convert_utf32_to_utf16le, u32s, u16s_mut, 2);
