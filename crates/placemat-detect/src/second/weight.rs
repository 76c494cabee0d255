//! What the bytes of a line or a word are, as UTF-8.
#![forbid(unsafe_code)]

use crate::dialect::malformed;
use crate::kind::Kind;

/// Whether all that is malformed is the head of a character.
pub(super) fn is_cut_off(word: &[u8]) -> bool {
    malformed(word).all(|sequence| sequence.kind == Kind::Truncated)
}

/// Bytes of a line or a word, by what they are as UTF-8.
#[derive(Default)]
pub(super) struct Weight {
    /// Of characters that the well-formed lines have.
    pub(super) known: usize,
    /// Of other characters beyond ASCII, which may be well-formed by accident.
    unknown: usize,
    malformed: usize,
    /// Of those that are unknown, what a relative of UTF-8 or a careless writer makes.
    relative: usize,
}

impl Weight {
    pub(super) fn of(bytes: &[u8], knows: impl Fn(char) -> bool) -> Self {
        let mut weight = Self::default();
        let mut at = 0;
        for sequence in malformed(bytes) {
            weight.add(&bytes[at..sequence.range.start], &knows);
            let is_relative = matches!(
                sequence.kind,
                Kind::CesuPair | Kind::LoneSurrogate | Kind::ModifiedNul | Kind::Overlong | Kind::SixOctet
            );
            let len = sequence.range.len();
            *(if is_relative { &mut weight.unknown } else { &mut weight.malformed }) += len;
            weight.relative += if is_relative { len } else { 0 };
            at = sequence.range.end;
        }
        weight.add(&bytes[at..], &knows);
        weight
    }

    fn add(&mut self, text: &[u8], knows: impl Fn(char) -> bool) {
        for c in str::from_utf8(text).unwrap_or_default().chars().filter(|c| !c.is_ascii()) {
            *(if knows(c) { &mut self.known } else { &mut self.unknown }) += c.len_utf8();
        }
    }

    /// Whether it says little about another encoding.
    pub(super) fn is_mostly_relative(&self) -> bool {
        self.relative > self.malformed
    }

    /// Whether another encoding explains the bytes better than UTF-8 with damage.
    pub(super) fn is_foreign(&self) -> bool {
        self.malformed > 0 && self.known * 4 <= self.malformed + self.unknown
    }
}
