//! Compares every kernel with scalar code: every level, every short length, every alignment, mutated text.

use std::string::String;
use std::vec::Vec;

mod from_utf8;
mod glance;
#[cfg(feature = "invisible")]
mod invisible;
mod pairs;

use crate::{Form, Policy, Transcoder, Unencodable, convert_with};

use super::{Entry, Kernels, Level, kernels_at};

/// A small generator of random numbers, the same in every run.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, n: usize) -> usize {
        (self.next() >> 11) as usize % n
    }

    /// A scalar value that takes `bytes` bytes in UTF-8.
    fn character(&mut self, bytes: usize) -> char {
        let (from, to) = [(0, 0x80), (0x80, 0x800), (0x800, 0x1_0000), (0x1_0000, 0x11_0000)][bytes - 1];
        loop {
            if let Some(c) = char::from_u32((from + self.below(to - from)) as u32) {
                return c;
            }
        }
    }

    /// About `length` bytes: runs of characters of one width, so that a kernel changes its mode often.
    fn text(&mut self, length: usize) -> Vec<u8> {
        let mut text = String::new();
        while text.len() < length {
            let width = [1, 1, 1, 2, 2, 3, 3, 4][self.below(8)];
            let run = [1, 2, 5, 40, 400][self.below(5)];
            for _ in 0..=self.below(run) {
                let width = if self.below(40) == 0 { 1 + self.below(4) } else { width };
                text.push(self.character(width));
            }
        }
        let mut text = text.into_bytes();
        text.truncate(length);
        text
    }

    /// One of the bytes that matter in UTF-8.
    fn byte(&mut self) -> u8 {
        const EDGES: [u8; 20] = [
            0x00, 0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xED, 0xEF,
            0xF0, 0xF4, 0xF5, 0xFF,
        ];
        EDGES[self.below(EDGES.len())]
    }
}

fn each_level(test: impl FnMut(Kernels)) {
    Level::available().filter_map(kernels_at).for_each(test);
}

fn check_prefixes(kernels: Kernels, text: &[u8]) {
    let level = kernels.level();
    let ascii = text.iter().position(|b| !b.is_ascii()).unwrap_or(text.len());
    assert_eq!(kernels.ascii_prefix(text), ascii, "{level:?} {text:x?}");
    let truth = core::str::from_utf8(text).map_or_else(|e| e.valid_up_to(), str::len);
    let prefix = kernels.utf8_prefix(text);
    assert_eq!(prefix, truth, "{level:?}: {text:x?}");
}

#[test]
fn every_length_and_alignment() {
    let mut random = Random(0x9E37_79B9_7F4A_7C15);
    each_level(|kernels| {
        for length in 0..=300 {
            for start in 0..if length < 80 { 64 } else { 3 } {
                let text = random.text(length + start);
                check_prefixes(kernels, &text[start..]);
                let mut ascii = std::vec![b'a'; length + start];
                check_prefixes(kernels, &ascii[start..]);
                if length > 0 {
                    ascii[start + random.below(length)] = random.byte();
                    check_prefixes(kernels, &ascii[start..]);
                }
            }
        }
    });
}

/// Replaces any byte of a text, and cuts off its end, at lengths near multiples of a vector.
#[test]
fn every_place_of_an_error() {
    for text in ["a", "é", "€", "😀", "aé€😀 plain text as long as half of a vector"] {
        let text = text.repeat(600 / text.len());
        each_level(|kernels| {
            for end in (64..=576).step_by(64).flat_map(|end| end - 4..end + 5) {
                for start in 0..4 {
                    let mut text = text.as_bytes()[start..end].to_vec();
                    check_prefixes(kernels, &text);
                    for place in (0..text.len()).step_by(1 + text.len() / 150) {
                        let byte = text[place];
                        text[place] = [0x41, 0x80, 0xC2, 0xE2, 0xF0, 0xFF][(place + end) % 6];
                        check_prefixes(kernels, &text);
                        text[place] = byte;
                    }
                }
            }
        });
    }
}

#[test]
fn every_pair_and_triple_that_matters() {
    each_level(|kernels| {
        for before in [0, 13, 14, 15, 29, 31, 61, 62, 63, 130] {
            for first in 0x7F..=0xFF {
                for second in 0x7F..=0xC2 {
                    let mut text = std::vec![b'a'; before];
                    text.extend([first, second]);
                    check_prefixes(kernels, &text);
                    text.extend([0x80]);
                    check_prefixes(kernels, &text);
                    text.extend([0xBF]);
                    check_prefixes(kernels, &text);
                    text.extend([b'a'; 70]);
                    check_prefixes(kernels, &text);
                }
            }
        }
    });
}

