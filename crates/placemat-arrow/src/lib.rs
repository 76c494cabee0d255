//! Text of whole Arrow columns: checked, repaired, converted, measured.
//!
//! Each function takes any array of bytes or text: `Binary`, `LargeBinary`, `BinaryView`, `FixedSizeBinary`, `Utf8`,
//! `LargeUtf8`, `Utf8View`, and dictionaries of them. Slices and nulls are as they should be: a null row stays null, and the
//! bytes that may lie under it are never looked at for an answer. Columns of type `Utf8` are looked at like any other: what
//! comes through the C data interface is only said to be UTF-8.
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
//! | get text out of bytes | [`repair`]: without a copy where nothing is wrong |
//! | change the form | [`convert()`] |
//! | measure | [`lengths()`] in code points, UTF-16 units, or bytes of any form |
//! | guess what it is | [`detect()`] |
//!
//! What is wrong, and what becomes of it, is decided by [`placemat`]: its forms, its error kinds, its policies. This crate
//! adds that rows are looked at in blocks, because most strings are shorter than a call is long.
#![deny(unsafe_code)]

#[expect(unsafe_code, reason = "text that was validated, or written by the writer of UTF-8")]
mod convert;
mod detect;
mod error;
mod lengths;
mod mend;
mod report;
mod rewrite;
mod rows;
mod scan;
mod sink;

pub use convert::{convert, converted_type, repair};
pub use detect::{detect, detect_type};
pub use error::Error;
pub use lengths::{Unit, lengths};
pub use report::{errors, first_error, first_error_type, is_valid};

/// The code of the README is run as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}
