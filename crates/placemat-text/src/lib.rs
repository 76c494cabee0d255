//! What every face of placemat shows of text: the command, Python, C and a browser print the same models and sentences.
//!
//! This crate takes bytes or `impl Read`, returns models that implement `serde::Serialize`, and never prints. It knows no
//! terminal, process, thread, signal or file tree.
//!
//! # Cookbook
//!
//! Explain bytes: to people as text for a terminal or as a web page, to programs as objects for JSON:
//!
//! ```
//! use placemat::Form;
//! use placemat_text::explain::{Detail, Input, objects, tell};
//!
//! let input = Input::new(b"caf\xE9".to_vec(), Form::Utf8);
//! let view = input.view();
//! let text = tell(&view, Detail::default());
//! assert!(text.screen(80).contains("“é” in windows-1252"));
//! assert!(text.page().starts_with("<!DOCTYPE html>"));
//! let json = serde_json::to_value(objects(&view, 20)).unwrap();
//! assert_eq!(json[3]["errors"][0]["kind"], "truncated");
//! ```
//!
//! Find out what several texts are made of:
//!
//! ```
//! use placemat_text::survey::{Reader, Survey};
//!
//! let (mut survey, mut reader) = (Survey::new(None), Reader::new());
//! for text in [&b"plain\n"[..], b"na\xC3\xAFve\n", b"\xFF\xFEa\0\n\0"] {
//!     survey.add(&reader.read(&mut &text[..])?);
//! }
//! let json = serde_json::to_value(&survey).unwrap();
//! assert_eq!((&json["texts"], &json["texts_well_formed_utf8"]), (&3.into(), &2.into()));
//! # Ok::<(), std::io::Error>(())
//! ```
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
