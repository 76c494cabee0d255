//! The diagnostic of a conversion that stopped: where, what, and what can be done.

use std::fmt::Write as _;

use placemat::{ErrorKind, Form};
use placemat_detect::{Detection, Diagnosis};

use crate::escape;
use crate::input::Input;
use placemat_text::charset::{Charset, guess};
use placemat_text::convert::Stopped;
use placemat_text::faults::{Kind, wording};

/// The message that `input`, read as `from`, stopped on its way to `to`; `detect` says what it seems to be.
pub(super) fn complaint(
    input: &Input,
    from: Charset,
    to: Charset,
    place: Option<(u64, u64)>,
    stopped: &Stopped,
    unpack: bool,
    detect: impl FnOnce() -> Option<Detection>,
) -> String {
    let mut text = format!("{input}:");
    if let Some((line, column)) = place {
        let _ = write!(text, "{line}:{column}:");
    }
    let _ = write!(text, " byte {}:", stopped.error.offset());
    for byte in &stopped.bytes {
        let _ = write!(text, " {byte:02X}");
    }
    match stopped.code_point {
        Some(c) => {
            let character = c.to_char().map(|c| format!(" ({})", escape::text(c.encode_utf8(&mut [0; 4]))));
            let character = character.unwrap_or_default();
            let is = if stopped.bytes.is_empty() { "" } else { " is" };
            let _ = match to.carries(c) {
                false => write!(text, "{is} {c}{character}, which {to} cannot carry"),
                // An escaped byte that would complete a character.
                true => write!(
                    text,
                    "{is} {c}, which {to} cannot have here: after the text before it, it would be read as something else"
                ),
            };
            let _ =
                write!(text, "\n  choose what to write for it: --unencodable replace, escape, ncr or skip");
        }
        None if stopped.error.kind() == ErrorKind::Unencodable => {
            let _ = write!(text, " cannot be written as {to}");
        }
        None => {
            let kind = stopped.error.kind();
            let _ = write!(text, " is malformed {from}: {kind}, {}", in_words(kind));
            let _ = write!(text, "\n  {}", advice(input, from, unpack, detect()));
        }
    }
    text
}

/// What a kind of error means, as the end of a sentence.
fn in_words(kind: ErrorKind) -> String {
    let rule = wording::rule(Kind::Malformed(kind)).trim_end_matches('.');
    let (first, rest) = rule.split_at(1);
    first.to_ascii_lowercase() + rest
}

/// What can be done, depending on what the input seems to be.
fn advice(input: &Input, from: Charset, unpack: bool, found: Option<Detection>) -> String {
    let damage = format!("if it is {from} but damaged: --on-error replace replaces what is malformed");
    let Some(found) = found else { return unknown(&damage) };
    let charset = Charset::detected(&found);
    let looks = guess::looks(&found);
    match Diagnosis::of(found) {
        // Without evidence for UTF-8 nothing is repaired.
        Diagnosis::UpToAFew(counts)
            if counts.vouch() && (from == Form::Utf8 || from == Form::UsAscii && counts.malformed() > 0) =>
        {
            format!(
                "it is UTF-8 with a few malformed sequences: --on-error replace replaces them\n  to repair it first: placemat repair{}{}",
                if unpack { " -z" } else { "" },
                escape::argument(input.file())
            )
        }
        Diagnosis::WellFormed | Diagnosis::UpToAFew(_) | Diagnosis::SomethingElse(_) => {
            match charset.filter(|charset| charset.name() != from.name()) {
                Some(charset) => format!("it {looks} {charset}: -f {charset}\n  {damage}"),
                None => unknown(&damage),
            }
        }
    }
}

fn unknown(damage: &str) -> String {
    format!("if all of it is in another encoding, name it with -f\n  {damage}")
}
