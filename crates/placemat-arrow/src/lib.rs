//! Checks, repairs, converts and measures the text of whole Arrow columns.
//!
//! Each function takes any array of bytes or text: `Binary`, `LargeBinary`, `BinaryView`, `FixedSizeBinary`, `Utf8`,
//! `LargeUtf8`, `Utf8View`, and dictionaries of them. Sliced arrays work. A null row stays null, and the bytes under it
//! never influence an answer. Columns of type `Utf8` are checked like any other, since the C data interface does not guarantee
//! that they are UTF-8.
//!
//! ```
//! use arrow_array::{Array, BinaryArray, cast::AsArray};
//! use placemat::{Form, Policy};
//!
//! let column = BinaryArray::from_vec(vec![b"plain", b"caf\xE9", "naïve".as_bytes()]);
//! assert_eq!(placemat_arrow::is_valid(&column, Form::Utf8)?.true_count(), 2);
//!
//! let text = placemat_arrow::repair(&column, Policy::Cp1252)?;
//! assert_eq!(text.as_string::<i32>().value(1), "café");
//! # Ok::<(), placemat_arrow::Error>(())
//! ```
//!
//! | to … | call |
//! |---|---|
//! | check | [`is_valid`], [`first_error`]; every error: [`errors`] |
//! | turn bytes into text | [`repair`]: without a copy if nothing is wrong |
//! | change the form | [`convert()`] |
//! | measure | [`lengths()`] in code points, UTF-16 units, or bytes of any form |
//! | find characters that are not shown | [`invisible_counts`]; each with its place and what it hides: [`invisible()`] |
//! | guess the encoding | [`detect()`] |
//!
//! Forms, error kinds and policies are those of [`placemat`]. This crate adds that rows are checked in blocks, because for a short
//! string the call takes longer than the check.
#![deny(unsafe_code)]

#[expect(unsafe_code, reason = "text that was validated, or written by the writer of UTF-8")]
mod convert;
mod detect;
#[expect(unsafe_code, reason = "values that were text, and keys that are counted")]
mod dictionary;
mod error;
mod invisible;
mod joined;
mod lengths;
mod mend;
mod pool;
mod report;
mod rewrite;
mod rows;
mod scan;
mod sink;
mod stand_in;

pub use convert::{ByteTable, Otherwise, convert, converted_type, repair};
pub use detect::{detect, detect_type};
pub use dictionary::with_values;
pub use error::Error;
pub use invisible::{invisible, invisible_counts};
pub use lengths::{Unit, lengths};
pub use pool::release_memory;
pub use report::{errors, first_error, first_error_type, is_valid};

/// Runs the README's code as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}
