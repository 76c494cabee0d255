//! The iterator over findings, which moves from one character that may be a finding to the next.

use core::iter::FusedIterator;

use super::bidi::{Meaning, Open};
use super::context::{
    explains, has_variant, is_default_ignorable, is_emoji, is_flag, is_noncharacter, is_private_use, is_tag,
    is_unassigned, joined_emoji, selector,
};
use super::near::Near;
use super::parts::Parts;
use super::{Finding, Kind, Kinds};
use crate::dispatch::kernels;

/// The length in UTF-8 of every bidirectional control that opens or closes.
const CONTROL_LENGTH: usize = 3;

/// The findings in a text; see [`findings`](super::findings).
#[derive(Clone, Debug)]
pub struct Findings<'a> {
    bytes: &'a [u8],
    kinds: Kinds,
    parts: Parts<'a>,
    /// Whether the input begins at the start of a text.
    is_whole: bool,
    /// A well-formed part of the input. It begins at `start`, and is read up to `at`.
    text: &'a str,
    start: usize,
    at: usize,
    open: Open,
    /// How many of `open` must still be taken, and whether each is a finding even without a delimiter inside.
    closing: (usize, bool),
    /// In `text`, joiners before this offset belong to an emoji that was recognised.
    joined_to: usize,
    /// The search for right-to-left text.
    near: Near<'a>,
}

