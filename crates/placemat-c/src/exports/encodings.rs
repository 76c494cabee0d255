//! Encodings, their names and labels.

use core::ffi::{c_char, c_void};

use placemat::Form;
use placemat::label::{Label, Labels, Refused};

use super::about::pointer;
use crate::border::{self, Answer, caught, guard};
use crate::encoding::{self, placemat_encoding};
use crate::names;
use crate::settings::placemat_settings;
use crate::status::placemat_status::{self, PLACEMAT_OK, PLACEMAT_UNKNOWN_ENCODING, PLACEMAT_UNKNOWN_VALUE};

/// Properties of a form.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct placemat_facts {
    /// The least number of bytes of a code point.
    pub least: u8,
    /// The greatest number of bytes of a code point (in UTF-7 with its shifts).
    pub most: u8,
    /// Bytes 00 to 7F are always exactly the ASCII characters.
    pub ascii_transparent: bool,
    /// The next boundary can be found from any byte (in UTF-16 and UTF-32: from any code unit), without reading from the start.
    pub self_synchronising: bool,
    /// Comparing texts byte by byte gives the order of their code points.
    pub order_preserving: bool,
}

/// Returns the encoding with a name as people write it: "utf-8", "UTF 16 LE", "latin1", "shift_jis"; 0 if the name is unknown or NULL.
///
/// The name ends with a NUL and is read as PLACEMAT_LABELS_LENIENT reads labels.
/// Cost: one look-up in a hash table.
///
/// # Safety
/// `name` is NULL or ends with a NUL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn placemat_encoding_by_name(name: *const c_char) -> placemat_encoding {
    // SAFETY: the caller guarantees what `border::name` requires.
    let number = || Some(encoding::number(Labels::Lenient.resolve(unsafe { border::name(name) }.ok()?)?));
    caught(number, None).unwrap_or(0)
}

/// The canonical name of an encoding: "utf-16le", "mutf-8/java", "koi8-r"; NULL if no encoding has this number. The string is static.
#[unsafe(no_mangle)]
pub extern "C" fn placemat_encoding_name(encoding: placemat_encoding) -> *const c_char {
    pointer(names::encoding(encoding))
}

/// Whether an encoding is a form. Every function accepts forms; other encodings are accepted only by the functions that allocate.
#[unsafe(no_mangle)]
pub extern "C" fn placemat_encoding_is_form(encoding: placemat_encoding) -> bool {
    encoding::form(encoding).is_some()
}

/// Writes the first `room` of the encodings that this library converts to `encodings`, forms first. Returns the number of all of them.
///
/// Nothing is written if `encodings` is NULL.
///
/// # Safety
/// `encodings` is NULL or points to room for `room` numbers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn placemat_encodings(encodings: *mut placemat_encoding, room: usize) -> usize {
    let write = || {
        let room = if encodings.is_null() { 0 } else { room };
        // SAFETY: the caller guarantees what `border::places` requires.
        if let Ok(places) = unsafe { border::places(encodings, room) } {
            places.iter_mut().zip(encoding::all()).for_each(|(place, number)| {
                place.write(number);
            });
        }
        encoding::all().count()
    };
    caught(write, 0)
}

/// Writes the properties of a form.
///
/// Errors: PLACEMAT_UNKNOWN_ENCODING if it is not a form, PLACEMAT_NULL_POINTER.
///
/// # Safety
/// `facts` is NULL or points to a placemat_facts.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn placemat_form_facts(
    form: placemat_encoding,
    facts: *mut placemat_facts,
) -> placemat_status {
    guard(|| {
        // SAFETY: the caller guarantees what `border::place` requires.
        let place = unsafe { border::place(facts) }?;
        let known = form_of(form)?.facts();
        let (least, most) = known.width;
        place.write(placemat_facts {
            least,
            most,
            ascii_transparent: known.ascii_transparent,
            self_synchronising: known.self_synchronising,
            order_preserving: known.order_preserving,
        });
        Ok(PLACEMAT_OK)
    })
}

/// Finds the encoding that a label of a document means to a reader of labels, a placemat_labels.
///
/// White space around the label and the case of its letters are ignored. Labels that WHATWG maps to "replacement" have a number too, but no
/// function converts it.
/// Errors: PLACEMAT_UNKNOWN_ENCODING if this reader does not know the label (`*encoding` is 0 then), PLACEMAT_UNKNOWN_VALUE for an unknown
/// reader, PLACEMAT_NULL_POINTER.
/// Cost: one pass over at most 256 bytes of the label.
///
/// # Safety
/// `label` points to `length` bytes; `encoding` is NULL or points to a number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn placemat_label(
    reader: u32,
    label: *const c_void,
    length: usize,
    encoding: *mut placemat_encoding,
) -> placemat_status {
    // SAFETY: the caller guarantees what `resolve` requires.
    guard(|| unsafe {
        resolve(reader, (label, length), encoding, |labels, label| {
            labels.resolve(label).ok_or(PLACEMAT_UNKNOWN_ENCODING)
        })
    })
}

