//! A survey as JSON: one object.

use std::borrow::Cow;

use placemat::{ErrorKind, invisible};
use placemat_detect::Kind;
use serde::{Deserialize, Serialize};

use super::chart;
use super::total::{ENDINGS, Survey};
use crate::models::FilePath;

/// The whole survey. Lists are sorted, the largest first, and have only what occurs.
#[derive(Serialize)]
#[serde(tag = "type", rename = "survey")]
struct Object {
    files: u64,
    files_skipped: u64,
    files_failed: u64,
    /// Present if each text is a field of JSON Lines.
    #[serde(skip_serializing_if = "Option::is_none")]
    jsonl: Option<Jsonl>,
    texts: u64,
    texts_well_formed_utf8: u64,
    bytes: u64,
    code_points: u64,
    errors: u64,
    encodings: Vec<Encoding>,
    line_endings: Vec<LineEnding>,
    scripts: Vec<Script>,
    error_kinds: Vec<Error>,
    dialects: Vec<Dialect>,
    invisible: Vec<Hidden>,
    worst: Vec<Worst>,
    schema: u32,
}

/// The version of a serialised survey. It grows when a program written for the last version would misread the new one.
pub const SCHEMA: u32 = 1;

#[derive(Serialize, Deserialize)]
pub(crate) struct Jsonl {
    pub(crate) field: String,
    pub(crate) lines: u64,
    pub(crate) lines_broken: u64,
    pub(crate) lines_without: u64,
}

#[derive(Serialize, Deserialize)]
pub(crate) struct Encoding {
    pub(crate) encoding: Cow<'static, str>,
    pub(crate) texts: u64,
    pub(crate) bytes: u64,
    pub(crate) code_points: u64,
    pub(crate) errors: u64,
    pub(crate) boms: u64,
    pub(crate) unsure: u64,
}

#[derive(Serialize, Deserialize)]
pub(crate) struct LineEnding {
    pub(crate) line_ending: Cow<'static, str>,
    pub(crate) texts: u64,
    pub(crate) lines: u64,
}

#[derive(Serialize)]
struct Script {
    script: &'static str,
    code: &'static str,
    texts: u64,
    code_points: u64,
    utf8_bytes: u64,
}

#[derive(Serialize, Deserialize)]
pub(crate) struct Error {
    pub(crate) kind: Cow<'static, str>,
    pub(crate) texts: u64,
    pub(crate) errors: u64,
    pub(crate) bytes: u64,
}

#[derive(Serialize, Deserialize)]
pub(crate) struct Dialect {
    pub(crate) dialect: Cow<'static, str>,
    pub(crate) texts: u64,
    pub(crate) sequences: u64,
}

#[derive(Serialize, Deserialize)]
pub(crate) struct Hidden {
    pub(crate) kind: Cow<'static, str>,
    pub(crate) texts: u64,
    pub(crate) findings: u64,
}

#[derive(Serialize)]
struct Worst {
    #[serde(flatten)]
    path: FilePath,
    encoding: &'static str,
    errors: u64,
}

/// Serialises the survey as one object, as `schema/survey.json` describes it.
impl Serialize for Survey {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Object::of(self).serialize(serializer)
    }
}

impl Object {
    fn of(survey: &Survey) -> Object {
        let lines = survey.lines;
        Object {
            files: survey.files,
            files_skipped: survey.files_skipped,
            files_failed: survey.files_failed,
            jsonl: survey.field.as_ref().map(|field| Jsonl {
                field: field.clone(),
                lines: lines.read,
                lines_broken: lines.broken,
                lines_without: lines.without,
            }),
            texts: survey.texts,
            texts_well_formed_utf8: survey.well_formed,
            bytes: survey.bytes,
            code_points: survey.code_points,
            errors: survey.error_count(),
            encodings: encodings(survey),
            line_endings: line_endings(survey),
            scripts: scripts(survey),
            error_kinds: error_kinds(survey),
            dialects: dialects(survey),
            invisible: invisible(survey),
            worst: survey
                .worst
                .iter()
                .map(|worst| Worst {
                    path: FilePath::of(&worst.path),
                    encoding: worst.encoding,
                    errors: worst.errors,
                })
                .collect(),
            schema: SCHEMA,
        }
    }
}

fn encodings(survey: &Survey) -> Vec<Encoding> {
    let of = |(encoding, share): (&&'static str, &super::total::Encoding)| Encoding {
        encoding: Cow::Borrowed(encoding),
        texts: share.texts,
        bytes: share.bytes,
        code_points: share.code_points,
        errors: share.errors,
        boms: share.marks,
        unsure: share.unsure,
    };
    chart::largest_first(survey.encodings.iter().map(of), |e| e.texts)
}

fn line_endings(survey: &Survey) -> Vec<LineEnding> {
    let of = |(ending, &(texts, lines)): (placemat_detect::LineEnding, &(u64, u64))| LineEnding {
        line_ending: Cow::Borrowed(ending.name()),
        texts,
        lines,
    };
    chart::largest_first(ENDINGS.into_iter().zip(&survey.endings).map(of), |e| e.texts.max(e.lines))
}

fn scripts(survey: &Survey) -> Vec<Script> {
    let of = |(script, share): (&&'static str, &super::total::ScriptShare)| Script {
        script,
        code: share.script.short_name(),
        texts: share.texts,
        code_points: share.code_points,
        utf8_bytes: share.utf8_bytes,
    };
    chart::largest_first(survey.scripts.iter().map(of), |s| s.code_points)
}

fn error_kinds(survey: &Survey) -> Vec<Error> {
    let of = |(kind, share): (ErrorKind, &super::total::ErrorShare)| Error {
        kind: Cow::Borrowed(kind.name()),
        texts: share.texts,
        errors: share.errors,
        bytes: share.bytes,
    };
    chart::largest_first(ErrorKind::ALL.iter().copied().zip(&survey.errors).map(of), |e| e.errors)
}

fn dialects(survey: &Survey) -> Vec<Dialect> {
    let of = |(kind, &(texts, sequences)): (Kind, &(u64, u64))| Dialect {
        dialect: Cow::Borrowed(kind.name()),
        texts,
        sequences,
    };
    chart::largest_first(Kind::ALL.iter().copied().zip(&survey.dialects).map(of), |d| d.sequences)
}

fn invisible(survey: &Survey) -> Vec<Hidden> {
    let of = |(kind, &(texts, findings)): (&invisible::Kind, &(u64, u64))| Hidden {
        kind: Cow::Borrowed(kind.name()),
        texts,
        findings,
    };
    chart::largest_first(invisible::Kind::ALL.iter().zip(&survey.hidden).map(of), |h| h.findings)
}
