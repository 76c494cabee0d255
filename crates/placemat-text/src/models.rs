//! The JSON that the command writes with `--format json`: one object a line.
//!
//! The last object of a run has a field `schema`: the version of the schema that all lines of the run follow. The folder
//! `schema` of this
//! crate has a schema for each command. A version only ever gains fields; if the meaning of a field changes, the
//! version does too.

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

/// The version of the schema of all models except those of `check`.
pub const SCHEMA: u32 = 1;
