//! encoding_rs.

use encoding_rs::{DecoderResult, Encoding, UTF_8, mem};

use super::verdict;
use crate::ops::{Answer, Table};

const NAME: &str = "encoding_rs";

pub fn add(table: &mut Table) {
    table.add("validate", NAME, |src: &[u8], _: &mut [u8]| {
        verdict(Encoding::utf8_valid_up_to(src) == src.len())
    });
    table.add("error", NAME, |src: &[u8], _: &mut [u8]| Answer::Number(Encoding::utf8_valid_up_to(src)));
    table.add_roomy("utf8-utf16", NAME, utf8_utf16);
    table.add("convert", NAME, utf8_utf16_vec);
    table.add_roomy("utf8-utf16-lossy", NAME, |src: &[u8], dst: &mut [u16]| {
        Answer::Written(mem::convert_utf8_to_utf16(src, dst))
    });
    table.add_roomy("utf8-latin1", NAME, |src: &[u8], dst: &mut [u8]| {
        // The conversion does not check.
        let fits = mem::is_utf8_latin1(src);
        Answer::Written(if fits { mem::convert_utf8_to_latin1_lossy(src, dst) } else { 0 })
    });
    table.add_roomy("latin1-utf8", NAME, |src: &[u8], dst: &mut [u8]| {
        Answer::Written(mem::convert_latin1_to_utf8(src, dst))
    });
    // With replacement: encoding_rs has no conversion that stops.
    table.add_roomy("utf16-utf8", NAME, |src: &[u16], dst: &mut [u8]| {
        Answer::Written(mem::convert_utf16_to_utf8(src, dst))
    });
    table.add("utf16-validate", NAME, |src: &[u16], _: &mut [u8]| {
        verdict(mem::utf16_valid_up_to(src) == src.len())
    });
    table.add("repair", NAME, |src: &[u8], _: &mut [u8]| {
        Answer::Text(UTF_8.decode_without_bom_handling(src).0)
    });
}

fn utf8_utf16<'a>(src: &'a [u8], dst: &mut [u16]) -> Answer<'a> {
    let mut decoder = UTF_8.new_decoder_without_bom_handling();
    let (result, _, written) = decoder.decode_to_utf16_without_replacement(src, dst, true);
    Answer::Written(if result == DecoderResult::InputEmpty { written } else { 0 })
}

/// Converts into a vector with one unit for each byte and one more, which the library requires.
fn utf8_utf16_vec<'a>(src: &'a [u8], _: &mut [u16]) -> Answer<'a> {
    let mut units = vec![0; src.len() + 1];
    let mut decoder = UTF_8.new_decoder_without_bom_handling();
    let (result, _, written) = decoder.decode_to_utf16_without_replacement(src, &mut units, true);
    units.truncate(if result == DecoderResult::InputEmpty { written } else { 0 });
    Answer::Units(units)
}
