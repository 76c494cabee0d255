//! Lengths, counts, boundaries, byte order marks.

use core::ffi::c_void;

use placemat::boundary::Boundaries;
use placemat::label::Label;
use placemat::{Transcoder, bom, boundary, length_with};

use super::check::told;
use super::encodings::form_of;
use crate::border::{self, caught, guard};
use crate::encoding::{self, placemat_encoding};
use crate::measures::placemat_counts;
use crate::settings::placemat_settings;
use crate::status::placemat_error;
use crate::status::placemat_status::{self, PLACEMAT_OK, PLACEMAT_UNSUITABLE};

/// Computes the exact number of bytes that a text has in another form, without converting it.
///
/// `settings` may be NULL for the defaults, `error` may be NULL. `*bytes` is written only on success.
/// Errors: PLACEMAT_TEXT_ERROR, PLACEMAT_UNKNOWN_ENCODING, PLACEMAT_UNKNOWN_VALUE, PLACEMAT_UNSUITABLE, PLACEMAT_NULL_POINTER,
/// PLACEMAT_TOO_LONG.
/// Cost: one pass; allocates nothing.
///
/// # Safety
/// `data` points to `length` bytes; `settings` is NULL or points to settings, `error` is NULL or points to a placemat_error;
/// `bytes` points to a number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn placemat_length(
    from: placemat_encoding,
    to: placemat_encoding,
    settings: *const placemat_settings,
    data: *const c_void,
    length: usize,
    bytes: *mut usize,
    error: *mut placemat_error,
) -> placemat_status {
    guard(|| {
        // SAFETY: the caller guarantees what `border` requires.
        let (input, settings) = unsafe { (border::input(data, length)?, border::value(settings)?) };
        // SAFETY: as above.
        let (place, error) = unsafe { (border::place(bytes)?, border::wanted(error)?) };
        let (from, to, settings) = (form_of(from)?, form_of(to)?, settings.unwrap_or_default());
        let (policy, bom) = settings.between(from, to)?;
        let length = if settings == placemat_settings::default() {
            placemat::length(from, to, input)
        } else {
            length_with(Transcoder::new(from, to).on_error(policy).bom(bom), input)
        };
        place.write(told(length, error)?);
        Ok(PLACEMAT_OK)
    })
}

/// Counts code points, UTF-16 code units, lines and errors of a text.
///
/// Errors: PLACEMAT_UNKNOWN_ENCODING, PLACEMAT_NULL_POINTER, PLACEMAT_TOO_LONG.
/// Cost: one pass; allocates nothing.
///
/// # Safety
/// `data` points to `length` bytes, `counts` to a placemat_counts.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn placemat_count(
    form: placemat_encoding,
    data: *const c_void,
    length: usize,
    counts: *mut placemat_counts,
) -> placemat_status {
    guard(|| {
        // SAFETY: the caller guarantees what `border` requires.
        let (bytes, place) = unsafe { (border::input(data, length)?, border::place(counts)?) };
        place.write(placemat_counts::of(form_of(form)?, bytes));
        Ok(PLACEMAT_OK)
    })
}

/// Finds the last boundary at or before byte `index`: the start of a character or of an error, or the end.
///
/// An `index` beyond the end is treated as the end. The text may be malformed; a cut at a boundary never divides a character.
/// Errors: PLACEMAT_UNSUITABLE for forms that can only be read from the start (UTF-1, UTF-7, the FSS-UTF of July 1992),
/// PLACEMAT_UNKNOWN_ENCODING, PLACEMAT_NULL_POINTER, PLACEMAT_TOO_LONG.
/// Cost: constant; in UTF-8 it reads at most 3 bytes before `index`.
///
/// # Safety
/// `data` points to `length` bytes, `boundary` to a number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn placemat_boundary_floor(
    form: placemat_encoding,
    data: *const c_void,
    length: usize,
    index: usize,
    boundary: *mut usize,
) -> placemat_status {
    // SAFETY: the caller guarantees what `at_boundary` requires.
    unsafe { at_boundary(form, (data, length), boundary, |all| all.floor(index)) }
}

