//! Undoes mojibake: UTF-8 that was read in another encoding and written again, as when `é` became `Ã©`.
//!
//! ```
//! use placemat_detect::mojibake::undo;
//!
//! let undone = undo("voilÃ  le cafÃ© franÃƒÂ§ais").unwrap();
//! assert_eq!(undone.text, "voilà le café français");
//! assert_eq!(undone.changes.len(), 3);
//! assert_eq!(undo("Ã, à, São João"), None);
//! ```
//!
//! A line is encoded in each of a dozen encodings ([`Page`]). Characters whose bytes form UTF-8 sequences make a *run*.
//! Whether a run is replaced depends on plausibility: each character and each pair of neighbours has a cost. The costs are
//! added up for the line as it stands and for the line with the run replaced, and the difference must be large enough, for
//! the run alone or together with other runs of its page. Then the line is examined again, since text may have been
//! misread more than once.
//!
//! A run never crosses a line feed, and lines are judged independently, with one exception: a page on which earlier lines
//! were misread needs somewhat less evidence. Time is linear in the length of the text, memory bounded by the longest line
//! up to 32 KiB; a longer line is judged in pieces.
#![forbid(unsafe_code)]

use std::cell::RefCell;
use std::ops::Range;

mod blocks;
mod chance;
mod cyrillic;
mod doubt;
mod ends;
mod facts;
mod find;
mod letters;
mod line;
mod mended;
mod natural;
mod page;
mod refuted;
mod rows;
mod run;
mod scan;
mod seam;
pub(crate) mod sequence;
mod spelling;
mod sure;

pub use blocks::{Undoer, clean_prefix};
pub use page::Page;
pub(crate) use page::{TRIED, byte_on};
pub use rows::{Rows, first_suspect};

/// How many misreadings, one on top of the other, are undone at most.
pub const ROUNDS: usize = 8;

/// One run that is replaced.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// Where the run stands in the source, in bytes.
    pub range: Range<u64>,
    /// The text that replaces it.
    pub replacement: String,
    /// The encodings that it was misread in, one for each round: the last misreading first.
    pub via: Vec<Page>,
}

impl Change {
    /// Whether bytes of the run are lost: the replacement has U+FFFD where the character cannot be known.
    ///
    /// ```
    /// let undone = placemat_detect::mojibake::undo("cafÃ©").unwrap();
    /// assert!(!undone.changes[0].is_lossy());
    /// ```
    #[must_use]
    pub fn is_lossy(&self) -> bool {
        self.replacement.contains(char::REPLACEMENT_CHARACTER)
    }

    /// The same change, `by` bytes further on.
    fn moved(mut self, by: u64) -> Self {
        self.range = self.range.start + by..self.range.end + by;
        self
    }
}

/// The result of [`undo`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Undone {
    /// The repaired text.
    pub text: String,
    /// Every run that was changed, in order, without overlaps. Replacing each replacement by the source's bytes
    /// restores the source.
    pub changes: Vec<Change>,
}

/// Undoes every run of mojibake in `text`. Returns `None` if there is none, as in all text that is plausible as it stands.
///
/// [`Undoer`] does the same for a text that comes in blocks. Cost: linear; clean text is only scanned.
///
/// ```
/// use placemat_detect::mojibake::undo;
/// let undone = undo("cafÃ©").unwrap();
/// assert_eq!((&*undone.text, undone.changes[0].range.clone()), ("café", 3..7));
/// assert_eq!(undo("café"), None);
/// ```
#[must_use]
pub fn undo(text: &str) -> Option<Undone> {
    blocks::undo(text)
}

/// Returns only the text of [`undo`], which costs less: what was found out about a text of up to 4 KiB serves for the next one in the same
/// thread, which keeps less than half a megabyte for that.
///
/// ```
/// use placemat_detect::mojibake::undo_text;
/// assert_eq!(undo_text("cafÃ©").as_deref(), Some("café"));
/// assert_eq!(undo_text("café"), None);
/// ```
#[must_use]
pub fn undo_text(text: &str) -> Option<String> {
    thread_local! {
        static ROWS: RefCell<Rows> = RefCell::default();
    }
    let undone = |rows: &mut Rows| rows.undo(text).map(str::to_owned);
    // Longer text would leave too much memory behind.
    if text.len() > KEPT {
        return undone(&mut Rows::new());
    }
    // A thread that ends may have let go of its memory.
    ROWS.try_with(|rows| undone(&mut rows.borrow_mut())).unwrap_or_else(|_| undone(&mut Rows::new()))
}

/// The longest text whose memory serves for the next.
const KEPT: usize = 4 << 10;
