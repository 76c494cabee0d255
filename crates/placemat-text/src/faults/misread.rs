//! Finds runs of mojibake: well-formed text that was decoded twice.

use std::io::{self, Read};

use placemat::validate;
use placemat_detect::mojibake::{self, Page};

use super::run::{Places, Run, What, each_block};
use crate::repair::blocks::{Block, Blocks, are_whole};
use crate::repair::mend::{Mender, Mending, Rule};

/// Counts the runs in a text in UTF-8, and reports up to `limit` of them. If reading fails, also returns that error.
///
/// # Errors
/// Those of `report`.
///
/// ```
/// use placemat_text::faults::misread::search;
///
/// let (runs, broken) = search(&mut "café\ncafÃ©".as_bytes(), 10, &mut |run| {
///     assert_eq!((run.line, run.column, run.bytes), (2, 4, "Ã©".as_bytes()));
///     Ok::<_, ()>(())
/// })
/// .unwrap();
/// assert!(runs == 1 && broken.is_none());
/// ```
pub fn search<E>(
    input: &mut dyn Read,
    limit: u64,
    report: &mut dyn FnMut(&Run<'_>) -> Result<(), E>,
) -> Result<(u64, Option<io::Error>), E> {
    let mut mender = mender();
    let (mut places, mut runs) = (Places::new(), 0);
    let broken = each_block(input, |Block { text: block, is_last, .. }, offset| {
        let (settled, changes) = mender.block(block, is_last);
        for change in &changes {
            let Rule::Mojibake(via) = &change.rule else { continue };
            if runs < limit {
                let range = (change.range.start - offset) as usize..(change.range.end - offset) as usize;
                report(&places.run(block, offset, range, What::Mojibake { text: &change.text, via }))?;
            }
            runs += 1;
        }
        if runs < limit {
            places.end(&block[..settled]);
        }
        Ok(settled)
    })?;
    Ok((runs, broken))
}

/// Returns the length of the prefix of `lines`, which are UTF-8, that has no such run, whatever precedes it. The prefix is
/// whole lines, or everything. `around` is the text before and after, which shows whether these are whole lines. The result is
/// 0 for a part of a line that is not ASCII, and for malformed lines.
///
/// ```
/// use placemat_text::faults::misread::clean_prefix;
///
/// assert_eq!(clean_prefix("voilà\ncafÃ©\n".as_bytes(), [b""; 2]), 7);
/// assert_eq!(clean_prefix("voilà".as_bytes(), [b"et ", b""]), 0);
/// ```
#[must_use]
pub fn clean_prefix(lines: &[u8], around: [&[u8]; 2]) -> usize {
    if lines.is_ascii() {
        return lines.len();
    }
    validate(lines).ok().filter(|_| are_whole(lines, around)).map_or(0, mojibake::clean_prefix)
}

/// Counts the runs of a text of which only some lines are read: those after the prefix that [`clean_prefix`] returns.
///
/// ```
/// use placemat_text::faults::misread::Counter;
///
/// let mut counter = Counter::default();
/// counter.lines(&mut "cafÃ©\n".as_bytes(), 0).unwrap();
/// counter.lines(&mut "crÃ¨me\n".as_bytes(), 1 << 30).unwrap();
/// assert_eq!(counter.runs(), 2);
/// ```
pub struct Counter {
    mender: Mender,
    runs: u64,
}

impl Default for Counter {
    fn default() -> Counter {
        Counter { mender: mender(), runs: 0 }
    }
}

impl Counter {
    /// Reads whole lines. They start `offset` bytes after the start of the text and after the lines read before. The memory is
    /// that of the longest line, up to [`LONGEST_LINE`](crate::repair::blocks::LONGEST_LINE).
    ///
    /// # Errors
    /// Those of reading.
    ///
    /// ```
    /// let mut counter = placemat_text::faults::misread::Counter::default();
    /// counter.lines(&mut "cafÃ©\n".as_bytes(), 0).unwrap();
    /// assert_eq!(counter.runs(), 1);
    /// ```
    pub fn lines(&mut self, input: &mut dyn Read, offset: u64) -> io::Result<()> {
        if offset > 0 {
            // If the lines start with a malformed sequence, it follows a line end.
            self.mender.block(b"\n", false);
        }
        let mut blocks = Blocks::from(input, offset);
        loop {
            let Block { text, is_last, .. } = blocks.block()?;
            let (settled, changes) = self.mender.block(text, is_last);
            self.runs +=
                changes.iter().filter(|change| matches!(change.rule, Rule::Mojibake(_))).count() as u64;
            if is_last {
                return Ok(());
            }
            blocks.settle(settled);
        }
    }

    /// The number of runs so far.
    ///
    /// ```
    /// assert_eq!(placemat_text::faults::misread::Counter::default().runs(), 0);
    /// ```
    #[must_use]
    pub fn runs(&self) -> u64 {
        self.runs
    }
}

fn mender() -> Mender {
    Mender::new(Mending { mojibake: true, ..Mending::default() })
}

/// "Ã© stands for é: its UTF-8 was read as windows-1252".
pub(super) fn sentence(run: &[u8], text: &str, via: &[Page]) -> String {
    let pages: Vec<_> = via.iter().rev().map(|page| page.name()).collect();
    let (run, text) = (crate::escape::bytes(run), crate::escape::text(text));
    format!("{run} stands for {text}: its UTF-8 was read as {}", pages.join(", then as "))
}
