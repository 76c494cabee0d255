//! What is wrong with bytes in memory, in the command's sentences.

#![forbid(unsafe_code)]

use std::convert::Infallible;
use std::io::Read;

use placemat::invisible::Kinds;
use placemat::{Form, label::Labels};
use placemat_text::chains::{Chain, chains, fixes, undo_chain};
use placemat_text::charset::{Charset, guess};
use placemat_text::faults::excerpt::{Piece, excerpt};
use placemat_text::faults::locate::{Search, search};
use placemat_text::faults::run::{Sought, search as search_runs};
use placemat_text::faults::seeming::Seeming;
use placemat_text::faults::{Finding, Totals, wording};
use placemat_text::models::{DetectLine, FilePath};
use serde_json::{Value, json};

use crate::answer::json_of;

/// Errors that are shown.
const SHOWN: u64 = 200;

/// Columns of the line above the carets.
const WIDTH: usize = 72;

/// Text of which chains are sought, in bytes.
const SOUGHT: usize = 16 << 10;

/// Chains that are shown.
const CHAINS: usize = 5;

/// Errors, with what they seem to be as a whole; hidden characters; what the text is in.
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

/// Every error of a source, and the first of them in words.
pub(crate) fn errors(form: Form, source: &mut dyn Read) -> Result<(Totals, Vec<Value>), String> {
    let mut found = Vec::new();
    let mut covered = 0;
    let wanted = Search { limit: SHOWN, ..Search::new(form.into()) };
    let searched = search(source, wanted, &mut |finding| {
        // Errors within one broken character are told as one.
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

/// What a source is in, as `placemat detect` says it.
pub(crate) fn detected(source: &mut dyn Read) -> Result<Value, String> {
    let found = guess::detect(source).map_err(|error| error.to_string())?;
    json_of(DetectLine::file(FilePath::of("".as_ref()), &found))
}

/// How the text came to be mojibake. Bytes that are no UTF-8 are read in the encoding that they seem to be in.
pub(crate) fn chains_of(bytes: &[u8]) -> Value {
    let (start, _) = placemat::valid_prefix(&bytes[..bytes.len().min(SOUGHT)]);
    let text = str::from_utf8(&bytes[..start]).unwrap_or_default();
    let tell = |chain: &Chain| {
        json!({
            "steps": chain.steps,
            "text": excerpt_of(&chain.text),
            "in_parts": chain.in_parts,
            "confidence": guess::percent(chain.confidence),
            "fixes": fixes(chain),
            "shown": chain.steps.iter().map(|step| shown(step.written, &step.before)).collect::<Vec<_>>(),
        })
    };
    json!(chains(text, CHAINS).iter().map(tell).collect::<Vec<_>>())
}

/// The beginning of a text.
fn excerpt_of(text: &str) -> String {
    let end = text.char_indices().nth(400).map_or(text.len(), |(at, _)| at);
    text[..end].to_owned()
}

/// A text before a mistake, and the first of its bytes.
fn shown(encoding: &str, text: &str) -> Value {
    let start: String = text.chars().take(24).collect();
    let bytes = Charset::resolve(Labels::Lenient, encoding).ok().and_then(|charset| {
        placemat_text::chains::bytes_in(&start, charset)
    });
    json!({ "text": excerpt_of(text), "bytes": bytes.map(|bytes| placemat_text::notation::hex(&bytes)), "cut": text.len() > start.len() })
}

/// All of a text with a chain undone, in hexadecimal.
pub(crate) fn undone(bytes: &[u8], steps: &[(String, String)], in_parts: bool) -> Result<Value, String> {
    let text = placemat::validate(bytes).map_err(|_| "the text is not well-formed UTF-8".to_owned())?;
    let undone = undo_chain(text, steps, in_parts).ok_or("part of the text does not fit this chain")?;
    Ok(json!({ "hex": placemat_text::notation::hex(undone.as_bytes()).replace(' ', "") }))
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
        assert_eq!((&found[0]["line"], &found[0]["column"], &found[0]["caret"]), (&json!(2), &json!(4), &json!([3, 7])));
        assert_eq!(answer["errors"], 3);
    }

    #[test]
    fn hidden_characters_are_found() {
        let answer = asked(json!({"ask": "findings", "form": "utf-8"}), "pay\u{200B}pal".as_bytes());
        assert_eq!(answer["hidden"][0]["column"], 4);
    }

    #[test]
    fn a_chain_is_told_and_undone() {
        let text = "voilÃ  le cafÃ©";
        let answer = asked(json!({"ask": "chains"}), text.as_bytes());
        let chain = &answer[0];
        assert_eq!(chain["text"], "voilà le café");
        assert_eq!(chain["shown"][0]["bytes"].as_str().unwrap().len(), "voilà le café".len() * 3 - 1);
        let steps: Vec<Value> = chain["steps"].as_array().unwrap().iter().map(|s| json!([s["written"], s["read"]])).collect();
        let question = json!({"ask": "undo", "steps": steps, "in_parts": chain["in_parts"]});
        let undone = asked(question, text.as_bytes());
        assert_eq!(undone["hex"], placemat_text::notation::hex("voilà le café".as_bytes()).replace(' ', ""));
    }
}
