//! The ABI of Polars' plugins, version 0.1: ownership and release of series and fields.
//!
//! Source: `polars-ffi/src/version_0.rs` and `polars-plan/src/dsl/functions/plugin.rs` of Polars, for the layout of
//! [`SeriesExport`] and the names and types of the functions. Arrays and schemas are those of Arrow's C data interface.

use core::ffi::{c_char, c_void};
use core::{mem, ptr, slice};
use std::cell::RefCell;
use std::ffi::CString;
use std::mem::ManuallyDrop;
use std::panic::{AssertUnwindSafe, catch_unwind};

use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema, from_ffi};
use arrow_array::{Array, ArrayRef, make_array, new_null_array};
use arrow_schema::{DataType, Field};

use super::{Gives, Work, known, known_type, option, words};

/// Major and minor version of the ABI.
const VERSION: u32 = 1;

thread_local! {
    static LAST_ERROR: RefCell<CString> = RefCell::default();
}

/// A series that is passed between two libraries.
#[repr(C)]
pub struct SeriesExport {
    field: *mut FFI_ArrowSchema,
    arrays: *mut *mut FFI_ArrowArray,
    len: usize,
    release: Option<unsafe extern "C" fn(*mut SeriesExport)>,
    private_data: *mut c_void,
}

/// The data that an exported series owns. Its receiver has moved the arrays out before it calls `release`.
struct Own {
    field: FFI_ArrowSchema,
    arrays: Vec<*mut FFI_ArrowArray>,
}

#[unsafe(no_mangle)]
extern "C" fn _polars_plugin_get_version() -> u32 {
    VERSION
}

/// The last error message of this thread. It is valid until the next call.
#[unsafe(no_mangle)]
extern "C" fn _polars_plugin_get_last_error_message() -> *const c_char {
    LAST_ERROR.with_borrow(|error| error.as_ptr())
}

/// The result of `work`; `None` if it failed or panicked. Then the message is stored for Polars.
fn noted<T>(work: impl FnOnce() -> Result<T, String>) -> Option<T> {
    let done =
        catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|_| Err("a panic; please report it".to_owned()));
    done.map_err(|error| LAST_ERROR.set(CString::new(error.replace('\0', "\\0")).unwrap_or_default())).ok()
}

/// Takes ownership of a series. Returns its field and its chunks.
///
/// # Safety
/// Polars passes a series that is not released, and will not release it.
unsafe fn import(series: &mut SeriesExport) -> Result<(Field, Vec<ArrayRef>), String> {
    // SAFETY: as many arrays as it says, of its field. Each is moved out and marked as released; then the series releases the rest.
    unsafe {
        let schema = &*series.field;
        let arrays = (0..series.len).map(|at| FFI_ArrowArray::from_raw(*series.arrays.add(at)));
        let arrays: Vec<_> = arrays.collect();
        let field = Field::try_from(schema).map_err(words);
        // Polars gives an array of the type Null a buffer, which Arrow's interface does not allow.
        let is_of_nulls = field.as_ref().is_ok_and(|field| *field.data_type() == DataType::Null);
        let arrays = arrays.into_iter().map(|array| match is_of_nulls {
            true => Ok(new_null_array(&DataType::Null, array.len())),
            false => from_ffi(array, schema).map(make_array).map_err(words),
        });
        let arrays: Result<Vec<ArrayRef>, String> = arrays.collect();
        if let Some(release) = series.release {
            release(series);
        }
        Ok((field?, arrays?))
    }
}

fn export(field: &Field, chunks: &[ArrayRef]) -> Result<SeriesExport, String> {
    let field = FFI_ArrowSchema::try_from(field).map_err(words)?;
    let arrays = chunks.iter().map(|chunk| Box::into_raw(Box::new(FFI_ArrowArray::new(&chunk.to_data()))));
    let own = Box::into_raw(Box::new(Own { field, arrays: arrays.collect() }));
    // SAFETY: it was just made, and stays where it is until `release`.
    let (field, arrays, len) =
        unsafe { (&raw mut (*own).field, (*own).arrays.as_mut_ptr(), (*own).arrays.len()) };
    Ok(SeriesExport { field, arrays, len, release: Some(release), private_data: own.cast() })
}

/// # Safety
/// `series` was made by [`export`] and is not released.
unsafe extern "C" fn release(series: *mut SeriesExport) {
    // SAFETY: by the contract above; Polars has moved the arrays out and releases them itself: here only the boxes are freed.
    unsafe {
        let own = Box::from_raw((*series).private_data.cast::<Own>());
        for array in &own.arrays {
            drop(Box::from_raw(array.cast::<ManuallyDrop<FFI_ArrowArray>>()));
        }
        (*series).release = None;
    }
}

