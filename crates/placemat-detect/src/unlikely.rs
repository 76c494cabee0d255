//! Texts for which no encoding is likely: lists of letters, and several encodings in one text.
#![forbid(unsafe_code)]

mod few;

use self::few::beside_few;
use crate::language::is_east_asian;
use crate::legacy::{self, Guess};
use crate::second::fields::is_delimiter;

/// The least confidence of a verdict. Below it the encoding is [`Encoding::Unknown`](crate::Encoding::Unknown) or
/// [`Encoding::Several`](crate::Encoding::Several).
pub const LIKELY: f32 = 0.3;

/// The highest confidence of a candidate when there is no verdict.
pub(crate) const UNLIKELY: f32 = 0.25;

/// The fewest letters, and the fewest different ones, of a table.
const FEWEST: u32 = 10;

/// This many different letters are a table, however often each occurs.
const MANY: usize = 20;

/// Whether the bytes from 80 up are letters that stand alone, each about as often as any other: a table of letters, such as a keyboard
/// map. A guess relies on which letter follows which, and a table says nothing about that.
pub(crate) fn is_table_of_letters(sample: &[u8]) -> bool {
    let is_letter = |at: Option<&u8>| at.is_some_and(|byte| !byte.is_ascii() || byte.is_ascii_alphabetic());
    let mut occurrences = [0_u32; 256];
    let (mut all, mut joined) = (0_u32, 0_u32);
    for (at, byte) in sample.iter().enumerate().filter(|(_, byte)| !byte.is_ascii()) {
        occurrences[usize::from(*byte)] += 1;
        all += 1;
        let before = at.checked_sub(1).and_then(|before| sample.get(before));
        joined += u32::from(is_letter(before) || is_letter(sample.get(at + 1)));
    }
    let different = occurrences.iter().filter(|count| **count > 0).count();
    if all < FEWEST || joined * 10 > all || different < FEWEST as usize {
        return false;
    }
    // No text has so many words of one letter.
    if different >= MANY {
        return true;
    }
    // The chance that two of them are the same, times the number of different letters. It is 1 if all are equally frequent, 1.2 to 3 in
    // languages, 0 if each occurs once, and 2/3 if each occurs three times.
    let same: f64 = occurrences.iter().map(|&count| f64::from(count) * (f64::from(count) - 1.0)).sum();
    let pairs = f64::from(all) * (f64::from(all) - 1.0);
    same / pairs * (different as f64) < 0.6
}

/// The number of stretches that are judged by themselves, at most.
const STRETCHES: usize = 16;
/// The fewest bytes from 80 up in a stretch.
const LEAST: usize = 24;

/// Whether parts of the text are surely in different encodings, UTF-8 among them.
pub(crate) fn are_several(sample: &[u8]) -> bool {
    let mut seen: Option<&str> = None;
    // A text of one stretch, as most short texts are, is in one encoding at most, and need not be judged again.
    if stretches(sample).nth(1).is_none() {
        return false;
    }
    for stretch in stretches(sample) {
        let Some(name) = sure(stretch) else { continue };
        match seen {
            // Encodings that read a stretch alike are one.
            Some(first) if first != name && !reads(first, stretch) => return true,
            _ => seen = seen.or(Some(name)),
        }
    }
    false
}

/// The fewest characters beyond ASCII that lines of UTF-8 have together. By accident, no line has so many.
const CHARACTERS: usize = 8;
/// From this many East Asian characters in these lines, the others may be in a multi-byte encoding. A line of two or three Chinese
/// characters in GBK is sometimes UTF-8 by accident, but then reads as other characters.
const EAST_ASIAN: usize = 4;

/// Returns the encoding of the lines that are not UTF-8, judged without those that are. If so much is UTF-8 that it is no accident, the
/// encoding must be sure; otherwise it must be likely and have no malformed sequence. Of 76,000 lines of names and sentences in 27
/// legacy encodings, six are UTF-8 by accident. If `is_best` says that all lines are likely in that encoding, a few lines of UTF-8 are
/// not reported. If no line beyond ASCII is UTF-8, fields are judged in the same way. They are more often UTF-8 by accident.
pub(crate) fn beside_utf8(sample: &[u8], is_best: impl Fn(&str) -> bool) -> Option<&'static str> {
    beside_many(sample, is_best).or_else(|| beside_few(sample))
}

fn beside_many(sample: &[u8], is_best: impl Fn(&str) -> bool) -> Option<&'static str> {
    let lines = Parted::by(sample, |byte| byte == b'\n');
    if lines.utf8 > 0 {
        return beside_letters(sample).or_else(|| {
            lines.other(|lines, best| {
                let is_utf8 = lines.utf8 > 1
                    && (lines.utf8 >= 2 * lines.may_be && lines.characters >= CHARACTERS
                        || lines.long > 1 && 8 * lines.long >= lines.may_be);
                let is_sure = is_utf8 && is_sure(best) && !are_several(&lines.other);
                let is_possible = lines.east_asian >= EAST_ASIAN || best.reads_only(b"", |_| true);
                let is_worth = || 8 * lines.utf8 >= lines.others || !is_best(best.encoding);
                is_sure || is_possible && is_likely(best) && is_worth()
            })
        });
    }
    let fields = Parted::by(sample, |byte| byte == b'\n' || is_delimiter(byte));
    let is_utf8 = fields.utf8 >= FIELDS && fields.characters > CHARACTERS && 3 * fields.utf8 >= fields.others;
    let other = if is_utf8 { fields.other(|_, best| is_likely(best)) } else { None };
    other.or_else(|| beside_letters(sample))
}

