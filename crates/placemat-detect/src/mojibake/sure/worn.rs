//! Sequences that have lost bytes: where they may be, and what stands for them.
#![forbid(unsafe_code)]

use super::super::sequence;
use super::Island;
use super::facts::{Fact, Open, facts, first};

/// Puts U+FFFD for each sequence that has lost bytes, where `bytes` are 0. `None` if something is no sequence.
pub(super) fn replace_lost(islands: &mut [Island], bytes: &mut Vec<u8>, room: &mut Vec<u8>) -> Option<()> {
    let mut at = 0;
    room.clear();
    for island in islands {
        island.is_whole = false;
        while at < island.count {
            let end = at + sequence::length(bytes[at])?;
            let sequence = bytes.get(at..end).filter(|_| end <= island.count)?;
            let is_lost = sequence.contains(&0);
            if is_lost && !sequence[1..].iter().all(|byte| matches!(byte, 0 | 0x80..=0xBF)) {
                return None;
            }
            room.extend_from_slice(if is_lost { "\u{FFFD}".as_bytes() } else { sequence });
            island.is_whole |= !is_lost;
            island.has_lost |= is_lost;
            at = end;
        }
        island.text = room.len();
    }
    std::mem::swap(bytes, room);
    Some(())
}

/// The pages on which a sequence has begun at the end of an island that [`sequence::worn`] may find; `rest` is what stands behind it.
pub(super) fn may_be(open: Open, island: &[&Fact], rest: &[u8]) -> u16 {
    let mut pages = open.pages();
    let mut worn = match rest {
        [b'?', ..] => pages,
        // A space may be the no-break space of the page; all else that the sequence lacks stands behind it.
        [b' ', rest @ ..] => facts()[0xA0].step.tails() & may_go_on(open, rest),
        _ => 0,
    };
    // What lacks its last byte may be a quotation mark.
    if let [.., a, b] = island {
        while pages != 0 {
            let page = pages.trailing_zeros() as usize;
            worn |= u16::from((a.bytes[page], b.bytes[page]) == (0xE2, 0x80)) << page;
            pages &= pages - 1;
        }
    }
    worn
}

/// The pages on which `rest` begins with all but one of the characters that a sequence lacks.
fn may_go_on(open: Open, mut rest: &[u8]) -> u16 {
    let (mut pages, mut tails) = (0, !0);
    for lacking in 1..=3 {
        pages |= open.lacking(lacking) & tails;
        let Some((fact, length)) = first(facts(), rest) else { break };
        tails &= fact.step.tails();
        rest = rest.get(length..).unwrap_or_default();
    }
    pages
}
