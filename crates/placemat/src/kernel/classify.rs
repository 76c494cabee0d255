//! Finds what each byte of ill-formed UTF-8 is, 64 bytes at a time, without a loop over errors.
//!
//! The answer is that of the WHATWG Encoding Standard and of `String::from_utf8_lossy`: one U+FFFD for each maximal
//! subpart (Unicode 3.9, D93b).

#![forbid(unsafe_code)]
#![allow(
    clippy::needless_range_loop,
    reason = "an iterator over vectors need not be inlined, and then costs calls"
)]

use super::utf8::Near;
use crate::vector::{Bytes, Lanes, Vector, steps};

/// A bit for each of up to 64 bytes. The first byte is on a sequence boundary.
pub(crate) struct Marks {
    /// How many bytes are decided: all, or up to a sequence that is cut off by the end of the bytes.
    pub(crate) len: usize,
    /// The last bytes of well-formed sequences.
    pub(crate) ends: u64,
    /// The third and fourth bytes of sequences of four bytes.
    pub(crate) thirds: u64,
    pub(crate) fourths: u64,
    /// The first bytes of maximal subparts; each becomes one U+FFFD.
    pub(crate) replace: u64,
    /// The other bytes of maximal subparts; they become nothing.
    pub(crate) drop: u64,
}

/// Classifies up to `len` bytes. `more`: further bytes follow them.
#[inline(always)]
pub(crate) fn marks<S: Vector>(s: S, text: &Near, len: usize, more: bool) -> Marks {
    const FROM: [u8; 8] = [0x80, 0x90, 0xA0, 0xC0, 0xC2, 0xE0, 0xF0, 0xF5];
    const IS: [u8; 4] = [0xE0, 0xED, 0xF0, 0xF4];
    let (mut from, mut is) = ([0; 8], [0; 4]);
    for lane in steps(0..64, S::LANES) {
        let bytes = s.load(text, 3 + lane);
        for i in 0..8 {
            from[i] |= bytes.at_least(s.splat(FROM[i])).bits() << lane;
        }
        for i in 0..4 {
            is[i] |= bytes.equal(s.splat(IS[i])).bits() << lane;
        }
    }
    let [x80, x90, xa0, xc0, xc2, xe0, xf0, xf5] = from;
    let continuations = x80 & !xc0;
    let [of_two, of_three, of_four] = [xc2 & !xe0, xe0 & !xf0, xf0 & !xf5];
    let leads = xc2 & !xf5;
    // After E0, ED, F0 and F4, not every continuation may come second.
    let wrong = is[0] << 1 & !xa0 | is[1] << 1 & xa0 | is[2] << 1 & !x90 | is[3] << 1 & x90;
    let seconds = leads << 1 & continuations & !wrong;
    let thirds = (of_three | of_four) << 2 & seconds << 1 & continuations;
    let fourths = of_four << 3 & thirds << 1 & continuations;
    let good = of_two & seconds >> 1 | of_three & thirds >> 2 | of_four & fourths >> 3;
    let bad = leads & !good;
    // The last sequence may be cut off.
    let open = leads & 1 << 63 | (of_three | of_four) & 1 << 62 | of_four & 1 << 61;
    let len = if more { len.min(open.trailing_zeros() as usize) } else { len };
    let keep = if len < 64 { (1 << len) - 1 } else { !0 };
    Marks {
        len,
        ends: (!x80 | (good & of_two) << 1 | (good & of_three) << 2 | fourths) & keep,
        thirds: fourths >> 1 & keep,
        fourths: fourths & keep,
        replace: (bad | (x80 & !leads & !(seconds | thirds | fourths))) & keep,
        drop: (bad << 1 & seconds | bad << 2 & thirds) & keep,
    }
}
