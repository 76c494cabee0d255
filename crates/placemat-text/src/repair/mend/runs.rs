//! Finds and decodes text in another encoding: whole runs, and letters in a word together with UTF-8.

mod pieces;
#[cfg(test)]
mod tests;
mod words;

use std::ops::Range;

use placemat::Policy;
use placemat_detect::{Cuts, Mixed};

use crate::charset::{Legacy, LegacyReader};

/// The parts of a text that are in another encoding.
#[derive(Clone, Debug)]
pub struct Runs {
    mixed: Mixed,
    legacy: Legacy,
    letters: Letters,
    /// Whether words of an East Asian encoding are read besides the runs. If the encoding is a guess, that requires a text that is
    /// mostly UTF-8, which shows the characters in use.
    has_words: bool,
    /// Whether the user named the encoding.
    is_named: bool,
    /// Whether whole runs are read besides letters.
    has_runs: bool,
    /// Whether words have letters in both encodings. If not, letters that are UTF-8 in a malformed word are so by accident.
    mixes: bool,
}

/// Which letters are read besides the runs, in an encoding with one byte per character.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Letters {
    /// None: other malformed bytes are damage.
    None,
    /// Letters that occur in the well-formed lines.
    Known,
    /// All malformed bytes. Well-formed letters of the encoding's script are UTF-8, wherever they are.
    All,
}

/// Malformed sequences are letters, not damage, if there are this many times as many letters as other sequences.
const TIMES: usize = 8;

impl Runs {
    /// `is_named`: the user named the encoding, it is not a guess.
    pub(super) fn new(mixed: Mixed, legacy: Legacy, is_named: bool) -> Runs {
        let letters = if is_named { Letters::All } else { Letters::Known };
        let has_words = words::EAST_ASIAN.contains(&legacy.name()) && (is_named || mixed.is_mostly_utf8());
        let mut runs =
            Runs { mixed, legacy, letters, has_words, is_named, has_runs: !is_named, mixes: false };
        if !runs.are_letters() {
            (runs.letters, runs.has_runs) = (Letters::None, true);
        }
        runs.mixes = runs.letters != Letters::None && runs.has_mixed_words();
        // Where each word is in one encoding and the text shows what is UTF-8, a word of a run that is UTF-8 is so by accident.
        runs.has_runs |= !runs.mixes && runs.mixed.is_vouched();
        runs
    }

    pub(super) fn legacy(&self) -> Legacy {
        self.legacy
    }

    pub(super) fn cuts(&self) -> Cuts {
        self.mixed.cuts()
    }

    pub(super) fn name(&self) -> &'static str {
        self.legacy.name()
    }

    /// Finds the runs of a line, and decodes each.
    pub(super) fn read(&self, line: &[u8], mut found: impl FnMut(Range<usize>, String)) {
        if str::from_utf8(line).is_ok() {
            return;
        }
        let mut end = 0;
        for run in self.runs(line) {
            if self.letters != Letters::None || self.has_words {
                self.letters(&line[end..run.start], |at, text| found(end + at.start..end + at.end, text));
            }
            end = run.end;
            let mut start = run.start;
            for word in self.words_of_utf8(&line[run.clone()]) {
                self.whole(line, start..run.start + word.start, &mut found);
                start = run.start + word.end;
            }
            self.whole(line, start..run.end, &mut found);
        }
    }

    /// Decodes a run as a whole, or all of it but a few malformed bytes.
    fn whole(&self, line: &[u8], run: Range<usize>, found: &mut impl FnMut(Range<usize>, String)) {
        let bytes = &line[run.clone()];
        let pieces = match decoded(self.legacy, bytes) {
            Some(text) => vec![(0..bytes.len(), text)],
            None if words::EAST_ASIAN.contains(&self.name()) => pieces::pieces(self.legacy, bytes),
            None => Vec::new(),
        };
        for (piece, text) in pieces {
            let bytes = &bytes[piece.clone()];
            if !bytes.is_ascii() && !has_c1(&text) {
                let (before, after) = alike(bytes, &text);
                let (start, end) = (run.start + piece.start + before, run.start + piece.end - after);
                found(start..end, text[before..text.len() - after].to_owned());
            }
        }
    }

    /// The words of a run that are UTF-8 and no letters of the other lines in the other encoding: `é` in Russian text. Without such lines,
    /// any letters count.
    fn words_of_utf8(&self, run: &[u8]) -> Vec<Range<usize>> {
        let (mut words, mut at) = (Vec::new(), 0);
        for word in run.split(u8::is_ascii_whitespace) {
            let is_utf8 = !word.is_ascii()
                && str::from_utf8(word).is_ok_and(|text| text.chars().all(is_common))
                && decoded(self.legacy, word).is_some_and(|read| {
                    let is_letter = |c: char| {
                        c.is_alphabetic() && self.mixed.has_letters(b"", c.encode_utf8(&mut [0; 4]))
                    };
                    read.chars().count() == word.len() && !read.chars().all(|c| c.is_ascii() || is_letter(c))
                });
            if is_utf8 {
                words.push(at..at + word.len());
            }
            at += word.len() + 1;
        }
        words
    }

    /// The runs of a line that are decoded as a whole, and an empty one at its end.
    fn runs(&self, line: &[u8]) -> impl Iterator<Item = Range<usize>> {
        let runs = if self.has_runs { self.mixed.runs(line) } else { Vec::new() };
        runs.into_iter().chain(std::iter::once(line.len()..line.len()))
    }

    /// Whether nearly all malformed sequences outside the runs are letters, not damage.
    fn are_letters(&self) -> bool {
        let (mut letters, mut others) = (0, 0);
        for line in self.mixed.malformed_lines() {
            let mut end = 0;
            for run in self.runs(line) {
                let mut before = None;
                for sequence in sequences(&line[end..run.start]) {
                    let read = if is_malformed(sequence) { self.letter(sequence, before) } else { None };
                    let count = if read.is_some() { &mut letters } else { &mut others };
                    *count += usize::from(is_malformed(sequence));
                    before = last(sequence, read.as_deref());
                }
                end = run.end;
            }
        }
        letters > TIMES * others
    }

    /// Finds the characters in the other encoding, in words that are not well-formed.
    fn letters(&self, text: &[u8], mut found: impl FnMut(Range<usize>, String)) {
        let (mut at, mut before) = (0, None);
        for word in self.words(text) {
            let mut start = at;
            at += word.len();
            if !is_malformed(word) {
                before = last(word, None);
                continue;
            }
            if let Some(read) = self.word(word) {
                before = last(word, Some(&read));
                found(start..at, read);
                continue;
            }
            if self.letters == Letters::None {
                before = None;
                continue;
            }
            // Adjacent characters are one run.
            let mut run = (start..start, String::new());
            for sequence in sequences(word) {
                let read = self.character(sequence, before);
                before = last(sequence, read.as_deref());
                let end = start + sequence.len();
                if let Some(read) = read {
                    run.0.end = end;
                    run.1 += &read;
                } else if let (run, text) = std::mem::replace(&mut run, (end..end, String::new()))
                    && !text.is_empty()
                {
                    found(run, text);
                }
                start = end;
            }
            if !run.1.is_empty() {
                found(run.0, run.1);
            }
        }
    }

    /// Decodes a sequence of a malformed word in the other encoding, if it is in that encoding.
    fn character(&self, sequence: &[u8], before: Option<char>) -> Option<String> {
        if sequence.is_ascii() {
            return None;
        }
        if self.letters != Letters::All {
            return self.letter(sequence, before);
        }
        let read = decoded(self.legacy, sequence).filter(|read| read.chars().count() == sequence.len())?;
        let is_other = match str::from_utf8(sequence) {
            Ok(_) if self.is_letter_of_utf8(sequence) => self.is_accident(&read, before),
            Ok(_) => read.chars().all(is_letter),
            Err(_) => !read.contains(char::is_control),
        };
        is_other.then_some(read)
    }

    /// Decodes a sequence as letters after the character `before`, if letters are possible there.
    fn letter(&self, sequence: &[u8], before: Option<char>) -> Option<String> {
        let fits = |c: char| is_letter(c) && !(c.is_uppercase() && before.is_some_and(char::is_lowercase));
        let has_letters = |read: &str| {
            self.letters == Letters::All
                || self.mixed.has_letters(sequence, read)
                || !is_malformed(sequence) && self.is_accident(read, before)
        };
        decoded(self.legacy, sequence).filter(|read| {
            read.chars().count() == sequence.len() && read.chars().all(fits) && has_letters(read)
        })
    }
}

