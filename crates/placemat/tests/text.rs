//! Compares functions that return text, and the validator of chunks, with the standard library.

#![cfg(feature = "alloc")]

mod common;

use std::borrow::Cow;

use common::Random;
use placemat::{
    ErrorKind, Form, Policy, Status, Text, Transcoder, Unencodable, Validator, convert_with, decode,
    decode_lossy, escaped, into_string, into_string_lossy, latin1, utf16, validate,
};

const TEXTS: [&[u8]; 12] = [
    b"",
    b"plain",
    "naïve € \u{1F600}!".as_bytes(),
    b"\xFF",
    b"a\xE2\x82",
    b"a\xE2\x82b",
    b"\xE0\x80",
    b"\xF0\x9F\x98",
    b"\xED\xA0\x80",
    b"\xF4\x90\x80\x80",
    b"\xC3\xC3\xA9",
    b"\x80\xE2\x82\xAC",
];

#[test]
fn chunks_do_not_matter_to_the_validator() {
    for text in TEXTS {
        for cuts in 0..1_u32 << text.len().saturating_sub(1).min(12) {
            let (mut validator, mut start) = (Validator::new(), 0);
            let mut result = Ok(());
            for end in 1..=text.len() {
                if end == text.len() || cuts >> (end - 1) & 1 == 1 {
                    result = result.and(validator.push(&text[start..end]));
                    start = end;
                }
            }
            assert_eq!(result.and(validator.finish()), validate(text).map(|_| ()), "{text:02X?} {cuts:b}");
        }
    }
}

#[test]
fn the_validator_fails_with_the_first_byte_that_cannot_be() {
    let mut validator = Validator::new();
    for byte in *b"a\xE0" {
        validator.push(&[byte]).unwrap();
    }
    let error = validator.push(b"\x80").unwrap_err();
    assert_eq!((error.offset(), error.length()), (1, 1));
    assert_eq!(validator.push(b"fine"), Err(error));
    assert_eq!(validator.finish(), Err(error));
}

#[test]
fn strings_are_those_of_std() {
    for text in TEXTS {
        assert_eq!(decode_lossy(Form::Utf8, text), String::from_utf8_lossy(text));
        assert_eq!(into_string_lossy(text.to_vec()), String::from_utf8_lossy(text));
        assert_eq!(decode(Form::Utf8, text).ok().as_deref(), std::str::from_utf8(text).ok());
        match into_string(text.to_vec()) {
            Ok(string) => assert_eq!(string.as_bytes(), text),
            Err(refused) => {
                assert_eq!(Err(*refused.error()), validate(text));
                assert_eq!(refused.into_bytes(), text);
            }
        }
        if let Ok(string) = std::str::from_utf8(text) {
            let units: Vec<u16> = string.encode_utf16().collect();
            assert_eq!(utf16::to_vec(text).as_ref(), Ok(&units));
            assert_eq!(utf16::to_string(&units).as_deref(), Ok(string));
        } else {
            assert_eq!(utf16::to_vec(text).err(), validate(text).err());
        }
    }
    let error = utf16::to_string(&[0x61, 0xD800]).unwrap_err();
    // The end cuts the sequence off; offsets are in units.
    assert_eq!((error.kind(), error.offset()), (ErrorKind::Truncated, 1));
}

#[test]
fn into_string_keeps_its_buffer() {
    let bytes = b"plain".to_vec();
    let at = bytes.as_ptr();
    let string = into_string_lossy(bytes);
    assert_eq!(string.as_ptr(), at);
}

#[test]
fn lossy_is_total() {
    for &from in Form::ALL {
        for &to in Form::ALL {
            for text in [
                &b"x\xED\xA0\xBDy"[..],
                b"\xFF\xFE\x00\xD8",
                b"\x00\xD8\x00\xDC",
                b"+2D0-",
                "\u{10FFFF}".as_bytes(),
            ] {
                let lossy = Transcoder::new(from, to).on_error(Policy::Lossy);
                assert!(convert_with(lossy, text).is_ok(), "{from} to {to}: {text:02X?}");
            }
        }
    }
    assert_eq!(decode_lossy(Form::Mutf8, b"x\xED\xA0\xBDy"), "x\u{FFFD}y");
}

