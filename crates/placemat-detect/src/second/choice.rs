//! Decides which encoding the runs of a mixed text are in.
//!
//! A wrong reading is worse than none. If few bytes decide, they must be read as characters that the well-formed lines have.
#![forbid(unsafe_code)]

use encoding_rs::{Encoding, WINDOWS_1252};

use super::{Mixed, Second};
use crate::language::Prior;
use crate::legacy::{self, Guess};

/// The least confidence that is sure.
const SURE: f32 = 0.6;
/// Like [`SURE`], for one byte, whose confidence is never above 0.6, and for two bytes, whose confidence is never above 0.68.
const SURE_OF_ONE: f32 = 0.58;
const SURE_OF_TWO: f32 = 0.64;
/// Like [`SURE`], if windows-1252 reads only letters that the well-formed lines have.
const SURE_OF_LETTERS: f32 = 0.5;
/// Like [`SURE`], if the best encoding reads only letters of the well-formed lines, and no other reads only characters of them.
const SURE_OF_ALONE: f32 = 0.35;
/// Marks of the well-formed lines, as many before words as after them, are windows-1252 unless another encoding is more than this many
/// times as likely.
const TIMES: f32 = 4.0;
/// The highest confidence in either of two readings between which nothing decides.
const TIE: f32 = 0.5;

/// Returns the encoding of `runs`, each of which ends with a line feed.
pub(super) fn of(mixed: &Mixed, runs: &[u8]) -> Option<Second> {
    let prior = Prior::of(&mixed.good);
    let guesses = legacy::guesses_after(runs, true, &prior);
    let best = guesses.first()?;
    let confidence = if best.malformed > may_be_malformed(best, runs) { 0.0 } else { best.confidence };
    if runs.iter().all(|byte| byte.is_ascii() || *byte == ERASED) {
        return Some(Second {
            encoding: best.encoding,
            language: best.language,
            confidence: 0.0,
            is_sure: false,
        });
    }
    let second = |encoding, is_sure| Some(Second { encoding, language: best.language, confidence, is_sure });
    if has_rival(mixed, runs, &guesses) {
        let confidence = TIE.min(confidence);
        return Some(Second { encoding: best.encoding, language: best.language, confidence, is_sure: false });
    }
    let western = guesses.iter().find(|guess| guess.encoding == "windows-1252");
    if let Some(western) = western.filter(|_| mixed.is_western()) {
        if western.alike {
            let are_known = knows(mixed, runs, char::is_alphabetic);
            return second("windows-1252", confidence >= if are_known { SURE_OF_LETTERS } else { SURE });
        }
        if are_quotes(mixed, runs) && western.confidence * TIMES >= confidence {
            return second("windows-1252", true);
        }
    }
    let has_cedillas = "şţŞŢ".chars().any(|c| mixed.knows(c)) && !"șțȘȚ".chars().any(|c| mixed.knows(c));
    if best.language == "Romanian" && !has_cedillas && is_any_romanian(runs, best.encoding) {
        let confidence = TIE.min(confidence);
        return Some(Second {
            encoding: "windows-1250",
            language: best.language,
            confidence,
            is_sure: false,
        });
    }
    let is_mark = |c| mixed.knows(c) || is_common_mark(c);
    if best.letters(runs) == 0 && !best.reads_only(runs, is_mark) {
        return second(best.encoding, false);
    }
    let has_one_byte = has_one_byte_characters(best);
    let enough = match runs.iter().filter(|byte| !byte.is_ascii()).count() {
        _ if reads_alone(mixed, runs, &guesses) => SURE_OF_ALONE,
        // Half an East Asian character may as well be a European letter: `M\xFCller`.
        1 if best.letters(runs) == 0 || !has_one_byte => return second(best.encoding, false),
        1 => SURE_OF_ONE,
        2 => SURE_OF_TWO,
        _ => SURE,
    };
    // The remains of damaged ideographs often read as letters of an alphabet that has nothing to do with them.
    let is_expected = match prior.is_east_asian() {
        true => {
            !has_one_byte || best.reads_only(runs, |c| !c.is_alphabetic() || c < '\u{250}' || mixed.knows(c))
        }
        false => has_one_byte,
    };
    second(best.encoding, is_expected && confidence >= enough)
}

/// The byte of erased memory. By itself it is no evidence of an encoding, though it is a no-break space in some and a letter in others.
const ERASED: u8 = 0xFF;

