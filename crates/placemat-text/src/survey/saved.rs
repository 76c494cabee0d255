//! Reads surveys that were written as JSON, and adds them up, so that a large survey can be made in several places.

use std::io::{self, BufRead};
use std::{error, fmt};

use placemat::label::Label;
use placemat::{ErrorKind, invisible};
use placemat_detect::Kind;
use serde::Deserialize;
use serde_json::Value;
use unicode_script::Script;

use super::json::{Dialect, Encoding, Error, Hidden, Jsonl, LineEnding, SCHEMA};
use super::jsonl::Lines;
use super::total::{self, ENDINGS, ErrorShare, ScriptShare, Survey};
use crate::models::FilePath;
use crate::notation::read_line;

/// The object of `super::json`, without the sums that follow from the rest.
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
    /// Missing in older versions.
    #[serde(default)]
    invisible: Vec<Hidden>,
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
    path: FilePath,
    encoding: String,
    errors: u64,
}

/// The encodings that are detected but cannot be read.
const UNREAD: [&str; 8] =
    ["binary", "euc-tw", "hz-gb-2312", "iso-2022-cn", "iso-2022-kr", "johab", "several encodings", "unknown"];

/// Why surveys cannot be added up.
#[derive(Debug)]
#[non_exhaustive]
pub enum MergeError {
    /// Reading failed.
    Io(io::Error),
    /// A line is not a survey.
    NoSurvey {
        /// The line, from 1.
        line: u64,
        /// What cannot be read in it; `None` if it is an object of another type.
        why: Option<String>,
    },
    /// A survey has an unknown name: the kind of thing, and the name.
    Unknown(&'static str, String),
    /// A survey is of another field of JSON Lines than the surveys before it.
    OtherField {
        /// The field of this survey.
        field: String,
        /// The field of the surveys before it.
        before: String,
    },
    /// A path is not valid.
    BadPath(String),
    /// The sum of all numbers does not fit in 64 bits.
    TooLarge,
}

impl fmt::Display for MergeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MergeError::Io(error) => error.fmt(f),
            MergeError::NoSurvey { why: None, .. } => f.write_str("not a survey"),
            MergeError::NoSurvey { line, why: Some(why) } => write!(f, "not a survey: line {line}: {why}"),
            MergeError::Unknown(what, name) => write!(f, "unknown {what}: {name}"),
            MergeError::OtherField { field, before } => {
                write!(f, "a survey of the field {field:?} cannot be added to one of {before:?}")
            }
            MergeError::BadPath(reason) => f.write_str(reason),
            MergeError::TooLarge => f.write_str("the sum of these surveys does not fit in 64 bits"),
        }
    }
}

impl error::Error for MergeError {}

/// The sum of several surveys.
#[derive(Debug, Default)]
pub struct Merged {
    total: Survey,
    /// The sum of all numbers in all surveys. As long as it does not overflow, no partial sum does.
    sum: u64,
}

impl Merged {
    /// Returns the sum.
    ///
    /// ```
    /// use placemat_text::survey::{Merged, Survey};
    ///
    /// assert_eq!(Merged::default().into_total().files_failed, Survey::new(None).files_failed);
    /// ```
    #[must_use]
    pub fn into_total(self) -> Survey {
        self.total
    }

    /// Adds the surveys in `source`, one per line.
    ///
    /// # Errors
    /// Those of reading; and a line that is not a survey, a survey of another field of JSON Lines, or a sum that does not
    /// fit in 64 bits. The surveys before the failed one stay added.
    ///
    /// ```
    /// use placemat_text::survey::{Merged, Survey};
    ///
    /// let one = serde_json::to_string(&Survey::new(None).of_file("a.txt".into())).unwrap();
    /// let mut merged = Merged::default();
    /// merged.add(&mut format!("{one}\n{one}\n").as_bytes()).unwrap();
    /// assert_eq!(serde_json::to_value(merged.into_total()).unwrap()["files"], 2);
    /// assert!(Merged::default().add(&mut &b"{}"[..]).is_err());
    /// ```
    pub fn add(&mut self, source: &mut dyn BufRead) -> Result<(), MergeError> {
        for (number, line) in (1..).zip(source.lines()) {
            let line = line.map_err(MergeError::Io)?;
            if line.trim().is_empty() {
                continue;
            }
            let no_survey =
                |why: &dyn fmt::Display| MergeError::NoSurvey { line: number, why: Some(why.to_string()) };
            let mut json: Value = read_line(line.as_bytes()).map_err(|error| no_survey(&error))?;
            // Surveys from before there was a schema follow its first version.
            match json.as_object_mut().and_then(|fields| fields.remove("schema")) {
                None => {}
                Some(schema) if schema == SCHEMA => {}
                Some(schema) => return Err(MergeError::Unknown("schema", schema.to_string())),
            }
            let sum = sum(&json).and_then(|sum| sum.checked_add(self.sum));
            self.sum = sum.ok_or(MergeError::TooLarge)?;
            let saved: Saved = serde_json::from_value(json).map_err(|error| no_survey(&error))?;
            if saved.r#type != "survey" {
                return Err(MergeError::NoSurvey { line: number, why: None });
            }
            if let Some(Jsonl { field: its, .. }) = &saved.jsonl {
                let field = self.total.field.get_or_insert_with(|| its.clone());
                if its != field {
                    return Err(MergeError::OtherField { field: its.clone(), before: field.clone() });
                }
            }
            self.total.merge(saved.survey()?);
        }
        Ok(())
    }
}

/// The sum of all numbers in the JSON.
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
    fn survey(self) -> Result<Survey, MergeError> {
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
            survey.endings[at.ok_or_else(|| unknown("line ending", &line_ending))?] = (texts, lines);
        }
        for ScriptLine { script: name, texts, code_points, utf8_bytes } in self.scripts {
            let script = Script::from_full_name(&name).ok_or_else(|| unknown("script", &name))?;
            let share = ScriptShare { script, texts, code_points, utf8_bytes };
            survey.scripts.insert(script.full_name(), share);
        }
        for Error { kind, texts, errors, bytes } in self.error_kinds {
            let at = ErrorKind::ALL.iter().position(|known| known.name() == kind);
            survey.errors[at.ok_or_else(|| unknown("kind of error", &kind))?] =
                ErrorShare { texts, errors, bytes };
        }
        for Dialect { dialect, texts, sequences } in self.dialects {
            let at = Kind::ALL.iter().position(|known| known.name() == dialect);
            survey.dialects[at.ok_or_else(|| unknown("dialect", &dialect))?] = (texts, sequences);
        }
        for Hidden { kind, texts, findings } in self.invisible {
            let at = invisible::Kind::ALL.iter().position(|known| known.name() == kind);
            survey.hidden[at.ok_or_else(|| unknown("kind of invisible character", &kind))?] =
                (texts, findings);
        }
        for Worst { path, encoding, errors } in self.worst {
            let path = path.path().map_err(|error| MergeError::BadPath(error.to_string()))?;
            survey.worst.push(total::Worst { path, encoding: named(&encoding)?, errors });
        }
        Ok(survey)
    }
}

/// The encoding with this name.
fn named(name: &str) -> Result<&'static str, MergeError> {
    let unread = || UNREAD.into_iter().find(|unread| *unread == name);
    Label::named(name).map(Label::name).or_else(unread).ok_or_else(|| unknown("encoding", name))
}

fn unknown(what: &'static str, name: &str) -> MergeError {
    MergeError::Unknown(what, name.to_owned())
}
