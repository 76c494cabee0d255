//! Tables of control characters, and of returns and feeds.

#![forbid(unsafe_code)]

use crate::vector::{Bytes, Vector};

/// Whether it is one, but tab, line feed and form feed.
#[inline(always)]
pub(super) const fn is_control(byte: u8) -> bool {
    (byte < 0x20) & (byte != b'\t') & (byte != b'\n') & (byte != 0x0C) | (byte == 0x7F)
}

pub(super) static ALL: Controls = Controls::but(None);
pub(super) static NO_RETURN: Controls = Controls::but(Some(b'\r'));

/// The bit for a return behind which a feed is due, and for a feed.
pub(super) const ODD: u8 = 0x40;

/// That bit for returns, and the highest for other controls.
pub(super) static RETURN: [u8; 128] = {
    let mut found = Controls::but(Some(b'\r')).of_ascii;
    found[b'\r' as usize] = ODD;
    found
};

/// That bit for line feeds.
pub(super) static FEED: [u8; 128] = {
    let mut found = [0; 128];
    found[b'\n' as usize] = ODD;
    found
};

/// What tells controls, in two ways.
pub(super) struct Controls {
    /// The highest bit for controls.
    of_ascii: [u8; 128],
    /// The same by halves of a byte: a bit for each upper half that has controls.
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

    /// What is not zero where one stands.
    #[inline(always)]
    pub(super) fn among<S: Vector>(&self, s: S, bytes: S::Bytes) -> S::Bytes {
        match s.lookup_seven(bytes, &self.of_ascii) {
            // Only of ASCII.
            Some(controls) => (controls | bytes) ^ bytes,
            None => {
                let lower = (bytes & s.splat(0x0F)).lookup(s.tile(&self.of_lower));
                s.of_upper_half(bytes, &self.of_upper) & lower
            }
        }
    }
}
