//! What the runs of a line are together.
#![forbid(unsafe_code)]

use super::super::letters::Script;
use super::super::run::{ALONE, ENOUGH, EVERYDAY};
use super::run::Run;

/// What the runs of a line are together.
#[derive(Default)]
pub(super) struct Sums {
    /// The gain of those that are certain, and how many characters they are.
    certain: i32,
    pub(super) covered: i32,
    /// Whether what some stand for may be changed again.
    pub(super) is_open: bool,
    /// Whether some may be not certain, and the gain of those that make the line less plausible.
    pub(super) uncertain: bool,
    nonsense: i32,
    cyrillic: Tally,
    asian: Tally,
    /// The first of the other scripts but those of every day.
    block: Option<Script>,
    in_block: Tally,
}

/// Runs that stand for one script.
#[derive(Default)]
struct Tally {
    runs: u32,
    /// Whether the first, were it the only one, might be better left.
    is_doubtful: bool,
}

impl Sums {
    /// `None` if it may be the only one of its script, and better left.
    pub(super) fn add(&mut self, run: &Run, length: usize) -> Option<()> {
        let is_doubtful = run.is_single && run.gain < ENOUGH + ALONE;
        let tally = match run.script {
            Script::Cyrillic => Some(&mut self.cyrillic),
            Script::EastAsian => Some(&mut self.asian),
            Script::Block(_) if *self.block.get_or_insert(run.script) == run.script => {
                Some(&mut self.in_block)
            }
            _ => None,
        };
        let mut gain = run.gain;
        if let Some(tally) = tally {
            tally.is_doubtful |= tally.runs == 0 && is_doubtful;
            tally.runs += 1;
        } else if !EVERYDAY.contains(&run.script) {
            // Others are not counted: each may be alone.
            if is_doubtful {
                return None;
            }
            gain -= ALONE;
        }
        match gain >= ENOUGH {
            true => (self.certain, self.covered) = (self.certain + gain, self.covered + length as i32),
            false => (self.uncertain, self.nonsense) = (true, self.nonsense + gain.min(0)),
        }
        Some(())
    }

    /// Whether a run may be the only one of its script, and count for less therefore.
    pub(super) fn is_alone(&self, run: &Run) -> bool {
        run.is_single
            && match run.script {
                Script::Cyrillic => self.cyrillic.runs == 1,
                Script::EastAsian => self.asian.runs == 1,
                script if self.block == Some(script) => self.in_block.runs == 1,
                script => !EVERYDAY.contains(&script),
            }
    }

    /// One in which no sequence has all its bytes: it is replaced with the others, and says nothing.
    pub(super) fn add_lost(&mut self) {
        self.uncertain = true;
    }

    /// The gain of those that are certain, or less, if all are to be replaced.
    pub(super) fn certain(&self) -> Option<i32> {
        let tallies = [&self.cyrillic, &self.asian, &self.in_block];
        let alone: i32 = tallies.iter().map(|tally| if tally.runs == 1 { ALONE } else { 0 }).sum();
        let certain = self.certain - alone;
        let is_sure = !tallies.iter().any(|tally| tally.runs == 1 && tally.is_doubtful);
        (is_sure && certain > 0 && certain + self.nonsense > 0).then_some(certain)
    }
}
