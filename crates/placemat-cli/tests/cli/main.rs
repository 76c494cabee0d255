//! The built command, run on real files.

mod check;
mod convert;
mod convert_files;
mod count;
mod detect;
mod edit;
mod explain;
mod generated;
mod hostile;
mod repair;
mod repair_undo;
mod run;
mod stage;
mod trees;
