//! Where a long line without white space may be cut: between sequences, also those of later rounds.
#![forbid(unsafe_code)]

use super::ROUNDS;
use super::page::members;
use super::sequence;

/// How far around the place the text is looked at, in bytes.
pub(super) const AROUND: usize = 256;

/// A character, and where in the text it or the sequence that stands for it begins.
#[derive(Clone, Copy)]
struct Cell {
    c: char,
    start: usize,
}

/// The first place from `at` on, and no further than [`AROUND`], that lies in no sequence: before ASCII if there is
/// any. Cost: constant.
pub(super) fn from(text: &str, at: usize) -> usize {
    let boundary = |at: usize| (at..text.len()).find(|&at| text.is_char_boundary(at)).unwrap_or(text.len());
    let (before, end) = (boundary(at.saturating_sub(AROUND)), boundary(at + AROUND));
    let cells =
        text[before..end].char_indices().map(|(start, c)| Cell { c, start: before + start }).collect();
    let cells = read_back(cells);
    // Behind a space that is a byte, what follows tells whether another is to be put back.
    let space = |at: usize| at > 0 && text.as_bytes()[at - 1] == b' ';
    let spent = |at: usize| at > 0 && cells[at - 1].c != ' ' && space(cells[at].start);
    let places = (0..cells.len()).filter(|&index| cells[index].start >= at && !spent(index));
    let mut places = places.map(|index| cells[index]);
    let ascii = places.clone().find(|cell| cell.c.is_ascii() && cell.c != '?');
    ascii.or(places.next()).map_or(end, |cell| cell.start)
}

/// In every round the page that leaves the fewest characters is the right one.
fn read_back(mut cells: Vec<Cell>) -> Vec<Cell> {
    for _ in 0..ROUNDS {
        let chars: Vec<char> = cells.iter().map(|cell| cell.c).collect();
        let pages = sequence::pages(&chars);
        let readings = members(pages).map(|page| read(&cells, &chars, page));
        let Some(best) = readings.min_by_key(Vec::len) else { break };
        cells = best;
    }
    cells
}

fn read(cells: &[Cell], chars: &[char], page: usize) -> Vec<Cell> {
    let mut out = Vec::with_capacity(cells.len());
    let mut at = 0;
    while let Some(&cell) = cells.get(at) {
        let rest = &chars[at..];
        let found = sequence::whole(rest, page).or_else(|| sequence::worn(rest, page));
        out.push(found.map_or(cell, |found| Cell { c: found.value, ..cell }));
        at += found.map_or(1, |found| found.taken);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_lie_between_sequences() {
        let latin1 = |text: &str| text.bytes().map(char::from).collect::<String>();
        for (length, text) in [(6, latin1("今")), (8, latin1("😀")), (8, latin1(&latin1("é")))] {
            let text = text.repeat(200);
            assert!((0..600).all(|at| from(&text, at) == at.next_multiple_of(length)), "{length}");
        }
        assert_eq!(from(&format!("{},{0}", latin1("今").repeat(100)), 580), 600);
        // Not behind the space that is a byte of `à`: a cut there would leave nothing of the one behind it.
        let text = "Ã tout".repeat(200);
        assert!((0..600).all(|at| !text[..from(&text, at)].ends_with(' ')));
    }
}
