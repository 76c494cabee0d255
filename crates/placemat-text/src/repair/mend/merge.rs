//! Two layers of changes to one text, as one.

use std::ops::Range;

use placemat_detect::mojibake;

use super::{Change, Rule};

/// A change to mended text.
pub(super) struct Layered {
    /// Where it is in the mended text, in bytes from its start.
    pub(super) range: Range<u64>,
    /// What takes its place.
    pub(super) text: String,
    /// Why.
    pub(super) rule: Rule,
}

impl From<mojibake::Change> for Layered {
    fn from(run: mojibake::Change) -> Layered {
        Layered { range: run.range, text: run.replacement, rule: Rule::Mojibake(run.via) }
    }
}

/// The changes that mended a block, and those to runs of the mended text, as changes to the source. Before the block
/// stand `source` bytes of it, and `target` bytes of mended text.
pub(super) fn merged(runs: Vec<Layered>, mended: Vec<Change>, source: u64, target: u64) -> Vec<Change> {
    if runs.is_empty() {
        return mended;
    }
    let mut merge = Merge { source, target, changes: Vec::new() };
    let mut mended = mended.into_iter().peekable();
    for run in runs {
        // What was mended before the run stays as it is.
        while let Some(change) = mended.next_if(|change| merge.ends(change) <= run.range.start) {
            merge.keep(change);
        }
        if run.range.start < merge.target {
            // It begins with the rest of what stands for a sequence that the last run took.
            continue;
        }
        let source_start = merge.source_of(run.range.start, mended.peek());
        let mut text = run.text;
        let mut source_end = None;
        // What was mended inside of it is part of it now.
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

/// A place in the source and the same place in the mended text.
struct Merge {
    source: u64,
    target: u64,
    changes: Vec<Change>,
}

impl Merge {
    /// Where a change that lies ahead starts in the mended text.
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

    /// The place in the source of one in the mended text; the start of `next` if it lies inside of that.
    fn source_of(&self, target: u64, next: Option<&Change>) -> u64 {
        let straight = self.source + (target - self.target);
        next.map_or(straight, |change| straight.min(change.range.start))
    }
}

/// What a change says before and behind a run that it does not lie in altogether.
fn overhang<'a>(text: &'a str, target: &Range<u64>, run: &Range<u64>) -> (&'a str, &'a str) {
    let before = run.start.saturating_sub(target.start) as usize;
    let after = target.end.saturating_sub(run.end) as usize;
    (text.get(..before).unwrap_or(""), text.get(text.len() - after..).unwrap_or(""))
}
