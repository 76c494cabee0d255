//! Decides which malformed bytes in a UTF-8 text are windows-1252, and which remain from damaged UTF-8.
//!
//! A byte is read as windows-1252 if its character fits the text before and after it. In these rules a *letter* is a byte from C0
//! to FF, and a *mark* is one from 80 to BF, where most characters are signs:
//!
//! - **A letter** would be a lead byte of UTF-8 without its continuation bytes. It fits beside ASCII, Latin letters, marks
//!   and other letters of windows-1252: `Gr\xF6\xDFe`, `l’\xE9cole`, `\xE0 la`. It does not fit beside a character of another
//!   script, after damage, or at the very end of a text without a letter before it: there it is a cut character.
//!   Five in a row are a word of another encoding (`\xC2\xF7\xE5\xF0\xE0` is Вчера).
//! - **C2, C3, C4, C5, E2, EF and F0** begin nearly all characters beyond ASCII in text of Latin script, so they often remain from a cut
//!   character. C2 to C5 are no letters after a small letter (`caf\xC3`); C3 is one only beside a capital (`S\xC3O`),
//!   C2 and E2 only before a letter, EF and F0 only beside one.
//! - **A letter with one continuation byte** is a cut character, except after a letter and before a mark that ends a word:
//!   `Andr\xE9\x92s`. With more continuation bytes it is always a cut character.
//! - **A mark** fits after ASCII if no other such byte follows. Some marks are printed beside other marks, and fit after anything but
//!   damage: quotation marks, dashes, `…`, `§` and the no-break space, which counts as a space on both sides
//!   (`\x92\x94`, `\xA7\xA7`, `5\xA0\x80`). Another mark may stand before one of those (`20\xB0\x94`, `6 \x80\x94`); other marks in a row
//!   are the continuation bytes of a lost lead byte (`\x82\xAC`). After a letter beyond ASCII, or after a character of another script, a mark
//!   must be one that ends a word.
//! - **A mark beside ASCII letters** must be usual there. Between two letters only marks that join fit (`don\xB4t`), not bytes that are
//!   letters in other code pages (`K\x94ln`, `z\xB9b`). After a letter, no mark that opens fits (`Jos\x82`). Before a letter, some never
//!   do (`\x89ge`), and a currency only before a unit (`\xA3m`, not `\xA3ukasz`). A capital fits as the first letter of a word or among
//!   other capitals (`caf\x8E` is neither).
//!
//! A byte that does not fit by these rules is damage, to be replaced by U+FFFD. The answer depends on at most five bytes after the first,
//! and on none after the first ASCII byte that is not a letter.
#![forbid(unsafe_code)]

/// The class of a character, or of a byte read as one, for the rules above.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Neighbour {
    /// The start or the end of the text.
    Edge,
    /// A space, a digit, or any other ASCII character but a letter.
    Gap,
    Small,
    Capital,
    /// A sign beyond ASCII that texts in Latin script use.
    Mark,
    /// A character of another script.
    Foreign,
    /// A lone byte from 80 to BF. Only what follows the byte in question is classified so.
    Tail(u8),
    /// A malformed sequence that is not windows-1252. Only what precedes the byte in question is classified so.
    Damage,
}

use Neighbour::{Capital, Damage, Edge, Foreign, Gap, Mark, Small, Tail};

/// What stands before a place in a text, as far as the rules need it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Left {
    pub(crate) neighbour: Neighbour,
    /// The last byte.
    pub(crate) byte: u8,
}

impl Left {
    pub(crate) const START: Self = Self { neighbour: Edge, byte: b' ' };

    /// The state after this well-formed text; `None` if it is empty.
    pub(crate) fn of(text: &[u8]) -> Option<Self> {
        let byte = *text.last()?;
        let start = text.iter().rposition(|byte| byte & 0xC0 != 0x80)?;
        let last = str::from_utf8(&text[start..]).ok()?.chars().next()?;
        Some(Self { neighbour: Neighbour::of(last), byte })
    }

    /// The state after a byte that was read as windows-1252.
    pub(crate) const fn behind(byte: u8) -> Self {
        Self { neighbour: if byte == 0xA0 { Gap } else { read(byte) }, byte }
    }

