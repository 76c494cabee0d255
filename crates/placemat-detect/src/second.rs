//! Detects the second encoding of a text in which most lines are UTF-8 and some are not.
#![forbid(unsafe_code)]

mod choice;
mod cuts;
mod evidence;
pub(crate) mod fields;
mod runs;
mod weight;

use core::ops::Range;
use std::collections::BTreeMap;

use self::cuts::Limit;
pub use self::cuts::{Cuts, Parted};
pub(crate) use self::evidence::is_of_every_script;
use self::fields::Bars;
use self::weight::Weight;

/// How many bytes are kept of the well-formed lines, and of the malformed ones.
const KEPT: usize = 64 << 10;
/// A longer line is read in pieces.
const LONGEST_LINE: usize = 16 << 10;

/// The encoding that the malformed runs of a mixed text are in.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Second {
    /// The name in lower case: `windows-1250`, `koi8-r`, `shift_jis` …
    pub encoding: &'static str,
    /// The name of the language of the reading, in English.
    pub language: &'static str,
    /// How sure it is, from 0 to 1; [`Second::is_sure`] says whether that is enough.
    pub confidence: f32,
    is_sure: bool,
}

impl Second {
    /// Whether the encoding is sure enough to repair the text by it.
    ///
    /// ```
    /// let mut mixed = placemat_detect::Mixed::new();
    /// mixed.push("Zażółć gęślą jaźń, żółty jeż.\n".repeat(4).as_bytes());
    /// mixed.push(b"Okre\x9Cla, czy karta mo\xBFe zosta\xE6 u\xBFyta\n");
    /// assert!(mixed.finish().second().unwrap().is_sure());
    /// ```
    #[must_use]
    pub fn is_sure(&self) -> bool {
        self.is_sure
    }
}

/// Collects the lines of a UTF-8 text with runs of another encoding, in any chunking, with bounded memory.
///
/// ```
/// use placemat_detect::Mixed;
/// let mut text = "Zażółć gęślą jaźń, żółty jeż; świeży chleb, łąka.\n".repeat(4).into_bytes();
/// text.extend(b"Okre\x9Cla, czy karta mo\xBFe zosta\xE6 u\xBFyta\n");
/// let mut mixed = Mixed::new();
/// mixed.push(&text);
/// let mixed = mixed.finish();
/// let second = mixed.second().unwrap();
/// assert_eq!((second.encoding, second.language), ("windows-1250", "Polish"));
/// assert!(mixed.is_vouched());
/// ```
#[derive(Clone, Debug, Default)]
pub struct Mixed {
    /// Whether a line has been read, and whether a byte order mark of UTF-16 was before it.
    has_begun: bool,
    has_mark: bool,
    /// The current line, not complete yet.
    line: Vec<u8>,
    /// The line before it, which is judged with it, and the line before that. Empty if they are well-formed.
    waiting: Vec<u8>,
    before: Vec<u8>,
    good: String,
    bad: Vec<Vec<u8>>,
    bad_bytes: usize,
    bad_lines: u64,
    /// How often each letter beyond ASCII occurs in the well-formed lines.
    alphabet: BTreeMap<char, u64>,
    /// Whether the alphabet has a letter. If it has only marks (`“`, `→`), it says nothing about the language.
    has_letters: bool,
    vouching: u64,
    /// The number of lines that are well-formed and not ASCII.
    vouching_lines: u64,
    /// The number of fields of malformed lines that are well-formed and not ASCII; 0 if they are so few that it may be an accident.
    vouching_fields: u64,
    bars: Bars,
    limit: Limit,
}

impl Mixed {
    /// Returns an empty collection, for the start of a text.
    ///
    /// ```
    /// assert_eq!(placemat_detect::Mixed::new().finish().second(), None);
    /// ```
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Reads the next bytes.
    ///
    /// ```
    /// let mut mixed = placemat_detect::Mixed::new();
    /// mixed.push(b"caf\xC3");
    /// mixed.push(b"\xA9\n");
    /// assert!(mixed.finish().is_vouched());
    /// ```
    pub fn push(&mut self, chunk: &[u8]) {
        for piece in chunk.split_inclusive(|&byte| byte == b'\n') {
            let mut piece = piece;
            while !piece.is_empty() {
                let (head, rest) = piece.split_at(piece.len().min(LONGEST_LINE - self.line.len()));
                self.line.extend_from_slice(head);
                piece = rest;
                if self.line.last() == Some(&b'\n') {
                    self.end_line();
                } else if self.line.len() == LONGEST_LINE {
                    let rest = self.line.split_off(end_of_piece(&self.line));
                    self.end_line();
                    self.line = rest;
                }
            }
        }
    }

    /// Reads the last line, even if it has no line feed.
    ///
    /// ```
    /// let mut mixed = placemat_detect::Mixed::new();
    /// mixed.push("no line feed at the end: é".as_bytes());
    /// assert!(mixed.finish().is_vouched());
    /// ```
    #[must_use]
    pub fn finish(mut self) -> Self {
        self.end_line();
        self.end_waiting(b"");
        let cuts = self.cuts();
        if cuts != Cuts::default() {
            let bad = core::mem::take(&mut self.bad);
            self.bad_lines -= bad.len() as u64;
            self.bad_bytes = 0;
            for line in bad {
                self.judge(&line, cuts.inner(b"", &line, b""));
            }
        }
        self.learn_from_fields();
        self
    }

