//! Whether another page surely makes less of a line.
#![forbid(unsafe_code)]

use super::super::letters::{Kind, Script, look_at};
use super::super::line::{COVERED, READ};
use super::super::run::{ADRIFT, IN_CAPITALS, SEQUENCE, VISITOR};
use super::super::{sequence, spelling};
use super::facts::Fact;
use super::run::around;
use super::{Island, Memory};

/// More than each character of a run can count for its page, its rarity apart: of a pair the doubt is 83 at most, and each may begin a run of two
/// characters and end it, with all that speaks for a run.
const MOST: i32 = 240;

/// What a page makes of an island.
struct Made {
    /// How good it is, or less.
    merit: i32,
    /// Whether it is one run, and spelt with letters that a language has.
    is_told: bool,
}

/// Whether the reading of a line on `page` is surely not as good as one of this merit whose runs are the islands, and not better spelt. On
/// the page no sequence may lack bytes at the end of an island.
pub(super) fn is_outdone<'a>(
    line: &str,
    islands: impl Iterator<Item = (&'a Island, &'a [&'static Fact])>,
    page: usize,
    merit: i32,
    memory: &mut Memory,
) -> bool {
    let (mut sum, mut is_told) = (0, true);
    for (island, facts) in islands {
        if island.some & 1 << page == 0 {
            is_told = false;
            continue;
        }
        let Some(made) = made(line, island, facts, page, memory) else { return false };
        sum += made.merit;
        is_told &= made.is_told;
        if sum >= merit {
            return false;
        }
    }
    !is_told
}

/// What `page` makes of an island on which it has sequences; `None` where this is not easily told.
fn made(line: &str, island: &Island, facts: &[&Fact], page: usize, memory: &mut Memory) -> Option<Made> {
    let Memory { bytes, source, text } = memory;
    bytes.clear();
    bytes.extend(facts.iter().map(|fact| fact.bytes[page]));
    let is_whole = !bytes.contains(&0) && fill(bytes, text);
    // A pair of surrogates.
    if !is_whole && bytes.contains(&0xED) {
        return None;
    }
    if !is_whole || sequence::pages(text) != 0 {
        let rarity: i32 = facts.iter().map(|fact| i32::from(look_at(fact.c).rarity)).sum();
        return Some(Made { merit: rarity + MOST * facts.len() as i32, is_told: false });
    }
    source.clear();
    source.extend(facts.iter().map(|fact| fact.c));
    let (doubt, next) = around(line, island);
    let looks = || text.iter().map(|&c| look_at(c));
    let thirds = text.iter().filter(|c| c.len_utf8() == 3).count();
    let mut gain = doubt.over(source, next) - doubt.over(text, next);
    gain += SEQUENCE * (text.len() + thirds - 1) as i32;
    if source[0] == 'Â' {
        gain += ADRIFT;
    }
    if looks().all(|look| look.kind == Kind::Lower && look.script == Script::Latin) {
        gain += VISITOR + IN_CAPITALS * text.len() as i32;
    }
    let readers = looks().filter(|look| look.tongues != 0).count() as i32;
    let merit = if gain < 0 { 0 } else { gain + COVERED * facts.len() as i32 + READ * readers };
    Some(Made { merit, is_told: text.iter().all(|&c| spelling::is_modelled(c)) })
}

/// Sets `text` to what the bytes are; false if not all of it is assigned UTF-8.
fn fill(bytes: &[u8], text: &mut Vec<char>) -> bool {
    text.clear();
    text.extend(str::from_utf8(bytes).unwrap_or_default().chars());
    !text.is_empty() && !text.iter().any(|&c| sequence::is_unassigned(c))
}
