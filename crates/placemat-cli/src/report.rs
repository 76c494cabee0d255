//! How findings are written: a module for each format.

mod github;
mod gitlab;
pub(crate) mod human;
pub(crate) mod json;
mod junit;
mod lines;
mod notation;
mod sarif;
mod short;

use std::io::{self, BufWriter, Write};
use std::path::Path;

use anyhow::Result;
use placemat::Form;

use crate::console::{self, Plain};
use crate::input::Input;
use placemat_text::charset::Charset;
use placemat_text::faults::advice;
use placemat_text::faults::run::Run;
use placemat_text::faults::seeming::Seeming;
use placemat_text::faults::{Finding, Totals};

pub(crate) use self::github::Github;
pub(crate) use self::gitlab::Gitlab;
pub(crate) use self::human::Human;
pub(crate) use self::json::Json;
pub(crate) use self::junit::Junit;
pub(crate) use self::lines::Lines;
pub(crate) use self::notation::{hex, json_text, write_line};
pub(crate) use self::sarif::Sarif;
pub(crate) use self::short::Short;
pub(crate) use placemat_text::models::Summary;

/// An input with errors.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Subject<'a> {
    pub(crate) input: &'a Input,
    /// The encoding in which it was checked.
    pub(crate) charset: Charset,
    /// What it seems to be as a whole, if not that.
    pub(crate) seeming: Option<&'a Seeming>,
    /// It was unpacked.
    pub(crate) unpack: bool,
}

impl Subject<'_> {
    /// What to do about a finding.
    pub(crate) fn advice(&self, finding: &Finding<'_>) -> Option<String> {
        if self.has_wrong_hint(finding) { None } else { advice::of(finding, self.input.file()) }
    }

    /// Whether a byte would be called windows-1252 in a text that seems to be, or to have parts, in another encoding.
    pub(crate) fn has_wrong_hint(&self, finding: &Finding<'_>) -> bool {
        self.seeming.is_some_and(|seeming| !seeming.allows_windows_1252())
            && finding.whole_hint().is_some_and(|hint| hint.form == Form::Windows1252)
    }
}

/// A file that is in another encoding as a whole.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Foreign<'a> {
    pub(crate) seeming: &'a Seeming,
    pub(crate) malformed: u64,
    /// Where the first malformed sequence is, if its findings are not shown: line, column, offset.
    pub(crate) place: Option<(u64, u64, u64)>,
}

impl Foreign<'_> {
    /// "8 malformed sequences, looks like windows-1250 (91 %): placemat convert …".
    pub(crate) fn sentence(&self, subject: Subject<'_>) -> String {
        let file = subject.input.file();
        match self.place {
            Some(_) => self.seeming.sentence(self.malformed, file, subject.unpack),
            None => self.seeming.advice(file, subject.unpack),
        }
    }
}

/// A format. Files come sorted by path, and the findings of each in the order of their offsets.
pub(crate) trait Report {
    /// One of the errors that are shown.
    fn finding(&mut self, subject: Subject<'_>, finding: &Finding<'_>) -> Result<()>;
    /// One of the runs of well-formed text that are shown.
    fn run(&mut self, input: &Input, run: &Run<'_>) -> Result<()>;
    /// Whether a file in another encoding is reported in one sentence, not error by error.
    fn sums_up(&self) -> bool {
        false
    }
    /// What a file seems to be as a whole: after its errors or, if it has a place, instead of them.
    fn foreign(&mut self, _: Subject<'_>, _: Foreign<'_>) -> Result<()> {
        Ok(())
    }
    /// A file with errors, after its findings, of which `shown` were given.
    fn file(&mut self, subject: Subject<'_>, totals: Totals, shown: u64) -> Result<()>;
    /// A file that could not be read, or not to its end, and why. Standard error has that already.
    fn failed(&mut self, _path: &Path, _reason: &str) -> Result<()> {
        Ok(())
    }
    /// Writes out what is buffered, where the format can be read in parts.
    fn flush(&mut self) -> Result<()> {
        Ok(())
    }
    /// A file of a tree that was not read, and why.
    fn skipped(&mut self, path: &Path, reason: &str) -> Result<()> {
        console::say(&format!("{}: skipped: {reason}", crate::escape::path(path)));
        Ok(())
    }
    /// The end.
    fn finish(&mut self, summary: &Summary) -> Result<()>;
}

/// Standard output with a buffer, for bytes that are written as they are.
pub(crate) fn stdout() -> BufWriter<Plain> {
    BufWriter::with_capacity(32 << 10, console::plain())
}

/// The path without a leading `./`, since services that compare it with a repository's files do not remove that.
fn from_root(path: &Path) -> &Path {
    path.strip_prefix(".").unwrap_or(path)
}

/// Writes a path as bytes, to a stream that is no terminal.
pub(crate) fn write_path(out: &mut impl Write, input: &Input) -> io::Result<()> {
    out.write_all(input.path().as_os_str().as_encoded_bytes())
}