#[test]
fn a_transcoder_that_is_lent_counts_its_errors() {
    let mut transcoder = Transcoder::new(Form::Utf8, Form::Utf8).on_error(Policy::Replace);
    assert_eq!(convert_with(&mut transcoder, b"a\xFFb\xFF").unwrap(), "a\u{FFFD}b\u{FFFD}".as_bytes());
    assert_eq!(transcoder.errors(), 2);
}

#[test]
fn latin1_has_lossy_ways_to_it() {
    let mut out = [0; 80];
    let written = latin1::from_utf8_lossy("3 € \u{1F600} é\u{FFFD}".as_bytes(), &mut out).ok().unwrap();
    assert_eq!(out[..written], *b"3 ? ? \xE9?");
    let long = "é€".repeat(20);
    let written = latin1::from_utf8_lossy(long.as_bytes(), &mut out).ok().unwrap();
    assert_eq!(out[..written], *b"\xE9?".repeat(20));
    assert_eq!(latin1::from_utf8_lossy(b"a\xFFb", &mut out).ok(), Ok(3));
    assert_eq!(out[..3], *b"a?b");
}

#[test]
fn a_step_is_a_result() {
    assert_eq!(utf16::from_utf8(b"abc", &mut [0; 3]).ok(), Ok(3));
    assert_eq!(utf16::from_utf8(b"abc", &mut [0; 2]).ok(), Err(Status::NeedOutput));
    assert!(matches!(utf16::from_utf8(b"\xFF", &mut [0; 2]).ok(), Err(Status::Failed(_))));
}

#[test]
fn a_text_takes_strings_whole_or_not_at_all() {
    use std::fmt::Write as _;
    let mut text = Text::new();
    write!(text, "&#{};", 8364).unwrap();
    text.push_str(&"x".repeat(Text::CAPACITY - 7)).unwrap();
    assert_eq!(text.code_points().len(), Text::CAPACITY);
    assert_eq!(text.push_str("y"), Err('y'.into()));
    let mut text = Text::new();
    assert!(text.push_str(&"x".repeat(Text::CAPACITY + 1)).is_err());
    assert_eq!(text.code_points(), []);
}

#[test]
fn names_are_parsed() {
    for &form in Form::ALL {
        assert_eq!(form.name().parse(), Ok(form));
        assert_eq!(Form::try_from(form.name()), Ok(form));
    }
    for &kind in ErrorKind::ALL {
        assert_eq!(kind.name().parse(), Ok(kind));
    }
    assert_eq!("ncr".parse(), Ok(Unencodable::Ncr));
    assert_eq!("nothing".parse::<Policy>().unwrap_err().to_string(), "no policy has this name");
}

#[test]
fn any_bytes_come_back_from_text() {
    let mut random = Random::new(4);
    for _ in 0..50_000 {
        let bytes: Vec<u8> = (0..random.below(16))
            .map(|_| random.pick(b"\\\\x5c89ef\xE9\xC3\xA9\xFF\xF0\x9F\x98\x80\xED"))
            .collect();
        let text = escaped::from_bytes(&bytes);
        assert_eq!(*escaped::to_bytes(&text), *bytes, "{text}");
        // Without a backslash, well-formed text stays as it is.
        if let Ok(plain) = std::str::from_utf8(&bytes)
            && !plain.contains('\\')
        {
            assert!(matches!(text, Cow::Borrowed(same) if same == plain));
        }
    }
    let all: Vec<u8> = (0..=255).collect();
    assert_eq!(*escaped::to_bytes(&escaped::from_bytes(&all)), *all);
}
