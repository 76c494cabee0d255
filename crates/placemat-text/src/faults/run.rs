//! Runs of well-formed text that are errors all the same: mojibake, and characters that are not shown.

use std::io::{self, Read};
use std::ops::Range;
use std::path::Path;

use placemat::boundary::is_continuation;
use placemat::invisible::{Kind, Kinds};
use placemat_detect::mojibake::Page;

use super::{advice, announces_other_form, hidden, misread, unfinished};
use crate::place::Position;
use crate::repair::blocks::{Block, Blocks};
use crate::{escape, hidden as words};

/// One run.
#[derive(Debug)]
pub struct Run<'a> {
    /// Bytes from the start of the input.
    pub offset: u64,
    /// From 1.
    pub line: u64,
    /// In code points, from 1.
    pub column: u64,
    /// The run.
    pub bytes: &'a [u8],
    /// The text before and after it on its line, as far as a screen could show it.
    pub around: [&'a [u8]; 2],
    /// What is wrong with it.
    pub what: What<'a>,
}

/// The kinds of runs.
#[derive(Clone, Copy, Debug)]
pub enum What<'a> {
    /// Text that was decoded twice.
    Mojibake {
        /// The text that it was meant to be.
        text: &'a str,
        /// The encodings that it was misread in, the last misreading first.
        via: &'a [Page],
    },
    /// Characters that are not shown and that their context does not explain.
    Hidden(Kind),
    /// U+FFFD, in place of text that could not be read earlier.
    Replacement,
    /// The name of a file is wrong. The run is that name, and `offset` is its offset in the path.
    Name {
        /// The kind, as it is printed.
        kind: &'static str,
        /// What is wrong.
        sentence: &'a str,
        /// The name that the file should have, if it is known.
        becomes: Option<&'a str>,
        /// The encoding to pass to `repair --names --mend`, if one is needed.
        mend: Option<&'static str>,
    },
}

/// The kinds of runs to search for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sought {
    /// Mojibake.
    pub mojibake: bool,
    /// Characters that are not shown, of these kinds.
    pub hidden: Kinds,
    /// U+FFFD.
    pub replacements: bool,
}

impl Sought {
    /// Nothing.
    pub const NONE: Sought = Sought { mojibake: false, hidden: Kinds::NONE, replacements: false };
}

