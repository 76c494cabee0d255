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

pub(crate) use entry::{Common, Convert, Count, Measure, Prefix, Progress, Ready, Swap};

pub(crate) mod ascii;
pub(crate) mod blocks;
pub(crate) mod cesu8;
pub(crate) mod cesu8_convert;
pub(crate) mod classify;
pub(crate) mod conversion;
mod entry;
pub(crate) mod first_error;
pub(crate) mod from_utf16;
pub(crate) mod from_utf32;
pub(crate) mod from_utf8;
pub(crate) mod invisible;
pub(crate) mod isolated_errors;
pub(crate) mod latin1;
pub(crate) mod measure;
pub(crate) mod medium;
pub(crate) mod named;
pub(crate) mod prefetch;
pub(crate) mod repair;
pub(crate) mod scratch;
pub(crate) mod short;
pub(crate) mod single;
pub(crate) mod swap;
pub(crate) mod target;
pub(crate) mod to_latin1;
pub(crate) mod units;
pub(crate) mod utf8;
pub(crate) mod validate;
pub(crate) mod word;
