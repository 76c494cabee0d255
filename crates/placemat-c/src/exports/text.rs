//! The functions that allocate: whole texts in every encoding, repair, detection, explanations.

use core::ffi::{c_char, c_void};
use core::mem::{ManuallyDrop, MaybeUninit};
use core::ptr;

use super::check::tell;
use super::encodings::form_of;
use crate::border::{self, Answer, caught, guard};
use crate::converter;
use crate::encoding::{placemat_encoding, placemat_form};
use crate::settings::placemat_settings;
use crate::status::placemat_error;
use crate::status::placemat_status::{self, PLACEMAT_OK};
use crate::text;

/// Bytes that the library allocated. Free them with placemat_buffer_free, not with free().
#[repr(C)]
#[derive(Debug)]
pub struct placemat_buffer {
    /// The bytes, followed by a NUL that `length` does not count. Never NULL if a function says that it fills a buffer.
    pub data: *mut u8,
    /// The number of bytes.
    pub length: usize,
    /// The number of bytes that were allocated.
    pub capacity: usize,
}

const EMPTY: placemat_buffer = placemat_buffer { data: ptr::null_mut(), length: 0, capacity: 0 };

/// Frees the bytes of a buffer, and makes it empty: `{NULL, 0, 0}`. NULL and an empty buffer are ignored.
///
/// # Safety
/// `buffer` is NULL or points to a buffer that a function of this library filled, or to zeros.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn placemat_buffer_free(buffer: *mut placemat_buffer) {
    let free = || {
        if buffer.is_null() || !buffer.is_aligned() {
            return;
        }
        // SAFETY: it points to a buffer, as the caller guarantees.
        let old = unsafe { buffer.replace(EMPTY) };
        if !old.data.is_null() {
            // SAFETY: `fill` made these parts from a vector, as the caller guarantees. Bytes need no drop, so the length can be 0.
            drop(unsafe { Vec::from_raw_parts(old.data, 0, old.capacity) });
        }
    };
    caught(free, ());
}

/// Converts a whole text from any encoding to any other, including legacy encodings.
///
/// `settings` may be NULL for the defaults. `*out` becomes the output; with PLACEMAT_TEXT_ERROR, the output up to the error. `errors` may be
/// NULL; it becomes the number of errors that the settings replaced, or 0 if an error stopped the conversion. `error` may be NULL; it becomes
/// the error at which the conversion stopped, with an offset in bytes of the source.
/// Errors: PLACEMAT_TEXT_ERROR, PLACEMAT_UNKNOWN_ENCODING, PLACEMAT_UNKNOWN_VALUE, PLACEMAT_UNSUITABLE, PLACEMAT_NULL_POINTER,
/// PLACEMAT_TOO_LONG; `*out` is empty then, except for the first.
/// Cost: linear; allocates `*out`, and about 100 KB during the call if one of the encodings is not a form.
///
/// # Safety
/// `data` points to `length` bytes, `out` to a placemat_buffer, which is overwritten. The other pointers are NULL or point to
/// values of their types.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn placemat_convert(
    from: placemat_encoding,
    to: placemat_encoding,
    settings: *const placemat_settings,
    data: *const c_void,
    length: usize,
    out: *mut placemat_buffer,
    errors: *mut u64,
    error: *mut placemat_error,
) -> placemat_status {
    guard(|| {
        // SAFETY: the caller guarantees what `emptied` and `border` require.
        let (out, bytes) = unsafe { (emptied(out)?, border::input(data, length)?) };
        // SAFETY: as above.
        let (settings, errors, error) =
            unsafe { (border::value(settings)?, border::wanted(errors)?, border::wanted(error)?) };
        let done = converter::convert(from, to, &settings.unwrap_or_default(), bytes)?;
        fill(out, done.bytes);
        if let Some(errors) = errors {
            errors.write(done.errors);
        }
        Ok(tell(done.stopped, error))
    })
}

