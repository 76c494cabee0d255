//! Every level gives the same result for long texts: texts of one kind of characters, to which kernels adapt, and texts that
//! change between kinds.
#![cfg(feature = "alloc")]
#![forbid(unsafe_code)]

mod common;

use common::{Random, forced, whole};
use placemat::{Error, Form, Level, Policy, Transcoder, Unencodable};

const FORMS: [Form; 7] =
    [Form::Utf8, Form::Utf16Le, Form::Utf16Be, Form::Utf32Le, Form::Utf32Be, Form::Cesu8, Form::Iso8859_1];

/// Pieces that are repeated, each followed by this many ASCII letters.
const HABITS: [(&str, usize); 14] = [
    ("", 1),
    ("é", 0),
    ("é", 3),
    ("é", 60),
    ("é", 200),
    ("€", 700),
    ("é", 5_000),
    ("ελληνικά", 1),
    ("日本語の文字だけが続く長い文、三十三字ほどで一つになるもの、と", 0),
    ("日本語の文字だけが続く長い文、三十三字ほどで一つになるもの、と", 2),
    ("한국어", 1),
    ("😀", 0),
    ("😀", 30),
    ("aé日😀", 0),
];

fn of_habit((piece, letters): (&str, usize), chars: usize) -> String {
    let again = format!("{piece}{}", "etaoin".repeat(letters).get(..letters).unwrap_or_default());
    let times = chars.div_ceil(again.chars().count());
    again.repeat(times)
}

/// One text of each kind of characters, and some that change between three kinds.
fn texts(chars: usize) -> Vec<String> {
    let mut random = Random::new(41);
    let mut texts: Vec<_> = HABITS.into_iter().map(|habit| of_habit(habit, chars)).collect();
    texts.extend((0..6).map(|_| {
        let three = [(); 3].map(|()| of_habit(random.pick(&HABITS), chars / 3));
        three.concat()
    }));
    texts
}

/// The result in one call, and the result in chunks with all errors.
type Both = (Result<Vec<u8>, Error>, (Vec<u8>, Vec<Error>));

fn both(transcoder: Transcoder, bytes: &[u8]) -> Both {
    (placemat::convert_with(transcoder.clone(), bytes), whole(transcoder, bytes))
}

