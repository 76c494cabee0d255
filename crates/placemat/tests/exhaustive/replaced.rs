//! Compares all 2^32 strings of four bytes, and all pairs of UTF-16 code units, in the conversions that replace errors, on every
//! level, with the standard library.
//!
//! These conversions continue behind errors, so one call takes many strings, each with a letter behind it.

use placemat::{Form, Level, Policy, Status, Transcoder};

use crate::walk::Walk;

/// Strings in one call.
const MANY: usize = 128;

#[test]
#[ignore = "minutes: cargo xtask exhaust"]
fn two_units() {
    let walk = Walk::new();
    walk.stripes("two units, utf-16le and utf-16be to utf-8, replacing, every level", 256, |first| {
        let to_utf8 = [Form::Utf16Le, Form::Utf16Be].map(|from| on_each_level(from, Form::Utf8));
        batches(&walk, first, |strings| {
            let units: Vec<u16> = strings
                .iter()
                .flat_map(|string| [(string >> 16) as u16, *string as u16, u16::from(b'a')])
                .collect();
            let mut expected = String::with_capacity(8 * MANY);
            let chars = char::decode_utf16(units.iter().copied());
            expected.extend(chars.map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER)));
            let little: Vec<_> = units.iter().flat_map(|unit| unit.to_le_bytes()).collect();
            let big: Vec<_> = units.iter().flat_map(|unit| unit.to_be_bytes()).collect();
            check(&to_utf8[0], &little, expected.as_bytes());
            check(&to_utf8[1], &big, expected.as_bytes());
        })
    });
}

#[test]
#[ignore = "minutes: cargo xtask exhaust"]
fn four_bytes_replaced() {
    let walk = Walk::new();
    walk.stripes("four bytes, utf-8 to utf-8 and utf-16le, replacing, every level", 256, |first| {
        let [same, wide] = [Form::Utf8, Form::Utf16Le].map(|to| on_each_level(Form::Utf8, to));
        batches(&walk, first, |strings| {
            let bytes: Vec<_> = strings
                .iter()
                .flat_map(|string| {
                    let [a, b, c, d] = string.to_be_bytes();
                    [a, b, c, d, b'a']
                })
                .collect();
            let expected = String::from_utf8_lossy(&bytes);
            check(&same, &bytes, expected.as_bytes());
            let units: Vec<_> = expected.encode_utf16().flat_map(u16::to_le_bytes).collect();
            check(&wide, &bytes, &units);
        })
    });
}

/// A conversion that replaces, on each level.
fn on_each_level(from: Form, to: Form) -> Vec<(Level, Transcoder)> {
    let transcoder = Transcoder::new(from, to).on_error(Policy::Replace);
    Level::available().map(|level| (level, transcoder.clone().at_level(level))).collect()
}

/// Calls `check` with all numbers whose first byte is `first`, many at a time.
fn batches(walk: &Walk, first: u32, mut check: impl FnMut(&[u32])) -> u64 {
    let mut cases = 0;
    let mut all = walk.some(1 << 24, first).map(|rest| first << 24 | rest);
    let mut strings = Vec::with_capacity(MANY);
    loop {
        strings.clear();
        strings.extend(all.by_ref().take(MANY));
        if strings.is_empty() {
            return cases;
        }
        check(&strings);
        cases += strings.len() as u64;
    }
}

/// Checks that each transcoder gives the result of the standard library.
fn check(transcoders: &[(Level, Transcoder)], source: &[u8], expected: &[u8]) {
    let mut out = [0; 32 * MANY];
    for (level, transcoder) in transcoders {
        let step = transcoder.clone().push(source, &mut out);
        assert_eq!((step.read, step.status), (source.len(), Status::NeedInput), "{level:?}: {source:02x?}");
        assert!(out[..step.written] == *expected, "{level:?}: {source:02x?}");
    }
}
