//! Finds lists of letters in a text: alphabets, classes of regular expressions, flags of dictionaries, tables for transliteration. A
//! guess relies on which letter follows which. In a list, that says nothing about the language.
#![forbid(unsafe_code)]

use crate::language::Prior;
use crate::legacy::{self, Guess};
use crate::unlikely::{LIKELY, UNLIKELY};

/// The fewest letters beyond ASCII in a word that is a list, if nearly all of its letters differ.
const HIGH: usize = 8;
/// The fewest letters in such a word if few are beyond ASCII: no real word has so many different ones.
const LONG: usize = 16;
/// The longest class of a regular expression.
const CLASS: usize = 64;
/// Up to this many letters beyond ASCII outside of lists are too few to judge.
const FEW: usize = 3;
/// The fewest letters in order that are an alphabet, and the confidence in an encoding that has it in order.
const ALPHABET: usize = 12;
const SURE: f32 = 0.8;
/// The highest strain of texts in a language: nearly all have at most 0.75.
const NATURAL: f32 = 0.78;
/// The strain from which on words of different letters may be lists.
const STRAINED: f32 = 0.9;

/// Judges a text once more, without its lists, if it looks like no language. Returns whether nearly all letters beyond ASCII are in
/// lists, and neither a declaration nor an alphabet decides.
pub(crate) fn judge_again(guesses: &mut Vec<Guess>, text: &[u8], whole: bool, prior: &Prior) -> bool {
    let Some(best) = guesses.first() else { return false };
    let is_contradicted = prior.declares(best.encoding) == Some(false);
    if best.strain <= NATURAL && !is_contradicted {
        return false;
    }
    let Some(rest) = without_lists(text, best.strain > STRAINED || is_contradicted) else { return false };
    let [others, all] = [&rest[..], text].map(|text| text.iter().filter(|byte| !byte.is_ascii()).count());
    if others <= FEW && all > 2 * others {
        return !prefer_declared(guesses, prior) && !prefer_alphabet(guesses, text);
    }
    // If the lists have hardly any letter beyond ASCII, they do not matter.
    if others <= FEW || others == all {
        return false;
    }
    let mut again = legacy::guesses_after(&rest, whole, prior);
    for guess in &mut again {
        if let Some(first) = guesses.iter().find(|first| first.encoding == guess.encoding) {
            (guess.malformed, guess.is_faulty) = (first.malformed, first.is_faulty);
        }
    }
    let Some(better) = again.first() else { return false };
    if is_contradicted && better.strain > NATURAL {
        prefer_declared(guesses, prior);
        return false;
    }
    if better.confidence >= LIKELY && better.strain <= best.strain.max(STRAINED) && !better.is_faulty {
        *guesses = again;
    } else if better.encoding != best.encoding && others * 4 <= all {
        guesses.iter_mut().for_each(|guess| guess.confidence = guess.confidence.min(UNLIKELY));
    }
    false
}

/// Puts the guess first that the text declares, where nothing else decides. Returns whether there is one.
pub(crate) fn prefer_declared(guesses: &mut [Guess], prior: &Prior) -> bool {
    let Some(at) = guesses.iter().position(|guess| is_declared(guess, prior)) else { return false };
    prefer(guesses, at);
    true
}

/// Whether the text declares the encoding of this guess, and can be read in it.
pub(crate) fn is_declared(guess: &Guess, prior: &Prior) -> bool {
    prior.declares(guess.encoding) == Some(true) && !guess.is_faulty
}

/// Puts the guess first that reads the longest alphabet. Returns whether there is one.
fn prefer_alphabet(guesses: &mut [Guess], text: &[u8]) -> bool {
    let alphabets = guesses.iter().map(|guess| guess.alphabet(text)).enumerate();
    // Reversed, so that the first of the longest wins.
    let longest = alphabets.rev().max_by_key(|(_, letters)| *letters);
    let Some((at, _)) = longest.filter(|(_, letters)| *letters >= ALPHABET) else { return false };
    prefer(guesses, at);
    true
}

fn prefer(guesses: &mut [Guess], at: usize) {
    legacy::put_first(guesses, at);
    guesses.iter_mut().for_each(|guess| guess.confidence = guess.confidence.min(1.0 - SURE));
    guesses[0].confidence = SURE;
}

/// Returns the text with spaces in place of the letters of its lists, if it has any.
fn without_lists(text: &[u8], are_words_lists: bool) -> Option<Vec<u8>> {
    let mut rest = text.to_vec();
    let words = rest.chunk_by_mut(|a, b| is_letter(*a) == is_letter(*b));
    words.filter(|word| are_words_lists && is_list(word)).for_each(|list| list.fill(b' '));
    let mut at = 0;
    while let Some(start) = rest[at..].iter().position(|&byte| byte == b'[').map(|found| at + found + 1) {
        let class = &rest[start..rest.len().min(start + CLASS)];
        let end = class.iter().position(|&byte| byte == b']' || byte.is_ascii_whitespace());
        at = start + end.filter(|end| class[*end] == b']').unwrap_or(0);
        rest[start..at].fill(b' ');
    }
    (rest != text).then_some(rest)
}

