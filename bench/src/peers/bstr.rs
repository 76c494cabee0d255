//! bstr.

use bstr::ByteSlice;

use super::verdict;
use crate::ops::{Answer, Table};

const NAME: &str = "bstr";

pub fn add(table: &mut Table) {
    table.add("validate", NAME, |src: &[u8], _: &mut [u8]| verdict(src.to_str().is_ok()));
    table.add("error", NAME, |src: &[u8], _: &mut [u8]| {
        Answer::Number(src.to_str().map_or_else(|error| error.valid_up_to(), str::len))
    });
    table.add("repair", NAME, |src: &[u8], _: &mut [u8]| Answer::Text(src.to_str_lossy()));
}
