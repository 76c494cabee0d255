//! Strings of four representative bytes at every place in a text that a conversion could tell apart.
//!
//! The bytes are the two ends of every class that RFC 3629's grammar knows, so a kernel that treats two bytes of one class
//! differently without a reason in the grammar must draw a line inside a class; DESIGN.md says why none does.

use placemat::{Error, Form, Policy, Status, Step, Transcoder};

use crate::walk::Walk;
use crate::{dense, levels};

/// First and last of: ASCII, 80..8F, 90..9F, A0..BF, C0..C1, C2..DF, E0, E1..EC, ED, EE..EF, F0, F1..F3, F4, F5..FF.
const BYTES: [u8; 24] = [
    0x00, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xE1, 0xEC, 0xED, 0xEE,
    0xEF, 0xF0, 0xF1, 0xF3, 0xF4, 0xF5, 0xFF,
];

/// First and last of: ASCII, two, three bytes of UTF-8, first and last surrogates, and what is above them.
const UNITS: [u16; 14] =
    [0x00, 0x61, 0x7F, 0x80, 0xFF, 0x100, 0x7FF, 0x800, 0xD7FF, 0xD800, 0xDBFF, 0xDC00, 0xDFFF, 0xE000];

/// First and last of the code points that take one, two, three and four bytes, of surrogates, and of what is no code point.
const WIDE: [u32; 16] = [
    0x00, 0x7F, 0x80, 0xFF, 0x100, 0x7FF, 0x800, 0xD7FF, 0xD800, 0xDBFF, 0xDC00, 0xDFFF, 0xE000, 0xFFFF,
    0x10FFFF, 0x110000,
];

/// Both policies that kernels know, by name.
const POLICIES: [(&str, Policy); 2] = [("stop", Policy::Stop), ("replace", Policy::Replace)];

/// The widest block of any kernel, in bytes.
const BLOCK: usize = 128;

#[test]
#[ignore = "minutes: cargo xtask exhaust"]
fn byte_classes() {
    let walk = Walk::new();
    let strings = |n: u32| [0, 1, 2, 3].map(|i| BYTES[(n as usize / 24usize.pow(i)) % 24]);
    let targets = [Form::Utf8, Form::Utf16Le, Form::Utf16Be, Form::Utf32Le, Form::Utf32Be, Form::Iso8859_1];
    for (level, _) in levels().skip(1) {
        for to in targets {
            for (name, policy) in POLICIES {
                let [fast, plain] = both(Form::Utf8, to, policy, level);
                let what = format!("byte classes, utf-8 to {}, {name}, {}", to.name(), level.name());
                each_place(&walk, &what, |walk, mut place| {
                    for n in walk.some(24u32.pow(4), place.before as u32) {
                        place.put(&strings(n));
                        place.check(&fast, &plain);
                    }
                    place.cases
                });
            }
        }
    }
}

#[test]
#[ignore = "minutes: cargo xtask exhaust"]
fn unit_classes() {
    let walk = Walk::new();
    let strings = |n: u32| [0, 1, 2].map(|i| UNITS[(n as usize / 14usize.pow(i)) % 14]);
    for (level, _) in levels().skip(1) {
        for from in [Form::Utf16Le, Form::Utf16Be] {
            for to in
                [Form::Utf8, Form::Utf32Le, Form::Utf32Be, Form::Iso8859_1, Form::Utf16Le, Form::Utf16Be]
            {
                for (name, policy) in POLICIES {
                    let [fast, plain] = both(from, to, policy, level);
                    let what =
                        format!("unit classes, {} to {}, {name}, {}", from.name(), to.name(), level.name());
                    each_place(&walk, &what, |walk, mut place| {
                        place.widen(from, 6);
                        for n in walk.some(14u32.pow(3), place.before as u32) {
                            let bytes = strings(n).map(|unit| match from {
                                Form::Utf16Le => unit.to_le_bytes(),
                                _ => unit.to_be_bytes(),
                            });
                            place.put(bytes.as_flattened());
                            place.check(&fast, &plain);
                        }
                        place.cases
                    });
                }
            }
        }
    }
}

