//! What allocates: whole texts in every encoding, repair, detection, explanations.

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

/// Bytes that the library allocated. placemat_buffer_free gives them back; free() must not.
#[repr(C)]
#[derive(Debug)]
pub struct placemat_buffer {
    /// The bytes, and behind them a NUL that `length` does not count. Never NULL where a function says that it fills a buffer.
    pub data: *mut u8,
    /// How many there are.
    pub length: usize,
    /// How many were allocated.
    pub capacity: usize,
}

const EMPTY: placemat_buffer = placemat_buffer { data: ptr::null_mut(), length: 0, capacity: 0 };

/// Give back the bytes of a buffer, and make it empty: `{NULL, 0, 0}`. Nothing happens for NULL and for an empty buffer.
///
/// # Safety
/// `buffer` is NULL or leads to a buffer that a function of this library filled, or to zeros.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn placemat_buffer_free(buffer: *mut placemat_buffer) {
    let free = || {
        if buffer.is_null() || !buffer.is_aligned() {
            return;
        }
        // SAFETY: it leads to a buffer, by the caller's word.
        let old = unsafe { buffer.replace(EMPTY) };
        if !old.data.is_null() {
            // SAFETY: `fill` took these apart, by the caller's word; bytes need no drop, so that none need count.
            drop(unsafe { Vec::from_raw_parts(old.data, 0, old.capacity) });
        }
    };
    caught(free, ());
}

/// Convert a whole text from any encoding to any other, legacy encodings too.
///
/// `settings` may be NULL for the defaults. `*out` becomes what was written, also with PLACEMAT_TEXT_ERROR: what precedes the error. `errors`
/// may be NULL; it becomes the number of errors that the settings replaced, or 0 if one stopped it. `error` may be NULL; it becomes the error at which the
/// conversion stopped, counted in bytes of the source.
/// Errors: PLACEMAT_TEXT_ERROR, PLACEMAT_UNKNOWN_ENCODING, PLACEMAT_UNKNOWN_VALUE, PLACEMAT_UNSUITABLE, PLACEMAT_NULL_POINTER,
/// PLACEMAT_TOO_LONG; `*out` is empty then, but for the first.
/// Cost: linear; allocates `*out`, and some 100 KB while it runs between other encodings than forms.
///
/// # Safety
/// `data` leads to `length` bytes, `out` to a placemat_buffer, what it held is lost; the other pointers are NULL or lead to what they are
/// named for.
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
        // SAFETY: the caller's word is that of `emptied` and of `border`.
        let (out, bytes) = unsafe { (emptied(out)?, border::input(data, length)?) };
        // SAFETY: the same.
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

/// Make well-formed UTF-8 of a text by a policy, a placemat_policy: what is malformed is treated so, whatever it was meant to be.
///
/// `*out` becomes the text; with PLACEMAT_STOP what precedes the first error. `errors` may be NULL; it becomes how many there were.
/// Errors: PLACEMAT_TEXT_ERROR where the policy stops, PLACEMAT_UNKNOWN_VALUE, PLACEMAT_UNSUITABLE for PLACEMAT_SURROGATEESCAPE,
/// PLACEMAT_NULL_POINTER, PLACEMAT_TOO_LONG; `*out` is empty then, but for the first.
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
        // SAFETY: the caller's word is that of `emptied` and of `border`.
        let (out, bytes) = unsafe { (emptied(out)?, border::input(data, length)?) };
        // SAFETY: the same.
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

/// Make well-formed UTF-8 of a text and touch nothing else: each malformed run is read as what it was meant to be, where that is
/// likely enough, as the command `placemat repair` does it.
///
/// `flags` are of placemat_repair_flags, added up, or 0. `second` is the encoding of the runs that are no UTF-8, or 0 to let it be guessed.
/// `*out` becomes the text. `report` may be NULL; it becomes what was changed, with the original bytes, as JSON, one object a line
/// (schema/repair.json of placemat-text), by which placemat_repair_undo puts it back.
/// Errors: PLACEMAT_REFUSED where the text seems to be something else than UTF-8 with a few errors (placemat_detect_json says what),
/// PLACEMAT_UNKNOWN_VALUE, PLACEMAT_UNKNOWN_ENCODING, PLACEMAT_UNSUITABLE for a second encoding that is a form, PLACEMAT_NULL_POINTER,
/// PLACEMAT_TOO_LONG; `*out` is empty then.
/// Cost: linear; allocates `*out`, the report, and for each change some 100 bytes.
///
/// # Safety
/// As placemat_convert; `report` is NULL or leads to a placemat_buffer, what it held is lost.
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
        // SAFETY: the caller's word is that of `emptied` and of `border`.
        let (out, report) =
            unsafe { (emptied(out)?, if report.is_null() { None } else { Some(emptied(report)?) }) };
        // SAFETY: the same.
        let bytes = unsafe { border::input(data, length) }?;
        let (repaired, lines) = text::repair(flags, second, bytes)?;
        fill(out, repaired);
        if let Some(report) = report {
            fill(report, lines);
        }
        Ok(PLACEMAT_OK)
    })
}

