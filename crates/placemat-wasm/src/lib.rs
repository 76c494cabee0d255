//! placemat as WebAssembly, for the npm package `placemat`.
//!
//! JavaScript writes to memory that this module allocates, and reads the results from it. JavaScript passes no pointers, so this
//! module never reads through one. All arguments are numbers. Names and settings are text in the same memory, and answers are
//! JSON.
//!
//! The package has several modules. Each is this crate with other features, so that a check of UTF-8 need not load the tables of
//! Shift JIS.

mod exports;
mod session;

#[cfg(feature = "detect")]
mod detect;
#[cfg(feature = "explain")]
mod explain;
#[cfg(feature = "forms")]
mod forms;
#[cfg(feature = "legacy")]
mod legacy;
#[cfg(feature = "names")]
mod names;
#[cfg(any(feature = "detect", feature = "explain", feature = "survey"))]
mod pull;