    fn end_line(&mut self) {
        let mut line = core::mem::take(&mut self.line);
        if !core::mem::replace(&mut self.has_begun, !line.is_empty()) {
            self.pass_marks(&mut line);
        }
        if line.is_empty() {
            return;
        }
        self.bars.push(&line);
        self.limit.push(&line);
        self.end_waiting(&line);
        match str::from_utf8(&line) {
            Ok(text) => {
                self.vouch(text);
                self.before.clear();
                line.clear();
                self.line = line;
            }
            Err(_) => self.waiting = line,
        }
    }

    /// Takes the byte order marks off the start of a text whose first line is malformed. They are no letters of another encoding, and that of
    /// UTF-8 vouches for UTF-8.
    fn pass_marks(&mut self, line: &mut Vec<u8>) {
        if str::from_utf8(line).is_ok() {
            return;
        }
        let mut marks = 0;
        loop {
            marks += match line[marks..] {
                [0xEF, 0xBB, 0xBF, ..] => 3,
                [0xFF, 0xFE, ..] | [0xFE, 0xFF, ..] => 2,
                _ => break,
            };
        }
        self.vouching += u64::from(line[..marks].contains(&0xEF));
        self.has_mark = line[..marks].contains(&0xFE);
        line.drain(..marks);
    }

    /// Judges the malformed line before `after`, if there is one.
    fn end_waiting(&mut self, after: &[u8]) {
        let line = core::mem::take(&mut self.waiting);
        if !line.is_empty() {
            self.judge(&line, Cuts::default().inner(&self.before, &line, after));
            self.before = line;
        }
    }

    /// Judges the part of a malformed line without what is left of characters.
    fn judge(&mut self, line: &[u8], inner: Range<usize>) {
        match str::from_utf8(&line[inner]) {
            Ok(text) => self.vouch(text),
            Err(_) => {
                self.bad_lines += 1;
                if self.bad_bytes + line.len() <= KEPT {
                    self.bad_bytes += line.len();
                    self.bad.push(line.to_vec());
                }
            }
        }
    }

    /// Learns from a well-formed line.
    fn vouch(&mut self, line: &str) {
        self.vouching_lines += u64::from(!line.is_ascii());
        // A byte order mark vouches for UTF-8, but says nothing about the language.
        let (mark, text) = line.split_at(if line.starts_with('\u{FEFF}') { 3 } else { 0 });
        self.vouching += u64::from(!mark.is_empty());
        for c in text.chars().filter(|c| !c.is_ascii()) {
            self.vouching += 1;
            self.learn(c);
        }
        if self.good.len() + text.len() <= KEPT {
            self.good.push_str(text);
        }
    }

    /// Where lines end within characters.
    ///
    /// ```
    /// assert_eq!(placemat_detect::Mixed::new().finish().cuts(), placemat_detect::Cuts::default());
    /// ```
    #[must_use]
    pub fn cuts(&self) -> Cuts {
        self.limit.cuts()
    }

    fn learn(&mut self, c: char) {
        // There are at most as many entries as code points.
        *self.alphabet.entry(c).or_default() += 1;
        self.has_letters |= c.is_alphabetic() && !matches!(c, 'ª' | 'µ' | 'º');
    }

    /// The encoding of the runs, with a confidence that may be low; `None` if there is no run in another encoding.
    ///
    /// ```
    /// let mut mixed = placemat_detect::Mixed::new();
    /// mixed.push("Привет, мир! Как дела?\n".repeat(4).as_bytes());
    /// mixed.push(b"\xCF\xF0\xE8\xE2\xE5\xF2, \xEA\xE0\xEA \xE4\xE5\xEB\xE0?\n");
    /// assert_eq!(mixed.finish().second().unwrap().encoding, "windows-1251");
    /// ```
    #[must_use]
    pub fn second(&self) -> Option<Second> {
        let mut runs = Vec::new();
        for line in &self.bad {
            for run in self.runs(line) {
                if Weight::of(&line[run.clone()], |_| false, |_| false).is_mostly_relative() {
                    continue;
                }
                runs.extend_from_slice(&line[run]);
                runs.push(b'\n');
            }
        }
        if runs.is_ascii() {
            return None;
        }
        choice::of(self, &runs)
    }
}

/// Where a long line is cut: after white space, or else before its last UTF-8 character, which may be incomplete.
fn end_of_piece(line: &[u8]) -> usize {
    let late = line.len() / 2;
    let space = line[late..].iter().rposition(u8::is_ascii_whitespace).map(|at| late + at + 1);
    let lead = || line.iter().rposition(|&byte| byte & 0xC0 != 0x80).filter(|&at| at + 4 > line.len());
    space.or_else(lead).filter(|&at| at > 0).unwrap_or(line.len())
}

#[cfg(test)]
mod tests;
