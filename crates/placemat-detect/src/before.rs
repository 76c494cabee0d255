//! Classifies a malformed sequence by its own bytes and by the text before it.
#![forbid(unsafe_code)]

use core::ops::Range;

use crate::kind::{Kind, LONGEST};
use crate::windows_1252::{self, Left};

/// The context before a place in a text, for callers that read the text block by block. It decides whether the same bytes are a letter
/// of windows-1252 or a cut character.
///
/// ```
/// use placemat_detect::{Before, Kind};
/// let mut before = Before::new();
/// before.pass(b"caf");
/// assert_eq!(before.sequence(b"\xE9 au lait"), Some((Kind::Windows1252, 1)));
/// before.pass("日本".as_bytes());
/// assert_eq!(before.sequence(b"\xE9 "), Some((Kind::Truncated, 1)));
/// assert_eq!(before.sequence("é".as_bytes()), None);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Before(Left);

impl Default for Before {
    fn default() -> Self {
        Self::new()
    }
}

impl Before {
    /// The context at the start of a text.
    ///
    /// ```
    /// use placemat_detect::Before;
    /// assert_eq!(Before::new().sequence(b"text"), None);
    /// ```
    #[must_use]
    pub const fn new() -> Self {
        Self(Left::START)
    }

    /// Moves past text that is well-formed and does not end within a character.
    ///
    /// ```
    /// use placemat_detect::{Before, Kind};
    /// let mut before = Before::new();
    /// before.pass("café".as_bytes());
    /// assert_eq!(before.sequence(b"\x92s").map(|(kind, _)| kind), Some(Kind::Windows1252));
    /// ```
    pub fn pass(&mut self, text: &[u8]) {
        self.0 = Left::of(text).unwrap_or(self.0);
    }

    /// Moves past the malformed sequence at the start of `bytes`, and returns its kind and its length in bytes. Returns `None` if
    /// `bytes` begin with a character or are empty.
    ///
    /// The answer depends on at most [`LONGEST`] bytes, and on none after the first ASCII byte that is not a letter.
    ///
    /// ```
    /// use placemat_detect::{Before, Kind};
    /// assert_eq!(Before::new().sequence(b"\xC0\x80"), Some((Kind::ModifiedNul, 2)));
    /// assert_eq!(Before::new().sequence(b""), None);
    /// ```
    pub fn sequence(&mut self, bytes: &[u8]) -> Option<(Kind, usize)> {
        let head = &bytes[..bytes.len().min(LONGEST)];
        let is_malformed = !head.is_empty() && placemat::valid_prefix(head).0 == 0;
        is_malformed.then(|| self.classify(head))
    }

    /// Like `sequence`, if `bytes` are known to begin with a malformed sequence.
    pub(crate) fn classify(&mut self, bytes: &[u8]) -> (Kind, usize) {
        let (kind, len) = classify(self.0, bytes);
        self.0 = if kind == Kind::Windows1252 { Left::behind(bytes[0]) } else { Left::DAMAGE };
        (kind, len)
    }
}

/// The malformed sequence at the start of `bytes`: its kind and its length, 1 to 6 bytes.
fn classify(left: Left, bytes: &[u8]) -> (Kind, usize) {
    let tail = |i: usize| bytes.get(i).is_some_and(|byte| (0x80..0xC0).contains(byte));
    let tails = (1..LONGEST).take_while(|i| tail(*i)).count();
    let second = bytes.get(1).copied().unwrap_or(0);
    let surrogate = |i: usize, seconds: Range<u8>| {
        bytes.get(i) == Some(&0xED) && bytes.get(i + 1).is_some_and(|b| seconds.contains(b)) && tail(i + 2)
    };
    match bytes[0] {
        0xC0 if second == 0x80 => (Kind::ModifiedNul, 2),
        0xED if surrogate(0, 0xA0..0xB0) && surrogate(3, 0xB0..0xC0) => (Kind::CesuPair, 6),
        0xED if surrogate(0, 0xA0..0xC0) => (Kind::LoneSurrogate, 3),
        lead @ 0xC0..=0xFD => {
            let due = lead.leading_ones() as usize - 1;
            if tails < due {
                return unfinished(left, bytes, tails);
            }
            let least = match lead {
                0xC0 | 0xC1 => true,
                0xE0 => second < 0xA0,
                0xF0 => second < 0x90,
                0xF8 => second < 0x88,
                0xFC => second < 0x84,
                _ => false,
            };
            (if least { Kind::Overlong } else { Kind::SixOctet }, due + 1)
        }
        _ if windows_1252::fits(left, bytes) => (Kind::Windows1252, 1),
        _ => (Kind::Other, 1),
    }
}

/// Classifies a lead byte with too few continuation bytes: it is cut off, or a letter of windows-1252.
fn unfinished(left: Left, bytes: &[u8], tails: usize) -> (Kind, usize) {
    let is_well_formed_so_far = str::from_utf8(&bytes[..=tails]).is_err_and(|e| e.error_len().is_none());
    let is_letter = match tails {
        1 if windows_1252::ends_as_letter(left, bytes) => true,
        0 => windows_1252::fits(left, bytes),
        _ => !is_well_formed_so_far && windows_1252::fits(left, bytes),
    };
    match is_letter {
        true => (Kind::Windows1252, 1),
        false if is_well_formed_so_far => (Kind::Truncated, tails + 1),
        false => (Kind::Other, 1),
    }
}
