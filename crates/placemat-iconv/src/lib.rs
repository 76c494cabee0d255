//! `libplacemat_iconv.so`: `iconv_open`, `iconv`, `iconv_close` and libiconv's names for them, for programs in C.
//!
//! `exports.rs` and `border.rs` are the border: C's pointers in, C's return values and `errno` out. `live.rs` turns a number that a program holds into
//! the descriptor that only one thread may use. `next.rs` looks for glibc's
//! functions, for its iconv(1). Everything behind them is safe code.
#![cfg(unix)]
#![deny(unsafe_code)]

#[expect(unsafe_code, reason = "C's variables")]
mod border;
#[expect(unsafe_code, reason = "C's pointers")]
mod exports;
#[expect(unsafe_code, reason = "one thread at a time, by a flag")]
mod live;
#[expect(unsafe_code, reason = "functions of another library")]
mod next;