impl<'a> Findings<'a> {
    pub(super) fn new(bytes: &'a [u8], parts: Parts<'a>, kinds: Kinds) -> Findings<'a> {
        Findings {
            bytes,
            kinds,
            parts,
            is_whole: true,
            text: "",
            start: 0,
            at: 0,
            open: Open::NONE,
            closing: (0, false),
            joined_to: 0,
            near: Near::new([&[], bytes, &[]]),
        }
    }

    /// Treats the input as lines from the middle of a text, where U+FEFF at the start is no byte order mark.
    ///
    /// ```
    /// use placemat::invisible::findings;
    /// assert_eq!(findings("\u{FEFF}a".as_bytes()).count(), 0);
    /// assert_eq!(findings("\u{FEFF}a".as_bytes()).from_middle().count(), 1);
    /// ```
    #[must_use]
    pub fn from_middle(self) -> Findings<'a> {
        Findings { is_whole: false, ..self }
    }

    /// Treats the input as lines from the middle of a text, with up to [`AROUND`](super::AROUND) bytes `before` and `after` them
    /// (fewer only at the start and end of the text). The lines of a text, in portions of any size, then have the same findings
    /// as the whole text.
    ///
    /// ```
    /// use placemat::invisible::findings;
    /// // A mark that right-to-left text in the next line explains.
    /// let lines = "\u{200E}a\n";
    /// assert_eq!(findings(lines.as_bytes()).count(), 1);
    /// assert_eq!(findings(lines.as_bytes()).between(b"", "שלום".as_bytes()).count(), 0);
    /// ```
    #[must_use]
    pub fn between(self, before: &'a [u8], after: &'a [u8]) -> Findings<'a> {
        let is_whole = self.is_whole && before.is_empty();
        Findings { is_whole, near: Near::new([before, self.bytes, after]), ..self }
    }

    /// The next finding of any kind.
    fn step(&mut self) -> Option<Finding<'a>> {
        loop {
            while self.closing.0 > 0 {
                self.closing.0 -= 1;
                if let Some(offset) = self.open.take(self.closing.1) {
                    return Some(self.found(Kind::BidiUnbalanced, offset, CONTROL_LENGTH));
                }
            }
            match self.candidate() {
                Some(c) => {
                    let at = self.at;
                    self.at += c.len_utf8();
                    if let Some((kind, length)) = self.judge(at, c) {
                        self.at = at + length;
                        return Some(self.found(kind, self.start + at, length));
                    }
                }
                None => match self.parts.next() {
                    Some((start, text)) => {
                        (self.start, self.text) = (start, text);
                        (self.at, self.joined_to) = (0, 0);
                    }
                    None if self.open.is_empty() => return None,
                    None => self.closing = (self.open.len(), true),
                },
            }
        }
    }

    fn found(&self, kind: Kind, offset: usize, length: usize) -> Finding<'a> {
        Finding { kind, offset, length, bytes: &self.bytes[offset..offset + length] }
    }

    /// Move to the next character that may matter, and return it.
    fn candidate(&mut self) -> Option<char> {
        let rest = &self.text.as_bytes()[self.at..];
        self.at += match (self.open.is_empty(), self.kinds.are_default()) {
            (true, _) => before(rest, self.kinds),
            (false, false) => skip(rest, CONTROLS | LEADS | OTHERS | DELIMITERS),
            (false, true) => skip(rest, CONTROLS | LEADS | DELIMITERS),
        };
        self.text[self.at..].chars().next()
    }

    /// The kind and length of the finding at `at`, where `c` stands; `None` if its place explains it.
    fn judge(&mut self, at: usize, c: char) -> Option<(Kind, usize)> {
        let (text, after) = (self.text, &self.text[at + c.len_utf8()..]);
        let before = text[..at].chars().next_back();
        let next = after.chars().next();
        match c {
            '\n' | '\r' | '\u{85}' | '\u{2028}' | '\u{2029}' => {
                self.closing = (self.open.len(), true);
                (c == '\u{85}').then_some((Kind::Control, c.len_utf8()))
            }
            '\t' => None,
            '\u{C}' if before.is_none_or(|c| matches!(c, '\n' | '\r')) => None,
            c if c.is_control() => Some((Kind::Control, c.len_utf8())),
            '"' | '`' | '#' => self.delimiter(),
            '\'' if !(before.is_some_and(char::is_alphabetic) && next.is_some_and(char::is_alphabetic)) => {
                self.delimiter()
            }
            '*' | '/' if next == Some('/') => self.delimiter(),
            '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}' => {
                match self.open.control(self.start + at, c) {
                    Meaning::Fine => None,
                    Meaning::Itself => Some((Kind::BidiUnbalanced, c.len_utf8())),
                    Meaning::Closes(count) => {
                        self.closing = (count, false);
                        None
                    }
                }
            }
            '\u{200E}' | '\u{200F}' | '\u{61C}' => {
                // Lists of languages have such a mark behind each name, in any script.
                let is_foreign = before.is_some_and(|c| c >= '\u{370}' && !is_default_ignorable(c));
                (!is_foreign && !self.near.right_to_left(self.start + at))
                    .then_some((Kind::ZeroWidth, c.len_utf8()))
            }
            '\u{FEFF}' if self.is_whole && self.start + at == 0 => None,
            c if is_tag(c) => self.tags(at, before),
            c if selector(c).is_some() => self.selectors(at, before),
            '\u{200D}' if self.joins_emoji(at) => None,
            c if is_default_ignorable(c) => {
                let kind = match c {
                    '\u{200B}'..='\u{200D}' | '\u{2060}' | '\u{FEFF}' => Kind::ZeroWidth,
                    _ => Kind::Invisible,
                };
                (!explains(before, c, next)).then_some((kind, c.len_utf8()))
            }
            c if is_emoji(c) => None,
            c if is_private_use(c) => Some((Kind::PrivateUse, c.len_utf8())),
            c if is_noncharacter(c) => Some((Kind::Noncharacter, c.len_utf8())),
            c if is_unassigned(c) => Some((Kind::Unassigned, c.len_utf8())),
            _ => None,
        }
    }

    fn delimiter(&mut self) -> Option<(Kind, usize)> {
        self.open.delimiter();
        None
    }

    /// Whether the joiner at `at` belongs to a sequence of emoji that Unicode recommends: one that was found before, or one that
    /// begins with the emoji before the joiner.
    fn joins_emoji(&mut self, at: usize) -> bool {
        let mut before = self.text[..at].char_indices().rev();
        let base = before.find(|&(_, c)| !matches!(c, '\u{FE0F}' | '\u{1F3FB}'..='\u{1F3FF}'));
        if let Some((start, _)) = base.filter(|&(start, c)| start >= self.joined_to && is_emoji(c)) {
            self.joined_to = start + joined_emoji(&self.text[start..]);
        }
        at < self.joined_to
    }

    /// Read the run of tag characters at `at`.
    fn tags(&mut self, at: usize, before: Option<char>) -> Option<(Kind, usize)> {
        let length = run(&self.text[at..], is_tag);
        self.at = at + length;
        let is_flag = is_flag(before, &self.text[at..at + length]);
        (!is_flag).then_some((Kind::TagPayload, length))
    }

    /// Read the run of variation selectors at `at`.
    fn selectors(&mut self, at: usize, before: Option<char>) -> Option<(Kind, usize)> {
        let length = run(&self.text[at..], |c| selector(c).is_some());
        let first = self.text[at..].chars().next()?;
        self.at = at + length;
        if length > first.len_utf8() {
            return Some((Kind::VariationPayload, length));
        }
        if before.is_some_and(|base| has_variant(base, first)) {
            return None;
        }
        // U+FE0E and U+FE0F (text and emoji presentation) often follow characters that have only one presentation.
        let is_presentation = matches!(first, '\u{FE0E}' | '\u{FE0F}');
        Some((if is_presentation { Kind::Invisible } else { Kind::VariationPayload }, length))
    }
}

