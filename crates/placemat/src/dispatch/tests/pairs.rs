//! Compares every pair of forms that has a kernel with the engine without kernels.

use std::string::String;
use std::vec::Vec;

use super::{Random, check_convert, each_level};
use crate::dispatch::{Entry, Level, kernels};
use crate::kernel::{Done, Progress};
use crate::{Fixed, Form, Policy, Transcoder, Unencodable, convert_with};

fn scalar(from: Form, to: Form, policy: &Policy, src: &[u8]) -> Result<Vec<u8>, crate::Error> {
    convert_with(Transcoder::new(from, to).at_level(Level::Scalar).on_error(*policy), src)
}

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
                        let what = std::format!("{} {from:?} {to:?} {fixed:?}", kernels.level().name());
                        let oracle = |src: &[u8]| match scalar(from, to, &policy, src) {
                            Ok(out) => out,
                            Err(error) => panic!("{what} reads {error}: {src:x?}"),
                        };
                        check_convert(entry, &src, &full, oracle, &what);
                        if whole && !matches!(entry, Entry::Copy(_) | Entry::CopyValid(_))
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

/// ISO 8859-1 in stretches with little and with much ASCII: each stretch decides how the kernel reads the next one.
#[test]
fn latin1_of_any_density() {
    const PAIRS: [(Form, Form); 2] = [(Form::Iso8859_1, Form::Utf8), (Form::Utf8, Form::Iso8859_1)];
    let mut random = Random(1992);
    for round in 0..60 {
        let mut text = String::new();
        for _ in 0..6 {
            let one_in = [1, 2, 5, 20, 60, 300][random.below(6)];
            text.extend((0..1024 + random.below(3)).map(|_| {
                let least = if random.below(one_in) == 0 { 0x80 } else { 0 };
                char::from((least + random.below(0x80)) as u8)
            }));
        }
        for (from, to) in PAIRS {
            let mut src = scalar(Form::Utf8, from, &Policy::Stop, text.as_bytes()).expect("well-formed");
            let whole = from != Form::Utf8 || round % 2 == 0;
            if !whole {
                let i = random.below(src.len());
                src[i] = [0xE2, 0xC3, 0x80, 0x41][random.below(4)];
            }
            let oracle =
                |src: &[u8]| scalar(from, to, &Policy::Stop, src).expect("what a kernel reads is right");
            each_level(|kernels| {
                let Some(entry) = kernels.find(from, to, Fixed::Stop) else { return };
                let what = std::format!("{} {from:?} {to:?}", kernels.level().name());
                let full = oracle(&src[..entry.run(&src, &mut std::vec![0; 2 * src.len()]).read]);
                check_convert(entry, &src, &full, oracle, &what);
                let read = entry.run(&src, &mut std::vec![0; full.len()]).read;
                assert!(
                    !whole || kernels.level() == Level::Scalar || read == src.len(),
                    "{what} refuses {src:x?}"
                );
            });
        }
    }
}

/// ISO 8859-1 of every length near the ends of vectors, without errors and with another byte at each place.
#[test]
fn latin1_of_every_length() {
    const PAIRS: [(Form, Form); 2] = [(Form::Iso8859_1, Form::Utf8), (Form::Utf8, Form::Iso8859_1)];
    for length in (0..70).chain(120..136).chain(318..324).chain([1160]) {
        // How many characters there are to one `é`, and where the first is: the first and the last vector may be ASCII, or all
        // vectors.
        for (high, first) in [(1, 0), (2, 0), (3, 0), (40, 0), (97, 70), (2000, 1999)] {
            let text: String = (0..length)
                .map(|i| if i % high == first { 'é' } else { char::from(b'a' + i as u8 % 26) })
                .collect();
            for (from, to) in PAIRS {
                let src = scalar(Form::Utf8, from, &Policy::Stop, text.as_bytes()).expect("well-formed");
                let oracle =
                    |src: &[u8]| scalar(from, to, &Policy::Stop, src).expect("what a kernel reads is right");
                each_level(|kernels| {
                    let Some(entry) = kernels.find(from, to, Fixed::Stop) else { return };
                    let what = std::format!("{} {from:?} {to:?}", kernels.level().name());
                    let full = oracle(&src);
                    check_convert(entry, &src, &full, oracle, &what);
                    assert_eq!(entry.run(&src, &mut std::vec![0; full.len()]).read, src.len(), "{what}");
                    // Every seventh place, and all near the end of the text.
                    let places = (0..src.len()).filter(|i| i % 7 == 0 || i + 3 > src.len());
                    for i in places.filter(|_| from == Form::Utf8) {
                        for byte in [0xE2, 0xC3, 0xC1, 0x80, 0x41] {
                            let mut src = src.clone();
                            src[i] = byte;
                            let full = &full[..full.len().min(i)];
                            check_convert(entry, &src, full, oracle, &what);
                        }
                    }
                });
            }
        }
    }
}

