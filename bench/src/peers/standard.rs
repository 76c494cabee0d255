//! The standard library.

use std::borrow::Cow;
use std::str::from_utf8;

use super::{count_pieces, transcode};
use crate::buffer::Buffer;
use crate::ops::Answer;
use crate::sample::Sample;

pub fn validate<'a>(sample: &'a Sample, _: &mut Buffer) -> Answer<'a> {
    Answer::Number(usize::from(from_utf8(sample.bytes()).is_ok()))
}

pub fn validate_pieces<'a>(sample: &'a Sample, _: &mut Buffer) -> Answer<'a> {
    count_pieces(sample, |piece| from_utf8(piece).is_ok())
}

pub fn transcode_pieces<'a>(sample: &'a Sample, out: &mut Buffer) -> Answer<'a> {
    transcode(sample.pieces(), out.u16s_mut(), |piece, out| {
        fill(out, from_utf8(piece).unwrap_or_default().encode_utf16())
    })
}

pub fn utf16_pieces<'a>(sample: &'a Sample, out: &mut Buffer) -> Answer<'a> {
    transcode(sample.utf16_pieces(), out.bytes_mut(), |piece, out| {
        encode(out, char::decode_utf16(piece.iter().copied()))
    })
}

/// Into consecutive units; how many there were.
fn fill<T>(out: &mut [T], units: impl Iterator<Item = T>) -> usize {
    out.iter_mut().zip(units).map(|(place, unit)| *place = unit).count()
}

/// Into UTF-8; how many bytes, or 0 where there was something else than a character.
fn encode<E>(out: &mut [u8], chars: impl Iterator<Item = Result<char, E>>) -> usize {
    let mut at = 0;
    for c in chars {
        let Ok(c) = c else { return 0 };
        at += c.encode_utf8(&mut out[at..]).len();
    }
    at
}

pub fn utf8_utf16<'a>(sample: &'a Sample, out: &mut Buffer) -> Answer<'a> {
    let text = from_utf8(sample.bytes()).unwrap_or_default();
    Answer::Written(2 * fill(out.u16s_mut(), text.encode_utf16()))
}

pub fn utf8_utf16_lossy<'a>(sample: &'a Sample, out: &mut Buffer) -> Answer<'a> {
    let text = String::from_utf8_lossy(sample.bytes());
    Answer::Written(2 * fill(out.u16s_mut(), text.encode_utf16()))
}

pub fn utf8_utf32<'a>(sample: &'a Sample, out: &mut Buffer) -> Answer<'a> {
    let text = from_utf8(sample.bytes()).unwrap_or_default();
    Answer::Written(4 * fill(out.u32s_mut(), text.chars().map(u32::from)))
}

pub fn utf8_latin1<'a>(sample: &'a Sample, out: &mut Buffer) -> Answer<'a> {
    let text = from_utf8(sample.bytes()).unwrap_or_default();
    Answer::Written(fill(out.bytes_mut(), text.chars().map_while(|c| u8::try_from(c).ok())))
}

pub fn latin1_utf8<'a>(sample: &'a Sample, out: &mut Buffer) -> Answer<'a> {
    let chars = sample.bytes().iter().map(|&byte| Ok::<_, ()>(char::from(byte)));
    Answer::Written(encode(out.bytes_mut(), chars))
}

pub fn utf16_utf8<'a>(sample: &'a Sample, out: &mut Buffer) -> Answer<'a> {
    Answer::Written(encode(out.bytes_mut(), char::decode_utf16(sample.input.u16s().iter().copied())))
}

pub fn utf32_utf8<'a>(sample: &'a Sample, out: &mut Buffer) -> Answer<'a> {
    Answer::Written(encode(out.bytes_mut(), sample.input.u32s().iter().map(|&unit| char::try_from(unit))))
}

pub fn utf16_utf32<'a>(sample: &'a Sample, out: &mut Buffer) -> Answer<'a> {
    let chars = char::decode_utf16(sample.input.u16s().iter().copied()).map_while(Result::ok);
    Answer::Written(4 * fill(out.u32s_mut(), chars.map(u32::from)))
}

