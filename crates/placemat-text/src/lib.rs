//! Finds, explains, repairs and converts text: the command, Python, C and the browser print the models and sentences
//! of this crate.
//!
//! The crate takes bytes or `impl Read`, returns models that implement `serde::Serialize`, and never prints. It knows no
//! terminal, process, thread, signal or file tree, and compiles for `wasm32-unknown-unknown`. What the command writes with
//! `--format json` is the serialisation of these models; the folder `schema` of this crate has a JSON Schema for each command.
//!
//! ```
//! use placemat::Form;
//! use placemat_text::faults::locate::{Search, search};
//! use placemat_text::faults::wording;
//!
//! let all = Search { limit: u64::MAX, ..Search::new(Form::Utf8.into()) };
//! let (totals, _) = search(&mut &b"na\xC3\xAFve\ncaf\xE9!"[..], all, &mut |finding| {
//!     assert_eq!((finding.line, finding.column), (2, 4));
//!     assert_eq!(wording::sentence(finding), "E9 begins a sequence of 3 bytes, but 21 cannot follow");
//!     Ok::<_, std::convert::Infallible>(())
//! })
//! .unwrap();
//! assert_eq!(totals.errors, 1);
//! ```
//!
//! # Overview
//!
//! | to … | see |
//! |---|---|
//! | know what a name of an encoding means; read legacy encodings | [`charset`] |
//! | guess the encoding of a text | [`charset::guess`] |
//! | find every error, with line, column and a sentence | [`faults`] |
//! | convert from any encoding to any other | [`convert`] |
//! | convert as `iconv()` does, into any room; transliterate | [`mod@iconv`], [`translit`] |
//! | know line and column of an offset, in any encoding | [`place`] |
//! | count lines, code points, bytes and errors | [`mod@count`] |
//! | repair text, with a report by which it can be undone | [`repair`] |
//! | repair the fields of CSV, JSON Lines and SQL dumps | [`structure`] |
//! | edit a file of any encoding as UTF-8, and write it back | [`edit`] |
//! | explain bytes, bit by bit | [`explain`] |
//! | sum up what many texts are made of | [`survey`] |
//! | write the lines of JSON that the command writes | [`models`], [`notation`] |
//! | show text where control characters would do harm | [`escape`] |
//!
//! # Cookbook
//!
//! **Report every error of a file in the JSON of the command**, one object a line:
//!
//! ```
//! # use placemat::Form;
//! # use placemat_text::faults::locate::{Search, search};
//! use placemat_text::models::{CheckLine, FilePath};
//! use placemat_text::notation::write_line;
//!
//! let (path, mut json) = (FilePath::of("menu.txt".as_ref()), Vec::new());
//! let first_ten = Search { limit: 10, ..Search::new(Form::Utf8.into()) };
//! search(&mut &b"cr\xE8me"[..], first_ten, &mut |finding| {
//!     write_line(&mut json, &CheckLine::finding(path.clone(), finding.charset, finding))
//! })?;
//! assert!(json.starts_with(br#"{"type":"error","path":"menu.txt","form":"utf-8","offset":2,"#));
//! # Ok::<(), placemat_text::Error>(())
//! ```
//!
//! **Repair a text, and say what was changed**: the repair is a plan of changes, each with the rule that asks for it.
//!
//! ```
//! use placemat_text::repair::mend::{Mender, Mending};
//! use placemat_text::repair::wording::{Counts, counts};
//!
//! let text = b"na\xC3\xAFve caf\xE9\n";
//! let (_, changes) = Mender::new(Mending::default()).block(text, true);
//! let (mut repaired, mut at, mut done) = (Vec::new(), 0, Counts::new());
//! for change in changes {
//!     repaired.extend_from_slice(&text[at..change.range.start as usize]);
//!     repaired.extend_from_slice(change.text.as_bytes());
//!     at = change.range.end as usize;
//!     *done.entry(change.rule).or_default() += 1;
//! }
//! repaired.extend_from_slice(&text[at..]);
//! assert_eq!(repaired, "naïve café\n".as_bytes());
//! assert_eq!(counts(&done), "1 byte read as windows-1252");
//! ```
//!
//! **Keep a report, and undo the repair by it**: the hashes in the report must match both texts.
//!
//! ```
//! use std::io::Cursor;
//! use placemat_text::notation::write_line;
//! use placemat_text::repair::mend::{Mender, Mending};
//! use placemat_text::repair::record::{Line, Record, VERSION};
//! use placemat_text::repair::undo::{Lines, entries};
//!
//! let (text, repaired) = (b"na\xC3\xAFve caf\xE9", "naïve café".as_bytes());
//! let mut record = Record::new(("a.txt".into(), None), Cursor::new(Vec::new()));
//! record.before(text);
//! record.after(repaired);
//! for change in Mender::new(Mending::default()).block(text, true).1 {
//!     record.change(&change, &text[change.range.start as usize..change.range.end as usize])?;
//! }
//! let (file, changes) = record.finish()?;
//! let mut report = Vec::new();
//! write_line(&mut report, &Line::Report { version: VERSION })?;
//! write_line(&mut report, &file)?;
//! report.extend(changes.into_inner());
//! write_line(&mut report, &Line::Summary { files: 1, changes: 1 })?;
//!
//! let (mut lines, mut original) = (Lines::new(Cursor::new(report)), Vec::new());
//! let entry = &entries(&mut lines)?[0];
//! assert!(entry.put_back(&mut lines, repaired, &mut original)?);
//! assert_eq!(original, text);
//! # Ok::<(), placemat_text::Error>(())
//! ```
//!
//! **Convert a legacy encoding to UTF-8**, or say in which line and column it is malformed:
//!
//! ```
//! use placemat::label::Labels;
//! use placemat::{Bom, Form, Policy};
//! use placemat_text::charset::Charset;
//! use placemat_text::convert::{Halt, Pipeline, Settings};
//! use placemat_text::place::Place;
//!
//! let sjis = Charset::resolve(Labels::Lenient, "shift_jis")?;
//! let settings = Settings { to: Form::Utf8.into(), policy: Policy::Stop, bom: Bom::Keep };
//! let (source, mut out) = (b"\x93\xFA\n\x96\x7B\xFF", Vec::new());
//! let stopped = match Pipeline::new(sjis, settings).push(source, &mut out) {
//!     Err(Halt::Stopped(stopped)) => stopped,
//!     _ => unreachable!("it ends with FF"),
//! };
//! assert_eq!(out, "日\n本".as_bytes());
//! let mut place = Place::new(sjis);
//! place.pass(&source[..stopped.error.offset() as usize]);
//! assert_eq!(place.at(stopped.error.offset(), &stopped.bytes), (2, 2));
//! # Ok::<(), placemat_text::Error>(())
//! ```
//!
//! **What a label means**, to the web and to a database:
//!
//! ```
//! use placemat::label::Labels;
//! use placemat_text::charset::Charset;
//!
//! assert_eq!(Charset::resolve(Labels::Whatwg, "latin1")?.name(), "windows-1252");
//! assert_eq!(Charset::resolve(Labels::Mysql, "utf8")?.name(), "utf8mb3");
//! let unknown = Charset::resolve(Labels::Lenient, "AL32UTF8").unwrap_err();
//! assert!(unknown.to_string().contains("oracle takes it for utf-8"));
//! # Ok::<(), placemat_text::Error>(())
//! ```
//!
//! **Explain bytes**, to people as text for a terminal or as a web page, to programs as JSON:
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
//! **Find out what several texts are made of**:
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
//!
//! # Crate features
//!
//! * `names` (default): the names of characters in [`explain`], about 1 MiB of tables.
//! * `translit` (default): the characters that resemble a character ([`translit`]), about half a MiB of tables.
//!   Without this feature nothing is transliterated.
#![forbid(unsafe_code)]

pub mod baseline;
mod character;
pub mod charset;
pub mod convert;
pub mod count;
pub mod edit;
mod error;
pub mod escape;
pub mod explain;
pub mod faults;
pub mod feed;
pub mod formats;
pub mod hidden;
pub mod iconv;
pub mod io;
pub mod listing;
pub mod models;
pub mod names;
pub mod notation;
pub mod patch;
pub mod place;
pub mod repair;
pub mod rules;
pub mod structure;
pub mod survey;
pub mod translit;

pub use error::Error;

/// Runs the code of the README as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}
