//! Every kernel against a plain oracle: every level, every short length, every alignment, mutated text.

use std::string::String;
use std::vec::Vec;

use crate::{Fixed, Form, Policy, Transcoder, Unencodable, convert_with};

use super::{Entry, Kernels, Level, Pair, Progress, kernels_at};

/// A small generator: the same texts in every run.
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

    /// About `length` bytes: runs of characters of one width, so that every mode of a kernel comes and goes.
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

fn each_level(test: impl FnMut(&'static Kernels)) {
    Level::available().filter_map(kernels_at).for_each(test);
}

fn check_prefixes(kernels: &Kernels, text: &[u8]) {
    let level = kernels.level;
    let ascii = text.iter().position(|b| !b.is_ascii()).unwrap_or(text.len());
    assert_eq!(kernels.ascii_prefix(text), ascii, "{level:?} {text:x?}");
    let truth = core::str::from_utf8(text).map_or_else(|e| e.valid_up_to(), str::len);
    let prefix = kernels.utf8_prefix(text);
    if truth == text.len() {
        assert_eq!(prefix, truth, "{level:?} refuses {text:x?}");
    } else {
        assert!(prefix <= truth && truth - prefix < 32, "{level:?}: {prefix} of {truth} in {text:x?}");
        assert!(core::str::from_utf8(&text[..prefix]).is_ok(), "{level:?} ends at {prefix} inside {text:x?}");
    }
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

/// `kernel` on `src`, into exactly as much room as it needs and into every smaller and larger one that matters.
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

/// An error that ends where a block does, behind so much clean text that the kernels go on in haste.
#[test]
fn errors_behind_clean_text() {
    const FIRST: [u8; 10] = [0x80, 0xC0, 0xC3, 0xE0, 0xE1, 0xED, 0xF0, 0xF1, 0xF4, 0xF5];
    each_level(|kernels| {
        let Some(replace) = kernels.utf8_to_utf8.replace else { return };
        for before in 500..700 {
            for first in FIRST {
                for continuations in 0..5 {
                    let mut src = std::vec![b'a'; before];
                    src.push(first);
                    src.extend(std::iter::repeat_n(0x90, continuations));
                    src.extend([b'b'; 300]);
                    let expected = String::from_utf8_lossy(&src);
                    let mut dst = std::vec![0; 2 * src.len()];
                    let progress = Entry::Convert(replace).run(&src, &mut dst);
                    let rest = String::from_utf8_lossy(&src[progress.read..]);
                    let written = core::str::from_utf8(&dst[..progress.written]);
                    assert_eq!(
                        written.map(|written| String::from(written) + &rest).as_deref(),
                        Ok(&*expected),
                        "{:?}: {first:x} and {continuations} at {before}",
                        kernels.level
                    );
                }
            }
        }
    });
}

/// The same for conversions, where a group of blocks ends, in text that has settled on each way to read it.
#[test]
fn errors_where_groups_end() {
    const FIRST: [u8; 7] = [0x80, 0xC3, 0xE0, 0xE1, 0xF0, 0xF4, 0xF5];
    let boundary = 64 + 10 * 256;
    each_level(|kernels| {
        for filler in ["a", "é", "字", "😀"] {
            for before in boundary - 6..=boundary + 1 {
                let clean = filler.repeat(before / filler.len()) + &"a".repeat(before % filler.len());
                for (first, continuations) in
                    FIRST.into_iter().flat_map(|first| (0..4).map(move |n| (first, n)))
                {
                    let mut src = clean.clone().into_bytes();
                    src.push(first);
                    src.extend(std::iter::repeat_n(0x90, continuations));
                    src.extend(clean.bytes().take(600));
                    let what = std::format!(
                        "{}: {first:x} and {continuations} behind {before} of {filler}",
                        kernels.level.name()
                    );
                    let valid = core::str::from_utf8(&src).map_or_else(|error| error.valid_up_to(), str::len);
                    for (pair, oracle) in from_utf8_pairs(kernels) {
                        let mut dst = std::vec![0; 4 * src.len()];
                        if let Some(stop) = pair.stop {
                            let progress = Entry::Convert(stop).run(&src, &mut dst);
                            assert!(progress.read <= valid, "{what}");
                            let text = core::str::from_utf8(&src[..progress.read]).expect("well-formed");
                            assert!(dst[..progress.written] == oracle(text), "{what}");
                        }
                        if let Some(replace) = pair.replace {
                            let progress = Entry::Convert(replace).run(&src, &mut dst);
                            let text = String::from_utf8_lossy(&src[..progress.read]);
                            assert!(dst[..progress.written] == oracle(&text), "{what}");
                        }
                    }
                }
            }
        }
    });
}

/// What a unit of a form is, in bytes, from a text.
type Oracle = fn(&str) -> Vec<u8>;

fn from_utf8_pairs(kernels: &Kernels) -> [(Pair, Oracle); 4] {
    [
        (kernels.utf8_to_utf16le, |text| text.encode_utf16().flat_map(u16::to_le_bytes).collect()),
        (kernels.utf8_to_utf16be, |text| text.encode_utf16().flat_map(u16::to_be_bytes).collect()),
        (kernels.utf8_to_utf32le, |text| text.chars().flat_map(|c| u32::from(c).to_le_bytes()).collect()),
        (kernels.utf8_to_utf32be, |text| text.chars().flat_map(|c| u32::from(c).to_be_bytes()).collect()),
    ]
}

#[test]
fn from_utf8() {
    let mut random = Random(7);
    each_level(|kernels| {
        for (i, (pair, oracle)) in from_utf8_pairs(kernels).into_iter().enumerate() {
            let what = std::format!("{} {i}", kernels.level.name());
            let strict =
                |src: &[u8]| oracle(core::str::from_utf8(src).expect("a kernel reads what is well-formed"));
            let lossy = |src: &[u8]| oracle(&String::from_utf8_lossy(src));
            for round in 0..1200 {
                let length = if round < 900 { round / 3 } else { random.below(3000) };
                let mut src = random.text(length);
                let whole = core::str::from_utf8(&src).is_ok();
                let errors = if round % 2 == 0 { random.below(3) } else { random.below(length / 4 + 1) };
                if let (Some(stop), true) = (pair.stop, whole) {
                    let full = strict(&src);
                    check_convert(Entry::Convert(stop), &src, &full, strict, &what);
                    let mut dst = std::vec![0; full.len()];
                    assert_eq!(
                        Entry::Convert(stop).run(&src, &mut dst).read,
                        length,
                        "{what}: all of it, in exact room"
                    );
                }
                for _ in 0..errors.min(length) {
                    let i = random.below(length);
                    src[i] = random.byte();
                }
                let full = lossy(&src);
                if let Some(stop) = pair.stop {
                    check_convert(Entry::Convert(stop), &src, &full, strict, &what);
                }
                if let Some(replace) = pair.replace {
                    check_convert(Entry::Convert(replace), &src, &full, lossy, &what);
                    let mut dst = std::vec![0; full.len() + 64];
                    let Progress { read, replaced, .. } = Entry::Convert(replace).run(&src, &mut dst);
                    assert!(length - read < 4, "{what}: {read} of {length}");
                    let broken =
                        src[..read].utf8_chunks().filter(|chunk| !chunk.invalid().is_empty()).count();
                    assert_eq!(replaced, broken, "{what}: {src:x?}");
                }
            }
        }
    });
}

/// `text` in `form`, without kernels.
fn in_form(form: Form, text: &str) -> Vec<u8> {
    let transcoder = Transcoder::new(Form::Utf8, form).at_level(Level::Scalar);
    convert_with(transcoder.on_error(Policy::Stop.unencodable(Unencodable::Skip)), text.as_bytes())
        .expect("what is refused is skipped")
}

fn check_measured(kernels: &Kernels, form: Form, src: &[u8], whole: bool) {
    let what = std::format!("{} {form:?}", kernels.level.name());
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
    if whole {
        assert_eq!(measured.read, src.len(), "{what} refuses {src:x?}");
    } else if let Err(error) = convert_with(plain, src) {
        assert!(error.offset() as usize - measured.read < 1 << 14, "{what} stops early");
    }
    if !matches!(form, Form::Utf8 | Form::Iso8859_1) {
        assert_eq!(kernels.wide_prefix(form, src), measured.read, "{what}: {src:x?}");
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
            // Of UTF-8 only what is well-formed may be measured, and nothing in ISO 8859-1 is ill-formed.
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
        // Longer than what a lane can count.
        let long = in_form(form, &String::from_utf8_lossy(&random.text(9000)).repeat(150));
        each_level(|kernels| check_measured(kernels, form, &long, true));
    }
}

/// What ends with surrogates, wherever the first line of the cache ends.
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

/// Every pair that has a kernel, against the engine without kernels.
#[test]
fn every_pair() {
    const FORMS: [Form; 8] = [
        Form::Utf8,
        Form::Utf16Le,
        Form::Utf16Be,
        Form::Utf32Le,
        Form::Utf32Be,
        Form::Iso8859_1,
        Form::Cesu8,
        Form::Mutf8,
    ];
    let scalar = |from, to, policy: &Policy, src: &[u8]| {
        convert_with(Transcoder::new(from, to).at_level(Level::Scalar).on_error(*policy), src)
    };
    let mut random = Random(77);
    let mut kernels_seen = 0;
    for from in FORMS {
        for to in FORMS {
            for (fixed, policy) in [(Fixed::Stop, Policy::Stop), (Fixed::Replace, Policy::Replace)] {
                for round in 0..150 {
                    let length = if round < 70 { 2 * round } else { random.below(2000) };
                    let text: String = String::from_utf8_lossy(&random.text(length)).into_owned();
                    let text: String = if from == Form::Iso8859_1 || to == Form::Iso8859_1 {
                        text.chars().map(|c| char::from(c as u8)).collect()
                    } else {
                        text
                    };
                    let mut src =
                        scalar(Form::Utf8, from, &Policy::Stop, text.as_bytes()).expect("well-formed");
                    let whole = random.below(2) == 0;
                    if !whole {
                        let errors = 1 + random.below([2, 2 + src.len() / 20][round % 2]);
                        for _ in 0..errors.min(src.len()) {
                            let i = random.below(src.len());
                            src[i] = [random.byte(), 0xD8, 0xDC, 0, random.next() as u8][random.below(5)];
                        }
                        src.truncate(src.len() - random.below(4).min(src.len()));
                    }
                    let skip = Policy::Replace.unencodable(Unencodable::Skip);
                    let full = scalar(from, to, &skip, &src).expect("what is refused is skipped");
                    each_level(|kernels| {
                        let Some(entry) = kernels.find(from, to, fixed) else { return };
                        kernels_seen += 1;
                        let what = std::format!("{} {from:?} {to:?} {fixed:?}", kernels.level.name());
                        let oracle = |src: &[u8]| match scalar(from, to, &policy, src) {
                            Ok(out) => out,
                            Err(error) => panic!("{what} reads {error}: {src:x?}"),
                        };
                        check_convert(entry, &src, &full, oracle, &what);
                        if whole && !matches!(entry, Entry::Copy(_))
                            || fixed == Fixed::Replace && !entry.stops()
                        {
                            let mut dst = std::vec![0; full.len()];
                            let Progress { read, .. } = entry.run(&src, &mut dst);
                            assert!(src.len() - read < 4, "{what}: {read} of {} {src:x?}", src.len());
                        }
                    });
                }
            }
        }
    }
    assert!(kernels_seen > 0 || Level::available().count() == 1);
}
