//! The rounds over one line, and their changes in terms of the source.
#![forbid(unsafe_code)]

use std::ops::Range;

use super::line::{self, Fix, Fixes, Trust};
use super::page::{COUNT, Page, TRIED};
use super::{Change, ROUNDS, scan};

/// A character of a line between two rounds.
#[derive(Clone, Copy)]
struct Cell {
    c: char,
    /// The bytes of the line that it comes from; cells that came of one run share them. A piece of a line is shorter than 4 GiB.
    start: u32,
    end: u32,
    via: Via,
}

/// The pages that a character was read back from, in five bits each: its number from 1 on, the first round lowest.
#[derive(Clone, Copy, Default)]
struct Via(u64);

/// The pages by their numbers.
const NUMBERED: [Page; COUNT + 1] = {
    let mut pages = [Page::Latin1; COUNT + 1];
    let mut at = 0;
    while at < COUNT {
        pages[at] = TRIED[at];
        at += 1;
    }
    pages
};
const _: () = assert!(ROUNDS * 5 <= u64::BITS as usize && NUMBERED.len() < 32);

impl Via {
    fn rounds(self) -> u32 {
        (u64::BITS - self.0.leading_zeros()).div_ceil(5)
    }

    fn then(self, page: Page) -> Self {
        let number = 1 + NUMBERED.iter().position(|&p| p == page).expect("all pages are numbered") as u64;
        Self(self.0 | number << (5 * self.rounds()))
    }

    fn pages(self) -> Vec<Page> {
        (0..self.rounds()).map(|round| NUMBERED[(self.0 >> (5 * round) & 0x1F) as usize - 1]).collect()
    }
}

/// A line put right.
pub(super) struct Mended {
    pub(super) text: String,
    chars: Vec<char>,
    /// The first round's.
    fixes: Fixes,
    /// Where each character of `text` comes from, if there was more than one round.
    cells: Option<Vec<Cell>>,
}

impl Mended {
    /// All rounds over one line; `None` if nothing is to be changed.
    pub(super) fn of(line: &str, trust: &mut Trust) -> Option<Self> {
        let mut chars = Vec::with_capacity(line.len());
        chars.extend(line.chars());
        let fixes = line::misread(&chars, trust);
        if fixes.runs.is_empty() {
            return None;
        }
        let mut text = String::with_capacity(line.len());
        once(line, &chars, &fixes, &mut text);
        let mut mended = Self { text, chars, fixes, cells: None };
        // Most lines were misread once. To see that costs less than another round.
        if scan::first(&mended.text).is_some() {
            mended.go_on(line, trust);
        }
        Some(mended)
    }

    /// The rounds behind the first.
    fn go_on(&mut self, line: &str, trust: &mut Trust) {
        let cell = |(at, c): (usize, char)| {
            let start = at as u32;
            Cell { c, start, end: start + c.len_utf8() as u32, via: Via::default() }
        };
        let cells: Vec<Cell> = line.char_indices().map(cell).collect();
        let mut cells = apply(&cells, &self.chars, &self.fixes);
        for _ in 1..ROUNDS {
            let chars: Vec<char> = self.text.chars().collect();
            let fixes = line::misread(&chars, trust);
            if fixes.runs.is_empty() {
                break;
            }
            cells = apply(&cells, &chars, &fixes);
            self.text = cells.iter().map(|cell| cell.c).collect();
            if scan::first(&self.text).is_none() {
                break;
            }
        }
        self.cells = Some(cells);
    }

    /// What was changed. Ranges count from the start of the line.
    pub(super) fn changes(&self) -> Vec<Change> {
        if let Some(cells) = &self.cells {
            return changes(cells);
        }
        let change = |(fix, place): (&Fix, Range<usize>)| Change {
            range: place.start as u64..place.end as u64,
            replacement: self.fixes.text(fix).iter().collect(),
            via: vec![fix.page(&self.chars)],
        };
        places(&self.chars, &self.fixes).map(change).collect()
    }
}

/// Appends `line`, which is `chars`, with the fixes in place.
pub(super) fn once(line: &str, chars: &[char], fixes: &Fixes, out: &mut String) {
    let mut end = 0;
    for (fix, place) in places(chars, fixes) {
        out.push_str(&line[end..place.start]);
        out.extend(fixes.text(fix));
        end = place.end;
    }
    out.push_str(&line[end..]);
}

/// Each fix, and where it is in the line that is `chars`, in bytes.
fn places<'a>(chars: &'a [char], fixes: &'a Fixes) -> impl Iterator<Item = (&'a Fix, Range<usize>)> {
    let bytes = |text: &[char]| text.iter().map(|c| c.len_utf8()).sum::<usize>();
    let (mut at, mut end) = (0, 0);
    fixes.runs.iter().map(move |fix| {
        let start = end + bytes(&chars[at..fix.range.start]);
        (at, end) = (fix.range.end, start + bytes(&chars[fix.range.clone()]));
        (fix, start..end)
    })
}

/// Puts the fixes of one round over `chars`, the characters of `cells`, into place.
fn apply(cells: &[Cell], chars: &[char], fixes: &Fixes) -> Vec<Cell> {
    let mut out = Vec::with_capacity(cells.len());
    let mut at = 0;
    for fix in &fixes.runs {
        out.extend_from_slice(&cells[at..fix.range.start]);
        at = fix.range.end;
        let run = &cells[fix.range.clone()];
        let Some((first, last)) = run.first().zip(run.last()) else { continue };
        let longest = run.iter().map(|cell| cell.via).max_by_key(|via| via.rounds()).unwrap_or_default();
        let via = longest.then(fix.page(chars));
        let cell = |&c: &char| Cell { c, start: first.start, end: last.end, via };
        out.extend(fixes.text(fix).iter().map(cell));
    }
    out.extend_from_slice(&cells[at..]);
    out
}

/// The runs of cells that are not as they were in the source.
fn changes(cells: &[Cell]) -> Vec<Change> {
    let mut changes: Vec<Change> = Vec::new();
    for cell in cells {
        let range = u64::from(cell.start)..u64::from(cell.end);
        match changes.last_mut() {
            Some(last) if range.start < last.range.end => {
                last.range.end = range.end.max(last.range.end);
                last.replacement.push(cell.c);
                if cell.via.rounds() as usize > last.via.len() {
                    last.via = cell.via.pages();
                }
            }
            _ if cell.via.rounds() == 0 => {}
            _ => changes.push(Change { range, replacement: cell.c.into(), via: cell.via.pages() }),
        }
    }
    changes
}
