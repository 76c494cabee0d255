//! Streams of every encoding, in memory of the library.

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

/// Make a converter between any two encodings; `*converter` becomes a pointer to it, or NULL.
///
/// `settings` may be NULL for the defaults. Give it back with placemat_converter_free.
/// Errors: PLACEMAT_UNKNOWN_ENCODING, PLACEMAT_UNKNOWN_VALUE, PLACEMAT_UNSUITABLE, PLACEMAT_NULL_POINTER.
/// Cost: allocates some 100 KB.
///
/// # Safety
/// `settings` is NULL or leads to settings; `converter` leads to a pointer, what it held is lost.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn placemat_converter_new(
    from: placemat_encoding,
    to: placemat_encoding,
    settings: *const placemat_settings,
    converter: *mut *mut placemat_converter,
) -> placemat_status {
    guard(|| {
        // SAFETY: the caller's word is that of `border`.
        let (settings, place) = unsafe { (border::value(settings)?, border::place(converter)?) };
        place.write(ptr::null_mut());
        let made = placemat_converter::new(from, to, &settings.unwrap_or_default())?;
        place.write(Box::into_raw(Box::new(made)));
        Ok(PLACEMAT_OK)
    })
}

/// Convert the next chunk of the input; `*out` becomes what was written.
///
/// Returns PLACEMAT_NEED_INPUT, or PLACEMAT_TEXT_ERROR at an error, at which the stream ends: `*out` holds what precedes it, with what the target needs at the end of a text, and every later
/// call answers the same error and writes nothing. `error` may be NULL. How the input is divided changes nothing in what is written.
/// Errors: PLACEMAT_TEXT_ERROR, PLACEMAT_NULL_POINTER, PLACEMAT_TOO_LONG; `*out` is empty then, but for the first.
/// Cost: linear; allocates `*out`.
///
/// # Safety
/// `converter` is one that placemat_converter_new made, in use by this thread alone; `data` leads to `length` bytes, `out` to a
/// placemat_buffer, what it held is lost; `error` is NULL or leads to a placemat_error.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn placemat_converter_push(
    converter: *mut placemat_converter,
    data: *const c_void,
    length: usize,
    out: *mut placemat_buffer,
    error: *mut placemat_error,
) -> placemat_status {
    // SAFETY: the caller's word is that of `run` and of `border`.
    let work = |own: &mut placemat_converter| own.push(unsafe { border::input(data, length) }?);
    // SAFETY: the same.
    guard(|| unsafe { run(converter, out, error, PLACEMAT_NEED_INPUT, work) })
}

/// The end of the input; `*out` becomes what the target needs at the end of a text. What is pushed next begins a new stream.
///
/// Returns PLACEMAT_OK, or PLACEMAT_TEXT_ERROR as placemat_converter_push.
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
    // SAFETY: the caller's word is that of `run`.
    guard(|| unsafe { run(converter, out, error, PLACEMAT_OK, placemat_converter::finish) })
}

/// Errors of this stream, or of the one that was just finished, that the settings replaced. 0 for NULL, and for a stream that an error stopped.
///
/// # Safety
/// As placemat_converter_push.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn placemat_converter_errors(converter: *mut placemat_converter) -> u64 {
    // SAFETY: the caller's word is that of `of`.
    caught(|| unsafe { of(converter) }.map_or(0, |own| own.errors()), 0)
}

/// Give back a converter. Nothing happens for NULL.
///
/// # Safety
/// `converter` is NULL, or one that placemat_converter_new made and that was not given back.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn placemat_converter_free(converter: *mut placemat_converter) {
    let free = || {
        if !converter.is_null() && converter.is_aligned() {
            // SAFETY: `placemat_converter_new` made it of a box, by the caller's word.
            drop(unsafe { Box::from_raw(converter) });
        }
    };
    caught(free, ());
}

/// The converter behind a pointer.
///
/// # Safety
/// It is NULL, or one that `placemat_converter_new` made and that nobody else uses during the call.
unsafe fn of<'a>(converter: *mut placemat_converter) -> Answer<&'a mut placemat_converter> {
    match (converter.is_null(), converter.is_aligned()) {
        (true, _) => Err(PLACEMAT_NULL_POINTER),
        (false, false) => Err(PLACEMAT_BAD_STORAGE),
        // SAFETY: not NULL and aligned; the rest is the caller's word.
        (false, true) => Ok(unsafe { &mut *converter }),
    }
}

/// One call: what `work` writes, and where it stopped.
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
    // SAFETY: the caller's word is that of `emptied` and of `border`.
    let (out, error) = unsafe { (emptied(out)?, border::wanted(error)?) };
    // SAFETY: the same.
    let (bytes, stopped) = work(unsafe { of(converter) }?)?;
    fill(out, bytes);
    let status = tell(stopped, error);
    Ok(if status == PLACEMAT_OK { good } else { status })
}