/// How many malformed sequences an encoding with two bytes per character may have: a character in each run may be cut, if there are many others.
fn may_be_malformed(best: &Guess, runs: &[u8]) -> u64 {
    let lines = runs.iter().filter(|byte| **byte == b'\n').count();
    let characters = best.letters(runs) / 2;
    if has_one_byte_characters(best) { 0 } else { lines.min(characters / MANY) as u64 }
}

/// How many characters an East Asian text must have for one of them to be cut.
const MANY: usize = 8;

/// Marks that running text has, and not only tables and drawings: those of Latin-1, quotation marks, dashes, currency signs.
fn is_common_mark(c: char) -> bool {
    matches!(c, '\u{A1}'..='\u{BF}' | '\u{2010}'..='\u{203A}' | '€' | '™' | '№')
}

/// The least confidence of a rival.
const RIVAL: f32 = 0.01;

/// Whether another reading has only characters that the well-formed lines have, and the best reading has others too. Or whether the two
/// are windows-1251 and Mac Cyrillic: they have the small letters of Russian in the same places, so only a mark or a capital tells them
/// apart.
fn has_rival(mixed: &Mixed, runs: &[u8], guesses: &[Guess]) -> bool {
    let knows = |c| mixed.knows(c);
    let are_alike = |a: &Guess, b: &Guess| {
        (a.encoding, b.encoding) == ("windows-1251", "x-mac-cyrillic")
            || (a.encoding, b.encoding) == ("x-mac-cyrillic", "windows-1251")
    };
    let Some((best, others)) = guesses.split_first() else { return false };
    let is_known = best.reads_only(runs, knows);
    others
        .iter()
        .take_while(|other| other.confidence >= RIVAL)
        .any(|other| !other.alike && (!is_known || are_alike(best, other)) && other.reads_only(runs, knows))
}

/// Whether the best reading has only letters that the well-formed lines have, and no other reading has only characters of these lines.
fn reads_alone(mixed: &Mixed, runs: &[u8], guesses: &[Guess]) -> bool {
    let Some((best, others)) = guesses.split_first() else { return false };
    best.reads_only(runs, |c| c.is_alphabetic() && mixed.knows(c))
        && !others.iter().any(|other| !other.alike && other.reads_only(runs, |c| mixed.knows(c)))
}

/// Whether every character beyond ASCII that windows-1252 reads is of a kind, and in the well-formed lines.
fn knows(mixed: &Mixed, runs: &[u8], is_of_kind: fn(char) -> bool) -> bool {
    let text = WINDOWS_1252.decode_without_bom_handling(runs).0;
    text.chars().all(|c| c.is_ascii() || is_of_kind(c) && mixed.knows(c))
}

/// Whether every character beyond ASCII that windows-1252 reads is a mark of the well-formed lines, with as many before words as after
/// them.
fn are_quotes(mixed: &Mixed, runs: &[u8]) -> bool {
    let text = WINDOWS_1252.decode_without_bom_handling(runs).0;
    let mut open = 0;
    let mut marks = text.split_whitespace().filter(|word| !word.is_ascii());
    let are_outside = marks.all(|word| {
        open += i32::from(!word.starts_with(|c: char| c.is_ascii()));
        let inside = word.trim_matches(|c: char| !c.is_ascii_alphanumeric());
        let end = word.trim_start_matches(|c: char| !c.is_ascii_alphanumeric());
        open -= i32::from(!end.is_ascii());
        inside.is_ascii()
    });
    are_outside && open == 0 && knows(mixed, runs, |c| !c.is_alphabetic())
}

/// Ş ş Ţ ţ in windows-1250 and ISO 8859-2, Ș ș Ț ț in ISO 8859-16.
const WITH_COMMA: [u8; 4] = [0xAA, 0xBA, 0xDE, 0xFE];

/// Whether the encoding is decided only by letters that Romanian has with a cedilla in two encodings and with a comma in the third:
/// people write both. Only windows-1250 has marks below A0.
fn is_any_romanian(runs: &[u8], encoding: &str) -> bool {
    let is_certain = encoding == "windows-1250" && runs.iter().any(|byte| (0x80..0xA0).contains(byte));
    !is_certain && runs.iter().any(|byte| WITH_COMMA.contains(byte))
}

fn has_one_byte_characters(guess: &Guess) -> bool {
    Encoding::for_label(guess.encoding.as_bytes()).is_none_or(Encoding::is_single_byte)
}
