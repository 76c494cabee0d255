//! Laws: cutting the input or the room differently changes nothing, and an error is at the first wrong sequence.

use super::*;

/// Pairs with every kind of reader and writer.
const PAIRS: [(&str, &str); 22] = [
    ("UTF-8", "UTF-16"),
    ("UTF-16", "UTF-8"),
    ("UTF-32", "UTF-16BE"),
    ("UTF-8", "UTF-7"),
    ("UTF-7", "UTF-8"),
    ("UTF-7", "UTF-7-IMAP"),
    ("UTF-8", "ISO-8859-1"),
    ("ISO-8859-9", "UTF-8"),
    ("KOI8-R", "IBM866"),
    ("UTF-8", "Shift_JIS"),
    ("SJIS", "UTF-8"),
    ("EUC-JP", "ISO-2022-JP"),
    ("ISO-2022-JP", "UTF-8"),
    ("UTF-8", "ISO-2022-JP"),
    ("GB18030", "UTF-8"),
    ("UTF-8", "GB18030"),
    ("BIG5-HKSCS", "UTF-8"),
    ("UCS-2", "CESU-8"),
    ("CESU-8", "UCS-4"),
    ("UTF-8", "WCHAR_T"),
    ("WTF-8", "UTF-16LE"),
    ("UTF-8", "EUC-KR"),
];

const SUFFIXES: [&str; 5] = ["", "//IGNORE", "//TRANSLIT", "//TRANSLIT//IGNORE", "//NON_IDENTICAL_DISCARD"];

const TEXTS: [&str; 5] = [
    "plain text\nof two lines",
    "Ünïcödé – “quotes” … ﬁ ½ €",
    "いろは 漢字 Ж α",
    "a😀b\u{10FFFF}c ☃",
    "\u{FEFF}x~\\+-&",
];

fn open(to: &str, from: &str, habit: Habit) -> Descriptor {
    Descriptor::open(to, from, "UTF-8", habit).unwrap_or_else(|error| panic!("{to} {from}: {error}"))
}

/// Texts in that encoding, and the same with damaged bytes.
fn sources(name: &str) -> Vec<Vec<u8>> {
    let mut all = Vec::new();
    for text in TEXTS {
        let mut descriptor = open(&format!("{name}//IGNORE"), "UTF-8", Habit::Posix);
        let mut out = vec![0; 512];
        let done = descriptor.convert(text.as_bytes(), &mut out);
        assert_eq!(done.status, Status::Done, "{name} {text}");
        let more = descriptor.reset(Some(&mut out[done.written..])).written;
        out.truncate(done.written + more);
        all.push(out.clone());
        for (at, damage) in [(1, 0xFF), (3, 0x80), (out.len() / 2, 0xDC), (out.len() - 1, 0x1B)] {
            let mut damaged = out.clone();
            damaged[at.min(out.len() - 1)] = damage;
            all.push(damaged);
        }
        all.push(out[..out.len() - 1].to_vec());
    }
    all
}

/// Converts with `piece` bytes of input and `room` bytes of room at a time, and skips one byte after each error.
fn driven(mut descriptor: Descriptor, src: &[u8], piece: usize, room: usize) -> (Vec<u8>, usize, Vec<usize>) {
    let (mut out, mut count, mut errors) = (Vec::new(), 0, Vec::new());
    let (mut at, mut offered, mut space) = (0, piece.min(src.len()), room);
    loop {
        let mut block = vec![0xAA; space];
        let done = descriptor.convert(&src[at..offered], &mut block);
        assert!(done.read <= offered - at && done.written <= space);
        out.extend_from_slice(&block[..done.written]);
        count += done.irreversible;
        at += done.read;
        match done.status {
            Status::Done if offered == src.len() => break,
            Status::Full if done.read == 0 && done.written == 0 => space += 1,
            Status::Full => space = room,
            Status::Malformed if at < offered => {
                errors.push(at);
                at += 1;
            }
            Status::Incomplete if offered == src.len() => {
                errors.push(at);
                break;
            }
            Status::Done | Status::Incomplete | Status::Malformed => {
                offered = (offered + piece).min(src.len());
            }
        }
        offered = offered.max(at);
    }
    let mut end = [0; 8];
    let done = descriptor.reset(Some(&mut end));
    assert_eq!(done.status, Status::Done);
    out.extend_from_slice(&end[..done.written]);
    (out, count, errors)
}

