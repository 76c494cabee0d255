//! The rounds over each line, and their changes in terms of the source.
#![forbid(unsafe_code)]

use std::ops::Range;

use super::line::{self, Fix, Trust};
use super::page::Page;
use super::{Change, ROUNDS, scan, seam};

/// A longer line is judged in pieces of about this many bytes.
const PIECE: usize = 1 << 14;

/// Undoes mojibake in a text that comes block by block.
///
/// A run never crosses a line feed, so blocks cut behind line feeds give the same changes as the whole text. A line
/// too long to be held is cut where [`Undoer::cut`] says.
///
/// ```
/// use placemat_detect::mojibake::Undoer;
///
/// let (mut undoer, mut found) = (Undoer::new(), Vec::new());
/// for block in ["cafÃ©\n", "au lait, crÃ¨me\n"] {
///     undoer.block(block, |change| found.push((change.range, change.replacement)));
/// }
/// assert_eq!(found, [(3..7, "é".to_owned()), (19..23, "è".to_owned())]);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Undoer {
    trust: Trust,
    offset: u64,
}

impl Undoer {
    /// At the start of a text.
    ///
    /// ```
    /// use placemat_detect::mojibake::Undoer;
    /// Undoer::new().block("clean", |change| panic!("{change:?}"));
    /// ```
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Reads the next block, which should end with a line feed unless it is the last, and hands each change to
    /// `change`, in order, with ranges that count from the start of the text. Cost: linear; clean text is only scanned.
    ///
    /// ```
    /// use placemat_detect::mojibake::Undoer;
    /// let mut found = Vec::new();
    /// Undoer::new().block("cafÃ©", |change| found.push(change.replacement));
    /// assert_eq!(found, ["é"]);
    /// ```
    pub fn block(&mut self, text: &str, mut change: impl FnMut(Change)) {
        let mut at = 0;
        while let Some(found) = scan::first(&text[at..]) {
            let piece = piece(text, at, at + found);
            for mut made in rounds(&text[piece.clone()], &mut self.trust) {
                let base = self.offset + piece.start as u64;
                made.range = made.range.start + base..made.range.end + base;
                change(made);
            }
            at = piece.end;
        }
        self.offset += text.len() as u64;
    }

    /// How many bytes of `text`, which ends within a line too long to be held, to hand over as a block: all but some
    /// of the last 512, so that no sequence is cut. Cost: constant.
    ///
    /// ```
    /// use placemat_detect::mojibake::Undoer;
    /// let line = "cafÃ© ".repeat(1_000);
    /// let cut = Undoer::cut(&line);
    /// assert!(line.is_char_boundary(cut) && line.len() - cut <= 512);
    /// ```
    #[must_use]
    pub fn cut(text: &str) -> usize {
        match text.len().checked_sub(2 * seam::AROUND) {
            Some(at) => seam::from(text, at),
            None => text.len(),
        }
    }
}

/// How many bytes at the start of `text`, which is whole lines, have no mojibake: whatever lines precede them, an [`Undoer`] changes
/// nothing there. They end with a line; there may be more. Cost: linear, and little for most clean text.
///
/// ```
/// use placemat_detect::mojibake::clean_prefix;
/// assert_eq!(clean_prefix("voilà\nle cafÃ©\n"), 7);
/// assert_eq!(clean_prefix("São João, “déjà vu”"), 27);
/// ```
#[must_use]
pub fn clean_prefix(text: &str) -> usize {
    let mut at = 0;
    while let Some(found) = scan::first(&text[at..]) {
        let start = text[at..at + found].rfind('\n').map_or(at, |line| at + line + 1);
        let piece = piece(text, at, at + found);
        let is_line = piece.start == start && matches!(text.as_bytes().get(piece.end), None | Some(b'\n'));
        // What earlier lines say can only make it more likely: the most that they can say is said.
        if !is_line
            || !line::misread(&text[piece.clone()].chars().collect::<Vec<_>>(), &mut Trust::full()).is_empty()
        {
            return start;
        }
        at = piece.end;
    }
    text.len()
}

