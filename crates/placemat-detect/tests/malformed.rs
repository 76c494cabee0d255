//! The kinds of malformed sequences, and the diagnosis of the text that they are in.
#![forbid(unsafe_code)]

use placemat::Form;
use placemat_detect::{Before, Diagnosis, Kind, LONGEST, detect, diagnose, malformed};

mod vectors;
use vectors::{bytes, rows};

fn shown(bytes: &[u8]) -> String {
    let found = malformed(bytes).map(|m| format!("{}@{}+{}", m.kind.name(), m.range.start, m.range.len()));
    let found = found.collect::<Vec<_>>().join(" ");
    if found.is_empty() { "-".into() } else { found }
}

#[test]
fn kinds() {
    for row in rows(include_str!("vectors/malformed.txt")) {
        let [input, expected] = row[..] else { panic!("{row:?}") };
        assert_eq!(shown(&bytes(input)), expected, "{input}");
    }
}

/// The text with each malformed sequence read as windows-1252, or replaced by U+FFFD.
fn mended(bytes: &[u8]) -> String {
    let (mut text, mut at) = (String::new(), 0);
    for found in malformed(bytes) {
        text += str::from_utf8(&bytes[at..found.range.start]).unwrap();
        let read = placemat::convert(Form::Windows1252, Form::Utf8, &bytes[found.range.clone()]).unwrap();
        text += if found.kind == Kind::Windows1252 { str::from_utf8(&read).unwrap() } else { "\u{FFFD}" };
        at = found.range.end;
    }
    text + str::from_utf8(&bytes[at..]).unwrap()
}

