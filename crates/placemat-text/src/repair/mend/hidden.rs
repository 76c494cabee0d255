//! Removes characters that are not shown.

use placemat::invisible::{Finding, Kind, Kinds};

use super::Rule;
use super::merge::Layered;
use crate::hidden::found_between;

/// Returns what must be removed from `text`, which `offset` bytes of the same text precede; `around` has the last ones.
///
/// If one bidirectional control of a line is a finding, all of them on that line are removed, since others would be left open.
pub(super) fn removals(text: &str, around: [&[u8]; 2], offset: u64, kinds: Kinds) -> Vec<Layered> {
    let mut removals = Vec::new();
    let mut cleared = 0;
    for Finding { kind, offset: at, length, .. } in found_between(text.as_bytes(), around, kinds, offset == 0)
    {
        if kind != Kind::BidiUnbalanced {
            removals.push((at, length, kind));
        } else if at >= cleared {
            let is_end = |c| matches!(c, '\n' | '\r' | '\u{85}' | '\u{2028}' | '\u{2029}');
            let start = text[..at].char_indices().rev().find(|&(_, c)| is_end(c));
            let start = start.map_or(0, |(start, c)| start + c.len_utf8()).max(cleared);
            cleared = text[at..].find(is_end).map_or(text.len(), |end| at + end);
            let controls = text[start..cleared].match_indices(is_bidirectional);
            removals.extend(controls.map(|(control, c)| (start + control, c.len(), kind)));
        }
    }
    removals.sort_unstable_by_key(|&(at, ..)| at);
    let layered = |(at, length, kind): (usize, usize, Kind)| {
        let start = offset + at as u64;
        Layered { range: start..start + length as u64, text: String::new(), rule: Rule::Hidden(kind) }
    };
    removals.into_iter().map(layered).collect()
}

/// Whether `c` is an embedding, an override or an isolate, or ends one.
fn is_bidirectional(c: char) -> bool {
    matches!(c, '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
}
