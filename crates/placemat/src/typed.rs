//! Faces over slices of code units: `&[u16]`, `&[u32]`, and `&[u8]` as ISO 8859-1.
//!
//! They are the kernels, and one sequence after the other where a kernel stops, behind three casts. None allocates, none writes past the slice it
//! is given, and each says what it read and wrote *in units*, not bytes. U+FEFF is a character like others.

use crate::codec;
use crate::count::length_in;
use crate::dispatch::kernels;
use crate::error::Error;
use crate::form::Form;
use crate::kernel::Progress;
use crate::plain;
use crate::policy::Fixed;
use crate::transcode::{Status, Step};

/// A number that any bytes are, and whose bytes are all initialised.
trait Unit: Copy {
    const SIZE: usize = size_of::<Self>();
}
impl Unit for u8 {}
impl Unit for u16 {}
impl Unit for u32 {}

fn bytes<U: Unit>(units: &[U]) -> &[u8] {
    // SAFETY: as many initialised bytes, with a smaller alignment; `Unit` is implemented for numbers alone, above.
    unsafe { core::slice::from_raw_parts(units.as_ptr().cast(), size_of_val(units)) }
}

fn bytes_mut<U: Unit>(units: &mut [U]) -> &mut [u8] {
    // SAFETY: as in `bytes`, and any bytes that may be written make a `Unit`.
    unsafe { core::slice::from_raw_parts_mut(units.as_mut_ptr().cast(), size_of_val(units)) }
}

const UTF16: Form = if cfg!(target_endian = "big") { Form::Utf16Be } else { Form::Utf16Le };
const UTF32: Form = if cfg!(target_endian = "big") { Form::Utf32Be } else { Form::Utf32Le };

/// So few bytes of UTF-8 take less time without the kernel, if it has no shorter way for them.
const SHORT: usize = 48;

/// All of `src`: first the kernel, and then, if anything is left, one sequence after the other. With a constant pair of forms
/// a call of the kernel and little else, so that it can be inlined. If there are only a few units, `few` is asked before it.
#[inline(always)]
fn convert<U: Unit, V: Unit>(
    pair: (Form, Form),
    fixed: Fixed,
    few: impl Fn(&[U], &mut [V]) -> Option<usize>,
    src: &[U],
    dst: &mut [V],
) -> Step {
    if src.is_empty() {
        return Step { read: 0, written: 0, status: Status::Done };
    }
    if few::are(src)
        && let Some(written) = few(src, dst)
    {
        return Step { read: src.len(), written, status: Status::Done };
    }
    let (src, dst) = (bytes(src), bytes_mut(dst));
    if pair.1 == Form::Iso8859_1 && fixed == Fixed::Replace {
        return latin1_lossy(src, dst);
    }
    let is_short = cfg!(placemat_lean) && pair.0 == Form::Utf8 && src.len() <= SHORT;
    // Not by a closure: those are not always inlined.
    let kernel = if is_short { None } else { kernels().find(pair.0, pair.1, fixed) };
    let Progress { read, written, .. } = match kernel {
        Some(kernel) => kernel.run(src, dst),
        None => Progress::default(),
    };
    if read == src.len() {
        // Apart from the other way out: a status that is copied would wait for the byte in it that was just written.
        return Step { read: read / U::SIZE, written: written / V::SIZE, status: Status::Done };
    }
    let step = rest::<U>(plain::find(pair), fixed, src, dst, (read, written));
    Step { read: step.read / U::SIZE, written: step.written / V::SIZE, status: step.status }
}

/// What a kernel left, in bytes, but an error in units.
#[cold]
#[inline(never)]
fn rest<U: Unit>(
    convert: plain::Convert,
    fixed: Fixed,
    src: &[u8],
    dst: &mut [u8],
    done: (usize, usize),
) -> Step {
    let step = convert(fixed, src, dst, done);
    match step.status {
        Status::Failed(error) => Step { status: Status::Failed(in_units::<U>(&error)), ..step },
        Status::NeedInput | Status::NeedOutput | Status::Done => step,
    }
}

/// UTF-8 to ISO 8859-1 with `?` for what it lacks, at which the kernel stops each time.
fn latin1_lossy(src: &[u8], dst: &mut [u8]) -> Step {
    let (mut read, mut written) = (0, 0);
    loop {
        if let Some(kernel) = kernels().find(Form::Utf8, Form::Iso8859_1, Fixed::Replace) {
            let progress = kernel.run(&src[read..], &mut dst[written..]);
            (read, written) = (read + progress.read, written + progress.written);
        }
        let step = plain::find((Form::Utf8, Form::Iso8859_1))(Fixed::Replace, src, dst, (read, written));
        if step.status != Status::NeedInput {
            return step;
        }
        (read, written) = (step.read, step.written);
    }
}

/// Whether UTF-16 or UTF-32 is well-formed. A call of the kernel and little else, as above.
#[inline(always)]
fn validate<U: Few>(form: Form, src: &[U]) -> Result<(), Error> {
    if src.is_empty() || few::are(src) && U::are_well_formed(src) {
        return Ok(());
    }
    let valid = kernels().wide_prefix(form, bytes(src));
    if valid == size_of_val(src) { Ok(()) } else { length_behind::<U, u32>(src, valid).map(drop) }
}

