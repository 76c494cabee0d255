//! Functions on slices of code units: `&[u16]`, `&[u32]`, and `&[u8]` as ISO 8859-1.
//!
//! Each function casts its slices to bytes and calls a kernel; where a kernel stops, it converts one sequence after the other. No
//! function allocates or writes past its slice, and each returns what it read and wrote *in units*, not bytes. U+FEFF is a
//! character like others.

use crate::codec;
use crate::count::length_in;
use crate::dispatch::kernels;
use crate::error::Error;
use crate::form::Form;
use crate::kernel::Progress;
use crate::plain;
use crate::policy::Fixed;
use crate::transcode::{Status, Step};

/// A number type for which all bytes are valid, and which has no padding.
trait Unit: Copy {
    const SIZE: usize = size_of::<Self>();
}
impl Unit for u8 {}
impl Unit for u16 {}
impl Unit for u32 {}

fn bytes<U: Unit>(units: &[U]) -> &[u8] {
    // SAFETY: the slice covers the same initialised bytes, and `u8` has the smallest alignment; `Unit` is implemented for numbers only,
    // above.
    unsafe { core::slice::from_raw_parts(units.as_ptr().cast(), size_of_val(units)) }
}

fn bytes_mut<U: Unit>(units: &mut [U]) -> &mut [u8] {
    // SAFETY: as in `bytes`; also, whatever bytes are written, they are valid `Unit`s.
    unsafe { core::slice::from_raw_parts_mut(units.as_mut_ptr().cast(), size_of_val(units)) }
}

const UTF16: Form = if cfg!(target_endian = "big") { Form::Utf16Be } else { Form::Utf16Le };
const UTF32: Form = if cfg!(target_endian = "big") { Form::Utf32Be } else { Form::Utf32Le };

/// In a build for size, so few bytes of UTF-8 are converted without the kernel, which would take longer.
const SHORT: usize = 48;

/// Converts all of `src`: first with the kernel, and, if anything is left, one sequence after the other. With constant forms this
/// is little more than a call of the kernel, so that it can be inlined. If there are only a few units, `few` is tried before the
/// kernel.
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
    // No closure here, because closures are not always inlined.
    let kernel = if is_short { None } else { kernels().find(pair.0, pair.1, fixed) };
    let Progress { read, written, .. } = match kernel {
        Some(kernel) => kernel.run(src, dst),
        None => Progress::default(),
    };
    if read == src.len() {
        // This return is separate from the other one: a copied status would have to wait for the store of one of its bytes.
        return Step { read: read / U::SIZE, written: written / V::SIZE, status: Status::Done };
    }
    let step = rest::<U>(plain::find(pair), fixed, src, dst, (read, written));
    Step { read: step.read / U::SIZE, written: step.written / V::SIZE, status: step.status }
}

/// Converts what a kernel left. Numbers are in bytes, except in an error, where they are in units.
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

/// UTF-8 to ISO 8859-1, with `?` for code points that it lacks. The kernel stops at each of them.
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

/// Whether UTF-16 or UTF-32 is well-formed. Little more than a call of the kernel, like `convert`.
#[inline(always)]
fn validate<U: Few>(form: Form, src: &[U]) -> Result<(), Error> {
    if src.is_empty() || few::are(src) && U::are_well_formed(src) {
        return Ok(());
    }
    let valid = kernels().wide_prefix(form, bytes(src));
    if valid == size_of_val(src) { Ok(()) } else { length_behind::<U, u32>(src, valid).map(drop) }
}

/// The length in `to`, in units of `to`. Little more than a call of the kernel, like `convert`.
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
        // This kernel returns one number, in a register.
        return match kernels().in_utf8(from, bytes(src)) {
            Some(length) => Ok(length),
            None => length_apart::<U, V>((from, to), src),
        };
    }
    length_with_kernel::<U, V>((from, to), src)
}

/// The same, where that kernel does not exist.
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

/// The length of what follows the first `at` bytes, which are well-formed, or the first error. Uses one form only, so that the
/// linker need not keep the others.
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

/// The same error, counted in units.
fn in_units<U: Unit>(error: &Error) -> Error {
    let size = U::SIZE as u8;
    Error::new(error.kind(), error.offset() / U::SIZE as u64, error.length() / size).in_units_of(size)
}

/// Converts UTF-16 to a string.
#[cfg(feature = "alloc")]
fn string_of_utf16(units: &[u16]) -> Result<alloc::string::String, Error> {
    let mut out = alloc::vec![0; utf16::utf8_len(units)?];
    // The length is that of the whole text, so everything fits.
    let written = utf16::to_utf8(units, &mut out).written;
    out.truncate(written);
    // SAFETY: the UTF-8 writer wrote all of it.
    Ok(unsafe { alloc::string::String::from_utf8_unchecked(out) })
}

/// Converts UTF-8 to UTF-16.
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

/// Defines one function per line: its name, its slices, its forms, and the function for a few units.
macro_rules! faces {
    ($($(#[$doc:meta])* $name:ident($from:ident: $source:ty => $to:ident: $target:ty) $fixed:ident $few:ident;)*) => {$(
        $(#[$doc])*
        ///
        /// One pass. The status is [`Status::Done`](crate::Status) if everything was converted, `NeedOutput` if `dst` is full
        /// (call again with the rest of `src`), or `Failed` with the first error, counted in units of `src`.
        #[inline]
        pub fn $name(src: &[$source], dst: &mut [$target]) -> crate::Step {
            super::convert((super::$from, super::$to), crate::Fixed::$fixed, super::few::$few, src, dst)
        }
    )*};
}

/// The same for functions that write nothing.
macro_rules! looks {
    ($(#[$doc:meta])* validate($form:ident: $source:ty)) => {
        /// Checks that all of `src` is well-formed. One pass, nothing is written.
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
