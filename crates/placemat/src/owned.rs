//! Conversion of whole buffers into `Vec`, `String` and `Cow`.

pub(crate) mod related;
mod repair;

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;
use core::borrow::BorrowMut;
use core::fmt;

use crate::count::{expected, utf16_len};
use crate::dispatch::{Direct, kernels};
use crate::error::Error;
use crate::form::Form;
use crate::policy::{Fixed, Handler, Policy};
use crate::transcode::{Status, Transcoder};

pub use self::repair::{repair, repair_into};

/// Converts all of `bytes` to another form.
///
/// ```
/// use placemat::{Form, convert};
/// assert_eq!(convert(Form::Iso8859_1, Form::Utf8, b"caf\xE9").unwrap(), "café".as_bytes());
/// let error = convert(Form::Utf8, Form::Iso8859_1, "3 €".as_bytes()).unwrap_err();
/// assert_eq!((error.kind().name(), error.range()), ("unencodable", 2..5));
/// ```
///
/// # Errors
/// The first error of the source, or the first code point that the target cannot carry.
#[inline]
pub fn convert(from: Form, to: Form, bytes: &[u8]) -> Result<Vec<u8>, Error> {
    // If the forms are constants, the compiler leaves no more than this call. The lookup for any two forms takes as long as the
    // conversion of a short text.
    if !cfg!(placemat_lean)
        && let Some(kernel) = kernels().direct(from, to)
    {
        return convert_by(kernel, (from, to), bytes);
    }
    convert_any(from, to, bytes)
}

/// The same with a kernel, which is for simple forms.
fn convert_by(kernel: Direct, (from, to): (Form, Form), bytes: &[u8]) -> Result<Vec<u8>, Error> {
    if bytes.is_empty() {
        return Ok(Vec::new());
    }
    let room = match bytes.len().saturating_mul(kernel.halves) / 2 {
        most @ ..=UNMEASURED => most,
        _ if from == Form::Utf8 && to == Form::Utf16Le => 2 * utf16_len(bytes),
        _ => expected(from, to, bytes),
    };
    let mut out = Vec::with_capacity(room);
    let read = kernel.entry().append(bytes, &mut out).read;
    if read == bytes.len() { Ok(out) } else { convert_rest(from, to, bytes, read, out) }
}

fn convert_any(from: Form, to: Form, bytes: &[u8]) -> Result<Vec<u8>, Error> {
    let kernel = if is_simple(from) && is_simple(to) { kernels().find(from, to, Fixed::Stop) } else { None };
    let Some(kernel) = kernel else { return convert_with(Transcoder::new(from, to), bytes) };
    let room = match most(from, to, bytes.len()) {
        most @ ..=UNMEASURED => most,
        _ => expected(from, to, bytes),
    };
    let mut out = Vec::with_capacity(room);
    let read = kernel.append(bytes, &mut out).read;
    if read == bytes.len() { Ok(out) } else { convert_rest(from, to, bytes, read, out) }
}

/// Convert what a kernel has left.
fn convert_rest(from: Form, to: Form, bytes: &[u8], read: usize, mut out: Vec<u8>) -> Result<Vec<u8>, Error> {
    let transcoder = Transcoder::new(from, to);
    // At the start there may be a byte order mark that the target lacks.
    let transcoder = if read == 0 { transcoder } else { transcoder.from_middle() };
    match convert_into(transcoder, &bytes[read..], &mut out) {
        Ok(()) => Ok(out),
        Err(error) => Err(Error::new(error.kind(), error.offset() + read as u64, error.length())),
    }
}

/// Up to this many bytes, room is allocated for whatever a text may become. Measuring a short text first takes as long as converting it, but
/// what is allocated for nothing must not grow with the text.
const UNMEASURED: usize = 1024;

/// Whether a form has neither a byte order mark nor a state, so that the start of a text is like its middle.
fn is_simple(form: Form) -> bool {
    use Form::{Iso8859_1, Utf8, Utf16Be, Utf16Le, Utf32Be, Utf32Le};
    matches!(form, Utf8 | Utf16Le | Utf16Be | Utf32Le | Utf32Be | Iso8859_1)
}