/// Whether a word can have this character as a letter. Not only alphabetic ones: tone marks of Thai and Vietnamese, and the joiners of
/// Persian.
fn is_letter(c: char) -> bool {
    c.is_alphabetic()
        || matches!(c, '\u{300}'..='\u{36F}' | '\u{5B0}'..='\u{5C2}' | '\u{E47}'..='\u{E4E}' | '\u{200C}' | '\u{200D}')
}

fn is_in_word(byte: u8) -> bool {
    !byte.is_ascii() || byte.is_ascii_alphabetic()
}

fn is_malformed(sequence: &[u8]) -> bool {
    str::from_utf8(sequence).is_err()
}

/// The last character of a sequence: of its decoded text, if there is one.
fn last(sequence: &[u8], read: Option<&str>) -> Option<char> {
    read.or(str::from_utf8(sequence).ok())?.chars().next_back()
}

/// The characters and the malformed sequences of a text.
fn sequences(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    text.utf8_chunks().flat_map(|chunk| {
        let characters = chunk.valid().split_inclusive(|_| true).map(str::as_bytes);
        characters.chain([chunk.invalid()].into_iter().filter(|bytes| !bytes.is_empty()))
    })
}

/// Decodes the bytes, if every byte is part of a character.
fn decoded(legacy: Legacy, bytes: &[u8]) -> Option<String> {
    let mut reader = LegacyReader::new(legacy, Policy::Stop);
    let mut text = Vec::new();
    reader.push(bytes, &mut text).ok()?;
    reader.finish(&mut text).ok()?;
    String::from_utf8(text).ok()
}

/// Whether the text has control characters of the row that windows-1252 and its relatives use for letters and marks. Nobody writes
/// them: they stand for bytes that the encoding lacks.
fn has_c1(text: &str) -> bool {
    text.contains(|c| matches!(c, '\u{80}'..='\u{9F}'))
}

/// Whether a character of UTF-8 is hardly ever two bytes of another encoding by accident: those of three bytes or four, and letters that
/// many texts have.
fn is_common(c: char) -> bool {
    matches!(c, '\0'..='\u{7F}' | '\u{A0}'..='\u{17F}' | '\u{386}'..='\u{3CE}' | '\u{401}'..='\u{45F}' | '\u{800}'..)
}

/// The number of equal ASCII bytes at the start of both, and at their end.
fn alike(bytes: &[u8], text: &str) -> (usize, usize) {
    let is_alike = |(a, b): &(&u8, &u8)| a == b && a.is_ascii();
    let before = bytes.iter().zip(text.as_bytes()).take_while(is_alike).count();
    let rest = bytes[before..].iter().rev().zip(text.as_bytes()[before..].iter().rev());
    (before, rest.take_while(is_alike).count())
}
