//! Placemat.

use placemat::{Form, Status, Transcoder};

use super::count_pieces;
use crate::buffer::Buffer;
use crate::ops::Answer;
use crate::sample::Sample;

pub fn validate<'a>(sample: &'a Sample, _: &mut Buffer) -> Answer<'a> {
    Answer::Number(usize::from(placemat::validate(sample.bytes()).is_ok()))
}

pub fn validate_pieces<'a>(sample: &'a Sample, _: &mut Buffer) -> Answer<'a> {
    count_pieces(sample, |piece| placemat::validate(piece).is_ok())
}

/// All of the sample through a transcoder, into memory that the caller has.
fn transcode<'a>(from: Form, to: Form, sample: &'a Sample, out: &mut Buffer) -> Answer<'a> {
    let mut transcoder = Transcoder::new(from, to);
    let step = transcoder.push(sample.bytes(), out.bytes_mut());
    let last = transcoder.finish(&mut out.bytes_mut()[step.written..]);
    Answer::Written(if last.status == Status::Done { step.written + last.written } else { 0 })
}

pub fn utf8_utf16<'a>(sample: &'a Sample, out: &mut Buffer) -> Answer<'a> {
    transcode(Form::Utf8, Form::Utf16Le, sample, out)
}

pub fn utf8_utf32<'a>(sample: &'a Sample, out: &mut Buffer) -> Answer<'a> {
    transcode(Form::Utf8, Form::Utf32Le, sample, out)
}

pub fn utf8_latin1<'a>(sample: &'a Sample, out: &mut Buffer) -> Answer<'a> {
    transcode(Form::Utf8, Form::Iso8859_1, sample, out)
}

pub fn latin1_utf8<'a>(sample: &'a Sample, out: &mut Buffer) -> Answer<'a> {
    transcode(Form::Iso8859_1, Form::Utf8, sample, out)
}

pub fn utf16_utf8<'a>(sample: &'a Sample, out: &mut Buffer) -> Answer<'a> {
    transcode(Form::Utf16Le, Form::Utf8, sample, out)
}

pub fn utf32_utf8<'a>(sample: &'a Sample, out: &mut Buffer) -> Answer<'a> {
    transcode(Form::Utf32Le, Form::Utf8, sample, out)
}

pub fn utf16_utf32<'a>(sample: &'a Sample, out: &mut Buffer) -> Answer<'a> {
    transcode(Form::Utf16Le, Form::Utf32Le, sample, out)
}

pub fn utf32_utf16<'a>(sample: &'a Sample, out: &mut Buffer) -> Answer<'a> {
    transcode(Form::Utf32Le, Form::Utf16Le, sample, out)
}

pub fn repair<'a>(sample: &'a Sample, _: &mut Buffer) -> Answer<'a> {
    Answer::Text(placemat::repair(sample.bytes()))
}

pub fn count<'a>(sample: &'a Sample, _: &mut Buffer) -> Answer<'a> {
    Answer::Number(placemat::count(Form::Utf8, sample.bytes()))
}