/// The most bytes that `len` bytes of a simple form can become in another simple form.
fn most(from: Form, to: Form, len: usize) -> usize {
    let unit = |form| match form {
        Form::Utf16Le | Form::Utf16Be => 2,
        Form::Utf32Le | Form::Utf32Be => 4,
        _ => 1,
    };
    match (unit(from), unit(to)) {
        // A unit of UTF-16 becomes at most three bytes of UTF-8, a byte of ISO 8859-1 at most two.
        (1, 1) => len.saturating_mul(2),
        (2, 1) => len.saturating_mul(3) / 2,
        (from, to) => len.max((len / from).saturating_mul(to)),
    }
}

/// Like [`convert`], with the policy and settings of a transcoder. To query the transcoder afterwards, lend it (`&mut`).
///
/// ```
/// use placemat::{Form, Policy, Transcoder, convert_with};
/// let lossy = Transcoder::new(Form::Utf16Le, Form::Utf8).on_error(Policy::Replace);
/// assert_eq!(convert_with(lossy, b"a\0\x00\xD8").unwrap(), "a\u{FFFD}".as_bytes());
///
/// let mut counted = Transcoder::new(Form::Utf8, Form::Utf8).on_error(Policy::Replace);
/// convert_with(&mut counted, b"a\xFFb").unwrap();
/// assert_eq!(counted.errors(), 1);
/// ```
///
/// # Errors
/// As the policy decides.
pub fn convert_with<H: Handler>(
    transcoder: impl BorrowMut<Transcoder<H>>,
    bytes: &[u8],
) -> Result<Vec<u8>, Error> {
    let mut out = Vec::new();
    convert_into(transcoder, bytes, &mut out)?;
    Ok(out)
}

/// Like [`convert_with`], but appends to `out`. After an error, `out` holds what precedes the error.
///
/// ```
/// use placemat::{Form, Transcoder, convert_into};
/// let mut out = b"> ".to_vec();
/// convert_into(Transcoder::new(Form::Iso8859_1, Form::Utf8), b"caf\xE9", &mut out).unwrap();
/// assert_eq!(out, "> café".as_bytes());
/// ```
///
/// # Errors
/// As the policy decides.
pub fn convert_into<H: Handler>(
    mut transcoder: impl BorrowMut<Transcoder<H>>,
    bytes: &[u8],
    out: &mut Vec<u8>,
) -> Result<(), Error> {
    let transcoder = transcoder.borrow_mut();
    /// The engine gets this many zeroed bytes of room at a time. Kernels, which do most of the work, need no zeroed bytes.
    const WINDOW: usize = 4096;
    /// The engine must read the byte order mark, which is within this many bytes.
    const BEGIN: usize = 16;
    let mut read = 0;
    let (from, to) = transcoder.forms();
    out.reserve(expected(from, to, bytes) + 2 * Transcoder::MIN_OUTPUT);
    loop {
        read += transcoder.append_by_kernel(&bytes[read..], out);
        let start = out.len();
        let mut rest = &bytes[read..];
        let window = if rest.is_empty() { Transcoder::MIN_OUTPUT } else { WINDOW };
        if read == 0 && rest.len() > WINDOW / 2 && !transcoder.is_under_way() {
            rest = &rest[..BEGIN];
        }
        out.resize(out.capacity().min(start + window), 0);
        let step = if rest.is_empty() {
            transcoder.finish(&mut out[start..])
        } else {
            transcoder.push(rest, &mut out[start..])
        };
        read += step.read;
        let room = out.len() - start;
        out.truncate(start + step.written);
        match step.status {
            Status::Done => return Ok(()),
            Status::Failed(error) => {
                out.extend_from_slice(transcoder.last_words(&mut [0; Transcoder::MIN_OUTPUT]));
                return Err(error);
            }
            Status::NeedInput => {}
            // Grow by at least a half, so that the total time stays linear.
            Status::NeedOutput if room < window => out.reserve((out.len() / 2).max(Transcoder::MIN_OUTPUT)),
            Status::NeedOutput => {}
        }
    }
}

