//! Lines before and after, as a terminal can show them.

use std::collections::VecDeque;
use std::fmt::Write as _;
use std::io::{self, Write};
use std::ops::Range;

use anstyle::{AnsiColor, Style};
use memchr::memchr_iter;
use unicode_width::UnicodeWidthStr as _;

use crate::escape::{self, Cut, shortened, wrapped};
use crate::input::Input;
use placemat_text::repair::mend::{Change, Rule};
use placemat_text::repair::wording::{self, Counts};

const FILE: Style = Style::new().bold();
const PLACE: Style = AnsiColor::Cyan.on_default();
const OLD: Style = AnsiColor::Red.on_default();
const NEW: Style = AnsiColor::Green.on_default();
const OLD_CHANGE: Style = AnsiColor::Red.on_default().bold().underline();
const NEW_CHANGE: Style = AnsiColor::Green.on_default().bold().underline();
const DIM: Style = Style::new().dimmed();

/// Lines around a change.
const CONTEXT: usize = 2;

/// What is kept of a line that may become context, in bytes.
const KEPT: usize = 2000;

/// Columns that always stay of a stretch that is cut.
const SIDE: usize = 20;

/// Writes a diff of one file.
pub(super) struct Diff<W> {
    out: W,
    path: String,
    width: usize,
    has_heading: bool,
    /// The line that comes next, from 1, and the place of its first byte.
    line: u64,
    offset: u64,
    /// Unchanged lines that no change has called for yet.
    before: VecDeque<Vec<u8>>,
    /// Lines of context still to come.
    after: usize,
    /// Lines were left out since the last one that was shown.
    has_gap: bool,
}

impl<W: Write> Diff<W> {
    pub(super) fn new(out: W, input: &Input, width: usize) -> Diff<W> {
        Diff {
            out,
            path: input.to_string(),
            width,
            has_heading: false,
            line: 1,
            offset: 0,
            before: VecDeque::new(),
            after: 0,
            has_gap: true,
        }
    }

    /// What was written.
    pub(super) fn finish(self) -> W {
        self.out
    }

    /// The next block of the source, whole lines but for those too long, and its changes.
    pub(super) fn block(&mut self, block: &[u8], changes: &[Change]) -> io::Result<()> {
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
        }
        Ok(())
    }

    /// Nothing of this is shown, but perhaps its last lines.
    fn pass(&mut self, rest: &[u8]) {
        self.offset += rest.len() as u64;
        self.line += memchr_iter(b'\n', rest).count() as u64;
        let ends = memchr::memrchr_iter(b'\n', rest.strip_suffix(b"\n").unwrap_or(rest));
        let from = ends.take(CONTEXT).last().map_or(0, |at| at + 1);
        // The first may be the rest of a line that began before; it is no worse as context.
        rest[from..].split_inclusive(|&byte| byte == b'\n').for_each(|line| self.keep(line));
    }

    fn keep(&mut self, line: &[u8]) {
        if self.before.len() == CONTEXT {
            self.before.pop_front();
            self.has_gap = true;
        }
        self.before.push_back(line[..line.len().min(KEPT)].to_vec());
    }

    fn unchanged(&mut self, line: &[u8]) -> io::Result<()> {
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
            let first = self.line - self.before.len() as u64;
            let at = self.offset - self.before.iter().map(|line| line.len() as u64).sum::<u64>();
            let place = if self.before.iter().all(|line| line.len() < KEPT) {
                format!("line {first}, byte {at}")
            } else {
                format!("line {first}")
            };
            writeln!(self.out, "{PLACE}@@ {place} @@{PLACE:#}")?;
            self.has_gap = false;
        }
        for line in std::mem::take(&mut self.before) {
            self.context(&line)?;
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

    /// How many of the changes of a line there is room for, one at least.
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
        // What comes behind the last one needs room too.
        let all = if all == changes.len() && columns + rest.min(SIDE) > self.width { all - 1 } else { all };
        all.max(1)
    }

    /// Where in its line a change is.
    fn within(&self, change: &Change) -> Range<usize> {
        (change.range.start - self.offset) as usize..(change.range.end - self.offset) as usize
    }

    /// The line on either side: what changes, whole, and what stays, cut where there is no room for it. The line is
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
        // Where more changes follow, what stands between is no news.
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

/// What stays between changes: its first and its last bytes are enough, whatever the width.
struct Stretch {
    head: String,
    /// Empty when the head is all of it.
    tail: String,
    width: usize,
}

impl Stretch {
    fn of(bytes: &[u8]) -> Stretch {
        if bytes.len() <= KEPT {
            let head = escape::bytes(bytes).to_string();
            return Stretch { width: head.width(), head, tail: String::new() };
        }
        let head = escape::bytes(&bytes[..KEPT]).to_string();
        let tail = escape::bytes(&bytes[bytes.len() - KEPT..]).to_string();
        Stretch { head, tail, width: bytes.len() }
    }

    fn shortened(&self, columns: usize, cut: Cut) -> String {
        match cut {
            _ if self.tail.is_empty() => shortened(&self.head, columns, cut),
            Cut::Start => shortened(&self.tail, columns, cut),
            Cut::End => shortened(&self.head, columns, cut),
            Cut::Middle => {
                let tail = shortened(&self.tail, columns - columns / 2, Cut::Start);
                format!("{}{}", shortened(&self.head, columns / 2, Cut::End), tail.trim_start_matches('…'))
            }
        }
    }
}

/// The most columns that each may have, so that all of them fit into `room` as far as that goes.
fn share(widths: impl Iterator<Item = usize>, mut room: usize) -> usize {
    let mut widths: Vec<_> = widths.collect();
    widths.sort_unstable();
    for (index, &width) in widths.iter().enumerate() {
        let fair = room / (widths.len() - index);
        if width > fair {
            return fair;
        }
        room -= width;
    }
    usize::MAX
}

/// What is there before a change.
fn old(change: &Change, bytes: &[u8]) -> String {
    match change.rule {
        Rule::Mojibake(_) => escape::bytes(bytes).to_string(),
        Rule::Windows1252 | Rule::Cesu8 | Rule::Nul | Rule::Overlong | Rule::Policy(..) => escaped(bytes),
    }
}

/// Each byte as `\xhh`.
fn escaped(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("\\x{byte:02X}")).collect()
}

#[derive(Clone)]
struct Piece {
    text: String,
    is_change: bool,
}

fn write_side(
    out: &mut impl Write,
    sign: char,
    pieces: &[&Piece],
    plain: Style,
    change: Style,
) -> io::Result<()> {
    write!(out, "{plain}{sign}{plain:#}")?;
    for piece in pieces {
        let style = if piece.is_change { change } else { plain };
        if !piece.text.is_empty() {
            write!(out, "{style}{}{style:#}", piece.text)?;
        }
    }
    writeln!(out)
}

fn without_end(line: &[u8]) -> &[u8] {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    line.strip_suffix(b"\r").unwrap_or(line)
}

/// Text that changes; a space that is not the usual one is escaped too.
fn visible(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        // Writing to a string cannot fail.
        let _ = match c {
            ' ' => write!(out, " "),
            c if c.is_whitespace() => write!(out, "\\u{{{:x}}}", c as u32),
            c => write!(out, "{}", escape::text(c.encode_utf8(&mut [0; 4]))),
        };
    }
    out
}
