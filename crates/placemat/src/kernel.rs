//! Kernels: fast prefixes of the scalar engine, written once over [`Vector`](crate::vector::Vector) and compiled for each level.
//!
//! # Law of a kernel
//! For any `src` and `dst`: what was read ends on a sequence boundary, and what was written is the scalar engine's
//! answer to it under the same fixed policy. A kernel never reports an error: it stops (or, under
//! [`Fixed::Replace`](crate::policy::Fixed), goes on), and the engine decides what stands where it stopped. Reading nothing is
//! always right.
//!
//! # Why this folder is part of the argument for `unsafe`
//! There is next to no `unsafe` in it, but `validate`, `repair` and others rely on what kernels answer: that what they call
//! well-formed is so, that what they say they have written is written, and that UTF-8 which they write is well-formed.
//! An error here is therefore not only a wrong answer. Of this, `written <= dst.len()` alone is asserted (`Entry::append`);
//! the rest is what the tests of `dispatch`, `exhaust` and `proof/` are for.

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
