//! The rounds over each line, and their changes in terms of the source.
#![forbid(unsafe_code)]

use std::ops::Range;
use std::rc::Rc;

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
struct Cell {
    c: char,
    /// The bytes of the line that it comes from; cells that came of one run share them.
    source: Range<usize>,
    /// The pages it was read back from.
    via: Rc<Vec<Page>>,
}

/// All rounds over one line. Ranges count from its start.
fn rounds(line: &str, trust: &mut Trust) -> Vec<Change> {
    let untouched = Rc::new(Vec::new());
    let ends = line.char_indices().map(|(at, c)| at..at + c.len_utf8());
    let mut cells: Vec<Cell> =
        line.chars().zip(ends).map(|(c, source)| Cell { c, source, via: Rc::clone(&untouched) }).collect();
    for _ in 0..ROUNDS {
        let chars: Vec<char> = cells.iter().map(|cell| cell.c).collect();
        let fixes = line::misread(&chars, trust);
        if fixes.is_empty() {
            break;
        }
        cells = apply(cells, fixes);
        // Most lines were misread once. To see that costs less than another round.
        let text: String = cells.iter().map(|cell| cell.c).collect();
        if scan::first(&text).is_none() {
            break;
        }
    }
    changes(&cells)
}

/// Puts the fixes of one round into place.
fn apply(cells: Vec<Cell>, fixes: Vec<Fix>) -> Vec<Cell> {
    let mut out = Vec::with_capacity(cells.len());
    let mut cells = cells.into_iter();
    let mut at = 0;
    for fix in fixes {
        out.extend(cells.by_ref().take(fix.range.start - at));
        at = fix.range.end;
        let run: Vec<Cell> = cells.by_ref().take(fix.range.len()).collect();
        let Some((first, last)) = run.first().zip(run.last()) else { continue };
        let source = first.source.start..last.source.end;
        let longest = run.iter().map(|cell| &cell.via).max_by_key(|via| via.len());
        let mut via: Vec<Page> = longest.map_or_else(Vec::new, |via| via.to_vec());
        via.push(fix.page(&run.iter().map(|cell| cell.c).collect::<Vec<_>>()));
        let via = Rc::new(via);
        out.extend(fix.text.into_iter().map(|c| Cell { c, source: source.clone(), via: Rc::clone(&via) }));
    }
    out.extend(cells);
    out
}

/// The runs of cells that are not as they were in the source.
fn changes(cells: &[Cell]) -> Vec<Change> {
    let mut changes: Vec<Change> = Vec::new();
    for cell in cells {
        let range = cell.source.start as u64..cell.source.end as u64;
        match changes.last_mut() {
            Some(last) if range.start < last.range.end => {
                last.range.end = range.end.max(last.range.end);
                last.replacement.push(cell.c);
                if cell.via.len() > last.via.len() {
                    last.via = cell.via.to_vec();
                }
            }
            _ if cell.via.is_empty() => {}
            _ => changes.push(Change { range, replacement: cell.c.into(), via: cell.via.to_vec() }),
        }
    }
    changes
}