/// Put back what placemat_repair changed in a text, by its report; the text must be as the repair left it.
///
/// Errors: PLACEMAT_UNKNOWN_VALUE for what is no report of one text, PLACEMAT_REFUSED where the text is not the one that it tells of,
/// PLACEMAT_NULL_POINTER, PLACEMAT_TOO_LONG; `*out` is empty then.
/// Cost: linear; allocates `*out`.
///
/// # Safety
/// `report` leads to `report_length` bytes, `data` to `length` bytes, `out` to a placemat_buffer, what it held is lost.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn placemat_repair_undo(
    report: *const c_void,
    report_length: usize,
    data: *const c_void,
    length: usize,
    out: *mut placemat_buffer,
) -> placemat_status {
    // SAFETY: the caller's word is that of `filled` and of `border`.
    unsafe { filled(out, || text::undo(border::input(report, report_length)?, border::input(data, length)?)) }
}

/// What a text seems to be, as JSON: `{"type":"file","path":"-","encoding":…}`, as schema/detect.json of placemat-text describes it.
///
/// `is_complete` is false where the bytes are the start of a longer text.
/// Errors: PLACEMAT_NULL_POINTER, PLACEMAT_TOO_LONG; `*out` is empty then.
/// Cost: linear; allocates `*out`, and less than a megabyte while it runs.
///
/// # Safety
/// `data` leads to `length` bytes, `out` to a placemat_buffer, what it held is lost.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn placemat_detect_json(
    data: *const c_void,
    length: usize,
    is_complete: bool,
    out: *mut placemat_buffer,
) -> placemat_status {
    // SAFETY: the caller's word is that of `filled` and of `border`.
    unsafe { filled(out, || text::detect(border::input(data, length)?, is_complete)) }
}

/// What bytes say, sequence by sequence, as JSON, one object a line, as schema/explain.json of placemat-text describes it.
///
/// No more than `limit` objects of the bytes are written, and no more than the first 1,048,576 bytes are read; the last line is the summary.
/// Errors: PLACEMAT_UNKNOWN_ENCODING for what is no form, PLACEMAT_NULL_POINTER, PLACEMAT_TOO_LONG; `*out` is empty then.
/// Cost: linear; allocates `*out`, which is some 500 times as long as the bytes, and as much while it runs.
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
    // SAFETY: the caller's word is that of `filled` and of `border`.
    unsafe { filled(out, || text::explain(form_of(form)?, border::input(data, length)?, limit)) }
}

/// Characters of UTF-8 that are not shown and that their place does not explain, as JSON, one object a line:
/// `{"type":"hidden","offset":…,"length":…,"bytes":"E2 80 8B","kind":"zero-width"}`; payloads have `"payload"`, the text that they hide.
///
/// `kinds` are names with commas between ("bidi-unbalanced,zero-width"), "all", "default", or NULL for the default. Malformed bytes are passed
/// over. Where nothing is found `*out` is the empty text.
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
    // SAFETY: the caller's word is that of `filled` and of `border`.
    unsafe {
        filled(out, || {
            let kinds = if kinds.is_null() { None } else { Some(border::name(kinds)?) };
            text::invisible(kinds, border::input(data, length)?)
        })
    }
}

/// The place of a buffer, which is made empty.
///
/// # Safety
/// `out` is NULL or leads to a buffer, initialised or not, that is the call's alone.
pub(crate) unsafe fn emptied<'a>(out: *mut placemat_buffer) -> Answer<&'a mut MaybeUninit<placemat_buffer>> {
    // SAFETY: the caller's word is the same.
    let place = unsafe { border::place(out) }?;
    place.write(EMPTY);
    Ok(place)
}

/// A call that fills one buffer.
///
/// # Safety
/// As `emptied`.
unsafe fn filled(out: *mut placemat_buffer, make: impl FnOnce() -> Answer<Vec<u8>>) -> placemat_status {
    guard(|| {
        // SAFETY: the caller's word is the same.
        let place = unsafe { emptied(out) }?;
        fill(place, make()?);
        Ok(PLACEMAT_OK)
    })
}

/// Hand over bytes, with a NUL behind them.
pub(crate) fn fill(place: &mut MaybeUninit<placemat_buffer>, mut bytes: Vec<u8>) {
    let length = bytes.len();
    bytes.push(0);
    let mut bytes = ManuallyDrop::new(bytes);
    place.write(placemat_buffer { data: bytes.as_mut_ptr(), length, capacity: bytes.capacity() });
}
