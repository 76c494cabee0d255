//! Writes the errors of `check` for build servers: JUnit's XML, GitLab's code quality report, and lines as compilers
//! write them.

pub mod github;
pub mod sarif;

use std::collections::HashMap;
use std::io::{self, Read, Seek, Write};
use std::path::Path;

use serde_json::json;

use crate::baseline::{hash, line_of, line_of_run};
use crate::faults::run::Run;
use crate::faults::{Finding, wording};
use crate::models::Summary;
use crate::notation::json_text;
use crate::{Error, escape};

/// An error on one line: `a.txt:2:4: overlong: what is wrong`.
///
/// ```
/// use placemat::Form;
/// use placemat_text::faults::locate::{Search, search};
/// use placemat_text::formats::short;
///
/// let search_for = Search { limit: 1, ..Search::new(Form::Utf8.into()) };
/// search(&mut &b"one\ntwo \xFF"[..], search_for, &mut |finding| {
///     assert!(short("a.txt", finding).starts_with("a.txt:2:5: invalid-byte: "));
///     Ok::<_, ()>(())
/// })
/// .unwrap();
/// ```
pub fn short(name: &str, finding: &Finding<'_>) -> String {
    let Finding { line, column, kind, .. } = finding;
    format!("{name}:{line}:{column}: {kind}: {}", wording::sentence(finding))
}

/// Like [`short`], for a run of well-formed text.
///
/// ```
/// use placemat_text::faults::misread::search;
/// use placemat_text::formats::short_run;
///
/// search(&mut "cafÃ©".as_bytes(), 1, &mut |run| {
///     assert!(short_run("a.txt", run).starts_with("a.txt:1:4: mojibake: Ã© stands for é"));
///     Ok::<_, ()>(())
/// })
/// .unwrap();
/// ```
pub fn short_run(name: &str, run: &Run<'_>) -> String {
    format!("{name}:{}:{}: {}: {}", run.line, run.column, run.name(), run.sentence())
}

/// A writer of GitLab's code quality report: a JSON array with one object for each error.
///
/// ```
/// let mut out = Vec::new();
/// placemat_text::formats::Gitlab::new(&mut out).finish().unwrap();
/// assert_eq!(out, b"[]\n");
/// ```
pub struct Gitlab<W> {
    out: W,
    is_begun: bool,
    /// How often each error has occurred in this file: each object needs a fingerprint of its own.
    seen: HashMap<String, u64>,
}

impl<W: Write> Gitlab<W> {
    /// Creates a report that is written to `out`.
    ///
    /// ```
    /// let _ = placemat_text::formats::Gitlab::new(Vec::new());
    /// ```
    pub fn new(out: W) -> Gitlab<W> {
        Gitlab { out, is_begun: false, seen: HashMap::new() }
    }

    /// Writes an error in the file at `path`, a path relative to the root of the repository.
    ///
    /// # Errors
    /// Those of writing.
    ///
    /// ```
    /// use placemat::Form;
    /// use placemat_text::faults::locate::{Search, search};
    /// use placemat_text::formats::Gitlab;
    ///
    /// let mut out = Vec::new();
    /// let mut report = Gitlab::new(&mut out);
    /// let search_for = Search { limit: 1, ..Search::new(Form::Utf8.into()) };
    /// search(&mut &b"\xFF"[..], search_for, &mut |finding| report.finding("a.txt".as_ref(), finding)).unwrap();
    /// report.finish().unwrap();
    /// assert!(String::from_utf8(out).unwrap().contains(r#""check_name":"invalid-byte""#));
    /// ```
    pub fn finding(&mut self, path: &Path, finding: &Finding<'_>) -> Result<(), Error> {
        let what = wording::sentence(finding);
        self.write(path, finding.line, finding.kind.name(), &what, &line_of(finding))
    }

    /// Writes a run of well-formed text, like [`Gitlab::finding`].
    ///
    /// # Errors
    /// Those of writing.
    ///
    /// ```
    /// use placemat_text::faults::misread::search;
    /// use placemat_text::formats::Gitlab;
    ///
    /// let mut report = Gitlab::new(Vec::new());
    /// search(&mut "cafÃ©".as_bytes(), 1, &mut |run| report.run("a.txt".as_ref(), run)).unwrap();
    /// ```
    pub fn run(&mut self, path: &Path, run: &Run<'_>) -> Result<(), Error> {
        self.write(path, run.line, run.name(), &run.sentence(), &line_of_run(run))
    }

