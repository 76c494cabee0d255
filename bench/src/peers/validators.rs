//! The crates that only validate: simdutf8, and smoothutf8 as it is by default.

use simdutf8::{basic, compat};

use super::verdict;
use crate::ops::{Answer, Table};

pub fn add(table: &mut Table) {
    // The flavour that is its fastest and gives no position, and the one that gives it.
    table.add("validate", "simdutf8", |src: &[u8], _: &mut [u8]| verdict(basic::from_utf8(src).is_ok()));
    table.add("error", "simdutf8", |src: &[u8], _: &mut [u8]| {
        Answer::Number(compat::from_utf8(src).map_or_else(|error| error.valid_up_to(), str::len))
    });
    table.add("validate", "smoothutf8", |src: &[u8], _: &mut [u8]| verdict(smoothutf8::verify(src)));
}
