//! Weighs the bytes of a line or a word by what they are as UTF-8.
#![forbid(unsafe_code)]

use core::ops::RangeInclusive;

use crate::dialect::malformed;
use crate::kind::Kind;

/// Whether everything malformed is the start of a character, and not a word of another encoding.
pub(super) fn is_cut_off(word: &[u8]) -> bool {
    let is_cut = |start: &[u8]| match start {
        // Nobody writes characters of the private use planes, or of planes that have none.
        [0xF0, next, ..] => matches!(next, 0x9D | 0x9F | 0xA0..=0xAF | 0xB0..=0xB3),
        [0xF1..=0xF4, _, ..] => false,
        _ => true,
    };
    let mut all = malformed(word);
    all.all(|sequence| sequence.kind == Kind::Truncated && is_cut(&word[sequence.range]))
        && !has_row_of_heads(word)
}

/// Whether lead bytes of three or more kinds stand in a row. A program that drops the other bytes of characters leaves lead bytes of
/// one script, which are of one kind or two.
pub(super) fn has_row_of_heads(line: &[u8]) -> bool {
    let (mut kinds, mut end) = (0_u64, 0);
    malformed(line).any(|sequence| {
        let is_head = sequence.kind == Kind::Truncated && sequence.range.len() == 1;
        let head = if is_head { 1 << (line[sequence.range.start] & 0x3F) } else { 0 };
        kinds = if is_head && sequence.range.start == end { kinds | head } else { head };
        end = sequence.range.end;
        kinds.count_ones() >= 3
    })
}

/// The characters of the script that `c` is in, roughly: ideographs, Hangul syllables, Latin letters, or else a block of 256.
pub(super) fn script(c: char) -> RangeInclusive<char> {
    let block = u32::from(c) >> 8;
    let at = |value| char::from_u32(value).unwrap_or(c);
    match c {
        '\u{C0}'..='\u{24F}' => '\u{C0}'..='\u{24F}',
        // Not the rare ones of extension A: Shift_JIS is often one of them by accident.
        '\u{4E00}'..='\u{9FFF}' => '\u{4E00}'..='\u{9FFF}',
        '\u{AC00}'..='\u{D7A3}' => '\u{AC00}'..='\u{D7A3}',
        _ => at(block << 8)..=at(block << 8 | 0xFF),
    }
}

/// The number of bytes of a line or a word, by what they are as UTF-8.
#[derive(Default)]
pub(super) struct Weight {
    /// Bytes of characters that the well-formed lines have.
    pub(super) known: usize,
    /// Bytes of other characters beyond ASCII, which may be well-formed by accident.
    unknown: usize,
    /// The part of `unknown` that is in a script of the well-formed lines.
    akin: usize,
    malformed: usize,
    /// The part of `unknown` that a relative of UTF-8 or a careless writer makes.
    relative: usize,
}

impl Weight {
    pub(super) fn of(bytes: &[u8], knows: impl Fn(char) -> bool, is_akin: impl Fn(char) -> bool) -> Self {
        let mut weight = Self::default();
        let mut at = 0;
        for sequence in malformed(bytes) {
            weight.add(&bytes[at..sequence.range.start], &knows, &is_akin);
            let is_relative = matches!(
                sequence.kind,
                Kind::CesuPair | Kind::LoneSurrogate | Kind::ModifiedNul | Kind::Overlong | Kind::SixOctet
            );
            let len = sequence.range.len();
            *(if is_relative { &mut weight.unknown } else { &mut weight.malformed }) += len;
            weight.relative += if is_relative { len } else { 0 };
            at = sequence.range.end;
        }
        weight.add(&bytes[at..], &knows, &is_akin);
        weight
    }

    fn add(&mut self, text: &[u8], knows: impl Fn(char) -> bool, is_akin: impl Fn(char) -> bool) {
        for c in str::from_utf8(text).unwrap_or_default().chars().filter(|c| !c.is_ascii()) {
            let len = c.len_utf8();
            if knows(c) {
                self.known += len;
            } else {
                self.unknown += len;
                self.akin += if is_akin(c) { len } else { 0 };
            }
        }
    }

    /// Whether the bytes say little about another encoding.
    pub(super) fn is_mostly_relative(&self) -> bool {
        self.relative > self.malformed
    }

    /// Whether the bytes are UTF-8 in the script of the other lines.
    pub(super) fn is_at_home(&self) -> bool {
        self.malformed == 0 && self.unknown == self.akin && self.known + self.akin > 0
    }

    pub(super) fn is_mostly_malformed(&self) -> bool {
        self.malformed > self.known + self.unknown
    }

    /// Whether another encoding explains the bytes better than UTF-8 with damage.
    ///
    /// Text in another encoding is UTF-8 by accident here and there, but hardly ever for the most part and in the script of the other
    /// lines.
    pub(super) fn is_foreign(&self) -> bool {
        let strange = self.malformed + self.unknown - self.akin;
        self.malformed > 0
            && self.known * 4 <= self.malformed + self.unknown
            && self.known + self.akin < strange
    }
}
