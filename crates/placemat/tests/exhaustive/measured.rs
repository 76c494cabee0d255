//! The same places for functions that only measure: verdicts, lengths and counts. They use the level in force.

use placemat::{Error, Form, Policy, Transcoder, count, length, utf16, utf32};

use crate::classes::{BYTES, CLASSES, UNITS, WIDE, each_place};
use crate::common::forced;
use crate::four_bytes::{truth, verdict};
use crate::place::{FILLERS, Strings, Text};
use crate::plain::{later, run};
use crate::vectors;
use crate::walk::Walk;

#[test]
#[ignore = "minutes: cargo xtask exhaust"]
fn measured_classes() {
    let walk = Walk::new();
    let ends = Strings::new(&BYTES.map(|byte| [byte]), 4);
    let bytes = Strings::new(&CLASSES.map(|byte| [byte]), 4);
    let units = Strings::new(&UNITS.map(u16::to_le_bytes), 3);
    let wide = Strings::new(&WIDE.map(u32::to_le_bytes), 2);
    for level in vectors() {
        let _forced = forced(level);
        each_place(&walk, &format!("verdict, {}", level.name()), Form::Utf8, &FILLERS, &ends, |text| {
            let offset = text.before;
            move |text| {
                let expected = truth(text.core()).map(|(at, len)| (offset + at, len));
                assert_eq!(verdict(&text.bytes), expected, "{:02x?}", text.bytes);
            }
        });
        for (from, strings) in [(Form::Utf8, &bytes), (Form::Utf16Le, &units), (Form::Utf32Le, &wide)] {
            let what = format!("{} measured, {}", from.name(), level.name());
            each_place(&walk, &what, from, &FILLERS, strings, |text| {
                let mut measured = Measured::new(from, text);
                move |text| measured.check(text)
            });
        }
    }
}

/// What the scalar code measures for a text.
struct Measured {
    from: Form,
    /// To UTF-8, UTF-16 and UTF-32, stopping and replacing.
    plain: [[Transcoder; 2]; 3],
    /// The length in each of the text around the string.
    around: [usize; 3],
    out: Vec<u8>,
}

const TARGETS: [Form; 3] = [Form::Utf8, Form::Utf16Le, Form::Utf32Le];

impl Measured {
    fn new(from: Form, text: &Text) -> Measured {
        let plain = TARGETS.map(|to| {
            let transcoder = Transcoder::new(from, to).at_level(placemat::Level::Scalar);
            [Policy::Stop, Policy::Replace].map(|policy| transcoder.clone().on_error(policy))
        });
        let mut out = vec![0; 8192];
        let around = [0, 1, 2].map(|to| {
            let parts = [&text.bytes[..text.before], &text.bytes[text.next..]];
            parts.iter().map(|part| run(&plain[to][0], part, &mut out).0).sum()
        });
        Measured { from, plain, around, out }
    }

    fn check(&mut self, text: &Text) {
        let mut verdict = None;
        for (to, target) in TARGETS.into_iter().enumerate() {
            let (written, _, error) = run(&self.plain[to][0], text.core(), &mut self.out);
            verdict = error.map(|error| later(error, text.before));
            let expected = verdict.map_or(Ok(written + self.around[to]), Err);
            assert_eq!(length(self.from, target, &text.bytes), expected, "{target}: {:02x?}", text.bytes);
        }
        let (replaced, _, _) = run(&self.plain[2][1], text.core(), &mut self.out);
        assert_eq!(count(self.from, &text.bytes), (replaced + self.around[2]) / 4, "{:02x?}", text.bytes);
        typed(self.from, &text.bytes, verdict);
    }
}

/// Checks that validation of code units gives the same result, if the bytes are whole units.
fn typed(from: Form, bytes: &[u8], verdict: Option<Error>) {
    let (found, size) = match from {
        Form::Utf16Le => {
            let units: Vec<_> = bytes.as_chunks().0.iter().map(|unit| u16::from_le_bytes(*unit)).collect();
            (utf16::validate(&units).err(), 2)
        }
        Form::Utf32Le => {
            let units: Vec<_> = bytes.as_chunks().0.iter().map(|unit| u32::from_le_bytes(*unit)).collect();
            (utf32::validate(&units).err(), 4)
        }
        _ => return,
    };
    let expected = verdict.map(|error| (error.kind(), error.offset() / size));
    assert_eq!(found.map(|error| (error.kind(), error.offset())), expected, "{bytes:02x?}");
}