/// Finds the first boundary at or after byte `index`; the end, for an `index` beyond it. Otherwise like placemat_boundary_floor.
///
/// # Safety
/// As placemat_boundary_floor.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn placemat_boundary_ceil(
    form: placemat_encoding,
    data: *const c_void,
    length: usize,
    index: usize,
    boundary: *mut usize,
) -> placemat_status {
    // SAFETY: the caller guarantees what `at_boundary` requires.
    unsafe { at_boundary(form, (data, length), boundary, |all| all.ceil(index)) }
}

/// Finds the first boundary after byte `index`; the end, if there is none. Otherwise like placemat_boundary_floor.
///
/// # Safety
/// As placemat_boundary_floor.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn placemat_boundary_next(
    form: placemat_encoding,
    data: *const c_void,
    length: usize,
    index: usize,
    boundary: *mut usize,
) -> placemat_status {
    // SAFETY: the caller guarantees what `at_boundary` requires.
    unsafe { at_boundary(form, (data, length), boundary, |all| all.ceil(index.saturating_add(1))) }
}

/// Finds the last boundary before byte `index`; 0, if there is none. Otherwise like placemat_boundary_floor.
///
/// # Safety
/// As placemat_boundary_floor.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn placemat_boundary_previous(
    form: placemat_encoding,
    data: *const c_void,
    length: usize,
    index: usize,
    boundary: *mut usize,
) -> placemat_status {
    let before = index.min(length).saturating_sub(1);
    // SAFETY: the caller guarantees what `at_boundary` requires.
    unsafe {
        at_boundary(
            form,
            (data, length),
            boundary,
            |all| if index > length { length } else { all.floor(before) },
        )
    }
}

/// Whether byte `index` is a boundary. The end is one; an index beyond it is not. Otherwise like placemat_boundary_floor.
///
/// # Safety
/// `data` points to `length` bytes, `is_boundary` to a bool.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn placemat_is_boundary(
    form: placemat_encoding,
    data: *const c_void,
    length: usize,
    index: usize,
    is_boundary: *mut bool,
) -> placemat_status {
    // SAFETY: the caller guarantees what `at_boundary` requires.
    unsafe { at_boundary(form, (data, length), is_boundary, |all| all.is_boundary(index)) }
}

/// Answers a question about the boundaries of a text.
///
/// # Safety
/// As `placemat_boundary_floor`.
unsafe fn at_boundary<T>(
    form: placemat_encoding,
    (data, length): (*const c_void, usize),
    answer: *mut T,
    ask: impl FnOnce(Boundaries<'_>) -> T,
) -> placemat_status {
    guard(|| {
        // SAFETY: the caller guarantees what `border` requires.
        let (bytes, place) = unsafe { (border::input(data, length)?, border::place(answer)?) };
        place.write(ask(boundary::of(form_of(form)?, bytes).ok_or(PLACEMAT_UNSUITABLE)?));
        Ok(PLACEMAT_OK)
    })
}

/// Returns the form that a byte order mark at the start announces, or 0: PLACEMAT_UTF_8, PLACEMAT_UTF_16LE, PLACEMAT_UTF_16BE,
/// PLACEMAT_UTF_32LE or PLACEMAT_UTF_32BE.
///
/// `mark_length` may be NULL; it becomes the length of the mark in bytes, or 0. FF FE 00 00 is read as the mark of UTF-32, not as
/// that of UTF-16 before U+0000.
///
/// # Safety
/// `data` points to `length` bytes; `mark_length` is NULL or points to a number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn placemat_bom_of(
    data: *const c_void,
    length: usize,
    mark_length: *mut usize,
) -> placemat_encoding {
    let sniff = || {
        // SAFETY: the caller guarantees what `border` requires.
        let (Ok(bytes), Ok(place)) =
            (unsafe { border::input(data, length) }, unsafe { border::wanted(mark_length) })
        else {
            return 0;
        };
        let found = bom::sniff(bytes);
        if let Some(place) = place {
            place.write(found.map_or(0, |(_, length)| length));
        }
        found.map_or(0, |(form, _)| encoding::number(Label::Form(form)))
    };
    caught(sniff, 0)
}
