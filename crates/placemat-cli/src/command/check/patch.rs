//! `check --patch`: checks the lines that a diff adds.

use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::Path;

use anyhow::{Context as _, Result};
use placemat::Form;
use placemat::invisible::Kinds;

use super::Args;
use crate::escape;
use crate::input::Input;
use crate::outcome::Outcome;
use crate::report::{Report, Subject, Summary};
use crate::rules::Rulebook;
use placemat_text::charset::Charset;
use placemat_text::faults::locate::{Search, search};
use placemat_text::faults::run::{self, Run, Sought};
use placemat_text::faults::{Finding, Totals};
use placemat_text::patch::{Added, added};

/// Checks added lines, file by file.
struct Patch<'a> {
    args: &'a Args,
    rules: Rulebook,
    report: Box<dyn Report>,
    summary: Summary,
    /// The file to which the last lines belong.
    input: Option<Input>,
    charset: Charset,
    /// What was found in it, and how much of that was reported.
    totals: Totals,
    shown: u64,
}

/// Checks the lines that the diff in `file`, or on standard input, adds.
pub(super) fn run(args: &Args, file: &Path) -> Result<Outcome> {
    let mut patch = Patch {
        args,
        rules: args.choice.rulebook([Path::new(".")].into_iter())?,
        report: args.report(),
        summary: Summary::default(),
        input: None,
        charset: Form::Utf8.into(),
        totals: Totals::default(),
        shown: 0,
    };
    let file = Some(file).filter(|file| *file != Path::new("-"));
    let name = || file.map_or("<stdin>".to_owned(), |file| escape::path(file).to_string());
    let mut input: Box<dyn BufRead> = match file {
        Some(file) => Box::new(BufReader::new(File::open(file).with_context(name)?)),
        None => Box::new(io::stdin().lock()),
    };
    let files = added(&mut *input, &mut |lines| patch.take(lines));
    let ended = files.map(|files| patch.summary.files = files);
    let ended = patch.end().and(ended).with_context(name);
    let outcome = if patch.summary.errors > 0 { Outcome::Found } else { Outcome::Clean };
    outcome.after(ended.and_then(|()| patch.report.finish(&patch.summary)))
}

impl Patch<'_> {
    /// Checks lines that follow each other.
    fn take(&mut self, lines: &Added) -> Result<()> {
        let input = Input::Named(lines.path.clone());
        let demand = self.rules.of(&input);
        if demand.is_allowed {
            return Ok(());
        }
        if self.input.as_ref() != Some(&input) {
            self.end()?;
            let told = self.args.from.as_deref().map(|name| self.args.naming.charset(name)).transpose()?;
            self.charset = told.or(demand.charset).unwrap_or(Form::Utf8.into());
            self.input = Some(input.clone());
        }
        self.totals.bytes += lines.text.len() as u64;
        self.malformed(lines, &input)?;
        let told = self.args.invisible.or(Some(Kinds::DEFAULT));
        let sought = Sought { mojibake: true, hidden: demand.forbidden(told), replacements: true };
        if self.charset == Form::Utf8 || self.charset == Form::Utf8Bom {
            self.runs(lines, &input, sought)?;
        }
        Ok(())
    }

    fn left(&self) -> u64 {
        self.args.limit().saturating_sub(self.shown)
    }

    fn malformed(&mut self, lines: &Added, input: &Input) -> Result<()> {
        let Patch { report, shown, charset, .. } = self;
        let subject = Subject { input, charset: *charset, seeming: None, unpack: false };
        let wanted = Search { limit: self.args.limit().saturating_sub(*shown), ..Search::new(*charset) };
        let (totals, _) = search(&mut &lines.text[..], wanted, &mut |found: &Finding<'_>| {
            *shown += 1;
            let Finding { kind, offset, line, column, charset, announced, window, at_end, .. } = *found;
            let (offset, line) = (lines.in_diff(offset, line - 1), lines.line + line - 1);
            let range = found.range.clone();
            let found = Finding { kind, offset, line, column, charset, announced, window, range, at_end };
            report.finding(subject, &found)
        })?;
        self.totals.errors += totals.errors;
        Ok(())
    }

    fn runs(&mut self, lines: &Added, input: &Input, sought: Sought) -> Result<()> {
        let left = self.left();
        // U+FEFF is a byte order mark only at the start of a file: other lines get a line feed before them.
        let is_middle = u64::from(lines.line > 1);
        let before: &'static [u8] = if is_middle > 0 { b"\n" } else { b"" };
        let text = [before, &lines.text].concat();
        let Patch { report, shown, .. } = self;
        let (runs, _) = run::search(&mut &text[..], sought, left, &mut |found: &Run<'_>| {
            *shown += 1;
            let line = found.line - 1 - is_middle;
            let offset = lines.in_diff(found.offset - is_middle, line);
            report.run(input, &Run { offset, line: lines.line + line, ..*found })
        })?;
        self.totals.errors += runs;
        Ok(())
    }

    /// Reports the end of a file.
    fn end(&mut self) -> Result<()> {
        let (totals, shown) = (std::mem::take(&mut self.totals), std::mem::take(&mut self.shown));
        let Some(input) = self.input.take() else { return Ok(()) };
        self.summary.bytes += totals.bytes;
        self.summary.errors += totals.errors;
        if totals.errors > 0 {
            self.summary.files_with_errors += 1;
            let subject = Subject { input: &input, charset: self.charset, seeming: None, unpack: false };
            self.report.file(subject, totals, shown)?;
        }
        Ok(())
    }
}
