//! What two characters side by side cost, whatever stands before them.
#![forbid(unsafe_code)]

use super::super::letters::{Kind, Look, Script};

/// Two letters of which no language has both.
pub(super) fn apart(last: &Look, next: &Look) -> i32 {
    let is_apart = last.tongues != 0 && next.tongues != 0 && last.tongues & next.tongues == 0;
    if is_apart { 23 } else { 0 }
}

/// A mark on a letter: the common ones stand on letters with case.
pub(super) fn marked(letter: Script, mark: Script) -> i32 {
    match (letter, mark) {
        (Script::None | Script::Latin | Script::Greek | Script::Cyrillic, Script::None) => 0,
        (_, Script::None) => 25,
        _ => mixed(letter, mark),
    }
}

/// Two scripts in one word.
pub(in crate::mojibake) fn mixed(a: Script, b: Script) -> i32 {
    match (a, b) {
        (Script::None, _) | (_, Script::None) => 0,
        _ if a == b => 0,
        (Script::EastAsian, Script::Latin) | (Script::Latin, Script::EastAsian) => 5,
        (Script::Greek, Script::Latin) | (Script::Latin, Script::Greek) => 25,
        _ => 35,
    }
}

/// Two characters that are not letters.
pub(super) fn signs(a: Kind, b: Kind) -> i32 {
    use Kind::{
        Ascii, Ask, Close, Digit, Ellipsis, Formula, Frame, Guillemet, Link, NoBreakSpace, Odd, Open, Other,
        Quote, Root, Sign, SoftHyphen, Space, Trade,
    };
    match (a, b) {
        (NoBreakSpace, Space) | (Space, NoBreakSpace) => 10,
        (SoftHyphen, _) => 20,
        (_, SoftHyphen) => 15,
        // ï»¿, the mark of UTF-8.
        (Close, Ask) => 26,
        (Close, Guillemet) => 14,
        // má»™t, Tá»±, thá»©, sá»‘: một, Tự, thứ, số.
        (Close, Trade | Odd) => 12,
        (Close, Sign | Link) => 10,
        (Close, Quote) => 13,
        (Open, Open) => 10,
        (Ask, Ascii | Ask) => 0,
        (Ask, Space) => 5,
        (Ask, _) => 10,
        (Space | Digit | Ascii, _) | (_, Space | Digit | Ascii) => 0,
        (Frame, Frame) | (Other, Other) => 0,
        // ├¿, ├®: what comes behind a line of a frame is a space, or more of the frame.
        (Frame, Ask) => 25,
        (Frame, Sign | Trade) => 20,
        (Frame, _) | (_, Frame) => 15,
        // √© is no root.
        (Root, _) => 20,
        (Formula, _) | (_, Formula | Root) => 4,
        (Odd, Odd) => 5,
        (Odd, Sign) | (Sign, Odd | Sign) => 14,
        (Link | Ellipsis, Odd) => 10,
        (Sign, Quote) => 8,
        (Odd | Sign, _) | (_, Odd | Sign) => 5,
        _ => 2,
    }
}
