//! The built binary on real files.

mod explain;
mod run;
