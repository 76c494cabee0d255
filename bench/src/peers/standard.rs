//! The standard library: all other answers are compared with its answers.

use std::borrow::Cow;
use std::str::from_utf8;

use super::verdict;
use crate::ops::{Answer, Table};
use crate::sample::known;

const NAME: &str = "std";

pub fn add(table: &mut Table) {
    table.add("validate", NAME, |src: &[u8], _: &mut [u8]| verdict(from_utf8(src).is_ok()));
    table.add("utf16-validate", NAME, |src: &[u16], _: &mut [u8]| {
        verdict(char::decode_utf16(src.iter().copied()).all(|c| c.is_ok()))
    });
    table.add("utf32-validate", NAME, |src: &[u32], _: &mut [u8]| {
        verdict(src.iter().all(|&unit| char::try_from(unit).is_ok()))
    });
    table.add("error", NAME, |src: &[u8], _: &mut [u8]| {
        Answer::Number(from_utf8(src).map_or_else(|error| error.valid_up_to(), str::len))
    });
    table.add("repair", NAME, |src: &[u8], _: &mut [u8]| Answer::Text(String::from_utf8_lossy(src)));
    from_utf8_to_units(table);
    to_utf8(table);
    between_units(table);
    numbers(table);
    related(table);
}

/// Writes the units one after the other; returns how many.
fn fill<'a, T>(out: &mut [T], units: impl Iterator<Item = T>) -> Answer<'a> {
    Answer::Written(out.iter_mut().zip(units).map(|(place, unit)| *place = unit).count())
}

/// Writes UTF-8; returns the number of bytes, or 0 if the input is not all characters.
fn encode<'a, E>(out: &mut [u8], chars: impl Iterator<Item = Result<char, E>>) -> Answer<'a> {
    let mut at = 0;
    for c in chars {
        let Ok(c) = c else { return Answer::Written(0) };
        at += c.encode_utf8(&mut out[at..]).len();
    }
    Answer::Written(at)
}

fn from_utf8_to_units(table: &mut Table) {
    table.add("utf8-utf16", NAME, |src: &[u8], dst: &mut [u16]| {
        fill(dst, from_utf8(src).unwrap_or_default().encode_utf16())
    });
    table.add("convert", NAME, |src: &[u8], _: &mut [u16]| {
        Answer::Units(from_utf8(src).unwrap_or_default().encode_utf16().collect())
    });
    table.add("utf8-utf16-lossy", NAME, |src: &[u8], dst: &mut [u16]| {
        fill(dst, String::from_utf8_lossy(src).encode_utf16())
    });
    table.add("utf8-utf32", NAME, |src: &[u8], dst: &mut [u32]| {
        fill(dst, from_utf8(src).unwrap_or_default().chars().map(u32::from))
    });
    table.add("utf8-latin1", NAME, |src: &[u8], dst: &mut [u8]| {
        fill(dst, from_utf8(src).unwrap_or_default().chars().map_while(|c| u8::try_from(c).ok()))
    });
}

fn to_utf8(table: &mut Table) {
    table.add("latin1-utf8", NAME, |src: &[u8], dst: &mut [u8]| {
        encode(dst, src.iter().map(|&byte| Ok::<_, ()>(char::from(byte))))
    });
    table.add("utf16-utf8", NAME, |src: &[u16], dst: &mut [u8]| {
        encode(dst, char::decode_utf16(src.iter().copied()))
    });
    table.add("utf32-utf8", NAME, |src: &[u32], dst: &mut [u8]| {
        encode(dst, src.iter().map(|&unit| char::try_from(unit)))
    });
}

fn between_units(table: &mut Table) {
    table.add("utf16-utf32", NAME, |src: &[u16], dst: &mut [u32]| {
        fill(dst, char::decode_utf16(src.iter().copied()).map_while(Result::ok).map(u32::from))
    });
    table.add("utf32-utf16", NAME, |src: &[u32], dst: &mut [u16]| {
        let mut at = 0;
        for &unit in src {
            let Ok(c) = char::try_from(unit) else { return Answer::Written(0) };
            at += c.encode_utf16(&mut dst[at..]).len();
        }
        Answer::Written(at)
    });
}

fn numbers(table: &mut Table) {
    table.add("count", NAME, |src: &[u8], _: &mut [u8]| Answer::Number(known(src).chars().count()));
    table.add("count-checked", NAME, |src: &[u8], _: &mut [u8]| {
        Answer::Number(from_utf8(src).map_or(0, |text| text.chars().count()))
    });
    table.add("utf8-utf16-length", NAME, |src: &[u8], _: &mut [u8]| {
        Answer::Number(known(src).encode_utf16().count())
    });
    table.add("utf16-utf8-length", NAME, |src: &[u16], _: &mut [u8]| {
        let chars = char::decode_utf16(src.iter().copied());
        Answer::Number(chars.map(|c| c.map_or(0, char::len_utf8)).sum())
    });
    table.add("utf32-utf8-length", NAME, |src: &[u32], _: &mut [u8]| {
        Answer::Number(src.iter().map(|&unit| char::try_from(unit).map_or(0, char::len_utf8)).sum())
    });
    table.add("latin1-utf8-length", NAME, |src: &[u8], _: &mut [u8]| {
        Answer::Number(src.iter().map(|&byte| char::from(byte).len_utf8()).sum())
    });
}

fn related(table: &mut Table) {
    table.add("utf8-cesu8", NAME, utf8_cesu8);
    // Samples contain no NUL, so MUTF-8 writes none as C0 80.
    table.add("utf8-mutf8", NAME, utf8_cesu8);
    table.add("cesu8-utf8", NAME, cesu8_utf8);
    table.add("mutf8-utf8", NAME, cesu8_utf8);
}

/// Encodes each unit of UTF-16 as UTF-8 would encode a code point of that value.
pub fn cesu8_of(text: &str) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(text.len());
    for unit in text.encode_utf16() {
        match char::from_u32(u32::from(unit)) {
            Some(c) => bytes.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes()),
            None => bytes.extend([0xED, 0x80 | (unit >> 6 & 0x3F) as u8, 0x80 | (unit & 0x3F) as u8]),
        }
    }
    bytes
}

fn utf8_cesu8<'a>(src: &'a [u8], _: &mut [u8]) -> Answer<'a> {
    Answer::Bytes(Cow::Owned(cesu8_of(known(src))))
}

/// CESU-8 to UTF-8: pairs are joined, everything else must be UTF-8.
fn cesu8_utf8<'a>(src: &'a [u8], _: &mut [u8]) -> Answer<'a> {
    let (mut rest, mut text) = (src, String::new());
    while let Some(at) = rest.windows(2).position(|pair| pair[0] == 0xED && pair[1] >= 0xA0) {
        let unit = |at: usize| 0xD000 | u16::from(rest[at + 1] & 0x3F) << 6 | u16::from(rest[at + 2] & 0x3F);
        text += from_utf8(&rest[..at]).unwrap_or_default();
        text.extend(char::decode_utf16([unit(at), unit(at + 3)]).flatten());
        rest = &rest[at + 6..];
    }
    text += from_utf8(rest).unwrap_or_default();
    Answer::Text(Cow::Owned(text))
}
