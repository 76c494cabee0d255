//! Whole buffers in, `Vec`, `String` and `Cow` out.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;

use crate::count::expected;
use crate::error::Error;
use crate::form::Form;
use crate::kernel::kernels;
use crate::policy::{Fixed, Handler, Policy};
use crate::transcode::{Status, Transcoder};

/// The bytes as text, with U+FFFD for each maximal subpart, as the WHATWG decoder and [`String::from_utf8_lossy`] do it.
///
/// Borrows when nothing is wrong. One pass; allocates only to repair.
///
/// ```
/// use std::borrow::Cow;
/// assert!(matches!(placemat::repair(b"fine"), Cow::Borrowed("fine")));
/// assert_eq!(placemat::repair(b"caf\xE9!"), "caf\u{FFFD}!");
/// ```
#[must_use]
pub fn repair(bytes: &[u8]) -> Cow<'_, str> {
    let kernels = kernels();
    let valid = kernels.utf8_prefix(bytes);
    if valid == bytes.len() {
        // SAFETY: all of it is well-formed, by the law of `utf8_prefix`.
        return Cow::Borrowed(unsafe { str::from_utf8_unchecked(bytes) });
    }
    let (clean, mut rest) = bytes.split_at(valid);
    let mut out = Vec::with_capacity(bytes.len() + bytes.len() / 8 + 16);
    out.extend_from_slice(clean);
    if let Some(kernel) = kernels.find(Form::Utf8, Form::Utf8, Fixed::Replace) {
        let progress = kernel.fill(rest, out.spare_capacity_mut());
        // SAFETY: the kernel has written so many bytes behind `clean`.
        unsafe { out.set_len(valid + progress.written) };
        rest = &rest[progress.read..];
    }
    if !rest.is_empty() {
        // With U+FFFD for every error and a target that carries all scalar values, nothing can fail.
        let _ =
            convert_into(Transcoder::new(Form::Utf8, Form::Utf8).on_error(Policy::Replace), rest, &mut out);
    }
    // SAFETY: `clean` is well-formed (`utf8_prefix`), and so is all that a kernel and the UTF-8 writer wrote.
    Cow::Owned(unsafe { String::from_utf8_unchecked(out) })
}

/// All of `bytes` in another form.
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
pub fn convert(from: Form, to: Form, bytes: &[u8]) -> Result<Vec<u8>, Error> {
    convert_with(Transcoder::new(from, to), bytes)
}

/// Like [`convert`], under the transcoder's policy and settings.
///
/// ```
/// use placemat::{Form, Policy, Transcoder, convert_with};
/// let lossy = Transcoder::new(Form::Utf16Le, Form::Utf8).on_error(Policy::Replace);
/// assert_eq!(convert_with(lossy, b"a\0\x00\xD8").unwrap(), "a\u{FFFD}".as_bytes());
/// ```
///
/// # Errors
/// As the policy decides.
pub fn convert_with<H: Handler>(transcoder: Transcoder<H>, bytes: &[u8]) -> Result<Vec<u8>, Error> {
    let mut out = Vec::new();
    convert_into(transcoder, bytes, &mut out)?;
    Ok(out)
}

/// Like [`convert_with`], appending to `out`; what precedes a failure is there too.
///
/// # Errors
/// As the policy decides.
pub fn convert_into<H: Handler>(
    mut transcoder: Transcoder<H>,
    bytes: &[u8],
    out: &mut Vec<u8>,
) -> Result<(), Error> {
    /// What the engine takes at a time: kernels need no cleared room, and do nearly all.
    const WINDOW: usize = 4096;
    let mut read = 0;
    let (from, to) = transcoder.forms();
    out.reserve(expected(from, to, bytes) + 2 * Transcoder::MIN_OUTPUT);
    loop {
        let progress = transcoder.run_kernel_in(&bytes[read..], out.spare_capacity_mut());
        read += progress.read;
        let start = out.len() + progress.written;
        // SAFETY: the kernel wrote so many bytes into the spare capacity, by the contract of `Entry::fill`.
        unsafe { out.set_len(start) };
        out.resize(out.capacity().min(start + WINDOW), 0);
        let rest = &bytes[read..];
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
            // At least half as much again, so that growing stays linear.
            Status::NeedOutput if room < WINDOW => out.reserve((out.len() / 2).max(Transcoder::MIN_OUTPUT)),
            Status::NeedOutput => {}
        }
    }
}

/// Text as CESU-8 or Modified UTF-8; borrowed where that is the same.
pub(crate) fn encode_related(to: Form, text: &str) -> Cow<'_, [u8]> {
    let bytes = text.as_bytes();
    // In text, what differs begins where a sequence does.
    let (same, rest) = bytes.split_at(kernels().common_prefix(to == Form::Mutf8, bytes));
    if rest.is_empty() {
        return Cow::Borrowed(bytes);
    }
    let mut out = Vec::with_capacity(bytes.len() + rest.len() / 2 + Transcoder::MIN_OUTPUT);
    out.extend_from_slice(same);
    // These forms carry whatever is text, so nothing can fail.
    let _ = convert_into(Transcoder::new(Form::Utf8, to), rest, &mut out);
    Cow::Owned(out)
}

/// CESU-8 or Modified UTF-8 as text; borrowed where that is the same.
pub(crate) fn decode_related(from: Form, bytes: &[u8]) -> Result<Cow<'_, str>, Error> {
    if kernels().common_prefix(from == Form::Mutf8, bytes) == bytes.len()
        && let Ok(text) = crate::validate(bytes)
    {
        return Ok(Cow::Borrowed(text));
    }
    let out = convert(from, Form::Utf8, bytes)?;
    // SAFETY: the UTF-8 writer wrote all of it.
    Ok(Cow::Owned(unsafe { String::from_utf8_unchecked(out) }))
}
