//! What the lines of a mixed text say about its encodings.
#![forbid(unsafe_code)]

use placemat::boundary::announced_length;

use super::Mixed;
use super::weight::{Weight, has_row_of_heads, script};
use crate::dialect::malformed;
use crate::kind::Kind;

/// The least code point of a character with this many bytes.
const LEAST: [u32; 5] = [0, 0, 0x80, 0x800, 0x1_0000];

impl Mixed {
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

    /// Whether nothing is malformed but a byte order mark of UTF-16 at the start.
    ///
    /// ```
    /// let mut mixed = placemat_detect::Mixed::new();
    /// mixed.push(b"\xFF\xFEplain text\n");
    /// assert!(mixed.finish().is_only_marked());
    /// ```
    #[must_use]
    pub fn is_only_marked(&self) -> bool {
        self.has_mark && self.bad_lines == 0
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

    /// Whether some lines are UTF-8 by no accident: they have four characters beyond ASCII at least, and two each in the mean.
    ///
    /// ```
    /// let mut mixed = placemat_detect::Mixed::new();
    /// mixed.push(b"caf\xE9\n");
    /// mixed.push("élève, déjà\n".as_bytes());
    /// assert!(mixed.finish().has_lines_of_utf8());
    /// ```
    #[must_use]
    pub fn has_lines_of_utf8(&self) -> bool {
        self.vouching >= 4 && self.vouching_lines > 0 && self.vouching >= 2 * self.vouching_lines
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
    pub(super) fn is_cut(&self, line: &[u8]) -> bool {
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
    pub(super) fn begins(&self, bytes: &[u8]) -> bool {
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

    pub(super) fn knows(&self, c: char) -> bool {
        // A text of one line has no well-formed line to learn from, and lines whose only characters are marks do not tell its letters.
        self.alphabet.is_empty() || self.has(c) || !self.has_letters && c.is_alphabetic()
    }

    /// Whether the well-formed lines have the character.
    pub(super) fn has(&self, c: char) -> bool {
        self.alphabet.contains_key(&c)
    }

    pub(super) fn weight(&self, bytes: &[u8]) -> Weight {
        self.weight_by(bytes, |c| self.knows(c))
    }

    pub(super) fn weight_by(&self, bytes: &[u8], knows: impl Fn(char) -> bool) -> Weight {
        let is_akin = |c| is_of_every_script(c) || self.alphabet.range(script(c)).next().is_some();
        Weight::of(bytes, knows, is_akin)
    }
}

/// Whether text in every script has the character: quotation marks and dashes, currency signs, arrows and symbols, emoji and what joins
/// them.
pub(crate) fn is_of_every_script(c: char) -> bool {
    matches!(c,
        '\u{200D}' | '\u{2010}'..='\u{203A}' | '\u{20A0}'..='\u{20BF}' | '\u{2100}'..='\u{21FF}'
        | '\u{25A0}'..='\u{27BF}' | '\u{FE0F}' | '\u{1F000}'..='\u{1FAFF}')
}