fn decode_with(from: Form, policy: Policy, bytes: &[u8]) -> Result<String, Error> {
    let out = convert_with(Transcoder::new(from, Form::Utf8).on_error(policy), bytes)?;
    // SAFETY: the UTF-8 writer wrote all of it.
    Ok(unsafe { String::from_utf8_unchecked(out) })
}

/// Decodes bytes in any form to text. Borrows bytes that are UTF-8 already, else allocates once or a few times. Linear.
///
/// ```
/// use placemat::{Form, decode};
/// assert_eq!(decode(Form::Utf16Le, b"h\0i\0").unwrap(), "hi");
/// assert_eq!(decode(Form::Utf8, b"a\xFF").unwrap_err().offset(), 1);
/// ```
///
/// # Errors
/// The first ill-formed sequence, or the first code point that is no scalar value, which text cannot hold. Offsets are in bytes.
pub fn decode(form: Form, bytes: &[u8]) -> Result<Cow<'_, str>, Error> {
    if form == Form::Utf8 {
        return crate::validate(bytes).map(Cow::Borrowed);
    }
    decode_with(form, Policy::Stop, bytes).map(Cow::Owned)
}

/// Like [`decode`], with U+FFFD for every error and for every code point that text cannot hold.
///
/// ```
/// use placemat::{Form, decode_lossy};
/// assert_eq!(decode_lossy(Form::Mutf8, b"x\xED\xA0\xBDy"), "x\u{FFFD}y");
/// ```
#[must_use]
pub fn decode_lossy(form: Form, bytes: &[u8]) -> Cow<'_, str> {
    if form == Form::Utf8 {
        return repair(bytes);
    }
    // `Policy::Lossy` never fails.
    Cow::Owned(decode_with(form, Policy::Lossy, bytes).unwrap_or_default())
}

/// The error of [`into_string`]: bytes that are not UTF-8, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotText {
    error: Error,
    bytes: Vec<u8>,
}

impl NotText {
    /// The first error.
    ///
    /// ```
    /// assert_eq!(placemat::into_string(b"a\xFF".to_vec()).unwrap_err().error().offset(), 1);
    /// ```
    #[must_use]
    pub const fn error(&self) -> &Error {
        &self.error
    }

    /// The bytes, unchanged.
    ///
    /// ```
    /// assert_eq!(placemat::into_string(b"a\xFF".to_vec()).unwrap_err().into_bytes(), b"a\xFF");
    /// ```
    #[must_use]
    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }
}

impl fmt::Display for NotText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.error.fmt(f)
    }
}

impl core::error::Error for NotText {}

/// Converts a vector of UTF-8 to a string, without a copy. One pass.
///
/// ```
/// assert_eq!(placemat::into_string(b"fine".to_vec()).unwrap(), "fine");
/// ```
///
/// # Errors
/// The first ill-formed sequence; [`NotText`] holds the vector too.
pub fn into_string(bytes: Vec<u8>) -> Result<String, NotText> {
    match crate::validate(&bytes) {
        // SAFETY: `validate` just found all of it well-formed.
        Ok(_) => Ok(unsafe { String::from_utf8_unchecked(bytes) }),
        Err(error) => Err(NotText { error, bytes }),
    }
}

/// Converts a vector to a string, with U+FFFD for each ill-formed maximal subpart. Copies only if something is ill-formed.
///
/// ```
/// assert_eq!(placemat::into_string_lossy(b"caf\xE9!".to_vec()), "caf\u{FFFD}!");
/// ```
#[must_use]
pub fn into_string_lossy(bytes: Vec<u8>) -> String {
    into_string(bytes).unwrap_or_else(|refused| repair(&refused.bytes).into_owned())
}
