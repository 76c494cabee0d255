//! Shows the lines before and after a repair on a terminal.

mod pieces;

use std::collections::VecDeque;
use std::fmt::Write as _;
use std::io::{self, Write};
use std::ops::Range;

use anstyle::{AnsiColor, Style};
use memchr::memchr_iter;
use unicode_width::UnicodeWidthStr as _;

use self::pieces::{Piece, Stretch, old, share, visible, write_side};
use crate::escape::{self, Cut, shortened, wrapped};
use crate::io::without_end;
use crate::repair::mend::Change;
use crate::repair::wording::{self, Counts};

const FILE: Style = Style::new().bold();
const PLACE: Style = AnsiColor::Cyan.on_default();
const OLD: Style = AnsiColor::Red.on_default();
const NEW: Style = AnsiColor::Green.on_default();
const OLD_CHANGE: Style = AnsiColor::Red.on_default().bold().underline();
const NEW_CHANGE: Style = AnsiColor::Green.on_default().bold().underline();
const DIM: Style = Style::new().dimmed();

/// The number of context lines around a change.
const CONTEXT: usize = 2;

/// The number of bytes that are kept of a line that may become context.
const KEPT: usize = 2000;

/// The least number of columns of a stretch that is cut.
const SIDE: usize = 20;

/// Writes a diff of one file, with the colours of a terminal. The memory is a few lines.
///
/// ```
/// use placemat_text::repair::diff::Diff;
/// use placemat_text::repair::mend::{Mender, Mending};
///
/// let text = b"na\xC3\xAFve\ncaf\xE9\n";
/// let (_, changes) = Mender::new(Mending::default()).block(text, true);
/// let mut diff = Diff::new(Vec::new(), "a.txt", 80);
/// diff.block(text, &changes).unwrap();
/// let diff = String::from_utf8(diff.finish()).unwrap();
/// assert!(diff.contains("@@ line 1, byte 0 @@") && diff.contains(r"\xE9"));
/// ```
pub struct Diff<W> {
    out: W,
    path: String,
    width: usize,
    has_heading: bool,
    /// The number of the next line, from 1, and the offset of its first byte.
    line: u64,
    offset: u64,
    /// Unchanged lines that may become context. The last one may continue in the next block.
    before: VecDeque<Kept>,
    /// Whether the next byte belongs to a line that started in an earlier block.
    goes_on: bool,
    /// The number of context lines still to be written.
    after: usize,
    /// Whether lines were left out since the last one that was shown.
    has_gap: bool,
}

/// A line that may become context.
struct Kept {
    /// Its first bytes.
    text: Vec<u8>,
    /// Its length so far, in bytes.
    len: u64,
}

impl<W: Write> Diff<W> {
    /// Creates a diff of the file with this name, written to `out` in `width` columns.
    ///
    /// ```
    /// use placemat_text::repair::diff::Diff;
    ///
    /// assert!(Diff::new(Vec::new(), "a.txt", 80).finish().is_empty());
    /// ```
    pub fn new(out: W, name: &str, width: usize) -> Diff<W> {
        Diff {
            out,
            path: name.to_owned(),
            width,
            has_heading: false,
            line: 1,
            offset: 0,
            before: VecDeque::new(),
            goes_on: false,
            after: 0,
            has_gap: true,
        }
    }

    /// Returns the writer.
    ///
    /// ```
    /// use placemat_text::repair::diff::Diff;
    ///
    /// assert!(Diff::new(Vec::new(), "a.txt", 80).finish().is_empty());
    /// ```
    pub fn finish(self) -> W {
        self.out
    }

