//! The parts of a line that may come from different hands: the columns of CSV, the strings of JSON, what is in an element of XML.
#![forbid(unsafe_code)]

use core::ops::Range;

/// Whether a byte parts fields, if what stands around it does not say otherwise. None of these is part of a character in a legacy
/// encoding, but of ideographs in Johab.
pub(crate) fn is_delimiter(byte: u8) -> bool {
    matches!(byte, b'\t' | b'"' | b'<' | b'>' | b',' | b';')
}

/// What stands between delimiters, as ranges of bytes; a comma or semicolon with white space behind it is none. A vertical bar may be
/// part of a character, so it counts only where it is known to part columns.
pub(super) fn fields(line: &[u8], by_bars: bool) -> impl Iterator<Item = Range<usize>> {
    let is_between = move |at: usize| match line[at] {
        b',' | b';' => line.get(at + 1).is_some_and(|byte| !byte.is_ascii_whitespace()),
        b'|' => by_bars,
        byte => is_delimiter(byte),
    };
    let mut start = 0;
    (0..=line.len()).filter_map(move |at| {
        let is_end = at == line.len() || is_between(at);
        is_end.then(|| core::mem::replace(&mut start, at + 1)..at)
    })
}

/// Whether vertical bars part the columns of a text: each line has as many.
#[derive(Clone, Debug, Default)]
pub(super) struct Bars {
    lines: u64,
    /// In each line so far; none where they differ.
    count: usize,
}

impl Bars {
    pub(super) fn push(&mut self, line: &[u8]) {
        let count = line.iter().filter(|&&byte| byte == b'|').count();
        self.count = if self.lines == 0 || self.count == count { count } else { 0 };
        self.lines += 1;
    }

    pub(super) fn part_columns(&self) -> bool {
        self.lines > 1 && self.count > 0
    }
}