/// The piece of `text` to judge as one: the line that holds `found`, or a part of it where it is too long.
/// The first piece begins at `from`, so that the division does not depend on what is found.
fn piece(text: &str, from: usize, found: usize) -> Range<usize> {
    let mut start = text[from..found].rfind('\n').map_or(from, |at| from + at + 1);
    let bytes = text.as_bytes();
    loop {
        let end = match bytes[start..].iter().take(2 * PIECE).position(|&b| b == b'\n') {
            Some(length) => start + length,
            None if bytes.len() - start <= PIECE => bytes.len(),
            None => cut(text, start + PIECE),
        };
        if found < end {
            return start..end;
        }
        start = end;
    }
}

/// Where to cut a long line: behind the first white space behind ASCII from `at` on, since another may be the last byte
/// of `à`; between sequences if there is none for long.
fn cut(text: &str, at: usize) -> usize {
    let mut pairs = text.as_bytes()[at..].windows(2).take(PIECE);
    let space = pairs.position(|pair| pair[0].is_ascii() && pair[1].is_ascii_whitespace());
    space.map_or_else(|| seam::from(text, at), |space| at + space + 2)
}

/// A character of a line between two rounds.
#[derive(Clone, Copy)]
struct Cell {
    c: char,
    /// The bytes of the line that it comes from; cells that came of one run share them. A piece of a line is shorter than 4 GiB.
    start: u32,
    end: u32,
    /// The pages it was read back from, by their place among the histories; 0 for none.
    history: u32,
}

/// All rounds over one line. Ranges count from its start.
fn rounds(line: &str, trust: &mut Trust) -> Vec<Change> {
    let mut chars: Vec<char> = line.chars().collect();
    let mut fixes = line::misread(&chars, trust);
    if fixes.is_empty() {
        return Vec::new();
    }
    let cell = |(at, c): (usize, char)| {
        let start = at as u32;
        Cell { c, start, end: start + c.len_utf8() as u32, history: 0 }
    };
    let mut cells: Vec<Cell> = line.char_indices().map(cell).collect();
    let mut histories = vec![Vec::new()];
    for _ in 0..ROUNDS {
        cells = apply(&cells, &chars, &fixes, &mut histories);
        // Most lines were misread once. To see that costs less than another round.
        let text: String = cells.iter().map(|cell| cell.c).collect();
        if scan::first(&text).is_none() {
            break;
        }
        chars.clear();
        chars.extend(cells.iter().map(|cell| cell.c));
        fixes = line::misread(&chars, trust);
        if fixes.is_empty() {
            break;
        }
    }
    changes(&cells, &histories)
}

/// Puts the fixes of one round over `chars`, the characters of `cells`, into place.
fn apply(cells: &[Cell], chars: &[char], fixes: &[Fix], histories: &mut Vec<Vec<Page>>) -> Vec<Cell> {
    let mut out = Vec::with_capacity(cells.len());
    let mut at = 0;
    for fix in fixes {
        out.extend_from_slice(&cells[at..fix.range.start]);
        at = fix.range.end;
        let run = &cells[fix.range.clone()];
        let Some((first, last)) = run.first().zip(run.last()) else { continue };
        let longest = run.iter().map(|cell| &histories[cell.history as usize]).max_by_key(|via| via.len());
        let mut via = longest.cloned().unwrap_or_default();
        via.push(fix.page(&chars[fix.range.clone()]));
        let history = histories.len() as u32;
        histories.push(via);
        let cell = |&c: &char| Cell { c, start: first.start, end: last.end, history };
        out.extend(fix.text.iter().map(cell));
    }
    out.extend_from_slice(&cells[at..]);
    out
}

/// The runs of cells that are not as they were in the source.
fn changes(cells: &[Cell], histories: &[Vec<Page>]) -> Vec<Change> {
    let mut changes: Vec<Change> = Vec::new();
    for cell in cells {
        let range = u64::from(cell.start)..u64::from(cell.end);
        let via = &histories[cell.history as usize];
        match changes.last_mut() {
            Some(last) if range.start < last.range.end => {
                last.range.end = range.end.max(last.range.end);
                last.replacement.push(cell.c);
                if via.len() > last.via.len() {
                    last.via.clone_from(via);
                }
            }
            _ if via.is_empty() => {}
            _ => changes.push(Change { range, replacement: cell.c.into(), via: via.clone() }),
        }
    }
    changes
}
