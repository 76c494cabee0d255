//! What replaces errors in short rows, computed before the rows are read.
#![forbid(unsafe_code)]

use placemat::{Decision, Error, ErrorKind, ErrorSize, Fault, Handler as _, Policy, StandIn, Text};

use crate::sink::Sink;

/// Whether a policy writes U+FFFD for each maximal subpart.
pub(crate) fn replaces(policy: Policy) -> bool {
    (policy.size, policy.stand_in) == (ErrorSize::Maximal, StandIn::Replace)
}

/// The replacements of a policy, where they depend on nothing but the error's bytes.
pub(crate) struct StandIns {
    policy: Policy,
    /// For each byte from 80 up, as an error by itself: its replacement in UTF-8, and the length of that; [`ASK`] if it is not known.
    single: [([u8; 8], u8); 128],
    is_plain: bool,
    replaces: bool,
}

const ASK: u8 = u8::MAX;

/// How many errors of a row the kernels search for.
const FEW: usize = 4;

impl StandIns {
    pub(crate) fn of(policy: Policy) -> StandIns {
        let is_plain = policy.size == ErrorSize::Maximal;
        let mut stand_ins =
            StandIns { policy, single: [([0; 8], ASK); 128], is_plain, replaces: replaces(policy) };
        for byte in 0x80..=0xFF_u8 {
            let mut text = Vec::new();
            if is_plain && stand_ins.ask(&[byte], &mut |c| text.push(c)) {
                let text: String = text.into_iter().collect();
                let (bytes, length) = &mut stand_ins.single[usize::from(byte - 0x80)];
                if let Some(room) = bytes.get_mut(..text.len()) {
                    room.copy_from_slice(text.as_bytes());
                    *length = text.len() as u8;
                }
            }
        }
        stand_ins
    }

    /// Writes the rest of a row that begins with an error of `length` bytes. Returns `false`, and writes nothing, if the replacement
    /// of an error is not known here.
    pub(crate) fn write(&mut self, mut rest: &[u8], mut length: usize, sink: &mut Sink) -> bool {
        let start = sink.len();
        // If errors are few, the kernels find the next one sooner than the plain search.
        for _ in 0..FEW {
            let (error, behind) = rest.split_at(length);
            if !self.stand_in(error, sink) {
                sink.truncate(start);
                return false;
            }
            let Err(next) = placemat::validate(behind) else {
                sink.extend(behind);
                return true;
            };
            // Less than the length of a slice, so it fits a `usize`.
            let (valid, behind) = behind.split_at(next.offset() as usize);
            sink.extend(valid);
            (rest, length) = (behind, usize::from(next.length()));
        }
        if self.replaces {
            sink.repair(rest);
            return true;
        }
        for chunk in rest.utf8_chunks() {
            sink.extend(chunk.valid().as_bytes());
            if !chunk.invalid().is_empty() && !self.stand_in(chunk.invalid(), sink) {
                sink.truncate(start);
                return false;
            }
        }
        true
    }

    /// Writes the replacement of one error. Returns `false` if it is not known here.
    pub(crate) fn stand_in(&mut self, error: &[u8], sink: &mut Sink) -> bool {
        match *error {
            _ if !self.is_plain => false,
            // No ASCII byte is malformed by itself.
            [byte] if self.single[usize::from(byte & 0x7F)].1 != ASK => {
                let (text, length) = self.single[usize::from(byte & 0x7F)];
                sink.extend(&text[..usize::from(length)]);
                true
            }
            _ => self.ask(error, &mut |c| sink.extend(c.encode_utf8(&mut [0; 4]).as_bytes())),
        }
    }

    /// Asks the policy. Returns `false` if it stops, or if its replacement cannot be in UTF-8.
    fn ask(&mut self, bytes: &[u8], tell: &mut dyn FnMut(char)) -> bool {
        let error = Error::new(ErrorKind::InvalidByte, 0, bytes.len() as u8);
        let mut text = Text::new();
        let decision = self.policy.decide(&Fault::new(error, bytes, None, true), &mut text);
        let is_told =
            decision == Decision::Resume && text.code_points().iter().all(|c| c.to_char().is_some());
        if is_told {
            text.code_points().iter().filter_map(|c| c.to_char()).for_each(tell);
        }
        is_told
    }
}
