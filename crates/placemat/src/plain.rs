//! Scalar conversion of one form of Unicode to another: one sequence at a time, and ASCII eight units at a time. It is for what a
//! kernel leaves, and for CPUs without vectors. A conversion uses its two forms only, so that the linker need not keep the
//! others.

#![forbid(unsafe_code)]

use crate::code_point::CodePoint;
use crate::codec::{Codec, Decoded, Input, ROOM};
use crate::error::Error;
use crate::form::Form;
#[cfg(target_endian = "big")]
use crate::form::order::Big;
#[cfg(target_endian = "little")]
use crate::form::order::Little;
use crate::form::order::Order;
use crate::form::single_byte::Latin1;
use crate::form::utf8::Utf8;
use crate::form::utf16::{Strict, Utf16};
use crate::form::utf32::Utf32;
use crate::policy::Fixed;
use crate::transcode::{Status, Step};

/// A form of code units in which ASCII is a unit each.
trait Units: Codec<State = ()> {
    /// Bytes in a unit.
    const UNIT: usize;
    /// Whether the form lacks U+FFFD.
    const NARROW: bool;
    /// The characters of eight units, if they are ASCII.
    fn ascii(units: &[u8]) -> Option<[u8; 8]>;
    /// Write eight units of ASCII.
    fn put_ascii(ascii: [u8; 8], units: &mut [u8]);
}

/// Implements [`Units`] for a form of bytes.
macro_rules! bytes {
    ($form:ty, $narrow:literal) => {
        impl Units for $form {
            const UNIT: usize = 1;
            const NARROW: bool = $narrow;

            #[inline(always)]
            fn ascii(units: &[u8]) -> Option<[u8; 8]> {
                let bytes = *units.first_chunk()?;
                (u64::from_ne_bytes(bytes) & 0x8080_8080_8080_8080 == 0).then_some(bytes)
            }

            #[inline(always)]
            fn put_ascii(ascii: [u8; 8], units: &mut [u8]) {
                units.copy_from_slice(&ascii);
            }
        }
    };
}
bytes!(Utf8, false);
bytes!(Latin1, true);

/// Implements [`Units`] for a form of wider units.
macro_rules! wide {
    ($form:ty, $unit:literal, $read:ident, $write:ident) => {
        impl<O: Order> Units for $form {
            const UNIT: usize = $unit;
            const NARROW: bool = false;

            #[inline(always)]
            fn ascii(units: &[u8]) -> Option<[u8; 8]> {
                let (units, mut bytes, mut any) = (units.as_chunks::<$unit>().0, [0; 8], 0);
                for (byte, unit) in bytes.iter_mut().zip(units) {
                    let unit = O::$read(*unit);
                    any |= unit;
                    *byte = unit as u8;
                }
                (any < 0x80).then_some(bytes)
            }

            #[inline(always)]
            fn put_ascii(ascii: [u8; 8], units: &mut [u8]) {
                for (byte, unit) in ascii.iter().zip(units.as_chunks_mut::<$unit>().0) {
                    *unit = O::$write((*byte).into());
                }
            }
        }
    };
}
wide!(Utf16<O, Strict>, 2, unit16, bytes16);
wide!(Utf32<O>, 4, unit32, bytes32);

/// The byte order of this machine.
#[cfg(target_endian = "little")]
pub(crate) type Native = Little;
#[cfg(target_endian = "big")]
pub(crate) type Native = Big;

/// After this many code points without an error, a kernel that stops at errors is called again.
const CALM: usize = 64;

/// The longest sequence of these forms.
const LONGEST: usize = 4;

/// Converts the rest of a text; the last argument is how many bytes are already read and written. Offsets are in bytes. With the
/// target ISO 8859-1, where kernels stop at every error, `NeedInput` means that the kernel should be called again.
pub(crate) type Convert = fn(Fixed, &[u8], &mut [u8], (usize, usize)) -> Step;

/// The conversion between two forms of [`crate::utf16`], [`crate::utf32`] and [`crate::latin1`].
#[inline(always)]
pub(crate) fn find((from, to): (Form, Form)) -> Convert {
    match from {
        Form::Utf8 => find_from::<Utf8>(to),
        Form::Utf16Le | Form::Utf16Be => find_from::<Utf16<Native, Strict>>(to),
        Form::Utf32Le | Form::Utf32Be => find_from::<Utf32<Native>>(to),
        _ => find_from::<Latin1>(to),
    }
}

#[inline(always)]
fn find_from<R: Units>(to: Form) -> Convert {
    match to {
        Form::Utf8 => convert::<R, Utf8>,
        Form::Utf16Le | Form::Utf16Be => convert::<R, Utf16<Native, Strict>>,
        Form::Utf32Le | Form::Utf32Be => convert::<R, Utf32<Native>>,
        _ => convert::<R, Latin1>,
    }
}

#[inline(never)]
fn convert<R: Units, W: Units>(
    fixed: Fixed,
    src: &[u8],
    dst: &mut [u8],
    (mut read, mut written): (usize, usize),
) -> Step {
    let mut room = [0; ROOM];
    let stops = fixed == Fixed::Replace && W::NARROW;
    let mut calm = 0;
    let status = 'all: loop {
        while let (Some(text), Some(place)) =
            (src.get(read..read + 8 * R::UNIT), dst.get_mut(written..written + 8 * W::UNIT))
        {
            let Some(ascii) = R::ascii(text) else { break };
            W::put_ascii(ascii, place);
            (read, written) = (read + 8 * R::UNIT, written + 8 * W::UNIT);
            calm += 8;
        }
        // One by one until there are two ASCII characters in a row: then eight are likely.
        let (mut ascii, start) = (0, read);
        while ascii < 2 || read - start < 8 * R::UNIT {
            if read == src.len() {
                break 'all Status::Done;
            }
            if stops && calm >= CALM {
                break 'all Status::NeedInput;
            }
            let (c, len) = match R::decode(&mut (), Input { bytes: &src[read..], last: true }) {
                Decoded::CodePoint { value, len } => (value, len),
                Decoded::Malformed { len, .. } if fixed == Fixed::Replace => (CodePoint::REPLACEMENT, len),
                Decoded::Malformed { kind, len } => {
                    let error = Error::new(kind, read as u64, len);
                    read += usize::from(len);
                    break 'all Status::Failed(error);
                }
                // Neither happens: all of the input is there, and these forms have no shifts.
                Decoded::Nothing { .. } | Decoded::Incomplete => break 'all Status::NeedInput,
            };
            ascii = if c.value() < 0x80 { ascii + 1 } else { 0 };
            let n = match W::encode(&mut (), c, &mut room) {
                Ok(n) => n,
                Err(_) if stops => {
                    room[0] = b'?';
                    calm = 0;
                    1
                }
                Err(kind) => {
                    let error = Error::new(kind, read as u64, len);
                    read += usize::from(len);
                    break 'all Status::Failed(error);
                }
            };
            match dst[written..].first_chunk_mut::<LONGEST>() {
                // Four bytes even if the sequence is shorter: storing a fixed number is faster.
                Some(place) => *place = [room[0], room[1], room[2], room[3]],
                None => match dst.get_mut(written..written + n) {
                    Some(place) => place.copy_from_slice(&room[..n]),
                    None => break 'all Status::NeedOutput,
                },
            }
            (read, written) = (read + usize::from(len), written + n);
            calm += 1;
        }
    };
    Step { read, written, status }
}
