//! UTF-8 and everything around it: check, convert, repair and stream every form of text bytes.
//!
//! ```
//! use placemat::{Form, Policy, Transcoder};
//!
//! assert_eq!(placemat::validate("naïve".as_bytes()), Ok("naïve"));
//! assert_eq!(placemat::repair(b"na\xEFve"), "na\u{FFFD}ve");
//! assert_eq!(placemat::convert(Form::Utf8, Form::Utf16Le, "é".as_bytes()), Ok(vec![0xE9, 0]));
//!
//! let error = placemat::validate(b"na\xEFve").unwrap_err();
//! assert_eq!(error.to_string(), "missing-continuation at byte 2 (length 1)");
//! ```
//!
//! # Overview
//!
//! A [`Form`] is one way to write code points as bytes: UTF-8, its ancestors (both FSS-UTF drafts, the six octets of RFC 2279,
//! UTF-1, UTF-7) and its dialects (CESU-8, Modified UTF-8, WTF-8, Python's surrogateescape, MirBSD's OPTU), UTF-16, UCS-2,
//! UTF-32, UCS-4, and the three single-byte encodings that ill-formed UTF-8 most often turns out to be. All of them share:
//!
//! * **one engine**, [`Transcoder`]: it streams, does not allocate, and gives the same result however the input is divided into
//!   chunks;
//! * **one error type**, [`Error`]: kind, offset and length; for UTF-8 the offset and length of [`core::str::Utf8Error`] and the
//!   WHATWG;
//! * **one set of policies**, [`Policy`]: what is written in place of an error; a closure can decide it too.
//!
//! | to … | call |
//! |---|---|
//! | check | [`validate()`], [`is_valid`], [`valid_prefix`]; every error: [`errors()`]; in which forms bytes are well-formed: [`verdicts()`] |
//! | check a stream | [`Validator`] |
//! | get text from the tokens of a language model | [`Detokenizer`] |
//! | get text | [`decode`], [`decode_lossy`]; from a `Vec`, without a copy: [`into_string`], [`into_string_lossy`] |
//! | repair | [`repair`], or a [`Policy`] of your choice |
//! | convert slices of code units | [`utf16`], [`utf32`], [`latin1`] |
//! | read and write Java's and Oracle's UTF-8 | [`mutf8`], [`cesu8`]; with their lengths: [`frame`] |
//! | keep text that may hold lone surrogates | [`wtf8`] |
//! | carry any bytes as readable text, and get them back | [`escaped`] |
//! | convert a buffer | [`convert`], [`convert_with`], [`convert_into`]; the size of the result: [`length`] |
//! | convert a stream | [`Transcoder`], [`io::Reader`], [`io::Writer`] |
//! | read each sequence | [`sequences()`], [`count()`] |
//! | cut bytes where characters end | [`boundary`] |
//! | go from bytes to lines, columns and units | [`position`]; many times in one text: [`offsets`] |
//! | find text, or compare it, in any form | [`search`], [`compare`] |
//! | find out what a label means | [`label`] |
//! | read or remove a byte order mark | [`bom`] |
//!
//! # Cookbook
//!
//! Fall back to windows-1252 for ill-formed bytes only, as many mail readers do:
//!
//! ```
//! # use placemat::{Form, Policy, Transcoder, convert_with};
//! let fallback = Transcoder::new(Form::Utf8, Form::Utf8).on_error(Policy::Cp1252);
//! assert_eq!(convert_with(fallback, b"\x93na\xC3\xAFve\x94").unwrap(), "“naïve”".as_bytes());
//! ```
//!
//! Read Java's modified UTF-8, and write it:
//!
//! ```
//! # use placemat::{Form, convert};
//! assert_eq!(convert(Form::Mutf8, Form::Utf8, b"\xC0\x80\xED\xA0\xBD\xED\xB8\x80").unwrap(), "\0😀".as_bytes());
//! assert_eq!(convert(Form::Utf8, Form::Mutf8, "\0".as_bytes()).unwrap(), b"\xC0\x80");
//! ```
//!
//! Carry bytes that are no text through an API that takes text, and get them back:
//!
//! ```
//! # use placemat::escaped;
//! let name = b"caf\xE9.txt";
//! let text = escaped::from_bytes(name);
//! assert_eq!(text, r"caf\xe9.txt");
//! assert_eq!(escaped::to_bytes(&text), &name[..]);
//! ```
//!
//! Do the same with units of 32 bits, as Python's `surrogateescape` does it (PEP 383). No `String` can hold these units:
//!
//! ```
//! # use placemat::{Form, convert};
//! let name = b"caf\xE9.txt";
//! let units = convert(Form::Utf8b, Form::Ucs4Le, name).unwrap();
//! assert_eq!(convert(Form::Ucs4Le, Form::Utf8b, &units).unwrap(), name);
//! ```
//!
//! # Speed
//!
//! The CPU is asked once which instructions it has ([`Level`]), also without `std`. Kernels for SSE4.2, AVX2, AVX-512, NEON and
//! WebAssembly's simd128 convert what is easy, and scalar code converts the rest. The result is the same at every level. A build
//! without optimization (`opt-level = 0`) has no kernels, because they would be slower there; a build for size (`s`, `z`) has
//! fewer special cases for short texts; `RUSTFLAGS="--cfg placemat_no_avx512"` leaves out the kernels for AVX-512. The numbers,
//! and how to measure them again, are in the repository's `COMPARE.md`.
//!
//! # Crate features
//!
//! * `std` (default): [`io`], and everything of `alloc`.
//! * `alloc`: functions that return `Vec`, `String` and `Cow`.
//! * `invisible` (default): [`invisible`], which finds characters that are not shown, with 15 KB of tables.
//! * `serde`: `Serialize` and `Deserialize` for [`Form`], [`ErrorKind`], [`Level`] and [`label::Labels`], by name, and for [`CodePoint`] and
//!   [`Error`].
//!
//! Without `std` and `alloc` the library is `no_std` and allocates nothing. Its only dependency is `serde`, and only with that
//! feature. The minimum Rust version is 1.89.
#![cfg_attr(
    not(feature = "std"),
    allow(rustdoc::broken_intra_doc_links, reason = "the docs of all features have what is linked to")
)]
#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![deny(unsafe_code)]
#![cfg_attr(
    any(
        placemat_plain,
        not(any(target_arch = "x86_64", target_arch = "aarch64", target_feature = "simd128"))
    ),
    allow(
        dead_code,
        unused_imports,
        unused_macros,
        reason = "without vectors nobody asks for what is written over lanes"
    )
)]

