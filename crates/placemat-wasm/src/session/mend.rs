//! Repairs text, reports the changes, and undoes a repair by its report.

#![forbid(unsafe_code)]

use std::io::Cursor;

use placemat::invisible::Kinds;
use placemat::label::Labels;
use placemat::{Form, Policy};
use placemat_text::charset::Charset;
use placemat_text::repair::choice::Choice;
use placemat_text::repair::mend::{Mending, ZEROS};
use placemat_text::repair::record::Line;
use placemat_text::repair::undo::{Lines, entries};
use placemat_text::repair::whole::{Repaired, whole};
use placemat_text::repair::wording::{Counts, counts};
use placemat_text::structure::{self, Structure};
use serde::Serialize;

use crate::session::{Answer, Session};

/// The result of a repair.
#[derive(Serialize)]
struct Mended {
    /// Why the text was not changed.
    refused: Option<String>,
    /// A sentence on what was changed.
    summary: String,
    lossy: bool,
    changes: Vec<Line>,
}

/// A text before and after a repair.
#[derive(Default)]
pub(crate) struct Mend {
    original: Vec<u8>,
    repaired: Option<Repaired>,
}

/// Reads the settings: the second encoding, a policy, flags, and what to do with U+0000.
fn choice([second, policy, flags, zero]: [String; 4]) -> Result<Choice, String> {
    let has = |name| flags.split(' ').any(|flag| flag == name);
    let &policy = Policy::ALL.iter().find(|(name, _)| *name == policy).ok_or("onError: unknown policy")?;
    let zero = match &*zero {
        "keep" => None,
        name => Some(ZEROS.into_iter().find(|(zero, _)| *zero == name).ok_or("zero: keep, skip or replace")?),
    };
    let (second, cp1252) = match &*second {
        "auto" => (None, false),
        name => match Charset::resolve(Labels::Lenient, name).map_err(|error| error.to_string())? {
            Charset::Legacy(legacy) => (Some(legacy), false),
            Charset::Form(Form::Windows1252) => (None, true),
            Charset::Form(form) => return Err(format!("{form} is no legacy encoding")),
        },
    };
    let hidden = if has("invisible") { Kinds::DEFAULT } else { Kinds::NONE };
    let mending = Mending {
        policy,
        diagnoses: !has("blind"),
        cp1252,
        overlong: has("overlong"),
        nul: has("nul"),
        mojibake: has("mojibake"),
        hidden,
        zero,
    };
    Ok(Choice { mending, second, is_lossy: has("lossy") })
}

fn structured(name: &str, delimiter: &str) -> Result<Option<Structure>, String> {
    let found = match name {
        "" => return Ok(None),
        "csv" => Structure::csv(delimiter),
        "jsonl" => Ok(Structure::JsonLines),
        "sql" => Ok(Structure::Sql(None)),
        _ => match name.strip_prefix("sql-") {
            Some(dialect) => dialect.parse().map(|dialect| Structure::Sql(Some(dialect))),
            None => return Err("structure: csv, jsonl or sql".to_owned()),
        },
    };
    found.map(Some).map_err(|error| error.to_string())
}

impl Session {
    /// Repairs the input, and keeps the original and the result.
    pub(crate) fn mend(&mut self) -> i32 {
        let [second, policy, flags, zero, structure, delimiter] = self.lines();
        let asked = choice([second, policy, flags, zero])
            .and_then(|choice| Ok((choice, structured(&structure, &delimiter)?)));
        self.mend = Mend { original: std::mem::take(&mut self.input), repaired: None };
        let answer = asked.and_then(|(choice, structure)| {
            let bytes = &self.mend.original;
            let mended = match structure {
                Some(structure) => structure::whole(bytes, structure, &choice),
                None => whole(bytes, &choice),
            };
            let told = match mended {
                Ok(repaired) => {
                    let told = told(bytes, &repaired);
                    self.mend.repaired = Some(repaired);
                    told
                }
                Err(why) => {
                    let (refused, summary) = (Some(why.to_string()), String::new());
                    Mended { refused, summary, lossy: false, changes: Vec::new() }
                }
            };
            Answer::of(&told)
        });
        self.answer(answer)
    }

    /// Returns the text that was repaired last.
    pub(crate) fn mended(&mut self) -> i32 {
        let repaired = self.mend.repaired.as_ref().ok_or("nothing was repaired");
        let text = repaired.map(|repaired| Answer::bytes(repaired.text.clone()));
        self.answer(text.map_err(str::to_owned))
    }

    /// Returns the report of the last repair.
    pub(crate) fn report(&mut self) -> i32 {
        let repaired = self.mend.repaired.as_ref().ok_or_else(|| "nothing was repaired".to_owned());
        let report = repaired
            .and_then(|repaired| repaired.report(&self.mend.original).map_err(|error| error.to_string()));
        self.answer(report.map(Answer::text))
    }

    /// Drops the last repair.
    pub(crate) fn forget(&mut self) {
        self.mend = Mend::default();
    }

    /// The settings are a report, and the input is the repaired text. The output is the original text.
    pub(crate) fn undo(&mut self) -> i32 {
        let mut lines = Lines::new(Cursor::new(std::mem::take(&mut self.settings)));
        let mut original = Vec::new();
        let undone = entries(&mut lines).and_then(|entries| match &entries[..] {
            [entry] => entry.put_back(&mut lines, &self.input[..], &mut original),
            _ => Ok(false),
        });
        let answer = match undone {
            Ok(true) => Ok(Answer::bytes(original)),
            Ok(false) => Err("the report belongs to another text".to_owned()),
            Err(error) => Err(error.to_string()),
        };
        self.answer(answer)
    }
}

fn told(bytes: &[u8], repaired: &Repaired) -> Mended {
    let mut done = Counts::new();
    let changes = repaired.changes.iter().map(|change| {
        *done.entry(change.rule.clone()).or_default() += 1;
        Line::change(change, &bytes[change.range.start as usize..change.range.end as usize])
    });
    let changes = changes.collect();
    let lossy = repaired.changes.iter().any(placemat_text::repair::mend::Change::is_loss);
    Mended { refused: None, summary: counts(&done), lossy, changes }
}
