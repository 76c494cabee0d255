//! Whether the place of a character explains it.

use super::tables::{DEFAULT_IGNORABLE, EMOJI, IDEOGRAPHIC, JOINED_EMOJI, Range, UNASSIGNED};

/// Longest recommended sequence of joined emoji: four people, or a kiss.
const MOST_ELEMENTS: usize = 4;

fn is_in(table: &[Range], c: char) -> bool {
    let c = u32::from(c);
    let after = table.partition_point(|&(first, _)| first <= c);
    after > 0 && c <= table[after - 1].1
}

pub(super) fn is_default_ignorable(c: char) -> bool {
    is_in(&DEFAULT_IGNORABLE, c)
}

pub(super) fn is_unassigned(c: char) -> bool {
    is_in(&UNASSIGNED, c)
}

pub(super) fn is_emoji(c: char) -> bool {
    is_in(&EMOJI, c)
}

pub(super) fn is_noncharacter(c: char) -> bool {
    matches!(u32::from(c), 0xFDD0..=0xFDEF) || u32::from(c) & 0xFFFE == 0xFFFE
}

pub(super) fn is_private_use(c: char) -> bool {
    matches!(c, '\u{E000}'..='\u{F8FF}' | '\u{F0000}'..='\u{FFFFD}' | '\u{100000}'..='\u{10FFFD}')
}

pub(super) fn is_tag(c: char) -> bool {
    matches!(c, '\u{E0000}'..='\u{E007F}')
}

/// The number of a variation selector, from 0. In a payload, this is the byte that it carries.
pub(super) fn selector(c: char) -> Option<u8> {
    match u32::from(c) {
        value @ 0xFE00..=0xFE0F => Some((value - 0xFE00) as u8),
        value @ 0xE0100..=0xE01EF => Some((value - 0xE0100 + 16) as u8),
        _ => None,
    }
}

/// Whether `base` has variants that `selector` chooses: StandardizedVariants.txt, emoji-variation-sequences.txt, and any
/// ideograph (the Ideographic Variation Database grows).
pub(super) fn has_variant(base: char, selector: char) -> bool {
    if is_in(&IDEOGRAPHIC, base) {
        return true;
    }
    match selector {
        '\u{FE0E}' | '\u{FE0F}' => is_emoji(base) || matches!(base, '#' | '*' | '0'..='9'),
        '\u{FE00}'..='\u{FE06}' => has_standardized_variant(base),
        _ => false,
    }
}

/// The blocks of StandardizedVariants.txt: slashed zero, quotation marks and punctuation of full width, mathematical
/// operators, Myanmar, Phags-pa, Manichaean, Egyptian hieroglyphs.
fn has_standardized_variant(base: char) -> bool {
    matches!(base,
        '0' | '\u{2018}'..='\u{2019}' | '\u{201C}'..='\u{201D}' | '\u{2205}' | '\u{2229}'..='\u{222A}'
        | '\u{2268}'..='\u{2269}' | '\u{2272}'..='\u{2273}' | '\u{228A}'..='\u{228B}' | '\u{2293}'..='\u{2295}'
        | '\u{2297}' | '\u{229C}' | '\u{22DA}'..='\u{22DB}' | '\u{2A3C}'..='\u{2A3D}' | '\u{2A9D}'..='\u{2A9E}'
        | '\u{2AAC}'..='\u{2AAD}' | '\u{2ACB}'..='\u{2ACC}' | '\u{3001}'..='\u{3002}' | '\u{FF01}' | '\u{FF0C}'
        | '\u{FF0E}' | '\u{FF1A}'..='\u{FF1B}' | '\u{FF1F}' | '\u{1000}'..='\u{109F}' | '\u{AA60}'..='\u{AA7F}'
        | '\u{A840}'..='\u{A877}' | '\u{10AC0}'..='\u{10AF6}' | '\u{13000}'..='\u{1342F}' | '\u{13460}'..='\u{143FF}')
}

/// Whether `c` belongs to a script that uses joiners within words: Arabic and scripts that join like it, the Indic and South-East
/// Asian scripts, Mongolian (UAX #31 section 2.3.1, but without its table of joining types, because a joiner without effect is
/// common in Persian).
fn uses_joiners(c: char) -> bool {
    matches!(c,
        '\u{600}'..='\u{8FF}' | '\u{900}'..='\u{DFF}' | '\u{E00}'..='\u{FFF}' | '\u{1000}'..='\u{109F}'
        | '\u{1700}'..='\u{17FF}' | '\u{1800}'..='\u{18AF}' | '\u{1900}'..='\u{1C7F}' | '\u{1CD0}'..='\u{1CFF}'
        | '\u{A800}'..='\u{A82F}' | '\u{A840}'..='\u{A9DF}' | '\u{A9E0}'..='\u{AAFF}' | '\u{ABC0}'..='\u{ABFF}'
        | '\u{FB50}'..='\u{FDFF}' | '\u{FE70}'..='\u{FEFC}' | '\u{10A00}'..='\u{10A5F}' | '\u{10AC0}'..='\u{10AFF}'
        | '\u{10B80}'..='\u{10BAF}' | '\u{10D00}'..='\u{10D8F}' | '\u{10EC0}'..='\u{10FFF}' | '\u{11000}'..='\u{11FFF}'
        | '\u{1E900}'..='\u{1E95F}' | '\u{1EE00}'..='\u{1EEFF}')
        && !is_default_ignorable(c)
}

