//! UTF-8 sequences as the characters that a page reads their bytes as.
#![forbid(unsafe_code)]

use super::page::{FIRST_LATE, TABLE};

/// A sequence found in a text, read on one page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Found {
    /// Characters of the text that it takes.
    pub(crate) taken: usize,
    /// What it stands for.
    pub(crate) value: char,
    pub(crate) wear: Wear,
}

/// What happened to a sequence after it was misread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wear {
    /// Nothing: all its bytes are there.
    None,
    /// The byte that was read as a no-break space, A0 on most pages, became a space.
    Space,
    /// The same, and the space after it was folded into this one, so that a space must be put back.
    Folded,
    /// The byte 9D, which strict windows-1252 lacks, is gone from `”`.
    Dropped,
    /// Bytes became `?` or U+FFFD; the value is U+FFFD.
    Lost,
}

/// The sequence at the start of `text` on page number `page`, all of its bytes present.
pub(crate) fn whole(text: &[char], page: usize) -> Option<Found> {
    whole_by(text, |c| TABLE.get(c).bytes[page])
}

/// The same on a page that says the byte of a character, 0 where it has none.
pub(crate) fn whole_by(text: &[char], byte_of: impl Fn(char) -> u8) -> Option<Found> {
    whole_of(|at| text.get(at).map_or(0, |&c| byte_of(c)))
}

/// The same of the bytes at each place, counted from the start, 0 where there is none.
#[inline]
pub(super) fn whole_of(byte: impl Fn(usize) -> u8) -> Option<Found> {
    let lead = byte(0);
    let length = length(lead)?;
    let mut bytes = [lead, 0, 0, 0];
    for (at, slot) in bytes.iter_mut().enumerate().take(length).skip(1) {
        *slot = byte(at);
        if !matches!(*slot, 0x80..=0xBF) {
            return None;
        }
    }
    if let [0xED, second @ 0xA0..=0xAF, third, _] = bytes {
        return pair(second, third, [byte(3), byte(4), byte(5)]);
    }
    let value = value(bytes, length)?;
    (!is_unassigned(value)).then_some(Found { taken: length, value, wear: Wear::None })
}

/// Whether `c`, a character of two bytes in UTF-8, is unassigned in Unicode 17.
pub(super) fn is_unassigned(c: char) -> bool {
    match c as u32 {
        0x378..=0x3A2 => matches!(c as u32, 0x378 | 0x379 | 0x380..=0x383 | 0x38B | 0x38D | 0x3A2),
        0x530..=0x590 => matches!(c as u32, 0x530 | 0x557 | 0x558 | 0x58B | 0x58C | 0x590),
        0x5C8..=0x5FF => !matches!(c as u32, 0x5D0..=0x5EA | 0x5EF..=0x5F4),
        0x70E..=0x7FC => matches!(c as u32, 0x70E | 0x74B | 0x74C | 0x7B2..=0x7BF | 0x7FB | 0x7FC),
        _ => false,
    }
}

/// A surrogate pair, three bytes each (CESU-8).
fn pair(second: u8, third: u8, low: [u8; 3]) -> Option<Found> {
    let [0xED, fifth @ 0xB0..=0xBF, sixth @ 0x80..=0xBF] = low else { return None };
    let bits = |a: u8, b: u8| u32::from(a & 0x0F) << 6 | u32::from(b & 0x3F);
    let value = char::from_u32(0x1_0000 + (bits(second, third) << 10 | bits(fifth, sixth)))?;
    Some(Found { taken: 6, value, wear: Wear::None })
}

/// The sequence at the start of `text` although it has lost something. Only text that is known to be misread
/// on this page can be taken so.
pub(crate) fn worn(text: &[char], page: usize) -> Option<Found> {
    worn_by(text, |c| TABLE.get(c).bytes[page])
}