impl<'a> Iterator for Findings<'a> {
    type Item = Finding<'a>;

    fn next(&mut self) -> Option<Finding<'a>> {
        loop {
            let found = self.step()?;
            if self.kinds.contains(found.kind) {
                return Some(found);
            }
        }
    }
}

impl FusedIterator for Findings<'_> {}

/// How many bytes precede the first character that may be a finding, if no bidirectional control is open.
pub(super) fn before(text: &[u8], kinds: Kinds) -> usize {
    if kinds.are_default() { kernels().before_invisible(text) } else { skip(text, CONTROLS | LEADS | OTHERS) }
}

/// The length in bytes of the characters at the start of `text` for which `test` is true.
fn run(text: &str, test: impl Fn(char) -> bool) -> usize {
    text.find(|c| !test(c)).unwrap_or(text.len())
}

/// C0 without tab, line feed, carriage return; DEL.
const CONTROLS: u8 = 1;
/// Lead bytes of characters that may be a finding, or of emoji that may be joined.
const LEADS: u8 = 2;
/// Delimiters and line ends, which matter between bidirectional controls.
const DELIMITERS: u8 = 4;
/// All other lead bytes.
const OTHERS: u8 = 8;

/// The class of each byte.
static CLASSES: [u8; 256] = {
    let mut classes = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        classes[byte] = match byte as u8 {
            b'\t' => 0,
            b'\n' | b'\r' | b'"' | b'\'' | b'`' | b'#' | b'*' | b'/' => DELIMITERS,
            0..=0x1F | 0x7F => CONTROLS,
            // U+0080 to U+009F and U+00AD; U+034F; U+061C; U+115F to U+180F; U+2000 on; U+3164; U+FE00 on; U+1BCA0 on; tags.
            0xC2 | 0xCD | 0xD8 | 0xE1 | 0xE2 | 0xE3 | 0xEF | 0xF0 | 0xF3 => LEADS,
            0xC3..=0xF4 => OTHERS,
            _ => 0,
        };
        byte += 1;
    }
    classes
};

/// How many bytes precede the first byte of one of these classes.
fn skip(bytes: &[u8], classes: u8) -> usize {
    bytes.iter().position(|&byte| CLASSES[usize::from(byte)] & classes != 0).unwrap_or(bytes.len())
}
