//! Words in another encoding that are UTF-8 in part, by accident.

use super::{Runs, decoded, is_in_word, is_letter, is_malformed, last, sequences};
use crate::charset::{Charset, half};

/// Encodings whose words are read as a whole. Their characters have two bytes, so short words are often UTF-8 in part.
pub(super) const EAST_ASIAN: [&str; 6] = ["big5", "euc-jp", "euc-kr", "gb18030", "gbk", "shift_jis"];

impl Runs {
    /// Divides a text into words and what is between them. A character of the other encoding is in one word, also if its second byte is
    /// an ASCII character that is no letter.
    pub(super) fn words<'a>(&self, text: &'a [u8]) -> impl Iterator<Item = &'a [u8]> {
        let (legacy, mut rest) = (self.legacy, text);
        std::iter::from_fn(move || {
            let is_word = is_in_word(*rest.first()?);
            let mut end = 0;
            loop {
                end += rest[end..].iter().take_while(|byte| is_in_word(**byte) == is_word).count();
                match if is_word { half::rest(legacy, &rest[..end], &rest[end..]) } else { 0 } {
                    0 => break,
                    more => end += more,
                }
            }
            let (word, after) = rest.split_at(end);
            rest = after;
            Some(word)
        })
    }

    /// Decodes a malformed word as syllables, ideographs or kana: those of the well-formed lines, or any if the user named the encoding.
    /// Such a word can be UTF-8 in part by accident: `우리는` has such a syllable, `折弯工` such an ideograph. Damaged UTF-8, however, has
    /// bytes that are part of no known character, only continuation bytes, or characters of the well-formed lines.
    pub(super) fn word(&self, word: &[u8]) -> Option<String> {
        let is_head = |byte: &u8| *byte >= 0xC0;
        if !self.has_words || !word.iter().any(is_head) || sequences(word).any(|one| self.is_of_utf8(one)) {
            return None;
        }
        let shows_characters = self.mixed.is_mostly_utf8();
        let is_known = |c: char| shows_characters && is_east_asian(c) && self.knows(c);
        decoded(self.legacy, word).filter(|read| {
            read.chars().all(|c| c.is_ascii() || is_known(c)) || self.is_named && is_sentence(word, read)
        })
    }

    /// Whether a sequence is a character of the well-formed lines, or the start of one, in more bytes than are so by accident.
    fn is_of_utf8(&self, sequence: &[u8]) -> bool {
        match str::from_utf8(sequence) {
            Ok(text) => sequence.len() > 2 && text.chars().all(|c| self.knows(c)),
            Err(_) => sequence.len() > 1 && !self.mixed.has_letters(sequence, ""),
        }
    }

    /// Whether the well-formed lines have this character.
    fn knows(&self, c: char) -> bool {
        self.mixed.has_letters(b"", c.encode_utf8(&mut [0; 4]))
    }

    /// Whether a sequence is a letter in UTF-8 that the other encoding has, too.
    pub(super) fn is_letter_of_utf8(&self, sequence: &[u8]) -> bool {
        let is_letter = |c: char| c.is_alphabetic() && Charset::Legacy(self.legacy).carries(c.into());
        !sequence.is_ascii() && str::from_utf8(sequence).is_ok_and(|text| text.chars().all(is_letter))
    }

    /// Whether such a letter is one only by accident, and these letters are meant: `Рі` in windows-1251 is `г` in UTF-8.
    pub(super) fn is_accident(&self, read: &str, before: Option<char>) -> bool {
        !self.mixes && self.may_be_accident(read, before)
    }

    /// A word begins with one capital and goes on with small letters.
    fn may_be_accident(&self, read: &str, before: Option<char>) -> bool {
        let mut before = before;
        read.chars().all(|c| {
            let is_cased = !c.is_uppercase() || !before.is_some_and(char::is_alphabetic);
            before = Some(c);
            is_cased && is_letter(c) && (self.knows(c) || c.to_lowercase().all(|small| self.knows(small)))
        })
    }

    /// Whether malformed words outside the runs have letters in UTF-8 that are none by accident.
    pub(super) fn has_mixed_words(&self) -> bool {
        self.mixed.malformed_lines().any(|line| {
            let mut end = 0;
            self.runs(line).any(|run| {
                let between = &line[end..run.start];
                end = run.end;
                self.words(between).filter(|word| is_malformed(word)).any(|word| self.is_mixed(word))
            })
        })
    }

    fn is_mixed(&self, word: &[u8]) -> bool {
        let mut before = None;
        sequences(word).any(|sequence| {
            let read = decoded(self.legacy, sequence);
            let is_accident = read.as_ref().is_some_and(|read| self.may_be_accident(read, before));
            before = last(sequence, read.filter(|_| is_malformed(sequence)).as_deref());
            !is_accident && self.is_letter_of_utf8(sequence)
        })
    }
}

/// Whether the text is a letter of East Asia: kana, ideographs, syllables.
fn is_east_asian(c: char) -> bool {
    matches!(c, '\u{3041}'..='\u{30FE}' | '\u{4E00}'..='\u{9FFF}' | '\u{AC00}'..='\u{D7A3}')
}

/// Whether a malformed word, which was read as this text in an encoding that the user named, is East Asian throughout, and not damaged
/// UTF-8: less than half of it looks like characters of three bytes or more, whole or cut; or half, if no byte is one that only UTF-8
/// and the rarest characters have. A Latin letter beside an ideograph may be the second byte of what was a letter of UTF-8.
fn is_sentence(word: &[u8], read: &str) -> bool {
    let is_mark = |c| matches!(c, '\u{B7}' | '\u{2014}'..='\u{2026}' | '\u{3000}'..='\u{301F}' | '\u{FF01}'..='\u{FF5E}');
    let looks = |sequence: &&[u8]| sequence.len() > if is_malformed(sequence) { 1 } else { 2 };
    let utf8: usize = sequences(word).filter(looks).map(<[u8]>::len).sum();
    let may_be_half = word.iter().all(|byte| *byte >= 0xA1);
    (2 * utf8 < word.len() || may_be_half && 2 * utf8 == word.len())
        && read.chars().any(is_east_asian)
        && read.chars().all(|c| is_east_asian(c) || is_mark(c))
}
