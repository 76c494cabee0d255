//! U+FFFD for what is ill-formed, of whole buffers.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;

use crate::dispatch::kernels;
use crate::form::Form;
use crate::kernel::Progress;
use crate::policy::Fixed;

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
    let (clean, rest) = bytes.split_at(valid);
    let mut out = Vec::with_capacity(bytes.len() + bytes.len() / 8 + 16);
    out.extend_from_slice(clean);
    // For the one error that most short texts have, the kernel is not worth its start.
    if rest.len() > BRIEF {
        mend(rest, &mut out)
    } else {
        mend_briefly(rest, &mut out)
    };
    // SAFETY: `clean` is well-formed (`utf8_prefix`), and so is what was appended.
    Cow::Owned(unsafe { String::from_utf8_unchecked(out) })
}

/// Append the bytes with U+FFFD for each maximal subpart, and say how many these are. For many texts, most of which have errors.
///
/// What is appended is well-formed UTF-8. One pass, without a look ahead at whether anything is wrong.
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

/// Bytes in a text that is repaired without a kernel.
const BRIEF: usize = 256;

/// The same, of one that may have more than one error.
const BRIEFER: usize = 16;

/// What the kernel scribbles behind what it has written.
const SCRIBBLED: usize = 320;

fn mend(mut rest: &[u8], out: &mut Vec<u8>) -> usize {
    let kernel = kernels().find(Form::Utf8, Form::Utf8, Fixed::Replace);
    let (mut replaced, mut room) = (0, rest.len() + rest.len() / 8);
    // It leaves what is unfinished.
    while rest.len() > BRIEFER {
        out.reserve(room + SCRIBBLED);
        let progress = kernel.map_or_else(Progress::default, |kernel| kernel.append(rest, out));
        replaced += progress.replaced;
        rest = &rest[progress.read..];
        if progress.read == 0 && room > 3 * rest.len() {
            break;
        }
        // If it had too little room, now it has enough.
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
