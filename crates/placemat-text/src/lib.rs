//! What every face of placemat shows of text: the command, Python, C and a browser print the same models and sentences.
//!
//! This crate takes bytes or `impl Read`, returns models that implement `serde::Serialize`, and never prints. It knows no
//! terminal, process, thread, signal or file tree.
#![forbid(unsafe_code)]

pub mod charset;
pub mod convert;
pub mod count;
pub mod edit;
mod error;
pub mod escape;
pub mod explain;
pub mod faults;
pub mod feed;
pub mod io;
pub mod models;
pub mod notation;
pub mod place;
pub mod repair;
pub mod rules;
pub mod survey;

pub use error::Error;
