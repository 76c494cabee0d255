//! Columns whose rows take microseconds each: cut into parts, which threads read at the same time.

use core::num::NonZeroUsize;
use core::ops::Range;
use std::thread::{self, available_parallelism};

use arrow_array::{Array, ArrayRef, make_array};
use arrow_data::ArrayData;
use arrow_data::transform::MutableArrayData;
use arrow_schema::DataType;
use placemat_arrow::Error;

/// The least size of a part, in bytes. Starting a thread takes longer than reading this much text in which nothing changes.
const PART: usize = 128 << 10;

/// Returns the result of `work` for the array, by at most `threads` threads, or by one per processor. Rows do not depend on each other, so the
/// result is the same for any number.
pub(super) fn each(
    array: &dyn Array,
    threads: Option<NonZeroUsize>,
    work: &(dyn Fn(&dyn Array) -> Result<ArrayRef, Error> + Sync),
) -> Result<ArrayRef, Error> {
    let most = size(array) / PART;
    // Each value of a dictionary is processed once.
    if most < 2 || matches!(array.data_type(), DataType::Dictionary(..)) {
        return work(array);
    }
    let threads = threads.or_else(|| available_parallelism().ok()).map_or(1, usize::from);
    let count = threads.min(most).min(array.len());
    if count < 2 {
        return work(array);
    }
    let starts = |part: usize| array.len() * part / count;
    let rows: Vec<Range<usize>> = (0..count).map(|part| starts(part)..starts(part + 1)).collect();
    let parts: Vec<ArrayRef> = rows.iter().map(|rows| array.slice(rows.start, rows.len())).collect();
    let made = thread::scope(|scope| {
        let started: Vec<_> = parts[1..]
            .iter()
            .map(|part| thread::Builder::new().spawn_scoped(scope, move || work(&**part)).map_err(|_| part))
            .collect();
        let first = work(&*parts[0]);
        let others = started.into_iter().map(|thread| match thread {
            Ok(thread) => thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
            // No more threads could be started.
            Err(part) => work(&**part),
        });
        [first].into_iter().chain(others).collect::<Vec<_>>()
    });
    let in_order =
        made.into_iter().zip(&rows).map(|(made, rows)| made.map_err(|error| behind(rows.start, error)));
    let made: Vec<ArrayData> = in_order.map(|made| Ok(made?.to_data())).collect::<Result<_, Error>>()?;
    if made.iter().zip(&parts).all(|(made, part)| made.ptr_eq(&part.to_data())) {
        return Ok(array.slice(0, array.len()));
    }
    let mut all = MutableArrayData::new(made.iter().collect(), false, array.len());
    for (at, part) in made.iter().enumerate() {
        all.try_extend(at, 0, part.len()).map_err(|_| Error::TooLong)?;
    }
    Ok(make_array(all.freeze()))
}

/// Returns the error of a part that begins with this row, with the row counted from the start of the array.
fn behind(start: usize, error: Error) -> Error {
    match error {
        Error::Row { row, error } => Error::Row { row: start + row, error },
        other => other,
    }
}

/// About the number of bytes of its rows.
fn size(array: &dyn Array) -> usize {
    match array.data_type() {
        // The bytes are in buffers that other rows may share.
        DataType::BinaryView | DataType::Utf8View => array.get_buffer_memory_size(),
        _ => array.to_data().get_slice_memory_size().unwrap_or(0),
    }
}