/// The length in `to`, in its units. A call of the kernel and little else, as above.
#[inline(always)]
fn length<U: Few, V: Unit>((from, to): (Form, Form), src: &[U]) -> Result<usize, Error> {
    if src.is_empty() {
        return Ok(0);
    }
    if few::are(src) && src.len() <= U::MEASURED {
        let length = match V::SIZE {
            1 => U::length::<1>(src),
            2 => U::length::<2>(src),
            _ => U::length::<4>(src),
        };
        if let Some(length) = length {
            return Ok(length);
        }
    }
    if V::SIZE == 1 {
        // By an answer that needs no memory.
        return match kernels().in_utf8(from, bytes(src)) {
            Some(length) => Ok(length),
            None => length_apart::<U, V>((from, to), src),
        };
    }
    length_with_kernel::<U, V>((from, to), src)
}

/// The same where that has no answer.
#[cold]
#[inline(never)]
fn length_apart<U: Few, V: Unit>(pair: (Form, Form), src: &[U]) -> Result<usize, Error> {
    length_with_kernel::<U, V>(pair, src)
}

#[inline(always)]
fn length_with_kernel<U: Few, V: Unit>((from, to): (Form, Form), src: &[U]) -> Result<usize, Error> {
    let measured = kernels().measure(from, bytes(src)).unwrap_or_default();
    let length = length_in(to, measured) / V::SIZE;
    if measured.read == size_of_val(src) {
        return Ok(length);
    }
    Ok(length + length_behind::<U, V>(src, measured.read)?)
}

/// The length of what follows so many bytes that are well-formed, or the first error. Knows one form, so that the linker need
/// not keep the others.
#[cold]
#[inline(never)]
fn length_behind<U: Few, V: Unit>(src: &[U], mut at: usize) -> Result<usize, Error> {
    let (bytes, mut length) = (bytes(src), 0);
    while at < bytes.len() {
        let (c, end) = codec::read::<U::Form>(bytes, at).map_err(|error| in_units::<U>(&error))?;
        length += few::length_of(V::SIZE, c.value());
        at = end;
    }
    Ok(length)
}

/// An error counted in units.
fn in_units<U: Unit>(error: &Error) -> Error {
    let size = U::SIZE as u8;
    Error::new(error.kind(), error.offset() / U::SIZE as u64, error.length() / size).in_units_of(size)
}

/// UTF-16 as a string.
#[cfg(feature = "alloc")]
fn string_of_utf16(units: &[u16]) -> Result<alloc::string::String, Error> {
    let mut out = alloc::vec![0; utf16::utf8_len(units)?];
    // The length was found in full, so that all of it fits.
    let written = utf16::to_utf8(units, &mut out).written;
    out.truncate(written);
    // SAFETY: the UTF-8 writer wrote all of it.
    Ok(unsafe { alloc::string::String::from_utf8_unchecked(out) })
}

/// UTF-8 as UTF-16.
#[cfg(feature = "alloc")]
fn utf16_of_utf8(bytes: &[u8]) -> Result<alloc::vec::Vec<u16>, Error> {
    let mut out = alloc::vec![0; bytes.len()];
    let step = utf16::from_utf8(bytes, &mut out);
    if let Status::Failed(error) = step.status {
        return Err(error);
    }
    out.truncate(step.written);
    Ok(out)
}

/// From one line a function: its name, its slices, its forms, and what converts a few units.
macro_rules! faces {
    ($($(#[$doc:meta])* $name:ident($from:ident: $source:ty => $to:ident: $target:ty) $fixed:ident $few:ident;)*) => {$(
        $(#[$doc])*
        ///
        /// One pass. [`Status::Done`](crate::Status) when all was converted, `NeedOutput` when `dst` is full (offer the rest of
        /// `src` again), `Failed` with the first error, counted in units of `src`.
        #[inline]
        pub fn $name(src: &[$source], dst: &mut [$target]) -> crate::Step {
            super::convert((super::$from, super::$to), crate::Fixed::$fixed, super::few::$few, src, dst)
        }
    )*};
}

/// The same for functions that only look.
macro_rules! looks {
    ($(#[$doc:meta])* validate($form:ident: $source:ty)) => {
        /// Whether all of it is well-formed. One pass, nothing is written.
        ///
        $(#[$doc])*
        ///
        /// # Errors
        /// The first ill-formed sequence, counted in units.
        #[inline]
        pub fn validate(src: &[$source]) -> Result<(), crate::Error> {
            super::validate(super::$form, src)
        }
    };
    ($(#[$doc:meta])* $name:ident($from:ident: $source:ty => $to:ident: $target:ty)) => {
        $(#[$doc])*
        ///
        /// # Errors
        /// Those of the conversion, counted in units of `src`.
        #[inline]
        pub fn $name(src: &[$source]) -> Result<usize, crate::Error> {
            super::length::<$source, $target>((super::$from, super::$to), src)
        }
    };
}

use Form::{Iso8859_1 as LATIN1, Utf8 as UTF8};
use few::Few;

mod few;
pub mod latin1;
pub mod utf16;
pub mod utf32;
