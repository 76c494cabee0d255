//! Modified UTF-8: CESU-8 for any sequence of 16-bit units, with NUL as `C0 80`, so that no byte is 00.
//!
//! The Java virtual machine specification, 4.4.7; `java.io.DataInput`; JNI; Android's DEX. These count 16-bit units. Here the
//! reader joins a high and a following low unit to one code point, and accepts lone ones. [`crate::frame`] reads and writes the
//! counts before such strings.

#![forbid(unsafe_code)]

use core::marker::PhantomData;

use super::halves::{self, After, Units};
use super::multibyte::{self, is_continuation};
use super::utf8::Utf8;
use super::utf16;
use crate::code_point::CodePoint;
use crate::codec::{Codec, Decoded, Facts, Input, ROOM};
use crate::error::ErrorKind;

/// What a reader accepts in addition to what writers write.
pub(crate) trait Reader: 'static {
    /// The byte 00.
    const NUL: bool = false;
    /// Overlong sequences of two and three bytes, which are read as their value.
    const OVERLONG: bool = false;
    /// Sequences of four bytes for supplementary characters, as in UTF-8.
    const FOUR_BYTES: bool = false;
    const SOURCE: &'static str;
}

/// Only what the writers write: class files of version 48 and newer.
pub(crate) struct Strict;

/// `mutf-8/java`: `DataInput.readUTF`.
pub(crate) struct Java;

/// `mutf-8/jvm-old`: class files to version 47.
pub(crate) struct JvmOld;

/// `mutf-8/art`: Android's later JNI check. A byte 00 ends the string there, so no string contains one.
pub(crate) struct Art;

impl Reader for Strict {
    const SOURCE: &'static str = "JVM specification 4.4.7, DEX format";
}

impl Reader for Java {
    const NUL: bool = true;
    const OVERLONG: bool = true;
    const SOURCE: &'static str = "java.io.DataInput.readUTF";
}

impl Reader for JvmOld {
    const OVERLONG: bool = true;
    const SOURCE: &'static str = "JVM specification 4.4.7, class files to version 47";
}

impl Reader for Art {
    const OVERLONG: bool = true;
    const FOUR_BYTES: bool = true;
    const SOURCE: &'static str = "Android Runtime, CheckJNI";
}

/// Modified UTF-8, with the reader `R`.
pub(crate) struct Mutf8<R>(PhantomData<R>);

impl<R: Reader> Codec for Mutf8<R> {
    const FACTS: Facts = Facts {
        domain: "code points to 10FFFF",
        width: (1, 6),
        // It would be, except for U+0000.
        ascii_transparent: false,
        order_preserving: false,
        source: R::SOURCE,
        ..Utf8::FACTS
    };
    const LONGEST: usize = 6;
    type State = ();

    fn decode(_: &mut (), input: Input<'_>) -> Decoded {
        let unit = unit::<R>(input);
        match unit {
            Decoded::CodePoint { value, len: 3 } if value.is_high_surrogate() => {
                match halves::after_high(&input.bytes[3..]) {
                    After::Low(low) => Decoded::code_point(utf16::join(value.value() as u16, low), 6),
                    After::Unknown if !input.last => Decoded::Incomplete,
                    After::Other | After::Unknown => unit,
                }
            }
            Decoded::CodePoint { .. }
            | Decoded::Nothing { .. }
            | Decoded::Malformed { .. }
            | Decoded::Incomplete => unit,
        }
    }

    fn encode(_: &mut (), c: CodePoint, out: &mut [u8; ROOM]) -> Result<usize, ErrorKind> {
        match c.value() {
            0 => {
                out[..2].copy_from_slice(&[0xC0, 0x80]);
                Ok(2)
            }
            value @ 1..=0x10_FFFF => Ok(halves::encode_units(value, out)),
            _ => Err(ErrorKind::Unencodable),
        }
    }
}

/// Reads one code unit, or, with [`Reader::FOUR_BYTES`], a supplementary character of four bytes.
fn unit<R: Reader>(input: Input<'_>) -> Decoded {
    match *input.bytes {
        [0, ..] if !R::NUL => Decoded::malformed(ErrorKind::NonCanonical, 1),
        [0xC0, 0x81..=0xBF, ..] | [0xC1, ..] if !R::OVERLONG => Decoded::malformed(ErrorKind::Overlong, 1),
        [0xC0..=0xC1, ..] => folded(input, 2),
        [0xE0, 0x80..=0x9F, ..] if R::OVERLONG => folded(input, 3),
        [0xF0..=0xFF, ..] if R::FOUR_BYTES => multibyte::decode::<Utf8>(input),
        _ => multibyte::decode::<Units>(input),
    }
}

/// Reads an overlong sequence of `length` bytes. Its lead byte is C0, C1 or E0, in which only the last bit belongs to the value.
fn folded(input: Input<'_>, length: usize) -> Decoded {
    let mut value = u32::from(input.bytes[0] & 1);
    for at in 1..length {
        match input.bytes.get(at) {
            None => return input.ends_inside(at),
            Some(&tail) if is_continuation(tail) => value = value << 6 | u32::from(tail & 0x3F),
            Some(_) => return Decoded::malformed(ErrorKind::MissingContinuation, at),
        }
    }
    Decoded::code_point(value, length)
}
