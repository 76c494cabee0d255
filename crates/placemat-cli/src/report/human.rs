//! `--format human`: for people.

use std::io::{BufWriter, Write as _};
use std::ops::Range;

use anstyle::{AnsiColor, Style};
use anyhow::Result;
use unicode_width::UnicodeWidthStr as _;

use placemat_text::faults::wording;
pub(crate) use placemat_text::notation::{number, plural};

use super::{Foreign, Report, Subject, Summary, hex};
use crate::console::{self, Coloured};
use crate::escape::{self, Cut, shortened};
use crate::input::Input;
use placemat_text::faults::excerpt::{Excerpt, Piece, excerpt};
use placemat_text::faults::run::Run;
use placemat_text::faults::{Finding, Totals};

const PLACE: Style = Style::new().bold();
const BAD: Style = AnsiColor::Red.on_default().bold();
const DIM: Style = Style::new().dimmed();
const GUTTER: Style = AnsiColor::BrightBlue.on_default().bold();
const HINT: Style = AnsiColor::Cyan.on_default();

/// Paragraphs with the line around each error.
pub(crate) struct Human {
    out: BufWriter<Coloured>,
    width: usize,
    /// Errors below this offset were shown already, as part of another.
    covered: u64,
}

impl Human {
    pub(crate) fn new() -> Human {
        let out = BufWriter::new(console::coloured());
        Human { out, width: width(), covered: 0 }
    }

    fn excerpt(
        &mut self,
        line: u64,
        excerpt: &Excerpt,
        expected: Option<String>,
        gutter: usize,
    ) -> Result<()> {
        let out = &mut self.out;
        write!(out, "{GUTTER}{line:>gutter$} |{GUTTER:#} ")?;
        for piece in &excerpt.pieces {
            match piece {
                Piece::Plain(text) => write!(out, "{text}")?,
                Piece::Escaped(text) => write!(out, "{DIM}{text}{DIM:#}")?,
                Piece::Malformed(text) => write!(out, "{BAD}{text}{BAD:#}")?,
            }
        }
        let Range { start, end } = excerpt.caret;
        let carets = "^".repeat(end - start);
        write!(out, "\n{GUTTER}{:>gutter$} |{GUTTER:#} {:start$}{BAD}{carets}{BAD:#}", "", "")?;
        match expected {
            Some(text) if gutter + 3 + end + 1 + text.len() <= self.width => {
                writeln!(out, " {BAD}{text}{BAD:#}")?;
            }
            Some(text) => writeln!(out, "\n{GUTTER}{:>gutter$} ={GUTTER:#} {text}", "")?,
            None => writeln!(out)?,
        }
        Ok(())
    }
}

/// The columns to fill: of the terminal, or what COLUMNS says, else 100.
pub(crate) fn width() -> usize {
    let columns = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
    let terminal = || terminal_size::terminal_size().map(|(width, _)| usize::from(width.0));
    columns.or_else(terminal).unwrap_or(100).clamp(20, 400)
}

impl Report for Human {
    fn finding(&mut self, subject: Subject<'_>, finding: &Finding<'_>) -> Result<()> {
        if finding.offset == 0 {
            self.covered = 0;
        }
        if finding.offset < self.covered {
            return Ok(());
        }
        let len = finding.broken().map_or(finding.range.len(), |broken| broken.len);
        // A line ending is no part of the line.
        let marked = if finding.is_breach() { 0 } else { len };
        self.covered = finding.offset + len as u64;
        let start = finding.range.start;
        let bytes = hex(&finding.window[start..start + len]);
        let (line, column, offset) = (finding.line, finding.column, finding.offset);

        let sentence = wording::sentence(finding);
        writeln!(self.out, "{PLACE}{}:{line}:{column}{PLACE:#}: {sentence}", subject.input)?;
        let gutter = line.to_string().len().max(3);
        let kind = finding.kind;
        let space = if bytes.is_empty() { "" } else { " " };
        writeln!(
            self.out,
            "{GUTTER}{:>gutter$} |{GUTTER:#} {DIM}byte {offset}: {bytes}{space}({kind}){DIM:#}",
            ""
        )?;
        let excerpt = excerpt(finding, marked, self.width.saturating_sub(gutter + 3));
        self.excerpt(line, &excerpt, wording::expected(finding), gutter)?;
        if let Some(text) = subject.advice(finding) {
            writeln!(self.out, "{GUTTER}{:>gutter$} ={GUTTER:#} {HINT}{text}{HINT:#}", "")?;
        }
        Ok(writeln!(self.out)?)
    }