/// Makes a text well-formed UTF-8 by a policy, a placemat_policy, which applies to every malformed sequence, whatever it was meant to be.
///
/// `*out` becomes the text; with PLACEMAT_STOP, the text before the first error. `errors` may be NULL; it becomes the number of errors.
/// Errors: PLACEMAT_TEXT_ERROR if the policy stops, PLACEMAT_UNKNOWN_VALUE, PLACEMAT_UNSUITABLE for PLACEMAT_SURROGATEESCAPE,
/// PLACEMAT_NULL_POINTER, PLACEMAT_TOO_LONG; `*out` is empty then, except for the first.
/// Cost: linear; allocates `*out`.
///
/// # Safety
/// As placemat_convert.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn placemat_replace(
    policy: u32,
    data: *const c_void,
    length: usize,
    out: *mut placemat_buffer,
    errors: *mut u64,
) -> placemat_status {
    guard(|| {
        // SAFETY: the caller guarantees what `emptied` and `border` require.
        let (out, bytes) = unsafe { (emptied(out)?, border::input(data, length)?) };
        // SAFETY: as above.
        let errors = unsafe { border::wanted(errors) }?;
        let utf8 = placemat_form::PLACEMAT_UTF_8 as u32;
        let done = converter::convert(
            utf8,
            utf8,
            &placemat_settings { on_error: policy, ..Default::default() },
            bytes,
        )?;
        fill(out, done.bytes);
        if let Some(errors) = errors {
            errors.write(done.errors + u64::from(done.stopped.is_some()));
        }
        Ok(tell(done.stopped, None))
    })
}

/// Makes a text well-formed UTF-8 and changes nothing else. Each malformed run is read as what it was probably meant to be, if
/// that is likely enough, as the command `placemat repair` does.
///
/// `flags` is a sum of placemat_repair_flags, or 0. `second` is the encoding of the runs that are not UTF-8, or 0 to guess it. `*out` becomes
/// the text. `report` may be NULL; it becomes a report of the changes with the original bytes, as JSON, one object a line
/// (schema/repair-report.json of placemat-text). placemat_repair_undo uses it to restore the original.
/// Errors: PLACEMAT_REFUSED if the text seems to be something else than UTF-8 with a few errors (placemat_detect_json says what),
/// PLACEMAT_UNKNOWN_VALUE, PLACEMAT_UNKNOWN_ENCODING, PLACEMAT_UNSUITABLE for a second encoding that is a form, PLACEMAT_NULL_POINTER,
/// PLACEMAT_TOO_LONG; `*out` is empty then.
/// Cost: linear; allocates `*out`, the report, and about 100 bytes for each change.
///
/// # Safety
/// As placemat_convert; `report` is NULL or points to a placemat_buffer, which is overwritten.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn placemat_repair(
    flags: u32,
    second: placemat_encoding,
    data: *const c_void,
    length: usize,
    out: *mut placemat_buffer,
    report: *mut placemat_buffer,
) -> placemat_status {
    guard(|| {
        // SAFETY: the caller guarantees what `emptied` and `border` require.
        let (out, report) =
            unsafe { (emptied(out)?, if report.is_null() { None } else { Some(emptied(report)?) }) };
        // SAFETY: as above.
        let bytes = unsafe { border::input(data, length) }?;
        let (repaired, lines) = text::repair(flags, second, bytes)?;
        fill(out, repaired);
        if let Some(report) = report {
            fill(report, lines);
        }
        Ok(PLACEMAT_OK)
    })
}

/// Undoes the changes of placemat_repair in a text, by its report. The text must be exactly the repaired one.
///
/// Errors: PLACEMAT_UNKNOWN_VALUE if this is not a report of one text, PLACEMAT_REFUSED if the text is not the one in the report,
/// PLACEMAT_NULL_POINTER, PLACEMAT_TOO_LONG; `*out` is empty then.
/// Cost: linear; allocates `*out`.
///
/// # Safety
/// `report` points to `report_length` bytes, `data` to `length` bytes, `out` to a placemat_buffer, which is overwritten.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn placemat_repair_undo(
    report: *const c_void,
    report_length: usize,
    data: *const c_void,
    length: usize,
    out: *mut placemat_buffer,
) -> placemat_status {
    // SAFETY: the caller guarantees what `filled` and `border` require.
    unsafe { filled(out, || text::undo(border::input(report, report_length)?, border::input(data, length)?)) }
}

