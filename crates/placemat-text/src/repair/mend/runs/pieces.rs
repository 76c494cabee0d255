//! Runs in an East Asian encoding of which a character was cut or damaged: the rest of the run is read.

use std::ops::Range;

use placemat::Policy;

use crate::charset::{Legacy, LegacyReader, Malformed};

/// One byte beyond ASCII in this many may be malformed, and one in any run: its last character may be cut off.
const TIMES: usize = 16;

/// The parts of a run between malformed bytes, with their text; none if too much is malformed. Linear.
pub(super) fn pieces(legacy: Legacy, run: &[u8]) -> Vec<(Range<usize>, String)> {
    let beyond_ascii = run.iter().filter(|byte| !byte.is_ascii()).count();
    let (mut pieces, mut at, mut left) = (Vec::new(), 0, 1 + beyond_ascii / TIMES);
    while at < run.len() {
        let (text, malformed) = read(legacy, &run[at..]);
        let len = malformed.as_ref().map_or(run.len() - at, |malformed| malformed.error.offset() as usize);
        pieces.extend(text.filter(|_| len > 0).map(|text| (at..at + len, text)));
        let Some(malformed) = malformed else { break };
        at += len + malformed.bytes.len().max(1);
        left = match left.checked_sub(malformed.bytes.len()) {
            Some(left) => left,
            None => return Vec::new(),
        };
    }
    pieces
}

/// The text up to the first malformed bytes, and these.
fn read(legacy: Legacy, bytes: &[u8]) -> (Option<String>, Option<Malformed>) {
    let mut reader = LegacyReader::new(legacy, Policy::Stop);
    let mut text = Vec::new();
    let ended = reader.push(bytes, &mut text).and_then(|()| reader.finish(&mut text));
    (String::from_utf8(text).ok(), ended.err())
}
