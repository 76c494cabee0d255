//! `std::io` on top of the engine: a [`Reader`] that yields UTF-8 out of any form, a [`Writer`] that takes it to any form.
//!
//! ```
//! use std::io::BufRead as _;
//! use placemat::{Form, io::Reader};
//!
//! let file = &b"one\ntw\xFFo\nthree"[..];
//! let lines: Vec<String> = Reader::lossy(file, Form::Utf8).lines().collect::<Result<_, _>>()?;
//! assert_eq!(lines, ["one", "tw\u{FFFD}o", "three"]);      // no line is lost to a bad byte
//! # Ok::<(), std::io::Error>(())
//! ```

#![forbid(unsafe_code)]

mod reader;
mod writer;

pub use self::reader::Reader;
pub use self::writer::Writer;

const BUFFER: usize = 16 * 1024;
