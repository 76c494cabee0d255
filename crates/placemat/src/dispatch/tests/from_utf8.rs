//! From UTF-8 to the other forms of Unicode, and to UTF-8 with errors replaced.

use std::string::String;
use std::vec::Vec;

use super::{Random, check_convert, each_level};
use crate::Form;
use crate::dispatch::Kernels;
use crate::kernel::Progress;
use crate::policy::Fixed;

/// An error that ends at the end of a block, behind so much well-formed text that kernels use their fastest loop.
#[test]
fn errors_behind_clean_text() {
    const FIRST: [u8; 10] = [0x80, 0xC0, 0xC3, 0xE0, 0xE1, 0xED, 0xF0, 0xF1, 0xF4, 0xF5];
    each_level(|kernels| {
        let Some(replace) =
            kernels.find(Form::Utf8, Form::Utf8, Fixed::Replace).filter(|entry| !entry.stops())
        else {
            return;
        };
        for before in 500..700 {
            for first in FIRST {
                for continuations in 0..5 {
                    let mut src = std::vec![b'a'; before];
                    src.push(first);
                    src.extend(std::iter::repeat_n(0x90, continuations));
                    src.extend([b'b'; 300]);
                    let expected = String::from_utf8_lossy(&src);
                    let mut dst = std::vec![0; 2 * src.len()];
                    let progress = replace.run(&src, &mut dst);
                    let rest = String::from_utf8_lossy(&src[progress.read..]);
                    let written = core::str::from_utf8(&dst[..progress.written]);
                    assert_eq!(
                        written.map(|written| String::from(written) + &rest).as_deref(),
                        Ok(&*expected),
                        "{:?}: {first:x} and {continuations} at {before}",
                        kernels.level()
                    );
                }
            }
        }
    });
}

/// The same for conversions, where a group of blocks ends, in text that made the kernel choose each of its loops.
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
                        kernels.level().name()
                    );
                    check(kernels, &src, &FROM_UTF8, &what);
                }
            }
        }
    });
}

/// A character of four bytes, and behind it another or an error that begins like one, at each place of a block amid ASCII that is too long for
/// the methods of short texts.
#[test]
fn four_bytes_amid_ascii() {
    const STRANGERS: [&[u8]; 7] = [
        b"\xF0\x9F\x98\x80",
        b"\xF0\x9F\x98\x80\x80",
        b"\xF0\x9F\x98",
        b"\xF0\x9F",
        b"\xF0",
        b"\xF0\x8F\xBF\xBF",
        b"\xF4\x90\x80\x80",
    ];
    each_level(|kernels| {
        for at in 0..64 {
            for gap in [0, 2, 62] {
                for stranger in STRANGERS {
                    let mut src = std::vec![b'a'; 4200 + at];
                    src.extend("😀".bytes());
                    src.extend(std::iter::repeat_n(b'b', gap));
                    src.extend(stranger);
                    src.extend([b'c'; 300]);
                    let what = std::format!("{}: {stranger:x?} {gap} behind {at}", kernels.level().name());
                    check(kernels, &src, &[FROM_UTF8[0], FROM_UTF8[2]], &what);
                }
            }
        }
    });
}

/// Converts under both policies, and compares what was read with the standard library's answer.
fn check(kernels: Kernels, src: &[u8], targets: &[(Form, Oracle)], what: &str) {
    let valid = core::str::from_utf8(src).map_or_else(|error| error.valid_up_to(), str::len);
    for &(to, oracle) in targets {
        let mut dst = std::vec![0; 4 * src.len()];
        if let Some(stop) = kernels.find(Form::Utf8, to, Fixed::Stop) {
            let progress = stop.run(src, &mut dst);
            assert!(progress.read <= valid, "{what}");
            let text = core::str::from_utf8(&src[..progress.read]).expect("well-formed");
            assert!(dst[..progress.written] == oracle(text), "{what}");
        }
        if let Some(replace) = kernels.find(Form::Utf8, to, Fixed::Replace) {
            let progress = replace.run(src, &mut dst);
            let text = String::from_utf8_lossy(&src[..progress.read]);
            assert!(dst[..progress.written] == oracle(&text), "{what}");
        }
    }
}

/// Converts a text to the bytes of a form, with the standard library.
type Oracle = fn(&str) -> Vec<u8>;

const FROM_UTF8: [(Form, Oracle); 4] = [
    (Form::Utf16Le, |text| text.encode_utf16().flat_map(u16::to_le_bytes).collect()),
    (Form::Utf16Be, |text| text.encode_utf16().flat_map(u16::to_be_bytes).collect()),
    (Form::Utf32Le, |text| text.chars().flat_map(|c| u32::from(c).to_le_bytes()).collect()),
    (Form::Utf32Be, |text| text.chars().flat_map(|c| u32::from(c).to_be_bytes()).collect()),
];

#[test]
fn from_utf8() {
    let mut random = Random(7);
    each_level(|kernels| {
        for (i, (to, oracle)) in FROM_UTF8.into_iter().enumerate() {
            let what = std::format!("{} {i}", kernels.level().name());
            let strict =
                |src: &[u8]| oracle(core::str::from_utf8(src).expect("a kernel reads what is well-formed"));
            let lossy = |src: &[u8]| oracle(&String::from_utf8_lossy(src));
            for round in 0..1200 {
                // Texts of up to 4 KiB are converted in other ways than longer ones.
                let length = if round < 900 { round / 3 } else { random.below(6000) };
                let mut src = random.text(length);
                let whole = core::str::from_utf8(&src).is_ok();
                let errors = if round % 2 == 0 { random.below(3) } else { random.below(length / 4 + 1) };
                if let (Some(stop), true) = (kernels.find(Form::Utf8, to, Fixed::Stop), whole) {
                    let full = strict(&src);
                    check_convert(stop, &src, &full, strict, &what);
                    let mut dst = std::vec![0; full.len()];
                    assert_eq!(stop.run(&src, &mut dst).read, length, "{what}: all of it, in exact room");
                }
                for _ in 0..errors.min(length) {
                    let i = random.below(length);
                    src[i] = random.byte();
                }
                let full = lossy(&src);
                if let Some(stop) = kernels.find(Form::Utf8, to, Fixed::Stop) {
                    check_convert(stop, &src, &full, strict, &what);
                }
                if let Some(replace) = kernels.find(Form::Utf8, to, Fixed::Replace) {
                    check_convert(replace, &src, &full, lossy, &what);
                    let mut dst = std::vec![0; full.len() + 64];
                    let Progress { read, replaced, .. } = replace.run(&src, &mut dst);
                    assert!(length - read < 4, "{what}: {read} of {length}");
                    let broken =
                        src[..read].utf8_chunks().filter(|chunk| !chunk.invalid().is_empty()).count();
                    assert_eq!(replaced, broken, "{what}: {src:x?}");
                }
            }
        }
    });
}