/// Units of another kind than all before them, at any place in a block, in text that made the kernel choose a loop for each kind.
#[test]
fn strangers_in_settled_text() {
    const UTF8: Form = Form::Utf8;
    // Two groups of blocks: a block has 64 units, and a group has sixteen blocks.
    let settled = 2 * 16 * 64;
    let mut random = Random(16);
    let mut fillers = ["a", "é", "字", "é字", "字字a", "aaé", "😀"].map(String::from).to_vec();
    // All neighbours of all lengths, and sooner or later each of them at each place of a vector.
    fillers.extend((0..8).map(|i| {
        let most = 2 + i % 2;
        (0..37)
            .map(|_| {
                let bytes = 1 + random.below(most);
                random.character(bytes)
            })
            .collect()
    }));
    let strangers = ["a", "\u{7FF}", "\u{800}", "\u{FFFF}", "\u{10000}", "\u{10FFFF}", "é字"];
    for from in [Form::Utf16Le, Form::Utf16Be, Form::Utf32Le, Form::Utf32Be] {
        let size = if matches!(from, Form::Utf16Le | Form::Utf16Be) { 2 } else { 4 };
        let is_big = matches!(from, Form::Utf16Be | Form::Utf32Be);
        let unit = |number: u32| {
            let bytes = number.to_be_bytes();
            let mut bytes = bytes[4 - size..].to_vec();
            if !is_big {
                bytes.reverse();
            }
            bytes
        };
        let of = |text: &str| scalar(UTF8, from, &Policy::Stop, text.as_bytes()).expect("well-formed");
        let mut strangers: Vec<_> = strangers.iter().map(|text| of(text)).collect();
        strangers.extend([0xD83D, 0xDE00, 0xDFFF].map(unit));
        if size == 4 {
            strangers.extend([0x11_0000, 0xFFFF_FFFF].map(unit));
        }
        for filler in &fillers {
            let filler = of(filler);
            let count = settled * size / filler.len();
            for at in (0..70).step_by(3) {
                let mut src = filler.repeat(count);
                src.extend(unit(u32::from('x')).repeat(at));
                for stranger in &strangers {
                    let end = src.len();
                    src.extend(stranger);
                    src.extend(filler.repeat(150 * size / filler.len()));
                    check_strangers(from, &src);
                    src.truncate(end);
                }
            }
        }
    }
}

/// A surrogate pair and half a pair at each place of texts whose lengths are near those of vectors.
#[test]
fn a_pair_at_each_place() {
    for (from, size) in [(Form::Utf16Le, 2), (Form::Utf16Be, 2), (Form::Utf32Le, 4)] {
        let of = |text: &str| scalar(Form::Utf8, from, &Policy::Stop, text.as_bytes()).expect("well-formed");
        let is_big = from == Form::Utf16Be;
        let half = |number: u16| match (size, is_big) {
            (4, _) => u32::from(number).to_le_bytes().to_vec(),
            (_, true) => number.to_be_bytes().to_vec(),
            (_, false) => number.to_le_bytes().to_vec(),
        };
        let too_large = if size == 4 { 0x11_0000_u32.to_le_bytes().to_vec() } else { half(0xDFFF) };
        let strangers = [of("\u{1F600}"), of("\u{1F600}\u{10FFFF}"), half(0xD83D), half(0xDE00), too_large];
        for units in [1, 2, 15, 16, 17, 31, 32, 33, 63, 64, 65, 95, 97, 127, 128, 130, 161, 257] {
            for at in 0..units {
                for stranger in &strangers {
                    for filler in ["字", "字\u{1F600}"] {
                        let filler = of(filler);
                        let mut src = filler.repeat(at * size / filler.len());
                        src.extend(stranger);
                        src.extend(of("x").repeat((units - at).saturating_sub(1)));
                        check_strangers(from, &src);
                    }
                }
            }
        }
    }
}

