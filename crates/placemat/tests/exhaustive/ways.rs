//! Long texts: a kernel reads each span of a text with the loop that was best for the spans before it.

use placemat::{Form, Level, Transcoder, convert};

use crate::classes::{BYTES, CLASSES, POLICIES, UNITS};
use crate::common::forced;
use crate::four_bytes::{truth, verdict};
use crate::place::{FILLERS, Strings};
use crate::plain::Around;
use crate::vectors;
use crate::walk::Walk;

/// More bytes than a kernel needs to choose a loop, and than a span has.
const LONG: usize = 9000;
/// The same for conversions, and a few bytes less than the start of a group of blocks.
const SETTLED: usize = 64 + 10 * 256 - 10;
/// More bytes than a group has.
const BEHIND: usize = 400;

/// Texts for which kernels choose different loops: every filler, and single characters of two and of four bytes among much ASCII and
/// among less.
fn kinds() -> Vec<String> {
    let among = |letters: usize| ["é", "😀"].map(|single| "a".repeat(letters) + single);
    FILLERS.map(String::from).into_iter().chain([400, 120, 40].into_iter().flat_map(among)).collect()
}

/// Distances in bytes from where the kernel has chosen a loop to a string: all within a block, and some in a longer span.
fn distances() -> Vec<usize> {
    (0..68).step_by(3).chain([126, 127, 128, 129, 1021, 2044, 2045, 2046, 2047, 2048]).collect()
}

#[test]
#[ignore = "minutes: cargo xtask exhaust"]
fn long_classes() {
    let walk = Walk::new();
    let (kinds, distances) = (kinds(), distances());
    let pairs: Vec<_> = (0..=u16::MAX).map(u16::to_be_bytes).collect();
    let strings = [
        ("two bytes", Strings::new(&pairs, 1)),
        ("three classes", Strings::new(&BYTES.map(|byte| [byte]), 3)),
        ("four classes", Strings::new(&CLASSES.map(|byte| [byte]), 4)),
    ];
    for level in vectors() {
        let _forced = forced(level);
        for (name, strings) in &strings {
            let what = format!("{name} in long texts, verdict, {}", level.name());
            walk.stripes(&what, (kinds.len() * distances.len()) as u32, |stripe| {
                let (kind, distance) = (stripe as usize % kinds.len(), stripe as usize / kinds.len());
                at(&walk, stripe, &kinds[kind], distances[distance], strings)
            });
        }
    }
}

#[test]
#[ignore = "minutes: cargo xtask exhaust"]
fn long_conversions() {
    let walk = Walk::new();
    let strings = Strings::new(&CLASSES.map(|byte| [byte]), 4);
    for to in [Form::Utf16Le, Form::Utf32Le] {
        conversion(&walk, Form::Utf8, to, &strings);
    }
    let strings = Strings::new(&UNITS.map(u16::to_le_bytes), 3);
    for to in [Form::Utf8, Form::Utf32Le] {
        conversion(&walk, Form::Utf16Le, to, &strings);
    }
}

/// Checks the conversion of each string in long texts of each kind, under both policies, on every level with vectors.
fn conversion(walk: &Walk, from: Form, to: Form, strings: &Strings) {
    // Every lane of a block, and both sides of the boundaries of groups and blocks.
    const DISTANCES: usize = 68;
    let written =
        |text: &str| convert(Form::Utf8, from, text.as_bytes()).expect("the form has all characters");
    let kinds = kinds();
    for (name, policy) in POLICIES {
        let what = format!("{} to {}, {name}, in long texts, every level", from.name(), to.name());
        let transcoder = Transcoder::new(from, to).on_error(policy);
        walk.stripes(&what, (kinds.len() * DISTANCES) as u32, |stripe| {
            let (kind, distance) = (&kinds[stripe as usize % kinds.len()], stripe as usize / kinds.len());
            let (before, behind) = (written(&fill(kind, SETTLED + distance)), written(&fill(kind, BEHIND)));
            let plain = transcoder.clone().at_level(Level::Scalar);
            let fast: Vec<_> = vectors().map(|level| transcoder.clone().at_level(level)).collect();
            let first = kind.chars().next().map_or(0, |c| written(c.encode_utf8(&mut [0; 4])).len());
            let mut text = [&before, strings.get(0), &behind].concat();
            let (start, end) = (before.len(), before.len() + strings.get(0).len());
            let mut around = Around::new(&plain, &text[..start], &text[end + first..]);
            let mut cases = 0;
            for index in walk.some(strings.count(), stripe) {
                text[start..end].copy_from_slice(strings.get(index));
                around.check(&fast, &text, &text[start..end + first], start);
                cases += 1;
            }
            cases
        });
    }
}

/// Text of one kind, and letters where that kind does not fit.
fn fill(kind: &str, len: usize) -> String {
    kind.repeat(len / kind.len()) + &"a".repeat(len % kind.len())
}

/// Checks all strings at a place in a text of one kind.
fn at(walk: &Walk, seed: u32, kind: &str, distance: usize, strings: &Strings) -> u64 {
    let fill = |len| fill(kind, len);
    let mut text = (fill(LONG) + &fill(distance)).into_bytes();
    let (before, len) = (text.len(), strings.get(0).len());
    text.resize(before + len, 0);
    text.extend(fill(LONG).bytes());
    // What follows begins a new sequence.
    let next = before + len + kind.chars().next().map_or(0, char::len_utf8);
    let mut cases = 0;
    for index in walk.some(strings.count(), seed) {
        text[before..before + len].copy_from_slice(strings.get(index));
        let expected = truth(&text[before..next]).map(|(at, len)| (before + at, len));
        assert_eq!(verdict(&text), expected, "{:02x?} at {before}", strings.get(index));
        cases += 1;
    }
    cases
}