    fn run(&mut self, input: &Input, run: &Run<'_>) -> Result<()> {
        let Run { line, column, offset, .. } = run;
        let sentence = run.sentence();
        writeln!(self.out, "{PLACE}{input}:{line}:{column}{PLACE:#}: {sentence}")?;
        let gutter = line.to_string().len().max(3);
        let margin = format!("{GUTTER}{:>gutter$} |{GUTTER:#}", "");
        writeln!(self.out, "{margin} {DIM}byte {offset} ({}){DIM:#}", run.name())?;
        let [before, after] = run.around.map(beside);
        let marked = run.shown();
        let room = self.width.saturating_sub(gutter + 3);
        let marked = shortened(&marked, room, Cut::End);
        let rest = room - marked.width().min(room);
        let before = shortened(&before, rest - after.width().min(rest / 2), Cut::Start);
        let after = shortened(&after, rest - before.width().min(rest), Cut::End);
        writeln!(
            self.out,
            "{GUTTER}{line:>gutter$} |{GUTTER:#} {before}{BAD}{marked}{BAD:#}{after}\n{margin} {:start$}{BAD}{}{BAD:#}",
            "",
            "^".repeat(marked.width()),
            start = before.width(),
        )?;
        if let Some(advice) = run.advice(input.file()) {
            writeln!(self.out, "{GUTTER}{:>gutter$} ={GUTTER:#} {HINT}{advice}{HINT:#}", "")?;
        }
        Ok(writeln!(self.out)?)
    }

    fn sums_up(&self) -> bool {
        true
    }

    fn foreign(&mut self, subject: Subject<'_>, foreign: Foreign<'_>) -> Result<()> {
        let (path, sentence) = (subject.input, foreign.sentence(subject));
        match foreign.place {
            Some((line, column, _)) => {
                writeln!(self.out, "{PLACE}{path}:{line}:{column}{PLACE:#}: {HINT}{sentence}{HINT:#}")?;
            }
            None => writeln!(self.out, "{PLACE}{path}{PLACE:#}: {HINT}{sentence}{HINT:#}\n")?,
        }
        Ok(())
    }

    fn file(&mut self, subject: Subject<'_>, totals: Totals, shown: u64) -> Result<()> {
        self.covered = 0;
        let more = totals.errors.saturating_sub(shown);
        if more > 0 {
            let (s, of) = (plural(more), number(totals.errors));
            let more = number(more);
            let path = subject.input;
            writeln!(self.out, "{PLACE}{path}{PLACE:#}: {more} more error{s} not shown, {of} in all\n")?;
        }
        Ok(self.out.flush()?)
    }

    fn flush(&mut self) -> Result<()> {
        Ok(self.out.flush()?)
    }

    fn finish(&mut self, summary: &Summary) -> Result<()> {
        self.out.flush()?;
        if summary.errors == 0 {
            return Ok(());
        }
        let (errors, files) = (number(summary.errors), number(summary.files));
        let (s, bad) = (plural(summary.errors), number(summary.files_with_errors));
        let skipped = match summary.files_skipped {
            0 => String::new(),
            n => format!(", {} skipped", number(n)),
        };
        let (checked, files_s) = (files, plural(summary.files));
        console::tell(&format!(
            "{PLACE}{errors} error{s}{PLACE:#} in {bad} of {checked} file{files_s}{skipped}"
        ));
        Ok(())
    }
}

/// Text beside a run. Bytes that are not UTF-8 are shown as in the line of an error.
fn beside(bytes: &[u8]) -> String {
    let mut shown = String::new();
    for chunk in bytes.utf8_chunks() {
        shown.push_str(&escape::text(chunk.valid()).to_string());
        shown.extend(chunk.invalid().iter().map(|byte| format!("<{byte:02X}>")));
    }
    shown
}
