//! UTF-16 (Unicode D91, RFC 2781), strict or with lone surrogates, and UCS-2, with or without surrogate pairs.

#![forbid(unsafe_code)]

use core::marker::PhantomData;

use super::order::Order;
use crate::code_point::CodePoint;
use crate::codec::{Codec, Decoded, Facts, Input, Layout, ROOM};
use crate::error::ErrorKind;

/// How surrogate code units are treated.
pub(crate) trait Surrogates: 'static {
    /// Whether a high unit and the low unit behind it are one code point, and supplementary code points are written as pairs.
    const PAIRS: bool;
    /// Whether unpaired units are code points.
    const LONE: bool;
    const DOMAIN: &'static str;
    const SOURCE: &'static str;
}

/// UTF-16: pairs, and nothing unpaired.
pub(crate) struct Strict;

/// `utf-16/surrogates`: what Windows and JavaScript strings can hold.
pub(crate) struct Loose;

/// UCS-2: every unit is a code point.
pub(crate) struct Ucs2;

/// `ucs-2/pairs`: RFC 2279, section 2, requires that a converter to UTF-8 replaces pairs by their code points first.
pub(crate) struct Ucs2Pairs;

impl Surrogates for Strict {
    const PAIRS: bool = true;
    const LONE: bool = false;
    const DOMAIN: &'static str = "scalar values";
    const SOURCE: &'static str = "RFC 2781, Unicode D91";
}

impl Surrogates for Loose {
    const PAIRS: bool = true;
    const LONE: bool = true;
    const DOMAIN: &'static str = "code points to 10FFFF";
    const SOURCE: &'static str = "RFC 2781 without the rule for unpaired surrogates";
}

impl Surrogates for Ucs2 {
    const PAIRS: bool = false;
    const LONE: bool = true;
    const DOMAIN: &'static str = "0000..FFFF";
    const SOURCE: &'static str = "ISO/IEC 10646-1:1993";
}

impl Surrogates for Ucs2Pairs {
    const PAIRS: bool = true;
    const LONE: bool = true;
    const DOMAIN: &'static str = "code points to 10FFFF";
    const SOURCE: &'static str = "ISO/IEC 10646-1:1993, RFC 2279 section 2";
}

/// 16-bit units in the order `O`.
pub(crate) struct Utf16<O, S>(PhantomData<(O, S)>);

#[inline(always)]
const fn is_high(unit: u16) -> bool {
    unit & 0xFC00 == 0xD800
}

#[inline(always)]
const fn is_low(unit: u16) -> bool {
    unit & 0xFC00 == 0xDC00
}

/// The code point of a surrogate pair.
#[inline(always)]
pub(crate) const fn join(high: u16, low: u16) -> u32 {
    0x1_0000 + ((high as u32 & 0x3FF) << 10 | low as u32 & 0x3FF)
}

/// The surrogate pair of a supplementary code point, `1_0000..=10_FFFF`.
#[inline(always)]
pub(crate) const fn split(value: u32) -> (u16, u16) {
    let v = value - 0x1_0000;
    (0xD800 | (v >> 10) as u16, 0xDC00 | v as u16 & 0x3FF)
}

impl<O: Order, S: Surrogates> Codec for Utf16<O, S> {
    const FACTS: Facts = Facts {
        domain: S::DOMAIN,
        width: (2, if S::PAIRS { 4 } else { 2 }),
        ascii_transparent: false,
        self_synchronising: true,
        order_preserving: !S::PAIRS && O::BIG,
        layout: Layout::Units { size: 2, big_endian: O::BIG },
        source: S::SOURCE,
    };
    const LONGEST: usize = 4;
    type State = ();

    #[inline(always)]
    fn decode(_: &mut (), input: Input<'_>) -> Decoded {
        let bytes = input.bytes;
        let Some(&[a, b]) = bytes.first_chunk() else { return input.ends_inside(1) };
        let unit = O::unit16([a, b]);
        if unit & 0xF800 != 0xD800 || !S::PAIRS {
            return Decoded::code_point(u32::from(unit), 2);
        }
        if is_high(unit) {
            match bytes.get(2..4) {
                Some(next) => {
                    let low = O::unit16([next[0], next[1]]);
                    if is_low(low) {
                        return Decoded::code_point(join(unit, low), 4);
                    }
                }
                None if !input.last => return Decoded::Incomplete,
                // A lone high unit and half of a next unit are one error, as in the WHATWG decoder.
                None if !S::LONE => return Decoded::malformed(ErrorKind::Truncated, bytes.len()),
                None => {}
            }
        }
        if S::LONE {
            Decoded::code_point(u32::from(unit), 2)
        } else {
            Decoded::malformed(ErrorKind::Surrogate, 2)
        }
    }

    #[inline(always)]
    fn encode(_: &mut (), c: CodePoint, out: &mut [u8; ROOM]) -> Result<usize, ErrorKind> {
        match c.value() {
            value @ 0..=0xFFFF if S::LONE || !c.is_surrogate() => {
                out[..2].copy_from_slice(&O::bytes16(value as u16));
                Ok(2)
            }
            value @ 0x1_0000..=0x10_FFFF if S::PAIRS => {
                let (high, low) = split(value);
                out[..2].copy_from_slice(&O::bytes16(high));
                out[2..4].copy_from_slice(&O::bytes16(low));
                Ok(4)
            }
            _ => Err(ErrorKind::Unencodable),
        }
    }
}
