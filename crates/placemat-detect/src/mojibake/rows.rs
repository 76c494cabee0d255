//! Texts one after the other, as the rows of a column are.
#![forbid(unsafe_code)]

use super::blocks::piece;
use super::line::{self, Trust};
use super::mended::once;
use super::sure::Sure;
use super::{ROUNDS, refuted, scan};

/// Up to so many bytes, a text is no longer than two blocks of the scan.
const BRIEF: usize = 128;

/// Where in `text` the first characters are that [`super::undo`] may change, as a byte offset: whatever part of the text before them is
/// given to it, it changes nothing. Cost: linear, and little for most clean text.
///
/// ```
/// use placemat_detect::mojibake::first_suspect;
/// assert_eq!(first_suspect("voilà le cafÃ©"), Some(13));
/// assert_eq!(first_suspect("São Paulo"), None);
/// ```
#[must_use]
pub fn first_suspect(text: &str) -> Option<usize> {
    scan::first(text)
}

/// Undoes mojibake in texts that have nothing to do with each other, for less than [`super::undo`] does: the text alone, with memory
/// that serves from one to the next.
///
/// ```
/// use placemat_detect::mojibake::Rows;
///
/// let mut rows = Rows::new();
/// assert_eq!(rows.undo("cafÃ©"), Some("café"));
/// assert_eq!(rows.undo("café"), None);
/// ```
#[derive(Default)]
pub struct Rows {
    sure: Sure,
    chars: Vec<char>,
    /// The piece that is put right, as it is before a round and after it.
    before: String,
    after: String,
    out: String,
    /// Whether the last text was misread: the next may well be.
    was_misread: bool,
}

impl Rows {
    /// Nothing is allocated before it is needed.
    ///
    /// ```
    /// assert_eq!(placemat_detect::mojibake::Rows::new().undo(""), None);
    /// ```
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The text of [`super::undo`]; `None` if nothing is to be changed. Cost: linear; clean text is only scanned.
    ///
    /// ```
    /// use placemat_detect::mojibake::Rows;
    /// assert_eq!(Rows::new().undo("â€œnaÃ¯veâ€\u{9d}"), Some("“naïve”"));
    /// ```
    pub fn undo(&mut self, text: &str) -> Option<&str> {
        // To scan brief text takes as long as to try.
        if self.was_misread && text.len() <= BRIEF && !text.contains('\n') {
            self.was_misread = self.put_right(text, &mut Trust::default(), true);
            return self.was_misread.then_some(&*self.after);
        }
        let (mut at, mut done, mut trust) = (0, 0, Trust::default());
        self.out.clear();
        while let Some(found) = scan::first(&text[at..]) {
            let piece = piece(text, at, at + found);
            at = piece.end;
            if self.put_right(&text[piece.clone()], &mut trust, piece.end == text.len()) {
                self.out.push_str(&text[done..piece.start]);
                self.out.push_str(&self.after);
                done = piece.end;
            }
        }
        // A line that is changed has something left.
        self.was_misread = done > 0;
        self.was_misread.then(|| {
            self.out.push_str(&text[done..]);
            &*self.out
        })
    }

    /// All rounds over one line, or piece of one; false if nothing is to be changed.
    fn put_right(&mut self, line: &str, trust: &mut Trust, is_last: bool) -> bool {
        let Some(mut is_clean) = self.round(line, trust, is_last) else { return false };
        for _ in 1..ROUNDS {
            if is_clean {
                break;
            }
            let before = std::mem::replace(&mut self.before, std::mem::take(&mut self.after));
            self.after = before;
            let line = std::mem::take(&mut self.before);
            let round = self.round(&line, trust, is_last);
            self.before = line;
            match round {
                Some(is_now) => is_clean = is_now,
                None => {
                    std::mem::swap(&mut self.before, &mut self.after);
                    break;
                }
            }
        }
        true
    }

    /// One round. `None` if it changes nothing; else whether nothing is left that another might change. `is_last`: no line follows that
    /// could be judged by what this one says.
    fn round(&mut self, line: &str, trust: &mut Trust, is_last: bool) -> Option<bool> {
        self.after.clear();
        if let Some(verdict) = self.sure.put_right(line, trust, &mut self.after) {
            let is_told = verdict.tell(trust);
            let is_clean = (is_told || is_last) && (verdict.is_clean || scan::first(&self.after).is_none());
            if is_told || is_clean {
                return Some(is_clean);
            }
        }
        if refuted::stays(line) {
            return None;
        }
        self.chars.clear();
        self.chars.extend(line.chars());
        let fixes = line::misread(&self.chars, trust);
        if fixes.runs.is_empty() {
            return None;
        }
        self.after.clear();
        once(line, &self.chars, &fixes, &mut self.after);
        Some(scan::first(&self.after).is_none())
    }
}
