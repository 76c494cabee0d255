//! Repair of whole buffers: U+FFFD in place of ill-formed bytes.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;

use crate::dispatch::kernels;
use crate::error::Error;
use crate::form::Form;
use crate::kernel::Progress;
use crate::policy::Fixed;
use crate::validate::{error_at, validate};

/// Returns the bytes as text, with U+FFFD for each ill-formed maximal subpart, as the WHATWG decoder and
/// [`String::from_utf8_lossy`] do it.
///
/// Borrows if nothing is ill-formed. One pass; allocates only to repair.
///
/// ```
/// use std::borrow::Cow;
/// assert!(matches!(placemat::repair(b"fine"), Cow::Borrowed("fine")));
/// assert_eq!(placemat::repair(b"caf\xE9!"), "caf\u{FFFD}!");
/// ```
#[must_use]
pub fn repair(bytes: &[u8]) -> Cow<'_, str> {
    let error = match validate(bytes) {
        Ok(text) => return Cow::Borrowed(text),
        Err(error) => error,
    };
    let mut out = Vec::with_capacity(bytes.len() + bytes.len() / 8 + 16);
    mend_few(bytes, error, &mut out);
    // SAFETY: what was appended is well-formed.
    Cow::Owned(unsafe { String::from_utf8_unchecked(out) })
}

/// Repair bytes whose first error is known. Most texts have few errors. Then it is faster to check and copy what is between them
/// than to start a kernel that does both.
fn mend_few(bytes: &[u8], mut error: Error, out: &mut Vec<u8>) {
    let mut rest = bytes;
    for _ in 0..FEW {
        let (clean, wrong) = rest.split_at(error.offset() as usize);
        out.extend_from_slice(clean);
        if wrong.len() > LONG {
            rest = wrong;
            break;
        }
        let mut length = error.length();
        rest = wrong;
        // The bytes right behind an error are often ill-formed too.
        loop {
            out.extend_from_slice("\u{FFFD}".as_bytes());
            rest = &rest[length.into()..];
            match error_at(rest, 0) {
                Some((_, next)) => length = next,
                None => break,
            }
        }
        error = match validate(rest) {
            Ok(text) => return out.extend_from_slice(text.as_bytes()),
            Err(error) => error,
        };
    }
    // For few bytes, starting the kernel is not worth it.
    if rest.len() > BRIEF {
        mend(rest, out)
    } else {
        mend_briefly(rest, out)
    };
}

/// This many errors, or runs of errors, are handled one by one.
const FEW: usize = 3;

/// If more than this many bytes are left, they are not read twice.
const LONG: usize = 4096;

/// Appends the bytes to `out`, with U+FFFD for each ill-formed maximal subpart, and returns the number of these. For many texts
/// of which most have errors.
///
/// What is appended is well-formed UTF-8. One pass; does not check first whether anything is ill-formed.
///
/// ```
/// let mut out = Vec::new();
/// assert_eq!(placemat::repair_into(b"caf\xE9!", &mut out), 1);
/// assert_eq!(placemat::repair_into(b" fine", &mut out), 0);
/// assert_eq!(out, "caf\u{FFFD}! fine".as_bytes());
/// ```
pub fn repair_into(bytes: &[u8], out: &mut Vec<u8>) -> usize {
    mend(bytes, out)
}

/// Up to this many bytes are repaired without a kernel.
const BRIEF: usize = 256;

/// The same, for a text that may have several errors.
const BRIEFER: usize = 16;

/// How many bytes the kernel may overwrite behind what it has written.
const SCRIBBLED: usize = 320;

fn mend(mut rest: &[u8], out: &mut Vec<u8>) -> usize {
    let kernel = kernels().find(Form::Utf8, Form::Utf8, Fixed::Replace);
    let (mut replaced, mut room) = (0, rest.len() + rest.len() / 8);
    // The kernel leaves an unfinished sequence at the end.
    while rest.len() > BRIEFER {
        out.reserve(room + SCRIBBLED);
        let progress = kernel.map_or_else(Progress::default, |kernel| kernel.append(rest, out));
        replaced += progress.replaced;
        rest = &rest[progress.read..];
        if progress.read == 0 && room > 3 * rest.len() {
            break;
        }
        // The kernel may have had too little room; this is enough.
        room = 3 * rest.len() + 1;
    }
    replaced + mend_briefly(rest, out)
}

fn mend_briefly(rest: &[u8], out: &mut Vec<u8>) -> usize {
    let mut replaced = 0;
    for chunk in rest.utf8_chunks() {
        out.extend_from_slice(chunk.valid().as_bytes());
        if !chunk.invalid().is_empty() {
            out.extend_from_slice("\u{FFFD}".as_bytes());
            replaced += 1;
        }
    }
    replaced
}
