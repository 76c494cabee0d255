//! Checks whether text is well-formed, and finds its errors.

use core::ffi::c_void;
use core::mem::MaybeUninit;

use placemat::Error;

use super::encodings::form_of;
use crate::border::{self, Answer, caught, guard};
use crate::encoding::placemat_encoding;
use crate::status::placemat_error;
use crate::status::placemat_status::{self, PLACEMAT_NULL_POINTER, PLACEMAT_OK, PLACEMAT_TEXT_ERROR};

/// The function that placemat_errors calls for each error. If it returns false, the search ends.
///
/// It must return: it must not throw an exception or jump out.
pub type placemat_on_error =
    Option<unsafe extern "C" fn(error: *const placemat_error, context: *mut c_void) -> bool>;

/// Whether the bytes are well-formed UTF-8 (RFC 3629, Unicode D92). For NULL with a length other than 0 it returns false.
///
/// Cost: one pass with the vector instructions of this CPU.
///
/// # Safety
/// `data` points to `length` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn placemat_is_valid(data: *const c_void, length: usize) -> bool {
    // SAFETY: the caller guarantees what `border::input` requires.
    caught(|| unsafe { border::input(data, length) }.is_ok_and(placemat::is_valid), false)
}

/// Checks whether the bytes are well-formed UTF-8, and finds the first error if not.
///
/// `error` may be NULL; if nothing is wrong, its kind becomes PLACEMAT_NO_ERROR.
/// Errors: PLACEMAT_TEXT_ERROR, PLACEMAT_NULL_POINTER, PLACEMAT_TOO_LONG.
/// Cost: one pass with the vector instructions of this CPU.
///
/// # Safety
/// `data` points to `length` bytes; `error` is NULL or points to a placemat_error.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn placemat_validate(
    data: *const c_void,
    length: usize,
    error: *mut placemat_error,
) -> placemat_status {
    guard(|| {
        // SAFETY: the caller guarantees what `border` requires.
        let (bytes, place) = unsafe { (border::input(data, length)?, border::wanted(error)?) };
        Ok(tell(placemat::validate(bytes).err(), place))
    })
}

/// Finds the first error of a text in any form.
///
/// `error` may be NULL; if nothing is wrong, its kind becomes PLACEMAT_NO_ERROR.
/// Errors: PLACEMAT_TEXT_ERROR, PLACEMAT_UNKNOWN_ENCODING, PLACEMAT_NULL_POINTER, PLACEMAT_TOO_LONG.
/// Cost: one pass, up to the error.
///
/// # Safety
/// As placemat_validate.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn placemat_first_error(
    form: placemat_encoding,
    data: *const c_void,
    length: usize,
    error: *mut placemat_error,
) -> placemat_status {
    guard(|| {
        // SAFETY: the caller guarantees what `border` requires.
        let (bytes, place) = unsafe { (border::input(data, length)?, border::wanted(error)?) };
        Ok(tell(placemat::errors(form_of(form)?, bytes).next(), place))
    })
}

/// Finds every error of a text, in order: calls `call` for each, with `context`, until it returns false.
///
/// `call` must not keep the pointer to the error. `count` may be NULL; it becomes the number of calls. Returns PLACEMAT_OK also
/// if there are errors.
/// Errors: PLACEMAT_UNKNOWN_ENCODING, PLACEMAT_NULL_POINTER, PLACEMAT_TOO_LONG.
/// Cost: one pass, and the calls.
///
/// # Safety
/// `data` points to `length` bytes, also during the calls; `count` is NULL or points to a number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn placemat_errors(
    form: placemat_encoding,
    data: *const c_void,
    length: usize,
    call: placemat_on_error,
    context: *mut c_void,
    count: *mut u64,
) -> placemat_status {
    guard(|| {
        // SAFETY: the caller guarantees what `border` requires.
        let (bytes, place) = unsafe { (border::input(data, length)?, border::wanted(count)?) };
        let (form, call) = (form_of(form)?, call.ok_or(PLACEMAT_NULL_POINTER)?);
        let mut calls = 0;
        for error in placemat::errors(form, bytes) {
            calls += 1;
            // SAFETY: a function of this type, as the caller guarantees; the error lives until it returns.
            if !unsafe { call(&error.into(), context) } {
                break;
            }
        }
        if let Some(place) = place {
            place.write(calls);
        }
        Ok(PLACEMAT_OK)
    })
}

/// Finds every error of a text, in order, and writes the first `room` of them to `errors`. `*count` becomes the number of all
/// errors, which may be greater.
///
/// `errors` may be NULL if `room` is 0; `count` may be NULL. Returns PLACEMAT_OK also if there are errors.
/// Errors: PLACEMAT_UNKNOWN_ENCODING, PLACEMAT_NULL_POINTER, PLACEMAT_TOO_LONG.
/// Cost: one pass.
///
/// # Safety
/// `data` points to `length` bytes, `errors` to room for `room` errors; `count` is NULL or points to a number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn placemat_errors_into(
    form: placemat_encoding,
    data: *const c_void,
    length: usize,
    errors: *mut placemat_error,
    room: usize,
    count: *mut u64,
) -> placemat_status {
    guard(|| {
        // SAFETY: the caller guarantees what `border` requires.
        let (bytes, place) = unsafe { (border::input(data, length)?, border::wanted(count)?) };
        // SAFETY: as above.
        let mut places = unsafe { border::places(errors, room) }?.iter_mut();
        let mut found = 0;
        for error in placemat::errors(form_of(form)?, bytes) {
            found += 1;
            if let Some(place) = places.next() {
                place.write(error.into());
            }
        }
        if let Some(place) = place {
            place.write(found);
        }
        Ok(PLACEMAT_OK)
    })
}

/// Writes an error, or that there is none. Returns the status.
pub(crate) fn tell(error: Option<Error>, place: Option<&mut MaybeUninit<placemat_error>>) -> placemat_status {
    if let Some(place) = place {
        place.write(error.map(placemat_error::from).unwrap_or_default());
    }
    if error.is_some() { PLACEMAT_TEXT_ERROR } else { PLACEMAT_OK }
}

/// Returns the result of a call that may end at an error of the text.
pub(crate) fn told<T>(
    result: Result<T, Error>,
    place: Option<&mut MaybeUninit<placemat_error>>,
) -> Answer<T> {
    let status = tell(result.as_ref().err().copied(), place);
    result.map_err(|_| status)
}
