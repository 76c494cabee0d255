//! The built command, run on real files.

mod check;
mod count;
mod generated;
mod hostile;
mod stage;
mod trees;
