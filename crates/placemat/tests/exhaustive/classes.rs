//! Strings of representative bytes and units at every place in a text that a conversion could tell apart.
//!
//! The bytes are the two ends of every class in the grammar of RFC 3629. A kernel that treats two bytes of a class differently,
//! for no reason in the grammar, would have to split a class; DESIGN.md says why none does.

use placemat::{CodePoint, Form, Level, Policy, Transcoder};

use crate::place::{FILLERS, Strings, Text, places};
use crate::plain::Around;
use crate::vectors;
use crate::walk::Walk;

/// The first and last byte of: ASCII, 80..8F, 90..9F, A0..BF, C0..C1, C2..DF, E0, E1..EC, ED, EE..EF, F0, F1..F3, F4, F5..FF.
pub(crate) const BYTES: [u8; 24] = [
    0x00, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xE1, 0xEC, 0xED, 0xEE,
    0xEF, 0xF0, 0xF1, 0xF3, 0xF4, 0xF5, 0xFF,
];

/// One byte of each class.
pub(crate) const CLASSES: [u8; 14] =
    [0x00, 0x80, 0x90, 0xBF, 0xC0, 0xC2, 0xE0, 0xE1, 0xED, 0xEF, 0xF0, 0xF1, 0xF4, 0xF5];

/// Bytes of surrogate pairs in three bytes each, and bytes that are almost such a pair.
const HALVES: [u8; 5] = [0x61, 0x80, 0xAF, 0xB0, 0xED];

/// The first and last unit of: ASCII, two and three bytes of UTF-8, high and low surrogates, and the units above them.
pub(crate) const UNITS: [u16; 14] =
    [0x00, 0x61, 0x7F, 0x80, 0xFF, 0x100, 0x7FF, 0x800, 0xD7FF, 0xD800, 0xDBFF, 0xDC00, 0xDFFF, 0xE000];

/// The first and last of the code points that take one, two, three and four bytes, of surrogates, and the first number that is no
/// code point.
pub(crate) const WIDE: [u32; 16] = [
    0x00, 0x7F, 0x80, 0xFF, 0x100, 0x7FF, 0x800, 0xD7FF, 0xD800, 0xDBFF, 0xDC00, 0xDFFF, 0xE000, 0xFFFF,
    0x10FFFF, 0x110000,
];

/// Both policies that kernels apply, by name.
pub(crate) const POLICIES: [(&str, Policy); 2] = [("stop", Policy::Stop), ("replace", Policy::Replace)];

const UTF16: [Form; 2] = [Form::Utf16Le, Form::Utf16Be];
const UTF32: [Form; 2] = [Form::Utf32Le, Form::Utf32Be];
const WIDER: [Form; 4] = [Form::Utf16Le, Form::Utf16Be, Form::Utf32Le, Form::Utf32Be];

#[test]
#[ignore = "minutes: cargo xtask exhaust"]
fn byte_classes() {
    let walk = Walk::new();
    let (ends, classes) = (Strings::new(&BYTES.map(|b| [b]), 4), Strings::new(&CLASSES.map(|b| [b]), 4));
    for to in [Form::Utf8, Form::Utf16Le, Form::Utf32Le, Form::Iso8859_1] {
        conversion(&walk, Form::Utf8, to, &ends);
    }
    for to in [Form::Utf16Be, Form::Utf32Be, Form::Cesu8, Form::Mutf8] {
        conversion(&walk, Form::Utf8, to, &classes);
    }
    let halves = Strings::new(&HALVES.map(|b| [b]), 6);
    for from in [Form::Cesu8, Form::Mutf8] {
        conversion(&walk, from, Form::Utf8, &classes);
        conversion(&walk, from, Form::Utf8, &halves);
    }
    let singles = Strings::new(&(0..=u8::MAX).map(|byte| [byte]).collect::<Vec<_>>(), 1);
    for to in [Form::Utf8].into_iter().chain(WIDER) {
        conversion(&walk, Form::Iso8859_1, to, &singles);
    }
    conversion(&walk, Form::UsAscii, Form::Utf8, &singles);
    conversion(&walk, Form::Windows1252, Form::Utf8, &singles);
}

#[test]
#[ignore = "minutes: cargo xtask exhaust"]
fn unit_classes() {
    let walk = Walk::new();
    for from in UTF16 {
        let strings = match from {
            Form::Utf16Le => Strings::new(&UNITS.map(u16::to_le_bytes), 3),
            _ => Strings::new(&UNITS.map(u16::to_be_bytes), 3),
        };
        for to in [Form::Utf8, Form::Iso8859_1].into_iter().chain(WIDER) {
            conversion(&walk, from, to, &strings);
        }
    }
    for from in UTF32 {
        let strings = match from {
            Form::Utf32Le => Strings::new(&WIDE.map(u32::to_le_bytes), 2),
            _ => Strings::new(&WIDE.map(u32::to_be_bytes), 2),
        };
        for to in [Form::Utf8, Form::Iso8859_1].into_iter().chain(WIDER) {
            conversion(&walk, from, to, &strings);
        }
    }
}

/// Checks the conversion of each string at each place in each kind of text, under both policies, on every level with vectors.
fn conversion(walk: &Walk, from: Form, to: Form, strings: &Strings) {
    let fillers = FILLERS.iter().filter(|filler| [from, to].iter().all(|form| has(*form, **filler)));
    let fillers: Vec<_> = fillers.copied().collect();
    for (name, policy) in POLICIES {
        let transcoder = Transcoder::new(from, to).on_error(policy);
        let plain = transcoder.clone().at_level(Level::Scalar);
        let fast: Vec<_> = vectors().map(|level| transcoder.clone().at_level(level)).collect();
        let what =
            format!("{} to {}, {name}, every level: {} strings", from.name(), to.name(), strings.count());
        each_place(walk, &what, from, &fillers, strings, |text| {
            let mut around = Around::new(&plain, &text.bytes[..text.before], &text.bytes[text.next..]);
            let fast = &fast;
            move |text| around.check(fast, &text.bytes, text.core(), text.before)
        });
    }
}

fn has(form: Form, c: char) -> bool {
    CodePoint::new(c.into()).is_some_and(|c| form.carries(c))
}

/// Makes a check for each place in each kind of text, and runs it on all strings there.
pub(crate) fn each_place<C: FnMut(&Text)>(
    walk: &Walk,
    what: &str,
    form: Form,
    fillers: &[char],
    strings: &Strings,
    check: impl Fn(&Text) -> C + Sync,
) {
    let places = places();
    walk.stripes(what, (fillers.len() * places.len()) as u32, |stripe| {
        let (filler, place) = (stripe as usize % fillers.len(), stripe as usize / fillers.len());
        let mut text = Text::new(form, fillers[filler], places[place], strings);
        let mut check = check(&text);
        let mut cases = 0;
        for index in walk.some(strings.count(), stripe) {
            text.put(strings.get(index));
            check(&text);
            cases += 1;
        }
        cases
    });
}
