//! The functions on code units: the same results as the standard library, in any room, at every level.

#![cfg(feature = "alloc")]

mod common;

use common::forced;
use placemat::{ErrorKind, Form, Level, Status, cesu8, latin1, mutf8, utf16, utf32};

const TEXTS: [&str; 6] = [
    "",
    "plain ASCII, long enough for more than one vector of sixty-four bytes, and then some more of it",
    "naïve café, größer, straße: two bytes each, with ASCII between them, again and again and again",
    "日本語の文章はそれぞれ三バイトの文字でできています。これは六十四バイトよりもずっと長い。",
    "\u{1F600}\u{1F680}\u{10FFFF}\u{10000} and \u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467} in between",
    "a\u{0}é\u{7FF}\u{800}\u{FFFF}\u{FEFF}\u{D7FF}\u{E000}\u{FFFD}",
];

#[test]
fn exact_rooms() {
    for level in Level::available() {
        let _forced = forced(level);
        for text in TEXTS.iter().flat_map(|text| [(*text).to_owned(), text.repeat(9)]) {
            let units: Vec<u16> = text.encode_utf16().collect();
            let points: Vec<u32> = text.chars().map(u32::from).collect();
            let mut wide = vec![0; units.len()];
            let step = utf16::from_utf8(text.as_bytes(), &mut wide);
            assert_eq!((step.read, step.written, step.status), (text.len(), units.len(), Status::Done));
            assert_eq!(wide, units);
            let mut bytes = vec![0; text.len()];
            assert_eq!(utf16::to_utf8(&units, &mut bytes).status, Status::Done);
            assert_eq!(bytes, text.as_bytes());
            assert_eq!(utf32::to_utf8(&points, &mut bytes).written, text.len());
            assert_eq!(bytes, text.as_bytes());
            let mut quads = vec![0; points.len()];
            assert_eq!(utf32::from_utf8(text.as_bytes(), &mut quads).status, Status::Done);
            assert_eq!(quads, points);
            assert_eq!(utf16::to_utf32(&units, &mut quads).written, points.len());
            assert_eq!(quads, points);
            assert_eq!(utf32::to_utf16(&points, &mut wide).written, units.len());
            assert_eq!(wide, units);
            if !text.is_empty() {
                let short = utf16::from_utf8(text.as_bytes(), &mut wide[..units.len() - 1]);
                assert_eq!(short.status, Status::NeedOutput);
            }
        }
    }
}

#[test]
fn a_few_units_of_all_kinds() {
    const UNITS: [u32; 12] =
        [0, 0x41, 0x7F, 0x80, 0x7FF, 0x800, 0xD7FF, 0xD800, 0xDBFF, 0xDC00, 0xDFFF, 0xE000];
    const MORE: [u32; 6] = [0xFF, 0xFFFF, 0x1_0000, 0x10_FFFF, 0x11_0000, u32::MAX];
    let mut random = common::Random::new(9);
    for _ in 0..200_000 {
        let (len, kinds) = (random.below(13), 1 + random.below(UNITS.len()));
        let units: Vec<u16> = (0..len).map(|_| UNITS[random.below(kinds)] as u16).collect();
        let error = char::decode_utf16(units.iter().copied()).position(|c| c.is_err());
        let text = String::from_utf16_lossy(&units);
        let mut out = vec![0; text.len()];
        assert_eq!(utf16::to_utf8_lossy(&units, &mut out).written, out.len(), "{units:04X?}");
        assert_eq!(out, text.as_bytes(), "{units:04X?}");
        let chars: Vec<u32> = text.chars().map(u32::from).collect();
        let mut quads = vec![0; chars.len()];
        assert_eq!(utf16::to_utf32_lossy(&units, &mut quads).written, quads.len(), "{units:04X?}");
        assert_eq!(quads, chars, "{units:04X?}");
        assert_eq!(utf16::validate(&units).is_ok(), error.is_none(), "{units:04X?}");
        assert_eq!(utf16::utf8_len(&units).ok(), error.is_none().then_some(text.len()), "{units:04X?}");
        assert_eq!(utf16::utf32_len(&units).ok(), error.is_none().then_some(chars.len()), "{units:04X?}");
        if text.len() > 1 && error.is_none() {
            let room = random.below(text.len() - 1);
            let step = utf16::to_utf8(&units, &mut out[..room]);
            assert_eq!(step.status, Status::NeedOutput, "{units:04X?}");
            assert_eq!(out[..step.written], text.as_bytes()[..step.written], "{units:04X?}");
        }
        let latin1: Vec<u8> = units.iter().map(|&unit| unit as u8).collect();
        let text: String = latin1.iter().map(|&byte| char::from(byte)).collect();
        let mut out = vec![0; text.len()];
        assert_eq!(latin1::to_utf8(&latin1, &mut out).status, Status::Done, "{latin1:02X?}");
        assert_eq!(out, text.as_bytes(), "{latin1:02X?}");

        let all = [&UNITS[..], &MORE[..]].concat();
        let kinds = 1 + random.below(all.len());
        let units: Vec<u32> = (0..len).map(|_| all[random.below(kinds)]).collect();
        let is_good = units.iter().all(|&unit| char::from_u32(unit).is_some());
        let text: String = units.iter().map(|&unit| char::from_u32(unit).unwrap_or('\u{FFFD}')).collect();
        let mut out = vec![0; text.len()];
        assert_eq!(utf32::to_utf8_lossy(&units, &mut out).written, out.len(), "{units:04X?}");
        assert_eq!(out, text.as_bytes(), "{units:04X?}");
        let wide: Vec<u16> = text.encode_utf16().collect();
        let mut pairs = vec![0; wide.len()];
        assert_eq!(utf32::to_utf16_lossy(&units, &mut pairs).written, pairs.len(), "{units:04X?}");
        assert_eq!(pairs, wide, "{units:04X?}");
        assert_eq!(utf32::validate(&units).is_ok(), is_good, "{units:04X?}");
        assert_eq!(utf32::utf8_len(&units).ok(), is_good.then_some(text.len()), "{units:04X?}");
        assert_eq!(utf32::utf16_len(&units).ok(), is_good.then_some(wide.len()), "{units:04X?}");
    }
}

