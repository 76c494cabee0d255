//! The questions, and the functions that answer them.

#![forbid(unsafe_code)]

use placemat::Form;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::host::Host;
use crate::{around, chains, files, findings, readers, typed};

/// A question. Each has some of these fields; an enum with a tag would need code for values of any type, a hundredth of the page.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Question {
    ask: String,
    /// How the text was typed.
    how: String,
    form: String,
    /// The place of the first byte in the whole input.
    base: u64,
    from: u64,
    to: u64,
    at: usize,
    nth: usize,
    encoding: String,
    file: u32,
    name: String,
    mojibake: bool,
    names: Vec<String>,
    title: String,
}

/// An answer that says why the question cannot be answered.
#[derive(Serialize)]
struct Refused {
    refused: String,
}

/// Returns the answer as JSON. If there is none, it is an object with one field `refused`, a sentence.
pub(crate) fn answer(question: &[u8], bytes: &[u8], host: &mut dyn Host) -> Vec<u8> {
    let answered = serde_json::from_slice(question)
        .map_err(|error| error.to_string())
        .and_then(|question| answer_to(question, bytes, host));
    let written = match answered {
        Ok(value) => serde_json::to_vec(&value),
        Err(refused) => serde_json::to_vec(&Refused { refused }),
    };
    written.unwrap_or_default()
}

fn answer_to(asked: Question, bytes: &[u8], host: &mut dyn Host) -> Result<Value, String> {
    let form = || named(&asked.form);
    match &*asked.ask {
        // The names that the page offers.
        "names" => Ok(typed::names()),
        // The bytes that the typed text means.
        "typed" => typed::read(&asked.how, bytes, form()?),
        // The bytes `from..to`, a part of the `bytes`, with their roles and their text.
        "cells" => around::cells_of(form()?, bytes, asked.base, asked.from..asked.to),
        // Everything about the character or error at a byte of the bytes that start at `base`.
        "at" => around::at(form()?, bytes, asked.at, asked.base),
        // Every error of the bytes, with its line; hidden characters; mojibake.
        "findings" => findings::of(form()?, bytes),
        // The encoding of the bytes, and the verdict of each form.
        "verdicts" => around::verdicts(form()?, bytes),
        // How mojibake came about.
        "chains" => Ok(chains::told(bytes)),
        // What the bytes were before the nth chain.
        "undo" => chains::undone(bytes, asked.nth),
        // The bytes, read in a legacy encoding.
        "decode" => chains::decoded(bytes, &asked.encoding),
        // The result of each policy and program for the bytes.
        "readers" => Ok(json!(readers::all(bytes))),
        // The table of a form.
        "table" => around::table(form()?),
        // The errors of a file.
        "check" => files::check(form()?, asked.file, host),
        // Output 0 is the repaired text of a file, output 1 its report.
        "repair" => files::repair(asked.file, asked.name, asked.mojibake, host),
        "survey" => files::survey(asked.names, &asked.title, host),
        unknown => Err(format!("no question is called {unknown}")),
    }
}

/// Returns the form with that name.
pub(crate) fn named(name: &str) -> Result<Form, String> {
    Form::named(name).ok_or_else(|| format!("no form is called {name}"))
}

#[cfg(test)]
pub(crate) fn asked(question: impl Serialize, bytes: &[u8]) -> Value {
    let question = serde_json::to_vec(&question).unwrap();
    serde_json::from_slice(&answer(&question, bytes, &mut crate::host::InMemory::default())).unwrap()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_question_is_refused() {
        for question in [
            json!({}),
            json!({"ask": "moon"}),
            json!({"ask": "cells", "form": "utf-9", "base": 0, "from": 0, "to": 1}),
        ] {
            assert!(asked(question, b"")["refused"].is_string());
        }
    }

    #[test]
    fn every_question_about_bytes_has_an_answer() {
        for bytes in [&b""[..], b"caf\xE9", "Ã©".as_bytes(), b"\xED\xA0\x80\xFF\0"] {
            for question in [
                json!({"ask": "names"}),
                json!({"ask": "cells", "form": "utf-8", "base": 0, "from": 0, "to": bytes.len()}),
                json!({"ask": "findings", "form": "utf-8"}),
                json!({"ask": "verdicts", "form": "utf-8"}),
                json!({"ask": "chains"}),
                json!({"ask": "readers"}),
                json!({"ask": "table", "form": "utf-8"}),
            ] {
                let answer = asked(question.clone(), bytes);
                assert!(answer["refused"].is_null(), "{question} {bytes:?}: {answer}");
            }
        }
    }
}
