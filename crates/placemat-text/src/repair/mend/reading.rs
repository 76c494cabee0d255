//! How the runs of a text that are not UTF-8 are read.

use std::ops::Range;

use placemat_detect::Mixed;

use super::runs::Runs;
use crate::charset::Legacy;

/// How to read the runs that are not UTF-8.
#[derive(Clone, Debug, Default)]
pub enum Reading {
    /// Single bytes are windows-1252, where that fits.
    #[default]
    Windows1252,
    /// Runs are in another encoding, if all of the run can be read in it.
    Legacy(Box<Runs>),
    /// No encoding is likely enough.
    Nothing,
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

    /// Returns the runs in the second encoding in whole lines: their range, their text and the name of the encoding.
    pub(super) fn runs(&self, block: &[u8]) -> Vec<(Range<usize>, String, &'static str)> {
        let Reading::Legacy(runs) = self else { return Vec::new() };
        let mut all = Vec::new();
        let mut start = 0;
        for line in block.split_inclusive(|&byte| byte == b'\n') {
            runs.read(line, |run, text| all.push((start + run.start..start + run.end, text, runs.name())));
            start += line.len();
        }
        all
    }
}