#[test]
#[ignore = "minutes: cargo xtask exhaust"]
fn wide_classes() {
    let walk = Walk::new();
    let strings = |n: u32| [n % 16, n / 16].map(|i| WIDE[i as usize]);
    for (level, _) in levels().skip(1) {
        for from in [Form::Utf32Le, Form::Utf32Be] {
            for to in [Form::Utf8, Form::Utf16Le, Form::Utf16Be] {
                for (name, policy) in POLICIES {
                    let [fast, plain] = both(from, to, policy, level);
                    let what =
                        format!("wide classes, {} to {}, {name}, {}", from.name(), to.name(), level.name());
                    each_place(&walk, &what, |walk, mut place| {
                        place.widen(from, 8);
                        for n in walk.some(16u32.pow(2), place.before as u32) {
                            let bytes = strings(n).map(|unit| match from {
                                Form::Utf32Le => unit.to_le_bytes(),
                                _ => unit.to_be_bytes(),
                            });
                            place.put(bytes.as_flattened());
                            place.check(&fast, &plain);
                        }
                        place.cases
                    });
                }
            }
        }
    }
}

/// The same conversion on a level and without kernels.
fn both(from: Form, to: Form, policy: Policy, level: placemat::Level) -> [Transcoder; 2] {
    let transcoder = Transcoder::new(from, to).on_error(policy);
    [transcoder.clone().at_level(level), transcoder.at_level(placemat::Level::Scalar)]
}

/// All places of a string in a text: every distance from the start up to a block and more, every distance from the end, in
/// text that is ASCII and in text that is not.
fn each_place(walk: &Walk, what: &str, work: impl Fn(&Walk, Place) -> u64 + Sync) {
    let near_start = (0..BLOCK as u32 + 6).map(|before| (before, 80));
    let near_end = (0..70).map(|after| (70, after));
    let places: Vec<(u32, u32)> = near_start.chain(near_end).collect();
    walk.stripes(what, 2 * places.len() as u32, |stripe| {
        let (before, after) = places[stripe as usize / 2];
        work(walk, Place::new(before as usize, after as usize, stripe % 2 == 1))
    });
}

/// A text with a place for a string.
struct Place {
    text: Vec<u8>,
    before: usize,
    len: usize,
    outs: [Vec<u8>; 2],
    cases: u64,
}

impl Place {
    fn new(before: usize, after: usize, is_dense: bool) -> Place {
        let filler = |len| if is_dense { dense(len) } else { vec![b'a'; len] };
        let text = [filler(before), vec![0; 4], filler(after)].concat();
        Place { text, before, len: 4, outs: [vec![0; 2048], vec![0; 2048]], cases: 0 }
    }

    /// Make the text around the string UTF-16 or UTF-32, and room for a string of `len` bytes.
    fn widen(&mut self, form: Form, len: usize) {
        let wide =
            |bytes: &[u8]| placemat::convert(Form::Utf8, form, bytes).expect("the text is well-formed");
        let before = wide(&self.text[..self.before]);
        let after = wide(&self.text[self.before + self.len..]);
        (self.before, self.len) = (before.len(), len);
        self.text = [before, vec![0; len], after].concat();
    }

    fn put(&mut self, string: &[u8]) {
        self.text[self.before..self.before + self.len].copy_from_slice(string);
    }

    /// Does the kernel say what the plain form says?
    fn check(&mut self, fast: &Transcoder, plain: &Transcoder) {
        let [a, b] = &mut self.outs;
        let (fast, plain) = (run(fast, &self.text, a), run(plain, &self.text, b));
        assert_eq!(fast, plain, "{:02x?}", self.text);
        assert!(a[..fast.0] == b[..plain.0], "{:02x?}", self.text);
        self.cases += 1;
    }
}

/// What was written, and how it ended.
fn run(transcoder: &Transcoder, text: &[u8], out: &mut [u8]) -> (usize, usize, Option<Error>) {
    let mut transcoder = transcoder.clone();
    let Step { read, mut written, mut status } = transcoder.push(text, out);
    if status == Status::NeedInput {
        let last = transcoder.finish(&mut out[written..]);
        written += last.written;
        status = last.status;
    }
    match status {
        Status::Failed(error) => (written, read, Some(error)),
        _ => (written, read, None),
    }
}
