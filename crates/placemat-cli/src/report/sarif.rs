//! `--format sarif`: SARIF 2.1.0, for code scanning services.
//!
//! The log is written as the findings come, so that it may be longer than memory.

use std::io::{BufWriter, Write as _};
use std::path::Path;

use anyhow::Result;
use serde_json::{Value, json};

use placemat_text::faults::wording;
use placemat_text::notation::rounded;

use super::{Foreign, Report, Subject, Summary, from_root, hex, json_text, stdout};
use crate::console::Plain;
use crate::input::Input;
use placemat_text::faults::run::{self, Run};
use placemat_text::faults::{Finding, Kind, Totals};
use placemat_text::formats::{OTHER_ENCODING, rules, uri};

/// One log with one run.
pub(crate) struct Sarif {
    out: BufWriter<Plain>,
    results: u64,
    /// What could not be read.
    failures: Vec<Value>,
}

impl Sarif {
    pub(crate) fn new() -> Sarif {
        Sarif { out: stdout(), results: 0, failures: Vec::new() }
    }

    /// Everything up to the results; written late, so that nothing is written when nothing can be.
    fn begin(&mut self) -> Result<()> {
        let driver = json!({
            "name": "placemat",
            "version": env!("CARGO_PKG_VERSION"),
            "informationUri": env!("CARGO_PKG_REPOSITORY"),
            "rules": rules(),
        });
        write!(
            self.out,
            "{{\"$schema\":\"https://json.schemastore.org/sarif-2.1.0.json\",\"version\":\"2.1.0\",\
             \"runs\":[{{\"tool\":{{\"driver\":{driver}}},\"columnKind\":\"unicodeCodePoints\",\"results\":["
        )?;
        Ok(())
    }

    fn write(&mut self, result: &Value) -> Result<()> {
        if self.results == 0 {
            self.begin()?;
        } else {
            self.out.write_all(b",")?;
        }
        self.results += 1;
        let text = json_text(result)?;
        Ok(write!(self.out, "\n{text}")?)
    }

    fn result(subject: Subject<'_>, finding: &Finding<'_>) -> Value {
        let kind = finding.kind;
        let rule = Kind::all().position(|known| known.name() == kind.name());
        let message = match wording::expected(finding) {
            Some(expected) => format!("{}; {expected}.", wording::sentence(finding)),
            None => format!("{}.", wording::sentence(finding)),
        };
        let hint = finding.hint().map(|hint| json!({ "form": hint.form.name(), "text": hint.text }));
        json!({
            "ruleId": kind.name(),
            "ruleIndex": rule,
            "level": "error",
            "message": { "text": message },
            "locations": [{ "physicalLocation": {
                "artifactLocation": { "uri": uri(from_root(subject.input.path())) },
                "region": {
                    "startLine": finding.line,
                    "startColumn": finding.column,
                    "endColumn": finding.column + 1,
                    "byteOffset": finding.offset,
                    "byteLength": finding.range.len(),
                },
            }}],
            "properties": { "form": subject.charset.name(), "bytes": hex(finding.bytes()), "hint": hint },
        })
    }
}

impl Report for Sarif {
    fn finding(&mut self, subject: Subject<'_>, finding: &Finding<'_>) -> Result<()> {
        self.write(&Sarif::result(subject, finding))
    }

    fn run(&mut self, input: &Input, run: &Run<'_>) -> Result<()> {
        let columns = String::from_utf8_lossy(run.bytes).chars().count() as u64;
        let rule = Kind::all().count() + run::rules().position(|(name, _)| name == run.name()).unwrap_or(0);
        self.write(&json!({
            "ruleId": run.name(),
            "ruleIndex": rule,
            "level": "error",
            "message": { "text": format!("{}.", run.sentence()) },
            "locations": [{ "physicalLocation": {
                "artifactLocation": { "uri": uri(from_root(input.path())) },
                "region": {
                    "startLine": run.line,
                    "startColumn": run.column,
                    "endColumn": run.column + columns,
                    "byteOffset": run.offset,
                    "byteLength": run.bytes.len(),
                },
            }}],
        }))
    }

    fn sums_up(&self) -> bool {
        true
    }

    fn foreign(&mut self, subject: Subject<'_>, foreign: Foreign<'_>) -> Result<()> {
        let Some((line, column, offset)) = foreign.place else { return Ok(()) };
        let seeming = foreign.seeming;
        self.write(&json!({
            "ruleId": OTHER_ENCODING,
            "ruleIndex": Kind::all().count() + run::rules().count(),
            "level": "error",
            "message": { "text": format!("{}.", foreign.sentence(subject)) },
            "locations": [{ "physicalLocation": {
                "artifactLocation": { "uri": uri(from_root(subject.input.path())) },
                "region": {
                    "startLine": line,
                    "startColumn": column,
                    "endColumn": column + 1,
                    "byteOffset": offset,
                    "byteLength": 1,
                },
            }}],
            "properties": {
                "form": subject.charset.name(),
                "looksLike": seeming.encoding(),
                "confidence": rounded(seeming.confidence()),
                "errors": foreign.malformed,
            },
        }))
    }

    fn file(&mut self, _: Subject<'_>, _: Totals, _: u64) -> Result<()> {
        Ok(())
    }

    fn failed(&mut self, path: &Path, reason: &str) -> Result<()> {
        self.failures.push(json!({
            "level": "error",
            "message": { "text": reason },
            "locations": [{ "physicalLocation": { "artifactLocation": { "uri": uri(from_root(path)) } } }],
        }));
        Ok(())
    }

    fn finish(&mut self, summary: &Summary) -> Result<()> {
        if self.results == 0 {
            self.begin()?;
        }
        // Results may be fewer than errors: --max-errors.
        let counts = json!({
            "files": summary.files,
            "filesWithErrors": summary.files_with_errors,
            "filesSkipped": summary.files_skipped,
            "errors": summary.errors,
            "bytes": summary.bytes,
        });
        let invocations = json!([{
            "executionSuccessful": self.failures.is_empty(),
            "toolExecutionNotifications": self.failures,
        }]);
        writeln!(self.out, "],\"invocations\":{invocations},\"properties\":{counts}}}]}}")?;
        Ok(self.out.flush()?)
    }
}
