//! The built command, run on real files.

mod check;
mod convert;
mod convert_files;
mod count;
mod edit;
mod explain;
mod generated;
mod hostile;
mod run;
mod stage;
mod trees;