#[test]
fn cuts_of_input_and_room_change_nothing() {
    for (from, to) in PAIRS {
        for suffix in SUFFIXES {
            let to = format!("{to}{suffix}");
            for src in sources(from) {
                let whole = driven(open(&to, from, Habit::Posix), &src, src.len(), 1024);
                for (piece, room) in
                    [(1, 1024), (2, 1024), (3, 7), (1024, 1), (1024, 2), (1024, 5), (1, 1), (5, 16)]
                {
                    let cut = driven(open(&to, from, Habit::Posix), &src, piece, room);
                    assert_eq!(cut, whole, "{from} to {to}, {piece} bytes into {room}: {src:02X?}");
                }
            }
        }
    }
}

#[test]
fn the_first_error_is_where_the_library_finds_it() {
    for (name, form) in [
        ("UTF-8", Form::Utf8),
        ("UTF-16LE", Form::Utf16Le),
        ("UTF-32BE", Form::Utf32Be),
        ("CESU-8", Form::Cesu8),
    ] {
        for src in sources(name) {
            let error = placemat::errors(form, &src).next();
            let mut out = [0; 1024];
            let done = open("UCS-4", name, Habit::Posix).convert(&src, &mut out);
            match error {
                None => assert_eq!((done.status, done.read), (Status::Done, src.len()), "{name} {src:02X?}"),
                Some(error) => {
                    assert!(
                        matches!(done.status, Status::Malformed | Status::Incomplete),
                        "{name} {src:02X?}"
                    );
                    assert_eq!(done.read as u64, error.offset(), "{name} {src:02X?}");
                }
            }
        }
    }
}

#[test]
fn long_texts_are_as_short_ones() {
    for (from, to) in PAIRS {
        for src in sources(from) {
            let long = src.repeat(40);
            let whole = driven(open(to, from, Habit::Posix), &long, long.len(), 1 << 16);
            let cut = driven(open(to, from, Habit::Posix), &long, 48, 64);
            assert_eq!(cut, whole, "{from} to {to}");
        }
    }
}

#[test]
fn a_reset_in_the_middle_leads_back() {
    let mut out = [0; 64];
    let mut descriptor = open("ISO-2022-JP", "UTF-8", Habit::Posix);
    assert_eq!(descriptor.convert("日".as_bytes(), &mut out).written, 5);
    assert_eq!(
        descriptor.reset(None),
        Progress { read: 0, written: 0, irreversible: 0, status: Status::Done }
    );
    assert_eq!(descriptor.convert(b"a", &mut out).written, 1, "it is in ASCII without a word");
    let mut descriptor = open("UTF-16", "UTF-16", Habit::Posix);
    for _ in 0..2 {
        let done = descriptor.convert(b"\xFE\xFF\0a", &mut out);
        assert_eq!(
            &out[..done.written],
            if cfg!(target_endian = "little") { b"\xFF\xFEa\0" } else { b"\xFE\xFF\0a" }
        );
        assert_eq!(descriptor.reset(Some(&mut out)).written, 0);
    }
}

#[test]
fn habits_differ_where_glibc_and_posix_do() {
    let run = |to: &str, src: &[u8], habit| {
        let mut out = [0; 64];
        let done = open(to, "UTF-8", habit).convert(src, &mut out);
        (String::from_utf8(out[..done.written].to_vec()).unwrap(), done.read, done.irreversible, done.status)
    };
    let text = "a☃z".as_bytes();
    assert_eq!(run("ASCII", text, Habit::Posix), ("a?z".into(), 5, 1, Status::Done));
    assert_eq!(run("ASCII", text, Habit::Glibc), ("a".into(), 1, 0, Status::Malformed));
    assert_eq!(run("ASCII//IGNORE", text, Habit::Posix), ("az".into(), 5, 1, Status::Done));
    assert_eq!(run("ASCII//IGNORE", text, Habit::Glibc).3, Status::Malformed);
    assert_eq!(run("ASCII//IGNORE", b"a\xFFz\xE2", Habit::Glibc), ("az".into(), 3, 0, Status::Incomplete));
    assert_eq!(run("ASCII//NON_IDENTICAL_DISCARD", text, Habit::Posix), ("az".into(), 5, 1, Status::Done));
    assert_eq!(run("ASCII//NON_IDENTICAL_DISCARD", text, Habit::Glibc).3, Status::Malformed);
    assert_eq!(run("ASCII//NON_IDENTICAL_DISCARD", b"a\xFF", Habit::Posix).3, Status::Malformed);
    assert_eq!(run("ASCII//IGNORE", b"a\xFFz", Habit::Posix), ("az".into(), 3, 0, Status::Done));
    let private = "\u{E000}".as_bytes();
    assert_eq!(run("ASCII//TRANSLIT//IGNORE", private, Habit::Posix), (String::new(), 3, 1, Status::Done));
    assert_eq!(run("ASCII//TRANSLIT//IGNORE", private, Habit::Glibc), ("?".into(), 3, 1, Status::Done));
    assert!(Descriptor::open("ASCII//WRONG", "UTF-8", "", Habit::Posix).is_err());
    assert!(Descriptor::open("ASCII//WRONG", "UTF-8", "", Habit::Glibc).is_ok());
}

