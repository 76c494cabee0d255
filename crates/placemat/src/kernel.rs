//! Kernels: vector code that does what the scalar engine does for a prefix of the text, but faster. Each is written once,
//! generic over [`Vector`](crate::vector::Vector), and compiled for each level.
//!
//! # Law of a kernel
//! For any `src` and `dst`, what a kernel has read ends on a sequence boundary, and what it has written is what the scalar
//! engine writes for those bytes under the same policy. A kernel never reports an error: it stops (or, under
//! [`Fixed::Replace`](crate::policy::Fixed), goes on), and the engine decides what the bytes are where the kernel stopped. A
//! kernel that reads nothing is always correct.
//!
//! # Why this folder is part of the argument for `unsafe`
//! The folder contains almost no `unsafe`, but the `unsafe` code of `validate`, `repair` and others relies on three answers of
//! kernels: what a kernel calls well-formed is well-formed; what it says it has written is written; UTF-8 that it writes is
//! well-formed. An error here is therefore not only a wrong answer. Only `written <= dst.len()` is asserted (`Entry::append`);
//! the rest is checked by the tests of `dispatch`, `exhaust` and `proof/`.

#![allow(
    clippy::needless_range_loop,
    reason = "an iterator over vectors need not be inlined, and then costs calls"
)]

pub(crate) use entry::{
    Check, Common, Convert, Count, Done, Length, Measure, Prefix, Progress, Ready, Swap, Valid, put,
};

#[cfg(not(placemat_plain))]
pub(crate) mod ascii;
#[cfg(not(placemat_plain))]
pub(crate) mod blocks;
pub(crate) mod cesu8;
#[cfg(not(placemat_plain))]
pub(crate) mod cesu8_convert;
#[cfg(not(placemat_plain))]
pub(crate) mod classify;
#[cfg(not(placemat_plain))]
pub(crate) mod conversion;
mod entry;
#[cfg(not(placemat_plain))]
pub(crate) mod first_error;
#[cfg(not(placemat_plain))]
pub(crate) mod from_utf16;
#[cfg(not(placemat_plain))]
pub(crate) mod from_utf32;
#[cfg(not(placemat_plain))]
pub(crate) mod from_utf8;
pub(crate) mod invisible;
#[cfg(not(placemat_plain))]
pub(crate) mod isolated_errors;
#[cfg(not(placemat_plain))]
pub(crate) mod latin1;
pub(crate) mod measure;
#[cfg(not(placemat_plain))]
pub(crate) mod medium;
#[cfg(not(placemat_plain))]
pub(crate) mod named;
pub(crate) mod prefetch;
#[cfg(not(placemat_plain))]
pub(crate) mod repair;
#[cfg(not(placemat_plain))]
pub(crate) mod scratch;
#[cfg(not(placemat_plain))]
pub(crate) mod short;
#[cfg(not(placemat_plain))]
pub(crate) mod single;
#[cfg(not(placemat_plain))]
pub(crate) mod sparse;
#[cfg(not(placemat_plain))]
pub(crate) mod stream;
#[cfg(not(placemat_plain))]
pub(crate) mod swap;
#[cfg(not(placemat_plain))]
pub(crate) mod target;
#[cfg(not(placemat_plain))]
pub(crate) mod to_latin1;
#[cfg(not(placemat_plain))]
pub(crate) mod units;
pub(crate) mod utf8;
#[cfg(not(placemat_plain))]
pub(crate) mod validate;
pub(crate) mod word;
