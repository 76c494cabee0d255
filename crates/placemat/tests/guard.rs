//! No kernel reads or writes past a slice, not even where it does no harm: every length up to 300, with source and destination
//! next to pages that cannot be accessed, before and behind them.
#![cfg(all(unix, feature = "alloc"))]

mod common;
#[path = "guard/pages.rs"]
mod pages;

use common::{Random, forced};
use pages::{Edge, Pages};
use placemat::{Error, Form, Level, Policy, Transcoder, utf16, utf32};

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

/// The lengths of text: up to more than one round of the widest loop of any kernel.
const LENGTHS: std::ops::RangeInclusive<usize> = 0..=300;

/// Text of `len` bytes in `form`: ASCII, well-formed, and ill-formed.
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
        let _forced = forced(level);
        for len in LENGTHS {
            for text in texts(&mut random, Form::Utf8, len) {
                for edge in Edge::BOTH {
                    let source = pages.slice(edge, len);
                    source.copy_from_slice(&text);
                    let verdict = placemat::validate(source).map_err(|e| e.offset() as usize);
                    assert_eq!(verdict, core::str::from_utf8(&text).map_err(|e| e.valid_up_to()));
                    let _ = placemat::valid_prefix(source);
                    let lossy = String::from_utf8_lossy(&text);
                    assert_eq!(placemat::repair(source), lossy);
                    let mut out = b"before".to_vec();
                    let replaced = placemat::repair_into(source, &mut out);
                    assert_eq!(out.strip_prefix(b"before"), Some(lossy.as_bytes()));
                    let invalid = text.utf8_chunks().filter(|chunk| !chunk.invalid().is_empty());
                    assert_eq!(replaced, invalid.count());
                    assert_eq!(placemat::count(Form::Utf8, source), placemat::count(Form::Utf8, &text));
                }
            }
        }
    }
}

#[test]
fn validation_of_units() {
    let (mut random, mut pages) = (Random::new(9), Pages::new());
    let offset = |verdict: Result<(), Error>, len| verdict.map_or_else(|e| e.offset() as usize, |()| len);
    for level in Level::available() {
        let _forced = forced(level);
        for len in LENGTHS {
            let text = random.text(2 * len);
            // The last unit may be half a surrogate pair.
            let units: Vec<u16> = text.encode_utf16().chain([0; 300]).take(len).collect();
            let points: Vec<u32> = text.chars().map(u32::from).chain([0; 300]).take(len).collect();
            let (mut wrong_units, mut wrong_points, at) =
                (units.clone(), points.clone(), random.below(len + 1));
            wrong_units.iter_mut().skip(at).take(1).for_each(|unit| *unit = 0xDC00);
            wrong_points.iter_mut().skip(at).take(1).for_each(|point| *point = 0x11_0000);
            for edge in Edge::BOTH {
                for units in [&units, &wrong_units] {
                    let found = utf16::validate(pages.units(edge, units));
                    let valid = char::decode_utf16(units.iter().copied()).map_while(Result::ok);
                    assert_eq!(offset(found, len), valid.map(char::len_utf16).sum(), "{units:04X?}");
                }
                for points in [&points, &wrong_points] {
                    let found = utf32::validate(pages.units(edge, points));
                    let valid = points.iter().take_while(|&&point| char::from_u32(point).is_some());
                    assert_eq!(offset(found, len), valid.count(), "{points:04X?}");
                }
            }
        }
    }
}

#[test]
fn conversion() {
    let (mut random, mut sources, mut target) = (Random::new(7), [Pages::new(), Pages::new()], Pages::new());
    for (from, len) in FROM.into_iter().flat_map(|from| LENGTHS.map(move |len| (from, len))) {
        for text in texts(&mut random, from, len) {
            let [start, end] = &mut sources;
            let sources = [start.slice(Edge::Start, len), end.slice(Edge::End, len)].map(|source| {
                source.copy_from_slice(&text);
                &*source
            });
            for (to, policy) in TO.into_iter().flat_map(|to| [(to, Policy::Stop), (to, Policy::Replace)]) {
                let transcoder = Transcoder::new(from, to).on_error(policy);
                let mut room = [0; 4 * 300 + 16];
                let exact = transcoder.clone().at_level(Level::Scalar).push(&text, &mut room).written;
                let check = Check { transcoder, expected: &room[..exact] };
                for level in Level::available() {
                    sources.iter().for_each(|source| check.on_level(level, source, &mut target));
                }
            }
        }
    }
}

/// A transcoder, and what it makes of a text.
struct Check<'a> {
    transcoder: Transcoder,
    expected: &'a [u8],
}

impl Check<'_> {
    /// Checks outputs of exactly the right length, one byte shorter, and of other lengths from zero to far too long.
    fn on_level(&self, level: Level, source: &[u8], pages: &mut Pages) {
        let exact = self.expected.len();
        for room in [exact, exact.saturating_sub(1), (exact + 64) * (source.len() % 9) / 8] {
            for edge in Edge::BOTH {
                let target = pages.slice(edge, room);
                let written = self.transcoder.clone().at_level(level).push(source, target).written;
                let what = || format!("{:?} on {level:?}, {source:02X?} into {room}", self.transcoder);
                assert!(self.expected.starts_with(&target[..written]), "{}", what());
                assert!(room < exact || written == exact, "{}: it fits", what());
                assert!(pages.is_untouched_outside(edge, room), "{}: written outside", what());
            }
        }
    }
}

#[test]
fn measuring() {
    let (mut random, mut pages) = (Random::new(8), Pages::new());
    for (from, len) in FROM.into_iter().flat_map(|from| LENGTHS.map(move |len| (from, len))) {
        for text in texts(&mut random, from, len) {
            let converted = TO.map(|to| placemat::convert(from, to, &text).map(|bytes| bytes.len()));
            let count = {
                let _forced = forced(Level::Scalar);
                placemat::count(from, &text)
            };
            for level in Level::available() {
                let _forced = forced(level);
                for edge in Edge::BOTH {
                    let source = pages.slice(edge, len);
                    source.copy_from_slice(&text);
                    assert_eq!(placemat::count(from, source), count, "{} on {level:?}", from.name());
                    let lengths = TO.map(|to| placemat::length(from, to, source));
                    assert_eq!(lengths, converted, "{} on {level:?}", from.name());
                }
            }
        }
    }
}
