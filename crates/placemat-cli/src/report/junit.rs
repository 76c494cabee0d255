//! `--format junit`: the report that build servers read, a test case a file with errors.

use std::fmt::Write as _;
use std::io::{self, Seek as _, Write as _};
use std::path::Path;

use anyhow::Result;
use tempfile::SpooledTempFile;

use super::{Report, Subject, Summary, short, stdout};
use crate::escape;
use crate::input::Input;
use placemat_text::faults::misread::Misread;
use placemat_text::faults::{Finding, Totals};

/// One suite. Its sums come before its cases, which wait in a file if they are many.
pub(crate) struct Junit {
    cases: SpooledTempFile,
    /// The errors of the file that comes next, a line each.
    errors: String,
    failed: u64,
}

impl Junit {
    pub(crate) fn new() -> Junit {
        Junit { cases: tempfile::spooled_tempfile(1 << 20), errors: String::new(), failed: 0 }
    }

    fn case(&mut self, path: &Path, kind: &str, message: &str, text: &str) -> Result<()> {
        let (name, message, text) = (xml(&escape::path(path).to_string()), xml(message), xml(text));
        writeln!(
            self.cases,
            "    <testcase classname=\"placemat.check\" name=\"{name}\">\n      \
             <{kind} message=\"{message}\">{text}</{kind}>\n    </testcase>"
        )?;
        Ok(())
    }
}

/// Text for an element or an attribute; controls are escaped already, and U+FFFE and U+FFFF stand in no XML.
fn xml(text: &str) -> String {
    let mut escaped = String::new();
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\u{FFFE}' | '\u{FFFF}' => {
                // Writing to a string cannot fail.
                let _ = write!(escaped, "\\u{{{:x}}}", u32::from(c));
            }
            c => escaped.push(c),
        }
    }
    escaped
}

impl Report for Junit {
    fn finding(&mut self, subject: Subject<'_>, finding: &Finding<'_>) -> Result<()> {
        self.errors += &(short::line(subject, finding) + "\n");
        Ok(())
    }

    fn misread(&mut self, input: &Input, run: &Misread<'_>) -> Result<()> {
        self.errors += &(short::misread_line(input, run) + "\n");
        Ok(())
    }

    fn file(&mut self, subject: Subject<'_>, totals: Totals, shown: u64) -> Result<()> {
        let mut errors = std::mem::take(&mut self.errors);
        if let Some(more) = short::more(totals, shown) {
            errors += &format!("{}: {more}\n", subject.input);
        }
        let message = short::more(totals, 0).unwrap_or_default().replace(" more", "");
        self.case(subject.input.path(), "failure", &message, &errors)
    }

    fn failed(&mut self, path: &Path, reason: &str) -> Result<()> {
        self.failed += 1;
        self.case(path, "error", reason, "")
    }

    fn finish(&mut self, summary: &Summary) -> Result<()> {
        let mut out = stdout();
        let (files, failures, errors) = (summary.files, summary.files_with_errors, self.failed);
        let sums = format!("tests=\"{}\" failures=\"{failures}\" errors=\"{errors}\"", files + errors);
        writeln!(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites {sums}>")?;
        writeln!(out, "  <testsuite name=\"placemat check\" {sums} skipped=\"0\" time=\"0\">")?;
        self.cases.rewind()?;
        io::copy(&mut self.cases, &mut out)?;
        writeln!(out, "  </testsuite>\n</testsuites>")?;
        Ok(out.flush()?)
    }
}
