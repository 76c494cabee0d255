//! Placemat.

use placemat::{Form, Status, Step, cesu8, latin1, mutf8, utf16, utf32};

use super::verdict;
use crate::ops::{Answer, Table};
use crate::sample::known;

const NAME: &str = "placemat";

fn written<'a>(step: Step) -> Answer<'a> {
    Answer::Written(if step.status == Status::Done { step.written } else { 0 })
}

pub fn add(table: &mut Table) {
    table.add("validate", NAME, |src: &[u8], _: &mut [u8]| verdict(placemat::validate(src).is_ok()));
    table.add("utf16-validate", NAME, |src: &[u16], _: &mut [u8]| verdict(utf16::validate(src).is_ok()));
    table.add("utf32-validate", NAME, |src: &[u32], _: &mut [u8]| verdict(utf32::validate(src).is_ok()));
    table.add("error", NAME, |src: &[u8], _: &mut [u8]| {
        Answer::Number(placemat::validate(src).map_or_else(|error| error.offset() as usize, str::len))
    });
    table.add("repair", NAME, |src: &[u8], _: &mut [u8]| Answer::Text(placemat::repair(src)));
    conversions(table);
    numbers(table);
    related(table);
}

fn conversions(table: &mut Table) {
    table.add("utf8-utf16", NAME, |src: &[u8], dst: &mut [u16]| written(utf16::from_utf8(src, dst)));
    table.add("utf8-utf16-lossy", NAME, |src: &[u8], dst: &mut [u16]| {
        written(utf16::from_utf8_lossy(src, dst))
    });
    table.add("utf8-utf32", NAME, |src: &[u8], dst: &mut [u32]| written(utf32::from_utf8(src, dst)));
    table.add("utf8-latin1", NAME, |src: &[u8], dst: &mut [u8]| written(latin1::from_utf8(src, dst)));
    table.add("latin1-utf8", NAME, |src: &[u8], dst: &mut [u8]| written(latin1::to_utf8(src, dst)));
    table.add("utf16-utf8", NAME, |src: &[u16], dst: &mut [u8]| written(utf16::to_utf8(src, dst)));
    table.add("utf32-utf8", NAME, |src: &[u32], dst: &mut [u8]| written(utf32::to_utf8(src, dst)));
    table.add("utf16-utf32", NAME, |src: &[u16], dst: &mut [u32]| written(utf16::to_utf32(src, dst)));
    table.add("utf32-utf16", NAME, |src: &[u32], dst: &mut [u16]| written(utf32::to_utf16(src, dst)));
    table.add("convert", NAME, |src: &[u8], _: &mut [u16]| {
        Answer::Bytes(placemat::convert(Form::Utf8, Form::Utf16Le, src).unwrap_or_default().into())
    });
}

fn numbers(table: &mut Table) {
    // Text that is known to be well-formed is passed as a `str`.
    table.add("count", NAME, |src: &[u8], _: &mut [u8]| Answer::Number(placemat::count_str(known(src))));
    table.add("count-checked", NAME, |src: &[u8], _: &mut [u8]| {
        Answer::Number(placemat::count(Form::Utf8, src))
    });
    table.add("utf8-utf16-length", NAME, |src: &[u8], _: &mut [u8]| {
        Answer::Number(utf16::len_of_str(known(src)))
    });
    // Includes the check: the library has no function without it.
    table.add("utf16-utf8-length", NAME, |src: &[u16], _: &mut [u8]| {
        Answer::Number(utf16::utf8_len(src).unwrap_or(0))
    });
    table.add("utf32-utf8-length", NAME, |src: &[u32], _: &mut [u8]| {
        Answer::Number(utf32::utf8_len(src).unwrap_or(0))
    });
    table.add("latin1-utf8-length", NAME, |src: &[u8], _: &mut [u8]| Answer::Number(latin1::utf8_len(src)));
}

fn related(table: &mut Table) {
    table.add("utf8-cesu8", NAME, |src: &[u8], _: &mut [u8]| Answer::Bytes(cesu8::encode(known(src))));
    table.add("cesu8-utf8", NAME, |src: &[u8], _: &mut [u8]| {
        Answer::Text(cesu8::decode(src).unwrap_or_default())
    });
    table.add("utf8-mutf8", NAME, |src: &[u8], _: &mut [u8]| Answer::Bytes(mutf8::encode(known(src))));
    table.add("mutf8-utf8", NAME, |src: &[u8], _: &mut [u8]| {
        Answer::Text(mutf8::decode(src).unwrap_or_default())
    });
}
