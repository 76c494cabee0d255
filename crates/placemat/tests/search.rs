//! Compares search with comparing at every place, and with a search in the decoded text.

#![cfg(feature = "alloc")]

mod common;

use common::Random;
use placemat::search::{self, Finder};
use placemat::{CodePoint, Form, sequences};

/// Matches at boundaries that do not overlap, found by comparing at every place.
fn by_comparing(form: Form, haystack: &[u8], needle: &[u8]) -> Vec<usize> {
    let mut boundaries: Vec<_> = sequences(form, haystack).map(|s| s.range().start).collect();
    boundaries.push(haystack.len());
    // Not behind half a code unit.
    boundaries.retain(|at| at % usize::from(form.facts().width.0) == 0);
    let mut free = 0;
    let is_match = |&&at: &&usize| {
        let end = at + needle.len();
        let fits = at >= free && haystack[at..].starts_with(needle) && boundaries.contains(&end);
        if fits {
            free = end;
        }
        fits
    };
    boundaries.iter().filter(is_match).copied().collect()
}

#[test]
fn finds_what_comparing_everywhere_finds() {
    let mut random = Random::new(1991);
    let mut found = 0;
    for &form in Form::ALL {
        for _ in 0..3000 {
            let len = random.below(40);
            let mut haystack = random.bytes(len);
            let n = random.below(5);
            if random.below(3) == 0 {
                haystack = haystack[..len.min(7)].repeat(6);
            }
            let from = random.below(haystack.len() + 1);
            let needle = haystack[from..haystack.len().min(from + n)].to_vec();
            let Some(finder) = Finder::new(form, &needle) else { continue };
            let all: Vec<_> = finder.find_iter(&haystack).collect();
            assert_eq!(
                all,
                by_comparing(form, &haystack, &needle),
                "{form}: {needle:02X?} in {haystack:02X?}"
            );
            assert_eq!(finder.find(&haystack), all.first().copied());
            found += all.len();
        }
    }
    assert!(found > 20_000, "{found}");
}

/// In well-formed text, the matches are those of a search in the decoded text.
#[test]
fn finds_what_a_search_of_the_decoded_text_finds() {
    let mut random = Random::new(16);
    let letters =
        ["a", "/", "\n", "é", "ý", "\u{10A}", "€", "\u{FF0A}", "\u{10000}", "\u{1F600}", "\u{1F601}"];
    for &form in Form::ALL {
        for _ in 0..300 {
            let mut text = |n| (0..n).map(|_| random.pick(&letters)).collect::<String>();
            let (haystack, needle) = (text(30), text(2));
            let in_form = |text: &str| placemat::convert(Form::Utf8, form, text.as_bytes());
            let (Ok(bytes), Ok(needle_bytes)) = (in_form(&haystack), in_form(&needle)) else { continue };
            let Some(finder) = Finder::new(form, &needle_bytes) else { continue };
            let length = |text: &str| placemat::length(Form::Utf8, form, text.as_bytes()).unwrap();
            let expected: Vec<_> =
                haystack.match_indices(&needle).map(|(at, _)| length(&haystack[..at])).collect();
            assert_eq!(
                finder.find_iter(&bytes).collect::<Vec<_>>(),
                expected,
                "{form}: {needle} in {haystack}"
            );
        }
    }
}

#[test]
fn forms_without_a_sound_search_are_refused() {
    for &form in Form::ALL {
        let name = form.name();
        let cannot = name.starts_with("utf-7")
            || matches!(name, "utf-1" | "fss-utf-1992-07" | "unicode-1-1-utf-8/lenient")
            || name.starts_with("mutf-8/");
        let owns_mark = matches!(name, "utf-8/bom" | "ucs-2" | "ucs-4" | "utf-32" | "utf-16" | "ucs-2/pairs")
            || name.starts_with("utf-16/");
        assert_eq!(Finder::new(form, b"abcd").is_none(), cannot || owns_mark, "{form}");
    }
    assert!(Finder::new(Form::Utf16Le, b"a\0b").is_none(), "half a code unit");
}

/// Otherwise a search in the bytes would miss characters that a reader finds.
#[test]
fn in_forms_that_are_searched_a_character_has_one_spelling() {
    let mut random = Random::new(45);
    for &form in Form::ALL {
        if Finder::new(form, b"abcd").is_none() && search::split(form, b"", b'/').is_none() {
            continue;
        }
        for _ in 0..20_000 {
            let len = random.below(5);
            let bytes = random.bytes(len);
            if let Ok(again) = placemat::convert(form, form, &bytes) {
                assert_eq!(again, bytes, "{form}");
            }
        }
    }
}

#[test]
fn pieces_between_delimiters_are_those_of_the_decoded_text() {
    let mut random = Random::new(44);
    for &form in Form::ALL {
        for _ in 0..300 {
            let len = random.below(40);
            let bytes = random.bytes(len);
            let delimiter = random.pick(b"\n\0a~,");
            let Some(pieces) = search::split(form, &bytes, delimiter) else { continue };
            let (mut expected, mut start) = (Vec::new(), 0);
            for sequence in sequences(form, &bytes) {
                if sequence.code_point() == Ok(CodePoint::from(delimiter)) {
                    expected.push(&bytes[start..sequence.range().start]);
                    start = sequence.range().end;
                }
            }
            expected.push(&bytes[start..]);
            assert_eq!(pieces.collect::<Vec<_>>(), expected, "{form} at {delimiter:02X}: {bytes:02X?}");
        }
    }
}

#[test]
fn delimiters_that_stand_inside_of_characters_are_refused() {
    for (form, delimiter, is_sound) in [
        ("utf-8", b'/', true),
        ("utf-8", 0x80, false),
        ("fss-utf-1992-07", b'/', true),
        ("utf-1", b'\n', true),
        ("utf-1", 0x7F, true),
        ("utf-1", b'/', false),
        ("utf-7", b'\n', false),
        ("utf-16le", b'/', true),
        ("utf-16", b'/', false),
    ] {
        let form = Form::named(form).unwrap();
        assert_eq!(search::split(form, b"", delimiter).is_some(), is_sound, "{form} {delimiter:02X}");
    }
}
