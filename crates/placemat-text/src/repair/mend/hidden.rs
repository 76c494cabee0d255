//! Characters that are not shown, as changes that remove them.

use placemat::invisible::{Finding, Kind, Kinds};

use super::Rule;
use super::merge::Layered;
use crate::hidden::found_between;

/// What is to be removed from `text`, which `offset` bytes of the same text precede, the last ones as `around` says.
///
/// Of a line in which one bidirectional control is a finding all are removed: without it, others would be open.
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

/// An embedding, override or isolate, or what ends one.
fn is_bidirectional(c: char) -> bool {
    matches!(c, '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
}
