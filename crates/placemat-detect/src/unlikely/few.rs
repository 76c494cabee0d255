//! Text of a line or two in which a few characters are surely UTF-8: `Fran\xC3\xA7ois, caf\xE9`.
#![forbid(unsafe_code)]

use super::{LIKELY, rest_beside};
use crate::legacy;
use crate::second::is_of_every_script;

/// The place of C2 in a table.
const C2: usize = 0xC2 - 0x80;

/// Returns the encoding of the rest if most of the characters that are UTF-8 are so by no accident, and there is one for every eight
/// malformed sequences. Only encodings of Latin letters are named: letters of other scripts have these bytes in more places.
pub(super) fn beside_few(sample: &[u8]) -> Option<&'static str> {
    let (mut sure, mut marks, mut all, mut malformed) = (0, 0, 0, 0);
    let mut at = 0;
    for run in sample.chunk_by(|a, b| a.is_ascii() == b.is_ascii()) {
        let start = at;
        at += run.len();
        if run.is_ascii() {
            continue;
        }
        let (mut torn, mut good, mut signs, mut letters, mut symbols) = (0, 0, 0, 0, 0);
        for c in String::from_utf8_lossy(run).chars() {
            let is_torn = c == char::REPLACEMENT_CHARACTER;
            torn += usize::from(is_torn);
            good += usize::from(!is_torn);
            signs += usize::from(matches!(c, '\u{A0}'..='\u{BF}'));
            letters += usize::from(is_letter(c));
            symbols += usize::from(is_symbol(c));
        }
        let beside =
            [start.checked_sub(1).map_or(b' ', |before| sample[before]), *sample.get(at).unwrap_or(&b' ')];
        all += good;
        malformed += torn;
        // Nobody writes `garÃ§on` or `Ã©tait`, but `AMANHÃ»` is possible. In Big5, C2 begins a character of two bytes.
        if letters > 0 && letters + signs == good && torn <= good {
            sure += if beside.iter().any(u8::is_ascii_lowercase) { good } else { 0 };
        } else if signs == good && torn == 0 && !beside[0].is_ascii_alphabetic() {
            marks += good;
        } else {
            sure += symbols;
        }
    }
    let is_enough = |sure: usize| sure > 0 && 2 * sure > all && 8 * sure >= malformed;
    if !is_enough(sure + marks) {
        return None;
    }
    rest_beside(sample, LIKELY, &|guess, rest, _| {
        // `Â` stands alone before no mark. In Cyrillic, C2 is `В`, which is a word.
        let has_capital = legacy::table(guess.encoding).is_some_and(|table| table[C2] == Some('Â'));
        let marks = if has_capital { marks } else { 0 };
        is_enough(sure + marks) && guess.reads_only(rest, |c| !c.is_alphabetic() || c < '\u{250}')
    })
}

/// Not the numerals of U+2150 and after: in windows-1251 they read as `в…»`.
fn is_symbol(c: char) -> bool {
    is_of_every_script(c) && !matches!(c, '\u{2150}'..='\u{218F}')
}

/// A letter whose first byte is C3, C4 or C5: a capital letter or no letter in encodings of Latin letters.
fn is_letter(c: char) -> bool {
    matches!(c, '\u{C0}'..='\u{17F}') && c.is_alphabetic()
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
