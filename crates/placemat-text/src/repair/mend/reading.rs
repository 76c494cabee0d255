//! What the runs of a text are read as that are no UTF-8.

use std::ops::Range;

use placemat_detect::Mixed;

use super::runs::Runs;
use crate::charset::Legacy;

/// What the runs that are no UTF-8 are read as.
#[derive(Clone, Debug, Default)]
pub enum Reading {
    /// Lone bytes that fit are windows-1252.
    #[default]
    Windows1252,
    /// Runs are in another encoding, where it reads all of a run.
    Legacy(Box<Runs>),
    /// Nothing is likely enough.
    Nothing,
}

impl Reading {
    /// The runs that are no UTF-8 are in this encoding; what was seen of the text says where they are.
    pub(in crate::repair) fn legacy(mixed: Mixed, legacy: Legacy, is_named: bool) -> Reading {
        Reading::Legacy(Box::new(Runs::new(mixed, legacy, is_named)))
    }

    /// The runs of whole lines that are in the second encoding, what each says, and the name of the encoding.
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
