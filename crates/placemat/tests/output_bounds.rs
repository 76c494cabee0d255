//! How much longer a text can become: the bounds in the documentation of [`Transcoder`], for every pair of forms and every named
//! policy, on inputs whose bytes become as much as possible.
#![cfg(feature = "alloc")]
#![forbid(unsafe_code)]

use placemat::{Form, Policy, Status, Transcoder, Unencodable};

/// Errors at every byte, the longest and the shortest sequences, shifts in and out.
const GROWING: [&[u8]; 16] = [
    b"\xFF",
    b"\x80",
    b"\xE2\x82",
    b"a",
    b"~",
    b"\0",
    b"\0\0\0a",
    b"a\0",
    b"a\xFF",
    "aé".as_bytes(),
    "é".as_bytes(),
    "a😀".as_bytes(),
    b"\xED\xA0\x80",
    b"\xD8\x3D\xD8\x3D",
    b"a&a+",
    b"\xFF\xFF\xFF\x7F",
];

/// The most code points written for a byte of an error, and for a code point that the target lacks.
fn code_points(policy: Policy, unencodable: Unencodable) -> (usize, usize) {
    let for_byte = if policy == Policy::Escape { 4 } else { 1 };
    let for_lacking = match unencodable {
        Unencodable::Escape => r"\u{7fffffff}".len(),
        Unencodable::Ncr => "&#2147483647;".len(),
        _ => 1,
    };
    (for_byte, for_lacking)
}

/// How many bytes `input` becomes. Continues behind every error.
fn length(mut transcoder: Transcoder, input: &[u8]) -> usize {
    let (mut out, mut read, mut written) = ([0; 4096], 0, 0);
    loop {
        let step = match input.get(read..).filter(|rest| !rest.is_empty()) {
            Some(rest) => transcoder.push(rest, &mut out),
            None => transcoder.finish(&mut out),
        };
        read += step.read;
        written += step.written;
        if step.status == Status::Done {
            return written;
        }
    }
}

#[test]
fn output_is_bounded() {
    let inputs = GROWING.map(|piece| piece.repeat(48 / piece.len()));
    for &from in Form::ALL {
        for &to in Form::ALL {
            let (least, most) = (usize::from(from.facts().width.0), usize::from(to.facts().width.1));
            for &(name, policy) in Policy::ALL {
                for unencodable in
                    [Unencodable::Stop, Unencodable::Replace(None), Unencodable::Escape, Unencodable::Ncr]
                {
                    let (for_byte, for_lacking) = code_points(policy, unencodable);
                    for input in &inputs {
                        let transcoder = Transcoder::new(from, to).on_error(policy.unencodable(unencodable));
                        let length = length(transcoder, input);
                        // The target may lack the stand-in too.
                        let most_code_points =
                            (input.len() * for_byte).max(input.len().div_ceil(least)) * for_lacking;
                        assert!(
                            length <= most_code_points * most + 16,
                            "{from} to {to}, {name}, {unencodable:?}: {} becomes {length}",
                            input.escape_ascii()
                        );
                        if policy == Policy::Replace && unencodable == Unencodable::Replace(None) {
                            assert!(
                                length <= input.len().div_ceil(least) * most + 16,
                                "{from} to {to}: {} becomes {length}",
                                input.escape_ascii()
                            );
                        }
                    }
                }
            }
        }
    }
}
