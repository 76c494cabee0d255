//! placemat as WebAssembly, for the npm package `placemat`.
//!
//! JavaScript writes into memory that this module hands out and reads what it tells back; no pointer comes in, so nothing here
//! reads through one. All values are numbers; names and settings are text in the same memory, and answers are JSON.
//!
//! The package has several modules, each this crate with other features: who checks UTF-8 does not load the tables of Shift JIS.

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
