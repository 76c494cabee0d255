//! Finds the errors of bytes in memory, with the command's sentences.

#![forbid(unsafe_code)]

use std::convert::Infallible;
use std::io::Read;

use placemat::Form;
use placemat::invisible::Kinds;
use placemat_text::charset::guess;
use placemat_text::faults::excerpt::{Piece, excerpt};
use placemat_text::faults::locate::{Search, search};
use placemat_text::faults::run::{Sought, search as search_runs};
use placemat_text::faults::seeming::Seeming;
use placemat_text::faults::{Finding, Totals, wording};
use placemat_text::models::{DetectLine, FilePath};
use serde_json::{Value, json};

use crate::value::json_of;

/// The number of errors that are shown.
const SHOWN: u64 = 200;

/// The number of columns of the line above the carets.
const WIDTH: usize = 72;

/// Returns the errors, what the bytes seem to be as a whole, characters that are not shown, and the encoding.
pub(crate) fn of(form: Form, bytes: &[u8]) -> Result<Value, String> {
    let (totals, found) = errors(form, &mut &bytes[..])?;
    let seeming = if form == Form::Utf8 { Seeming::of(&mut &bytes[..]).ok().flatten() } else { None };
    let mut hidden = Vec::new();
    if placemat::is_valid(bytes) {
        let sought = Sought { hidden: Kinds::DEFAULT, replacements: true, ..Sought::NONE };
        let searched = search_runs(&mut { bytes }, sought, SHOWN, &mut |run| {
            hidden.push(json!({
                "offset": run.offset, "line": run.line, "column": run.column, "length": run.bytes.len(),
                "sentence": run.sentence(),
            }));
            Ok::<_, Infallible>(())
        });
        let Ok(_) = searched;
    }
    Ok(json!({
        "errors": totals.errors,
        "found": found,
        "seeming": seeming.map(|seeming| seeming.sentence(totals.errors, None, false)),
        "hidden": hidden,
        "detected": detected(&mut &bytes[..])?,
    }))
}

/// Finds every error of a source, and describes the first ones.
pub(crate) fn errors(form: Form, source: &mut dyn Read) -> Result<(Totals, Vec<Value>), String> {
    let mut found = Vec::new();
    let mut covered = 0;
    let wanted = Search { limit: SHOWN, ..Search::new(form.into()) };
    let searched = search(source, wanted, &mut |finding| {
        // Errors within one broken character are shown as one.
        if finding.offset >= covered {
            let (told, length) = told(finding);
            covered = finding.offset + length as u64;
            found.push(told);
        }
        Ok::<_, Infallible>(())
    });
    let Ok((totals, broken)) = searched;
    broken.map_or(Ok((totals, found)), |error| Err(error.to_string()))
}

fn told(finding: &Finding<'_>) -> (Value, usize) {
    let length = finding.broken().map_or(finding.range.len(), |broken| broken.len);
    let line = excerpt(finding, length, WIDTH);
    let piece = |piece: &Piece| match piece {
        Piece::Plain(text) => json!(["plain", text]),
        Piece::Escaped(text) => json!(["escaped", text]),
        Piece::Malformed(text) => json!(["malformed", text]),
    };
    let told = json!({
        "offset": finding.offset,
        "length": length,
        "line": finding.line,
        "column": finding.column,
        "kind": finding.kind.name(),
        "sentence": wording::sentence(finding),
        "expected": wording::expected(finding),
        "excerpt": line.pieces.iter().map(piece).collect::<Vec<_>>(),
        "caret": [line.caret.start, line.caret.end],
    });
    (told, length)
}

/// Detects the encoding of a source, as `placemat detect` does.
pub(crate) fn detected(source: &mut dyn Read) -> Result<Value, String> {
    let found = guess::detect(source).map_err(|error| error.to_string())?;
    json_of(DetectLine::file(FilePath::of("".as_ref()), &found))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::answer::asked;

    #[test]
    fn errors_are_told_as_the_command_tells_them() {
        let answer = asked(json!({"ask": "findings", "form": "utf-8"}), b"na\xC3\xAFve\ncaf\xE9!\n\xC0\xAF");
        let found = answer["found"].as_array().unwrap();
        assert_eq!(found.len(), 2, "an overlong character is one: {answer}");
        assert_eq!(found[0]["sentence"], "E9 begins a sequence of 3 bytes, but 21 cannot follow");
        assert_eq!(
            (&found[0]["line"], &found[0]["column"], &found[0]["caret"]),
            (&json!(2), &json!(4), &json!([3, 7]))
        );
        assert_eq!(answer["errors"], 3);
    }

    #[test]
    fn hidden_characters_are_found() {
        let answer = asked(json!({"ask": "findings", "form": "utf-8"}), "pay\u{200B}pal".as_bytes());
        assert_eq!(answer["hidden"][0]["column"], 4);
    }
}
