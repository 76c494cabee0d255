//! Whether two results have the same rows.

use arrow_array::{Array as _, ArrayRef};

use super::result::Chunks;

impl PartialEq for Chunks {
    /// Compares types and rows; where chunks begin does not matter.
    fn eq(&self, other: &Chunks) -> bool {
        self.field.data_type() == other.field.data_type()
            && self.len() == other.len()
            && are_equal(&self.chunks, &other.chunks)
    }
}

/// Whether these chunks, which have the same number of rows, have equal rows.
fn are_equal(left: &[ArrayRef], right: &[ArrayRef]) -> bool {
    let mut ours = left.iter().filter(|chunk| !chunk.is_empty()).cloned();
    let mut theirs = right.iter().filter(|chunk| !chunk.is_empty()).cloned();
    let mut next = (ours.next(), theirs.next());
    while let (Some(left), Some(right)) = &next {
        let count = left.len().min(right.len());
        if *left.slice(0, count) != *right.slice(0, count) {
            return false;
        }
        let rest = |chunk: &ArrayRef| (chunk.len() > count).then(|| chunk.slice(count, chunk.len() - count));
        next = (rest(left).or_else(|| ours.next()), rest(right).or_else(|| theirs.next()));
    }
    true
}