/// The same on a page that says the byte of a character, 0 where it has none.
pub(crate) fn worn_by(text: &[char], byte_of: impl Fn(char) -> u8) -> Option<Found> {
    let entry = |at: usize| text.get(at).map_or(0, |&c| byte_of(c));
    let lead = entry(0);
    let length = length(lead)?;
    if lead == 0xE2 && entry(1) == 0x80 && text.get(2).is_none_or(|&c| c.is_ascii() && c != '?') {
        return Some(Found { taken: 2, value: '”', wear: Wear::Dropped });
    }
    let no_break_space = byte_of('\u{A0}');
    let mut bytes = [lead, 0, 0, 0];
    let (mut spaces, mut questions, mut marks, mut kept) = (0, 0, 0, 0);
    for (at, slot) in bytes.iter_mut().enumerate().take(length).skip(1) {
        *slot = match (text.get(at)?, entry(at)) {
            (_, tail @ 0x80..=0xBF) => {
                kept += 1;
                tail
            }
            // Only where the no-break space is such a byte: A0 on most pages, 9A on KOI8-R.
            (' ', _) if matches!(no_break_space, 0x80..=0xBF) => {
                spaces += 1;
                no_break_space
            }
            ('?', _) => {
                questions += 1;
                0
            }
            (&char::REPLACEMENT_CHARACTER, _) => {
                marks += 1;
                0
            }
            _ => return None,
        };
    }
    if spaces == 0 && questions + marks > 0 {
        // `Ã?` may be a letter and a question mark: something of the sequence must be left.
        let certain = marks > 0 || kept > 0 || entry(length) >= 0xC2;
        let lost = Found { taken: length, value: char::REPLACEMENT_CHARACTER, wear: Wear::Lost };
        return certain.then_some(lost);
    }
    if spaces != 1 || questions + marks > 0 {
        return None;
    }
    let value = value(bytes, length)?;
    let wear = if value == 'à' && is_folded(&text[2..]) { Wear::Folded } else { Wear::Space };
    Some(Found { taken: length, value, wear })
}

/// Whether a space must be put back behind `à` and before `rest`, as there must before most. Where a word goes on or a
/// mark closes it, the space was the byte alone, as in the Portuguese `às` and `àquele`.
fn is_folded(rest: &[char]) -> bool {
    let closes = |c: &char| " .,;!?)]}”’»…".contains(*c);
    match rest {
        [] | ['q', 'u', 'e' | 'i', 'l', ..] | ['s'] | ['<', '/', ..] | ['\\', 'n' | 'r' | 't', ..] => false,
        ['s', ':', ..] => false,
        ['s', next, ..] => !closes(next),
        ['"' | '\'' | '`' | '*' | '_', rest @ ..] => {
            rest.first().is_some_and(|c| !closes(c) && !matches!(c, ':' | '<' | '>'))
        }
        // `là-bas`, but `de 5 à -20`.
        ['-', next, ..] => !next.is_alphabetic(),
        ['–' | '—' | '&' | '>', next, ..] => *next == ' ',
        // French has a space before a colon, Italian has none.
        [':', rest @ ..] => rest.starts_with(&[' ', '«']),
        [next, ..] => !closes(next),
    }
}

/// What a sequence of `length` bytes stands for whose lead and continuations are such; `None` if it is too long or no scalar value.
fn value(bytes: [u8; 4], length: usize) -> Option<char> {
    let [a, b, c, d] = bytes.map(u32::from);
    let (code_point, least) = match length {
        2 => ((a & 0x1F) << 6 | b & 0x3F, 0x80),
        3 => ((a & 0x0F) << 12 | (b & 0x3F) << 6 | c & 0x3F, 0x800),
        _ => ((a & 0x07) << 18 | (b & 0x3F) << 12 | (c & 0x3F) << 6 | d & 0x3F, 0x1_0000),
    };
    char::from_u32(code_point).filter(|_| code_point >= least)
}

/// How long the sequence is that begins with a byte.
pub(super) fn length(lead: u8) -> Option<usize> {
    match lead {
        0xC2..=0xDF => Some(2),
        0xE0..=0xEF => Some(3),
        0xF0..=0xF4 => Some(4),
        _ => None,
    }
}

/// A bit for each page on which `text` holds a whole sequence, or on which a sequence is worn beyond doubt.
pub(super) fn pages(text: &[char]) -> u16 {
    let mut pages = 0;
    for (at, pair) in text.windows(2).enumerate() {
        if pair[1].is_ascii() {
            continue;
        }
        pages |= u16::from(stranded(pair[0], &text[at + 1..]));
        if !pair[0].is_ascii() {
            let open = TABLE.get(pair[0]).leads & TABLE.get(pair[1]).tails;
            pages |= pages_at(&text[at..], open & !pages);
        }
    }
    pages
}

/// Whether a sequence is evidence of its page. On the pages of Arabic, Thai and Hebrew it is so only with a sign that stands in no word: nearly
/// every word that was misread there has one. On all others it always is.
pub(super) fn tells(sequence: &[char], page: usize) -> bool {
    page < FIRST_LATE || sequence.windows(2).any(|pair| is_sign(pair[0], pair[1]))
}

/// Whether the second of two characters is such a sign.
pub(super) fn is_sign(before: char, after: char) -> bool {
    // Thai, or the geresh, which every letter of misread Hebrew begins with.
    let may_be_quoted = matches!(before, '׳' | '\u{E00}'..='\u{E7F}');
    match after {
        '\u{A0}' | '«' | '»' => false,
        '\u{80}'..='\u{BF}' => true,
        // Clean text has joiners after letters only; here they are the last bytes of `”` and `„`.
        '\u{200C}' | '\u{200D}' if before == '€' => true,
        _ => may_be_quoted && matches!(after, '\u{2000}'..='\u{2FFF}'),
    }
}

