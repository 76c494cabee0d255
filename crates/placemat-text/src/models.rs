//! What programs read: one object a line, as the command writes it with `--format json`.
//!
//! The last object of a run says with `schema` by which version of its schema (the folder `schema` of this crate
//! has one for each command) all of them were written. A version only ever gains fields; another meaning gets another number.

mod check;
mod count;
mod detect;
mod forms;
mod path;

pub use self::check::{CHECK_SCHEMA, CheckLine, Hint, Summary};
pub use self::count::CountLine;
pub use self::detect::{Candidate, DetectLine};
pub use self::forms::{Alias, FormsLine, LABELS, POLICIES};
pub use self::path::FilePath;

/// The version of the schema of all models but that of `check`.
pub const SCHEMA: u32 = 1;
