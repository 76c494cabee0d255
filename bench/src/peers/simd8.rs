//! simdutf8.

use simdutf8::{basic, compat};

use super::verdict;
use crate::ops::{Answer, Table};

const NAME: &str = "simdutf8";

pub fn add(table: &mut Table) {
    // `basic` is the fastest and gives no position; `compat` gives the position.
    table.add("validate", NAME, |src: &[u8], _: &mut [u8]| verdict(basic::from_utf8(src).is_ok()));
    table.add("error", NAME, |src: &[u8], _: &mut [u8]| {
        Answer::Number(compat::from_utf8(src).map_or_else(|error| error.valid_up_to(), str::len))
    });
}
