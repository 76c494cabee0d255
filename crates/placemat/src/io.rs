//! Adapters for `std::io`: a [`Reader`] that reads any form as UTF-8, and a [`Writer`] that writes UTF-8 in any form.
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
