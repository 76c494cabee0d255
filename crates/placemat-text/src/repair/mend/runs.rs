//! Finds and decodes text in another encoding: whole runs, and letters in a word together with UTF-8.

use std::ops::Range;

use placemat::Policy;
use placemat_detect::Mixed;

use crate::charset::{Charset, Legacy, LegacyReader};

/// The parts of a text that are in another encoding.
#[derive(Clone, Debug)]
pub struct Runs {
    mixed: Mixed,
    legacy: Legacy,
    letters: Letters,
    /// Whether words of Hangul are read besides the runs. That requires a text that is mostly UTF-8, which shows the syllables in use.
    has_words: bool,
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
        let has_words = legacy.name() == "euc-kr" && mixed.is_mostly_utf8();
        let mut runs = Runs { mixed, legacy, letters, has_words };
        if !runs.are_letters() {
            runs.letters = Letters::None;
        }
        runs
    }

    pub(super) fn legacy(&self) -> Legacy {
        self.legacy
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

    /// Decodes a run as a whole.
    fn whole(&self, line: &[u8], run: Range<usize>, found: &mut impl FnMut(Range<usize>, String)) {
        let bytes = &line[run.clone()];
        if let Some(text) = decoded(self.legacy, bytes).filter(|text| !bytes.is_ascii() && !has_c1(text)) {
            let (before, after) = alike(bytes, &text);
            found(run.start + before..run.end - after, text[before..text.len() - after].to_owned());
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
        let runs = if self.letters == Letters::All { Vec::new() } else { self.mixed.runs(line) };
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
        for word in text.chunk_by(|a, b| is_in_word(*a) == is_in_word(*b)) {
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

    /// Decodes a malformed word as Hangul syllables that occur in the well-formed lines. Such a word can be UTF-8 in part by
    /// accident: `우리는` has such a syllable. Damaged UTF-8, however, has bytes that are part of no known syllable, or only
    /// continuation bytes.
    fn word(&self, word: &[u8]) -> Option<String> {
        let is_head = |byte: &u8| *byte >= 0xC0;
        if !self.has_words || !word.iter().any(is_head) {
            return None;
        }
        let is_known = |c: char| {
            matches!(c, '\u{AC00}'..='\u{D7A3}') && self.mixed.has_letters(b"", c.encode_utf8(&mut [0; 4]))
        };
        decoded(self.legacy, word).filter(|read| read.chars().all(|c| c.is_ascii() || is_known(c)))
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
            Ok(text) => {
                let is_utf8 = |c: char| c.is_alphabetic() && Charset::Legacy(self.legacy).carries(c.into());
                !text.chars().all(is_utf8) && read.chars().all(char::is_alphabetic)
            }
            Err(_) => !read.contains(char::is_control),
        };
        is_other.then_some(read)
    }

    /// Decodes a sequence as letters after the character `before`, if letters are possible there.
    fn letter(&self, sequence: &[u8], before: Option<char>) -> Option<String> {
        let fits =
            |c: char| c.is_alphabetic() && !(c.is_uppercase() && before.is_some_and(char::is_lowercase));
        let has_letters = |read: &str| self.letters == Letters::All || self.mixed.has_letters(sequence, read);
        decoded(self.legacy, sequence).filter(|read| {
            read.chars().count() == sequence.len() && read.chars().all(fits) && has_letters(read)
        })
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    const LINES: &str =
        "Zażółć gęślą jaźń, żółty jeż; świeży chleb, łąka.\nCzęść też będzie, książka, źródło.\n";

    /// The runs found in the last line of a text, as windows-1250.
    fn read(line: &[u8], others: &[u8], is_named: bool) -> Vec<(Range<usize>, String)> {
        let Some(Charset::Legacy(legacy)) = Charset::resolve(placemat::label::Labels::Lenient, "cp1250").ok()
        else {
            panic!("it is read here");
        };
        let mut mixed = Mixed::new();
        mixed.push(&[LINES.as_bytes(), others, line].concat());
        let mut found = Vec::new();
        Runs::new(mixed.finish(), legacy, is_named).read(line, |run, text| found.push((run, text)));
        found
    }

    #[test]
    fn letters_beside_utf8_in_one_word() {
        let line = b"cz\xEA\xC5\x9B\xE6\n";
        let found = [(2..3, "ę".to_owned()), (5..6, "ć".to_owned())];
        for is_named in [false, true] {
            assert_eq!(read(line, b"", is_named), found);
        }
        // The first two bytes are a Greek letter in UTF-8 by accident.
        assert_eq!(read(b"\xCF\x9Eban\xB9\n", b"", true), [(0..2, "Ďž".to_owned()), (5..6, "ą".to_owned())]);
        assert_eq!(read(b"ksi\xB9\xBFka \xC4\x99\n", b"", true), [(3..5, "ąż".to_owned())]);
    }

    #[test]
    fn a_word_of_utf8_in_a_run_stays() {
        for word in ["日本", "è", "Привет"] {
            let line = [&b"\xBF\xF3\xB3\xE6 "[..], word.as_bytes(), b" \xBF\xF3\xB3\xE6\n"].concat();
            let last = 6 + word.len();
            let found = [(0..4, "żółć".to_owned()), (last..last + 4, "żółć".to_owned())];
            assert_eq!(read(&line, b"", false), found, "{word}");
        }
        // It is a Greek letter in UTF-8, by accident.
        assert_eq!(read(b"\xBF\xF3\xB3\xE6 \xCF\x9E\n", b"", false), [(0..7, "żółć Ďž".to_owned())]);
        assert!(!is_common('\u{85}'), "it is `В…` in windows-1251");
    }

    #[test]
    fn a_run_with_a_byte_that_the_encoding_lacks_is_not_in_it() {
        assert_eq!(read(b"za\xBF\xF3\xB3\xE6\n", b"", false), [(2..6, "żółć".to_owned())]);
        assert_eq!(read(b"za\xBF\x98\xB3\xE6\n", b"", false), []);
    }

    #[test]
    fn what_damage_leaves_is_no_letter() {
        for line in [&b"\xC5\xBB\xF3\xC5ty\n"[..], b"ja\xC5\xC5\x84\n", b"ksi\x85\xC5\xBCka\n"] {
            assert_eq!(read(line, b"", false), [], "{}", line.escape_ascii());
        }
        let damage = [LINES.trim_end().as_bytes(), b" b\xC4dzie, ksi\x85\xC5\xBCka\n"].concat();
        assert_eq!(read(b"cz\xEA\xC5\x9Bci\n", &damage, false), []);
    }

    #[test]
    fn words_of_hangul_that_are_utf8_in_part() {
        let Some(Charset::Legacy(legacy)) = Charset::resolve(placemat::label::Labels::Lenient, "euc-kr").ok()
        else {
            panic!("it is read here");
        };
        let lines = "우리는 모든 사람을 위하여\n그는 우리의 친구이다\n";
        let read = |word: &[u8]| {
            let line = [&b"a "[..], word, b", b\n"].concat();
            let mut mixed = Mixed::new();
            mixed.push(&[lines.as_bytes(), &line].concat());
            let mut found = Vec::new();
            Runs::new(mixed.finish(), legacy, false).read(&line, |run, text| found.push((run, text)));
            found
        };
        // 우리는, with 츮 in the middle; 로 occurs in no line.
        assert_eq!(read(b"\xBF\xEC\xB8\xAE\xB4\xC2"), [(2..8, "우리는".to_owned())]);
        assert_eq!(read(b"\xBF\xEC\xB8\xAE\xB7\xCE"), []);
        // Damaged UTF-8.
        for word in
            [&b"\xEC\x9A\xB0\xEB\xA6\xAC\xEB\x8A"[..], b"\x9A\xB0\xEB\xA6\xAC", b"\xEC\x9A\xEB\xA6\xAC"]
        {
            assert_eq!(read(word), [], "{}", word.escape_ascii());
        }
    }
}
