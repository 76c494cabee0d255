//! Scores of the East Asian encodings: how many bytes are no character, and how common the characters are.
#![forbid(unsafe_code)]

use encoding_rs::{BIG5, DecoderResult, EUC_JP, EUC_KR, Encoding, GB18030, SHIFT_JIS};

use super::unlisted::{Head, euc_tw, johab};
use crate::language::Prior;
use crate::models::{Characters, characters};

/// An East Asian encoding among the candidates.
pub(super) struct Candidate {
    pub(super) name: &'static str,
    reader: Reader,
    /// The first language is the usual one; the others cost more.
    languages: &'static [&'static str],
    pub(super) rarity: f32,
}

/// The decoder of an encoding.
#[derive(Clone, Copy)]
enum Reader {
    Web(&'static Encoding),
    Own(fn(&[u8]) -> Head),
}

const fn candidate(
    name: &'static str,
    reader: Reader,
    languages: &'static [&'static str],
    rarity: f32,
) -> Candidate {
    Candidate { name, reader, languages, rarity }
}

/// The candidates, in the order in which they win a tie.
static CANDIDATES: [Candidate; 7] = [
    candidate("shift_jis", Reader::Web(SHIFT_JIS), &["ja"], 1.0),
    candidate("gb18030", Reader::Web(GB18030), &["zh-hans", "zh-hant"], 1.0),
    candidate("euc-kr", Reader::Web(EUC_KR), &["ko"], 1.5),
    candidate("big5", Reader::Web(BIG5), &["zh-hant"], 1.5),
    candidate("euc-jp", Reader::Web(EUC_JP), &["ja"], 2.0),
    candidate("euc-tw", Reader::Own(euc_tw), &["zh-hant"], 12.0),
    candidate("johab", Reader::Own(johab), &["ko"], 12.0),
];

/// How well one encoding explains a text, in bits; less is better.
pub(super) struct Score<'a> {
    pub(super) candidate: &'a Candidate,
    pub(super) language: &'static str,
    pub(super) bits: f32,
    /// Bits of the bytes that are no character.
    pub(super) malformed_bits: f32,
    /// Bits that do not depend on the length of the text.
    pub(super) prior: f32,
    pub(super) malformed: u64,
    /// 1 if a character is cut off at the end of the text, else 0. `malformed` counts it too.
    pub(super) cut_off: u64,
    /// Characters beyond ASCII.
    pub(super) characters: u64,
}

/// Scores every candidate.
pub(super) fn scores(bytes: &[u8], complete: bool, prior: &Prior) -> Vec<Score<'static>> {
    CANDIDATES.iter().map(|candidate| score(candidate, bytes, complete, prior)).collect()
}

/// Whether nearly all pairs are characters that the languages of an encoding use.
pub(super) fn is_likely(encoding: &str, pairs: &[u8]) -> bool {
    let Some(candidate) = CANDIDATES.iter().find(|candidate| candidate.name == encoding) else {
        return false;
    };
    let score = score(candidate, pairs, true, &Prior::default());
    !super::is_faulty(score.malformed, score.characters) && score.bits < 13.0 * score.characters as f32
}

/// Bits of a byte that is no character.
const MALFORMED: f32 = 24.0;
/// Bits of the language that an encoding is seldom used for.
const UNUSUAL: f32 = 6.0;
/// Bits of a change to ASCII or from it.
const ASCII: f32 = 2.0;
/// Bits of a character next to an ASCII letter.
const BESIDE_LETTER: f32 = 5.0;
/// Bits of a halfwidth kana without another next to it. Nobody writes one alone, but every character of windows-1252 from `¡` to `ß` is
/// read as one.
const LONE: f32 = 8.0;

fn score<'a>(candidate: &'a Candidate, bytes: &[u8], complete: bool, prior: &Prior) -> Score<'a> {
    let mut tally = Tally::new(candidate, prior);
    match candidate.reader {
        Reader::Web(encoding) => tally.web(encoding, bytes, complete),
        Reader::Own(next) => tally.own(next, bytes),
    }
    tally.score(prior)
}

struct Tally<'a> {
    candidate: &'a Candidate,
    languages: Vec<(&'static Characters, f32)>,
    shared: f32,
    malformed: u64,
    cut_off: u64,
    characters: u64,
    after_ascii: bool,
    after_letter: bool,
    /// How many halfwidth kana stand side by side so far: 0, 1, or 2 for more.
    halfwidth: u8,
}

