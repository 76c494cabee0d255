//! UTF-8B (Markus Kuhn, 2000; PEP 383 `surrogateescape`): bytes that are not UTF-8 become `DC80..=DCFF` and back.
//!
//! A conversion from bytes to text to bytes never changes anything. With the writer of the default form, neither does one from
//! text to bytes to text.

#![forbid(unsafe_code)]

use core::marker::PhantomData;

use super::escapes::{self, Escapes, Guard, Run};
use super::multibyte;
use super::utf8::Utf8;
use crate::code_point::CodePoint;
use crate::codec::{Codec, Decoded, Facts, Input, ROOM};
use crate::error::ErrorKind;

/// UTF-8 with escapes. Its reader finds nothing ill-formed.
pub(crate) struct Utf8b<G>(PhantomData<G>);

/// Each byte of an ill-formed sequence becomes `DC00` + byte. The UTF-8 form of an escape is itself ill-formed.
pub(crate) struct Surrogateescape;

impl Escapes for Surrogateescape {
    const BASE: u32 = 0xDC00;

    fn sequence(input: Input<'_>) -> Decoded {
        multibyte::decode::<Utf8>(input)
    }
}

impl<G: Guard> Codec for Utf8b<G> {
    const FACTS: Facts = Facts {
        domain: "scalar values and DC80..DCFF",
        order_preserving: false,
        source: "PEP 383 (surrogateescape), after Markus Kuhn's UTF-8B",
        ..Utf8::FACTS
    };
    const LONGEST: usize = 4;
    type State = Run<Surrogateescape, G>;

    fn decode(_: &mut Self::State, input: Input<'_>) -> Decoded {
        escapes::decode::<Surrogateescape>(input)
    }

    fn encode(run: &mut Self::State, c: CodePoint, out: &mut [u8; ROOM]) -> Result<usize, ErrorKind> {
        if let Some(written) = run.escape(c, out)? {
            return Ok(written);
        }
        let written = Utf8::encode(&mut (), c, out)?;
        *run = Run::default();
        Ok(written)
    }
}
