//! Scores of the single-byte encodings: each decodes the text, and every language says how likely the letters are to follow one
//! another.
#![forbid(unsafe_code)]

use std::sync::OnceLock;

use encoding_rs::Encoding;
use oem_cp::code_table::DECODING_TABLE_CP_MAP;
use oem_cp::code_table_type::TableType;

use super::Hopeless;
use super::glyph::Glyph;
use super::meetings::Meetings;
use super::pairs::{Pair, Pairs};
use super::reading::{Reading, of_each};
use crate::code_page;
use crate::language::Prior;
use crate::models::{Alphabet, Language, Script, alphabet, languages};

/// A single-byte encoding among the candidates.
pub(super) struct Candidate {
    /// A name of `encoding_rs`, of [`code_page`] or, for other `cpNNN`, of `oem_cp`.
    pub(super) name: &'static str,
    pub(super) script: Script,
    /// The languages that it was made for; empty for all of its script.
    home: &'static [&'static str],
    /// Bits that a text loses for being in a rare encoding.
    pub(super) rarity: f32,
}

const fn candidate(
    name: &'static str,
    script: Script,
    home: &'static [&'static str],
    rarity: f32,
) -> Candidate {
    Candidate { name, script, home, rarity }
}

const WEST: &[&str] = &[
    "en", "fr", "de", "es", "pt", "it", "ca", "nl", "sv", "nb", "da", "fi", "is", "id", "ga", "gl", "eu",
    "br", "af", "gd", "sq", "fo", "et",
];
const CENTRAL: &[&str] = &["pl", "cs", "sk", "hu", "ro", "sl", "sh", "sq", "de"];
const MAC_CENTRAL: &[&str] = &["pl", "cs", "sk", "hu", "sl", "de", "lt", "lv", "et"];
const BALTIC: &[&str] = &["lt", "lv", "et"];
const NORTH: &[&str] = &["lt", "lv", "et", "se", "kl", "is", "fo"];
const CELTIC: &[&str] = &["cy", "ga", "gd", "br"];
const SOUTH: &[&str] = &["mt", "eo", "tr"];
const TURKISH: &[&str] = &["tr"];
const SCANDINAVIAN: &[&str] = &["nb", "da", "sv"];
const RUSSIAN: &[&str] = &["ru", "bg", "uk", "be"];
const EVERY: &[&str] = &[];

