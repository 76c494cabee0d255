//! Undoes mojibake: UTF-8 that was read in another encoding and written again, as when `é` became `Ã©`.
#![forbid(unsafe_code)]

use std::ops::Range;

mod doubt;
mod letters;
mod line;
mod page;
mod rounds;
mod run;
mod scan;
mod sequence;

pub use page::Page;
pub use rounds::Undoer;

/// How many times over text is undone at most.
pub const ROUNDS: usize = 8;

/// One run that was put right.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// Where the run stands in the source, in bytes.
    pub range: Range<u64>,
    /// What takes its place.
    pub replacement: String,
    /// The encodings that it was misread in, the last misreading first.
    pub via: Vec<Page>,
}

/// What [`undo`] made of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Undone {
    /// The text put right.
    pub text: String,
    /// Every run that was changed, in order.
    pub changes: Vec<Change>,
}

/// Undoes every run of mojibake in `text`; `None` when there is none.
#[must_use]
pub fn undo(text: &str) -> Option<Undone> {
    let mut changes = Vec::new();
    Undoer::new().block(text, |change| changes.push(change));
    if changes.is_empty() {
        return None;
    }
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    for change in &changes {
        let (start, end) = (change.range.start as usize, change.range.end as usize);
        out.push_str(&text[at..start]);
        out.push_str(&change.replacement);
        at = end;
    }
    out.push_str(&text[at..]);
    Some(Undone { text: out, changes })
}
