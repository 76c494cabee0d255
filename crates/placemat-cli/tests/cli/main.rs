//! The built binary on real files.

mod convert;
mod convert_files;
mod edit;
mod run;
//! The built command, run on real files.

mod check;
mod count;
mod generated;
mod hostile;
mod stage;
mod trees;
