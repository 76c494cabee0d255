//! The last few bytes of a text, where a kernel works on a part of a block: every level gives the same result as the scalar code.
//! `cargo xtask exhaust` tries more bytes at more places.

#![cfg(feature = "alloc")]
#![forbid(unsafe_code)]

use placemat::{Form, Level, Policy, Transcoder, Unencodable};

/// One byte of each kind.
const BYTES: [u8; 10] = [0x61, 0x80, 0xBF, 0xC2, 0xC3, 0xE0, 0xED, 0xF0, 0xF4, 0xFF];

/// How many bytes precede the end: less than a block, and about a block.
const BEFORE: [usize; 5] = [0, 1, 30, 61, 125];

/// The whole text, then all of its errors.
fn outcome(mut transcoder: Transcoder, mut text: &[u8]) -> (Vec<u8>, Vec<placemat::Error>) {
    let (mut out, mut errors, mut room) = (Vec::new(), Vec::new(), [0; 1024]);
    loop {
        let step =
            if text.is_empty() { transcoder.finish(&mut room) } else { transcoder.push(text, &mut room) };
        out.extend_from_slice(&room[..step.written]);
        text = &text[step.read..];
        match step.status {
            placemat::Status::Done => return (out, errors),
            placemat::Status::Failed(error) => errors.push(error),
            _ => {}
        }
    }
}

fn check(from: Form, before: char) {
    let targets = [Form::Utf8, Form::Utf16Le, Form::Utf32Be, Form::Iso8859_1, Form::Cesu8, Form::Mutf8];
    let fill = placemat::convert(Form::Utf8, from, before.encode_utf8(&mut [0; 4]).as_bytes());
    let fill = fill.expect("the form has it");
    for len in BEFORE {
        for n in 0..BYTES.len().pow(3) {
            let end = [n, n / BYTES.len(), n / BYTES.len().pow(2)].map(|n| BYTES[n % BYTES.len()]);
            let text = [&fill.repeat(len / fill.len())[..], &end].concat();
            for to in targets {
                let transcoder =
                    Transcoder::new(from, to).on_error(Policy::Stop.unencodable(if n % 2 == 0 {
                        Unencodable::Stop
                    } else {
                        Unencodable::Replace(None)
                    }));
                let expected = outcome(transcoder.clone().at_level(Level::Scalar), &text);
                for level in Level::available() {
                    let found = outcome(transcoder.clone().at_level(level), &text);
                    assert_eq!(found, expected, "{from} to {to}, {level:?}: {text:02x?}");
                }
            }
        }
    }
}

#[test]
fn of_utf8() {
    check(Form::Utf8, 'a');
    check(Form::Utf8, 'é');
}

#[test]
fn of_relatives() {
    check(Form::Cesu8, 'é');
    check(Form::Mutf8, 'é');
}

#[test]
fn of_wide_forms() {
    check(Form::Utf16Le, 'é');
    check(Form::Utf32Be, 'é');
}
