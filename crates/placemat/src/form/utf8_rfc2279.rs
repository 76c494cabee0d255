//! UTF-8 as it was from 1996 to 2003: one to six octets, to `7FFF_FFFF` (RFC 2279; ISO/IEC 10646-1:1993 amendment 2).

#![forbid(unsafe_code)]

use super::multibyte::{self, Rules};
use super::utf8::Utf8;
use crate::code_point::CodePoint;
use crate::codec::{Codec, Decoded, Facts, Input, ROOM};
use crate::error::ErrorKind;

/// Six octets, shortest form, no surrogates. RFC 2279 requires that surrogate *pairs* are replaced first; it does not mention
/// lone surrogates.
pub(crate) struct Utf8Rfc2279;

impl Rules for Utf8Rfc2279 {
    const LONGEST: usize = 6;
    const SURROGATES: bool = false;
}

impl Codec for Utf8Rfc2279 {
    const FACTS: Facts = Facts {
        domain: "0000..7FFFFFFF without surrogates",
        width: (1, 6),
        source: "RFC 2279, ISO/IEC 10646-1:1993 Amd 2; replaced by RFC 3629",
        ..Utf8::FACTS
    };
    const LONGEST: usize = 6;
    type State = ();

    #[inline(always)]
    fn decode(_: &mut (), input: Input<'_>) -> Decoded {
        multibyte::decode::<Self>(input)
    }

    #[inline(always)]
    fn encode(_: &mut (), c: CodePoint, out: &mut [u8; ROOM]) -> Result<usize, ErrorKind> {
        if c.is_surrogate() {
            return Err(ErrorKind::Unencodable);
        }
        Ok(multibyte::encode(c.value(), out))
    }
}

/// `utf-8-rfc2279/surrogates`: `D800..=DFFF` are like other code points, paired or not.
pub(crate) struct Surrogates;

impl Rules for Surrogates {
    const LONGEST: usize = 6;
    const SURROGATES: bool = true;
}

impl Codec for Surrogates {
    const FACTS: Facts = Facts {
        domain: "0000..7FFFFFFF",
        source: "RFC 2279 without its rule for surrogates",
        ..Utf8Rfc2279::FACTS
    };
    const LONGEST: usize = 6;
    type State = ();

    #[inline(always)]
    fn decode(_: &mut (), input: Input<'_>) -> Decoded {
        multibyte::decode::<Self>(input)
    }

    #[inline(always)]
    fn encode(_: &mut (), c: CodePoint, out: &mut [u8; ROOM]) -> Result<usize, ErrorKind> {
        Ok(multibyte::encode(c.value(), out))
    }
}
