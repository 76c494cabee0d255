//! smoothutf8, with its default settings.

use super::verdict;
use crate::ops::Table;

pub fn add(table: &mut Table) {
    table.add("validate", "smoothutf8", |src: &[u8], _: &mut [u8]| verdict(smoothutf8::verify(src)));
}
