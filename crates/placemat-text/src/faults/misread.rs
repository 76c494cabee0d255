//! Runs of mojibake: well-formed text that was decoded twice.

use std::io::{self, Read};
use std::ops::Range;

use placemat::boundary::is_continuation;
use placemat_detect::mojibake::Page;

use super::{announces_other_form, unfinished};
use crate::place::Position;
use crate::repair::blocks::Blocks;
use crate::repair::mend::{Mender, Mending, Rule};

/// One run.
#[derive(Debug)]
pub struct Misread<'a> {
    /// Bytes from the start of the input.
    pub offset: u64,
    /// From 1.
    pub line: u64,
    /// In code points, from 1.
    pub column: u64,
    /// The run.
    pub bytes: &'a [u8],
    /// What stands before and behind it in its line, as far as a screen could show it.
    pub around: [&'a [u8]; 2],
    /// What it was meant to be.
    pub text: &'a str,
    /// The encodings that it was misread in, the last misreading first.
    pub via: &'a [Page],
}

/// Bytes on either side that are kept for whoever reads the report.
const AROUND: usize = 512;

impl Misread<'_> {
    /// "Ã© stands for é: its UTF-8 was read as windows-1252".
    ///
    /// ```
    /// use placemat_text::faults::misread::search;
    ///
    /// let (runs, broken) = search(&mut "café\ncafÃ©".as_bytes(), 10, &mut |run| {
    ///     assert_eq!(run.sentence(), "Ã© stands for é: its UTF-8 was read as windows-1252");
    ///     Ok::<_, ()>(())
    /// })
    /// .unwrap();
    /// assert!(runs == 1 && broken.is_none());
    /// ```
    pub fn sentence(&self) -> String {
        let pages: Vec<_> = self.via.iter().rev().map(|page| page.name()).collect();
        let (run, text) = (crate::escape::bytes(self.bytes), crate::escape::text(self.text));
        format!("{run} stands for {text}: its UTF-8 was read as {}", pages.join(", then as "))
    }
}

/// Count the runs in a text in UTF-8, and report up to `limit` of them. Where the input breaks off, why, beside those before.
///
/// # Errors
/// Those of `report`.
///
/// ```
/// use placemat_text::faults::misread::search;
///
/// let (runs, broken) = search(&mut "café\ncafÃ©".as_bytes(), 10, &mut |run| {
///     assert_eq!((run.line, run.column, run.text), (2, 4, "é"));
///     Ok::<_, ()>(())
/// })
/// .unwrap();
/// assert!(runs == 1 && broken.is_none());
/// ```
pub fn search<E>(
    input: &mut dyn Read,
    limit: u64,
    report: &mut dyn FnMut(&Misread<'_>) -> Result<(), E>,
) -> Result<(u64, Option<io::Error>), E> {
    let mut blocks = Blocks::new(input);
    let mut mender = Mender::new(Mending { mojibake: true, ..Mending::default() });
    let mut position = Position::start();
    let (mut offset, mut runs) = (0, 0);
    let mut broken = None;
    loop {
        let (block, is_last) = match blocks.block() {
            Ok((block, _)) if offset == 0 && announces_other_form(block) => return Ok((0, broken)),
            // What may go on is nothing yet.
            Ok((block, true)) if broken.is_some() => (&block[..block.len() - unfinished(block)], true),
            Ok(block) => block,
            Err(error) => {
                broken = Some(error);
                continue;
            }
        };
        let (settled, changes) = mender.block(block, is_last);
        let mut at = 0;
        for change in &changes {
            let Rule::Mojibake(via) = &change.rule else { continue };
            let range = (change.range.start - offset) as usize..(change.range.end - offset) as usize;
            if runs < limit {
                pass(&mut position, &block[at..range.start]);
                at = range.start;
                let (line, column) = (position.line, position.column);
                let (text, bytes) = (&change.text[..], &block[range.clone()]);
                let around = around(block, &range);
                report(&Misread { offset: change.range.start, line, column, bytes, around, text, via })?;
            }
            runs += 1;
        }
        if runs < limit {
            pass(&mut position, &block[at..settled]);
        }
        if is_last {
            return Ok((runs, broken));
        }
        offset += settled as u64;
        blocks.settle(settled);
    }
}

/// The rest of the line on either side, or a part of it.
fn around<'a>(block: &'a [u8], run: &Range<usize>) -> [&'a [u8]; 2] {
    let before = &block[run.start.saturating_sub(AROUND)..run.start];
    let start = memchr::memrchr(b'\n', before).map_or(0, |at| at + 1);
    let after = &block[run.end..];
    let after = &after[..after.len().min(AROUND)];
    let end = memchr::memchr2(b'\n', b'\r', after).unwrap_or(after.len());
    let continues = |byte: &&u8| is_continuation(**byte);
    let tails = before[start..].iter().take_while(continues).count();
    let cut = if end == AROUND { after.iter().rev().take_while(continues).count() + 1 } else { 0 };
    [&before[start + tails..], &after[..end - cut.min(end)]]
}

fn pass(position: &mut Position, text: &[u8]) {
    for chunk in text.utf8_chunks() {
        position.advance(chunk.valid().as_bytes());
        if !chunk.invalid().is_empty() {
            position.advance_error();
        }
    }
}
