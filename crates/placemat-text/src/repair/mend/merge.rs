//! Merges two layers of changes to a text into one.

use std::ops::Range;

use placemat_detect::mojibake;

use super::{Change, Rule};

/// A change to the repaired text.
pub(super) struct Layered {
    /// The range in the repaired text, in bytes from its start.
    pub(super) range: Range<u64>,
    /// The new text.
    pub(super) text: String,
    /// The rule that made the change.
    pub(super) rule: Rule,
}

impl From<mojibake::Change> for Layered {
    fn from(run: mojibake::Change) -> Layered {
        Layered { range: run.range, text: run.replacement, rule: Rule::Mojibake(run.via) }
    }
}

/// Merges the changes that repaired a block with changes to runs of the repaired text. The result is changes to the
/// source. The block starts at offset `source` of the source and at offset `target` of the repaired text, and is `text` there.
pub(super) fn merged(
    runs: Vec<Layered>,
    mended: Vec<Change>,
    source: u64,
    target: u64,
    text: &str,
) -> Vec<Change> {
    if runs.is_empty() {
        return mended;
    }
    let mut merge = Merge { source, target, changes: Vec::new() };
    let runs = if mended.is_empty() { runs } else { joined(runs, &mended, &merge, text) };
    let mut mended = mended.into_iter().peekable();
    for run in runs {
        // Changes before the run stay as they are.
        while let Some(change) = mended.next_if(|change| merge.ends(change) <= run.range.start) {
            merge.keep(change);
        }
        if run.range.start < merge.target {
            // It starts in the replacement of a sequence that the last run included.
            continue;
        }
        let source_start = merge.source_of(run.range.start, mended.peek());
        let mut text = run.text;
        let mut source_end = None;
        // Changes inside the run become part of it.
        while let Some(change) = mended.next_if(|change| merge.starts(change) < run.range.end) {
            let target = merge.starts(&change)..merge.ends(&change);
            let (before, after) = overhang(&change.text, &target, &run.range);
            text = format!("{before}{text}{after}");
            source_end = Some((change.range.end, target.end));
            merge.pass(&change);
        }
        let end = match source_end {
            Some((source, target)) => source + run.range.end.saturating_sub(target),
            None => source_start + (run.range.end - run.range.start),
        };
        merge.changes.push(Change { range: source_start..end, text, rule: run.rule, cell: None });
    }
    merge.changes.into_iter().chain(mended).collect()
}

/// Joins runs that are in the replacement of one sequence, with the text between them: they cannot be told apart in the source.
fn joined(runs: Vec<Layered>, mended: &[Change], start: &Merge, text: &str) -> Vec<Layered> {
    let mut place = Merge { changes: Vec::new(), ..*start };
    let mut changes = mended.iter().map(|change| {
        let range = place.starts(change)..place.ends(change);
        place.pass(change);
        range
    });
    let mut change = changes.next();
    let mut all: Vec<Layered> = Vec::new();
    for run in runs {
        while change.as_ref().is_some_and(|at| at.end <= run.range.start) {
            change = changes.next();
        }
        let is_inside =
            |end: u64| change.as_ref().is_some_and(|at| at.start < end && run.range.start < at.end);
        match all.last_mut().filter(|last| is_inside(last.range.end)) {
            Some(last) => {
                let between = last.range.end - start.target..run.range.start - start.target;
                last.text.push_str(text.get(between.start as usize..between.end as usize).unwrap_or(""));
                last.text.push_str(&run.text);
                last.range.end = run.range.end;
            }
            None => all.push(run),
        }
    }
    all
}

/// A position in the source, and the same position in the repaired text.
struct Merge {
    source: u64,
    target: u64,
    changes: Vec<Change>,
}

impl Merge {
    /// The start, in the repaired text, of a change that lies ahead.
    fn starts(&self, change: &Change) -> u64 {
        self.target + (change.range.start - self.source)
    }

    fn ends(&self, change: &Change) -> u64 {
        self.starts(change) + change.text.len() as u64
    }

    fn pass(&mut self, change: &Change) {
        (self.source, self.target) = (change.range.end, self.ends(change));
    }

    fn keep(&mut self, change: Change) {
        self.pass(&change);
        self.changes.push(change);
    }

    /// The position in the source of one in the repaired text; the start of `next`, if the position is inside `next`.
    fn source_of(&self, target: u64, next: Option<&Change>) -> u64 {
        let straight = self.source + (target - self.target);
        next.map_or(straight, |change| straight.min(change.range.start))
    }
}

/// The parts of a change's text before and after a run that covers only a part of the change.
fn overhang<'a>(text: &'a str, target: &Range<u64>, run: &Range<u64>) -> (&'a str, &'a str) {
    let before = run.start.saturating_sub(target.start) as usize;
    let after = target.end.saturating_sub(run.end) as usize;
    (text.get(..before).unwrap_or(""), text.get(text.len() - after..).unwrap_or(""))
}

#[cfg(test)]
mod tests {
    use super::super::Mending;
    use crate::charset::Charset;
    use crate::repair::choice::Choice;
    use crate::repair::whole::whole;

    /// A run in KOI8-R is one change, and what it stands for may hold several runs of mojibake, or characters that are not shown.
    #[test]
    fn all_runs_in_the_replacement_of_one_sequence_are_undone() {
        let Ok(Charset::Legacy(koi8)) = Charset::resolve(placemat::label::Labels::Lenient, "koi8-r") else {
            unreachable!()
        };
        let mending = Mending { mojibake: true, ..Mending::default() };
        let choice = Choice { mending, second: Some(koi8), ..Choice::default() };
        for line in [
            &b"\xF7\xC3\xC6\xEA\xA5 \xB8\xD0\xB2\xD0\xB5 \xBE\xF3z\xF7 \xC7\n"[..],
            b"\xC6\xC3\xC6\xEA \xD0\xD2\xC3\x83\xC2\xA9 \xD0\xB2\xD0\xB5 \xC6\xC3 \xD0\xB2\xD0\xB5\xC6\n",
        ] {
            let once = whole(line, &choice).unwrap().text;
            let twice = whole(&once, &choice).unwrap().text;
            assert_eq!(String::from_utf8_lossy(&once), String::from_utf8_lossy(&twice));
        }
    }
}
