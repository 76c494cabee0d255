//! `--format github`: workflow commands, which GitHub shows beside the lines of a pull request.

use std::fmt::Write as _;
use std::io::{BufWriter, Write as _};
use std::path::Path;

use anyhow::Result;

use super::human::plural;
use placemat_text::faults::wording;

use super::{Foreign, Report, Subject, Summary, from_root, stdout};
use crate::console::Plain;
use crate::escape;
use crate::input::Input;
use placemat_text::faults::run::Run;
use placemat_text::faults::{Finding, Totals};

/// One command a finding.
pub(crate) struct Github {
    out: BufWriter<Plain>,
}

impl Github {
    pub(crate) fn new() -> Github {
        Github { out: stdout() }
    }
}

/// The path as the runner reads it back.
fn property(path: &Path) -> String {
    let mut text = String::new();
    for piece in from_root(path).as_os_str().as_encoded_bytes().split_inclusive(|byte| b"\n\r".contains(byte))
    {
        let (name, end) = match piece.split_last() {
            Some((b'\n', name)) => (name, "%0A"),
            Some((b'\r', name)) => (name, "%0D"),
            _ => (piece, ""),
        };
        text += &escaped(&escape::bytes(name).to_string(), true);
        text += end;
    }
    text
}

/// Text in a command: what would end the command or begin another one is escaped, in properties more than in the message.
fn escaped(text: &str, is_property: bool) -> String {
    let mut escaped = String::new();
    for c in escape::text(text).to_string().chars() {
        match c {
            '%' => escaped.push_str("%25"),
            ':' if is_property => escaped.push_str("%3A"),
            ',' if is_property => escaped.push_str("%2C"),
            _ => escaped.push(c),
        }
    }
    escaped
}

impl Report for Github {
    fn finding(&mut self, subject: Subject<'_>, finding: &Finding<'_>) -> Result<()> {
        // The rest of a character that was shown as a whole.
        if finding.continues_broken() {
            return Ok(());
        }
        let mut message = wording::sentence(finding);
        for more in [wording::expected(finding), subject.advice(finding)].into_iter().flatten() {
            // Writing to a string cannot fail.
            let _ = write!(message, "; {more}");
        }
        writeln!(
            self.out,
            "::error file={},line={},col={},title={}::{} (byte {})",
            property(subject.input.path()),
            finding.line,
            finding.column,
            finding.kind,
            escaped(&message, false),
            finding.offset,
        )?;
        Ok(())
    }

    fn run(&mut self, input: &Input, run: &Run<'_>) -> Result<()> {
        let message = match run.advice(input.file()) {
            Some(advice) => format!("{}; {advice}", run.sentence()),
            None => run.sentence(),
        };
        writeln!(
            self.out,
            "::error file={},line={},col={},title={}::{} (byte {})",
            property(input.path()),
            run.line,
            run.column,
            run.name(),
            escaped(&message, false),
            run.offset,
        )?;
        Ok(())
    }

    fn sums_up(&self) -> bool {
        true
    }

    fn foreign(&mut self, subject: Subject<'_>, foreign: Foreign<'_>) -> Result<()> {
        let (path, message) = (property(subject.input.path()), escaped(&foreign.sentence(subject), false));
        match foreign.place {
            Some((line, column, offset)) => writeln!(
                self.out,
                "::error file={path},line={line},col={column},title=other encoding::{message} (byte {offset})"
            )?,
            None => writeln!(self.out, "::notice file={path},title=other encoding::{message}")?,
        }
        Ok(())
    }

    fn file(&mut self, subject: Subject<'_>, totals: Totals, shown: u64) -> Result<()> {
        let more = totals.errors.saturating_sub(shown);
        if more > 0 {
            let (path, s) = (property(subject.input.path()), plural(more));
            writeln!(self.out, "::error file={path},title=more errors::{more} more error{s} in this file")?;
        }
        Ok(())
    }

    fn flush(&mut self) -> Result<()> {
        Ok(self.out.flush()?)
    }

    fn finish(&mut self, _: &Summary) -> Result<()> {
        Ok(self.out.flush()?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_ends_a_command() {
        assert_eq!(escaped("a:b,c%\n::error::x", true), "a%3Ab%2Cc%25\\u{a}%3A%3Aerror%3A%3Ax");
        assert_eq!(escaped("50 %: a, b", false), "50 %25: a, b");
        assert_eq!(property(Path::new("./a\nb\r:\u{1b}")), "a%0Ab%0D%3A\\u{1b}");
    }
}