/// The fewest letters beyond ASCII in UTF-8, if only words or letters of words are UTF-8.
const LETTERS: usize = 4;

/// The number of readings of the rest that are tried.
const READINGS: usize = 3;

/// Returns the encoding of the rest if words, or letters of words, are UTF-8: with these written in it, all of the text is likely in
/// it. Of 2,703 texts in one encoding, none passes by accident.
fn beside_letters(sample: &[u8]) -> Option<&'static str> {
    let text = String::from_utf8_lossy(sample);
    let (mut all, mut malformed) = (0, 0);
    for c in text.chars() {
        malformed += usize::from(c == char::REPLACEMENT_CHARACTER);
        all += usize::from(is_letter(c));
    }
    if all < LETTERS || 8 * all < malformed {
        return None;
    }
    rest_beside(sample, 0.5, &|_, _, letters| {
        letters >= LETTERS && 8 * letters >= malformed && 10 * letters >= 7 * all
    })
}

type Table = [Option<char>; 128];

/// Returns the encoding of what is not UTF-8, if all of the text is in it with at least this confidence once the rest is written in it.
/// `is_enough` judges a guess, what is not UTF-8, and the number of letters that were written.
fn rest_beside(
    sample: &[u8],
    least: f32,
    is_enough: &dyn Fn(&Guess, &[u8], usize) -> bool,
) -> Option<&'static str> {
    let (rest, _) = written(sample, &[None; 128]);
    let guesses = legacy::guesses(&rest, false);
    let tables = guesses.iter().map_while(|guess| Some((guess, legacy::table(guess.encoding)?)));
    // The first encoding that fits wins: letters written in it cannot decide between encodings that have the same letters.
    tables.take(READINGS).find_map(|(guess, table)| {
        let (text, letters) = written(sample, table);
        if !is_enough(guess, &rest, letters) {
            return None;
        }
        let best = legacy::guesses(&text, false).into_iter().next()?;
        let is_likely = best.confidence >= least && best.malformed == 0;
        (is_likely && legacy::table(best.encoding) == Some(table)).then_some(best.encoding)
    })
}

fn is_letter(c: char) -> bool {
    !c.is_ascii() && c.is_alphabetic()
}

/// Returns the text with its UTF-8 characters beyond ASCII as bytes of another encoding, or spaces if it lacks them, and how many
/// letters it has.
fn written(sample: &[u8], table: &Table) -> (Vec<u8>, usize) {
    let (mut text, mut letters) = (Vec::with_capacity(sample.len()), 0);
    for chunk in sample.utf8_chunks() {
        for c in chunk.valid().chars() {
            if c.is_ascii() {
                text.push(c as u8);
                continue;
            }
            let at = table.iter().position(|at| *at == Some(c));
            letters += usize::from(c.is_alphabetic() && at.is_some());
            text.push(at.map_or(b' ', |at| 0x80 | at as u8));
        }
        text.extend_from_slice(chunk.invalid());
    }
    (text, letters)
}

/// The fewest fields in UTF-8, if no line is.
const FIELDS: usize = 3;

/// Parts of a text, by whether they are UTF-8.
#[derive(Default)]
struct Parted {
    /// The number of parts in UTF-8 and of those that are surely no accident, and the numbers of their characters beyond ASCII and of
    /// the East Asian ones.
    utf8: usize,
    long: usize,
    characters: usize,
    east_asian: usize,
    /// The number of other parts, and of those that may be UTF-8 but for some bytes.
    others: usize,
    may_be: usize,
    other: Vec<u8>,
}

impl Parted {
    fn by(sample: &[u8], is_end: fn(u8) -> bool) -> Parted {
        let mut parted = Parted::default();
        for part in sample.split_inclusive(|&byte| is_end(byte)).filter(|part| !part.is_ascii()) {
            if let Ok(text) = str::from_utf8(part) {
                let count = text.chars().filter(|c| !c.is_ascii()).count();
                parted.utf8 += 1;
                parted.long += usize::from(count >= CHARACTERS);
                parted.characters += count;
                parted.east_asian += text.chars().filter(|&c| is_east_asian(c)).count();
            } else {
                // A lone byte from 80 up amid ASCII is not UTF-8. If all of these parts have one, no part can be UTF-8 by accident.
                let mut runs = part.split(u8::is_ascii);
                parted.others += 1;
                parted.may_be += usize::from(runs.all(|run| run.len() != 1));
                parted.other.extend_from_slice(part);
            }
        }
        parted
    }

