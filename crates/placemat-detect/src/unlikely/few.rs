//! Text of a line or two in which a few characters are surely UTF-8: `Fran\xC3\xA7ois, caf\xE9`.
#![forbid(unsafe_code)]

use super::{LIKELY, READINGS, written};
use crate::legacy;
use crate::second::is_of_every_script;

/// The place of C2 in a table.
const C2: usize = 0xC2 - 0x80;

/// Returns the encoding of the rest if most of the characters that are UTF-8 are so by no accident, and there is one for every eight
/// malformed sequences. Only encodings of Latin letters are named: letters of other scripts have these bytes in more places.
pub(super) fn beside_few(sample: &[u8]) -> Option<&'static str> {
    let (mut sure, mut marks, mut all, mut malformed) = (0, 0, 0, 0);
    let mut at = 0;
    for chunk in sample.utf8_chunks() {
        let is_torn = !chunk.invalid().is_empty();
        for run in chunk.valid().split_inclusive(|c: char| c.is_ascii()) {
            let run = run.trim_end_matches(|c: char| c.is_ascii());
            let before = sample[..at].last();
            let after = sample.get(at + run.len());
            let n = run.chars().count();
            all += n;
            if run.chars().all(is_mark) {
                // Two characters of Big5 are such a mark and bytes that are malformed.
                let is_torn = is_torn && after.is_some_and(|byte| !byte.is_ascii());
                let is_in_word = before.is_some_and(|byte| !byte.is_ascii() || byte.is_ascii_alphabetic());
                marks += if is_torn || is_in_word { 0 } else { n };
            } else if run.chars().all(|c| is_letter(c) || is_mark(c)) {
                sure += if is_in_word(before, after) { n } else { 0 };
            } else {
                sure += run.chars().filter(|c| is_symbol(*c)).count();
            }
            at += run.len() + usize::from(after.is_some_and(u8::is_ascii));
        }
        malformed += usize::from(is_torn);
        at += chunk.invalid().len();
    }
    let is_enough = |sure: usize| sure > 0 && 2 * sure > all && 8 * sure >= malformed;
    if !is_enough(sure + marks) {
        return None;
    }
    let (rest, _) = written(sample, &[None; 128]);
    let guesses = legacy::guesses(&rest, false);
    guesses.iter().take(READINGS).find_map(|guess| {
        let table = legacy::table(guess.encoding)?;
        // `Â` stands alone before no mark. In Cyrillic, C2 is `В`, which is a word.
        let sure = sure + if table[C2] == Some('Â') { marks } else { 0 };
        let is_latin = guess.reads_only(&rest, |c| !c.is_alphabetic() || c < '\u{250}');
        if !is_latin || !is_enough(sure) {
            return None;
        }
        let (text, _) = written(sample, table);
        let best = legacy::guesses(&text, false).into_iter().next()?;
        let is_it = best.malformed == 0 && best.confidence >= LIKELY;
        (is_it && legacy::table(best.encoding) == Some(table)).then_some(best.encoding)
    })
}

/// Not the numerals of U+2150 and after: in windows-1251 they read as `в…»`.
fn is_symbol(c: char) -> bool {
    is_of_every_script(c) && !matches!(c, '\u{2150}'..='\u{218F}')
}

/// A mark whose first byte is C2.
fn is_mark(c: char) -> bool {
    matches!(c, '\u{A0}'..='\u{BF}')
}

/// A letter whose first byte is C3, C4 or C5: a capital letter or no letter in encodings of Latin letters.
fn is_letter(c: char) -> bool {
    matches!(c, '\u{C0}'..='\u{17F}') && c.is_alphabetic()
}

/// Whether a small letter is beside the characters, and no other letter that is not ASCII. Nobody writes `garÃ§on` or `Ã©tait`, but
/// `AMANHÃ»` is possible.
fn is_in_word(before: Option<&u8>, after: Option<&u8>) -> bool {
    let beside = [before, after].into_iter().flatten();
    beside.clone().any(u8::is_ascii_lowercase) && beside.clone().all(|byte| *byte < 0xC0)
}

#[cfg(test)]
mod tests {
    use encoding_rs::{IBM866, KOI8_R, MACINTOSH, WINDOWS_1250, WINDOWS_1251, WINDOWS_1252};

    use super::beside_few;
    use crate::detect;

    #[test]
    fn one_character_of_utf8_in_a_line_is_seen() {
        for text in [
            &b"smart \x91quote\x92 and \xE2\x82\xAC\n"[..],
            b"Fran\xC3\xA7ois dit \x93un caf\xE9\x94\n",
            b"le gar\xC3\xA7on a mang\xE9 un g\xE2teau\n",
            b"\xC3\x89cole ferm\xE9e \x96 rentr\xE9e le 5\n",
            b"d\xE9j\xE0 pr\xEAt \xF0\x9F\x98\x80\n",
            b"\x93It was 36\xC2\xB0C\x94, said Ren\xE9\n",
        ] {
            assert_eq!(beside_few(text), Some("windows-1252"), "{}", text.escape_ascii());
            assert_eq!(detect(text, true).encoding.name(), "several encodings", "{}", text.escape_ascii());
        }
        let polish = [&WINDOWS_1250.encode("Zażółć gęślą jaźń, żółty jeż, ").0, "jaźń\n".as_bytes()].concat();
        assert_eq!(beside_few(&polish), Some("windows-1250"));
    }

    #[test]
    fn letters_and_marks_that_are_utf8_by_accident_are_none() {
        let one = |encoding: &'static encoding_rs::Encoding, text| encoding.encode(text).0.into_owned();
        for text in [
            one(WINDOWS_1251, "В\u{A0}2020 году было тепло"),
            one(WINDOWS_1251, "Он ушёл в…» и не вернулся"),
            one(WINDOWS_1251, "«В» и «Г»"),
            one(KOI8_R, "её дом, ещё её дом"),
            one(IBM866, "что это тут, мы этого не знаем"),
            one(WINDOWS_1252, "«ATÉ AMANHû, DISSE A IRMÃ… E O IRMÃO"),
            one(MACINTOSH, "l’été, c’est l’école"),
            b"title=\"\xC2\xA7\xAA\xAB\"".to_vec(),
            one(WINDOWS_1252, "Ça coûte 5 €, déjà payé"),
        ] {
            assert_eq!(beside_few(&text), None, "{}", text.escape_ascii());
        }
    }
}
