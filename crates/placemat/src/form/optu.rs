//! OPTU-8 and OPTU-16 (MirBSD, 2009; Thorsten Glaser): 16-bit units `0000..=FFFD`, of which `EF80..=EFFF` are raw bytes.
//!
//! OPTU-8 is UTF-8 of at most three bytes, in which surrogates are like other code points, and unpaired. Any byte `80..=FF` that
//! is not part of such a sequence becomes `EF00` + byte. The sequences of the escapes themselves (`EE BE`, `EE BF`) count as
//! ill-formed, so that a conversion from bytes to units to bytes changes nothing.

#![forbid(unsafe_code)]

use core::marker::PhantomData;

use super::escapes::{self, Escapes, Guard, Run};
use super::halves::Units;
use super::multibyte;
use super::order::Order;
use super::utf8::Utf8;
use crate::code_point::CodePoint;
use crate::codec::{Codec, Decoded, Facts, Input, Layout, ROOM};
use crate::error::ErrorKind;

/// The largest unit.
const LAST: u32 = 0xFFFD;

/// The form with bytes. Its reader finds nothing ill-formed.
pub(crate) struct Optu8<G>(PhantomData<G>);

/// The form with units, in the byte order `O`.
pub(crate) struct Optu16<O>(PhantomData<O>);

/// Each byte that is not part of a sequence becomes `EF00` + byte.
pub(crate) struct PrivateUse;

impl Escapes for PrivateUse {
    const BASE: u32 = 0xEF00;

    fn sequence(input: Input<'_>) -> Decoded {
        match *input.bytes {
            [0xEE, 0xBE..=0xBF, ..] | [0xEF, 0xBF, 0xBE..=0xBF, ..] => {
                Decoded::malformed(ErrorKind::NonCanonical, 1)
            }
            _ => multibyte::decode::<Units>(input),
        }
    }
}

impl<G: Guard> Codec for Optu8<G> {
    const FACTS: Facts = Facts {
        domain: "0000..FFFD; EF80..EFFF are the bytes 80..FF",
        width: (1, 3),
        order_preserving: false,
        source: "MirBSD libc, optu8to16 and optu16to8 (2009)",
        ..Utf8::FACTS
    };
    const LONGEST: usize = 3;
    type State = Run<PrivateUse, G>;

    fn decode(_: &mut Self::State, input: Input<'_>) -> Decoded {
        escapes::decode::<PrivateUse>(input)
    }

    fn encode(run: &mut Self::State, c: CodePoint, out: &mut [u8; ROOM]) -> Result<usize, ErrorKind> {
        if let Some(written) = run.escape(c, out)? {
            return Ok(written);
        }
        if c.value() > LAST {
            return Err(ErrorKind::Unencodable);
        }
        *run = Run::default();
        Ok(multibyte::encode(c.value(), out))
    }
}

impl<O: Order> Codec for Optu16<O> {
    const FACTS: Facts = Facts {
        domain: "0000..FFFD; EF80..EFFF are the bytes 80..FF of OPTU-8",
        width: (2, 2),
        ascii_transparent: false,
        self_synchronising: true,
        order_preserving: O::BIG,
        layout: Layout::Plain,
        source: "MirBSD libc, optu8to16 and optu16to8 (2009)",
    };
    const LONGEST: usize = 2;
    type State = ();

    /// Each unit is a code point. Escapes stay escapes; OPTU-8 writes them as bytes.
    fn decode(_: &mut (), input: Input<'_>) -> Decoded {
        let Some(&bytes) = input.bytes.first_chunk() else { return input.ends_inside(1) };
        match u32::from(O::unit16(bytes)) {
            unit @ 0..=LAST => Decoded::code_point(unit, 2),
            _ => Decoded::malformed(ErrorKind::TooLarge, 2),
        }
    }

    fn encode(_: &mut (), c: CodePoint, out: &mut [u8; ROOM]) -> Result<usize, ErrorKind> {
        if c.value() > LAST {
            return Err(ErrorKind::Unencodable);
        }
        out[..2].copy_from_slice(&O::bytes16(c.value() as u16));
        Ok(2)
    }
}
