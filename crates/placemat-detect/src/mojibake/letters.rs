//! Properties of characters: class, script, how rare it is, and which languages write it.
#![forbid(unsafe_code)]

mod classes;

use std::sync::{LazyLock, OnceLock};

use self::classes::{kind, part, rarity, script};

/// The class of a character.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// White space of ASCII, or the end of the text.
    Space,
    Digit,
    /// The rest of ASCII, and what has no width: that may stand anywhere.
    Ascii,
    Lower,
    Upper,
    /// A letter without case.
    Letter,
    /// Combines with what precedes.
    Mark,
    /// Opens a quotation, and in some languages closes one: “ ‘.
    Quote,
    /// Opens a quotation, and seldom closes one: « ‹.
    Guillemet,
    /// Only ever opens a quotation: „ ‚.
    Open,
    /// Opens a question or an exclamation: ¿ ¡.
    Ask,
    /// Closes a quotation.
    Close,
    /// The apostrophe, which is also a closing quotation mark, and the numeral signs of Greek.
    Apostrophe,
    /// Dashes and bullets, and the punctuation of East Asia.
    Link,
    Ellipsis,
    /// ™ and ®, which follow names.
    Trade,
    /// Signs that follow or precede words: © ° £.
    Sign,
    /// √, which signs do not follow.
    Root,
    /// Mathematics and arrows.
    Formula,
    /// Signs that seldom touch a word: ¤ ¬ ƒ ˜.
    Odd,
    /// Box drawing and blocks.
    Frame,
    NoBreakSpace,
    SoftHyphen,
    /// A C1 control where windows-1252 has a quotation mark, dash or ellipsis: common in text taken for Latin-1.
    LostQuote,
    /// Controls, U+FFFD, what is unassigned or private.
    Other,
}

impl Kind {
    pub(super) fn is_letter(self) -> bool {
        matches!(self, Self::Lower | Self::Upper | Self::Letter)
    }
}

/// A writing system, coarsely; what shares words is one script.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Script {
    None,
    Latin,
    Greek,
    Cyrillic,
    /// Han, kana, hangul, bopomofo: Latin words stand among them without spaces.
    EastAsian,
    /// One of the others, by where its block begins.
    Block(u16),
}

/// The class of a character in a formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    None,
    /// Stands for a quantity, a unit or a particle: Å, the capitals of Greek and Cyrillic.
    Symbol,
    /// Ω, the same, and behind one letter that is a prefix: kΩ.
    Unit,
    /// ² ³ ±, which stand behind it.
    Power,
    /// °, likewise.
    Degree,
    /// ·, which joins two of them.
    Times,
}

/// What [`look_at`] tells of a character.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Look {
    pub(super) kind: Kind,
    pub(super) script: Script,
    /// The languages of [`ALPHABETS`] that write it, a bit each; 0 for letters that none of them has.
    pub(super) tongues: u32,
    /// How rare it is in text, in tenths of a nat or so.
    pub(super) rarity: u8,
    pub(super) ascii: bool,
    /// One of Â Ã â ã, which are hardly ever a word by themselves (Welsh has â, “with”), and no sign follows them there.
    pub(super) never_alone: bool,
    pub(super) part: Part,
}

/// The properties of what stands before and behind a text.
pub(super) const EDGE: Look = Look {
    kind: Kind::Space,
    script: Script::None,
    rarity: 0,
    tongues: 0,
    ascii: true,
    never_alone: false,
    part: Part::None,
};

/// The letters beyond ASCII (or beyond Russian) of languages that share few of them. Two letters side by side
/// that no language has both of are a sign that they are not letters at all.
const ALPHABETS: [&str; 28] = [
    "àâæçéèêëîïôùûü", // French
    "œ",              // French too, but no letter with an accent stands beside these two
    "ÿ",
    "áéíñóúüàèìòùïç·",              // Spanish, Catalan, Italian
    "ãõáâàçéêíóôú",                 // Portuguese
    "äöüßẞåéøæ",                    // German, Nordic
    "áðéíóúýþæö",                   // Icelandic
    "ăâîșțşţ",                      // Romanian
    "ąćęłńóśźżôõòěřš",              // Polish, Sorbian, Kashubian
    "áčďéěíňóřšťúůýžľôŕ",           // Czech, Slovak
    "äčďľňšťžŕ",                    // Slovak again: no other vowel with an accent stands beside ä
    "ĺčšž",                         // and few letters beside ĺ
    "áéíóöőúüű",                    // Hungarian
    "čćđšžáéíóúâêôàèìòùŕśźńłěřǆǉǌ", // South Slavic, Sorbian
    "çğıİöşüâîûəñ",                 // Turkic
    "çäžňöşüý",                     // Turkmen
    "āčēģīķļņšūžōŗąęėįų",           // Baltic
    "äöõüšž",                       // Estonian
    "ăâđêôơưàảãáạằẳẵắặầẩẫấậèẻẽéẹềểễếệìỉĩíịòỏõóọồổỗốộờởỡớợùủũúụừửữứựỳỷỹýỵ", // Vietnamese
    "ċġħżàèìòùâêîôûŵŷáéíóúẁẃẅẇ",    // Maltese, Celtic
    "ĉĝĥĵŝŭáčđŋšŧžâ",               // Esperanto, Sami
    "абвгдежзийклмнопрстуфхцчшщъыьэюяё", // Russian, Bulgarian
    "абвгґдеєжзиіїйклмнопрстуфхцчшщьюя", // Ukrainian
    "абвгдеёжзійклмнопрстуўфхцчшыьэюя", // Belarusian
    "абвгдђежзијклљмнњопрстћуфхцчџшѓѕќѐѝ", // Serbian, Macedonian
    "аәбвгғдеёжзийкқлмнңоөпрстуұүфхһцчшщъыіьэюяҗҳҷӣӯ", // Turkic, Mongolian, Tajik
    "ƒãẽĩõũ",                       // Ewe, where ƒ is a letter
    "éíóúāēīōūàèìòùâêîôûñɓɗɛɔŋɖɣɩʋɲǝәƙƴ", // Oceania, Africa
];