#[test]
fn errors_are_counted_in_units() {
    for level in Level::available() {
        let _forced = forced(level);
        for before in [0, 1, 63, 64, 65, 200] {
            let mut units = vec![0x20AC; before];
            units.extend([0xDC00, 0x41]);
            let step = utf16::to_utf8(&units, &mut vec![0; 3 * units.len()]);
            let Status::Failed(error) = step.status else { panic!("{step:?}") };
            assert_eq!(
                (error.kind(), error.offset(), error.length()),
                (ErrorKind::Surrogate, before as u64, 1)
            );
            assert_eq!(step.read, before + 1);
            let mut out = vec![0; 3 * units.len()];
            let step = utf16::to_utf8_lossy(&units, &mut out);
            assert_eq!(out[..step.written], *String::from_utf16_lossy(&units).as_bytes());
        }
    }
}

#[test]
fn latin1_is_the_first_256() {
    let all: Vec<u8> = (0..=255).collect();
    let text: String = all.iter().map(|&byte| char::from(byte)).collect();
    let mut bytes = vec![0; text.len()];
    assert_eq!(latin1::to_utf8(&all, &mut bytes).written, text.len());
    assert_eq!(bytes, text.as_bytes());
    let mut back = vec![0; 256];
    assert_eq!(latin1::from_utf8(text.as_bytes(), &mut back).status, Status::Done);
    assert_eq!(back, all);
    let mut units = vec![0; 256];
    assert_eq!(latin1::to_utf16(&all, &mut units).written, 256);
    assert!(units.iter().copied().eq(0..256));
    let Status::Failed(error) = latin1::from_utf8("3 €".as_bytes(), &mut back).status else { panic!() };
    assert_eq!(error.offset(), 2);
}

#[test]
fn bad_bytes_become_what_from_utf8_lossy_makes_of_them() {
    let mut random = common::Random::new(8);
    for _ in 0..20_000 {
        let len = random.below(150);
        let bytes = random.bytes(len);
        let (mut utf16, mut utf32) = (vec![0; len], vec![0; len]);
        let steps = [utf16::from_utf8_lossy(&bytes, &mut utf16), utf32::from_utf8_lossy(&bytes, &mut utf32)];
        let expected = String::from_utf8_lossy(&bytes);
        assert!(expected.encode_utf16().eq(utf16[..steps[0].written].iter().copied()), "{bytes:02X?}");
        assert!(
            expected.chars().map(u32::from).eq(utf32[..steps[1].written].iter().copied()),
            "{bytes:02X?}"
        );
        assert!(steps.iter().all(|step| step.read == len && step.status == Status::Done));
    }
}

#[test]
fn a_stray_byte_behind_long_ascii_doubles_nothing() {
    // Runs of ASCII use a loop of their own, which writes the last character before it has checked what follows.
    for length in (60..4000).step_by(7) {
        for mark in [0usize, 61, 700] {
            let mut bytes = vec![b'a'; length];
            bytes[mark.min(length - 1)] = 0xF0;
            bytes.push(0x80);
            bytes.extend(b"tail");
            let expected: Vec<u16> = String::from_utf8_lossy(&bytes).encode_utf16().collect();
            let mut units = vec![0; bytes.len() + 64];
            let step = utf16::from_utf8_lossy(&bytes, &mut units);
            assert!(units[..step.written] == expected, "{length} {mark}");
        }
    }
}

