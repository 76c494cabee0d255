//! Mending text: rules, what each did, reports, and undoing by a report.

pub mod advice;
pub mod blocks;
pub mod choice;
pub mod diff;
pub mod mend;
pub mod record;
pub mod undo;
pub mod whole;
pub mod wording;
