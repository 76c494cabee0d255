//! `check --names`: finds files and folders whose name is not UTF-8, or was decoded twice.

use anyhow::Result;
use placemat::Form;

use super::Args;
use crate::command::names::find;
use crate::console;
use crate::escape;
use crate::input::Input;
use crate::outcome::Outcome;
use crate::report::{Subject, Summary};
use placemat_text::faults::Totals;
use placemat_text::faults::run::{Run, What};

pub(super) fn run(args: &Args) -> Result<Outcome> {
    let (walk, rules) = args.selection.walk_tree()?.heeding(&args.choice)?;
    let found = find(&walk, &rules, None);
    let mut report = args.report();
    let mut outcome = Outcome::Clean;
    for (path, error) in &found.failed {
        console::say(&format!("{}: {error}", escape::path(path)));
        report.failed(path, &error.to_string())?;
        outcome = Outcome::Trouble;
    }
    let errors = found.misnamed.len() as u64;
    let (files, files_skipped) = (found.paths, found.skipped);
    let summary = Summary { files, files_with_errors: errors, files_skipped, errors, ..Summary::default() };
    for (path, misnamed) in &found.misnamed {
        outcome = outcome.max(Outcome::Found);
        let (kind, sentence, mend) = (misnamed.kind(), misnamed.sentence(), misnamed.mend());
        let what = What::Name { kind, sentence: &sentence, becomes: misnamed.becomes.as_deref(), mend };
        let bytes = path.file_name().unwrap_or_default().as_encoded_bytes();
        let input = Input::Named(path.clone());
        let (offset, line, column) = (0, 1, 1);
        let shown = u64::from(args.limit() > 0);
        if shown > 0 {
            report.run(&input, &Run { offset, line, column, bytes, around: [b""; 2], what })?;
        }
        let subject = Subject { input: &input, charset: Form::Utf8.into(), seeming: None, unpack: false };
        report.file(subject, Totals { bytes: bytes.len() as u64, errors: 1 }, shown)?;
    }
    let written = report.finish(&summary);
    outcome.after(written)
}
