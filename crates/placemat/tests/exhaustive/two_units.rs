//! All 2^32 pairs of UTF-16 code units, and all strings of four bytes through the replacing conversions, against the
//! standard library.
//!
//! A fixed policy repairs as it goes, so that one call takes many strings, each with a letter after it.

use placemat::{Form, Policy, Status, Transcoder};

use crate::levels;
use crate::walk::Walk;

/// Strings in one call.
const MANY: usize = 128;

#[test]
#[ignore = "minutes: cargo xtask exhaust"]
fn two_units() {
    let walk = Walk::new();
    for (level, _) in levels() {
        for from in [Form::Utf16Le, Form::Utf16Be] {
            let what = format!("two units, {} to utf-8, {}", from.name(), level.name());
            walk.stripes(&what, 256, |first| {
                let transcoder = Transcoder::new(from, Form::Utf8).on_error(Policy::Replace).at_level(level);
                stripe(&walk, first, &transcoder, |string, source, expected| {
                    let units = [(string >> 16) as u16, string as u16, u16::from(b'a')];
                    for unit in units {
                        let bytes = unit.to_le_bytes();
                        source.extend_from_slice(&if from == Form::Utf16Le {
                            bytes
                        } else {
                            unit.to_be_bytes()
                        });
                    }
                    for c in char::decode_utf16(units) {
                        let c = c.unwrap_or(char::REPLACEMENT_CHARACTER);
                        expected.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
                    }
                })
            });
        }
    }
}

#[test]
#[ignore = "minutes: cargo xtask exhaust"]
fn four_bytes_replaced() {
    let walk = Walk::new();
    for (level, _) in levels() {
        for to in [Form::Utf8, Form::Utf16Le] {
            let what = format!("four bytes, utf-8 to {}, replacing, {}", to.name(), level.name());
            walk.stripes(&what, 256, |first| {
                let transcoder = Transcoder::new(Form::Utf8, to).on_error(Policy::Replace).at_level(level);
                stripe(&walk, first, &transcoder, |string, source, expected| {
                    let start = source.len();
                    source.extend_from_slice(&string.to_be_bytes());
                    source.push(b'a');
                    for chunk in source[start..].utf8_chunks() {
                        put(chunk.valid(), to, expected);
                        if !chunk.invalid().is_empty() {
                            put("\u{FFFD}", to, expected);
                        }
                    }
                })
            });
        }
    }
}

fn put(text: &str, to: Form, out: &mut Vec<u8>) {
    match to {
        Form::Utf8 => out.extend_from_slice(text.as_bytes()),
        _ => out.extend(text.encode_utf16().flat_map(u16::to_le_bytes)),
    }
}

/// All strings whose first byte is `first`. `add` appends one to the source, and what it becomes to what is expected.
fn stripe(
    walk: &Walk,
    first: u32,
    transcoder: &Transcoder,
    add: impl Fn(u32, &mut Vec<u8>, &mut Vec<u8>),
) -> u64 {
    let (mut source, mut expected, mut out) = (Vec::new(), Vec::new(), vec![0; 32 * MANY]);
    let mut strings = walk.some(1 << 24, first).map(|rest| first << 24 | rest).peekable();
    let mut cases = 0;
    while let Some(&start) = strings.peek() {
        source.clear();
        expected.clear();
        for string in strings.by_ref().take(MANY) {
            add(string, &mut source, &mut expected);
            cases += 1;
        }
        let step = transcoder.clone().push(&source, &mut out);
        assert_eq!((step.read, step.status), (source.len(), Status::NeedInput), "from {start:08x} on");
        assert!(out[..step.written] == expected[..], "one of the {MANY} from {start:08x} on");
    }
    cases
}
