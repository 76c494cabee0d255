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

/// What can be said of a form.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct placemat_facts {
    /// The least bytes that a code point takes.
    pub least: u8,
    /// The most bytes that a code point takes (UTF-7 counts its shifts).
    pub most: u8,
    /// Bytes 00 to 7F are exactly the ASCII characters, wherever they stand.
    pub ascii_transparent: bool,
    /// From any byte (in UTF-16 and UTF-32 any code unit) the next boundary can be found without reading from the start.
    pub self_synchronising: bool,
    /// Texts compared byte by byte are in the order of their code points.
    pub order_preserving: bool,
}

/// The encoding of a name that a person typed: "utf-8", "UTF 16 LE", "latin1", "shift_jis"; 0 if it means nothing, or is NULL.
///
/// The name ends with a NUL and is read as PLACEMAT_LABELS_LENIENT reads labels.
/// Cost: one look into a table of hashes.
///
/// # Safety
/// `name` is NULL or ends with a NUL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn placemat_encoding_by_name(name: *const c_char) -> placemat_encoding {
    // SAFETY: the caller's word is that of `border::name`.
    let number = || Some(encoding::number(Labels::Lenient.resolve(unsafe { border::name(name) }.ok()?)?));
    caught(number, None).unwrap_or(0)
}

/// The canonical name of an encoding: "utf-16le", "mutf-8/java", "koi8-r"; NULL for a number that is none. It is static.
#[unsafe(no_mangle)]
pub extern "C" fn placemat_encoding_name(encoding: placemat_encoding) -> *const c_char {
    pointer(names::encoding(encoding))
}

/// Whether an encoding is a form: one that every function takes. Others are taken by those that allocate.
#[unsafe(no_mangle)]
pub extern "C" fn placemat_encoding_is_form(encoding: placemat_encoding) -> bool {
    encoding::form(encoding).is_some()
}

/// Every encoding that this library converts, forms first: the first `room` of them into `encodings`. Returns how many there are.
///
/// Nothing is written if `encodings` is NULL.
///
/// # Safety
/// `encodings` is NULL or leads to room for `room` numbers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn placemat_encodings(encodings: *mut placemat_encoding, room: usize) -> usize {
    let write = || {
        let room = if encodings.is_null() { 0 } else { room };
        // SAFETY: the caller's word is that of `border::places`.
        if let Ok(places) = unsafe { border::places(encodings, room) } {
            places.iter_mut().zip(encoding::all()).for_each(|(place, number)| {
                place.write(number);
            });
        }
        encoding::all().count()
    };
    caught(write, 0)
}

/// What can be said of a form.
///
/// Errors: PLACEMAT_UNKNOWN_ENCODING for what is no form, PLACEMAT_NULL_POINTER.
///
/// # Safety
/// `facts` is NULL or leads to a placemat_facts.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn placemat_form_facts(
    form: placemat_encoding,
    facts: *mut placemat_facts,
) -> placemat_status {
    guard(|| {
        // SAFETY: the caller's word is that of `border::place`.
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

/// What a label of a document means to a reader, a placemat_labels.
///
/// White space around the label and the case of its letters do not matter. A label that WHATWG gives to "replacement" has a number,
/// which no function converts.
/// Errors: PLACEMAT_UNKNOWN_ENCODING if it means nothing to that reader (`*encoding` is 0 then), PLACEMAT_UNKNOWN_VALUE for an unknown
/// reader, PLACEMAT_NULL_POINTER.
/// Cost: one pass over the label, of which no more than 256 bytes matter.
///
/// # Safety
/// `label` leads to `length` bytes; `encoding` is NULL or leads to a number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn placemat_label(
    reader: u32,
    label: *const c_void,
    length: usize,
    encoding: *mut placemat_encoding,
) -> placemat_status {
    // SAFETY: the caller's word is that of `resolve`.
    guard(|| unsafe {
        resolve(reader, (label, length), encoding, |labels, label| {
            labels.resolve(label).ok_or(PLACEMAT_UNKNOWN_ENCODING)
        })
    })
}

/// The same for a label from an untrusted source, such as a header or a document of the web.
///
/// UTF-7 can write `<` in ways that a filter does not see, and a lenient profile accepts what the strict form refuses: a label that
/// means either is refused, unless its form is one of the `count` that are `allowed`.
/// Errors: as placemat_label, and PLACEMAT_UNSAFE_ENCODING for what was refused; `*encoding` is 0 then.
///
/// # Safety
/// As placemat_label; `allowed` leads to `count` numbers.
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
        // SAFETY: the caller's word is that of `border::values`.
        let allowed = unsafe { border::values(allowed, count) }?;
        // SAFETY: the caller's word is that of `resolve`.
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

/// Set what has a name to the value of a name, as the command's options have them.
///
/// `name` is "on-error" (a placemat_policy in lower case with hyphens: "replace-byte"), "unencodable" ("stop", "replace", "replace=X" with
/// one character, "skip", "escape", "ncr") or "bom" ("keep", "strip", "add"). `*settings` must hold settings, zeros at least.
/// Errors: PLACEMAT_UNKNOWN_VALUE, with `*settings` as it was, PLACEMAT_NULL_POINTER.
///
/// # Safety
/// `settings` is NULL or leads to settings; `name` and `value` are NULL or end with a NUL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn placemat_settings_set(
    settings: *mut placemat_settings,
    name: *const c_char,
    value: *const c_char,
) -> placemat_status {
    guard(|| {
        // SAFETY: the caller's word is that of `border`.
        let (now, place) = unsafe { (border::value(settings)?, border::place(settings)?) };
        // SAFETY: the same.
        let (name, value) = unsafe { (border::name(name)?, border::name(value)?) };
        let mut settings = now.unwrap_or_default();
        settings.set(name, value).ok_or(PLACEMAT_UNKNOWN_VALUE)?;
        place.write(settings);
        Ok(PLACEMAT_OK)
    })
}

/// Write what a label means.
///
/// # Safety
/// As `placemat_label`.
unsafe fn resolve(
    reader: u32,
    (label, length): (*const c_void, usize),
    encoding: *mut placemat_encoding,
    meaning: impl FnOnce(Labels, &str) -> Answer<Label>,
) -> Answer {
    // SAFETY: the caller's word is that of `border`.
    let (label, place) = unsafe { (border::input(label, length)?, border::place(encoding)?) };
    place.write(0);
    let labels = encoding::labels(reader).ok_or(PLACEMAT_UNKNOWN_VALUE)?;
    // No label has a byte that is no UTF-8.
    let label = str::from_utf8(label).map_err(|_| PLACEMAT_UNKNOWN_ENCODING)?;
    place.write(encoding::number(meaning(labels, label)?));
    Ok(PLACEMAT_OK)
}

/// The form of a number, for functions that take no other encoding.
pub(crate) fn form_of(number: placemat_encoding) -> Answer<Form> {
    encoding::form(number).ok_or(PLACEMAT_UNKNOWN_ENCODING)
}