#[test]
fn words_of_windows_1252_are_read_and_debris_is_not() {
    let mut wrong = String::new();
    for row in rows(include_str!("vectors/windows_1252.txt")) {
        let [input, expected] = row[..] else { panic!("{row:?}") };
        let read = mended(&bytes(input)).replace('\u{A0}', " ");
        if read.trim_matches(['\u{FEFF}', ' ']) != expected {
            wrong += &format!("{input}: {read}\n");
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}

/// The malformed sequences of a text that is read block by block.
fn by_blocks(bytes: &[u8], size: usize) -> Vec<(usize, Kind, usize)> {
    let (mut found, mut before, mut at) = (Vec::new(), Before::new(), 0);
    for end in (size..bytes.len()).step_by(size).chain([bytes.len()]) {
        loop {
            let valid = placemat::valid_prefix(&bytes[at..end]).0;
            before.pass(&bytes[at..at + valid]);
            at += valid;
            if end < bytes.len() && end - at < LONGEST {
                break;
            }
            let Some((kind, len)) = before.sequence(&bytes[at..end]) else { break };
            found.push((at, kind, len));
            at += len;
        }
    }
    found
}

#[test]
fn blocks_make_no_difference() {
    let whole = |bytes: &[u8]| -> Vec<_> {
        malformed(bytes).map(|found| (found.range.start, found.kind, found.range.len())).collect()
    };
    let words = rows(include_str!("vectors/windows_1252.txt")).flat_map(|row| bytes(row[0]));
    let kinds = rows(include_str!("vectors/malformed.txt")).flat_map(|row| bytes(row[0]));
    let text: Vec<u8> = words.chain(kinds).collect();
    // The text starts and ends anywhere, inside sequences too.
    for start in 0..text.len() {
        let text = &text[start..text.len().min(start + 300)];
        for size in [1, 2, 5, 7, 64] {
            assert_eq!(by_blocks(text, size), whole(text), "blocks of {size} from {start}");
        }
    }
}

#[test]
fn counts_agree_with_the_list() {
    for row in rows(include_str!("vectors/malformed.txt")) {
        let text = [b"\xEF\xBB\xBF".as_slice(), &bytes(row[0])].concat();
        let counts = detect(&text, true).counts;
        for &kind in Kind::ALL {
            let listed = malformed(&text).filter(|m| m.kind == kind).count() as u64;
            assert_eq!(counts.of(kind), listed, "{} {}", row[0], kind.name());
        }
    }
}

#[test]
fn what_lies_between_is_well_formed() {
    for row in rows(include_str!("vectors/malformed.txt")) {
        let text = bytes(row[0]);
        let mut at = 0;
        for found in malformed(&text) {
            assert!(str::from_utf8(&text[at..found.range.start]).is_ok(), "{}", row[0]);
            assert!(str::from_utf8(&text[found.range.clone()]).is_err(), "{}", row[0]);
            at = found.range.end;
        }
        assert!(str::from_utf8(&text[at..]).is_ok(), "{}", row[0]);
    }
}

#[test]
fn a_few_bad_bytes_leave_it_utf8() {
    let good = "Ça déjà vu, naïve, Übergröße, ".repeat(9);
    for bad in [
        &b"caf\xE9"[..],
        b"\x93",
        b"\xED\xA0\xBD\xED\xB8\x80",
        b"\xC0\x80",
        b"\xE2\x82",
        b"\xF8\x88\x80\x80\x80",
    ] {
        let text = [good.as_bytes(), bad, b" and on"].concat();
        let Diagnosis::UpToAFew(counts) = diagnose(&text) else { panic!("{bad:02X?}") };
        assert_eq!(counts.malformed(), 1, "{bad:02X?}");
    }
    assert_eq!(diagnose(good.as_bytes()), Diagnosis::WellFormed);
}

#[test]
fn half_of_a_text_is_not_a_few_bytes_but_accents_are() {
    for (label, text, is_few) in [
        ("windows-1251", "Вчера вечером мы ходили в театр. ", false),
        ("koi8-r", "Вчера вечером мы ходили в театр. ", false),
        ("windows-1253", "Χθες το βράδυ πήγαμε στο θέατρο. ", false),
        ("windows-1255", "אתמול בערב הלכנו לתיאטרון. ", false),
        ("windows-1252", "A população do país está à espera. ", true),
        ("windows-1252", "Größere Füße, ältere Bäume, kürzere Wege. ", true),
    ] {
        let other = encoding_rs::Encoding::for_label(label.as_bytes()).unwrap().encode(text).0;
        let half = [text.as_bytes(), &other].concat().repeat(3);
        assert_eq!(matches!(diagnose(&half), Diagnosis::UpToAFew(_)), is_few, "{label}");
    }
}

#[test]
fn ascii_with_a_bad_byte_here_and_there_can_be_repaired() {
    let log = "a plain line of ASCII, and more of it to come\n".repeat(90);
    let is_few = |text: &[u8]| matches!(diagnose(text), Diagnosis::UpToAFew(_));
    for bad in [&b"\xFF"[..], b"\xD0", b"\xE2\x82 x", b"\x80\x81\xFE", b"caf\xE9", b"\x9D"] {
        assert!(is_few(&[log.as_bytes(), bad, log.as_bytes()].concat()), "{bad:02X?}");
    }
    assert!(is_few(b"abc\xFFdef\n"));
    assert!(!is_few(b"\xFF\xFEa"));
    assert!(!is_few(&b"caf\xE9 ".repeat(20)));
}

#[test]
fn ascii_that_ends_within_a_character_can_be_repaired() {
    let Diagnosis::UpToAFew(counts) = diagnose(b"thanks \xF0\x9F\x98") else { panic!() };
    assert_eq!((counts.malformed(), counts.of(Kind::Truncated)), (1, 1));
}

#[test]
fn legacy_text_is_something_else() {
    let koi8 =
        b"\xF0\xD2\xC9\xD7\xC5\xD4, \xCB\xC1\xCB \xC4\xC5\xCC\xC1? \xF7\xD3\xA3 \xC8\xCF\xD2\xCF\xDB\xCF.";
    let Diagnosis::SomethingElse(found) = diagnose(koi8) else { panic!() };
    assert_eq!(found.encoding.name(), "koi8-r");
    let Diagnosis::SomethingElse(found) = diagnose(b"caf\xE9 cr\xE8me") else { panic!() };
    assert_eq!(found.encoding.name(), "windows-1252");
}
