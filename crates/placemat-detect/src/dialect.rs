//! Finds and counts the malformed sequences of a UTF-8 text: sequences of its relatives, bytes of windows-1252, or damage.
#![forbid(unsafe_code)]

use core::ops::Range;

use crate::before::Before;
use crate::kind::{Kind, LONGEST};
use crate::look::count;

/// A malformed sequence: where it is and what it is.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Malformed {
    /// Byte offsets in the text.
    pub range: Range<usize>,
    /// What the bytes are.
    pub kind: Kind,
}

/// Counts of what a text holds beyond ASCII.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Well-formed characters of two to four bytes.
    pub multi_byte: u64,
    /// Well-formed characters of four bytes; `multi_byte` counts them too.
    pub four_byte: u64,
    /// Characters from U+1F000 to U+1FFFF, most of them emoji; 0 if nothing is malformed, since the number then has no effect.
    pictographs: u64,
    kinds: [u64; Kind::ALL.len()],
    /// The length of the text in bytes.
    len: u64,
}

impl Counts {
    /// The number of malformed sequences of one kind.
    ///
    /// ```
    /// use placemat_detect::{Kind, detect};
    /// assert_eq!(detect("na\u{EF}ve ".repeat(4).as_bytes(), true).counts.of(Kind::Windows1252), 0);
    /// ```
    #[must_use]
    pub const fn of(&self, kind: Kind) -> u64 {
        self.kinds[kind as usize]
    }

    /// The number of malformed sequences of all kinds.
    ///
    /// ```
    /// assert_eq!(placemat_detect::detect(b"\xC3\xA9t\xC3\xA9 \xC0\x80", true).counts.malformed(), 1);
    /// ```
    #[must_use]
    pub fn malformed(&self) -> u64 {
        self.kinds.iter().sum()
    }

    /// Whether any sequence is evidence of UTF-8 or a relative of it: a well-formed character of several bytes, a CESU-8 pair …
    ///
    /// ```
    /// assert!(placemat_detect::detect("é".as_bytes(), true).counts.vouch());
    /// ```
    #[must_use]
    pub fn vouch(&self) -> bool {
        self.good() > 0
    }

    /// The number of sequences that are evidence of UTF-8 or a relative: well-formed characters, and malformed ones that only a
    /// relative or a faulty writer of UTF-8 makes.
    pub(crate) fn good(&self) -> u64 {
        let structured =
            [Kind::CesuPair, Kind::LoneSurrogate, Kind::ModifiedNul, Kind::Overlong, Kind::SixOctet];
        self.multi_byte + structured.iter().map(|kind| self.of(*kind)).sum::<u64>()
    }

    /// The weight of the [`good`](Self::good) sequences: a pictograph counts as three, since no legacy text has its four bytes by accident.
    pub(crate) fn weight(&self) -> u64 {
        self.good() + 2 * self.pictographs
    }

    /// The number of sequences that are evidence of another encoding.
    pub(crate) fn bad(&self) -> u64 {
        self.malformed() + self.multi_byte - self.good()
    }

    /// Whether the text is UTF-8 with a few bad sequences: it has four good ones for each bad one. One for each (an emoji counts as
    /// three) is enough if every bad one fits windows-1252 or is the start of a character, and they are as rare as accents.
    ///
    /// A text in a legacy encoding has accidental UTF-8 characters too: about two for five malformed sequences in EUC-JP and
    /// DOS Cyrillic, one for seven in Chinese and Korean, fewer elsewhere, but in a few words as many or more. Bytes that
    /// stand alone among ASCII are rare there. If half of a text is windows-1251, more than every fourth byte is bad.
    pub(crate) fn is_utf8_but_for_a_few(&self) -> bool {
        let others = self.bad() - self.of(Kind::Windows1252) - self.of(Kind::Truncated);
        let are_rare = self.bad() <= 2 || 6 * self.bad() <= self.len;
        let are_letters = others == 0 && are_rare && self.weight() >= self.bad();
        self.good() > 0 && (self.good() >= 4 * self.bad() || are_letters)
    }

    /// Whether the text is ASCII with at most one malformed sequence in this many `bytes`.
    pub(crate) fn is_ascii_but_for_one_in(&self, bytes: u64) -> bool {
        self.good() == 0 && bytes * self.bad() <= self.len
    }

    /// The counts of a well-formed text of `len` bytes.
    pub(crate) fn of_well_formed(multi_byte: u64, four_byte: u64, len: usize) -> Self {
        Self { multi_byte, four_byte, len: len as u64, ..Self::default() }
    }

    fn add(&mut self, kind: Kind, len: usize) {
        self.kinds[kind as usize] += 1;
        self.len += len as u64;
    }

