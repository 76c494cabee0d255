//! `io::Reader`, `io::Writer` and `Wtf8Buf` give the same results as one call on all bytes.

use std::borrow::Cow;
use std::io::{BufRead as _, Read, Write as _};

use placemat::frame::Frame;
use placemat::io::{Reader, Writer};
use placemat::wtf8::{Wtf8, Wtf8Buf};
use placemat::{
    Error, Form, Policy, Transcoder, Unencodable, cesu8, convert, errors, mutf8, valid_prefix, verdicts,
};

use crate::source::plainly;

/// A reader that gives a limited number of bytes at a time.
struct Drip<'a>(&'a [u8], &'a mut dyn FnMut() -> usize);

impl Read for Drip<'_> {
    fn read(&mut self, out: &mut [u8]) -> std::io::Result<usize> {
        let n = (1 + (self.1)()).min(self.0.len()).min(out.len());
        let (now, later) = self.0.split_at(n);
        out[..n].copy_from_slice(now);
        self.0 = later;
        Ok(n)
    }
}

/// Runs a reader and a writer of `form`, with pieces as long as `size` says.
pub(crate) fn streams(form: Form, bytes: &[u8], size: &mut dyn FnMut() -> usize) {
    let lossy = Policy::Replace.unencodable(Unencodable::Replace(None));
    let expected = plainly(Transcoder::new(form, Form::Utf8).on_error(lossy), bytes);
    let room = 1 + size();
    let mut reader = Reader::lossy(Drip(bytes, size), form);
    let mut text = Vec::new();
    if room.is_multiple_of(2) {
        let mut piece = vec![0; 4 + room];
        loop {
            let n = reader.read(&mut piece).expect("nothing stops it");
            assert!(core::str::from_utf8(&piece[..n]).is_ok(), "{form}: it cuts a character");
            text.extend_from_slice(&piece[..n]);
            if n == 0 {
                break;
            }
        }
    } else {
        while let ready @ 1.. = reader.fill_buf().expect("nothing stops it").len() {
            let n = ready.min(room);
            text.extend_from_slice(&reader.fill_buf().expect("it is there already")[..n]);
            reader.consume(n);
        }
    }
    assert_eq!((text, reader.errors()), (expected.text, expected.errors), "{form}");

    let transcoder = || Transcoder::new(Form::Utf8, form).on_error(Policy::Replace);
    let expected = plainly(transcoder(), bytes);
    let mut writer = Writer::with_transcoder(Vec::new(), transcoder());
    let mut rest = bytes;
    while !rest.is_empty() {
        let (now, later) = rest.split_at((1 + size()).min(rest.len()));
        if writer.write_all(now).is_err() {
            assert!(!expected.stops.is_empty(), "{form}: it stops for nothing");
            return;
        }
        rest = later;
    }
    match writer.finish() {
        Ok(written) => assert_eq!((written, &[][..]), (expected.text, &expected.stops[..]), "{form}"),
        Err(_) => assert!(!expected.stops.is_empty(), "{form}: it stops for nothing"),
    }
}

/// Runs the functions that read all bytes at once.
pub(crate) fn whole(bytes: &[u8]) {
    for verdict in verdicts(bytes) {
        assert_eq!(verdict.error(), errors(verdict.form(), bytes).next(), "{}", verdict.form());
    }
    let (valid, error) = valid_prefix(bytes);
    let truth = core::str::from_utf8(bytes).map_err(|error| (error.valid_up_to(), error.error_len()));
    match truth {
        Ok(_) => assert_eq!((valid, error), (bytes.len(), None)),
        Err((at, len)) => {
            assert_eq!((valid, error.map(|error| usize::from(error.length()))), (at, len));
        }
    }
    wtf8(bytes);
    frames(bytes);
    related(Form::Cesu8, cesu8::encode, cesu8::decode, bytes);
    related(Form::Mutf8, mutf8::encode, mutf8::decode, bytes);
}

fn wtf8(bytes: &[u8]) {
    let Ok(string) = Wtf8::new(bytes) else {
        assert!(errors(Form::Wtf8, bytes).next().is_some());
        return;
    };
    let units: Vec<_> = string.units().collect();
    assert_eq!(string.to_string_lossy(), String::from_utf16_lossy(&units));
    assert_eq!(string.to_str().ok(), core::str::from_utf8(bytes).ok());
    assert_eq!(units.iter().copied().collect::<Wtf8Buf>().into_bytes(), bytes);
    let mut joined = Wtf8Buf::from("");
    let middle =
        (0..=bytes.len() / 2).rev().find_map(|at| Some((string.get(0..at)?, string.get(at..bytes.len())?)));
    let (first, second) = middle.expect("the start is a boundary");
    joined.push_wtf8(first);
    joined.push_wtf8(second);
    assert_eq!(joined.as_wtf8(), string);
    // The two halves of a surrogate pair are joined.
    joined.extend([0xD83D, 0xDE00]);
    assert!(joined.into_bytes().ends_with("\u{1F600}".as_bytes()));
}

fn frames(bytes: &[u8]) {
    for frame in [Frame::Java, Frame::JavaLong, Frame::Dex] {
        // A count may be larger than the number of bytes that follow.
        if let Ok((text, rest)) = frame.read(bytes) {
            assert!(text.len() + rest.len() <= bytes.len());
        }
        let text = mutf8::encode(core::str::from_utf8(bytes).unwrap_or("a\0\u{1F600}"));
        let mut framed = Vec::new();
        frame.write(&text, &mut framed).expect("it is short");
        framed.extend_from_slice(b"rest");
        assert_eq!(frame.read(&framed), Ok((&text[..], &b"rest"[..])), "{frame:?}");
    }
}

fn related(
    form: Form,
    encode: fn(&str) -> Cow<'_, [u8]>,
    decode: fn(&[u8]) -> Result<Cow<'_, str>, Error>,
    bytes: &[u8],
) {
    if let Ok(text) = core::str::from_utf8(bytes) {
        let encoded = encode(text);
        assert_eq!(matches!(encoded, Cow::Borrowed(_)), *encoded == *bytes, "{form}");
        assert_eq!(Ok(encoded.to_vec()), convert(Form::Utf8, form, bytes), "{form}");
        assert_eq!(decode(&encoded).as_deref(), Ok(text), "{form}");
    }
    match decode(bytes) {
        Ok(text) => {
            assert_eq!(matches!(text, Cow::Borrowed(_)), *text.as_bytes() == *bytes, "{form}");
            assert_eq!(Ok(text.into_owned().into_bytes()), convert(form, Form::Utf8, bytes), "{form}");
        }
        Err(error) => {
            let found = errors(form, bytes).next().map(|error| error.offset());
            assert!(found.is_none_or(|offset| error.offset() <= offset), "{form}: {error:?}");
            assert!(convert(form, Form::Utf8, bytes).is_err(), "{form}");
        }
    }
}
