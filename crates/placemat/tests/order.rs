//! Compares positions and orders with the vectors, and with decoding everything.

#![cfg(feature = "alloc")]

mod common;

use common::Random;
use placemat::{CodePoint, Form, Policy, Transcoder, compare, position, sequences};

fn hex(text: &str) -> Vec<u8> {
    text.split(' ').map(|byte| u8::from_str_radix(byte, 16).unwrap()).collect()
}

#[test]
fn ranks_of_the_vectors() {
    let lines = include_str!("vectors/sort_order.txt").lines().filter(|line| !line.starts_with('#'));
    let rows: Vec<Vec<&str>> = lines.map(|line| line.split(" | ").collect()).collect();
    let rank = |row: &[&str], column: usize| row[column].parse::<u32>().unwrap();
    let mut forms = vec![(Form::Utf8, 3), (Form::Utf16Be, 5)];
    forms.extend(Form::named("cesu-8").map(|form| (form, 4)));
    for (a, b) in rows.iter().flat_map(|a| rows.iter().map(move |b| (a, b))) {
        for &(form_a, column_a) in &forms {
            for &(form_b, column_b) in &forms {
                let (bytes_a, bytes_b) = (hex(a[column_a]), hex(b[column_b]));
                let (text_a, text_b) = ((form_a, &*bytes_a), (form_b, &*bytes_b));
                assert_eq!(
                    compare::by_code_point(text_a, text_b),
                    rank(a, 1).cmp(&rank(b, 1)),
                    "{a:?} {b:?}"
                );
                assert_eq!(compare::by_utf16(text_a, text_b), rank(a, 2).cmp(&rank(b, 2)), "{a:?} {b:?}");
            }
        }
        assert_eq!(hex(a[3]).cmp(&hex(b[3])), rank(a, 1).cmp(&rank(b, 1)), "bytes of UTF-8");
        assert_eq!(hex(a[4]).cmp(&hex(b[4])), rank(a, 2).cmp(&rank(b, 2)), "bytes of CESU-8");
    }
}

/// The code points of `bytes`, with U+FFFD for each error.
fn read(form: Form, bytes: &[u8]) -> Vec<CodePoint> {
    sequences(form, bytes).map(|s| s.code_point().unwrap_or(CodePoint::REPLACEMENT)).collect()
}

fn units(text: &[CodePoint]) -> Vec<u32> {
    let unit = |c: &CodePoint| match c.to_char() {
        Some(c) => c.encode_utf16(&mut [0; 2]).iter().map(|&unit| u32::from(unit)).collect(),
        None => vec![c.value()],
    };
    text.iter().flat_map(unit).collect()
}

#[test]
fn any_two_texts_compare_as_what_they_say() {
    let mut random = Random::new(61);
    for _ in 0..60_000 {
        let (form_a, form_b) = (random.pick(Form::ALL), random.pick(Form::ALL));
        let len = random.below(16);
        let a = random.bytes(len);
        let mut b = if random.below(4) == 0 { random.bytes(len) } else { a.clone() };
        if let Some(byte) = b.last_mut().filter(|_| len & 1 == 0) {
            *byte = random.next() as u8;
        }
        b.truncate(random.below(len + 1).max(len.saturating_sub(2)));
        for (form_a, form_b) in [(form_a, form_b), (form_a, form_a)] {
            let (text_a, text_b) = (read(form_a, &a), read(form_b, &b));
            let (a, b) = ((form_a, &*a), (form_b, &*b));
            assert_eq!(compare::by_code_point(a, b), text_a.cmp(&text_b), "{a:02X?} {b:02X?}");
            assert_eq!(compare::by_utf16(a, b), units(&text_a).cmp(&units(&text_b)), "{a:02X?} {b:02X?}");
        }
    }
}

#[test]
fn keys_of_utf16_units_sort_by_code_point() {
    let mut random = Random::new(2000);
    for _ in 0..20_000 {
        let (a, b) = (random.text(3), random.text(3));
        let keys = |text: &str| text.encode_utf16().map(compare::code_point_key).collect::<Vec<_>>();
        assert_eq!(keys(&a).cmp(&keys(&b)), a.cmp(&b), "{a:?} {b:?}");
    }
}

#[test]
fn positions_agree_with_reading_from_the_start() {
    let mut random = Random::new(7);
    for &form in Form::ALL {
        for _ in 0..600 {
            let len = random.below(40);
            let bytes = random.bytes(len);
            let all: Vec<_> = sequences(form, &bytes).map(|s| s.range()).collect();
            for (index, range) in all.iter().enumerate() {
                assert_eq!(
                    position::offset_of(form, &bytes, index),
                    Some(range.start),
                    "{form} {bytes:02X?}"
                );
                for offset in range.clone() {
                    assert_eq!(position::index_at(form, &bytes, offset), index, "{form} {bytes:02X?}");
                }
            }
            assert_eq!(position::offset_of(form, &bytes, all.len()), Some(bytes.len()));
            assert_eq!(position::offset_of(form, &bytes, all.len() + 1), None);
            assert_eq!(position::index_at(form, &bytes, bytes.len() + 7), all.len());
        }
    }
}

#[test]
fn positions_in_long_text_with_errors_here_and_there() {
    let mut random = Random::new(1024);
    let mut bytes = Vec::new();
    for _ in 0..40 {
        bytes.extend_from_slice(random.text(700).as_bytes());
        bytes.extend(random.bytes(3));
    }
    let all: Vec<_> = sequences(Form::Utf8, &bytes).map(|s| s.range()).collect();
    for index in (0..all.len()).step_by(17) {
        let range = all[index].clone();
        assert_eq!(position::offset_of(Form::Utf8, &bytes, index), Some(range.start));
        assert_eq!(position::index_at(Form::Utf8, &bytes, range.end - 1), index);
    }
    assert_eq!(position::offset_of(Form::Utf8, &bytes, all.len()), Some(bytes.len()));
}

/// Positions count the code points of the text with U+FFFD for errors.
#[test]
fn numbers_are_those_of_the_replaced_text() {
    let bytes = b"a\xE2\x82b\xFF\xC3\xA9";
    let replaced =
        placemat::convert_with(Transcoder::new(Form::Utf8, Form::Utf32Be).on_error(Policy::Replace), bytes);
    assert_eq!(replaced.unwrap().len() / 4, 5);
    assert_eq!(
        (0..6).filter_map(|n| position::offset_of(Form::Utf8, bytes, n)).collect::<Vec<_>>(),
        [0, 1, 3, 4, 5, 7]
    );
}
