//! What stands for errors in short rows, known before they are read.
#![forbid(unsafe_code)]

use placemat::{Decision, Error, ErrorKind, ErrorSize, Fault, Handler as _, Policy, Text};

use crate::sink::Sink;

/// What a policy has for errors, where it depends on nothing but the error's bytes.
pub(crate) struct StandIns {
    policy: Policy,
    /// For each single byte from 80 up: what stands for it in UTF-8, and how long that is; [`ASK`] if that is not known.
    single: [([u8; 8], u8); 128],
    is_plain: bool,
}

const ASK: u8 = u8::MAX;

impl StandIns {
    pub(crate) fn of(policy: Policy) -> StandIns {
        let is_plain = policy.size == ErrorSize::Maximal;
        let mut stand_ins = StandIns { policy, single: [([0; 8], ASK); 128], is_plain };
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

    /// Write a row, or the rest of one; `false`, and nothing is written, if what stands for its errors is not known here.
    pub(crate) fn write(&mut self, row: &[u8], sink: &mut Sink) -> bool {
        if !self.is_plain {
            return false;
        }
        let start = sink.len();
        for chunk in row.utf8_chunks() {
            sink.extend(chunk.valid().as_bytes());
            let is_told = match chunk.invalid() {
                [] => true,
                // No byte of ASCII is malformed by itself.
                &[byte] => {
                    let (text, length) = self.single[usize::from(byte & 0x7F)];
                    text.get(..usize::from(length)).map(|text| sink.extend(text)).is_some()
                }
                bytes => self.ask(bytes, &mut |c| sink.extend(c.encode_utf8(&mut [0; 4]).as_bytes())),
            };
            if !is_told {
                sink.truncate(start);
                return false;
            }
        }
        true
    }

    /// Ask the policy; `false` if it stops, or has what UTF-8 cannot hold.
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