/// The candidates, in the order in which they win a tie.
pub(super) const CANDIDATES: &[Candidate] = &[
    candidate("windows-1252", Script::Latin, WEST, 0.0),
    candidate("windows-1251", Script::Cyrillic, EVERY, 0.5),
    candidate("windows-1250", Script::Latin, CENTRAL, 2.0),
    candidate("iso-8859-2", Script::Latin, CENTRAL, 3.0),
    candidate("windows-1253", Script::Greek, EVERY, 1.5),
    candidate("iso-8859-7", Script::Greek, EVERY, 2.0),
    candidate("windows-1254", Script::Latin, TURKISH, 3.0),
    candidate("windows-1255", Script::Hebrew, EVERY, 1.0),
    candidate("windows-1256", Script::Arabic, EVERY, 1.0),
    candidate("windows-1257", Script::Latin, BALTIC, 3.0),
    candidate("windows-1258", Script::Latin, &["vi"], 4.0),
    candidate("windows-874", Script::Thai, EVERY, 1.0),
    candidate("koi8-r", Script::Cyrillic, RUSSIAN, 2.0),
    candidate("koi8-u", Script::Cyrillic, EVERY, 3.0),
    candidate("ibm866", Script::Cyrillic, RUSSIAN, 3.0),
    candidate("iso-8859-5", Script::Cyrillic, EVERY, 3.0),
    candidate("x-mac-cyrillic", Script::Cyrillic, EVERY, 4.0),
    candidate("iso-8859-15", Script::Latin, WEST, 3.0),
    candidate("macintosh", Script::Latin, WEST, 5.0),
    candidate("iso-8859-13", Script::Latin, BALTIC, 5.0),
    candidate("iso-8859-4", Script::Latin, NORTH, 5.0),
    candidate("iso-8859-3", Script::Latin, SOUTH, 5.0),
    candidate("iso-8859-10", Script::Latin, NORTH, 5.5),
    candidate("iso-8859-14", Script::Latin, CELTIC, 4.0),
    candidate("iso-8859-16", Script::Latin, &["ro"], 1.0),
    candidate("iso-8859-6", Script::Arabic, EVERY, 3.0),
    candidate("iso-8859-8", Script::Hebrew, EVERY, 3.0),
    candidate("cp850", Script::Latin, WEST, 5.0),
    candidate("cp437", Script::Latin, WEST, 6.0),
    candidate("cp858", Script::Latin, WEST, 7.0),
    candidate("cp852", Script::Latin, CENTRAL, 5.0),
    candidate("cp855", Script::Cyrillic, EVERY, 4.0),
    candidate("cp857", Script::Latin, TURKISH, 6.0),
    candidate("cp775", Script::Latin, BALTIC, 6.0),
    candidate("cp860", Script::Latin, &["pt"], 8.0),
    candidate("cp861", Script::Latin, &["is", "fo"], 8.0),
    candidate("cp863", Script::Latin, &["fr"], 8.0),
    candidate("cp865", Script::Latin, SCANDINAVIAN, 8.0),
    candidate("cp737", Script::Greek, EVERY, 4.0),
    candidate("cp869", Script::Greek, EVERY, 6.0),
    candidate("cp862", Script::Hebrew, EVERY, 4.0),
    candidate("cp720", Script::Arabic, EVERY, 5.0),
    candidate("x-mac-ce", Script::Latin, MAC_CENTRAL, 6.0),
    candidate("cp1125", Script::Cyrillic, &["uk", "be"], 5.0),
    candidate("x-mac-greek", Script::Greek, EVERY, 6.0),
    candidate("x-mac-turkish", Script::Latin, TURKISH, 7.0),
    candidate("x-mac-icelandic", Script::Latin, &["is", "fo"], 8.0),
    candidate("hp-roman8", Script::Latin, WEST, 9.0),
];

/// Bits against a language that the encoding was not made for, and against English in an encoding less rare than [`RARE`]: people write
/// English about all countries.
const ABROAD: f32 = 12.0;
const ENGLISH: f32 = 6.0;
const RARE: f32 = 4.0;
/// Bits against other languages in an encoding that only one language ever had: [`NEVER`] for the languages of western Europe. The byte
/// of `ă` is `ã` elsewhere, and French with `São Paulo` is no Romanian text.
const FAR_ABROAD: f32 = 36.0;
const NEVER: f32 = 200.0;

impl Candidate {
    fn distance(&self, language: &Language) -> f32 {
        let (name, is_of_one) = (language.name, matches!(self.home, ["ro" | "vi"]));
        match name {
            _ if self.home.is_empty() || self.home.contains(&name) => 0.0,
            _ if is_of_one && WEST.contains(&name) => NEVER,
            _ if is_of_one => FAR_ABROAD,
            "en" if self.rarity < RARE => ENGLISH,
            _ => ABROAD,
        }
    }

    /// The character of each byte from 80 to FF.
    fn table(&self) -> Table {
        if let Some(upper) = code_page::upper_half(self.name) {
            return upper;
        }
        let digits = self.name.strip_prefix("cp");
        let Some(code_page) = digits.and_then(|digits| digits.parse::<u16>().ok()) else {
            let encoding = Encoding::for_label(self.name.as_bytes());
            return core::array::from_fn(|i| code_page::character(encoding?, 0x80 + i as u8));
        };
        match DECODING_TABLE_CP_MAP.get(&code_page) {
            Some(TableType::Complete(table)) => table.map(Some),
            Some(TableType::Incomplete(table)) => **table,
            None => [None; 128],
        }
    }
}

/// The characters of the bytes from 80 up in the candidate `name`, if it is a single-byte encoding.
pub(crate) fn table(name: &str) -> Option<&'static Table> {
    readies().iter().find(|ready| ready.candidate.name == name).map(|ready| &ready.table)
}

/// The character of each byte from 80 up.
pub(crate) type Table = [Option<char>; 128];

