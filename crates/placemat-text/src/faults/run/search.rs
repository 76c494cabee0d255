//! Finds runs in a text that comes in blocks, with the place of each.

use std::borrow::Cow;
use std::io::{self, Read};
use std::ops::Range;

use placemat::boundary::is_continuation;
use placemat::invisible::Kinds;

use super::{Run, Sought, What};
use crate::faults::{announces_other_form, hidden, misread};
use crate::io::{HEAD, unfinished};
use crate::place::Position;
use crate::repair::blocks::{Block, Blocks};

/// An input that can be read several times.
pub trait Source {
    /// Opens the input at its start.
    ///
    /// # Errors
    /// Those of opening.
    fn start(&mut self) -> io::Result<Box<dyn Read + '_>>;
}

impl<F: FnMut() -> io::Result<Box<dyn Read>>> Source for F {
    fn start(&mut self) -> io::Result<Box<dyn Read + '_>> {
        self()
    }
}

impl Source for &[u8] {
    fn start(&mut self) -> io::Result<Box<dyn Read + '_>> {
        Ok(Box::new(*self))
    }
}

/// Counts the runs to search for in a text in UTF-8, and reports up to `limit` of them, one sort after the other. The source is
/// read once for each sort. If reading fails, also returns that error.
///
/// # Errors
/// Those of `report`.
///
/// ```
/// use placemat_text::faults::run::{Sought, search};
///
/// let sought = Sought { mojibake: true, ..Sought::NONE };
/// let mut open = || Ok(Box::new("cafÃ©".as_bytes()) as Box<dyn std::io::Read>);
/// let (runs, broken) = search(&mut open, sought, 0, &mut |_| Ok::<_, ()>(())).unwrap();
/// assert!(runs == 1 && broken.is_none());
/// ```
pub fn search<E>(
    source: &mut dyn Source,
    sought: Sought,
    limit: u64,
    report: &mut dyn FnMut(&Run<'_>) -> Result<(), E>,
) -> Result<(u64, Option<io::Error>), E> {
    let sorts = [
        (sought.mojibake, Sort::Misread),
        (sought.hidden != Kinds::NONE, Sort::Hidden),
        (sought.replacements, Sort::Replaced),
    ];
    let (mut runs, mut broken) = (0, None);
    for (_, sort) in sorts.into_iter().filter(|(is_sought, _)| *is_sought) {
        let mut reader = match source.start() {
            Ok(reader) => reader,
            Err(error) => return Ok((runs, broken.or(Some(error)))),
        };
        let left = limit.saturating_sub(runs);
        let (more, error) = match sort {
            Sort::Misread => misread::search(&mut *reader, left, report)?,
            Sort::Hidden => hidden::search(&mut *reader, sought.hidden, left, report)?,
            Sort::Replaced => replaced(&mut *reader, left, report)?,
        };
        runs += more;
        broken = broken.or(error);
    }
    Ok((runs, broken))
}

enum Sort {
    Misread,
    Hidden,
    Replaced,
}

/// Like [`search`], for each U+FFFD.
fn replaced<E>(
    input: &mut dyn Read,
    limit: u64,
    report: &mut dyn FnMut(&Run<'_>) -> Result<(), E>,
) -> Result<(u64, Option<io::Error>), E> {
    let (mut places, mut runs) = (Places::new(), 0);
    let broken = each_block(input, |Block { text, .. }, offset| {
        for at in memchr::memmem::find_iter(text, "\u{FFFD}") {
            if runs < limit {
                report(&places.run(text, offset, at..at + 3, What::Replacement))?;
            }
            runs += 1;
        }
        places.end(text);
        Ok(text.len())
    })?;
    Ok((runs, broken))
}

/// The number of bytes on each side of a run that are kept for the report.
const AROUND: usize = 512;

/// The positions of runs, which are reported in the order of their offsets.
pub(in crate::faults) struct Places {
    position: Position,
    /// The offset of the position in the block.
    at: usize,
}

impl Places {
    pub(in crate::faults) fn new() -> Places {
        Places { position: Position::start(), at: 0 }
    }

    /// Returns the run at `range` of a block that starts at `offset` of the input.
    pub(in crate::faults) fn run<'a>(
        &mut self,
        block: &'a [u8],
        offset: u64,
        range: Range<usize>,
        what: What<'a>,
    ) -> Run<'a> {
        self.pass(&block[..range.start]);
        let (line, column) = (self.position.line, self.position.column);
        let around = around(block, &range);
        Run { offset: offset + range.start as u64, line, column, bytes: &block[range], around, what }
    }

    /// Moves to the end of the settled part of a block.
    pub(in crate::faults) fn end(&mut self, settled: &[u8]) {
        self.pass(settled);
        self.at = 0;
    }

    fn pass(&mut self, text: &[u8]) {
        while self.at < text.len() {
            let rest = &text[self.at..];
            let (valid, error) = placemat::valid_prefix(rest);
            self.position.advance(&rest[..valid]);
            // A sequence that breaks off before a run or at the end is an error as well.
            let length = error.map_or(rest.len() - valid, |error| error.length().into());
            if length > 0 {
                self.position.advance_error();
            }
            self.at += valid + length;
        }
    }
}

/// Gives each block of an input to `settle`, with its offset. `settle` returns how much of the block is done. If reading fails,
/// returns that error. An input with a byte order mark of another form than UTF-8 has no blocks.
pub(in crate::faults) fn each_block<E>(
    input: &mut dyn Read,
    mut settle: impl FnMut(Block<'_>, u64) -> Result<usize, E>,
) -> Result<Option<io::Error>, E> {
    let mut blocks = Blocks::new(input);
    let (mut offset, mut broken) = (0, None);
    loop {
        let block = match blocks.block() {
            Ok(block) if offset == 0 && announces_other_form(&head(block)) => return Ok(broken),
            // If reading failed, an incomplete sequence at the end is not an error.
            Ok(block @ Block { text, is_last: true, .. }) if broken.is_some() => {
                Block { text: &text[..text.len() - unfinished(text)], ..block }
            }
            Ok(block) => block,
            Err(error) => {
                broken = Some(error);
                continue;
            }
        };
        let is_last = block.is_last;
        let settled = settle(block, offset)?;
        if is_last {
            return Ok(broken);
        }
        offset += settled as u64;
        blocks.settle(settled);
    }
}

/// The start of an input, of which this is the first block.
fn head(block: Block<'_>) -> Cow<'_, [u8]> {
    if block.text.len() < HEAD as usize && !block.is_last {
        Cow::from([block.text, block.around[1]].concat())
    } else {
        Cow::from(block.text)
    }
}

/// The rest of the line on each side, or a part of it.
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
