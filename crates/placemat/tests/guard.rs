//! No kernel reads or writes past a slice, not even harmlessly: every length up to 300 with the source and the destination
//! against pages that cannot be touched, before and behind.
#![cfg(all(unix, feature = "alloc"))]

mod common;
#[path = "guard/pages.rs"]
mod pages;

use common::Random;
use pages::{Edge, Pages};
use placemat::{Form, Level, Policy, Status, Transcoder};

/// Forms that kernels read.
const FROM: [Form; 9] = [
    Form::Utf8,
    Form::Utf16Le,
    Form::Utf16Be,
    Form::Utf32Le,
    Form::Utf32Be,
    Form::Iso8859_1,
    Form::UsAscii,
    Form::Cesu8,
    Form::Mutf8,
];

/// Forms that kernels write.
const TO: [Form; 9] = [
    Form::Utf8,
    Form::Utf16Le,
    Form::Utf16Be,
    Form::Utf32Le,
    Form::Utf32Be,
    Form::Iso8859_1,
    Form::Wtf8,
    Form::Cesu8,
    Form::Mutf8,
];

/// Every length, at which more than the widest loop of any kernel has begun and ended.
const LENGTHS: std::ops::RangeInclusive<usize> = 0..=300;

/// Text of `len` bytes in `form`: ASCII, well-formed, and neither.
fn texts(random: &mut Random, form: Form, len: usize) -> [Vec<u8>; 3] {
    let well_formed = |text: &str| {
        let policy = Policy::Stop.unencodable(placemat::Unencodable::Skip);
        let transcoder = Transcoder::new(Form::Utf8, form).on_error(policy);
        let mut bytes =
            placemat::convert_with(transcoder, text.as_bytes()).expect("what is refused is skipped");
        bytes.truncate(len);
        bytes.resize(len, 0);
        bytes
    };
    [well_formed(&"plain ".repeat(len / 5 + 1)), well_formed(&random.text(len)), random.bytes(len)]
}

#[test]
fn validation() {
    let (mut random, mut pages) = (Random::new(6), Pages::new());
    for level in Level::available() {
        for len in LENGTHS {
            for text in texts(&mut random, Form::Utf8, len) {
                for edge in Edge::BOTH {
                    let source = pages.slice(edge, len);
                    source.copy_from_slice(&text);
                    assert!(level.force());
                    let verdict = placemat::validate(source).map_err(|e| e.offset() as usize);
                    assert_eq!(verdict, core::str::from_utf8(&text).map_err(|e| e.valid_up_to()));
                    let _ = placemat::valid_prefix(source);
                    assert_eq!(placemat::repair(source), String::from_utf8_lossy(&text));
                    assert_eq!(placemat::count(Form::Utf8, source), placemat::count(Form::Utf8, &text));
                }
            }
        }
    }
}

#[test]
fn conversion() {
    let (mut random, mut source_pages, mut target_pages) = (Random::new(7), Pages::new(), Pages::new());
    for from in FROM {
        for len in LENGTHS {
            let texts = texts(&mut random, from, len);
            for (text, to) in texts.iter().flat_map(|text| TO.map(|to| (text, to))) {
                let policy = random.pick(&[Policy::Stop, Policy::Replace]);
                let plain = Transcoder::new(from, to).on_error(policy);
                let expected = run(plain.clone().at_level(Level::Scalar), text, &mut vec![0; 16 * len + 16]);
                let exact = expected.0.len();
                let rooms =
                    [exact, exact.saturating_sub(1), random.below(exact + 1), exact + random.below(99)];
                for level in Level::available() {
                    let edge = random.pick(&Edge::BOTH);
                    let source = source_pages.slice(edge, len);
                    source.copy_from_slice(text);
                    for room in rooms {
                        let target = target_pages.slice(edge, room);
                        let (written, _) = run(plain.clone().at_level(level), source, target);
                        let what =
                            format!("{} to {} on {level:?}, {len} into {room}", from.name(), to.name());
                        assert!(expected.0.starts_with(&written), "{what}");
                        assert!(room < exact || written == expected.0, "{what}: it fits");
                        assert!(target_pages.is_untouched_outside(edge, room), "{what}: written outside");
                    }
                }
            }
        }
    }
}

#[test]
fn measuring() {
    let (mut random, mut pages) = (Random::new(8), Pages::new());
    for from in FROM {
        for len in LENGTHS {
            for text in texts(&mut random, from, len) {
                let edge = random.pick(&Edge::BOTH);
                let source = pages.slice(edge, len);
                source.copy_from_slice(&text);
                let of = |level: Level, to| {
                    assert!(level.force());
                    (placemat::count(from, source), placemat::length(from, to, source))
                };
                for to in TO {
                    let expected = of(Level::Scalar, to);
                    let converted = placemat::convert(from, to, &text).map(|bytes| bytes.len());
                    assert_eq!(expected.1, converted, "{} to {}", from.name(), to.name());
                    for level in Level::available() {
                        assert_eq!(of(level, to), expected, "{} to {} on {level:?}", from.name(), to.name());
                    }
                }
            }
        }
    }
}

/// What one call writes, and how it ends.
fn run(mut transcoder: Transcoder, source: &[u8], target: &mut [u8]) -> (Vec<u8>, Status) {
    let step = transcoder.push(source, target);
    (target[..step.written].to_vec(), step.status)
}
