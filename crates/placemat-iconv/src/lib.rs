//! `libplacemat_iconv.so`: `iconv_open`, `iconv`, `iconv_close` and libiconv's names for them, for programs in C.
//!
//! `exports.rs` is the border: C's pointers in, C's return values and `errno` out. Everything behind it is safe code.
#![deny(unsafe_code)]

#[expect(unsafe_code, reason = "C's pointers")]
mod exports;
mod list;
mod live;
