//! `libplacemat_iconv.so`: `iconv_open`, `iconv`, `iconv_close` and libiconv's names for them, for C programs.
//!
//! `exports.rs` and `border.rs` convert C's pointers to slices, and results to C's return values and `errno`. `live.rs` maps the
//! numbers that a program holds to descriptors, each for one thread at a time. `next.rs` finds glibc's functions, for glibc's
//! iconv(1). All other code is safe.
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