pub fn utf32_utf16<'a>(sample: &'a Sample, out: &mut Buffer) -> Answer<'a> {
    let (units, out) = (sample.input.u32s(), out.u16s_mut());
    let mut at = 0;
    for &unit in units {
        let Ok(c) = char::try_from(unit) else { return Answer::Written(0) };
        at += c.encode_utf16(&mut out[at..]).len();
    }
    Answer::Written(2 * at)
}

pub fn repair<'a>(sample: &'a Sample, _: &mut Buffer) -> Answer<'a> {
    Answer::Text(String::from_utf8_lossy(sample.bytes()))
}

pub fn count<'a>(sample: &'a Sample, _: &mut Buffer) -> Answer<'a> {
    Answer::Number(sample.text().chars().count())
}

pub fn count_checked<'a>(sample: &'a Sample, _: &mut Buffer) -> Answer<'a> {
    Answer::Number(from_utf8(sample.bytes()).map_or(0, |text| text.chars().count()))
}

pub fn utf8_utf16_length<'a>(sample: &'a Sample, _: &mut Buffer) -> Answer<'a> {
    Answer::Number(sample.text().encode_utf16().count())
}

pub fn utf16_utf8_length<'a>(sample: &'a Sample, _: &mut Buffer) -> Answer<'a> {
    let chars = char::decode_utf16(sample.input.u16s().iter().copied());
    Answer::Number(chars.map(|c| c.map_or(0, char::len_utf8)).sum())
}

pub fn utf32_utf8_length<'a>(sample: &'a Sample, _: &mut Buffer) -> Answer<'a> {
    let chars = sample.input.u32s().iter().map(|&unit| char::try_from(unit));
    Answer::Number(chars.map(|c| c.map_or(0, char::len_utf8)).sum())
}

pub fn latin1_utf8_length<'a>(sample: &'a Sample, _: &mut Buffer) -> Answer<'a> {
    Answer::Number(sample.bytes().iter().map(|&byte| char::from(byte).len_utf8()).sum())
}

pub fn utf16_validate<'a>(sample: &'a Sample, _: &mut Buffer) -> Answer<'a> {
    let mut chars = char::decode_utf16(sample.input.u16s().iter().copied());
    Answer::Number(usize::from(chars.all(|c| c.is_ok())))
}

pub fn utf32_validate<'a>(sample: &'a Sample, _: &mut Buffer) -> Answer<'a> {
    Answer::Number(usize::from(sample.input.u32s().iter().all(|&unit| char::try_from(unit).is_ok())))
}

/// Each unit of UTF-16 as UTF-8 would write it.
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

pub fn utf8_cesu8<'a>(sample: &'a Sample, _: &mut Buffer) -> Answer<'a> {
    Answer::Bytes(Cow::Owned(cesu8_of(sample.text())))
}

/// Samples have no NUL.
pub fn utf8_mutf8<'a>(sample: &'a Sample, out: &mut Buffer) -> Answer<'a> {
    utf8_cesu8(sample, out)
}

/// Pairs are joined, everything else must be UTF-8.
pub fn cesu8_utf8<'a>(sample: &'a Sample, _: &mut Buffer) -> Answer<'a> {
    let (mut rest, mut text) = (sample.bytes(), String::new());
    while let Some(at) = rest.windows(2).position(|pair| pair[0] == 0xED && pair[1] >= 0xA0) {
        let unit = |at: usize| 0xD000 | u16::from(rest[at + 1] & 0x3F) << 6 | u16::from(rest[at + 2] & 0x3F);
        text += from_utf8(&rest[..at]).unwrap_or_default();
        text.extend(char::decode_utf16([unit(at), unit(at + 3)]).flatten());
        rest = &rest[at + 6..];
    }
    text += from_utf8(rest).unwrap_or_default();
    Answer::Text(Cow::Owned(text))
}