/// Detects the encoding of a text. The result is JSON: `{"type":"file","path":"-","encoding":…}`, see schema/detect.json of placemat-text.
///
/// `is_complete` is false if the bytes are only the start of a longer text.
/// Errors: PLACEMAT_NULL_POINTER, PLACEMAT_TOO_LONG; `*out` is empty then.
/// Cost: linear; allocates `*out`, and less than a megabyte while it runs.
///
/// # Safety
/// `data` points to `length` bytes, `out` to a placemat_buffer, which is overwritten.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn placemat_detect_json(
    data: *const c_void,
    length: usize,
    is_complete: bool,
    out: *mut placemat_buffer,
) -> placemat_status {
    // SAFETY: the caller guarantees what `filled` and `border` require.
    unsafe { filled(out, || text::detect(border::input(data, length)?, is_complete)) }
}

/// Explains bytes, sequence by sequence, as JSON, one object a line, see schema/explain.json of placemat-text.
///
/// At most `limit` objects are written for the bytes, and at most the first 1,048,576 bytes are read; the last line is a summary.
/// Errors: PLACEMAT_UNKNOWN_ENCODING if it is not a form, PLACEMAT_NULL_POINTER, PLACEMAT_TOO_LONG; `*out` is empty then.
/// Cost: linear; allocates `*out`, about 500 times as long as the bytes, and as much again during the call.
///
/// # Safety
/// As placemat_detect_json.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn placemat_explain_json(
    form: placemat_encoding,
    data: *const c_void,
    length: usize,
    limit: usize,
    out: *mut placemat_buffer,
) -> placemat_status {
    // SAFETY: the caller guarantees what `filled` and `border` require.
    unsafe { filled(out, || text::explain(form_of(form)?, border::input(data, length)?, limit)) }
}

/// Finds characters of UTF-8 that are not shown and that their context does not explain, as JSON, one object a line:
/// `{"type":"hidden","offset":…,"length":…,"bytes":"E2 80 8B","kind":"zero-width"}`; payloads have `"payload"`, the text that
/// they hide.
///
/// `kinds` are names with commas between ("bidi-unbalanced,zero-width"), "all", "default", or NULL for the default. Malformed
/// bytes are skipped. If nothing is found, `*out` is the empty text.
/// Errors: PLACEMAT_UNKNOWN_VALUE for an unknown kind, PLACEMAT_NULL_POINTER, PLACEMAT_TOO_LONG; `*out` is empty then.
/// Cost: linear; allocates `*out`.
///
/// # Safety
/// As placemat_detect_json; `kinds` is NULL or ends with a NUL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn placemat_invisible_json(
    kinds: *const c_char,
    data: *const c_void,
    length: usize,
    out: *mut placemat_buffer,
) -> placemat_status {
    // SAFETY: the caller guarantees what `filled` and `border` require.
    unsafe {
        filled(out, || {
            let kinds = if kinds.is_null() { None } else { Some(border::name(kinds)?) };
            text::invisible(kinds, border::input(data, length)?)
        })
    }
}

/// Returns the place of a buffer, after making the buffer empty.
///
/// # Safety
/// `out` is NULL or points to a buffer, initialised or not, that only the call uses.
pub(crate) unsafe fn emptied<'a>(out: *mut placemat_buffer) -> Answer<&'a mut MaybeUninit<placemat_buffer>> {
    // SAFETY: the caller guarantees the same.
    let place = unsafe { border::place(out) }?;
    place.write(EMPTY);
    Ok(place)
}

/// Runs a call that fills one buffer.
///
/// # Safety
/// As `emptied`.
unsafe fn filled(out: *mut placemat_buffer, make: impl FnOnce() -> Answer<Vec<u8>>) -> placemat_status {
    guard(|| {
        // SAFETY: the caller guarantees the same.
        let place = unsafe { emptied(out) }?;
        fill(place, make()?);
        Ok(PLACEMAT_OK)
    })
}

/// Writes bytes to a buffer, followed by a NUL.
pub(crate) fn fill(place: &mut MaybeUninit<placemat_buffer>, mut bytes: Vec<u8>) {
    let length = bytes.len();
    bytes.push(0);
    let mut bytes = ManuallyDrop::new(bytes);
    place.write(placemat_buffer { data: bytes.as_mut_ptr(), length, capacity: bytes.capacity() });
}
