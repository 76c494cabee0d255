//! The class, the script and the rarity of a character.
#![forbid(unsafe_code)]

use super::{Kind, Part, Script};

pub(super) fn part(c: char) -> Part {
    match c {
        'Å' => Part::Symbol,
        'Ω' => Part::Unit,
        '\u{370}'..='\u{52F}' if c.is_uppercase() => Part::Symbol,
        '²' | '³' | '±' => Part::Power,
        '°' => Part::Degree,
        '·' => Part::Times,
        _ => Part::None,
    }
}

pub(super) fn kind(c: char) -> Kind {
    match c {
        ' ' | '\t' | '\n' | '\r' => Kind::Space,
        '0'..='9' => Kind::Digit,
        'a'..='z' => Kind::Lower,
        'A'..='Z' => Kind::Upper,
        '\0'..='\x7F' | '\u{FEFF}' => Kind::Ascii,
        '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2060}'..='\u{2069}' => Kind::Ascii,
        '\u{A0}' | '\u{202F}' => Kind::NoBreakSpace,
        '\u{AD}' => Kind::SoftHyphen,
        '\u{85}' | '\u{91}'..='\u{94}' | '\u{96}' | '\u{97}' => Kind::LostQuote,
        '\u{80}'..='\u{9F}' => Kind::Other,
        '“' | '‘' => Kind::Quote,
        '«' | '‹' => Kind::Guillemet,
        '„' | '‚' => Kind::Open,
        '¿' | '¡' => Kind::Ask,
        '”' | '»' | '›' => Kind::Close,
        '’' | '\u{374}' | '\u{375}' | '\u{384}' => Kind::Apostrophe,
        '\u{2010}'..='\u{2015}' | '•' | '\u{3000}'..='\u{3020}' | '\u{FF01}'..='\u{FF0F}' => Kind::Link,
        '…' => Kind::Ellipsis,
        '™' | '®' => Kind::Trade,
        '\u{2070}'..='\u{209F}' => Kind::Sign,
        '·' | '©' | '°' | '²' | '³' | 'ª' | 'º' | '£' | '€' | '½' | '§' | '\u{2100}'..='\u{2121}' => {
            Kind::Sign
        }
        '\u{A2}'..='\u{BF}' | '×' | '÷' | '\u{2C6}' | '\u{2C7}' | '\u{2D8}'..='\u{2DD}' | 'ƒ' => Kind::Odd,
        '√' => Kind::Root,
        '\u{2123}'..='\u{23FF}' => Kind::Formula,
        '\u{2400}'..='\u{24FF}' | '\u{25A0}'..='\u{27BF}' | '\u{2020}'..='\u{206F}' => Kind::Odd,
        '\u{2500}'..='\u{259F}' => Kind::Frame,
        '\u{300}'..='\u{36F}'
        | '\u{483}'..='\u{489}'
        | '\u{591}'..='\u{5BD}'
        | '\u{610}'..='\u{61A}'
        | '\u{64B}'..='\u{65F}'
        | '\u{1AB0}'..='\u{1AFF}'
        | '\u{1DC0}'..='\u{1DFF}'
        | '\u{20D0}'..='\u{20FF}'
        | '\u{FE00}'..='\u{FE0F}' => Kind::Mark,
        '\u{FFFC}'..='\u{FFFF}' | '\u{E000}'..='\u{F8FF}' => Kind::Other,
        // The scripts that have a block each: their signs and marks make words with their letters.
        '\u{700}'..='\u{109F}' | '\u{1780}'..='\u{18AF}' | '\u{11000}'..='\u{11FFF}' => Kind::Letter,
        _ if c.is_lowercase() => Kind::Lower,
        _ if c.is_uppercase() => Kind::Upper,
        _ if c.is_alphabetic() => Kind::Letter,
        _ => Kind::Odd,
    }
}

