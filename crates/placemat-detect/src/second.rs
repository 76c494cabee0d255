//! Detects the second encoding of a text in which most lines are UTF-8 and some are not.
#![forbid(unsafe_code)]

mod choice;
pub(crate) mod fields;
mod runs;
mod weight;

use std::collections::BTreeMap;

use placemat::boundary::announced_length;

use self::fields::Bars;
use self::weight::{Weight, has_row_of_heads, script};
use crate::dialect::malformed;
use crate::kind::Kind;

/// How many bytes are kept of the well-formed lines, and of the malformed ones.
const KEPT: usize = 64 << 10;
/// The least code point of a character with this many bytes.
const LEAST: [u32; 5] = [0, 0, 0x80, 0x800, 0x1_0000];
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
    /// The current line, not complete yet.
    line: Vec<u8>,
    good: String,
    bad: Vec<Vec<u8>>,
    bad_bytes: usize,
    bad_lines: u64,
    /// How often each letter beyond ASCII occurs in the well-formed lines.
    alphabet: BTreeMap<char, u64>,
    vouching: u64,
    /// The number of lines that are well-formed and not ASCII.
    vouching_lines: u64,
    /// The number of fields of malformed lines that are well-formed and not ASCII; 0 if they are so few that it may be an accident.
    vouching_fields: u64,
    bars: Bars,
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
        self.learn_from_fields();
        self
    }

    fn end_line(&mut self) {
        let mut line = core::mem::take(&mut self.line);
        if !line.is_empty() {
            self.bars.push(&line);
        }
        match str::from_utf8(&line) {
            Ok(text) => {
                self.vouching_lines += u64::from(!text.is_ascii());
                for c in text.chars().filter(|c| !c.is_ascii()) {
                    self.vouching += 1;
                    // There are at most as many entries as code points.
                    *self.alphabet.entry(c).or_default() += 1;
                }
                if self.good.len() + text.len() <= KEPT {
                    self.good.push_str(text);
                }
            }
            Err(_) => {
                self.bad_lines += 1;
                if self.bad_bytes + line.len() <= KEPT {
                    self.bad_bytes += line.len();
                    self.bad.push(line);
                    return;
                }
            }
        }
        line.clear();
        self.line = line;
    }

    /// Whether there is enough evidence that the text is UTF-8: at least as many well-formed characters beyond ASCII as malformed lines.
    ///
    /// ```
    /// let mut mixed = placemat_detect::Mixed::new();
    /// mixed.push(b"caf\xE9\n");
    /// assert!(!mixed.finish().is_vouched(), "nothing in it is UTF-8 beyond ASCII");
    /// ```
    #[must_use]
    pub fn is_vouched(&self) -> bool {
        let (mut good, mut bad) = (self.vouching, 0);
        for line in self.bad.iter().filter(|line| !self.is_cut(line)) {
            good += u64::from(self.weight(line).known > 0);
            bad += 1;
        }
        good >= bad && good > 0
    }

    /// Whether the only evidence of UTF-8 is one character of three or four bytes in a malformed line. That may be an accident: three
    /// letters of DOS Cyrillic are often such a character.
    ///
    /// ```
    /// let mut mixed = placemat_detect::Mixed::new();
    /// mixed.push(b"ok \xE2\x82\xAC \xFF\n");
    /// assert!(mixed.finish().may_be_accident());
    /// ```
    #[must_use]
    pub fn may_be_accident(&self) -> bool {
        let lines = self.bad.iter().map(|line| Weight::of(line, |_| true, |_| true).known);
        self.vouching == 0 && self.bad.len() < 4 && matches!(lines.sum(), 3 | 4)
    }

    /// Whether most lines that are not ASCII are UTF-8, with enough characters that it is no accident.
    ///
    /// ```
    /// let mut mixed = placemat_detect::Mixed::new();
    /// mixed.push("naïve café\nété à Köln\n".as_bytes());
    /// assert!(mixed.finish().is_mostly_utf8());
    /// ```
    #[must_use]
    pub fn is_mostly_utf8(&self) -> bool {
        self.vouching >= 4 && self.vouching_lines >= 2 && self.vouching_lines >= self.bad_lines
    }

    /// Whether windows-1252 has nearly every character beyond ASCII of the well-formed lines, so that the language of the text can
    /// be written in it.
    ///
    /// ```
    /// let mut mixed = placemat_detect::Mixed::new();
    /// mixed.push("мир\n".as_bytes());
    /// assert!(!mixed.finish().is_western(), "windows-1252 has no Cyrillic");
    /// ```
    #[must_use]
    pub fn is_western(&self) -> bool {
        let all: u64 = self.alphabet.values().sum();
        let lacks = |c: char| encoding_rs::WINDOWS_1252.encode(c.encode_utf8(&mut [0; 4])).2;
        let lacking: u64 =
            self.alphabet.iter().filter(|(c, _)| c.is_alphabetic() && lacks(**c)).map(|(_, n)| n).sum();
        lacking * 20 <= all
    }

    /// Whether every malformed sequence can be the rest of a cut character: its first bytes, or two or three of its other bytes.
    ///
    /// ```
    /// let mut mixed = placemat_detect::Mixed::new();
    /// mixed.push(b"caf\xC3 \xE2\x82\n");
    /// assert!(mixed.finish().may_be_damage());
    /// ```
    #[must_use]
    pub fn may_be_damage(&self) -> bool {
        self.bad.iter().all(|line| {
            let mut end = 0;
            let mut is_alone = false;
            for sequence in malformed(line).filter(|sequence| sequence.kind != Kind::Truncated) {
                if sequence.kind != Kind::Other {
                    return false;
                }
                let goes_on = sequence.range.start == end && end > 0;
                if is_alone && !goes_on {
                    return false;
                }
                (is_alone, end) = (!goes_on, sequence.range.end);
            }
            !is_alone && !has_row_of_heads(line)
        })
    }

    /// Whether at least one byte that is not UTF-8 fits windows-1252 in its place.
    ///
    /// ```
    /// let mut mixed = placemat_detect::Mixed::new();
    /// mixed.push(b"caf\xE9 noir\n");
    /// assert!(mixed.finish().fits_windows_1252());
    /// ```
    #[must_use]
    pub fn fits_windows_1252(&self) -> bool {
        self.bad.iter().any(|line| malformed(line).any(|sequence| sequence.kind == Kind::Windows1252))
    }

    /// Whether everything malformed in a line is the start of a character that a limit on bytes has cut off: two or three bytes of a
    /// common character, such as an emoji or a quotation mark, or of one that the well-formed lines have.
    fn is_cut(&self, line: &[u8]) -> bool {
        malformed(line).all(|sequence| {
            let start = &line[sequence.range];
            let is_common = matches!(start, [0xE2, 0x80 | 0x82] | [0xF0, 0x9F, ..]);
            sequence.kind == Kind::Truncated && start.len() > 1 && (is_common || self.begins(start))
        })
    }

    /// The malformed lines that are kept: about 64 KiB.
    ///
    /// ```
    /// let mut mixed = placemat_detect::Mixed::new();
    /// mixed.push(b"one\ncaf\xE9\n");
    /// assert!(mixed.finish().malformed_lines().eq([b"caf\xE9\n"]));
    /// ```
    pub fn malformed_lines(&self) -> impl Iterator<Item = &[u8]> {
        self.bad.iter().map(Vec::as_slice)
    }

    /// Whether `bytes` may be `letters` in another encoding: the well-formed lines have these letters, and no character that begins with
    /// these bytes.
    ///
    /// ```
    /// let mut mixed = placemat_detect::Mixed::new();
    /// mixed.push("réservé\n".as_bytes());
    /// let mixed = mixed.finish();
    /// assert!(mixed.has_letters(b"\x82", "é"));
    /// assert!(!mixed.has_letters(b"\x85", "à"), "it is in no line");
    /// assert!(!mixed.has_letters(b"\xC3", "é"), "it may be what is left of é");
    /// ```
    #[must_use]
    pub fn has_letters(&self, bytes: &[u8], letters: &str) -> bool {
        letters.chars().all(|c| self.knows(c)) && !self.begins(bytes)
    }

    /// Whether a character of the well-formed lines begins with these bytes.
    fn begins(&self, bytes: &[u8]) -> bool {
        let Some((&lead, tails)) = bytes.split_first() else { return false };
        let len = announced_length(lead);
        let (Some(missing), Some(least)) = (len.checked_sub(bytes.len()), LEAST.get(len)) else {
            return false;
        };
        // Characters that begin with the same bytes have consecutive code points.
        let lead = u32::from(lead) & (0x7F >> len);
        let head = tails.iter().fold(lead, |head, tail| head << 6 | u32::from(tail & 0x3F));
        let [first, last] = [head, head + 1].map(|head| head << (6 * missing));
        let first = if first >> 11 == 0x1B { 0xE000 } else { first.max(*least) };
        let Some(first) = char::from_u32(first) else { return false };
        let mut rest = self.alphabet.range(first..);
        rest.next().is_some_and(|(c, _)| u32::from(*c) < last)
    }

    fn knows(&self, c: char) -> bool {
        // A text of one line has no well-formed line to learn from.
        self.alphabet.is_empty() || self.alphabet.contains_key(&c)
    }

    fn weight(&self, bytes: &[u8]) -> Weight {
        // Quotation marks and dashes are in every script.
        let is_akin =
            |c| matches!(c, '\u{2010}'..='\u{203A}') || self.alphabet.range(script(c)).next().is_some();
        Weight::of(bytes, |c| self.knows(c), is_akin)
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
