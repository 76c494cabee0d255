//! What every face of placemat shows of text: the command, Python, C and a browser print the same models and sentences.
//!
//! This crate takes bytes or `impl Read`, returns models that implement `serde::Serialize`, and never prints. It knows no
//! terminal, process, thread, signal or file tree.
#![forbid(unsafe_code)]

pub mod escape;
pub mod explain;
pub mod notation;
pub mod survey;
