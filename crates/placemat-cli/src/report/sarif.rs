//! `--format sarif`: SARIF 2.1.0, for code scanning services.
//!
//! The log is written as the findings come, so that it may be longer than memory.

use std::io::{BufWriter, Write as _};
use std::path::Path;

use anyhow::Result;
use serde_json::{Value, json};

use placemat_text::notation::rounded;

use super::{Foreign, Report, Subject, Summary, from_root, json_text, stdout};
use crate::console::Plain;
use crate::input::Input;
use placemat_text::faults::run::Run;
use placemat_text::faults::{Finding, Totals};
use placemat_text::formats::sarif::{self, OTHER_ENCODING, Place, rules, uri};

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

    /// Writes everything up to the results. This is late, so that a run that fails before its first result writes nothing.
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
}

impl Report for Sarif {
    fn finding(&mut self, subject: Subject<'_>, finding: &Finding<'_>) -> Result<()> {
        let path = from_root(subject.input.path());
        self.write(&sarif::finding(path, subject.charset.name(), finding))
    }

    fn run(&mut self, input: &Input, run: &Run<'_>) -> Result<()> {
        self.write(&sarif::run(from_root(input.path()), run))
    }

    fn sums_up(&self) -> bool {
        true
    }

    fn foreign(&mut self, subject: Subject<'_>, foreign: Foreign<'_>) -> Result<()> {
        let Some((line, column, offset)) = foreign.place else { return Ok(()) };
        let (path, seeming) = (from_root(subject.input.path()), foreign.seeming);
        let place = Place { path, line, column, columns: 1, offset, length: 1 };
        let mut result = sarif::result(OTHER_ENCODING, &foreign.sentence(subject), place);
        result["properties"] = json!({
            "form": subject.charset.name(),
            "looksLike": seeming.encoding(),
            "confidence": rounded(seeming.confidence()),
            "errors": foreign.malformed,
        });
        self.write(&result)
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