    /// The encoding of the other parts, if `is_enough` accepts it.
    fn other(&self, is_enough: impl Fn(&Parted, &Guess) -> bool) -> Option<&'static str> {
        let best = legacy::guesses(&self.other, false).into_iter().next()?;
        is_enough(self, &best).then_some(best.encoding)
    }
}

fn is_likely(guess: &Guess) -> bool {
    guess.confidence >= 0.5 && guess.malformed == 0
}

/// The encoding of a stretch, if that is sure.
fn sure(stretch: &[u8]) -> Option<&'static str> {
    if str::from_utf8(stretch).is_ok() {
        return Some("utf-8");
    }
    let best = legacy::guesses(stretch, false).into_iter().next()?;
    is_sure(&best).then_some(best.encoding)
}

fn is_sure(guess: &Guess) -> bool {
    guess.confidence >= 0.7 && !guess.is_faulty
}

/// Whether a stretch may be in an encoding.
fn reads(encoding: &str, stretch: &[u8]) -> bool {
    let guesses = legacy::guesses(stretch, false);
    guesses.iter().any(|guess| guess.encoding == encoding && (guess.alike || guess.confidence > 0.02))
}

/// Splits the text into stretches of whole lines, each with enough bytes from 80 up.
fn stretches(sample: &[u8]) -> impl Iterator<Item = &[u8]> {
    let high = |bytes: &[u8]| bytes.iter().filter(|byte| !byte.is_ascii()).count();
    let wanted = LEAST.max(high(sample).div_ceil(STRETCHES));
    let mut rest = sample;
    core::iter::from_fn(move || {
        let mut end = 0;
        let mut seen = 0;
        while seen < wanted && end < rest.len() {
            let line =
                rest[end..].iter().position(|&byte| byte == b'\n').map_or(rest.len(), |at| end + at + 1);
            seen += high(&rest[end..line]);
            end = line;
        }
        let (stretch, after) = rest.split_at(end);
        rest = after;
        (seen >= LEAST).then_some(stretch)
    })
}

#[cfg(test)]
mod tests {
    use encoding_rs::{KOI8_R, SHIFT_JIS, WINDOWS_1251, WINDOWS_1252};

    use super::*;

    const RUSSIAN: &str = "Съешь же ещё этих мягких французских булок, да выпей чаю.\n";
    const JAPANESE: &str = "ファイルを開くことができません。設定の確認\n";
    const FRENCH: &str = "Déjà vu : été, forêt, garçon, où êtes-vous passé ? À bientôt, élève zélé.\n";

    fn table(letters: &str, times: usize) -> Vec<u8> {
        let rows = letters.chars().map(|c| format!("k\t{c}\t\" a key\n"));
        let text: String = rows.collect::<String>().repeat(times);
        WINDOWS_1251.encode(&text).0.into_owned()
    }

    #[test]
    fn a_table_has_its_letters_alone_and_each_about_as_often() {
        assert!(is_table_of_letters(&table("абвгдежзийклмнопрстуфхцчшщъыьэюя", 1)));
        assert!(is_table_of_letters(&table("абвгдежзийклмнопрстуфхцчшщъыьэюя", 2)));
        assert!(!is_table_of_letters(&table("абвгдабабаабабв", 1)));
        for text in [RUSSIAN, FRENCH] {
            let (bytes, _, _) = if text == RUSSIAN { KOI8_R } else { WINDOWS_1252 }.encode(text);
            assert!(!is_table_of_letters(&bytes));
        }
    }

    #[test]
    fn several_encodings_in_one_text() {
        let part = |encoding: &'static encoding_rs::Encoding, text| encoding.encode(text).0.into_owned();
        let several = [part(KOI8_R, RUSSIAN), part(SHIFT_JIS, JAPANESE), part(WINDOWS_1252, FRENCH)].concat();
        assert!(are_several(&several));
        assert!(are_several(&[JAPANESE.as_bytes(), &part(KOI8_R, RUSSIAN)].concat()));
        for one in [part(KOI8_R, RUSSIAN), part(SHIFT_JIS, JAPANESE), part(WINDOWS_1252, FRENCH)] {
            assert!(!are_several(&one.repeat(9)));
        }
    }

    #[test]
    fn columns_in_utf8_beside_others() {
        const WORDS: [&str; 4] = ["Привет", "Дорога", "Остров", "Берег"];
        let column = |encoding: &'static encoding_rs::Encoding| {
            let line = |word| [&encoding.encode(word).0, &b";"[..], "Съешь ещё\n".as_bytes()].concat();
            WORDS.iter().flat_map(|word| line(word)).collect::<Vec<u8>>()
        };
        assert_eq!(beside_utf8(&column(WINDOWS_1251), |_| false), Some("windows-1251"));
        let (legacy, _, _) = WINDOWS_1251.encode("Съешь;ещё\nэтих;мягких\n");
        assert_eq!(beside_utf8(&legacy, |_| false), None);
    }
}
