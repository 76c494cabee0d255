//! `--format gitlab`: the code quality report of GitLab, an array of JSON.

use std::collections::HashMap;
use std::io::{BufWriter, Write as _};

use anyhow::Result;
use serde_json::json;

use super::{Report, Subject, Summary, from_root, json_text, stdout};
use crate::console::Plain;
use crate::input::Input;
use placemat_text::baseline::{hash, line_of, line_of_misread};
use placemat_text::faults::misread::Misread;
use placemat_text::faults::{Finding, Totals, wording};
use placemat_text::models::MOJIBAKE;

/// One object an error.
pub(crate) struct Gitlab {
    out: BufWriter<Plain>,
    is_begun: bool,
    /// How often the same error came in this file: each object needs a fingerprint of its own.
    seen: HashMap<String, u64>,
}

impl Gitlab {
    pub(crate) fn new() -> Gitlab {
        Gitlab { out: stdout(), is_begun: false, seen: HashMap::new() }
    }

    fn write(&mut self, input: &Input, line: u64, kind: &str, what: &str, of: String) -> Result<()> {
        let path = from_root(input.path()).to_string_lossy();
        let count = self.seen.entry(format!("{kind} {of}")).or_default();
        *count += 1;
        // The line, not its number: an error that has moved is the same.
        let fingerprint = hash(format!("{path}\0{kind}\0{of}\0{count}").as_bytes());
        let object = json!({
            "description": what,
            "check_name": kind,
            "fingerprint": fingerprint,
            "severity": "major",
            "location": { "path": path, "lines": { "begin": line } },
        });
        let comma = if self.is_begun { "," } else { "[" };
        self.is_begun = true;
        Ok(write!(self.out, "{comma}\n{}", json_text(&object)?)?)
    }
}

impl Report for Gitlab {
    fn finding(&mut self, subject: Subject<'_>, finding: &Finding<'_>) -> Result<()> {
        let what = wording::sentence(finding);
        self.write(subject.input, finding.line, finding.kind.name(), &what, line_of(finding))
    }

    fn misread(&mut self, input: &Input, run: &Misread<'_>) -> Result<()> {
        self.write(input, run.line, MOJIBAKE, &run.sentence(), line_of_misread(run))
    }

    fn file(&mut self, _: Subject<'_>, _: Totals, _: u64) -> Result<()> {
        self.seen.clear();
        Ok(())
    }

    fn finish(&mut self, _: &Summary) -> Result<()> {
        writeln!(self.out, "{}", if self.is_begun { "\n]" } else { "[]" })?;
        Ok(self.out.flush()?)
    }
}