#[test]
fn names_mean_what_they_mean_to_iconv() {
    let becomes = |name: &str, src: &[u8]| {
        let mut out = [0; 64];
        let done = open("UTF-8", name, Habit::Posix).convert(src, &mut out);
        (String::from_utf8(out[..done.written].to_vec()).unwrap(), done.status)
    };
    for name in ["ISO-8859-1", "LATIN1", "8859_1", "ISO8859-1", "ISO88591", "l1", "cp819"] {
        assert_eq!(becomes(name, b"\x80\xE9").0, "\u{80}é", "{name}");
    }
    for name in ["CP1252", "MS-ANSI", "WINDOWS-1252"] {
        assert_eq!(becomes(name, b"\x80"), ("€".into(), Status::Done), "{name}");
        assert_eq!(becomes(name, b"\x81").1, Status::Malformed, "{name}");
    }
    assert_eq!(becomes("ISO-8859-9", b"\x80\xFD").0, "\u{80}ı");
    assert_eq!(becomes("TIS-620", b"\x80").1, Status::Malformed);
    assert_eq!(becomes("EUC-JP", b"\xA1\xC1").0, "\u{301C}");
    assert_eq!(becomes("EUC-JP-MS", b"\xA1\xC1").0, "\u{FF5E}");
    assert_eq!(becomes("UCS-4", b"\0\0\0a").0, "a");
    assert_eq!(becomes("ISO-10646/UCS4/", b"\0\0\0a").0, "a");
    assert_eq!(becomes("UTF-8//IGNORE", b"a").0, "a");
    for (name, same) in [
        ("646", "ASCII"),
        ("ANSI_X3.4-1968", "ASCII"),
        ("IBM850", "CP850"),
        ("EUCJP", "EUC-JP"),
        ("", "UTF-8"),
    ] {
        let upper: Vec<u8> = (0..=255).collect();
        assert_eq!(becomes(name, &upper), becomes(same, &upper), "{name}");
    }
    assert!(Descriptor::open("UTF-8", "nothing-like-it", "UTF-8", Habit::Posix).is_err());
}

#[test]
fn a_name_is_listed_once_with_those_that_mean_the_same() {
    let all: Vec<Vec<String>> = names().collect();
    let mut flat: Vec<_> = all.iter().flatten().collect();
    let count = flat.len();
    flat.sort();
    flat.dedup();
    assert_eq!(flat.len(), count);
    let group = |name: &str| all.iter().position(|names| names.iter().any(|other| other == name));
    for (one, other) in
        [("UTF-16", "UTF-16LE"), ("SJIS", "CP932"), ("ISO-8859-1", "CP1252"), ("GB2312", "GBK")]
    {
        assert!(
            group(one).is_some() && group(other).is_some() && group(one) != group(other),
            "{one} {other}"
        );
    }
    for (one, other) in [("LATIN1", "ISO-8859-1"), ("CP912", "ISO-8859-2"), ("WCHAR_T", "INTERNAL")] {
        assert_eq!(group(one), group(other), "{one} {other}");
    }
}

#[test]
fn what_is_no_character_is_never_let_through() {
    let mut out = [0; 16];
    for (name, src) in [
        ("UTF-8", &b"\xF4\x90\x80\x80"[..]),
        ("UCS-2LE", b"\0\xD8"),
        ("UCS-4", b"\0\0\xD8\0"),
        ("UCS-4", b"\0\x11\0\0"),
    ] {
        for to in ["UTF-8", "UCS-2", "UCS-4"] {
            for habit in [Habit::Posix, Habit::Glibc] {
                let done = open(to, name, habit).convert(src, &mut out);
                assert_eq!(
                    (done.status, done.read, done.written),
                    (Status::Malformed, 0, 0),
                    "{name} to {to}: {src:02X?}"
                );
            }
        }
    }
}
