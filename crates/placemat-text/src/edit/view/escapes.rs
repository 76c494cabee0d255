//! Private use characters for malformed bytes.

use std::ops::Range;

use placemat::{CodePoint, Decision, Fault, Form, Handler, Status, Text, Transcoder};

use crate::charset::{Charset, LegacyReader};

/// The blocks of 256 private use characters that can represent bytes. The first is the block of MirBSD's OPTU.
const BLOCKS: [Range<u32>; 3] = [0xEF00..0xF000, 0xE000..0xEF00, 0x10_0000..0x10_FE00];

/// The private use characters that represent malformed bytes.
#[derive(Clone)]
pub(super) struct Escapes {
    block: u32,
    /// The bytes that are malformed somewhere in the file.
    active: Box<[bool; 256]>,
}

impl Escapes {
    pub(super) fn none() -> Escapes {
        Escapes { block: BLOCKS[0].start, active: Box::new([false; 256]) }
    }

    /// Finds the malformed bytes of `bytes`, and a block of private use characters that the text does not use.
    pub(super) fn of(charset: Charset, bytes: &[u8]) -> Option<Escapes> {
        let mut seen = Seen { active: Box::new([false; 256]), any: false };
        let text = decode(charset, bytes, &mut seen);
        if !seen.any {
            return Some(Escapes::none());
        }
        let is_free = |block: &u32| !text.chars().any(|c| (*block..*block + 256).contains(&(c as u32)));
        let mut blocks = BLOCKS.into_iter().flat_map(|range| range.step_by(256));
        Some(Escapes { block: blocks.find(is_free)?, active: seen.active })
    }

    fn character(&self, byte: u8) -> CodePoint {
        CodePoint::new(self.block + u32::from(byte)).unwrap_or(CodePoint::REPLACEMENT)
    }

    /// The byte that a character represents, if it represents one.
    pub(super) fn byte(&self, c: char) -> Option<u8> {
        let byte = u8::try_from((c as u32).checked_sub(self.block)?).ok()?;
        self.active[usize::from(byte)].then_some(byte)
    }
}

/// A handler that leaves out malformed bytes and records them.
struct Seen {
    active: Box<[bool; 256]>,
    any: bool,
}

impl Handler for &mut Seen {
    fn decide(&mut self, fault: &Fault<'_>, _: &mut Text) -> Decision {
        fault.bytes.iter().for_each(|&byte| self.active[usize::from(byte)] = true);
        self.any = true;
        Decision::Resume
    }
}

/// A handler that replaces malformed bytes by private use characters.
impl Handler for &Escapes {
    fn decide(&mut self, fault: &Fault<'_>, text: &mut Text) -> Decision {
        let pushed = fault.bytes.iter().try_for_each(|&byte| text.push(self.character(byte)));
        if pushed.is_ok() { Decision::Resume } else { Decision::Stop }
    }
}

/// Decodes a piece. `handler` replaces the errors, and must not stop.
pub(super) fn decode<H: Handler>(charset: Charset, bytes: &[u8], handler: H) -> String {
    let mut text = Vec::with_capacity(bytes.len() + bytes.len() / 2);
    match charset {
        Charset::Form(form) => {
            let mut transcoder = Transcoder::new(form, Form::Utf8).on_error(handler).from_middle();
            let (mut room, mut at) = (vec![0; (3 * bytes.len() + 64).min(64 * 1024)], 0);
            loop {
                let step = match at < bytes.len() {
                    true => transcoder.push(&bytes[at..], &mut room),
                    false => transcoder.finish(&mut room),
                };
                text.extend_from_slice(&room[..step.written]);
                at += step.read;
                if step.status == Status::Done {
                    break;
                }
            }
        }
        Charset::Legacy(legacy) => {
            let mut reader = LegacyReader::new(legacy, handler);
            let _ = reader.push(bytes, &mut text).and_then(|()| reader.finish(&mut text));
        }
    }
    // Both ways write only UTF-8.
    String::from_utf8(text).unwrap_or_default()
}
