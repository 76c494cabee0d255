//! UTF-32 (Unicode D90), and UCS-4 for all values of 31 bits (ISO/IEC 10646-1:1993).

#![forbid(unsafe_code)]

use core::marker::PhantomData;

use super::order::Order;
use crate::code_point::CodePoint;
use crate::codec::{Codec, Decoded, Facts, Input, Layout, ROOM};
use crate::error::ErrorKind;

/// Scalar values, one 32-bit unit each.
pub(crate) struct Utf32<O>(PhantomData<O>);

/// Any value to `7FFF_FFFF`, surrogates included.
pub(crate) struct Ucs4<O>(PhantomData<O>);

impl<O: Order> Codec for Utf32<O> {
    const FACTS: Facts = Facts {
        domain: "scalar values",
        width: (4, 4),
        ascii_transparent: false,
        self_synchronising: true,
        order_preserving: O::BIG,
        layout: Layout::Units { size: 4, big_endian: O::BIG },
        source: "Unicode D90, UAX 19",
    };
    const LONGEST: usize = 4;
    type State = ();

    #[inline(always)]
    fn decode(_: &mut (), input: Input<'_>) -> Decoded {
        let Some(&bytes) = input.bytes.first_chunk() else { return input.ends_inside(input.bytes.len()) };
        match O::unit32(bytes) {
            0xD800..=0xDFFF => Decoded::malformed(ErrorKind::Surrogate, 4),
            value @ 0..=0x10_FFFF => Decoded::code_point(value, 4),
            _ => Decoded::malformed(ErrorKind::TooLarge, 4),
        }
    }

    #[inline(always)]
    fn encode(_: &mut (), c: CodePoint, out: &mut [u8; ROOM]) -> Result<usize, ErrorKind> {
        if c.to_char().is_none() {
            return Err(ErrorKind::Unencodable);
        }
        out[..4].copy_from_slice(&O::bytes32(c.value()));
        Ok(4)
    }
}

impl<O: Order> Codec for Ucs4<O> {
    const FACTS: Facts = Facts {
        domain: "0000..7FFFFFFF",
        source: "ISO/IEC 10646-1:1993 (IANA ISO-10646-UCS-4)",
        ..Utf32::<O>::FACTS
    };
    const LONGEST: usize = 4;
    type State = ();

    #[inline(always)]
    fn decode(_: &mut (), input: Input<'_>) -> Decoded {
        let Some(&bytes) = input.bytes.first_chunk() else { return input.ends_inside(input.bytes.len()) };
        match O::unit32(bytes) {
            value @ 0..=0x7FFF_FFFF => Decoded::code_point(value, 4),
            _ => Decoded::malformed(ErrorKind::TooLarge, 4),
        }
    }

    #[inline(always)]
    fn encode(_: &mut (), c: CodePoint, out: &mut [u8; ROOM]) -> Result<usize, ErrorKind> {
        out[..4].copy_from_slice(&O::bytes32(c.value()));
        Ok(4)
    }
}