    /// Adds the next block of the source, which ends with a line or a part of a long one, and its changes.
    ///
    /// ```
    /// use placemat_text::repair::diff::Diff;
    ///
    /// let mut diff = Diff::new(Vec::new(), "a.txt", 80);
    /// diff.block(b"nothing changes\n", &[]).unwrap();
    /// assert!(diff.finish().is_empty());
    /// ```
    ///
    /// # Errors
    /// Those of writing.
    pub fn block(&mut self, block: &[u8], changes: &[Change]) -> io::Result<()> {
        let start = self.offset;
        let end = start + block.len() as u64;
        let mut changes = changes;
        while self.offset < end {
            let rest = &block[(self.offset - start) as usize..];
            if changes.is_empty() && self.after == 0 {
                self.pass(rest);
                return Ok(());
            }
            let len = memchr::memchr(b'\n', rest).map_or(rest.len(), |at| at + 1);
            let line = &rest[..len];
            let here = changes.partition_point(|change| change.range.start < self.offset + len as u64);
            let (own, others) = changes.split_at(here);
            changes = others;
            match own.is_empty() {
                true => self.unchanged(line)?,
                false => self.changed(line, own)?,
            }
            self.offset += len as u64;
            self.line += u64::from(line.ends_with(b"\n"));
            self.goes_on = !line.ends_with(b"\n");
        }
        Ok(())
    }

    /// Skips text without changes, but keeps its last lines as context.
    fn pass(&mut self, rest: &[u8]) {
        self.offset += rest.len() as u64;
        self.line += memchr_iter(b'\n', rest).count() as u64;
        let rest = if self.goes_on {
            let (end, rest) = rest.split_at(memchr::memchr(b'\n', rest).map_or(rest.len(), |at| at + 1));
            self.extend(end);
            rest
        } else {
            rest
        };
        let Some(end) = rest.last() else { return };
        let ends = memchr::memrchr_iter(b'\n', rest.strip_suffix(b"\n").unwrap_or(rest));
        let from = ends.take(CONTEXT).last().map_or(0, |at| at + 1);
        self.has_gap |= from > 0;
        rest[from..].split_inclusive(|&byte| byte == b'\n').for_each(|line| self.keep(line));
        self.goes_on = *end != b'\n';
    }

    fn keep(&mut self, line: &[u8]) {
        if self.before.len() == CONTEXT {
            self.before.pop_front();
            self.has_gap = true;
        }
        self.before.push_back(Kept { text: line[..line.len().min(KEPT)].to_vec(), len: line.len() as u64 });
    }

    /// Adds more of a line that was kept or shown.
    fn extend(&mut self, more: &[u8]) {
        if let Some(line) = self.before.back_mut() {
            let room = KEPT - line.text.len();
            line.text.extend_from_slice(&more[..more.len().min(room)]);
            line.len += more.len() as u64;
        }
        self.goes_on = !more.ends_with(b"\n");
    }

    fn unchanged(&mut self, line: &[u8]) -> io::Result<()> {
        if self.goes_on {
            self.extend(line);
            return Ok(());
        }
        if self.after == 0 {
            self.keep(line);
            return Ok(());
        }
        self.after -= 1;
        self.context(&line[..line.len().min(KEPT)])
    }

    fn context(&mut self, line: &[u8]) -> io::Result<()> {
        let text = escape::bytes(without_end(line)).to_string();
        writeln!(self.out, " {}", shortened(&text, self.width.saturating_sub(1), Cut::End))
    }

