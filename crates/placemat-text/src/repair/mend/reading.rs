//! How the runs of a text that are not UTF-8 are read.

use std::ops::Range;

use memchr::{memchr, memrchr};
use placemat_detect::{Cuts, Mixed};

use super::runs::Runs;
use crate::charset::Legacy;

/// How to read the runs that are not UTF-8.
#[derive(Clone, Debug)]
pub enum Reading {
    /// Single bytes are windows-1252, where that fits, and no rest of a character that was cut.
    Windows1252(Cuts),
    /// Runs are in another encoding, if all of the run can be read in it.
    Legacy(Box<Runs>),
    /// No encoding is likely enough.
    Nothing,
}

impl Default for Reading {
    fn default() -> Reading {
        Reading::Windows1252(Cuts::default())
    }
}

impl Reading {
    /// Reads the runs that are not UTF-8 in this encoding. `mixed`, which has seen the text, knows where they are.
    pub(in crate::repair) fn legacy(mixed: Mixed, legacy: Legacy, is_named: bool) -> Reading {
        Reading::Legacy(Box::new(Runs::new(mixed, legacy, is_named)))
    }

    /// Returns the second encoding, if runs are read in one.
    pub(crate) fn second(&self) -> Option<Legacy> {
        if let Reading::Legacy(runs) = self { Some(runs.legacy()) } else { None }
    }

    /// Where the lines of the text end within characters.
    fn cuts(&self) -> Cuts {
        match self {
            Reading::Windows1252(cuts) => *cuts,
            Reading::Legacy(runs) => runs.cuts(),
            Reading::Nothing => Cuts::default(),
        }
    }

    /// The end of the line of `block` in which the place `at` is, and the part of it without what is left of characters.
    pub(super) fn inner(&self, block: &[u8], around: [&[u8]; 2], at: usize) -> (usize, Range<usize>) {
        let start = memrchr(b'\n', &block[..at]).map_or(0, |at| at + 1);
        let end = memchr(b'\n', &block[at..]).map_or(block.len(), |end| at + end + 1);
        let before = if start == 0 { around[0] } else { &block[..start] };
        let after = if end == block.len() { around[1] } else { &block[end..] };
        let inner = self.cuts().inner(before, &block[start..end], after);
        (end, start + inner.start..start + inner.end)
    }

    /// Returns the runs in the second encoding in whole lines: their range, their text and the name of the encoding.
    pub(super) fn runs(&self, block: &[u8], around: [&[u8]; 2]) -> Vec<(Range<usize>, String, &'static str)> {
        let Reading::Legacy(runs) = self else { return Vec::new() };
        let (mut all, mut at) = (Vec::new(), 0);
        while at < block.len() {
            let (end, inner) = self.inner(block, around, at);
            let start = inner.start;
            runs.read(&block[inner], |run, text| {
                all.push((start + run.start..start + run.end, text, runs.name()));
            });
            at = end;
        }
        all
    }
}
