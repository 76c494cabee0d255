//! Faces over slices of code units: `&[u16]`, `&[u32]`, and `&[u8]` as ISO 8859-1.
//!
//! They are the kernels, and one sequence after the other where a kernel stops, behind three casts. None allocates, none writes past the slice it
//! is given, and each says what it read and wrote *in units*, not bytes. U+FEFF is a character like others.

use crate::error::Error;
use crate::form::Form;
use crate::kernel::{Progress, kernels};
use crate::plain;
use crate::policy::Fixed;
use crate::transcode::{Status, Step};
use crate::validate::first_error;

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

/// All of `src`: first the kernel, and then, if anything is left, one sequence after the other. With a constant pair of forms
/// a call of the kernel and little else, so that it can be inlined.
#[inline(always)]
fn convert<U: Unit, V: Unit>(pair: (Form, Form), fixed: Fixed, src: &[U], dst: &mut [V]) -> Step {
    let (src, dst) = (bytes(src), bytes_mut(dst));
    if pair.1 == Form::Iso8859_1 && fixed == Fixed::Replace {
        return latin1_lossy(src, dst);
    }
    let mut progress = Progress::default();
    // Not by a closure: those are not always inlined.
    if let Some(kernel) = kernels().find(pair.0, pair.1, fixed) {
        progress = kernel.run(src, dst);
    }
    let Progress { read, written, .. } = progress;
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
        Status::Failed(error) => Step { status: Status::Failed(in_units::<U>(&error, 0)), ..step },
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

/// Whether UTF-16 or UTF-32 is well-formed.
fn validate<U: Unit>(form: Form, src: &[U]) -> Result<(), Error> {
    let src = bytes(src);
    let valid = kernels().wide_prefix(form, src);
    if valid == src.len() {
        return Ok(());
    }
    first_error(form, src, valid).map_or(Ok(()), |error| Err(in_units::<U>(&error, 0)))
}

/// The length in `to`, in its units.
fn length<U: Unit, V: Unit>((from, to): (Form, Form), src: &[U]) -> Result<usize, Error> {
    match crate::length(from, to, bytes(src)) {
        Ok(length) => Ok(length / V::SIZE),
        Err(error) => Err(in_units::<U>(&error, 0)),
    }
}

/// An error behind so many bytes, counted in units.
fn in_units<U: Unit>(error: &Error, before: usize) -> Error {
    let (offset, length) = (error.offset() + before as u64, error.length() / U::SIZE as u8);
    Error::new(error.kind(), offset / U::SIZE as u64, length).in_units_of(U::SIZE as u8)
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

/// From one line a function: its name, its slices, and its forms.
macro_rules! faces {
    ($($(#[$doc:meta])* $name:ident($from:ident: $source:ty => $to:ident: $target:ty) $fixed:ident;)*) => {$(
        $(#[$doc])*
        ///
        /// One pass. [`Status::Done`](crate::Status) when all was converted, `NeedOutput` when `dst` is full (offer the rest of
        /// `src` again), `Failed` with the first error, counted in units of `src`.
        #[inline]
        pub fn $name(src: &[$source], dst: &mut [$target]) -> crate::Step {
            super::convert((super::$from, super::$to), crate::Fixed::$fixed, src, dst)
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
        pub fn validate(src: &[$source]) -> Result<(), crate::Error> {
            super::validate(super::$form, src)
        }
    };
    ($(#[$doc:meta])* $name:ident($from:ident: $source:ty => $to:ident: $target:ty)) => {
        $(#[$doc])*
        ///
        /// # Errors
        /// Those of the conversion, counted in units of `src`.
        pub fn $name(src: &[$source]) -> Result<usize, crate::Error> {
            super::length::<$source, $target>((super::$from, super::$to), src)
        }
    };
}

use Form::{Iso8859_1 as LATIN1, Utf8 as UTF8};

/// UTF-16 in `u16`s, in the byte order of this machine.
///
/// ```
/// use placemat::{Status, utf16};
/// let mut units = [0; 8];
/// let step = utf16::from_utf8("né\u{1F600}".as_bytes(), &mut units);
/// assert_eq!(step.status, Status::Done);
/// assert_eq!(units[..step.written], [0x6E, 0xE9, 0xD83D, 0xDE00]);
///
/// let mut text = [0; 16];
/// let step = utf16::to_utf8_lossy(&[0x6E, 0xD83D], &mut text);
/// assert_eq!(&text[..step.written], "n\u{FFFD}".as_bytes());
/// ```
pub mod utf16 {
    faces! {
        /// UTF-8 to UTF-16. A unit for each byte is room enough.
        ///
        /// ```
        /// let mut units = [0; 4];
        /// let step = placemat::utf16::from_utf8("né".as_bytes(), &mut units);
        /// assert_eq!(units[..step.written], [0x6E, 0xE9]);
        /// ```
        from_utf8(UTF8: u8 => UTF16: u16) Stop;
        /// The same with U+FFFD for each maximal subpart that is ill-formed.
        ///
        /// ```
        /// let mut units = [0; 4];
        /// let step = placemat::utf16::from_utf8_lossy(b"n\xFF", &mut units);
        /// assert_eq!(units[..step.written], [0x6E, 0xFFFD]);
        /// ```
        from_utf8_lossy(UTF8: u8 => UTF16: u16) Replace;
        /// UTF-16 to UTF-8. Three bytes for each unit are room enough.
        ///
        /// ```
        /// let mut text = [0; 8];
        /// let step = placemat::utf16::to_utf8(&[0x6E, 0xE9], &mut text);
        /// assert_eq!(&text[..step.written], "né".as_bytes());
        /// ```
        to_utf8(UTF16: u16 => UTF8: u8) Stop;
        /// The same with U+FFFD for each surrogate without a partner.
        ///
        /// ```
        /// let mut text = [0; 8];
        /// let step = placemat::utf16::to_utf8_lossy(&[0x6E, 0xD800], &mut text);
        /// assert_eq!(&text[..step.written], "n\u{FFFD}".as_bytes());
        /// ```
        to_utf8_lossy(UTF16: u16 => UTF8: u8) Replace;
        /// UTF-16 to UTF-32. A unit for each unit is room enough.
        ///
        /// ```
        /// let mut units = [0; 2];
        /// let step = placemat::utf16::to_utf32(&[0xD83D, 0xDE00], &mut units);
        /// assert_eq!((step.read, &units[..step.written]), (2, &[0x1F600][..]));
        /// ```
        to_utf32(UTF16: u16 => UTF32: u32) Stop;
        /// The same with U+FFFD for each surrogate without a partner.
        ///
        /// ```
        /// let mut units = [0; 2];
        /// let step = placemat::utf16::to_utf32_lossy(&[0x6E, 0xDE00], &mut units);
        /// assert_eq!(units[..step.written], [0x6E, 0xFFFD]);
        /// ```
        to_utf32_lossy(UTF16: u16 => UTF32: u32) Replace;
        /// UTF-16 to ISO 8859-1; fails at the first code point above U+00FF. A byte for each unit is room enough.
        ///
        /// ```
        /// use placemat::{Status, utf16};
        /// let mut bytes = [0; 2];
        /// assert_eq!(utf16::to_latin1(&[0x6E, 0xE9], &mut bytes).status, Status::Done);
        /// assert_eq!(bytes, *b"n\xE9");
        /// ```
        to_latin1(UTF16: u16 => LATIN1: u8) Stop;
    }
    looks! {
        /// ```
        /// use placemat::utf16;
        /// assert_eq!(utf16::validate(&[0x61, 0xD83D, 0xDE00]), Ok(()));
        /// assert_eq!(utf16::validate(&[0x61, 0xD83D]).unwrap_err().offset(), 1);
        /// ```
        validate(UTF16: u16)
    }
    looks! {
        /// The exact number of bytes that [`to_utf8`] will write.
        ///
        /// ```
        /// assert_eq!(placemat::utf16::utf8_len(&[0x6E, 0xD83D, 0xDE00]), Ok(5));
        /// ```
        utf8_len(UTF16: u16 => UTF8: u8)
    }
    looks! {
        /// The exact number of units that [`to_utf32`] will write: the code points.
        ///
        /// ```
        /// assert_eq!(placemat::utf16::utf32_len(&[0x6E, 0xD83D, 0xDE00]), Ok(2));
        /// ```
        utf32_len(UTF16: u16 => UTF32: u32)
    }

    /// UTF-16 as a string. Two passes: one for the length.
    ///
    /// ```
    /// assert_eq!(placemat::utf16::to_string(&[0x6E, 0xE9]).unwrap(), "né");
    /// ```
    ///
    /// # Errors
    /// The first surrogate without a partner, counted in units.
    #[cfg(feature = "alloc")]
    pub fn to_string(src: &[u16]) -> Result<alloc::string::String, crate::Error> {
        super::string_of_utf16(src)
    }

    /// UTF-8 as a vector of UTF-16, with room for as many units as there are bytes. One pass.
    ///
    /// ```
    /// assert_eq!(placemat::utf16::to_vec("né".as_bytes()).unwrap(), [0x6E, 0xE9]);
    /// ```
    ///
    /// # Errors
    /// The first ill-formed sequence, counted in bytes.
    #[cfg(feature = "alloc")]
    pub fn to_vec(src: &[u8]) -> Result<alloc::vec::Vec<u16>, crate::Error> {
        super::utf16_of_utf8(src)
    }

    /// The exact number of units that [`from_utf8`] will write, for text that is known to be well-formed.
    ///
    /// ```
    /// assert_eq!(placemat::utf16::len_of_str("n\u{1F600}"), 3);
    /// ```
    #[must_use]
    pub fn len_of_str(text: &str) -> usize {
        crate::count::utf16_len_of_str(text)
    }
}

/// UTF-32 in `u32`s, in the byte order of this machine.
///
/// ```
/// use placemat::{Status, utf32};
/// let mut units = [0; 4];
/// let step = utf32::from_utf8("n\u{1F600}".as_bytes(), &mut units);
/// assert_eq!(units[..step.written], [0x6E, 0x1F600]);
/// let Status::Failed(error) = utf32::to_utf8(&[0x6E, 0xD800], &mut [0; 8]).status else { panic!() };
/// assert_eq!(error.offset(), 1);
/// ```
pub mod utf32 {
    faces! {
        /// UTF-8 to UTF-32. A unit for each byte is room enough.
        ///
        /// ```
        /// let mut units = [0; 4];
        /// let step = placemat::utf32::from_utf8("né".as_bytes(), &mut units);
        /// assert_eq!(units[..step.written], [0x6E, 0xE9]);
        /// ```
        from_utf8(UTF8: u8 => UTF32: u32) Stop;
        /// The same with U+FFFD for each maximal subpart that is ill-formed.
        ///
        /// ```
        /// let mut units = [0; 4];
        /// let step = placemat::utf32::from_utf8_lossy(b"n\xFF", &mut units);
        /// assert_eq!(units[..step.written], [0x6E, 0xFFFD]);
        /// ```
        from_utf8_lossy(UTF8: u8 => UTF32: u32) Replace;
        /// UTF-32 to UTF-8. Four bytes for each unit are room enough.
        ///
        /// ```
        /// let mut text = [0; 8];
        /// let step = placemat::utf32::to_utf8(&[0x6E, 0x1F600], &mut text);
        /// assert_eq!(&text[..step.written], "n😀".as_bytes());
        /// ```
        to_utf8(UTF32: u32 => UTF8: u8) Stop;
        /// The same with U+FFFD for each unit that is no scalar value.
        ///
        /// ```
        /// let mut text = [0; 8];
        /// let step = placemat::utf32::to_utf8_lossy(&[0x6E, 0x11_0000], &mut text);
        /// assert_eq!(&text[..step.written], "n\u{FFFD}".as_bytes());
        /// ```
        to_utf8_lossy(UTF32: u32 => UTF8: u8) Replace;
        /// UTF-32 to UTF-16. Two units for each unit are room enough.
        ///
        /// ```
        /// let mut units = [0; 4];
        /// let step = placemat::utf32::to_utf16(&[0x1F600], &mut units);
        /// assert_eq!(units[..step.written], [0xD83D, 0xDE00]);
        /// ```
        to_utf16(UTF32: u32 => UTF16: u16) Stop;
        /// The same with U+FFFD for each unit that is no scalar value.
        ///
        /// ```
        /// let mut units = [0; 4];
        /// let step = placemat::utf32::to_utf16_lossy(&[0x11_0000], &mut units);
        /// assert_eq!(units[..step.written], [0xFFFD]);
        /// ```
        to_utf16_lossy(UTF32: u32 => UTF16: u16) Replace;
        /// UTF-32 to ISO 8859-1; fails at the first unit above U+00FF. A byte for each unit is room enough.
        ///
        /// ```
        /// let mut bytes = [0; 4];
        /// let step = placemat::utf32::to_latin1(&[0x6E, 0x20AC], &mut bytes);
        /// assert!(matches!(step.status, placemat::Status::Failed(error) if error.offset() == 1));
        /// ```
        to_latin1(UTF32: u32 => LATIN1: u8) Stop;
    }
    looks! {
        /// ```
        /// use placemat::utf32;
        /// assert_eq!(utf32::validate(&[0x61, 0x1F600]), Ok(()));
        /// assert_eq!(utf32::validate(&[0x61, 0xD800]).unwrap_err().offset(), 1);
        /// ```
        validate(UTF32: u32)
    }
    looks! {
        /// The exact number of bytes that [`to_utf8`] will write.
        ///
        /// ```
        /// assert_eq!(placemat::utf32::utf8_len(&[0x6E, 0x1F600]), Ok(5));
        /// ```
        utf8_len(UTF32: u32 => UTF8: u8)
    }
    looks! {
        /// The exact number of units that [`to_utf16`] will write.
        ///
        /// ```
        /// assert_eq!(placemat::utf32::utf16_len(&[0x6E, 0x1F600]), Ok(3));
        /// ```
        utf16_len(UTF32: u32 => UTF16: u16)
    }
}

/// ISO 8859-1: the first 256 code points, a byte each.
///
/// ```
/// use placemat::latin1;
/// let mut text = [0; 8];
/// let step = latin1::to_utf8(b"caf\xE9", &mut text);
/// assert_eq!(&text[..step.written], "café".as_bytes());
/// ```
pub mod latin1 {
    faces! {
        /// UTF-8 to ISO 8859-1; fails at the first code point above U+00FF. A byte for each byte is room enough.
        ///
        /// ```
        /// let mut bytes = [0; 8];
        /// let step = placemat::latin1::from_utf8("café".as_bytes(), &mut bytes);
        /// assert_eq!(&bytes[..step.written], b"caf\xE9");
        /// ```
        from_utf8(UTF8: u8 => LATIN1: u8) Stop;
        /// The same with `?` for each maximal subpart that is ill-formed and each code point above U+00FF.
        ///
        /// ```
        /// let mut out = [0; 8];
        /// let written = placemat::latin1::from_utf8_lossy("3 €".as_bytes(), &mut out).ok().unwrap();
        /// assert_eq!(out[..written], *b"3 ?");
        /// ```
        from_utf8_lossy(UTF8: u8 => LATIN1: u8) Replace;
        /// ISO 8859-1 to UTF-8. Two bytes for each byte are room enough.
        ///
        /// ```
        /// let mut text = [0; 8];
        /// let step = placemat::latin1::to_utf8(b"caf\xE9", &mut text);
        /// assert_eq!(&text[..step.written], "café".as_bytes());
        /// ```
        to_utf8(LATIN1: u8 => UTF8: u8) Stop;
        /// ISO 8859-1 to UTF-16. A unit for each byte is room enough.
        ///
        /// ```
        /// let mut units = [0; 4];
        /// let step = placemat::latin1::to_utf16(b"n\xE9", &mut units);
        /// assert_eq!(units[..step.written], [0x6E, 0xE9]);
        /// ```
        to_utf16(LATIN1: u8 => UTF16: u16) Stop;
        /// ISO 8859-1 to UTF-32. A unit for each byte is room enough.
        ///
        /// ```
        /// let mut units = [0; 4];
        /// let step = placemat::latin1::to_utf32(b"n\xE9", &mut units);
        /// assert_eq!(units[..step.written], [0x6E, 0xE9]);
        /// ```
        to_utf32(LATIN1: u8 => UTF32: u32) Stop;
    }

    /// The exact number of bytes that [`to_utf8`] will write.
    ///
    /// ```
    /// assert_eq!(placemat::latin1::utf8_len(b"caf\xE9"), 5);
    /// ```
    #[must_use]
    pub fn utf8_len(src: &[u8]) -> usize {
        crate::count::utf8_len_of_latin1(src)
    }
}
