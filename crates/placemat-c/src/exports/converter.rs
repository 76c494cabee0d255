//! Streams in every encoding, in memory that the library allocates.

use core::ffi::c_void;
use core::ptr;

use placemat::Error;

use super::check::tell;
use super::text::{emptied, fill, placemat_buffer};
use crate::border::{self, Answer, caught, guard};
use crate::converter::placemat_converter;
use crate::encoding::placemat_encoding;
use crate::settings::placemat_settings;
use crate::status::placemat_error;
use crate::status::placemat_status::{
    self, PLACEMAT_BAD_STORAGE, PLACEMAT_NEED_INPUT, PLACEMAT_NULL_POINTER, PLACEMAT_OK,
};

/// Creates a converter between any two encodings; `*converter` becomes a pointer to it, or NULL.
///
/// `settings` may be NULL for the defaults. Free the converter with placemat_converter_free.
/// Errors: PLACEMAT_UNKNOWN_ENCODING, PLACEMAT_UNKNOWN_VALUE, PLACEMAT_UNSUITABLE, PLACEMAT_NULL_POINTER.
/// Cost: allocates some 100 KB.
///
/// # Safety
/// `settings` is NULL or points to settings; `converter` points to a pointer, which is overwritten.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn placemat_converter_new(
    from: placemat_encoding,
    to: placemat_encoding,
    settings: *const placemat_settings,
    converter: *mut *mut placemat_converter,
) -> placemat_status {
    guard(|| {
        // SAFETY: the caller guarantees what `border` requires.
        let (settings, place) = unsafe { (border::value(settings)?, border::place(converter)?) };
        place.write(ptr::null_mut());
        let made = placemat_converter::new(from, to, &settings.unwrap_or_default())?;
        place.write(Box::into_raw(Box::new(made)));
        Ok(PLACEMAT_OK)
    })
}

/// Converts the next chunk of the input; `*out` becomes what was written.
///
/// Returns PLACEMAT_NEED_INPUT, or PLACEMAT_TEXT_ERROR at an error that stops the stream. `*out` then has the output up to the error, ended
/// like a whole text, and every later call returns the same error and writes nothing. `error` may be NULL. The size of the chunks does not
/// change what is written.
/// Errors: PLACEMAT_TEXT_ERROR, PLACEMAT_NULL_POINTER, PLACEMAT_TOO_LONG; `*out` is empty then, except for the first.
/// Cost: linear; allocates `*out`.
///
/// # Safety
/// `converter` was returned by placemat_converter_new and is used by this thread only; `data` points to `length` bytes, `out` to
/// a placemat_buffer, which is overwritten; `error` is NULL or points to a placemat_error.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn placemat_converter_push(
    converter: *mut placemat_converter,
    data: *const c_void,
    length: usize,
    out: *mut placemat_buffer,
    error: *mut placemat_error,
) -> placemat_status {
    // SAFETY: the caller guarantees what `run` and `border` require.
    let work = |own: &mut placemat_converter| own.push(unsafe { border::input(data, length) }?);
    // SAFETY: as above.
    guard(|| unsafe { run(converter, out, error, PLACEMAT_NEED_INPUT, work) })
}

/// Ends the input; `*out` becomes what the target needs at the end of a text.
///
/// Returns PLACEMAT_OK, and the next push starts a new stream; or PLACEMAT_TEXT_ERROR like placemat_converter_push: then create a
/// new converter for the next stream.
/// Errors and cost: as placemat_converter_push.
///
/// # Safety
/// As placemat_converter_push.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn placemat_converter_finish(
    converter: *mut placemat_converter,
    out: *mut placemat_buffer,
    error: *mut placemat_error,
) -> placemat_status {
    // SAFETY: the caller guarantees what `run` requires.
    guard(|| unsafe { run(converter, out, error, PLACEMAT_OK, placemat_converter::finish) })
}

/// The number of errors of this stream, or of the one just finished, that the settings replaced. 0 for NULL, and for a stream
/// that an error stopped.
///
/// # Safety
/// As placemat_converter_push.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn placemat_converter_errors(converter: *mut placemat_converter) -> u64 {
    // SAFETY: the caller guarantees what `of` requires.
    caught(|| unsafe { of(converter) }.map_or(0, |own| own.errors()), 0)
}

/// Frees a converter. NULL is ignored.
///
/// # Safety
/// `converter` is NULL, or was returned by placemat_converter_new and not freed yet.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn placemat_converter_free(converter: *mut placemat_converter) {
    let free = || {
        if !converter.is_null() && converter.is_aligned() {
            // SAFETY: `placemat_converter_new` made it from a box, as the caller guarantees.
            drop(unsafe { Box::from_raw(converter) });
        }
    };
    caught(free, ());
}

/// Returns the converter that a pointer points to.
///
/// # Safety
/// It is NULL, or was returned by `placemat_converter_new` and is not used by anybody else during the call.
unsafe fn of<'a>(converter: *mut placemat_converter) -> Answer<&'a mut placemat_converter> {
    match (converter.is_null(), converter.is_aligned()) {
        (true, _) => Err(PLACEMAT_NULL_POINTER),
        (false, false) => Err(PLACEMAT_BAD_STORAGE),
        // SAFETY: not NULL and aligned; the caller guarantees the rest.
        (false, true) => Ok(unsafe { &mut *converter }),
    }
}

/// Runs one call: `work` returns the output and the error at which it stopped.
///
/// # Safety
/// As `placemat_converter_push`.
unsafe fn run(
    converter: *mut placemat_converter,
    out: *mut placemat_buffer,
    error: *mut placemat_error,
    good: placemat_status,
    work: impl FnOnce(&mut placemat_converter) -> Answer<(Vec<u8>, Option<Error>)>,
) -> Answer {
    // SAFETY: the caller guarantees what `emptied` and `border` require.
    let (out, error) = unsafe { (emptied(out)?, border::wanted(error)?) };
    // SAFETY: as above.
    let (bytes, stopped) = work(unsafe { of(converter) }?)?;
    fill(out, bytes);
    let status = tell(stopped, error);
    Ok(if status == PLACEMAT_OK { good } else { status })
}