#[test]
fn a_mark_is_a_character_wherever_a_kernel_stopped() {
    let mut back = [0; 256];
    for n in [0, 1, 16, 63, 64, 200] {
        let text = format!("{}\u{FEFF}z", "a".repeat(n));
        let Status::Failed(error) = latin1::from_utf8(text.as_bytes(), &mut back).status else {
            panic!("{n}")
        };
        assert_eq!((error.kind(), error.offset()), (ErrorKind::Unencodable, n as u64));
    }
}

#[test]
fn measures_are_those_of_the_conversion() {
    for level in Level::available() {
        let _forced = forced(level);
        for text in TEXTS.iter().flat_map(|text| [(*text).to_owned(), text.repeat(99)]) {
            let units: Vec<u16> = text.encode_utf16().collect();
            let points: Vec<u32> = text.chars().map(u32::from).collect();
            assert_eq!(placemat::count_str(&text), points.len());
            assert_eq!(utf16::len_of_str(&text), units.len());
            assert_eq!((utf16::validate(&units), utf32::validate(&points)), (Ok(()), Ok(())));
            assert_eq!(utf16::utf8_len(&units), Ok(text.len()));
            assert_eq!(utf16::utf32_len(&units), Ok(points.len()));
            assert_eq!(
                (utf32::utf8_len(&points), utf32::utf16_len(&points)),
                (Ok(text.len()), Ok(units.len()))
            );
            let latin1 = points.iter().map(|&c| c as u8).collect::<Vec<_>>();
            let len = latin1.iter().map(|&byte| char::from(byte).len_utf8()).sum();
            assert_eq!(latin1::utf8_len(&latin1), len);
            for at in [0, units.len() / 2] {
                let wrong = [&units[..at], &[0xDC00], &units[at..]].concat();
                let expected = if at > 0 && units[at - 1] & 0xFC00 == 0xD800 { at + 1 } else { at };
                let error = utf16::validate(&wrong).expect_err("a half");
                assert!([at, expected].contains(&(error.offset() as usize)) && error.length() == 1);
                assert_eq!(utf16::utf8_len(&wrong), Err(error));
            }
        }
    }
}

/// Short texts are converted by words. The result is that of the form, one sequence after the other.
#[test]
fn short_relatives_of_utf8() {
    const PIECES: [&[u8]; 12] = [
        b"\0",
        b"A",
        b"seven B",
        b"\xC0\x80",
        b"\xC1",
        b"\xC3\xA9",
        b"\xE2\x82\xAC",
        b"\xED\x9F\xBF",
        b"\xED\xA0\xBD",
        b"\xED\xA0\x80\xED\xB0\x80",
        b"\xED\xAF\xBF\xED\xBF",
        b"\xF0\x9F\x98\x80",
    ];
    let texts = || {
        (0..12_usize.pow(4))
            .map(|n| [n / 1728, n / 144 % 12, n / 12 % 12, n % 12].map(|n| PIECES[n]).concat())
    };
    for level in Level::available() {
        let _forced = forced(level);
        for text in texts() {
            for (form, decode) in [(Form::Cesu8, cesu8::decode as fn(_) -> _), (Form::Mutf8, mutf8::decode)] {
                let plain: Result<String, u64> = placemat::sequences(form, &text)
                    .map(|sequence| {
                        let c = sequence.code_point().map_err(|error| error.offset())?;
                        c.to_char().ok_or(sequence.range().start as u64)
                    })
                    .collect();
                let got = decode(&text).map(String::from).map_err(|error: placemat::Error| error.offset());
                assert_eq!(got, plain, "{level:?} {form:?} {}", text.escape_ascii());
                if let Ok(read) = plain {
                    assert_eq!(placemat::convert(Form::Utf8, form, read.as_bytes()), Ok(text.clone()));
                }
            }
        }
    }
}

#[test]
fn relatives_of_utf8() {
    for level in Level::available() {
        let _forced = forced(level);
        for text in TEXTS.iter().flat_map(|text| [(*text).to_owned(), text.repeat(99)]) {
            let expected = [Form::Cesu8, Form::Mutf8]
                .map(|form| placemat::convert(Form::Utf8, form, text.as_bytes()).expect("text"));
            let encoded = [cesu8::encode(&text), mutf8::encode(&text)];
            assert_eq!(encoded.each_ref().map(|bytes| bytes.to_vec()), expected);
            assert_eq!(cesu8::decode(&encoded[0]).as_deref(), Ok(&*text));
            assert_eq!(mutf8::decode(&encoded[1]).as_deref(), Ok(&*text));
        }
        assert_eq!(cesu8::decode(b"ab\xED\xA0\x80").map_err(|e| e.offset()), Err(2));
    }
}

#[test]
fn an_error_whose_replacement_does_not_fit_is_not_read() {
    let mut units = [0; 2];
    let step = utf16::from_utf8_lossy(b"a\xFFb", &mut units[..1]);
    assert_eq!((step.read, step.written, step.status), (1, 1, Status::NeedOutput));
}