/// Like placemat_label, for a label from an untrusted source, such as a header or a document of the web.
///
/// UTF-7 can write `<` in ways that a filter does not see, and a lenient profile accepts what the strict form refuses. A label for either is
/// refused, unless its form is one of the `count` numbers in `allowed`.
/// Errors: as placemat_label, and PLACEMAT_UNSAFE_ENCODING if the label is refused; `*encoding` is 0 then. PLACEMAT_OVERLAP if `encoding`
/// points into `allowed`.
///
/// # Safety
/// As placemat_label; `allowed` points to `count` numbers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn placemat_label_untrusted(
    reader: u32,
    label: *const c_void,
    length: usize,
    allowed: *const placemat_encoding,
    count: usize,
    encoding: *mut placemat_encoding,
) -> placemat_status {
    guard(|| {
        let place = (encoding.cast_const().cast(), size_of::<placemat_encoding>());
        // SAFETY: the caller guarantees what `border::values` requires.
        let allowed = unsafe { border::values(allowed, count) }?;
        if !encoding.is_null() {
            border::apart(&[(allowed.as_ptr().cast(), size_of_val(allowed)), place])?;
        }
        // SAFETY: the caller guarantees what `resolve` requires.
        unsafe {
            resolve(reader, (label, length), encoding, |labels, label| {
                let is_allowed = |form| allowed.iter().any(|&number| encoding::form(number) == Some(form));
                match labels.resolve_untrusted(label, &[]) {
                    Err(Refused::Unsafe(form)) if is_allowed(form) => Ok(form.into()),
                    resolved => resolved.map_err(placemat_status::from),
                }
            })
        }
    })
}

/// Sets a field of settings by the name and value of the command's option.
///
/// `name` is "on-error" (a placemat_policy in lower case with hyphens: "replace-byte"), "unencodable" ("stop", "replace", "replace=X" with
/// one character, "skip", "escape", "ncr") or "bom" ("keep", "strip", "add"). `*settings` must be initialised, at least with zeros.
/// Errors: PLACEMAT_UNKNOWN_VALUE, which leaves `*settings` unchanged, PLACEMAT_NULL_POINTER.
///
/// # Safety
/// `settings` is NULL or points to settings; `name` and `value` are NULL or end with a NUL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn placemat_settings_set(
    settings: *mut placemat_settings,
    name: *const c_char,
    value: *const c_char,
) -> placemat_status {
    guard(|| {
        // SAFETY: the caller guarantees what `border` requires.
        let (now, place) = unsafe { (border::value(settings)?, border::place(settings)?) };
        // SAFETY: as above.
        let (name, value) = unsafe { (border::name(name)?, border::name(value)?) };
        let mut settings = now.unwrap_or_default();
        settings.set(name, value).ok_or(PLACEMAT_UNKNOWN_VALUE)?;
        place.write(settings);
        Ok(PLACEMAT_OK)
    })
}

/// Resolves a label and writes the number of its encoding.
///
/// # Safety
/// As `placemat_label`.
unsafe fn resolve(
    reader: u32,
    (label, length): (*const c_void, usize),
    encoding: *mut placemat_encoding,
    meaning: impl FnOnce(Labels, &str) -> Answer<Label>,
) -> Answer {
    // SAFETY: the caller guarantees what `border` requires.
    let (label, place) = unsafe { (border::input(label, length)?, border::place(encoding)?) };
    place.write(0);
    let labels = encoding::labels(reader).ok_or(PLACEMAT_UNKNOWN_VALUE)?;
    // Every label is UTF-8, so other bytes are no label.
    let label = str::from_utf8(label).map_err(|_| PLACEMAT_UNKNOWN_ENCODING)?;
    place.write(encoding::number(meaning(labels, label)?));
    Ok(PLACEMAT_OK)
}

/// Returns the form with this number, for functions that accept no other encoding.
pub(crate) fn form_of(number: placemat_encoding) -> Answer<Form> {
    encoding::form(number).ok_or(PLACEMAT_UNKNOWN_ENCODING)
}