/// A candidate, with everything about it that does not depend on the text.
pub(super) struct Ready {
    pub(super) candidate: &'static Candidate,
    pub(super) table: Table,
    pub(super) glyphs: [Glyph; 256],
    /// The class of each byte's glyph in [`meetings`].
    pub(super) classes: [u8; 256],
    /// The number of each byte in the languages of its script.
    pub(super) index: [u8; 256],
    /// The bits against each of these languages.
    pub(super) distances: Vec<f32>,
}

/// Every candidate.
fn readies() -> &'static [Ready] {
    &made_ready().0
}

/// What neighbouring characters cost, for all candidates.
pub(super) fn meetings() -> &'static Meetings {
    &made_ready().1
}

/// [`readies`] and [`meetings`], made once.
fn made_ready() -> &'static (Vec<Ready>, Meetings) {
    static READIES: OnceLock<(Vec<Ready>, Meetings)> = OnceLock::new();
    READIES.get_or_init(|| {
        let mut meetings = Meetings::new();
        let ready = |candidate: &'static Candidate| {
            let table = candidate.table();
            let glyphs = glyphs(&table);
            let alphabet = alphabet(candidate.script);
            let distance = |at: &usize| candidate.distance(&languages()[*at]);
            let distances = alphabet.languages.iter().map(distance).collect();
            let (classes, index) = (meetings.classes(&glyphs), index(alphabet, &glyphs));
            Ready { candidate, table, index, glyphs, classes, distances }
        };
        (CANDIDATES.iter().map(ready).collect(), meetings)
    })
}

impl Ready {
    /// Whether both encodings read the text alike.
    pub(super) fn reads_as(&self, other: &Self, pairs: &Pairs) -> bool {
        pairs.places.iter().all(|&at| self.table[at] == other.table[at])
    }

    /// A score with `bits` that are no more than the true ones.
    fn score(&'static self, bits: f32) -> Option<Score> {
        let language = alphabet(self.candidate.script).first()?;
        Some(Score { ready: self, language, bits, strangeness: 0.0 })
    }
}

/// How well one encoding explains a text, in bits; less is better.
pub(super) struct Score {
    pub(super) ready: &'static Ready,
    pub(super) language: &'static Language,
    pub(super) bits: f32,
    /// The part of the bits that is due to ASCII words.
    pub(super) strangeness: f32,
}

impl Score {
    /// The weight of the pairs that the two read differently.
    pub(super) fn differing(&self, other: &Self, pairs: &Pairs) -> f32 {
        let mut differs = [false; 256];
        for &at in &pairs.places {
            differs[0x80 + at] = self.ready.table[at] != other.ready.table[at];
        }
        let its = |p: &Pair| differs[usize::from(p.first)] | differs[usize::from(p.second)];
        pairs.high.iter().map(|p| if its(p) { p.weight } else { 0.0 }).sum()
    }

    /// The number of bytes that have no character.
    pub(super) fn malformed(&self, pairs: &Pairs) -> u64 {
        let without = pairs.places.iter().filter(|&&at| self.ready.table[at].is_none());
        without.map(|at| u64::from(pairs.occurrences[0x80 + at])).sum()
    }
}