const WITH_ALPHABETS: usize = 0x530;

static TONGUES: LazyLock<[u32; WITH_ALPHABETS]> = LazyLock::new(|| {
    let mut tongues = [0; WITH_ALPHABETS];
    for (bit, alphabet) in ALPHABETS.iter().enumerate() {
        for c in alphabet.chars().flat_map(|c| c.to_uppercase().chain([c])).filter(|c| !c.is_ascii()) {
            if let Some(mask) = tongues.get_mut(c as usize) {
                *mask |= 1 << bit;
            }
        }
    }
    tongues
});

/// The properties of the characters of Chinese and Korean.
const EAST_ASIAN: Look =
    Look { kind: Kind::Letter, script: Script::EastAsian, rarity: 3, ascii: false, ..EDGE };

/// Those of its punctuation.
const EAST_ASIAN_MARK: Look = Look { kind: Kind::Link, rarity: 3, ascii: false, ..EDGE };

/// Those of U+FFFD.
const LOST: Look = Look { kind: Kind::Other, rarity: 8, ascii: false, ..EDGE };

/// The properties of `c`: from a table, for the characters that most text is made of.
#[inline]
pub(super) fn look_at(c: char) -> Look {
    LOOKS.get(c as usize).copied().unwrap_or_else(|| look_further(c))
}

/// The properties of a character that is not in the table.
#[inline(never)]
fn look_further(c: char) -> Look {
    match c {
        'ぁ'..='ゖ' | 'ァ'..='ヺ' | 'ー'..='ヿ' | '一'..='\u{9FFF}' | '가'..='힣' => EAST_ASIAN,
        '\u{3000}'..='\u{3020}' => EAST_ASIAN_MARK,
        char::REPLACEMENT_CHARACTER => LOST,
        _ => match BLOCKS.get(c as usize / BLOCK) {
            Some(block) => block.get_or_init(|| looks_of_block(c))[c as usize % BLOCK],
            None => look_closely(c),
        },
    }
}

/// Nearly all that is on a page lies below this.
const AT_HAND: u32 = 0x2600;

/// The looks of the first characters, taken at the first use: 150 KiB.
static LOOKS: LazyLock<Vec<Look>> = LazyLock::new(|| {
    (0..AT_HAND).map(|c| look_closely(char::from_u32(c).expect("surrogates lie above"))).collect()
});

/// Characters that are looked at together.
const BLOCK: usize = 256;

/// The looks of each block of the first two planes, taken when its first character is looked at: 4 KiB for each that is.
static BLOCKS: [OnceLock<Box<[Look]>>; 0x2_0000 / BLOCK] = [const { OnceLock::new() }; 0x2_0000 / BLOCK];

/// The looks of the block that `c` is in.
#[cold]
fn looks_of_block(c: char) -> Box<[Look]> {
    let first = c as u32 / BLOCK as u32 * BLOCK as u32;
    let look = |c| char::from_u32(c).map_or(LOST, look_closely);
    (first..first + BLOCK as u32).map(look).collect()
}

fn look_closely(c: char) -> Look {
    let kind = kind(c);
    let script = if kind.is_letter() || kind == Kind::Mark { script(c) } else { Script::None };
    let tongues = TONGUES.get(c as usize).copied().unwrap_or(0);
    Look {
        kind,
        script,
        rarity: rarity(c, kind),
        tongues,
        ascii: c.is_ascii(),
        never_alone: matches!(c, 'Â' | 'Ã' | 'â' | 'ã'),
        part: part(c),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_told_at_once_is_what_a_closer_look_tells() {
        assert!(('\0'..=char::MAX).all(|c| look_at(c) == look_closely(c)));
    }
}
