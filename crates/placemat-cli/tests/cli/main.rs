//! The built binary on real files.

mod convert;
mod convert_files;
mod run;
