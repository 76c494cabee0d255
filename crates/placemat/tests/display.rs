//! What values display and parse: names, messages, and the byte order marks and code points of the standard's tables.
#![cfg(feature = "alloc")]
#![forbid(unsafe_code)]

mod common;

use std::collections::HashSet;

use placemat::label::{LEGACY, Label, Labels, Refused, charset_of};
use placemat::wtf8::{Wtf8, Wtf8Buf};
use placemat::{Bom, CodePoint, Error, ErrorKind, Form, Level, Policy, Text, Unencodable, bom, is_valid};

#[test]
fn every_name_is_its_own_and_comes_back() {
    let forms: HashSet<_> = Form::ALL.iter().map(|form| form.name()).collect();
    assert_eq!(forms.len(), Form::ALL.len());
    assert!(Form::ALL.iter().all(|&form| Form::named(form.name()) == Some(form)));
    assert!(Policy::ALL.iter().all(|&(name, policy)| Policy::named(name) == Some(policy)));
    assert!(Labels::ALL.iter().all(|&labels| Labels::named(labels.name()) == Some(labels)));
    assert!(LEGACY.iter().all(|&name| Label::named(name) == Some(Label::Legacy(name))));
    assert_eq!(Label::named("utf-16"), Some(Label::Form(Form::Utf16)));
    let _forced = common::forced(Level::current());
    for name in ["scalar", "sse42", "avx2", "avx512", "neon", "simd128"] {
        let level = Level::named(name).expect(name);
        assert_eq!((level.name(), level.force()), (name, Level::available().any(|other| other == level)));
    }
    for (name, bom) in [("keep", Bom::Keep), ("strip", Bom::Strip), ("add", Bom::Add)] {
        assert_eq!(Bom::named(name), Some(bom));
    }
    for (name, unencodable) in [
        ("stop", Unencodable::Stop),
        ("replace", Unencodable::Replace(None)),
        ("replace=€", Unencodable::Replace(Some('€'.into()))),
        ("skip", Unencodable::Skip),
        ("escape", Unencodable::Escape),
        ("ncr", Unencodable::Ncr),
    ] {
        assert_eq!(Unencodable::named(name), Some(unencodable));
    }
}

#[test]
fn a_name_is_nothing_else() {
    for name in ["", "x", "Keep", "replace=", "replace=ab", "UTF-8", "Scalar"] {
        assert_eq!(Form::named(name), None, "{name}");
        assert_eq!(Policy::named(name), None, "{name}");
        assert_eq!(Labels::named(name), None, "{name}");
        assert_eq!(Label::named(name), None, "{name}");
        assert_eq!(Level::named(name), None, "{name}");
        assert_eq!(Bom::named(name), None, "{name}");
        assert_eq!(Unencodable::named(name), None, "{name}");
    }
}

#[test]
fn messages() {
    let error = Error::new(ErrorKind::TooLarge, 12, 3);
    assert_eq!(error.to_string(), "too-large at byte 12 (length 3)");
    assert_eq!(error.range(), 12..15);
    for &kind in ErrorKind::ALL {
        assert_eq!(format!("{kind:>30}"), format!("{:>30}", kind.name()));
    }
    assert_eq!(format!("[{:8}]", Form::Utf8), "[utf-8   ]");
    assert_eq!(format!("[{:8}]", Labels::Iana), "[iana    ]");
    assert_eq!(format!("[{:9}]", Label::from(Form::Utf16)), "[utf-16   ]");
    assert_eq!(Refused::Unknown.to_string(), "unknown label");
    assert_eq!(Refused::Unsafe(Form::Utf7).to_string(), "an untrusted label may not select utf-7");
    let text = Wtf8Buf::from("a\u{e9}");
    assert_eq!((text.to_string(), format!("{text:?}")), ("a\u{e9}".to_owned(), "\"a\u{e9}\"".to_owned()));
    let charset = charset_of("text/html; charset=utf-8").unwrap();
    assert_eq!(format!("[{charset:6}] {charset:?}"), "[utf-8 ] \"utf-8\"");
    let lone = Wtf8::new(b"a\xED\xA0\x80").unwrap();
    assert_eq!(format!("{lone:?} {lone}"), "\"a\\u{d800}\" a\u{FFFD}");
}

