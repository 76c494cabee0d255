//! `--format json`: one object a line.

use std::io::{BufWriter, Write as _};
use std::path::Path;

use anyhow::Result;
use placemat::Form;
use placemat_text::faults::run::Run;
use placemat_text::faults::{Finding, Totals};
use placemat_text::models::{CheckLine, FilePath, Hint};

use super::{Report, Subject, Summary, stdout, write_line};
use crate::console::Plain;
use crate::input::Input;

/// Lines of JSON.
pub(crate) struct Json {
    out: BufWriter<Plain>,
}

impl Json {
    pub(crate) fn new() -> Json {
        Json { out: stdout() }
    }
}

impl Report for Json {
    fn finding(&mut self, subject: Subject<'_>, finding: &Finding<'_>) -> Result<()> {
        let path = FilePath::of(subject.input.path());
        let mut line = CheckLine::finding(path, subject.charset, finding);
        if let CheckLine::Error { hint, .. } = &mut line {
            let meant = if subject.has_wrong_hint(finding) { None } else { finding.whole_hint() };
            *hint = meant.map(|meant| Hint { form: meant.form.name(), text: meant.text });
        }
        write_line(&mut self.out, &line)
    }

    fn run(&mut self, input: &Input, run: &Run<'_>) -> Result<()> {
        write_line(&mut self.out, &CheckLine::run(FilePath::of(input.path()), Form::Utf8.name(), run))
    }

    fn file(&mut self, subject: Subject<'_>, totals: Totals, _: u64) -> Result<()> {
        let path = FilePath::of(subject.input.path());
        write_line(&mut self.out, &CheckLine::file(path, subject.charset, totals, subject.seeming))
    }

    fn failed(&mut self, path: &Path, reason: &str) -> Result<()> {
        write_line(&mut self.out, &CheckLine::failed(FilePath::of(path), reason))
    }

    fn skipped(&mut self, path: &Path, reason: &str) -> Result<()> {
        write_line(&mut self.out, &CheckLine::skipped(FilePath::of(path), reason))
    }

    fn flush(&mut self) -> Result<()> {
        Ok(self.out.flush()?)
    }

    fn finish(&mut self, summary: &Summary) -> Result<()> {
        write_line(&mut self.out, &CheckLine::summary(*summary))?;
        Ok(self.out.flush()?)
    }
}
