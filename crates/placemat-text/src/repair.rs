//! Repairs text: the rules, the changes that each made, reports of them, and undoing a repair by its report.

pub mod advice;
pub mod blocks;
pub mod choice;
pub mod diff;
pub mod mend;
pub mod record;
pub mod undo;
pub mod whole;
pub mod wording;
