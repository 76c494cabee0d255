//! `--format json`: one object a line.

use std::io::{BufWriter, Write as _};

use anyhow::Result;
use serde::Serialize;

use super::{Report, Subject, Summary, hex, stdout, write_line};
use crate::console::Plain;
use crate::input::Input;
use crate::scan::misread::Misread;
use crate::scan::{Finding, Totals};

/// Lines of JSON.
pub(crate) struct Json {
    out: BufWriter<Plain>,
}

/// A path in JSON: text, and its bytes where it is not UTF-8.
#[derive(Serialize)]
pub(crate) struct Path {
    path: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    path_bytes: Option<String>,
}

impl Path {
    pub(crate) fn of(input: &Input) -> Path {
        let path = input.path();
        let path_bytes = path.to_str().is_none().then(|| hex(path.as_os_str().as_encoded_bytes()));
        Path { path: path.to_string_lossy().into_owned(), path_bytes }
    }
}

#[derive(Serialize)]
struct Hint {
    form: &'static str,
    text: String,
}

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "lowercase")]
enum Line {
    Error {
        #[serde(flatten)]
        path: Path,
        form: &'static str,
        offset: u64,
        length: usize,
        line: u64,
        column: u64,
        kind: &'static str,
        bytes: String,
        hint: Option<Hint>,
    },
    Mojibake {
        #[serde(flatten)]
        path: Path,
        offset: u64,
        length: usize,
        line: u64,
        column: u64,
        bytes: String,
        /// What it was meant to be.
        text: String,
        /// The encodings that it was misread in, the last misreading first.
        via: Vec<&'static str>,
    },
    File {
        #[serde(flatten)]
        path: Path,
        form: &'static str,
        bytes: u64,
        errors: u64,
    },
    Summary {
        files: u64,
        files_with_errors: u64,
        files_skipped: u64,
        errors: u64,
        bytes: u64,
    },
}

impl Json {
    pub(crate) fn new() -> Json {
        Json { out: stdout() }
    }
}

impl Report for Json {
    fn finding(&mut self, subject: Subject<'_>, finding: &Finding<'_>) -> Result<()> {
        let line = Line::Error {
            path: Path::of(subject.input),
            form: subject.charset.name(),
            offset: finding.offset,
            length: finding.range.len(),
            line: finding.line,
            column: finding.column,
            kind: finding.kind.name(),
            bytes: hex(finding.bytes()),
            hint: finding.hint().map(|hint| Hint { form: hint.form.name(), text: hint.text }),
        };
        write_line(&mut self.out, &line)
    }

    fn misread(&mut self, input: &Input, run: &Misread<'_>) -> Result<()> {
        let line = Line::Mojibake {
            path: Path::of(input),
            offset: run.offset,
            length: run.bytes.len(),
            line: run.line,
            column: run.column,
            bytes: hex(run.bytes),
            text: run.text.to_owned(),
            via: run.via.iter().map(|page| page.name()).collect(),
        };
        write_line(&mut self.out, &line)
    }

    fn file(&mut self, subject: Subject<'_>, totals: Totals, _: u64) -> Result<()> {
        let line = Line::File {
            path: Path::of(subject.input),
            form: subject.charset.name(),
            bytes: totals.bytes,
            errors: totals.errors,
        };
        write_line(&mut self.out, &line)
    }

    fn finish(&mut self, summary: &Summary) -> Result<()> {
        let Summary { files, files_with_errors, files_skipped, errors, bytes } = *summary;
        write_line(&mut self.out, &Line::Summary { files, files_with_errors, files_skipped, errors, bytes })?;
        Ok(self.out.flush()?)
    }
}
