//! FSS-UTF as Ken Thompson mailed it to X/Open's XoJIG on 8 September 1992: the layout that became UTF-8.
//!
//! Shortest form, one to six bytes, continuation bytes that are never lead bytes. Surrogates did not exist yet, so `D800` is
//! `ED A0 80`.

#![forbid(unsafe_code)]

use super::utf8_rfc2279::Surrogates;
use crate::code_point::CodePoint;
use crate::codec::{Codec, Decoded, Facts, Input, ROOM};
use crate::error::ErrorKind;

/// The same bytes as RFC 2279 without its surrogate rule, but from a document that is four years older.
pub(crate) struct FssUtf199209;

impl Codec for FssUtf199209 {
    const FACTS: Facts = Facts {
        domain: "0000..7FFFFFFF",
        source: "X/Open FSS_UTF (P316, C501), mail of 8 September 1992; became UTF-8",
        ..Surrogates::FACTS
    };
    const LONGEST: usize = 6;
    type State = ();

    #[inline(always)]
    fn decode(state: &mut (), input: Input<'_>) -> Decoded {
        Surrogates::decode(state, input)
    }

    #[inline(always)]
    fn encode(state: &mut (), c: CodePoint, out: &mut [u8; ROOM]) -> Result<usize, ErrorKind> {
        Surrogates::encode(state, c, out)
    }
}
