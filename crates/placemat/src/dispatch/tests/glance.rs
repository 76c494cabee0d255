//! A glance finds what is there.

use super::{Random, each_level};
use crate::glance::{Glance, ROWS, count_misread_plainly, neighbours_plainly};

#[test]
fn every_level_finds_what_bytes_one_by_one_have() {
    let mut random = Random(0x61A_4CE5);
    each_level(|kernels| {
        for length in (0..=600).chain([4096, 20_000, 70_000]) {
            for _ in 0..4 {
                let mut text = random.text(length);
                // Random text has every control character. Without them, one byte decides.
                for byte in &mut text {
                    *byte = if byte.is_ascii() { b'a' + *byte % 26 } else { *byte };
                }
                check(kernels.glance(&text), &text);
                if random.below(2) == 0 {
                    text.fill(b'\n');
                }
                if length > 0 {
                    text[random.below(length)] = random.byte();
                    check(kernels.glance(&text), &text);
                }
            }
        }
        for byte in 0..=u8::MAX {
            let text = [byte; 256];
            check(kernels.glance(&text), &text);
        }
    });
}

fn check(found: Option<Glance>, text: &[u8]) {
    let is_control = |byte: &u8| *byte < 32 && ![9, 10, 12].contains(byte) || *byte == 127;
    let truth = Glance {
        leads: text.iter().filter(|byte| **byte >= 0xC0).count(),
        is_ascii: text.is_ascii(),
        longest: text.iter().filter(|byte| **byte >= 0xF0).count(),
        has_controls: text.iter().any(is_control),
        has_odd_returns: false,
        is_well_formed: None,
    };
    assert_eq!(of_bytes(found, text).unwrap_or(truth), truth, "{text:x?}");
    assert_eq!(Glance::plainly::<false>(text), truth);
}

/// The result without `is_well_formed`, which a level need not report.
fn of_bytes(found: Option<Glance>, text: &[u8]) -> Option<Glance> {
    let found = found?;
    let truth = core::str::from_utf8(text).is_ok();
    assert_eq!(found.is_well_formed.unwrap_or(truth), truth, "{text:x?}");
    Some(Glance { is_well_formed: None, ..found })
}

#[test]
fn every_level_checks_what_it_looks_at() {
    const PIECES: [&[u8]; 9] = [
        b"a",
        "é".as_bytes(),
        "€".as_bytes(),
        "\u{1F600}".as_bytes(),
        b"\r\n",
        b"\xC3",
        b"\xE2\x82",
        b"\x80",
        b"\xED\xA0\x80",
    ];
    let mut random = Random(0xC4E_C4ED);
    each_level(|kernels| {
        for length in (300..700).chain([3000, 9000]) {
            // Most characters are ASCII, or most are not.
            for share in [1, 40, 400] {
                let mut text = alloc::vec::Vec::new();
                // The address decides where groups begin.
                let from = random.below(70);
                while text.len() < from + length {
                    let piece = if random.below(share) == 0 { PIECES[random.below(5)] } else { PIECES[0] };
                    text.extend_from_slice(piece);
                }
                let (wrong, is_long) = (PIECES[5 + random.below(4)], text.len() > 1000);
                for at in (from..text.len()).step_by(if is_long { 97 } else { 7 }) {
                    let mut text = text.clone();
                    text.splice(at..(at + random.below(3)).min(text.len()), wrong.iter().copied());
                    for text in [&text[from..], &text[from..=at]] {
                        of_bytes(kernels.glance(text), text);
                        of_bytes(kernels.glance_at_returns(text), text);
                    }
                }
                of_bytes(kernels.glance(&text[from..]), &text[from..]);
            }
        }
    });
}

/// The same for carriage returns.
fn check_returns(found: Option<Glance>, text: &[u8]) {
    let is_odd = |two: &[u8]| (two[0] == b'\r') != (two[1] == b'\n');
    let is_control = |byte: &u8| *byte < 32 && ![9, 10, 12, 13].contains(byte) || *byte == 127;
    let truth = Glance {
        has_controls: text.iter().any(is_control),
        has_odd_returns: text.windows(2).any(is_odd),
        ..Glance::plainly::<false>(text)
    };
    assert_eq!(of_bytes(found, text).unwrap_or(truth), truth, "{text:x?}");
    assert_eq!(Glance::plainly::<true>(text), truth);
}