impl<'a> Tally<'a> {
    fn new(candidate: &'a Candidate, prior: &Prior) -> Self {
        let languages = candidate.languages.iter().enumerate();
        let languages = languages.filter_map(|(rank, name)| {
            let found = characters().iter().find(|c| c.name == *name)?;
            Some((found, UNUSUAL * rank as f32 + prior.against_characters(name)))
        });
        Self {
            candidate,
            languages: languages.collect(),
            shared: 0.0,
            malformed: 0,
            cut_off: 0,
            characters: 0,
            after_ascii: true,
            after_letter: false,
            halfwidth: 0,
        }
    }

    fn web(&mut self, encoding: &'static Encoding, mut rest: &[u8], complete: bool) {
        let mut decoder = encoding.new_decoder_without_bom_handling();
        // Not to UTF-16: programs that also convert would contain all decoders twice.
        let mut text = String::with_capacity(1024);
        loop {
            text.clear();
            let (result, read) = decoder.decode_to_string_without_replacement(rest, &mut text, false);
            self.text(text.encode_utf16());
            rest = &rest[read..];
            match result {
                DecoderResult::InputEmpty => break,
                DecoderResult::OutputFull => {}
                DecoderResult::Malformed(..) => self.malformed += 1,
            }
            if self.is_hopeless() {
                return;
            }
        }
        if complete {
            text.clear();
            let (result, _) = decoder.decode_to_string_without_replacement(&[], &mut text, true);
            self.cut_off = u64::from(matches!(result, DecoderResult::Malformed(..)));
            self.malformed += self.cut_off;
        }
    }

    fn own(&mut self, next: fn(&[u8]) -> Head, mut rest: &[u8]) {
        while !rest.is_empty() && !self.is_hopeless() {
            let len = match next(rest) {
                Head::Character { unit, len } => {
                    self.text([unit]);
                    len
                }
                Head::Malformed => {
                    self.malformed += 1;
                    1
                }
                Head::Incomplete => return,
            };
            rest = &rest[len..];
        }
    }

    fn text(&mut self, units: impl IntoIterator<Item = u16>) {
        for unit in units {
            let letter = unit < 0x80 && (unit as u8).is_ascii_alphabetic();
            if unit < 0x80 {
                self.shared +=
                    if self.after_ascii { 0.0 } else { ASCII + if letter { BESIDE_LETTER } else { 0.0 } };
                (self.after_ascii, self.after_letter, self.halfwidth) = (true, letter, 0);
                continue;
            }
            let is_halfwidth = matches!(unit, 0xFF61..=0xFF9F);
            self.shared += match self.halfwidth {
                0 if is_halfwidth => LONE,
                1 if is_halfwidth => -LONE,
                _ => 0.0,
            };
            self.halfwidth = if is_halfwidth { 2.min(self.halfwidth + 1) } else { 0 };
            self.shared += if self.after_ascii { ASCII } else { 0.0 };
            self.shared += if self.after_letter { BESIDE_LETTER } else { 0.0 };
            (self.after_ascii, self.after_letter) = (false, false);
            self.characters += u64::from(!(0xDC00..0xE000).contains(&unit));
            for (language, bits) in &mut self.languages {
                *bits += language.cost(unit).unwrap_or_else(|| uncommon(unit));
            }
        }
    }

    /// Whether so much is malformed that the rest need not be read.
    fn is_hopeless(&self) -> bool {
        self.malformed > 100 && self.malformed * 3 > self.characters
    }

    fn score(self, prior: &Prior) -> Score<'a> {
        let best = self.languages.iter().min_by(|a, b| a.1.total_cmp(&b.1));
        let (language, least) = best.map_or(("", f32::INFINITY), |(language, bits)| (language.title, *bits));
        let least = if self.is_hopeless() { f32::INFINITY } else { least };
        Score {
            candidate: self.candidate,
            language,
            bits: least + self.shared,
            malformed_bits: self.malformed as f32 * MALFORMED,
            prior: if prior.is_east_asian() { 0.0 } else { super::few(self.characters as f32) }
                + self.candidate.rarity,
            malformed: self.malformed,
            cut_off: self.cut_off,
            characters: self.characters,
        }
    }
}

/// Bits of a character that is not among the frequent ones of a language.
fn uncommon(unit: u16) -> f32 {
    match unit {
        0x3000..=0x303F => 8.0,
        0x3040..=0x30FF => 13.0,
        0xFF61..=0xFF9F => 8.0,
        0xFF00..=0xFFEF => 10.0,
        0x4E00..=0x9FFF | 0xAC00..=0xD7A3 => 18.0,
        0x2010..=0x203B | 0x2460..=0x266F | 0x3200..=0x33FF => 13.0,
        0x0370..=0x045F => 16.0,
        0xE000..=0xF8FF => 24.0,
        0xD800..=0xDFFF => 12.0,
        _ => 20.0,
    }
}
