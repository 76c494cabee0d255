//! Text in blocks, lines and pieces of lines, each of which is put right by itself.
#![forbid(unsafe_code)]

use std::ops::Range;

use super::line::{self, Trust};
use super::mended::Mended;
use super::{Change, Undone, scan, seam};
use crate::look;

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
        each(text, &mut self.trust, |piece, mended| {
            let base = self.offset + piece.start as u64;
            mended.changes().into_iter().map(|made| made.moved(base)).for_each(&mut change);
        });
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

/// What [`super::undo`] says.
pub(super) fn undo(text: &str) -> Option<Undone> {
    let (mut changes, mut out, mut at) = (Vec::new(), String::new(), 0);
    each(text, &mut Trust::default(), |piece, mended| {
        changes.extend(mended.changes().into_iter().map(|made| made.moved(piece.start as u64)));
        out.push_str(&text[at..piece.start]);
        out.push_str(&mended.text);
        at = piece.end;
    });
    // A line that is changed has something left.
    (at > 0).then(|| Undone { text: out + &text[at..], changes })
}

/// Hands over each piece of `text`, a line or a part of one, that was changed.
fn each(text: &str, trust: &mut Trust, mut changed: impl FnMut(Range<usize>, &Mended)) {
    let mut at = 0;
    while let Some(found) = scan::first(&text[at..]) {
        let piece = piece(text, at, at + found);
        at = piece.end;
        if let Some(mended) = Mended::of(&text[piece.clone()], trust) {
            changed(piece, &mended);
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
            || !line::misread(&text[piece.clone()].chars().collect::<Vec<_>>(), &mut Trust::full())
                .runs
                .is_empty()
        {
            return start;
        }
        at = piece.end;
    }
    text.len()
}

/// The piece of `text` to judge as one: the line that holds `found`, or a part of it where it is too long.
/// The first piece begins at `from`, so that the division does not depend on what is found.
pub(super) fn piece(text: &str, from: usize, found: usize) -> Range<usize> {
    let mut start = text[from..found].rfind('\n').map_or(from, |at| from + at + 1);
    let bytes = text.as_bytes();
    loop {
        let end = match look::first(&bytes[start..bytes.len().min(start + 2 * PIECE)], b'\n') {
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
