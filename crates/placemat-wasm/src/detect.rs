//! Detects the encoding of a text, and undoes mojibake.

#![forbid(unsafe_code)]

use std::io::Read;

use placemat_detect::chain::{Chain, Step, chains};
use placemat_detect::mojibake::undo;
use placemat_text::charset::guess;
use placemat_text::models::{DetectLine, FilePath};
use placemat_text::notation::rounded;
use serde::Serialize;

use crate::session::{Answer, Session};

/// The answer of `mojibake`.
#[derive(Serialize)]
struct Mojibake<'a> {
    text: &'a str,
    changes: Vec<Change<'a>>,
    chains: Vec<Told<'a>>,
}

/// A run that was repaired. Offset and length are in bytes of UTF-8.
#[derive(Serialize)]
struct Change<'a> {
    offset: u64,
    length: u64,
    text: &'a str,
    via: Vec<&'static str>,
}

/// One possible history of the text, the last misreading first.
#[derive(Serialize)]
struct Told<'a> {
    steps: Vec<ToldStep<'a>>,
    text: &'a str,
    likelihood: f64,
}

/// Bytes in `encoding` were read as `read_as`; `text` is their correct text.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ToldStep<'a> {
    encoding: &'static str,
    read_as: &'static str,
    also: &'a [&'static str],
    in_parts: bool,
    text: &'a str,
}

impl Session {
    /// Answers with the encoding of the source: a line of `placemat detect --format json`.
    pub(crate) fn detect(&mut self, source: &mut dyn Read) -> i32 {
        let found = guess::detect(source);
        let answer = match &found {
            Ok(found) => Answer::of(&DetectLine::file(FilePath::of("".as_ref()), found)),
            Err(error) => Answer::refused(error),
        };
        self.answer(answer)
    }

    /// Answers with the text that the input was before it was decoded wrongly.
    pub(crate) fn mojibake(&mut self) -> i32 {
        let text = String::from_utf8_lossy(&self.input).into_owned();
        let undone = undo(&text);
        let chains = chains(&text);
        let changes = undone.as_ref().map_or(&[][..], |undone| &undone.changes);
        let answer = Answer::of(&Mojibake {
            text: undone.as_ref().map_or(&text, |undone| &undone.text),
            changes: changes.iter().map(Change::of).collect(),
            chains: chains.iter().map(Told::of).collect(),
        });
        self.answer(answer)
    }
}

impl Change<'_> {
    fn of(change: &placemat_detect::mojibake::Change) -> Change<'_> {
        Change {
            offset: change.range.start,
            length: change.range.end - change.range.start,
            text: &change.replacement,
            via: change.via.iter().map(|page| page.name()).collect(),
        }
    }
}

impl Told<'_> {
    fn of(chain: &Chain) -> Told<'_> {
        let steps = chain.steps.iter().map(|step: &Step| ToldStep {
            encoding: step.encoding,
            read_as: step.read_as,
            also: &step.also,
            in_parts: step.in_parts,
            text: &step.text,
        });
        Told { steps: steps.collect(), text: &chain.text, likelihood: rounded(chain.likelihood) }
    }
}