/// Scores every candidate with the language that suits it best. A candidate that is far behind in every language gets a lower bound of
/// its score.
///
/// So does one that is [`Hopeless`]: others are so much better that it is neither named nor counts. The exception is the best one here,
/// if it matters what ASCII words say against its language.
pub(super) fn scores(pairs: &Pairs, prior: &Prior, hopeless: &Hopeless) -> Vec<Score> {
    let mut strangeness = strangeness(pairs);
    for (bits, against) in strangeness.iter_mut().zip(prior.against()) {
        *bits += against;
    }
    let is_best_asked = !hopeless.is_noise && strangeness.iter().any(|bits| *bits != 0.0);
    // Most encodings of a script read a text as another one does. Each reading is judged once.
    let mut readings: Vec<Reading> = Vec::new();
    let mut order: Vec<(f32, usize, usize)> = Vec::with_capacity(CANDIDATES.len());
    for (which, ready) in readies().iter().enumerate() {
        let seen = readings.iter().position(|reading| reading.is_of(ready, pairs));
        let at = seen.unwrap_or_else(|| {
            readings.push(Reading::new(ready, pairs, prior));
            readings.len() - 1
        });
        order.push((readings[at].least(ready, prior), at, which));
    }
    super::sort(&mut order);
    let (mut best, far) = (f32::INFINITY, super::far(pairs.high_weight));
    let mut scores: Vec<Option<Score>> = readies().iter().map(|_| None).collect();
    for (rank, (least, at, which)) in order.into_iter().enumerate() {
        let ready = &readies()[which];
        let hopeless = if is_best_asked { best.max(hopeless.bits) } else { hopeless.bits };
        // A verdict may need windows-1252 even if others are better.
        let is_hopeless = least > hopeless && which > 0;
        let score = if (rank < SHOWN || least <= best + far) && !is_hopeless {
            readings[at].score(ready, pairs, &strangeness, prior)
        } else {
            ready.score(least)
        };
        best = score.iter().fold(best, |best, score| best.min(score.bits));
        scores[which] = score;
    }
    scores.into_iter().flatten().collect()
}

/// The number of candidates that are always scored: more than a verdict names.
const SHOWN: usize = 8;

/// The bits that the ASCII words alone say against each language.
fn strangeness(pairs: &Pairs) -> Vec<f32> {
    static ASCII: OnceLock<[u8; 256]> = OnceLock::new();
    let latin = alphabet(Script::Latin);
    let index = ASCII.get_or_init(|| index(latin, &glyphs(&[None; 128])));
    let of_each = of_each(latin, index, &pairs.ascii);
    let least = of_each.iter().copied().fold(f32::INFINITY, f32::min);
    let scale = ASCII_SHARE * (ASCII_MOST / pairs.ascii_weight.max(1.0)).min(1.0);
    let mut bits = vec![0.0; languages().len()];
    latin.languages.iter().zip(of_each).for_each(|(at, its)| bits[*at] = (its - least) * scale);
    bits
}

/// How much the evidence of ASCII words counts, and of how many pairs at most: markup is not in a language.
const ASCII_SHARE: f32 = 0.3;
const ASCII_MOST: f32 = 300.0;

fn glyphs(table: &[Option<char>; 128]) -> [Glyph; 256] {
    let character = |byte| if byte < 0x80 { Some(byte as u8 as char) } else { table[byte - 0x80] };
    core::array::from_fn(|byte| Glyph::new(character(byte)))
}

/// The number of each byte in the languages of a script.
fn index(alphabet: &Alphabet, glyphs: &[Glyph; 256]) -> [u8; 256] {
    let number =
        |glyph: Glyph| alphabet.first().map_or(Language::BREAK, |language| language.index(glyph.lower));
    glyphs.map(|glyph| if glyph.role.is_letter() { number(glyph) } else { Language::BREAK })
}

#[cfg(test)]
mod tests {
    use placemat::label::Label;

    use super::super::glyph::meeting;
    use super::*;

    #[test]
    fn every_candidate_can_be_read() {
        for candidate in CANDIDATES {
            assert!(Label::named(candidate.name).is_some(), "{}", candidate.name);
            let letters = candidate.table().into_iter().flatten().filter(|c| c.is_alphabetic()).count();
            assert!(letters > 25, "{}: {letters}", candidate.name);
        }
    }

    #[test]
    fn classes_tell_what_meetings_cost() {
        let pairs = || (0..=255_usize).flat_map(|first| (0..=255_usize).map(move |second| (first, second)));
        for ready in readies() {
            for (first, second) in pairs() {
                let [previous, next] = [first, second].map(|byte| &ready.glyphs[byte]);
                if let Some(bits) = meetings().bits(ready.classes[first], ready.classes[second]) {
                    assert_eq!(bits.to_bits(), meeting(previous, next).to_bits(), "{previous:?} {next:?}");
                }
            }
        }
    }

    #[test]
    fn homes_are_languages() {
        for name in CANDIDATES.iter().flat_map(|candidate| candidate.home) {
            assert!(languages().iter().any(|language| language.name == *name), "{name}");
        }
    }
}
