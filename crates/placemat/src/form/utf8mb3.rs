//! `utf8mb3`, which MySQL called `utf8` for twenty years: UTF-8 with at most three bytes. It is *not* CESU-8.
//!
//! A supplementary character cannot be written, not even as two halves. But the servers never checked for surrogates: each of
//! `D800..=DFFF` is read and written in three bytes.

#![forbid(unsafe_code)]

use super::halves::Units;
use super::multibyte;
use super::utf8::Utf8;
use crate::code_point::CodePoint;
use crate::codec::{Codec, Decoded, Facts, Input, ROOM};
use crate::error::ErrorKind;

/// Three bytes at most.
pub(crate) struct Utf8Mb3;

impl Codec for Utf8Mb3 {
    const FACTS: Facts = Facts {
        domain: "0000..FFFF",
        width: (1, 3),
        source: "MySQL reference manual, utf8mb3; replaced by utf8mb4, which is UTF-8",
        ..Utf8::FACTS
    };
    const LONGEST: usize = 3;
    type State = ();

    fn decode(_: &mut (), input: Input<'_>) -> Decoded {
        multibyte::decode::<Units>(input)
    }

    fn encode(_: &mut (), c: CodePoint, out: &mut [u8; ROOM]) -> Result<usize, ErrorKind> {
        if c.value() > 0xFFFF {
            return Err(ErrorKind::Unencodable);
        }
        Ok(multibyte::encode(c.value(), out))
    }
}