/// Runs an expression. The first series is the column, the others are options.
///
/// # Safety
/// `series` points to `count` series that Polars passes; `out` can be written.
unsafe fn run(work: Work, gives: Gives, series: *mut SeriesExport, count: usize, out: *mut SeriesExport) {
    let made = noted(|| {
        // SAFETY: by the contract above.
        let series = unsafe { slice::from_raw_parts_mut(series, count) };
        // SAFETY: ownership of each is taken once, also of those behind one that is refused.
        let taken: Vec<_> = series.iter_mut().map(|series| unsafe { import(series) }).collect();
        let mut taken = taken.into_iter().collect::<Result<Vec<_>, String>>()?.into_iter();
        let (field, chunks) = taken.next().ok_or("a column is missing")?;
        let options = taken.filter_map(|(_, chunks)| option(&**chunks.first()?)).collect::<Vec<_>>();
        let gives = gives(&known_type(field.data_type())?)?;
        let chunks = chunks.into_iter().filter(|chunk| !chunk.is_empty());
        let done = chunks.map(|chunk| work(&*known(chunk), &options));
        let mut done = done.collect::<Result<Vec<_>, String>>()?;
        if done.is_empty() {
            done.push(arrow_array::new_empty_array(&gives));
        }
        export(&Field::new(field.name(), done[0].data_type().clone(), true), &done)
    });
    if let Some(made) = made {
        // SAFETY: `out` can be written; what it held is empty.
        unsafe { ptr::write(out, made) };
    }
}

/// Writes the field of an expression's result.
///
/// # Safety
/// `fields` points to `count` fields; `out` can be written.
unsafe fn field(gives: Gives, fields: *const FFI_ArrowSchema, count: usize, out: *mut FFI_ArrowSchema) {
    let made = noted(|| {
        // SAFETY: by the contract above; they stay Polars' own.
        let fields = unsafe { slice::from_raw_parts(fields, count) };
        let field = Field::try_from(fields.first().ok_or("a column is missing")?).map_err(words)?;
        let given = Field::new(field.name(), gives(&known_type(field.data_type())?)?, true);
        FFI_ArrowSchema::try_from(&given).map_err(words)
    });
    if let Some(made) = made {
        // SAFETY: `out` can be written; what it held is empty.
        unsafe { mem::forget(ptr::replace(out, made)) };
    }
}

/// Defines the two functions of an expression that Polars looks up by name.
macro_rules! expression {
    ($run:ident, $field:ident, $work:expr, $gives:expr) => {
        /// # Safety
        /// Polars calls it.
        #[unsafe(no_mangle)]
        unsafe extern "C" fn $run(
            series: *mut SeriesExport,
            count: usize,
            _: *const u8,
            _: usize,
            out: *mut SeriesExport,
            _: *mut c_void,
        ) {
            // SAFETY: Polars passes `count` series and the place for the result.
            unsafe { run($work, $gives, series, count, out) }
        }

        /// # Safety
        /// Polars calls it.
        #[unsafe(no_mangle)]
        unsafe extern "C" fn $field(
            fields: *const FFI_ArrowSchema,
            count: usize,
            out: *mut FFI_ArrowSchema,
            _: *const u8,
            _: usize,
        ) {
            // SAFETY: Polars passes `count` fields and the place for the result. The other arguments are not read.
            unsafe { field($gives, fields, count, out) }
        }
    };
}

expression!(_polars_plugin_is_valid, _polars_plugin_field_is_valid, super::is_valid, super::bool);
expression!(_polars_plugin_repair, _polars_plugin_field_repair, super::repair, super::text);
expression!(_polars_plugin_convert, _polars_plugin_field_convert, super::convert, super::text);
expression!(_polars_plugin_convert_bytes, _polars_plugin_field_convert_bytes, super::convert, super::bytes);
expression!(_polars_plugin_first_error, _polars_plugin_field_first_error, super::first_error, |source| {
    super::made(super::first_error)(source)
});
expression!(_polars_plugin_detect, _polars_plugin_field_detect, super::detect, |source| super::made(
    super::detect
)(source));
expression!(_polars_plugin_mojibake, _polars_plugin_field_mojibake, super::mojibake, |source| super::made(
    super::mojibake
)(source));
expression!(_polars_plugin_lengths, _polars_plugin_field_lengths, super::lengths, |source| super::made(
    |array, _| super::lengths(array, &["code-points".to_owned()])
)(source));
