//! placemat as WebAssembly, for the npm package `placemat`.
//!
//! JavaScript writes into memory that this module hands out and reads what it tells back; no pointer comes in, so nothing here
//! reads through one. All values are numbers; names and settings are text in the same memory.

mod exports;
mod session;
mod stream;
