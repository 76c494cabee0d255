//! What is left of characters where a tool that counts bytes folded or cut lines: parts of UTF-8, and no letters of another encoding.
#![forbid(unsafe_code)]

use core::ops::Range;

use placemat::boundary::{announced_length, is_continuation};

use super::weight::script;

/// The number of bytes that are looked at on each side of a line break.
const NEAR: usize = 512;

/// Where the lines of a text end within characters.
///
/// ```
/// use placemat_detect::Mixed;
///
/// let mut mixed = Mixed::new();
/// mixed.push(b"Notre hotel \xC3\nUn autre h\xC3\xB4t\nLes deux h\xC3\xB4t\n");
/// let cuts = mixed.finish().cuts();
/// assert_eq!(cuts.inner(b"", b"Notre hotel \xC3\n", b"Un autre"), 0..12, "three lines have 13 bytes, and none has more");
/// assert_eq!(cuts.inner(b"", b"Gar\xC3\n", b" \xA7on\n"), 0..3, "C3 A7 is ç");
/// assert_eq!(cuts.inner(b"Gar\xC3\n", b" \xA7on\n", b""), 2..4);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cuts {
    /// The length to which lines are cut; 0 if there is none.
    limit: usize,
}

impl Cuts {
    /// The part of a line without what is left of characters at its ends, as a range of bytes; the break at its end is no part of it. `before`
    /// and `after` are the text around the line: 514 bytes are enough.
    #[must_use]
    pub fn inner(self, before: &[u8], line: &[u8], after: &[u8]) -> Range<usize> {
        let text = without_break(line);
        let start = rest(before, text);
        let Some((_, head)) = divided(text) else { return start..text.len() };
        let is_cut = self.limit == text.len() || rest(line, after) > 0;
        start..if is_cut { text.len() - head.len() } else { text.len() }.max(start)
    }
}

/// The number of bytes at the start of `after` that complete the character which `before` ends in.
fn rest(before: &[u8], after: &[u8]) -> usize {
    Parted::between(before, after).map_or(0, |parted| parted.rest)
}

/// A character that a line break parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parted {
    /// The character.
    pub character: char,
    /// How many of its bytes stand before the break.
    pub head: usize,
    /// How many bytes behind the break end with the rest of it. There may be a space or tab before that.
    pub rest: usize,
}

impl Parted {
    /// The character that the line break at the end of `before` parts. `None` if the two lines beside the break are not UTF-8 for the rest, or
    /// if it is a letter of a script that they lack. Of each text 514 bytes are enough.
    ///
    /// ```
    /// use placemat_detect::Parted;
    ///
    /// let parted = Parted::between(b"Gar\xC3\n", b" \xA7on\n").unwrap();
    /// assert_eq!((parted.character, parted.head, parted.rest), ('ç', 1, 2));
    /// assert_eq!(Parted::between(b"Gar\xC3\n", b"on\n"), None);
    /// ```
    #[must_use]
    pub fn between(before: &[u8], after: &[u8]) -> Option<Self> {
        let text = without_break(before);
        let (line, head) = divided(text).filter(|_| text.len() < before.len())?;
        let blank = usize::from(matches!(after.first(), Some(b' ' | b'\t')));
        let rest = blank + announced_length(head[0]) - head.len();
        let bytes = [head, after.get(blank..rest)?].concat();
        let near = &after[rest..after.len().min(rest + NEAR)];
        let near = without_break(near.split_inclusive(|&byte| byte == b'\n').next().unwrap_or_default());
        let character = str::from_utf8(&bytes).ok()?.chars().next()?;
        let next = begun(near)?.0;
        let has = |c| line.chars().chain(next.chars()).any(|other| script(c).contains(&other));
        let is_latin = |c| matches!(c, '\0'..='\u{24F}' | '\u{1E00}'..='\u{1EFF}');
        let is_at_home = is_latin(character) || !character.is_alphabetic() || has(character);
        is_at_home.then_some(Self { character, head: head.len(), rest })
    }
}

/// The last line of a text, as far as it is near the end, and the start of a character that it ends in; `None` if it does not end in one,
/// or is not UTF-8 for the rest. It may begin with the rest of a character.
fn divided(text: &[u8]) -> Option<(&str, &[u8])> {
    let near = &text[text.len().saturating_sub(NEAR)..];
    let line = near.rsplit(|&byte| byte == b'\n').next()?;
    let blank = usize::from(matches!(line, [b' ' | b'\t', 0x80..=0xBF, ..]));
    let tails = line[blank..].iter().take(3).take_while(|&&byte| is_continuation(byte)).count();
    begun(&line[blank + tails..]).filter(|(_, head)| !head.is_empty())
}

/// UTF-8 and the start of a character after it.
fn begun(text: &[u8]) -> Option<(&str, &[u8])> {
    let len = match str::from_utf8(text) {
        Ok(_) => text.len(),
        Err(error) if error.error_len().is_none() => error.valid_up_to(),
        Err(_) => return None,
    };
    let (good, head) = text.split_at(len);
    Some((str::from_utf8(good).ok()?, head))
}

fn without_break(line: &[u8]) -> &[u8] {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    line.strip_suffix(b"\r").unwrap_or(line)
}

/// The fewest bytes to which lines are cut.
const SHORTEST: usize = 8;

/// The fewest different lines that have the greatest length if it is a limit.
const LINES: usize = 3;

/// Finds the length to which the lines of a text are cut.
#[derive(Clone, Debug, Default)]
pub(super) struct Limit {
    /// The length of the longest lines.
    longest: usize,
    /// The number of different lines of this length, up to [`LINES`], and a hash of each.
    different: usize,
    hashes: [u64; LINES],
}

impl Limit {
    pub(super) fn push(&mut self, line: &[u8]) {
        let line = without_break(line);
        if line.len() > self.longest {
            *self = Limit { longest: line.len(), ..Limit::default() };
        }
        if line.len() < self.longest || self.different == LINES {
            return;
        }
        // Lines with the same hash count as one, which only hides a limit.
        let hash =
            line.iter().fold(0_u64, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01B3));
        if !self.hashes[..self.different].contains(&hash) {
            self.hashes[self.different] = hash;
            self.different += 1;
        }
    }

    pub(super) fn cuts(&self) -> Cuts {
        let is_limit = self.different == LINES && self.longest >= SHORTEST;
        Cuts { limit: if is_limit { self.longest } else { 0 } }
    }
}