impl Run<'_> {
    /// The name of the kind: `mojibake`, `tag-payload`, …
    ///
    /// ```
    /// use placemat::invisible::Kinds;
    /// use placemat_text::faults::hidden::search;
    ///
    /// search(&mut "a\u{200B}b".as_bytes(), Kinds::DEFAULT, 10, &mut |run| {
    ///     assert_eq!(run.name(), "zero-width");
    ///     Ok::<_, ()>(())
    /// })
    /// .unwrap();
    /// ```
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self.what {
            What::Mojibake { .. } => MOJIBAKE,
            What::Hidden(kind) => kind.name(),
            What::Replacement => REPLACEMENT,
            What::Name { kind, .. } => kind,
        }
    }

    /// The text that it hides, if any, with U+FFFD for malformed bytes.
    ///
    /// ```
    /// use placemat::invisible::Kinds;
    /// use placemat_text::faults::hidden::search;
    ///
    /// search(&mut "ok\u{E0068}\u{E0069}".as_bytes(), Kinds::DEFAULT, 10, &mut |run| {
    ///     assert_eq!(run.payload().as_deref(), Some("hi"));
    ///     Ok::<_, ()>(())
    /// })
    /// .unwrap();
    /// ```
    #[must_use]
    pub fn payload(&self) -> Option<String> {
        let What::Hidden(_) = self.what else { return None };
        words::payload(self.bytes)
    }

    /// The run in a form that is safe to show. What a terminal would act on, and each character that is not shown, is `\u{…}`; a
    /// long run is shortened.
    ///
    /// ```
    /// use placemat::invisible::Kinds;
    /// use placemat_text::faults::hidden::search;
    ///
    /// search(&mut "a\u{200B}b".as_bytes(), Kinds::DEFAULT, 10, &mut |run| {
    ///     assert_eq!(run.shown(), r"\u{200b}");
    ///     Ok::<_, ()>(())
    /// })
    /// .unwrap();
    /// ```
    #[must_use]
    pub fn shown(&self) -> String {
        match self.what {
            What::Mojibake { .. } | What::Name { .. } => escape::bytes(self.bytes).to_string(),
            What::Hidden(_) => words::shown(self.bytes),
            What::Replacement => char::REPLACEMENT_CHARACTER.into(),
        }
    }

    /// "Ã© stands for é: its UTF-8 was read as windows-1252", "2 tag characters, which are not shown, hide “hi”".
    ///
    /// ```
    /// use placemat_text::faults::misread::search;
    ///
    /// search(&mut "café\ncafÃ©".as_bytes(), 10, &mut |run| {
    ///     assert_eq!(run.sentence(), "Ã© stands for é: its UTF-8 was read as windows-1252");
    ///     Ok::<_, ()>(())
    /// })
    /// .unwrap();
    /// ```
    #[must_use]
    pub fn sentence(&self) -> String {
        match self.what {
            What::Mojibake { text, via } => misread::sentence(self.bytes, text, via),
            What::Hidden(kind) => words::sentence(kind, self.bytes),
            What::Replacement => "U+FFFD stands here for what could not be read: the text is lost".to_owned(),
            What::Name { sentence, .. } => sentence.to_owned(),
        }
    }

    /// The command that repairs it in `file`, if there is one.
    ///
    /// ```
    /// use placemat_text::faults::misread::search;
    ///
    /// search(&mut "cafÃ©".as_bytes(), 10, &mut |run| {
    ///     let advice = run.advice(Some("a.txt".as_ref())).unwrap();
    ///     assert!(advice.ends_with("placemat repair --in-place --mojibake a.txt"));
    ///     Ok::<_, ()>(())
    /// })
    /// .unwrap();
    /// ```
    #[must_use]
    pub fn advice(&self, file: Option<&Path>) -> Option<String> {
        match self.what {
            What::Mojibake { .. } => Some(advice::of_mojibake(file)),
            What::Hidden(kind) => Some(advice::of_hidden(kind, file)),
            What::Replacement => None,
            What::Name { mend, .. } => file.map(|file| advice::of_name(mend, file)),
        }
    }
}

/// The name of the kind of all runs that were decoded twice.
pub const MOJIBAKE: &str = "mojibake";

/// The name of the kind of U+FFFD.
pub const REPLACEMENT: &str = "replacement-character";

/// The name of the kind of a file name that is not UTF-8.
pub const NAME_MALFORMED: &str = "name-malformed";

/// The name of the kind of a file name that was decoded twice.
pub const NAME_MOJIBAKE: &str = "name-mojibake";

/// Returns the name of every kind of run, with a description of the kind.
///
/// ```
/// use placemat_text::faults::run;
/// assert!(run::rules().any(|(name, rule)| name == "mojibake" && rule == "Text that was decoded twice."));
/// ```
pub fn rules() -> impl Iterator<Item = (&'static str, &'static str)> {
    let hidden = Kind::ALL.iter().map(|&kind| (kind.name(), words::rule(kind)));
    let replacement = (REPLACEMENT, "U+FFFD, which stands for what could not be read.");
    let names = [
        (NAME_MALFORMED, "A file or folder name that is not UTF-8."),
        (NAME_MOJIBAKE, "A file or folder name that was decoded twice."),
    ];
    [(MOJIBAKE, "Text that was decoded twice."), replacement].into_iter().chain(hidden).chain(names)
}

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
pub(super) struct Places {
    position: Position,
    /// The offset of the position in the block.
    at: usize,
}

impl Places {
    pub(super) fn new() -> Places {
        Places { position: Position::start(), at: 0 }
    }

    /// Returns the run at `range` of a block that starts at `offset` of the input.
    pub(super) fn run<'a>(
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
    pub(super) fn end(&mut self, settled: &[u8]) {
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
pub(super) fn each_block<E>(
    input: &mut dyn Read,
    mut settle: impl FnMut(Block<'_>, u64) -> Result<usize, E>,
) -> Result<Option<io::Error>, E> {
    let mut blocks = Blocks::new(input);
    let (mut offset, mut broken) = (0, None);
    loop {
        let block = match blocks.block() {
            Ok(block) if offset == 0 && announces_other_form(block.text) => return Ok(broken),
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