    /// Ends a file.
    ///
    /// ```
    /// placemat_text::formats::Gitlab::new(Vec::new()).end_file();
    /// ```
    pub fn end_file(&mut self) {
        self.seen.clear();
    }

    fn write(&mut self, path: &Path, line: u64, kind: &str, what: &str, of: &str) -> Result<(), Error> {
        let path = path.to_string_lossy();
        let count = self.seen.entry(format!("{kind} {of}")).or_default();
        *count += 1;
        // The hash has the text of the line, not its number, so that an error that moves stays the same.
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

    /// Ends the report.
    ///
    /// # Errors
    /// Those of writing.
    ///
    /// ```
    /// assert!(placemat_text::formats::Gitlab::new(Vec::new()).finish().is_ok());
    /// ```
    pub fn finish(&mut self) -> Result<(), Error> {
        writeln!(self.out, "{}", if self.is_begun { "\n]" } else { "[]" })?;
        Ok(self.out.flush()?)
    }
}

/// JUnit's XML, with a test case for each file with errors. The cases wait in `cases`, because the sums come first in
/// the output.
///
/// ```
/// use std::io::Cursor;
/// use placemat_text::formats::Junit;
/// use placemat_text::models::Summary;
///
/// let mut report = Junit::new(Cursor::new(Vec::new()));
/// report.case("a<b.txt".as_ref(), "failure", "1 error", "a<b.txt:1:1: ...").unwrap();
/// let mut out = Vec::new();
/// report.finish(&Summary { files: 1, files_with_errors: 1, ..Summary::default() }, &mut out).unwrap();
/// assert!(String::from_utf8(out).unwrap().contains(r#"name="a&lt;b.txt""#));
/// ```
pub struct Junit<C> {
    cases: C,
    failed: u64,
}

impl<C: Read + Write + Seek> Junit<C> {
    /// Creates a report whose cases wait in `cases`.
    ///
    /// ```
    /// let _ = placemat_text::formats::Junit::new(std::io::Cursor::new(Vec::new()));
    /// ```
    pub fn new(cases: C) -> Junit<C> {
        Junit { cases, failed: 0 }
    }

    /// Adds a file: `outcome` is `failure` if it has errors, `error` if it could not be read.
    ///
    /// # Errors
    /// Those of writing.
    ///
    /// ```
    /// let mut report = placemat_text::formats::Junit::new(std::io::Cursor::new(Vec::new()));
    /// report.case("a.txt".as_ref(), "error", "Permission denied", "").unwrap();
    /// ```
    pub fn case(&mut self, path: &Path, outcome: &str, message: &str, text: &str) -> Result<(), Error> {
        self.failed += u64::from(outcome == "error");
        let (name, message, text) = (xml(&escape::path(path).to_string()), xml(message), xml(text));
        writeln!(
            self.cases,
            "    <testcase classname=\"placemat.check\" name=\"{name}\">\n      \
             <{outcome} message=\"{message}\">{text}</{outcome}>\n    </testcase>"
        )?;
        Ok(())
    }

    /// Writes the whole report.
    ///
    /// # Errors
    /// Those of reading the cases and of writing.
    ///
    /// ```
    /// use placemat_text::models::Summary;
    ///
    /// let mut report = placemat_text::formats::Junit::new(std::io::Cursor::new(Vec::new()));
    /// let mut out = Vec::new();
    /// report.finish(&Summary::default(), &mut out).unwrap();
    /// assert!(out.starts_with(b"<?xml"));
    /// ```
    pub fn finish(&mut self, summary: &Summary, out: &mut dyn Write) -> Result<(), Error> {
        let (files, failures, errors) = (summary.files, summary.files_with_errors, self.failed);
        let sums = format!("tests=\"{}\" failures=\"{failures}\" errors=\"{errors}\"", files + errors);
        writeln!(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites {sums}>")?;
        writeln!(out, "  <testsuite name=\"placemat check\" {sums} skipped=\"0\" time=\"0\">")?;
        self.cases.rewind()?;
        io::copy(&mut self.cases, out)?;
        writeln!(out, "  </testsuite>\n</testsuites>")?;
        Ok(out.flush()?)
    }
}

/// Escapes text for an element or an attribute. Controls are escaped already; XML cannot hold U+FFFE and U+FFFF.
fn xml(text: &str) -> String {
    let text = text.replace('\u{FFFE}', r"\u{fffe}").replace('\u{FFFF}', r"\u{ffff}");
    escape::markup(&text)
}
