//! Tables of control characters, carriage returns and line feeds.

#![forbid(unsafe_code)]

use crate::vector::{Bytes, Vector};

/// Whether a byte is a control character other than tab, line feed and form feed.
#[inline(always)]
pub(super) const fn is_control(byte: u8) -> bool {
    (byte < 0x20) & (byte != b'\t') & (byte != b'\n') & (byte != 0x0C) | (byte == 0x7F)
}

pub(super) static ALL: Controls = Controls::but(None);
pub(super) static NO_RETURN: Controls = Controls::but(Some(b'\r'));

/// The bit for a carriage return and for the line feed that must follow it: together they cancel out.
pub(super) const ODD: u8 = 0x40;

/// [`ODD`] for a carriage return, the highest bit for other control characters.
pub(super) static RETURN: [u8; 128] = {
    let mut found = Controls::but(Some(b'\r')).of_ascii;
    found[b'\r' as usize] = ODD;
    found
};

/// [`ODD`] for a line feed.
pub(super) static FEED: [u8; 128] = {
    let mut found = [0; 128];
    found[b'\n' as usize] = ODD;
    found
};

/// Control characters, in tables for two kinds of lookup.
pub(super) struct Controls {
    /// The highest bit for controls.
    of_ascii: [u8; 128],
    /// The same by halves of a byte: a bit for each upper half that has control characters.
    of_upper: [u8; 16],
    of_lower: [u8; 16],
}

impl Controls {
    const fn but(one: Option<u8>) -> Controls {
        let mut all = Controls { of_ascii: [0; 128], of_upper: [0; 16], of_lower: [0; 16] };
        (all.of_upper[0], all.of_upper[1], all.of_upper[7]) = (1, 2, 4);
        let mut byte = 0;
        while byte < 128 {
            if is_control(byte as u8) && !matches!(one, Some(one) if one as usize == byte) {
                all.of_ascii[byte] = 0x80;
                all.of_lower[byte & 15] |= all.of_upper[byte >> 4];
            }
            byte += 1;
        }
        all
    }

    /// Returns lanes that are not zero where a control character stands.
    #[inline(always)]
    pub(super) fn among<S: Vector>(&self, s: S, bytes: S::Bytes) -> S::Bytes {
        match s.lookup_seven(bytes, &self.of_ascii) {
            // The lookup ignores the highest bit: only ASCII counts.
            Some(controls) => (controls | bytes) ^ bytes,
            None => {
                let lower = (bytes & s.splat(0x0F)).lookup(s.tile(&self.of_lower));
                s.of_upper_half(bytes, &self.of_upper) & lower
            }
        }
    }
}
