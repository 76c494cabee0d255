//! No character that may be a finding is skipped.

use std::string::String;
use std::vec::Vec;

use super::{Random, each_level};
use crate::invisible::findings;
use crate::kernel::invisible::{is_explained, scalar_prefix};

#[test]
fn every_character_that_can_be_a_finding_stops_it() {
    for c in '\0'..=char::MAX {
        // Behind a letter, so that U+FEFF is no byte order mark, and a form feed is not at the start of a line.
        let text = String::from_iter(['a', c]);
        let is_finding = findings(text.as_bytes()).next().is_some();
        let prefix = scalar_prefix(text.as_bytes());
        assert!(prefix == 1 || (prefix == text.len() && !is_finding), "{:X}: {prefix}", u32::from(c));
    }
}

#[test]
fn every_level_stops_where_the_scalar_one_does() {
    let mut random = Random(0x1F3F_4E00_67E0_062E);
    let expected: Vec<char> =
        "\0\u{7F}\u{85}\u{AD}\u{34F}\u{61C}\u{115F}\u{17B4}\u{180B}\u{200B}\u{200F}\u{202A}\u{202E}\u{2060}\u{206F}\u{3164}\
         \u{FE0F}\u{FEFF}\u{FFA0}\u{FFF8}\u{1BCA0}\u{1D173}\u{E0041}\u{E01EF}\u{2019}\u{2026}\u{202F}\u{1780}\u{3042}\u{1F600}"
            .chars()
            .collect();
    each_level(|kernels| {
        for length in 0..=400 {
            let mut text = String::from_utf8_lossy(&random.text(length)).into_owned();
            text.retain(|c| !findings(String::from_iter(['a', c]).as_bytes()).any(|_| true));
            let check = |text: &str| {
                let (found, truth) =
                    (kernels.before_invisible(text.as_bytes()), scalar_prefix(text.as_bytes()));
                assert_eq!(found, truth, "{:?}: {text:?}", kernels.level());
            };
            check(&text);
            for _ in 0..8 {
                let mut at = random.below(text.len() + 1);
                while !text.is_char_boundary(at) {
                    at -= 1;
                }
                let mut with = text.clone();
                with.insert(at, expected[random.below(expected.len())]);
                check(&with);
            }
        }
    });
}

#[test]
fn what_is_explained_at_once_is_no_finding() {
    let joiners =
        ['\u{200B}', '\u{200C}', '\u{200D}', '\u{1780}', '\u{178C}', '\u{17B4}', '\u{17B5}', '\u{17B6}'];
    let others = ["", "a", "\u{627}", "\u{1780}"];
    let assert_explained = |before: &str, c: char, after: &str| {
        let text = String::from_iter([before, c.encode_utf8(&mut [0; 4]), after]);
        if is_explained(text.as_bytes(), before.len()) {
            let found = findings(text.as_bytes()).from_middle().any(|found| found.offset == before.len());
            assert!(!found, "{text:?}");
        }
    };
    for c in joiners {
        for other in '\0'..=char::MAX {
            let other = String::from(other);
            for near in others {
                assert_explained(&other, c, near);
                assert_explained(near, c, &other);
            }
        }
    }
}