#[test]
fn long_text_with_a_few_errors() {
    let mut random = Random(42);
    each_level(|kernels| {
        for round in 0..1200 {
            let length = random.below(if round % 10 == 0 { 20_000 } else { 2_000 });
            let mut text = random.text(length);
            check_prefixes(kernels, &text);
            for _ in 0..random.below(3) {
                if let Some(i) = length.checked_sub(1).map(|n| random.below(n + 1)) {
                    text[i] = if random.below(2) == 0 { random.byte() } else { random.next() as u8 };
                }
            }
            check_prefixes(kernels, &text);
        }
    });
}

#[test]
fn names() {
    for level in Level::ALL {
        assert_eq!(Level::named(level.name()), Some(level));
    }
    assert_eq!(Level::named("AVX2"), None);
    assert_eq!(Level::available().next(), Some(Level::Scalar));
}

/// Runs `entry` on `src`, with exactly as much room as it needs, and with less and more.
fn check_convert(entry: Entry, src: &[u8], full: &[u8], expected: impl Fn(&[u8]) -> Vec<u8>, what: &str) {
    for room in
        [full.len(), full.len() + 7, full.len() + 600, full.len().saturating_sub(1), full.len() / 2, 0]
    {
        let mut dst = std::vec![0xA5; room + 64];
        let (inside, _) = dst.split_at_mut(room);
        let progress = entry.run(src, inside);
        assert!(dst[room..].iter().all(|&b| b == 0xA5), "{what}: wrote past {room} for {src:x?}");
        assert!(progress.written <= room && progress.read <= src.len(), "{what}");
        assert_eq!(dst[..progress.written], expected(&src[..progress.read]), "{what}, room {room}: {src:x?}");
    }
}

/// `text` in `form`, converted without kernels.
fn in_form(form: Form, text: &str) -> Vec<u8> {
    let transcoder = Transcoder::new(Form::Utf8, form).at_level(Level::Scalar);
    convert_with(transcoder.on_error(Policy::Stop.unencodable(Unencodable::Skip)), text.as_bytes())
        .expect("what is refused is skipped")
}

fn check_measured(kernels: Kernels, form: Form, src: &[u8], whole: bool) {
    let what = std::format!("{} {form:?}", kernels.level().name());
    let Some(measured) = kernels.measure(form, src) else { return };
    let plain = Transcoder::new(form, Form::Utf8).at_level(Level::Scalar);
    let read = convert_with(plain.clone(), &src[..measured.read]);
    let text =
        String::from_utf8(read.unwrap_or_else(|e| panic!("{what} reads {e} of {src:x?}"))).expect("UTF-8");
    let supplementary = text.chars().filter(|&c| c > '\u{FFFF}').count();
    assert_eq!(
        (measured.code_points, measured.supplementary, measured.utf8),
        (text.chars().count(), supplementary, text.len()),
        "{what}: {src:x?}"
    );
    if form == Form::Utf8 {
        assert_eq!(kernels.count(src), Some(measured.code_points), "{what}: {src:x?}");
        let units = measured.code_points + measured.supplementary;
        assert_eq!(kernels.utf8_in_utf16(src), Some(units), "{what}: {src:x?}");
    }
    if whole {
        assert_eq!(measured.read, src.len(), "{what} refuses {src:x?}");
    } else if let Err(error) = convert_with(plain.clone(), src) {
        assert!(error.offset() as usize - measured.read < 1 << 14, "{what} stops early");
    }
    if !matches!(form, Form::Utf8 | Form::Iso8859_1) {
        // Before an error, this kernel may stop at another place.
        let valid = kernels.wide_prefix(form, src);
        assert_eq!(valid == src.len(), measured.read == src.len(), "{what}: {src:x?}");
        assert!(convert_with(plain.clone(), &src[..valid]).is_ok(), "{what} reads {valid} of {src:x?}");
        if let Err(error) = convert_with(plain, src) {
            assert!(error.offset() as usize - valid < 1 << 14, "{what} stops early");
        }
    }
    let length = (measured.read == src.len()).then_some(measured.utf8);
    match form {
        Form::Utf16Le | Form::Utf32Le if kernels.level() != Level::Scalar => {
            assert_eq!(kernels.in_utf8(form, src), length, "{what}: {src:x?}");
        }
        Form::Iso8859_1 => assert_eq!(kernels.latin1_in_utf8(src), length, "{what}: {src:x?}"),
        _ => {}
    }
}