/// Those of `pages`, a bit for each, on which `text` begins with a whole sequence that [`tells`], or with one that [`is_spaced`].
pub(super) fn pages_at(text: &[char], mut pages: u16) -> u16 {
    let mut found = pages & u16::from(is_spaced(text));
    pages &= !found;
    while pages != 0 {
        let page = pages.trailing_zeros() as usize;
        let is_there = whole(text, page).is_some_and(|found| tells(&text[..found.taken], page));
        found |= u16::from(is_there) << page;
        pages &= pages - 1;
    }
    found
}

/// Whether `rest`, behind `before`, begins with what is left of a no-break space, or of `à`: Â or Ã and a space at the
/// end of a word in small letters, as in `voilÃ tout`, or Â where no word begins: `1Â 000`, `Hello.Â  World`.
pub(super) fn stranded(before: char, rest: &[char]) -> bool {
    match rest {
        ['Â' | 'Ã', ' ', ..] if before.is_ascii_lowercase() => true,
        ['Â', ' ', ..] if before.is_ascii_digit() => true,
        ['Â', ' ', ' ', ..] => ".,;:!?".contains(before),
        _ => false,
    }
}

/// Whether `text` begins with one of the signs ∠ ≠ ⚠, misread on windows-1252, whose last byte A0 became a space. No word ends with the two
/// characters before it.
pub(super) fn is_spaced(text: &[char]) -> bool {
    matches!(text, ['â', 'ˆ' | '‰' | 'š', ' ', ..])
}

/// The same of `text` with a space behind it, at its end.
pub(super) fn is_spaced_at_end(text: &str) -> bool {
    text.strip_suffix(['ˆ', '‰', 'š']).is_some_and(|text| text.ends_with('â'))
}

/// Whether `c` is one of the signs and marks of three bytes that texts are full of.
pub(super) fn is_textual(c: char) -> bool {
    let mark = matches!(c, '\u{200E}'..='\u{2026}' | '\u{2066}'..='\u{2069}');
    mark || "‰‹›€№™←↑→↓✓✔".contains(c)
}

/// Whether `text` is nothing but small letters of Cyrillic or Greek. Code page 866 makes sequences of them, but
/// what was misread on it has capitals and frames too.
pub(crate) fn is_word(text: &[char]) -> bool {
    text.iter().all(|c| matches!(c, '\u{3AC}'..='\u{3CE}' | '\u{430}'..='\u{45F}'))
}

/// Whether `text` is a letter of Arabic, Hebrew or Thai, and one or two letters or marks that stand behind words: `ط،`, `א…”`, `เธอ`.
/// windows-1256, windows-1255 and windows-874 make sequences of them, but what was misread there has several, or stands amid Latin letters.
/// Thai has several in mere words, but those of misread Thai all begin with `เธ` or `เน`.
pub(super) fn is_ending(text: &[char]) -> bool {
    if text.iter().all(|c| matches!(c, '\u{E01}'..='\u{E5B}')) {
        return text.len() < 6 || !text.chunks(3).all(|three| matches!(three, ['เ', 'ธ' | 'น', _]));
    }
    let is_letter =
        |c: &char| matches!(c, '\u{5D0}'..='\u{5F2}' | '\u{60C}'..='\u{6D5}' | '\u{E01}'..='\u{E5B}');
    let is_behind =
        |c: &char| is_letter(c) || is_textual(*c) || "\u{A0}\u{200C}\u{200D}«»·°×÷–—".contains(*c);
    let [first, rest @ ..] = text else { return false };
    is_letter(first) && rest.len() <= 2 && rest.iter().all(is_behind)
}

/// Whether `text` is one or two different letters of Cyrillic or Greek, each with a sign behind it: `м²`, `т·км`,
/// `х²у²`. KOI8-R makes sequences of them, but what was misread on it has frames, or the same letter again.
pub(super) fn is_formula(text: &[char]) -> bool {
    let sign = |c| matches!(c, '°' | '²' | '·' | '÷' | '©' | '√' | '∙' | '≈' | '≤' | '≥');
    match text {
        [a, b] => is_word(&[*a]) && sign(*b),
        [a, b, c, d] => a != c && is_word(&[*a, *c]) && sign(*b) && sign(*d),
        _ => false,
    }
}

/// `text` with every whole sequence on `page` read back; `None` if it holds none.
pub(super) fn again(text: &[char], page: usize) -> Option<Vec<char>> {
    let mut out = Vec::with_capacity(text.len());
    let mut at = 0;
    while at < text.len() {
        let found = whole(&text[at..], page);
        out.push(found.map_or(text[at], |found| found.value));
        at += found.map_or(1, |found| found.taken);
    }
    (out.len() < text.len()).then_some(out)
}
