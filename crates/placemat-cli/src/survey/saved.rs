//! Surveys written as JSON, read again: parts of one can be made in many places, and added up in one.

use std::io::BufRead;

use anyhow::{Context as _, Result, bail, ensure};
use placemat::ErrorKind;
use placemat_detect::Kind;
use serde::Deserialize;
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

/// More encodings than there are in the world are none.
const MOST_ENCODINGS: usize = 1000;

/// Add up the surveys in `source`, one on each line; the field of JSON Lines that they are about goes to `field`.
///
/// # Errors
/// Those of reading, and of what is no survey, or one of another field.
pub(crate) fn add(source: &mut dyn BufRead, total: &mut Survey, field: &mut Option<String>) -> Result<()> {
    for line in source.lines() {
        let line = line?;
        if line.trim().is_empty() {
            continue;
        }
        let saved: Saved = serde_json::from_str(&line).context("not a survey written by --format json")?;
        ensure!(saved.r#type == "survey", "not a survey written by --format json");
        if let Some(Jsonl { field: its, .. }) = &saved.jsonl {
            let field = field.get_or_insert_with(|| its.clone());
            ensure!(its == field, "a survey of the field {its:?}, and one of {field:?} came before");
        }
        let more = saved.survey(total)?;
        total.merge(more);
    }
    Ok(())
}

impl Saved {
    fn survey(self, known: &Survey) -> Result<Survey> {
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
        ensure!(self.encodings.len() + known.encodings.len() <= MOST_ENCODINGS, "too many encodings");
        for Encoding { encoding, texts, bytes, code_points, errors, boms: marks, unsure } in self.encodings {
            let share = total::Encoding { texts, bytes, code_points, errors, marks, unsure };
            survey.encodings.insert(name(known, &encoding), share);
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
            let (input, encoding) = (path.input()?, name(&survey, &encoding));
            survey.worst.push(total::Worst { input, encoding, errors });
        }
        Ok(survey)
    }
}

/// The name as one that lives as long as the program. There are few, and each is kept once.
fn name(known: &Survey, name: &str) -> &'static str {
    let known = known.encodings.get_key_value(name).map(|(name, _)| *name);
    known.unwrap_or_else(|| String::leak(name.to_owned()))
}