pub(super) fn script(c: char) -> Script {
    match c as u32 {
        0..=0x2AF | 0x1E00..=0x1EFF | 0x2C60..=0x2C7F | 0xA720..=0xA7FF | 0xFB00..=0xFB06 => Script::Latin,
        // Modifier letters and combining marks stand in any script.
        0x2B0..=0x36F | 0x1AB0..=0x1AFF | 0x1DC0..=0x1DFF | 0x20D0..=0x20FF | 0xFE00..=0xFE0F => Script::None,
        0x370..=0x3FF | 0x1F00..=0x1FFF => Script::Greek,
        0x400..=0x52F | 0x1C80..=0x1C8F | 0xA640..=0xA69F => Script::Cyrillic,
        0x1100..=0x11FF | 0x2E80..=0xA4CF | 0xAC00..=0xD7FF | 0xF900..=0xFAFF | 0xFF00..=0xFFEF => {
            Script::EastAsian
        }
        0x1_F000..=0x1_FAFF => Script::None,
        0x2_0000.. => Script::EastAsian,
        // Scripts that take more than a block of 128, or share one, go by the block in which they begin.
        0x530..=0x58F => Script::Block(0x530),
        0x590..=0x5FF | 0xFB1D..=0xFB4F => Script::Block(0x590),
        0x600..=0x6FF | 0x750..=0x77F | 0x8A0..=0x8FF | 0xFB50..=0xFDFF | 0xFE70..=0xFEFF => {
            Script::Block(0x600)
        }
        0xF00..=0xFFF => Script::Block(0xF00),
        0x1000..=0x109F => Script::Block(0x1000),
        0x10A0..=0x10FF | 0x1C90..=0x1CBF | 0x2D00..=0x2D2F => Script::Block(0x10A0),
        0x1200..=0x139F | 0x2D80..=0x2DDF | 0xAB00..=0xAB2F => Script::Block(0x1200),
        0x13A0..=0x13FF | 0xAB70..=0xABBF => Script::Block(0x13A0),
        0x1400..=0x167F | 0x18B0..=0x18FF => Script::Block(0x1400),
        0x1800..=0x18AF => Script::Block(0x1800),
        0x1A20..=0x1AAF => Script::Block(0x1A20),
        0xA500..=0xA63F => Script::Block(0xA500),
        c => Script::Block((c & 0xFF80) as u16),
    }
}