/// Whether a word is a list: nearly all of its letters differ, and it has more of them than a real word.
fn is_list(word: &[u8]) -> bool {
    let high = word.iter().filter(|byte| !byte.is_ascii()).count();
    if high == 0 || high < HIGH && word.len() < LONG {
        return false;
    }
    let mut seen = [false; 256];
    word.iter().for_each(|&byte| seen[usize::from(byte)] = true);
    let different = seen.iter().filter(|seen| **seen).count();
    different * 16 >= word.len() * 15
}

fn is_letter(byte: u8) -> bool {
    !byte.is_ascii() || byte.is_ascii_alphabetic()
}

#[cfg(test)]
mod tests {
    use crate::{Encoding, detect};

    /// A table that many PHP programs have.
    const TABLE: &str = "$s = strtr($s, 'ÀÁÂÃÄÅàáâãäåÒÓÔÕÖØòóôõöøÈÉÊËèéêëÇçÌÍÎÏìíîïÙÚÛÜùúûüÿÑñ', $ascii);\n";
    const TEXT: &str =
        "// Écrit par François Lefèvre, été 2004 ; à réviser. Les clés déjà connues sont ôtées.\n";

    fn named(text: &[u8]) -> &'static str {
        detect(text, true).encoding.name()
    }

    fn windows_1252(text: &str) -> Vec<u8> {
        encoding_rs::WINDOWS_1252.encode(text).0.into_owned()
    }

    #[test]
    fn a_text_is_judged_without_its_lists() {
        let text = [TABLE, TEXT, "preg_match('/[^a-zàâäçèéêëîïñöóûü]+/', $s);\n"].concat();
        assert_eq!(named(&windows_1252(&text)), "windows-1252");
        let dictionary = "TRY earnstilkogdmupvfbjøyhåæcSzBéwêHATMKFGLNREVxôODòPèCJIUWqØÅóYQçZüäXÄþë\n\
            SFX t 0 ing [aiouyøå]\nPFX l 0 på .\nSFX k gjøre gjør e\nSFX n 0 måte .\nSFX p 0 vær e\n";
        assert_eq!(named(&windows_1252(dictionary)), "windows-1252");
    }

    #[test]
    fn what_a_text_says_counts_where_it_has_lists_only() {
        let list = "àáâãäåæçèéêëìíîïðñòóôõöøùúûüýþßÿ";
        let affixes = format!(
            "SET ISO8859-1\nTRY esianrtolc-ëéèêïîäàâöüû'ESI\n\nFOL  {list}\nLOW  {list}\nMAP uùúûü\nMAP yÿý\nMAP sß\n"
        );
        assert_eq!(named(&windows_1252(&affixes)), "windows-1252");
    }

    #[test]
    fn what_a_text_says_counts_where_each_letter_stands_alone() {
        for (encoding, letters) in [
            (encoding_rs::ISO_8859_2, "šŠđĐžŽćĆčČłŁęĘąĄőŐűŰ"),
            (encoding_rs::WINDOWS_1251, "абвгдежзийклмнопрстуфхцчшщъыьэюя"),
        ] {
            let keys: String = letters.chars().map(|c| format!("<M-{}>\t{c}\n", u32::from(c) % 26)).collect();
            let named = |head: &str| named(&encoding.encode(&format!("{head}{keys}")).0);
            assert_eq!(named(""), "unknown", "{letters}");
            let head = format!("scriptencoding {}\n", encoding.name().to_ascii_lowercase());
            assert!(named(&head).eq_ignore_ascii_case(encoding.name()), "{letters}");
        }
    }

    #[test]
    fn brackets_without_letters_beyond_ascii_are_no_lists() {
        let text =
            "int main(int argc, char *argv[])\n{ Déclarations privées }\nif (line[0] == '#') [see below]\n";
        assert_eq!(named(&windows_1252(text)), "windows-1252");
    }

    #[test]
    fn a_list_by_itself_is_in_no_known_encoding() {
        for list in [TABLE, "Additional: àâäçèéêëîïñöóûüÀÂÄÇÈÉÊËÎÏÑÖÓÛÜ\n"] {
            assert_eq!(detect(&windows_1252(list), true).encoding, Encoding::Unknown, "{list}");
        }
    }

    #[test]
    fn an_alphabet_is_in_the_encoding_that_has_it_in_order() {
        const RUSSIAN: &str = "абвгдежзийклмнопрстуфхцчшщъыьэюя\n";
        const GREEK: &str = "ΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩ\n";
        for (encoding, alphabet) in [
            (encoding_rs::WINDOWS_1251, RUSSIAN),
            (encoding_rs::KOI8_R, RUSSIAN),
            (encoding_rs::IBM866, RUSSIAN),
            (encoding_rs::ISO_8859_5, RUSSIAN),
            (encoding_rs::WINDOWS_1253, GREEK),
        ] {
            let found = named(&encoding.encode(alphabet).0);
            assert!(found.eq_ignore_ascii_case(encoding.name()), "{} as {found}", encoding.name());
        }
    }
}