#[cfg(feature = "alloc")]
extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

pub mod bom;
pub mod boundary;
mod carry;
mod code_point;
mod codec;
pub mod compare;
mod count;
#[cfg(feature = "alloc")]
mod detokenizer;
#[expect(unsafe_code, reason = "kernels are called through pointers")]
mod dispatch;
mod error;
#[cfg(feature = "alloc")]
pub mod escaped;
mod form;
pub mod frame;
mod glance;
#[cfg(feature = "invisible")]
pub mod invisible;
#[cfg(feature = "std")]
pub mod io;
#[expect(unsafe_code, reason = "kernels of UTF-8 and its relatives call each other through pointers")]
mod kernel;
pub mod label;
#[cfg(all(test, feature = "std"))]
mod laws;
mod names;
#[cfg(feature = "alloc")]
pub mod offsets;
#[cfg(feature = "alloc")]
#[expect(unsafe_code, reason = "text that the UTF-8 writer wrote")]
mod owned;
mod padding;
mod plain;
mod policy;
pub mod position;
#[cfg(feature = "alloc")]
mod related;
mod run;
pub mod search;
mod sequences;
#[cfg(feature = "serde")]
mod serde;
mod transcode;
#[expect(unsafe_code, reason = "units as bytes")]
mod typed;
#[expect(unsafe_code, reason = "text that was validated")]
mod validate;
mod validator;
#[allow(unsafe_code, reason = "intrinsics; none on some targets")]
mod vector;
mod verdicts;
#[expect(unsafe_code, reason = "a type that is its bytes")]
pub mod wtf8;

pub use bom::Bom;
pub use code_point::{CodePoint, NoCodePoint};
pub use codec::{Facts, Layout};
pub use count::{count, count_str, length, length_with};
#[doc(hidden)]
pub use count::{
    count_heads, count_heads_of_each, count_misread, glance, glance_at_returns, is_ascii, neighbours,
};
#[cfg(feature = "alloc")]
pub use detokenizer::Detokenizer;
pub use dispatch::Level;
pub use error::{Error, ErrorKind};
pub use form::Form;
#[doc(hidden)]
pub use glance::{Glance, Neighbours};
pub use names::UnknownName;
#[cfg(feature = "alloc")]
pub use owned::{
    NotText, convert, convert_into, convert_with, decode, decode_lossy, into_string, into_string_lossy,
    repair, repair_into,
};
pub use policy::{Decision, ErrorSize, Fault, Fixed, Handler, Misfit, Policy, StandIn, Text, Unencodable};
#[cfg(feature = "alloc")]
pub use related::{cesu8, mutf8};
pub use sequences::{Errors, Sequence, Sequences, errors, sequences};
pub use transcode::{Status, Step, Transcoder};
pub use typed::{latin1, utf16, utf32};
pub use validate::{is_valid, valid_prefix, validate};
pub use validator::Validator;
pub use verdicts::{FormVerdict, Verdicts, verdicts};

/// The code of the README is run as a test.
#[cfg(doctest)]
#[doc = include_str!("../REPOSITORY.md")]
mod readme {}

/// The code of the crate's own README is run as a test.
#[cfg(all(doctest, feature = "std"))]
#[doc = include_str!("../README.md")]
mod crate_readme {}
