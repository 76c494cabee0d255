//! The frames of Modified UTF-8, WTF-8 strings, and the differences between CESU-8 and UTF-8, beyond the vectors.
#![cfg(feature = "alloc")]

mod common;

use std::borrow::Cow;

use common::Random;
use placemat::frame::Frame;
use placemat::wtf8::{Wtf8, Wtf8Buf};
use placemat::{CodePoint, Form, cesu8, convert, mutf8};

#[test]
fn java_counts_bytes_to_65535() {
    let text = [b'a'; 65_536];
    assert_eq!(Frame::Java.header(&text[1..]).unwrap().as_bytes(), [0xFF, 0xFF]);
    let error = Frame::Java.header(&text).unwrap_err();
    assert_eq!((error.kind().name(), error.offset(), error.length()), ("unencodable", 65_535, 0));
    let mut out = vec![1];
    assert!(Frame::Java.write(&text, &mut out).is_err());
    assert_eq!(out, [1], "nothing is written of what is refused");
    assert_eq!(Frame::JavaLong.header(&text).unwrap().as_bytes(), [0, 0, 0, 0, 0, 1, 0, 0]);
}

#[test]
fn a_count_is_only_a_promise() {
    for (frame, bytes, kind, length) in [
        (Frame::Java, &b""[..], "truncated", 0),
        (Frame::Java, b"\x00", "truncated", 1),
        (Frame::Java, b"\xFF\xFFab", "truncated", 2),
        (Frame::JavaLong, b"\x7F\xFF\xFF\xFF\xFF\xFF\xFF\xFFab", "truncated", 8),
        (Frame::JavaLong, b"\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFFab", "truncated", 8),
        (Frame::Dex, b"\xFF\xFF\xFF\xFF\x0Fab", "truncated", 5),
        (Frame::Dex, b"\xFF\xFF\xFF\xFF\x1Fab", "too-large", 5),
        (Frame::Dex, b"\xFF\xFF\xFF\xFF\xFF", "too-large", 5),
        (Frame::Dex, b"\x80\x80", "truncated", 2),
        (Frame::Dex, b"\x02ab", "truncated", 1),
        (Frame::Dex, b"\x03ab\0", "non-canonical", 1),
        (Frame::Dex, b"\x01ab\0", "non-canonical", 1),
        (Frame::Dex, b"\x01ab", "non-canonical", 1),
        (Frame::Dex, b"\x01abcdefg", "non-canonical", 1),
        (Frame::Dex, b"\x01\x80\x80\x80\x80\x80\x80", "non-canonical", 1),
    ] {
        let error = frame.read(bytes).unwrap_err();
        assert_eq!(
            (error.kind().name(), error.offset(), error.length()),
            (kind, 0, length),
            "{frame:?} {bytes:02X?}"
        );
    }
    assert_eq!(Frame::Dex.header(b"a\0b").unwrap_err().range(), 1..2);
}

#[test]
fn frames_come_back() {
    let mut random = Random::new(1);
    for frame in [Frame::Java, Frame::JavaLong, Frame::Dex] {
        for round in 0..1_000 {
            let chars = random.below(300);
            let text = random.text(chars);
            let text = match round % 2 {
                0 => convert(Form::Utf8, Form::Mutf8, text.as_bytes()).unwrap(),
                // Some profiles read four bytes where the strict form has two surrogates of three bytes each.
                _ => text.replace('\0', "").into_bytes(),
            };
            let mut framed = Vec::new();
            frame.write(&text, &mut framed).unwrap();
            framed.extend_from_slice(b"next");
            assert_eq!(frame.read(&framed).unwrap(), (&text[..], &b"next"[..]));
        }
    }
}

/// Everything that is written can be read; everything that cannot be read is refused.
#[test]
fn what_dex_writes_it_reads() {
    let mut random = Random::new(3);
    let (mut written, mut refused) = (0, 0);
    for _ in 0..20_000 {
        let text: Vec<u8> =
            (0..random.below(8)).map(|_| random.pick(b"A\x80\xBF\xC3\xE2\xED\xF0\xF8\xFF")).collect();
        let mut framed = Vec::new();
        match Frame::Dex.write(&text, &mut framed) {
            Ok(()) => {
                assert_eq!(Frame::Dex.read(&framed), Ok((&text[..], &b""[..])), "{text:02X?}");
                written += 1;
            }
            Err(error) => {
                assert_eq!(error.kind().name(), "unexpected-continuation", "{text:02X?}");
                assert!(framed.is_empty());
                refused += 1;
            }
        }
    }
    assert!(written > 1_000 && refused > 1_000, "{written} {refused}");
    assert_eq!(Frame::Dex.header(b"A\xA3").unwrap_err().range(), 1..2);
}