    /// The state after a malformed sequence that was not read as windows-1252.
    pub(crate) const DAMAGE: Self = Self { neighbour: Damage, byte: 0x80 };

    fn is_ascii(self) -> bool {
        self.byte < 0x80
    }
}

impl Neighbour {
    fn of(c: char) -> Self {
        match c {
            '\0'..='\x7F' if !c.is_ascii_alphabetic() => Gap,
            '\u{A0}' | '\u{FEFF}' => Gap,
            '\u{A1}'..='\u{BF}' | '×' | '÷' | '\u{2000}'..='\u{2BFF}' | '\u{1F000}'..='\u{1FAFF}' => Mark,
            '\0'..='\u{36F}' | '\u{1E00}'..='\u{1EFF}' if c.is_uppercase() => Capital,
            '\0'..='\u{36F}' | '\u{1E00}'..='\u{1EFF}' => Small,
            _ => Foreign,
        }
    }

    /// The class of what `bytes` begin with.
    fn at(bytes: &[u8]) -> Self {
        let Some(&first) = bytes.first() else { return Edge };
        let character =
            bytes[..bytes.len().min(4)].utf8_chunks().next().and_then(|c| c.valid().chars().next());
        match (character, first) {
            (Some(c), _) => Self::of(c),
            (None, 0xA0) => Gap,
            (None, 0x80..=0xBF) => Tail(first),
            (None, _) => read(first),
        }
    }

    const fn is_letter(self) -> bool {
        matches!(self, Small | Capital)
    }
}

/// The class of a byte from 80 up, read as windows-1252.
const fn read(byte: u8) -> Neighbour {
    match byte {
        0xD7 | 0xF7 => Mark,
        0x8A | 0x8C | 0x8E | 0x9F | 0xC0..=0xDE => Capital,
        0x9A | 0x9C | 0x9E | 0xDF.. => Small,
        _ => Mark,
    }
}

/// Marks that are printed beside other marks: … ‘ ’ “ ” – — „ ‹ › no-break space ¡ § « » ¿.
const fn meets_others(byte: u8) -> bool {
    matches!(
        byte,
        0x84 | 0x85 | 0x8B | 0x91..=0x94 | 0x96 | 0x97 | 0x9B | 0xA0 | 0xA1 | 0xA7 | 0xAB | 0xBB | 0xBF
    )
}

/// Marks that end a word: … ‘ ’ “ ” – — ™ › no-break space « ® ».
const fn ends_word(byte: u8) -> bool {
    matches!(byte, 0x85 | 0x91..=0x94 | 0x96 | 0x97 | 0x99 | 0x9B | 0xA0 | 0xAB | 0xAE | 0xBB)
}

/// Marks inside words and formulas: … ‘ ’ – — no-break space § soft hyphen ° ´ ·.
const fn joins(byte: u8) -> bool {
    matches!(byte, 0x85 | 0x91 | 0x92 | 0x96 | 0x97 | 0xA0 | 0xA7 | 0xAD | 0xB0 | 0xB4 | 0xB7)
}

/// Marks that never stand directly after a letter: ‚ ƒ „ ˆ ‰ ˜ ¡ ¢ ¤ ¦ ¨ ¬ ¯ µ ¸ ¼ ½ ¾ ¿.
const fn is_kept_from_words(byte: u8) -> bool {
    let opens = matches!(byte, 0x82 | 0x84 | 0xA1 | 0xBF);
    let is_accent = matches!(byte, 0x88 | 0x98 | 0xA8 | 0xAF | 0xB8);
    opens || is_accent || matches!(byte, 0x83 | 0x89 | 0xA2 | 0xA4 | 0xA6 | 0xAC | 0xB5 | 0xBC..=0xBE)
}

