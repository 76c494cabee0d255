//! libplacemat: the library for C and C++, as `include/placemat.h` declares it.
//!
//! The README of this crate is written for C programmers. For readers of the Rust code: `exports/` has the functions that C
//! calls, one file for each section of the header; they use `border.rs` to turn pointers into slices. All `unsafe` code is in
//! these. The other files have the types of the header, and convert them to those of the library.
//!
//! Rust programs should use the crates `placemat` and `placemat-text` instead.
#![allow(non_camel_case_types, reason = "the names of the header")]
#![deny(unsafe_code)]

#[allow(unsafe_code, reason = "pointers from C")]
mod border;
#[cfg(feature = "text")]
pub mod converter;
pub mod encoding;
#[allow(unsafe_code, reason = "functions that C calls")]
pub mod exports;
pub mod measures;
mod names;
pub mod settings;
pub mod status;
#[cfg(feature = "text")]
mod text;
