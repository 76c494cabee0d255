//! The writer of base64 forms. A run is as long as possible, and is closed with `-` only where it must be.

#![forbid(unsafe_code)]

use core::mem;

use super::{Dialect, byte, digit};
use crate::codec::ROOM;

/// The state of a writer.
#[derive(Clone, Copy, Default, PartialEq)]
pub(super) enum Writer {
    /// Outside a run.
    #[default]
    Direct,
    /// In a run. The lowest `bits` of `value` (0, 2 or 4 bits) are not yet written.
    Run { value: u8, bits: u8 },
}

impl Writer {
    /// Write one character; returns the number of bytes.
    pub(super) fn write<D: Dialect>(&mut self, c: char, out: &mut [u8; ROOM]) -> usize {
        let Ok(byte) = u8::try_from(c) else { return self.write_in_run::<D>(c, out) };
        // In a run of UTF-7, `+` is encoded like any other character.
        let is_shift = byte == D::SHIFT && (D::CANONICAL || *self == Writer::Direct);
        if !is_shift && !D::writes(byte) {
            return self.write_in_run::<D>(c, out);
        }
        let must_close = D::CANONICAL || byte == b'-' || digit::<D>(byte).is_some();
        let mut written = self.leave_run::<D>(must_close, out);
        out[written] = byte;
        written += 1;
        if is_shift {
            out[written] = b'-';
            written += 1;
        }
        written
    }

    /// Ends the text; returns the number of bytes.
    pub(super) fn end<D: Dialect>(&mut self, out: &mut [u8; ROOM]) -> usize {
        self.leave_run::<D>(true, out)
    }

    /// Writes the units of a character in base64, six bits per byte.
    fn write_in_run<D: Dialect>(&mut self, c: char, out: &mut [u8; ROOM]) -> usize {
        let mut written = 0;
        let (mut value, mut bits) = match *self {
            Writer::Run { value, bits } => (u32::from(value), bits),
            Writer::Direct => {
                out[0] = D::SHIFT;
                written = 1;
                (0, 0)
            }
        };
        for &unit in &*c.encode_utf16(&mut [0; 2]) {
            value = value << 16 | u32::from(unit);
            bits += 16;
            while bits >= 6 {
                bits -= 6;
                out[written] = byte::<D>(value >> bits);
                written += 1;
            }
            value &= (1 << bits) - 1;
        }
        *self = Writer::Run { value: value as u8, bits };
        written
    }

    /// Leaves a run, if there is one: fills its last byte with zero bits, and closes it if it must be closed.
    fn leave_run<D: Dialect>(&mut self, must_close: bool, out: &mut [u8; ROOM]) -> usize {
        let Writer::Run { value, bits } = mem::take(self) else { return 0 };
        let mut written = 0;
        if bits > 0 {
            out[0] = byte::<D>(u32::from(value) << (6 - bits));
            written = 1;
        }
        if must_close {
            out[written] = b'-';
            written += 1;
        }
        written
    }
}