    fn changed(&mut self, line: &[u8], changes: &[Change]) -> io::Result<()> {
        if !self.has_heading {
            self.has_heading = true;
            writeln!(self.out, "{FILE}--- {}{FILE:#}\n{FILE}+++ {0} (repaired){FILE:#}", self.path)?;
        }
        if self.has_gap {
            let at = self.offset - self.before.iter().map(|line| line.len).sum::<u64>();
            let begun = usize::from(self.goes_on && !self.before.is_empty());
            let first = self.line - (self.before.len() - begun) as u64;
            writeln!(self.out, "{PLACE}@@ line {first}, byte {at} @@{PLACE:#}")?;
            self.has_gap = false;
        }
        if self.goes_on {
            // It is the start of the same line.
            self.before.pop_back();
        }
        for line in std::mem::take(&mut self.before) {
            self.context(&line.text)?;
        }
        let shown = self.fitting(changes, line);
        let end = changes.get(shown).map(|next| (next.range.start - self.offset) as usize);
        let pieces = self.pieces(line, &changes[..shown], end);
        write_side(
            &mut self.out,
            '-',
            &pieces.iter().map(|(old, _)| old).collect::<Vec<_>>(),
            OLD,
            OLD_CHANGE,
        )?;
        write_side(
            &mut self.out,
            '+',
            &pieces.iter().map(|(_, new)| new).collect::<Vec<_>>(),
            NEW,
            NEW_CHANGE,
        )?;
        let mut counts = Counts::new();
        changes.iter().for_each(|change| *counts.entry(change.rule.clone()).or_default() += 1);
        let mut said = wording::counts(&counts);
        if shown < changes.len() {
            let _ = write!(said, "; the first {shown} of these {} are shown", changes.len());
        }
        for line in wrapped(&said, self.width.saturating_sub(2)) {
            writeln!(self.out, "{DIM}\\ {line}{DIM:#}")?;
        }
        self.after = CONTEXT;
        Ok(())
    }

    /// Returns how many changes of a line fit, at least one.
    fn fitting(&self, changes: &[Change], line: &[u8]) -> usize {
        let (mut columns, mut at) = (0, self.offset);
        let fits = |change: &&Change| {
            let same = (change.range.start - at) as usize;
            let old = old(change, &line[self.within(change)]).width();
            columns += same.min(SIDE) + old.max(change.text.width());
            at = change.range.end;
            columns < self.width
        };
        let all = changes.iter().take_while(fits).count();
        let last = changes.last().map_or(0, |last| (last.range.end - self.offset) as usize);
        let rest = line.len().saturating_sub(last);
        // The text after the last change needs room too.
        let all = if all == changes.len() && columns + rest.min(SIDE) > self.width { all - 1 } else { all };
        all.max(1)
    }

    /// The range of a change in its line.
    fn within(&self, change: &Change) -> Range<usize> {
        (change.range.start - self.offset) as usize..(change.range.end - self.offset) as usize
    }

    /// Returns the line before and after: changes in full, and unchanged text cut where there is no room. The line is
    /// shown up to `end`.
    fn pieces(&self, line: &[u8], changes: &[Change], end: Option<usize>) -> Vec<(Piece, Piece)> {
        let line = end.map_or_else(|| without_end(line), |end| &line[..end]);
        let mut stretches = Vec::new();
        let mut changed = Vec::new();
        let mut at = 0;
        for change in changes {
            let range = self.within(change);
            let old = old(change, &line[range.clone()]);
            stretches.push(Stretch::of(&line[at..range.start]));
            changed.push((
                Piece { text: old, is_change: true },
                Piece { text: visible(&change.text), is_change: true },
            ));
            at = range.end;
        }
        // If more changes follow, the text before them is shown with them.
        stretches.push(Stretch::of(if end.is_some() { b"" } else { &line[at..] }));
        let fixed: usize = changed.iter().map(|(old, new)| old.text.width().max(new.text.width())).sum();
        let room = share(stretches.iter().map(|s| s.width), self.width.saturating_sub(1 + fixed)).max(SIDE);
        let last = stretches.len() - 1;
        let same = |(index, stretch): (usize, &Stretch)| {
            let cut = match index {
                0 => Cut::Start,
                _ if index == last => Cut::End,
                _ => Cut::Middle,
            };
            let piece = Piece { text: stretch.shortened(room, cut), is_change: false };
            (piece.clone(), piece)
        };
        let mut changed = changed.into_iter();
        let more = Piece { text: if end.is_some() { "…" } else { "" }.to_owned(), is_change: false };
        stretches
            .iter()
            .enumerate()
            .map(same)
            .flat_map(|piece| [Some(piece), changed.next()])
            .flatten()
            .chain([(more.clone(), more)])
            .collect()
    }
}
