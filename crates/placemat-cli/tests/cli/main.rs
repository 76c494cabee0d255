//! The built command, run on real files.
#![expect(clippy::disallowed_macros, reason = "a test may panic where it cannot speak")]

#[cfg(unix)]
mod advice;
#[cfg(unix)]
mod arguments;
mod check;
mod check_input;
mod check_soon;
mod convert;
mod convert_files;
mod convert_refused;
mod convert_safely;
#[cfg(unix)]
mod convert_unix;
mod count;
mod detect;
mod edit;
mod explain;
mod fields;
mod generated;
mod guide;
mod hostile;
#[cfg(unix)]
mod iconv;
mod interrupt;
mod invisible;
mod known;
mod left_over;
#[cfg(unix)]
mod names;
mod patch;
mod random;
mod repair;
mod repair_undo;
mod rules;
mod rules_writing;
mod sarif;
mod schema;
mod stage;
mod survey;
#[cfg(target_os = "linux")]
mod system;
mod trees;