/// Width, alignment, fill and precision work as they do for a `str`.
#[test]
fn everything_is_padded() {
    fn padded(it: impl std::fmt::Display) {
        let text = it.to_string();
        for width in [0, 1, 5, 30, 99] {
            assert_eq!(format!("{it:width$}|{it:>width$}|{it:*^width$}|{it:-<width$}"), {
                format!("{text:width$}|{text:>width$}|{text:*^width$}|{text:-<width$}")
            });
            assert_eq!(format!("{it:>width$.3}"), format!("{text:>width$.3}"));
        }
    }
    padded(Error::new(ErrorKind::UnexpectedContinuation, u64::MAX, u8::MAX));
    padded(CodePoint::new(0x7FFF_FFFF).unwrap());
    padded(Wtf8::new(b"a\xED\xA0\x80\xC3\xA9").unwrap());
    padded(Policy::SurrogateEscape.fits(Form::Wtf8, Form::Utf8).unwrap_err());
}

#[test]
fn empty_ones() {
    assert_eq!(Text::default().code_points(), []);
    assert!(<&Wtf8>::from("").is_empty() && !<&Wtf8>::from("a").is_empty());
    assert_eq!(<&Wtf8>::from("é").to_string_lossy(), "é");
    assert_eq!(String::from_utf8(Wtf8Buf::from("é".to_owned()).as_wtf8().as_bytes().into()).unwrap(), "é");
    assert!(is_valid(b"") && is_valid("é".as_bytes()) && !is_valid(b"\xE9"));
}

#[test]
fn code_points_know_their_kind() {
    let noncharacters: Vec<u32> =
        (0..=0x20_FFFF).filter(|&value| CodePoint::new(value).unwrap().is_noncharacter()).collect();
    let expected =
        (0xFDD0..=0xFDEF).chain((0..=16).flat_map(|plane| [plane << 16 | 0xFFFE, plane << 16 | 0xFFFF]));
    let mut expected: Vec<u32> = expected.collect();
    expected.sort_unstable();
    assert_eq!((noncharacters.len(), noncharacters), (66, expected));
    for value in 0..=0x1_FFFF {
        let c = CodePoint::new(value).unwrap();
        assert_eq!(c.is_high_surrogate(), (0xD800..0xDC00).contains(&value));
        assert_eq!(c.is_low_surrogate(), (0xDC00..0xE000).contains(&value));
        assert_eq!(c.is_surrogate(), c.to_char().is_none());
        assert_eq!(u32::from(c), value);
    }
    assert_eq!(CodePoint::new(0x8000_0000), None);
    assert_eq!(CodePoint::from(0xD83D_u16).to_string(), "U+D83D");
    assert_eq!(format!("{:?} {}", CodePoint::from(9_u8), CodePoint::from('😀')), "U+0009 U+1F600");
    assert_eq!(CodePoint::MAX.to_string(), "U+7FFFFFFF");
}

#[test]
fn marks_announce_their_forms() {
    for (form, mark) in [
        (Form::Utf8, &b"\xEF\xBB\xBF"[..]),
        (Form::Utf16Be, b"\xFE\xFF"),
        (Form::Utf16Le, b"\xFF\xFE"),
        (Form::Utf32Be, b"\0\0\xFE\xFF"),
        (Form::Utf32Le, b"\xFF\xFE\0\0"),
    ] {
        assert_eq!(bom::sniff(&[mark, b"a"].concat()), Some((form, mark.len())));
        assert_eq!(placemat::convert(Form::Utf8, form, "\u{FEFF}".as_bytes()).unwrap(), mark);
    }
    for bytes in [&b""[..], b"\xEF\xBB", b"\xFE", b"\0\0\xFE", b"a\xFF\xFE"] {
        assert_eq!(bom::sniff(bytes), None, "{bytes:02X?}");
    }
    assert_eq!(bom::strip(b"\xEF\xBB\xBF\xEF\xBB\xBFa"), b"\xEF\xBB\xBFa");
    assert_eq!(bom::strip(b"a\xEF\xBB\xBF"), b"a\xEF\xBB\xBF");
}
