//! Slices of a column with a step.

use arrow_array::{Array, ArrayRef, make_array};
use arrow_data::transform::MutableArrayData;
use arrow_schema::ArrowError;
use pyo3::types::slice::PySliceIndices;

/// The rows of a slice as one chunk; `None` if the column has no chunk. For columns of views, which pyarrow cannot slice with a step.
///
/// # Errors
/// None: the rows fit, because the slice has no more of them than the column.
pub(super) fn of(chunks: &[ArrayRef], slice: &PySliceIndices) -> Result<Option<ArrayRef>, ArrowError> {
    if chunks.is_empty() {
        return Ok(None);
    }
    let data: Vec<_> = chunks.iter().map(|chunk| chunk.to_data()).collect();
    let mut rows = MutableArrayData::new(data.iter().collect(), false, slice.slicelength);
    // The first row of each chunk.
    let starts = chunks.iter().scan(0, |end, chunk| Some(std::mem::replace(end, *end + chunk.len())));
    let starts: Vec<usize> = starts.collect();
    let place = |step: usize| slice.start + slice.step * step as isize;
    for row in (0..slice.slicelength).map(|step| place(step) as usize) {
        let chunk = starts.partition_point(|&start| start <= row) - 1;
        let at = row - starts[chunk];
        rows.try_extend(chunk, at, at + 1)?;
    }
    Ok(Some(make_array(rows.freeze())))
}