/// In tenths of a nat or so, judged from what text of the world looks like.
/// `kind`: that of `c`.
pub(super) fn rarity(c: char, kind: Kind) -> u8 {
    match c {
        '\t' | '\n' | '\r' | ' '..='~' => 0,
        '\0'..='\x1F' | '\x7F' => 20,
        '\u{85}' | '\u{91}'..='\u{94}' | '\u{96}' | '\u{97}' => 33,
        '\u{80}'..='\u{9F}' => 60,
        '\u{A0}' => 5,
        '\u{AD}' => 12,
        '«' | '»' | '¿' | '¡' | '°' => 3,
        '©' | '®' | '£' | '§' | '±' | '²' | '³' | '½' | 'ª' | 'º' | 'µ' | '×' | '·' => 5,
        '´' | '¯' => 10,
        '¬' => 12,
        '\u{A2}'..='\u{BF}' | '÷' => 16,
        'ƒ' => 20,
        'ð' | 'þ' | 'ÿ' | 'ý' | 'À'..='Þ' => 2,
        'ß'..='ÿ' => 1,
        '\u{132}' | '\u{133}' | '\u{138}' | '\u{13F}' | '\u{140}' | '\u{149}' => 15,
        'ĉ' | 'Ĉ' | 'ĝ' | 'Ĝ' | 'ĥ' | 'Ĥ' | 'ĵ' | 'Ĵ' | 'ŝ' | 'Ŝ' | 'ŭ' | 'Ŭ' | 'ĩ' | 'Ĩ' | 'ť' | 'Ť'
        | 'ľ' | 'Ľ' | 'ŕ' | 'Ŕ' => 4,
        'œ' | 'Œ' => 5,
        'Ÿ' => 10,
        'ſ' => 90,
        '\u{100}'..='\u{17F}' => 2,
        'ơ' | 'Ơ' | 'ư' | 'Ư' => 3,
        'ș' | 'Ș' | 'ț' | 'Ț' => 2,
        'Ɓ' | 'ɓ' | 'Ɗ' | 'ɗ' | 'Ƙ' | 'ƙ' | 'Ƴ' | 'ƴ' | 'Ɛ' | 'ɛ' | 'Ɔ' | 'ɔ' => 2,
        'Ɖ' | 'Ə' | 'Ǝ' | 'ǝ' | 'Ɣ' | 'Ɩ' | 'Ɲ' | 'Ʋ' => 5,
        '\u{1CD}'..='\u{1DC}' | '\u{1E6}'..='\u{1E9}' | '\u{21E}' | '\u{21F}' => 6,
        '\u{180}'..='\u{24F}' => 30,
        'ə' | 'ʼ' | 'ʻ' => 2,
        'ɖ' | 'ɣ' | 'ɨ' | 'ɩ' | 'ɲ' | 'ɵ' | 'ʉ' | 'ʋ' | 'ɪ' | 'ʃ' | 'ʊ' | 'ʔ' => 4,
        '\u{250}'..='\u{2AF}' => 25,
        '\u{2B9}'..='\u{2BF}' | '\u{2C8}' | '\u{2CC}' | '\u{2D0}' => 8,
        '\u{2C6}' | '\u{2C7}' | '\u{2D8}'..='\u{2DD}' => 20,
        '\u{2B0}'..='\u{2FF}' => 15,
        '\u{300}'..='\u{30C}' => 4,
        // What small letters among capitals are on Macs: `MUÃ±OZ`.
        '\u{324}'..='\u{326}' | '\u{329}'..='\u{32C}' | '\u{32F}' | '\u{330}' => 25,
        '\u{30D}'..='\u{331}' | '\u{35C}'..='\u{361}' => 8,
        '\u{300}'..='\u{362}' => 15,
        '\u{363}'..='\u{36F}' => 30,
        '\u{384}' | '\u{386}'..='\u{3CE}' => 2,
        '\u{370}'..='\u{3FF}' => 25,
        '\u{400}'..='\u{45F}' => 2,
        '\u{460}'..='\u{489}' => 22,
        '\u{48A}'..='\u{52F}' => 5,
        '\u{5D0}'..='\u{5EA}' => 3,
        '\u{620}'..='\u{6FF}' if c.is_alphanumeric() => 3,
        '\u{1EA0}'..='\u{1EF9}' => 2,
        '\u{1E00}'..='\u{1E9F}' => 4,
        '\u{2010}'..='\u{2015}' | '‘' | '’' | '“' | '”' | '…' => 2,
        '‚' | '„' | '•' | '‹' | '›' | '†' => 5,
        '‡' | '‰' => 12,
        '\u{2028}' | '\u{2029}' | '\u{202A}'..='\u{202E}' => 25,
        '\u{200B}'..='\u{200F}' => 3,
        '\u{2000}'..='\u{206F}' => 10,
        '\u{2070}'..='\u{209F}' => 3,
        '€' => 5,
        '\u{20A0}'..='\u{20CF}' => 12,
        '™' | '№' => 5,
        '\u{2100}'..='\u{218F}' => 12,
        '\u{2190}'..='\u{21FF}' | '\u{25A0}'..='\u{27BF}' => 8,
        '\u{2200}'..='\u{24FF}' => 12,
        '\u{2500}'..='\u{259F}' => 5,
        '\u{3000}'..='\u{30FF}' | '\u{4E00}'..='\u{9FFF}' | '\u{AC00}'..='\u{D7A3}' => 3,
        '\u{3400}'..='\u{4DBF}' | '\u{F900}'..='\u{FAFF}' => 20,
        '\u{E000}'..='\u{F8FF}' => 45,
        '\u{FB00}'..='\u{FDFF}' | '\u{FE70}'..='\u{FEFE}' => 10,
        '\u{FEFF}' => 3,
        '\u{FE00}'..='\u{FE0F}' | '\u{FF00}'..='\u{FFEF}' => 6,
        '\u{FFFD}' => 8,
        '\u{FFF0}'..='\u{FFFF}' => 60,
        '\u{1F000}'..='\u{1FAFF}' => 5,
        '\u{20000}'..='\u{323AF}' => 20,
        '\u{10000}'.. => {
            if kind == Kind::Letter || is_alphanumeric(c, kind) {
                12
            } else {
                120
            }
        }
        '\u{2800}'..='\u{28FF}' => 20,
        _ if is_alphanumeric(c, kind) => 5,
        _ if matches!(kind, Kind::Letter | Kind::Mark) => 8,
        _ => 14,
    }
}

/// [`char::is_alphanumeric`], for less where the kind says it.
fn is_alphanumeric(c: char, kind: Kind) -> bool {
    matches!(kind, Kind::Lower | Kind::Upper) || c.is_alphanumeric()
}