#[test]
fn every_level_finds_a_return_or_a_feed_without_the_other() {
    let mut random = Random(0x0DD_4E7);
    each_level(|kernels| {
        for length in (0..=200).chain([255, 256, 257, 1000]) {
            for others in [0, 0, 1, 4] {
                let first = random.below(2);
                let end = |at: usize| if (at + first).is_multiple_of(2) { b'\r' } else { b'\n' };
                let mut text = (0..length).map(end).collect::<alloc::vec::Vec<u8>>();
                for _ in 0..others {
                    if let Some(at) = (length > 0).then(|| random.below(length)) {
                        text[at] = b"a\n\r\x8D\x1B\t"[random.below(6)];
                    }
                }
                check_returns(kernels.glance_at_returns(&text), &text);
            }
        }
        for byte in 0..=u8::MAX {
            let text = [byte; 300];
            check_returns(kernels.glance_at_returns(&text), &text);
        }
    });
}

#[test]
fn every_level_finds_what_may_be_decoded_twice() {
    const BYTES: [u8; 8] = [0xC3, 0xC3, 0xC2, 0xE2, 0xA9, b'C', b'b', 0xCB];
    let mut random = Random(0x0C3_0C2);
    each_level(|kernels| {
        for length in (0..=300).chain([511, 512, 513, 514, 1000]) {
            for most in [1, 4, BYTES.len()] {
                let mut text = alloc::vec![b'a'; length];
                for byte in &mut text {
                    *byte = if most == 1 { b'a' } else { BYTES[random.below(most)] };
                }
                if length > 2 {
                    let at = random.below(length - 2);
                    (text[at], text[at + 2]) = (0xC3, BYTES[random.below(BYTES.len())]);
                }
                let truth = count_misread_plainly(&text);
                assert_eq!(kernels.misread(&text).unwrap_or(truth), truth, "{text:x?}");
            }
        }
    });
}

#[test]
fn every_level_counts_each_row() {
    let mut random = Random(0x0E4C_4405);
    each_level(|kernels| {
        for longest in [1, 10, 64, 70, 300] {
            let mut ends = [0; ROWS];
            let mut at = 0;
            let rows = random.below(ROWS + 1);
            for end in &mut ends[..rows] {
                at += random.below(longest + 1);
                *end = at as u32;
            }
            ends[rows..].fill(at as u32);
            let text = random.text(at);
            let (mut truth, mut start) = ([0; ROWS], 0);
            for (count, end) in truth.iter_mut().zip(ends) {
                let row = &text[start..end as usize];
                *count = row.iter().filter(|&byte| byte & 0xC0 != 0x80).count() as u32;
                start = end as usize;
            }
            assert_eq!(kernels.count_each(&text, ends).unwrap_or(truth), truth, "{ends:?} {text:x?}");
            ends[ROWS - 1] = at as u32 + 1;
            assert_eq!(kernels.count_each(&text, ends), None);
        }
    });
}

#[test]
fn every_level_marks_the_same_neighbours() {
    const LETTERS: [&str; 28] = [
        "ط",
        "§",
        "»",
        "ธ",
        "׳",
        "\u{99}",
        "a",
        " ",
        "é",
        "Â",
        "Ã",
        "ö",
        "ß",
        "ё",
        "ж",
        "Я",
        "і",
        "џ",
        "Ґ",
        "σ",
        "Ω",
        "’",
        "”",
        "日",
        "ﬁ",
        "א",
        "ü",
        "\u{1F600}",
    ];
    let mut random = Random(0x000E_1680);
    each_level(|kernels| {
        for length in 0..400 {
            for most in [3, 8, LETTERS.len()] {
                let from = random.below(LETTERS.len() - most + 1);
                let letters = (0..length).map(|_| LETTERS[from + random.below(most)]);
                let text: alloc::string::String = letters.collect();
                let truth = neighbours_plainly(text.as_bytes());
                assert_eq!(kernels.neighbours(text.as_bytes()).unwrap_or(truth), truth, "{text}");
            }
        }
    });
}