#[test]
fn conversions() {
    let mut random = Random::new(42);
    for text in texts(9_000) {
        for from in FORMS {
            let skip = Policy::Skip.unencodable(Unencodable::Skip);
            let (clean, _) = whole(Transcoder::new(Form::Utf8, from).on_error(skip), text.as_bytes());
            let mut damaged = clean.clone();
            if let Some(place) = damaged
                .get_mut(clean.len() / 2 + random.below(clean.len() / 3 + 1)..)
                .and_then(|rest| rest.first_chunk_mut())
            {
                *place = [0xDC, 0xFF, 0xDC, 0xDC];
            }
            for to in FORMS {
                for bytes in [&clean, &damaged] {
                    for policy in [Policy::Stop, Policy::Replace.unencodable(Unencodable::Replace(None))] {
                        let at =
                            |level| both(Transcoder::new(from, to).on_error(policy).at_level(level), bytes);
                        let expected = at(Level::Scalar);
                        for level in Level::available().skip(1) {
                            let start: String = text.chars().take(40).collect();
                            assert!(at(level) == expected, "{from} to {to} at {}: {start}", level.name());
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn verdicts_and_lengths() {
    let mut random = Random::new(43);
    for text in texts(120_000) {
        let bytes = text.as_bytes();
        let mut damaged = bytes.to_vec();
        damaged[random.below(bytes.len())] = 0xFF;
        for level in Level::available() {
            let _forced = forced(level);
            assert_eq!(placemat::validate(bytes), Ok(&*text));
            assert_eq!(placemat::count(Form::Utf8, bytes), text.chars().count());
            assert_eq!(
                placemat::length(Form::Utf8, Form::Utf16Le, bytes),
                Ok(2 * text.encode_utf16().count())
            );
            let error = core::str::from_utf8(&damaged).unwrap_err();
            let said = placemat::validate(&damaged).unwrap_err();
            assert_eq!(said.offset(), error.valid_up_to() as u64, "{}", level.name());
            let repaired = String::from_utf8_lossy(&damaged);
            assert!(placemat::repair(&damaged) == repaired, "{}", level.name());
            assert_eq!(placemat::count(Form::Utf8, &damaged), repaired.chars().count(), "{}", level.name());
        }
    }
}

/// In UTF-16 or UTF-32; surrogates may be alone.
fn encoded(code_points: &[u32], form: Form) -> Vec<u8> {
    let mut bytes = Vec::new();
    for &code_point in code_points {
        match (char::from_u32(code_point), form) {
            (_, Form::Utf32Le) => bytes.extend(code_point.to_le_bytes()),
            (Some(c), _) => {
                bytes.extend(c.encode_utf16(&mut [0; 2]).iter().flat_map(|unit| unit.to_le_bytes()));
            }
            (None, _) => bytes.extend((code_point as u16).to_le_bytes()),
        }
    }
    if form == Form::Utf16Be {
        bytes.chunks_exact_mut(2).for_each(<[u8]>::reverse);
    }
    bytes
}

/// English with a run of emoji at every place of a block, and behind it something else, which may be ill-formed.
#[test]
fn few_supplementary() {
    const OTHERS: [&[u32]; 6] = [&[], &[0xD83D], &[0xDE00], &[0xDE00, 0xD83D], &[0xE9], &[0x4E2D, 0x1_F600]];
    let letters = |n| "etaoin ".chars().cycle().take(n).collect::<String>();
    for (run, len) in [(1, 150), (2, 400), (3, 1_100), (8, 150), (9, 300), (20, 200)] {
        for place in (0..70).chain([len - 4, len]) {
            for (i, other) in OTHERS.iter().enumerate() {
                let gap = [0, 5, 70][(i + place) % 3];
                let before = letters(place) + &"😀".repeat(run) + &letters(gap);
                let after = letters(len - place) + "😀";
                let text: Vec<u32> = before
                    .chars()
                    .map(u32::from)
                    .chain(other.iter().copied())
                    .chain(after.chars().map(u32::from))
                    .collect();
                for form in [Form::Utf16Le, Form::Utf16Be, Form::Utf32Le] {
                    let bytes = encoded(&text, form);
                    for policy in [Policy::Stop, Policy::Replace] {
                        let at = |level| {
                            both(Transcoder::new(form, Form::Utf8).on_error(policy).at_level(level), &bytes)
                        };
                        let expected = at(Level::Scalar);
                        for level in Level::available().skip(1) {
                            let name = level.name();
                            assert!(at(level) == expected, "{form} at {name}: {run} at {place}, {other:X?}");
                        }
                    }
                }
            }
        }
    }
}

/// Only characters of four bytes, at every offset, and with a wrong byte at any place of a vector.
#[test]
fn four_bytes_each() {
    let clean = "😀𐍈𝄞\u{10FFFF}".repeat(140);
    for before in 0..4 {
        for place in 1_000..1_034 {
            for byte in [b' ', 0x80, 0xED, 0xF0, 0xF4, 0xF5] {
                let mut bytes = [&b"xyz"[..before], clean.as_bytes()].concat();
                bytes[place] = byte;
                for to in [Form::Utf16Le, Form::Utf16Be, Form::Utf32Le, Form::Utf32Be] {
                    let at = |level| {
                        both(
                            Transcoder::new(Form::Utf8, to).on_error(Policy::Replace).at_level(level),
                            &bytes,
                        )
                    };
                    let expected = at(Level::Scalar);
                    for level in Level::available().skip(1) {
                        assert!(at(level) == expected, "to {to} at {}: {byte:X} at {place}", level.name());
                    }
                }
            }
        }
    }
}

/// A text without characters of four bytes, with something ill-formed in it, or behind that a character of four bytes.
#[test]
fn errors_before_four_bytes() {
    let clean = "日".repeat(6_000);
    for wrong in [b"\xF0\x90\x80A", b"\xF4\x90\x80\x80", b"\xF5\x80\x80\x80", b"a\xE6\x97a", b"\xC3aaa"] {
        for place in [150, 510, 1_020, 1_533, 2_046, 2_055, 4_500, 9_000, 12_000] {
            for behind in [6, 300, 510, 516, 900, 1_500, 2_100, 4_800] {
                let mut bytes = clean.clone().into_bytes();
                bytes.splice(place..place + 3, *wrong);
                let four = place + 4 + behind / 3 * 3;
                bytes.splice(four..four + 3, "😀".bytes());
                let expected = core::str::from_utf8(&bytes).unwrap_err().valid_up_to();
                for level in Level::available() {
                    let _forced = forced(level);
                    let offset = placemat::validate(&bytes).unwrap_err().offset();
                    assert_eq!(offset, expected as u64, "{}: {wrong:02X?}, {behind}", level.name());
                }
                bytes.splice(place..place + 4, "日".bytes());
                assert!(placemat::is_valid(&bytes));
            }
        }
    }
}

/// A character of four bytes lacks its last one where a span ends; the next span may be read in a way that expects no such characters.
#[test]
fn four_bytes_cut_off_where_a_span_ends() {
    let ascii = format!("{}é", "a".repeat(98)).repeat(200);
    let others = format!("😀{}", "日".repeat(33_000));
    let mut room = vec![0; 120_064];
    // Spans begin where a vector is aligned.
    let start = room.as_ptr().align_offset(64);
    for (before, spans) in [(&ascii, 1..8), (&others, 1..45)] {
        for end in spans.flat_map(|span| [16, 32, 64].map(|first| first + 2_048 * span)) {
            let clean = before.floor_char_boundary(end - 3);
            let filler = "a".repeat(end - 3 - clean);
            let wrong = [&before.as_bytes()[..clean], filler.as_bytes(), b"\xF0\x90\x80A"].concat();
            let behind = "日".repeat(6_000);
            let text = [&wrong, behind.as_bytes()].concat();
            let bytes = &mut room[start..start + text.len()];
            bytes.copy_from_slice(&text);
            let expected = core::str::from_utf8(bytes).unwrap_err().valid_up_to();
            for level in Level::available() {
                let _forced = forced(level);
                let (valid, error) = placemat::valid_prefix(bytes);
                assert!(error.is_some() && valid == expected, "{}: {end}, {valid}, {expected}", level.name());
                assert!(!placemat::is_valid(bytes), "{}: {end}", level.name());
            }
        }
    }
}

#[test]
fn leads_that_nothing_follows() {
    let mut bytes = vec![b'a'; 1_500];
    for place in 0..bytes.len() {
        bytes[place] = 0xC3;
        for to in [Form::Iso8859_1, Form::Utf16Le] {
            let at = |level| placemat::convert_with(Transcoder::new(Form::Utf8, to).at_level(level), &bytes);
            let expected = at(Level::Scalar);
            for level in Level::available().skip(1) {
                assert!(at(level) == expected, "to {to} at {}: {place}", level.name());
            }
        }
        bytes[place] = b'a';
    }
}