#[test]
fn four_bytes_are_two_units() {
    assert_eq!(Frame::Dex.header("a😀".as_bytes()).unwrap().as_bytes(), [3]);
    assert_eq!(Frame::Dex.read(b"\x02\xF0\x9F\x98\x80\0").unwrap(), ("😀".as_bytes(), &b""[..]));
}

#[test]
fn wtf8_is_shown_like_a_str() {
    let text = "it's \"é\"\n\u{301}";
    assert_eq!(format!("{:?}", <&Wtf8>::from(text)), format!("{text:?}"));
    assert_eq!(format!("[{:>9}]", <&Wtf8>::from("ab")), "[       ab]");
    assert_eq!(format!("{:?}", Wtf8::new(b"'\xED\xA0\xBD").unwrap()), r#""'\u{d83d}""#);
}

/// Units in which surrogates are frequent.
fn units(random: &mut Random) -> Vec<u16> {
    let len = random.below(12);
    (0..len)
        .map(|_| random.pick(&[0x41, 0xE9, 0x20AC, 0xD800, 0xD83D, 0xDBFF, 0xDC00, 0xDE00, 0xDFFF]))
        .collect()
}

#[test]
fn wtf8_is_any_string_of_units() {
    let mut random = Random::new(2);
    for _ in 0..20_000 {
        let (left, right) = (units(&mut random), units(&mut random));
        let whole = [&left[..], &right[..]].concat();
        let string: Wtf8Buf = whole.iter().copied().collect();
        assert_eq!(string.as_wtf8().units().collect::<Vec<_>>(), whole);
        assert_eq!(Wtf8::new(string.as_wtf8().as_bytes()), Ok(string.as_wtf8()), "{string:?}");
        // The form writes the same bytes, and std agrees on what is lost.
        let utf16: Vec<u8> = whole.iter().flat_map(|unit| unit.to_le_bytes()).collect();
        assert_eq!(
            convert(Form::Utf16LeSurrogates, Form::Wtf8, &utf16).unwrap(),
            string.clone().into_bytes()
        );
        assert_eq!(string.to_string(), String::from_utf16_lossy(&whole));
        assert_eq!(string.clone().into_string_lossy(), String::from_utf16_lossy(&whole));
        assert_eq!(string.clone().into_string().ok(), String::from_utf16(&whole).ok());
        // Joined, extended or pushed one by one: the result is the same.
        let mut joined: Wtf8Buf = left.iter().copied().collect();
        let mut extended = joined.clone();
        joined.push_wtf8(right.iter().copied().collect::<Wtf8Buf>().as_wtf8());
        extended.extend(right.iter().copied());
        let mut pushed = Wtf8Buf::new();
        whole.iter().for_each(|&unit| pushed.push(CodePoint::from(unit)).unwrap());
        assert_eq!([&joined, &extended, &pushed], [&string; 3]);
    }
}

#[test]
fn wtf8_is_cut_between_code_points() {
    let text = Wtf8::new(b"a\xED\xA0\xBD\xF0\x9F\x98\x80").unwrap();
    let boundaries: Vec<usize> = (0..=text.len()).filter(|&at| text.get(0..at).is_some()).collect();
    assert_eq!(boundaries, [0, 1, 4, 8]);
    assert_eq!(text.get(1..4).unwrap().as_bytes(), b"\xED\xA0\xBD");
    assert_eq!(text.get(4..9), None);
    assert_eq!(format!("{text:?} {text}"), "\"a\\u{d83d}😀\" a\u{FFFD}😀");
    let mut string = Wtf8Buf::from("a");
    assert_eq!(string.push(CodePoint::MAX), Err(CodePoint::MAX));
}

#[test]
fn what_only_utf_8_has_is_no_related_form() {
    let first = |error: placemat::Error| (error.kind().name(), error.offset());
    let fine = "long enough for any block of any kernel: é€".repeat(9);
    for decode in [cesu8::decode, mutf8::decode] {
        assert!(matches!(decode(fine.as_bytes()), Ok(Cow::Borrowed(text)) if text == fine));
        let error = decode(format!("{fine}😀").as_bytes()).unwrap_err();
        assert_eq!(first(error), ("invalid-byte", fine.len() as u64));
    }
    let nul = fine.clone() + "\0";
    assert_eq!(cesu8::decode(nul.as_bytes()).unwrap(), nul);
    assert_eq!(first(mutf8::decode(nul.as_bytes()).unwrap_err()), ("non-canonical", fine.len() as u64));
}