#[test]
fn measures() {
    const FORMS: [Form; 6] =
        [Form::Utf8, Form::Utf16Le, Form::Utf16Be, Form::Utf32Le, Form::Utf32Be, Form::Iso8859_1];
    let mut random = Random(99);
    for form in FORMS {
        for round in 0..500 {
            let length = if round < 300 { round } else { random.below(6000) };
            let text = String::from_utf8_lossy(&random.text(length)).into_owned();
            let mut src = in_form(form, &text);
            each_level(|kernels| check_measured(kernels, form, &src, true));
            // UTF-8 that is measured must be well-formed, and in ISO 8859-1 nothing is ill-formed.
            if matches!(form, Form::Utf8 | Form::Iso8859_1) || src.is_empty() {
                continue;
            }
            for _ in 0..=random.below(2) {
                let i = random.below(src.len());
                src[i] = [random.byte(), 0xD8, 0xDC, 0, random.next() as u8][random.below(5)];
            }
            src.truncate(src.len() - random.below(4).min(src.len()));
            each_level(|kernels| check_measured(kernels, form, &src, false));
        }
        // Longer than a counter of one lane can count.
        let long = in_form(form, &String::from_utf8_lossy(&random.text(9000)).repeat(150));
        each_level(|kernels| check_measured(kernels, form, &long, true));
    }
}

/// Text without surrogates, and text with one surrogate or invalid unit at any place, at lengths near those of blocks.
#[test]
fn each_unit_is_checked() {
    for (form, unit, bad) in [
        (Form::Utf16Le, &[0xA9, 0x20][..], &[&[0, 0xDC][..]][..]),
        (Form::Utf16Be, &[0x20, 0xA9], &[&[0xDC, 0]]),
        (Form::Utf32Le, &[0xA9, 0x20, 0, 0], &[&[0, 0xDC, 0, 0], &[0, 0, 0x11, 0], &[0, 0, 0, 0x80]]),
        (Form::Utf32Be, &[0, 0, 0x20, 0xA9], &[&[0, 0, 0xDC, 0], &[0, 0x11, 0, 0], &[0x80, 0, 0, 0]]),
        (Form::Utf32Le, &[0xFF, 0xFF, 0x10, 0], &[&[0, 0xDC, 0, 0], &[0, 0, 0x11, 0], &[0, 0, 0x20, 0]]),
        (Form::Utf32Be, &[0, 0x10, 0xFF, 0xFF], &[&[0, 0, 0xDC, 0], &[0, 0x11, 0, 0], &[0, 0x20, 0, 0]]),
    ] {
        for units in [1, 7, 16, 17, 63, 64, 65, 129, 200, 1025] {
            let text = unit.repeat(units);
            each_level(|kernels| check_measured(kernels, form, &text, true));
            for (at, bad) in
                (0..units).step_by(units.div_ceil(70)).flat_map(|at| bad.iter().map(move |bad| (at, bad)))
            {
                let mut text = text.clone();
                text[at * unit.len()..][..unit.len()].copy_from_slice(bad);
                each_level(|kernels| check_measured(kernels, form, &text, false));
            }
        }
    }
}

/// Text of surrogate pairs, and with any unit of it replaced, at lengths near those of vectors and blocks.
#[test]
fn each_pair_is_checked() {
    for (form, bytes) in
        [(Form::Utf16Le, u16::to_le_bytes as fn(u16) -> [u8; 2]), (Form::Utf16Be, u16::to_be_bytes)]
    {
        for units in [2, 9, 31, 32, 33, 63, 64, 65, 66, 96, 97, 127, 128, 129, 257, 400, 1030, 2100] {
            for before in [0, 1] {
                let text: Vec<u16> =
                    [0x41].repeat(before).into_iter().chain([0xD83D, 0xDE00].repeat(units / 2)).collect();
                let bytes = |units: &[u16]| units.iter().flat_map(|&unit| bytes(unit)).collect::<Vec<u8>>();
                each_level(|kernels| check_measured(kernels, form, &bytes(&text), true));
                for at in (0..text.len()).step_by(text.len().div_ceil(140)) {
                    for unit in [0x41, 0xE9, 0xD83D, 0xDE00] {
                        let mut text = text.clone();
                        text[at] = unit;
                        each_level(|kernels| check_measured(kernels, form, &bytes(&text), false));
                    }
                }
            }
        }
    }
}

/// Texts that end with surrogates, for every offset of the text in a cache line.
#[test]
fn measures_to_the_end() {
    const UNITS: [u16; 5] = [0x41, 0xD800, 0xDBFF, 0xDC00, 0xE000];
    for (form, bytes) in
        [(Form::Utf16Le, u16::to_le_bytes as fn(u16) -> [u8; 2]), (Form::Utf16Be, u16::to_be_bytes)]
    {
        for string in 0..UNITS.len().pow(3) {
            let units = [25, 5, 1].map(|place| UNITS[string / place % UNITS.len()]);
            for before in [0, 1, 6] {
                let mut text = [0x41].repeat(32 + before);
                text.extend(units);
                let text: Vec<u8> = text.into_iter().flat_map(bytes).collect();
                for start in 0..=32 {
                    each_level(|kernels| check_measured(kernels, form, &text[2 * start..], false));
                }
            }
        }
    }
}
