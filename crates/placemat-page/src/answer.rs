//! The questions, and the functions that answer them.

#![forbid(unsafe_code)]

use placemat::Form;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::host::Host;
use crate::{around, chains, files, findings, readers, typed};

/// A question.
#[derive(Deserialize)]
#[serde(tag = "ask", rename_all = "kebab-case")]
pub(crate) enum Question {
    /// The names that the page offers.
    Names,
    /// The bytes that the typed text means.
    Typed { how: String, form: String },
    /// The bytes `from..to`, a part of the `bytes`, with their roles and their text.
    Cells { form: String, base: u64, from: u64, to: u64 },
    /// Everything about the character or error at a byte of the bytes that start at `base`.
    At { form: String, at: usize, base: u64 },
    /// Every error of the bytes, with its line; hidden characters; mojibake.
    Findings { form: String },
    /// The encoding of the bytes, and the verdict of each form.
    Verdicts { form: String },
    /// How mojibake came about.
    Chains,
    /// What the bytes were before the nth chain.
    Undo { nth: usize },
    /// Read the bytes in a legacy encoding.
    Decode { encoding: String },
    /// The result of each policy and program for the bytes.
    Readers,
    /// The table of a form.
    Table { form: String },
    /// Find the errors of a file.
    Check { form: String, file: u32 },
    /// Repair a file: output 0 is the text, output 1 its report.
    Repair { file: u32, name: String, mojibake: bool },
    /// Survey some files.
    Survey { names: Vec<String>, title: String },
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

fn answer_to(question: Question, bytes: &[u8], host: &mut dyn Host) -> Result<Value, String> {
    match question {
        Question::Names => Ok(typed::names()),
        Question::Typed { how, form } => typed::read(&how, bytes, named(&form)?),
        Question::Cells { form, base, from, to } => around::cells_of(named(&form)?, bytes, base, from..to),
        Question::At { form, at, base } => around::at(named(&form)?, bytes, at, base),
        Question::Findings { form } => findings::of(named(&form)?, bytes),
        Question::Verdicts { form } => around::verdicts(named(&form)?, bytes),
        Question::Chains => Ok(chains::told(bytes)),
        Question::Undo { nth } => chains::undone(bytes, nth),
        Question::Decode { encoding } => chains::decoded(bytes, &encoding),
        Question::Readers => Ok(json!(readers::all(bytes))),
        Question::Table { form } => around::table(named(&form)?),
        Question::Check { form, file } => files::check(named(&form)?, file, host),
        Question::Repair { file, name, mojibake } => files::repair(file, name, mojibake, host),
        Question::Survey { names, title } => files::survey(names, &title, host),
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