    fn add_well_formed(&mut self, text: &[u8]) {
        self.len += text.len() as u64;
        if text.is_ascii() {
            return;
        }
        self.multi_byte += count(text, |byte| byte >= 0xC0);
        let four_byte = count(text, |byte| byte >= 0xF0);
        if four_byte > 0 {
            self.four_byte += four_byte;
            self.pictographs += text.windows(2).filter(|pair| pair == b"\xF0\x9F").count() as u64;
        }
    }
}

/// Returns every malformed sequence of a text, in order. One pass, no allocation.
///
/// A sequence of a dialect is returned as a whole: a CESU-8 pair is one sequence of six bytes, for which
/// a UTF-8 decoder reports six errors.
///
/// ```
/// use placemat_detect::{Kind, malformed};
/// let kinds: Vec<_> = malformed(b"caf\xE9 \xED\xA0\xBD\xED\xB8\x80").map(|s| (s.range, s.kind)).collect();
/// assert_eq!(kinds, [(3..4, Kind::Windows1252), (5..11, Kind::CesuPair)]);
/// ```
pub fn malformed(bytes: &[u8]) -> impl Iterator<Item = Malformed> {
    let (mut at, mut before) = (0, Before::new());
    core::iter::from_fn(move || {
        let (len, _) = well_formed_prefix(&bytes[at..]);
        let start = at + len;
        if start == bytes.len() {
            return None;
        }
        before.pass(&bytes[at..start]);
        let (kind, len) = before.classify(&bytes[start..]);
        at = start + len;
        Some(Malformed { range: start..at, kind })
    })
}

/// Counts the sequences of a text in any chunking.
#[derive(Clone, Debug)]
pub(crate) struct Scan {
    counts: Counts,
    /// The last bytes of the text so far that may begin a malformed sequence or a character.
    carry: Vec<u8>,
    before: Before,
}

impl Scan {
    pub(crate) fn new() -> Self {
        Self { counts: Counts::default(), carry: Vec::new(), before: Before::new() }
    }

    pub(crate) fn push(&mut self, chunk: &[u8]) {
        let mut chunk = chunk;
        // The carry is shorter than a sequence, so `LONGEST` more bytes are enough to decide what it begins.
        while !self.carry.is_empty() && !chunk.is_empty() {
            let (more, rest) = chunk.split_at(chunk.len().min(LONGEST));
            let held = self.carry.len();
            self.carry.extend_from_slice(more);
            let joined = core::mem::take(&mut self.carry);
            let settled = self.text(&joined, End::Open);
            if settled >= held {
                chunk = &chunk[settled - held..];
            } else {
                self.carry = joined[settled..].to_vec();
                chunk = rest;
            }
        }
        let settled = self.text(chunk, End::Open);
        if self.carry.is_empty() {
            self.carry = chunk[settled..].to_vec();
        }
    }

    /// The number of bytes that wait for more of the text.
    pub(crate) fn held(&self) -> usize {
        self.carry.len()
    }

    /// Returns the counts. A sequence that is cut off at the end counts only if the text is `complete`.
    pub(crate) fn finish(mut self, complete: bool) -> Counts {
        let carry = core::mem::take(&mut self.carry);
        self.text(&carry, if complete { End::Complete } else { End::Cut });
        if self.counts.malformed() == 0 {
            self.counts.pictographs = 0;
        }
        self.counts
    }

    /// Counts the sequences that can be decided, and returns their length in bytes.
    fn text(&mut self, bytes: &[u8], end: End) -> usize {
        let mut at = 0;
        loop {
            let (len, fault) = well_formed_prefix(&bytes[at..]);
            let valid = &bytes[at..at + len];
            self.counts.add_well_formed(valid);
            at += len;
            self.before.pass(valid);
            let wait = match end {
                End::Open => bytes.len() - at < LONGEST,
                End::Cut => !fault,
                End::Complete => at == bytes.len(),
            };
            if wait {
                return at;
            }
            let (kind, len) = self.before.classify(&bytes[at..]);
            self.counts.add(kind, len);
            at += len;
        }
    }
}

/// Returns the length of the well-formed prefix, and whether a malformed sequence follows it that is not just cut off.
///
/// Reads 32 bytes first: if errors are close together, that costs less than starting the kernels for each.
fn well_formed_prefix(bytes: &[u8]) -> (usize, bool) {
    let near = &bytes[..bytes.len().min(32)];
    match str::from_utf8(near) {
        Err(error) if error.error_len().is_some() => (error.valid_up_to(), true),
        _ => {
            let (len, error) = placemat::valid_prefix(bytes);
            (len, error.is_some())
        }
    }
}

/// What follows the bytes that are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    /// More may come.
    Open,
    /// The text goes on, but no more of it will come.
    Cut,
    /// Nothing: the text is complete.
    Complete,
}
