//! encoding_rs.

use encoding_rs::{DecoderResult, Encoding, UTF_8, mem};

use super::{count_pieces, transcode};
use crate::buffer::Buffer;
use crate::ops::Answer;
use crate::sample::Sample;

pub fn validate<'a>(sample: &'a Sample, _: &mut Buffer) -> Answer<'a> {
    let bytes = sample.bytes();
    Answer::Number(usize::from(Encoding::utf8_valid_up_to(bytes) == bytes.len()))
}

pub fn validate_pieces<'a>(sample: &'a Sample, _: &mut Buffer) -> Answer<'a> {
    count_pieces(sample, |piece| Encoding::utf8_valid_up_to(piece) == piece.len())
}

pub fn transcode_pieces<'a>(sample: &'a Sample, out: &mut Buffer) -> Answer<'a> {
    transcode(sample.pieces(), out.u16s_mut(), |piece, out| {
        let mut decoder = UTF_8.new_decoder_without_bom_handling();
        let (result, _, written) = decoder.decode_to_utf16_without_replacement(piece, out, true);
        if result == DecoderResult::InputEmpty { written } else { 0 }
    })
}

pub fn utf16_pieces<'a>(sample: &'a Sample, out: &mut Buffer) -> Answer<'a> {
    transcode(sample.utf16_pieces(), out.bytes_mut(), |piece, out| mem::convert_utf16_to_utf8(piece, out))
}

pub fn utf8_utf16<'a>(sample: &'a Sample, out: &mut Buffer) -> Answer<'a> {
    let mut decoder = UTF_8.new_decoder_without_bom_handling();
    let (result, _, written) =
        decoder.decode_to_utf16_without_replacement(sample.bytes(), out.u16s_mut(), true);
    Answer::Written(if result == DecoderResult::InputEmpty { 2 * written } else { 0 })
}

pub fn utf8_utf16_lossy<'a>(sample: &'a Sample, out: &mut Buffer) -> Answer<'a> {
    Answer::Written(2 * mem::convert_utf8_to_utf16(sample.bytes(), out.u16s_mut()))
}

pub fn utf8_latin1<'a>(sample: &'a Sample, out: &mut Buffer) -> Answer<'a> {
    let bytes = sample.bytes();
    // The conversion does not check.
    let fits = mem::is_utf8_latin1(bytes);
    Answer::Written(if fits { mem::convert_utf8_to_latin1_lossy(bytes, out.bytes_mut()) } else { 0 })
}

pub fn latin1_utf8<'a>(sample: &'a Sample, out: &mut Buffer) -> Answer<'a> {
    Answer::Written(mem::convert_latin1_to_utf8(sample.bytes(), out.bytes_mut()))
}

/// With replacement: encoding_rs has no other.
pub fn utf16_utf8<'a>(sample: &'a Sample, out: &mut Buffer) -> Answer<'a> {
    Answer::Written(mem::convert_utf16_to_utf8(sample.input.u16s(), out.bytes_mut()))
}

pub fn utf16_validate<'a>(sample: &'a Sample, _: &mut Buffer) -> Answer<'a> {
    let units = sample.input.u16s();
    Answer::Number(usize::from(mem::utf16_valid_up_to(units) == units.len()))
}

pub fn repair<'a>(sample: &'a Sample, _: &mut Buffer) -> Answer<'a> {
    Answer::Text(UTF_8.decode_without_bom_handling(sample.bytes()).0)
}