/// Whether `c` belongs to a script without spaces between words, or not always with them, where U+200B marks a possible line
/// break: Thai, Lao, Tibetan, Burmese, Khmer, the Tai scripts, Buginese, Balinese, Sundanese, Batak, Javanese, Cham (The Unicode
/// Standard, chapters 16 and 17).
fn has_no_spaces(c: char) -> bool {
    matches!(c,
        '\u{E00}'..='\u{109F}' | '\u{1780}'..='\u{17FF}' | '\u{1950}'..='\u{1AAF}' | '\u{1B00}'..='\u{1BFF}'
        | '\u{A980}'..='\u{AADF}' | '\u{116D0}'..='\u{1174F}')
        && !is_default_ignorable(c)
}

/// Whether a soft hyphen may stand before `c`. Combining marks belong to the letter before them.
fn is_in_word(c: char) -> bool {
    (c.is_alphanumeric() || matches!(c, '\u{300}'..='\u{36F}')) && !is_default_ignorable(c)
}

/// Whether the neighbours of a single character explain it. Not for variation selectors, tags, bidirectional controls and the
/// joiners of emoji.
pub(super) fn explains(before: Option<char>, c: char, after: Option<char>) -> bool {
    let either = |test: fn(char) -> bool| before.is_some_and(test) || after.is_some_and(test);
    match c {
        '\u{200C}' | '\u{200D}' => either(uses_joiners),
        '\u{200B}' => either(has_no_spaces),
        '\u{AD}' => before.is_some_and(is_shown) && after.is_some_and(is_in_word),
        // A combining grapheme joiner keeps marks apart or in order.
        '\u{34F}' => after.is_some_and(is_mark),
        '\u{115F}' | '\u{1160}' => either(
            |c| matches!(c, '\u{1100}'..='\u{11FF}' | '\u{A960}'..='\u{A97F}' | '\u{D7B0}'..='\u{D7FF}'),
        ),
        '\u{17B4}' | '\u{17B5}' => before.is_some_and(|c| matches!(c, '\u{1780}'..='\u{17D3}')),
        '\u{180B}'..='\u{180F}' => before.is_some_and(|c| matches!(c, '\u{1820}'..='\u{18AF}')),
        '\u{1BCA0}'..='\u{1BCA3}' => either(|c| matches!(c, '\u{1BC00}'..='\u{1BC9F}')),
        '\u{1D173}'..='\u{1D17A}' => {
            either(|c| matches!(c, '\u{1D100}'..='\u{1D172}' | '\u{1D17B}'..='\u{1D1FF}'))
        }
        _ => false,
    }
}

/// Whether `c` is visible.
fn is_shown(c: char) -> bool {
    !c.is_whitespace() && !c.is_control() && !is_default_ignorable(c)
}

/// Whether `c` is a combining mark that may follow a grapheme joiner: those of Hebrew, Arabic and the general blocks.
fn is_mark(c: char) -> bool {
    matches!(c,
        '\u{300}'..='\u{34E}' | '\u{350}'..='\u{36F}' | '\u{483}'..='\u{489}' | '\u{591}'..='\u{5C7}' | '\u{610}'..='\u{61A}'
        | '\u{64B}'..='\u{65F}' | '\u{670}' | '\u{6D6}'..='\u{6ED}' | '\u{8CA}'..='\u{8FF}' | '\u{1AB0}'..='\u{1AFF}'
        | '\u{1DC0}'..='\u{1DFF}' | '\u{20D0}'..='\u{20FF}' | '\u{FE20}'..='\u{FE2F}')
}

/// Whether `tags` make one of the three flags of subdivisions with the black flag before them.
pub(super) fn is_flag(before: Option<char>, tags: &str) -> bool {
    const FLAGS: [&str; 3] = ["gbeng", "gbsct", "gbwls"];
    let letters = tags.chars().filter_map(|c| u8::try_from(u32::from(c) - 0xE0000).ok());
    before == Some('\u{1F3F4}')
        && FLAGS.iter().any(|flag| letters.clone().eq(flag.bytes().chain(core::iter::once(0x7F))))
}

/// The length in bytes of the sequence of joined emoji at the start of `text` that Unicode recommends; 0 if there is none. U+FE0F
/// may be left out, and each person may have a skin tone.
pub(super) fn joined_emoji(text: &str) -> usize {
    // Four elements of one character, with three joiners, in UTF-8.
    let mut key = [0; 4 * MOST_ELEMENTS + 3 * (MOST_ELEMENTS - 1) + 16];
    let (mut used, mut end, mut longest) = (0, 0, 0);
    let mut characters = text.chars().peekable();
    for element in 0..MOST_ELEMENTS + 1 {
        let Some(base) = characters.next_if(|&c| is_emoji(c)) else { break };
        if used + 8 > key.len() {
            break;
        }
        if element > 0 {
            used += '\u{200D}'.encode_utf8(&mut key[used..]).len();
        }
        used += base.encode_utf8(&mut key[used..]).len();
        end += base.len_utf8();
        while let Some(c) = characters.next_if(|&c| matches!(c, '\u{FE0F}' | '\u{1F3FB}'..='\u{1F3FF}')) {
            end += c.len_utf8();
        }
        let is_known = |key: &[u8]| JOINED_EMOJI.binary_search_by(|known| known.as_bytes().cmp(key)).is_ok();
        if element > 0 && is_known(&key[..used]) {
            longest = end;
        }
        if characters.next_if_eq(&'\u{200D}').is_none() {
            break;
        }
        end += '\u{200D}'.len_utf8();
    }
    longest
}
