//! libplacemat: the library for C and C++, as `include/placemat.h` declares it.
//!
//! The README of this crate is the page for those who write C. For those who read the Rust: `exports/` holds the functions that C
//! calls, one file a section of the header, and `border.rs` is what they turn pointers into slices with. These hold all `unsafe`. The
//! other files are the types of the header and what they mean to the library.
//!
//! Nothing is to be called from Rust: the crates `placemat` and `placemat-text` are for that.
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
