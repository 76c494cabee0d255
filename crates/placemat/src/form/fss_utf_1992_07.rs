//! FSS-UTF as Dave Prosser of Unix System Laboratories proposed it to X/Open in July 1992, two months before Ken Thompson's
//! design.
//!
//! ```text
//! first value  bytes
//!           0  0xxxxxxx
//!          80  10xxxxxx 1xxxxxxx
//!        2080  110xxxxx 1xxxxxxx 1xxxxxxx
//!       82080  1110xxxx 1xxxxxxx 1xxxxxxx 1xxxxxxx
//!     2082080  11110xxx 1xxxxxxx 1xxxxxxx 1xxxxxxx 1xxxxxxx
//! ```
//!
//! Each length counts from its own first value (the bias), so each value has only one sequence. But continuation bytes look like
//! lead bytes, so no boundary can be found from the middle of a text.

#![forbid(unsafe_code)]

use crate::code_point::CodePoint;
use crate::codec::{Codec, Decoded, Facts, Input, Layout, ROOM};
use crate::error::ErrorKind;

/// The proposal of July 1992.
pub(crate) struct FssUtf199207;

/// The first value of each length; index 0 is for one byte.
const BIAS: [u32; 5] = [0, 0x80, 0x2080, 0x8_2080, 0x208_2080];

/// The sequence of `7FFF_FFFF`. Sequences compare like their values, so a greater sequence is too large.
const LAST: [u8; 5] = [0xF7, 0xEF, 0xDF, 0xBE, 0xFF];

impl Codec for FssUtf199207 {
    const FACTS: Facts = Facts {
        domain: "0000..7FFFFFFF",
        width: (1, 5),
        ascii_transparent: true,
        self_synchronising: false,
        order_preserving: true,
        layout: Layout::Biased,
        source: "X/Open FSS-UTF proposal, July 1992; replaced by that of September 1992",
    };
    const LONGEST: usize = 5;
    type State = ();

    fn decode(_: &mut (), input: Input<'_>) -> Decoded {
        let bytes = input.bytes;
        let lead = bytes[0];
        let followers = match lead {
            0..=0x7F => return Decoded::code_point(u32::from(lead), 1),
            0x80..=0xF7 => lead.leading_ones() as usize,
            0xF8..=0xFF => return Decoded::malformed(ErrorKind::InvalidByte, 1),
        };
        let mut value = u32::from(lead) & (0x7F >> followers);
        for at in 1..=followers {
            match bytes.get(at) {
                None => return input.ends_inside(at),
                Some(0..=0x7F) => return Decoded::malformed(ErrorKind::MissingContinuation, at),
                Some(_) if bytes[..=at] > LAST[..=at] => return Decoded::malformed(ErrorKind::TooLarge, at),
                Some(&follower) => value = value << 7 | u32::from(follower & 0x7F),
            }
        }
        Decoded::code_point(BIAS[followers] + value, followers + 1)
    }

    fn encode(_: &mut (), c: CodePoint, out: &mut [u8; ROOM]) -> Result<usize, ErrorKind> {
        let value = c.value();
        let followers = BIAS.iter().rposition(|&bias| bias <= value).unwrap_or(0);
        let mut rest = value - BIAS[followers];
        for at in (1..=followers).rev() {
            out[at] = 0x80 | rest as u8;
            rest >>= 7;
        }
        // As many leading ones as there are `followers` (continuation bytes), then a zero.
        out[0] = !(0xFF >> followers) as u8 | rest as u8;
        Ok(followers + 1)
    }
}