/// Texts of any length, in stretches with few and with many characters above U+FFFF: each stretch decides how the kernel reads the
/// next one.
#[test]
fn pairs_of_any_density() {
    let mut random = Random(2026);
    for round in 0..24 {
        let mut text = String::new();
        while text.len() < 40_000 {
            let one_in = [1, 2, 20, 100, 400, 3000][random.below(6)];
            let letters = [['a', 'a', 'é'], ['a', 'é', '字']][random.below(2)];
            text.extend((0..400 + random.below(800)).map(|_| match random.below(one_in) {
                0 => '\u{1F600}',
                _ => letters[random.below(3)],
            }));
        }
        for from in [Form::Utf16Le, Form::Utf16Be, Form::Utf32Le] {
            let mut src = scalar(Form::Utf8, from, &Policy::Stop, text.as_bytes()).expect("well-formed");
            check_strangers(from, &src);
            for len in [300, 1200, 5000] {
                let (at, len) = (random.below(src.len() - 15_000) & !3, len + 4 * random.below(len / 2));
                check_strangers(from, &src[at..at + len]);
                // Also with an error in it.
                let mut piece = src[at..at + len].to_vec();
                piece[random.below(len)] = [0xD8, 0xDC][random.below(2)];
                check_strangers(from, &piece);
            }
            for _ in 0..round {
                let i = random.below(src.len());
                src[i] = [0xD8, 0xDC][random.below(2)];
            }
            check_strangers(from, &src);
        }
    }
}

/// A pair and, some units behind it, a pair or half a pair, at each place of a block of a text too long for the methods of short ones.
#[test]
fn pairs_at_each_place_of_long_text() {
    for (from, size) in [(Form::Utf16Le, 2), (Form::Utf16Be, 2), (Form::Utf32Le, 4)] {
        let of = |text: &str| scalar(Form::Utf8, from, &Policy::Stop, text.as_bytes()).expect("well-formed");
        let half = |number: u16| match from {
            Form::Utf16Le => number.to_le_bytes().to_vec(),
            Form::Utf16Be => number.to_be_bytes().to_vec(),
            _ => u32::from(number).to_le_bytes().to_vec(),
        };
        let strangers = [(0, half(0xD83D)), (5, half(0xD83D)), (5, half(0xDE00)), (3, of("\u{1F600}"))];
        for filler in ["a", "字"].map(of) {
            for at in 0..64 {
                for (behind, stranger) in &strangers {
                    let mut src = filler.repeat(4200 + at);
                    src.extend(of("\u{1F600}"));
                    src.extend(filler.repeat(*behind));
                    src.extend(stranger);
                    src.extend(filler.repeat(350 * size));
                    for to in [Form::Utf8, Form::Utf32Le] {
                        each_level(|kernels| {
                            let Some(entry) = kernels.find(from, to, Fixed::Stop) else { return };
                            let mut dst = std::vec![0; 2 * src.len()];
                            let Progress { read, written, .. } = entry.run(&src, &mut dst);
                            let expected = scalar(from, to, &Policy::Stop, &src[..read]);
                            let what = std::format!("{} {from:?} {to:?} {at}", kernels.level().name());
                            assert!(expected.is_ok_and(|expected| expected == dst[..written]), "{what}");
                        });
                    }
                }
            }
        }
    }
}

/// Converts to every form of Unicode at every level, under both policies.
fn check_strangers(from: Form, src: &[u8]) {
    for to in [Form::Utf8, Form::Utf16Le, Form::Utf32Le] {
        for (fixed, policy) in [(Fixed::Stop, Policy::Stop), (Fixed::Replace, Policy::Replace)] {
            let lossy = scalar(from, to, &Policy::Replace, src).expect("nothing stops it");
            each_level(|kernels| {
                let Some(entry) = kernels.find(from, to, fixed) else { return };
                // With exactly the room that the output needs, and with more.
                for more in [0, 600] {
                    let mut dst = std::vec![0; lossy.len() + more];
                    let Progress { read, written, .. } = entry.run(src, &mut dst);
                    let expected = scalar(from, to, &policy, &src[..read]);
                    let what = std::format!("{} {from:?} {to:?} {fixed:?}", kernels.level().name());
                    assert!(expected.is_ok_and(|expected| expected == dst[..written]), "{what}: {src:x?}");
                    assert!(fixed == Fixed::Stop || src.len() - read < 4, "{what}: {read} of {}", src.len());
                }
            });
        }
    }
}

#[test]
fn what_is_replaced_is_counted_in_texts_of_any_length() {
    let src = std::vec![0xFF; Done::LONGEST_REPLACED + 70];
    let mut out = std::vec![0; 2 * src.len()];
    let Some(kernel) = kernels().find(Form::Utf8, Form::Utf16Le, Fixed::Replace) else { return };
    let progress = kernel.run(&src, &mut out);
    // A kernel leaves what is near the end to the scalar code.
    let most = src.len() - 70..=src.len();
    assert!(most.contains(&progress.read) && progress.replaced == progress.read, "{progress:?}");
    assert_eq!(progress.written, 2 * progress.replaced);
    assert!(out[..progress.written].chunks(2).all(|unit| unit == [0xFD, 0xFF]));
}