/// Whether the first of `bytes`, a lead byte without continuation bytes or a continuation byte without a lead byte, fits as windows-1252.
pub(crate) fn fits(left: Left, bytes: &[u8]) -> bool {
    let right = Neighbour::at(&bytes[1..]);
    match bytes[0] {
        0x81 | 0x8D | 0x8F | 0x90 | 0x9D => false,
        0x8A | 0x8C | 0x8E | 0x9F if is_amid_small(left.neighbour, right) => false,
        mark @ 0x80..=0xBF => mark_fits(left, mark, right) && beside_letters(left, mark, right, bytes),
        0xD7 | 0xF7 => !matches!(left.neighbour, Foreign | Damage) && !matches!(right, Foreign | Edge),
        letter => letter_fits(left, letter, right, bytes),
    }
}

/// Whether the first of `bytes`, a lead byte with one of the two or more continuation bytes that it needs, is a letter of windows-1252
/// at the end of a word.
pub(crate) fn ends_as_letter(left: Left, bytes: &[u8]) -> bool {
    let behind = Neighbour::at(&bytes[2..]);
    let is_letter = !matches!(bytes[0], 0xD7 | 0xE2 | 0xF7);
    is_letter && left.neighbour.is_letter() && ends_word(bytes[1]) && behind != Foreign
}

fn letter_fits(left: Left, letter: u8, right: Neighbour, bytes: &[u8]) -> bool {
    let before = left.neighbour;
    let is_lead = matches!(letter, 0xC2..=0xF4);
    let is_cut_off = right == Edge && is_lead && !before.is_letter();
    let is_of_others = bytes.first_chunk::<5>().is_some_and(|word| word.iter().all(|&byte| byte >= 0xC0));
    if matches!(before, Foreign | Damage) || right == Foreign || is_cut_off || is_of_others {
        return false;
    }
    match letter {
        0xC3 => before == Capital || before != Small && right == Capital,
        0xC2 => before != Small && right.is_letter(),
        0xC4 | 0xC5 => before != Small,
        0xE2 => right.is_letter(),
        0xEF | 0xF0 => before.is_letter() || right.is_letter(),
        // Erased storage is often filled with FF.
        0xFF => left.byte != 0xFF && bytes.get(1) != Some(&0xFF),
        _ => true,
    }
}

fn mark_fits(left: Left, mark: u8, right: Neighbour) -> bool {
    let is_letter = read(mark) != Mark;
    let by_the_right = match right {
        Tail(_) if mark == 0xA0 => true,
        Tail(next) if meets_others(mark) => meets_others(next) || read(next) != Mark,
        // 80 is also the second byte of `“`, `–` and the like. As a euro sign, it follows a digit or a space.
        Tail(next) => meets_others(next) && (mark > 0xA0 || mark == 0x80 && left.neighbour == Gap),
        Foreign => meets_others(mark),
        _ => true,
    };
    by_the_right
        && match left.neighbour {
            Damage => false,
            Foreign => ends_word(mark) && matches!(right, Edge | Gap | Small | Capital),
            Mark => meets_others(mark) || is_letter && right.is_letter(),
            Small | Capital if !left.is_ascii() => ends_word(mark),
            _ => true,
        }
}

/// Whether a capital would stand in a word with small letters, and not as its first letter.
fn is_amid_small(left: Neighbour, right: Neighbour) -> bool {
    left == Small || left == Capital && right == Small
}

fn is_of_words(byte: &u8) -> bool {
    byte.is_ascii_alphabetic() || *byte >= 0x80
}

/// Whether a mark fits the letters beside it. In code pages that are older than UTF-8, most marks are letters.
fn beside_letters(left: Left, mark: u8, right: Neighbour, bytes: &[u8]) -> bool {
    if read(mark) != Mark {
        return true;
    }
    match (left.neighbour.is_letter(), right.is_letter()) {
        (true, true) => joins(mark),
        (true, false) => !is_kept_from_words(mark),
        (false, true) => match mark {
            // ‡ ‰ ¤ ¯ ¹ ¾
            0x87 | 0x89 | 0xA4 | 0xAF | 0xB9 | 0xBE => false,
            // A currency stands before a unit, not a word: £m, €mln.
            0x80 | 0xA3 | 0xA5 => !bytes.get(1..5).is_some_and(|word| word.iter().all(is_of_words)),
            _ => true,
        },
        (false, false) => true,
    }
}
