//! Surveys written as JSON, read again: parts of one can be made in many places, and added up in one.

use std::io::BufRead;

use anyhow::{Context as _, Result, bail, ensure};
use placemat::ErrorKind;
use placemat::label::Label;
use placemat_detect::Kind;
use serde::Deserialize;
use serde_json::Value;
use unicode_script::Script;

use super::json::{Dialect, Encoding, Error, Jsonl, LineEnding};
use super::jsonl::Lines;
use super::total::{self, ENDINGS, ErrorShare, ScriptShare, Survey};
use crate::report::Path;

/// What [`super::json::Object`] writes. Sums that follow from the rest are not read.
#[derive(Deserialize)]
struct Saved {
    r#type: String,
    files: u64,
    files_skipped: u64,
    files_failed: u64,
    jsonl: Option<Jsonl>,
    texts: u64,
    texts_well_formed_utf8: u64,
    bytes: u64,
    code_points: u64,
    encodings: Vec<Encoding>,
    line_endings: Vec<LineEnding>,
    scripts: Vec<ScriptLine>,
    error_kinds: Vec<Error>,
    dialects: Vec<Dialect>,
    worst: Vec<Worst>,
}

#[derive(Deserialize)]
struct ScriptLine {
    script: String,
    texts: u64,
    code_points: u64,
    utf8_bytes: u64,
}

#[derive(Deserialize)]
struct Worst {
    #[serde(flatten)]
    path: Path,
    encoding: String,
    errors: u64,
}

/// What `detect` names and nothing here reads.
const UNREAD: [&str; 6] = ["binary", "euc-tw", "hz-gb-2312", "iso-2022-cn", "iso-2022-kr", "johab"];

/// Surveys added up.
#[derive(Default)]
pub(crate) struct Merged {
    pub(crate) total: Survey,
    /// The field of JSON Lines that they are about.
    pub(crate) field: Option<String>,
    /// All numbers in all of them; while these have a sum, no sum of some of them overflows.
    sum: u64,
}

impl Merged {
    /// Add the surveys in `source`, one on each line.
    ///
    /// # Errors
    /// Those of reading, and of what is no survey, one of another field, or one too many for 64 bits.
    pub(crate) fn add(&mut self, source: &mut dyn BufRead) -> Result<()> {
        for line in source.lines() {
            let line = line?;
            if line.trim().is_empty() {
                continue;
            }
            let json: Value = serde_json::from_str(&line).context(NO_SURVEY)?;
            let sum = sum(&json).and_then(|sum| sum.checked_add(self.sum));
            self.sum = sum.context("the sum of these surveys does not fit in 64 bits")?;
            let saved: Saved = serde_json::from_value(json).context(NO_SURVEY)?;
            ensure!(saved.r#type == "survey", NO_SURVEY);
            if let Some(Jsonl { field: its, .. }) = &saved.jsonl {
                let field = self.field.get_or_insert_with(|| its.clone());
                ensure!(its == field, "a survey of the field {its:?}, and one of {field:?} came before");
            }
            self.total.merge(saved.survey()?);
        }
        Ok(())
    }
}

const NO_SURVEY: &str = "not a survey written by --format json";

/// The sum of all numbers in it.
fn sum(json: &Value) -> Option<u64> {
    let and = |all: u64, part| all.checked_add(sum(part)?);
    match json {
        Value::Number(number) => Some(number.as_u64().unwrap_or(0)),
        Value::Array(parts) => parts.iter().try_fold(0, and),
        Value::Object(parts) => parts.values().try_fold(0, and),
        _ => Some(0),
    }
}

impl Saved {
    fn survey(self) -> Result<Survey> {
        let mut survey = Survey {
            files: self.files,
            files_skipped: self.files_skipped,
            files_failed: self.files_failed,
            texts: self.texts,
            well_formed: self.texts_well_formed_utf8,
            bytes: self.bytes,
            code_points: self.code_points,
            ..Survey::default()
        };
        if let Some(Jsonl { lines, lines_broken, lines_without, .. }) = self.jsonl {
            survey.lines = Lines { read: lines, broken: lines_broken, without: lines_without };
        }
        for Encoding { encoding, texts, bytes, code_points, errors, boms: marks, unsure } in self.encodings {
            let share = total::Encoding { texts, bytes, code_points, errors, marks, unsure };
            survey.encodings.insert(named(&encoding)?, share);
        }
        for LineEnding { line_ending, texts, lines } in self.line_endings {
            let at = ENDINGS.iter().position(|ending| ending.name() == line_ending);
            survey.endings[at.with_context(|| format!("no line ending: {line_ending}"))?] = (texts, lines);
        }
        for ScriptLine { script: name, texts, code_points, utf8_bytes } in self.scripts {
            let script = Script::from_full_name(&name).with_context(|| format!("no script: {name}"))?;
            let share = ScriptShare { script, texts, code_points, utf8_bytes };
            survey.scripts.insert(script.full_name(), share);
        }
        for Error { kind, texts, errors, bytes } in self.error_kinds {
            let at = ErrorKind::ALL.iter().position(|known| known.name() == kind);
            survey.errors[at.with_context(|| format!("no kind of error: {kind}"))?] =
                ErrorShare { texts, errors, bytes };
        }
        for Dialect { dialect, texts, sequences } in self.dialects {
            let Some(at) = Kind::ALL.iter().position(|known| known.name() == dialect) else {
                bail!("no dialect: {dialect}");
            };
            survey.dialects[at] = (texts, sequences);
        }
        for Worst { path, encoding, errors } in self.worst {
            let (input, encoding) = (path.input()?, named(&encoding)?);
            survey.worst.push(total::Worst { input, encoding, errors });
        }
        Ok(survey)
    }
}

/// The encoding of that name.
fn named(name: &str) -> Result<&'static str> {
    let unread = || UNREAD.into_iter().find(|unread| *unread == name);
    Label::named(name).map(Label::name).or_else(unread).with_context(|| format!("no encoding: {name}"))
}
