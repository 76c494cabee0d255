//! UTF-8 (RFC 3629, STD 63; Unicode D92 and Table 3-7), and generalised UTF-8, in which surrogates are like other code points.

#![forbid(unsafe_code)]

use super::multibyte::{self, Rules};
use crate::code_point::CodePoint;
use crate::codec::{Codec, Decoded, Facts, Input, Layout, ROOM};
use crate::error::ErrorKind;

/// UTF-8 of today: scalar values, one to four bytes, shortest form.
pub(crate) struct Utf8;

impl Rules for Utf8 {
    const LONGEST: usize = 4;
    const SURROGATES: bool = false;
}

impl Codec for Utf8 {
    const FACTS: Facts = Facts {
        domain: "scalar values",
        width: (1, 4),
        ascii_transparent: true,
        self_synchronising: true,
        order_preserving: true,
        layout: Layout::Announced,
        source: "RFC 3629 (STD 63), Unicode D92",
    };
    const LONGEST: usize = 4;
    type State = ();

    #[inline(always)]
    fn decode(_: &mut (), input: Input<'_>) -> Decoded {
        multibyte::decode::<Self>(input)
    }

    #[inline(always)]
    fn encode(_: &mut (), c: CodePoint, out: &mut [u8; ROOM]) -> Result<usize, ErrorKind> {
        if c.to_char().is_none() {
            return Err(ErrorKind::Unencodable);
        }
        Ok(multibyte::encode(c.value(), out))
    }
}

/// `utf-8/surrogates`: `D800..=DFFF` are like other code points, paired or not, as Python's `surrogatepass` reads and writes
/// them.
pub(crate) struct Generalised;

impl Rules for Generalised {
    const LONGEST: usize = 4;
    const SURROGATES: bool = true;
}

impl Codec for Generalised {
    const FACTS: Facts = Facts {
        domain: "code points to 10FFFF",
        source: "The WTF-8 encoding, section 3: generalised UTF-8",
        ..Utf8::FACTS
    };
    const LONGEST: usize = 4;
    type State = ();

    #[inline(always)]
    fn decode(_: &mut (), input: Input<'_>) -> Decoded {
        multibyte::decode::<Self>(input)
    }

    #[inline(always)]
    fn encode(_: &mut (), c: CodePoint, out: &mut [u8; ROOM]) -> Result<usize, ErrorKind> {
        if c.value() > 0x10_FFFF {
            return Err(ErrorKind::Unencodable);
        }
        Ok(multibyte::encode(c.value(), out))
    }
}
