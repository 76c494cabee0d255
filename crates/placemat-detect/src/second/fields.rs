//! Splits a line into parts that may come from different sources: columns of CSV, strings of JSON, contents of XML elements.
#![forbid(unsafe_code)]

use core::ops::Range;

/// Whether a byte separates fields, unless the bytes around it say otherwise. In legacy encodings, none of these bytes is part of a
/// character, except of ideographs in Johab.
pub(crate) fn is_delimiter(byte: u8) -> bool {
    matches!(byte, b'\t' | b'"' | b'<' | b'>' | b',' | b';')
}

/// The parts between delimiters, as ranges of bytes. A comma or semicolon before white space is no delimiter. A vertical bar may be
/// part of a character, so it is one only if it is known to separate columns.
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

/// Whether vertical bars separate the columns of a text: every line has the same number of them.
#[derive(Clone, Debug, Default)]
pub(super) struct Bars {
    lines: u64,
    /// The number of bars in each line so far; 0 if it differs.
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
