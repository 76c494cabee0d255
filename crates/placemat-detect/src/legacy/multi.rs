//! Scores of the East Asian encodings: how many bytes make no character, and how common the characters are.
#![forbid(unsafe_code)]

use encoding_rs::{BIG5, DecoderResult, EUC_JP, EUC_KR, Encoding, GB18030, SHIFT_JIS};

use crate::models::{Characters, characters};

/// An East Asian encoding among the candidates.
pub(super) struct Candidate {
    pub(super) name: &'static str,
    pub(super) encoding: &'static Encoding,
    /// The first language is the usual one; the others cost more.
    languages: &'static [&'static str],
    rarity: f32,
}

const fn candidate(
    encoding: &'static Encoding,
    name: &'static str,
    languages: &'static [&'static str],
    rarity: f32,
) -> Candidate {
    Candidate { name, encoding, languages, rarity }
}

/// In the order in which they win a tie.
pub(super) static CANDIDATES: [Candidate; 5] = [
    candidate(SHIFT_JIS, "shift_jis", &["ja"], 1.0),
    candidate(GB18030, "gb18030", &["zh-hans", "zh-hant"], 1.0),
    candidate(EUC_KR, "euc-kr", &["ko"], 1.5),
    candidate(BIG5, "big5", &["zh-hant"], 1.5),
    candidate(EUC_JP, "euc-jp", &["ja"], 2.0),
];

/// How well one encoding explains a text, in bits; less is better.
pub(super) struct Score {
    pub(super) candidate: &'static Candidate,
    pub(super) bits: f32,
    pub(super) malformed: u32,
    /// Characters beyond ASCII.
    pub(super) characters: u32,
}

/// Scores every candidate.
pub(super) fn scores(bytes: &[u8], complete: bool) -> Vec<Score> {
    CANDIDATES.iter().map(|candidate| score(candidate, bytes, complete)).collect()
}

/// Bits of a byte that makes no character.
const MALFORMED: f32 = 24.0;
/// Bits of the language that an encoding is seldom used for.
const UNUSUAL: f32 = 6.0;
/// Bits of an ASCII character after another one.
const ASCII: f32 = 2.0;
/// Bits of a meeting with an ASCII letter.
const BESIDE_LETTER: f32 = 5.0;

fn score(candidate: &'static Candidate, bytes: &[u8], complete: bool) -> Score {
    let mut tally = Tally::new(candidate);
    let mut decoder = candidate.encoding.new_decoder_without_bom_handling();
    let mut units = [0_u16; 512];
    let mut rest = bytes;
    loop {
        let (result, read, written) = decoder.decode_to_utf16_without_replacement(rest, &mut units, complete);
        tally.text(&units[..written]);
        rest = &rest[read..];
        match result {
            DecoderResult::InputEmpty => break,
            DecoderResult::OutputFull => {}
            DecoderResult::Malformed(..) => tally.malformed += 1,
        }
    }
    tally.score()
}

struct Tally {
    candidate: &'static Candidate,
    languages: Vec<(&'static Characters, f32)>,
    shared: f32,
    malformed: u32,
    characters: u32,
    after_ascii: bool,
    after_letter: bool,
}

impl Tally {
    fn new(candidate: &'static Candidate) -> Self {
        let languages = candidate.languages.iter().enumerate();
        let languages = languages.filter_map(|(rank, name)| {
            let found = characters().iter().find(|c| c.name == *name)?;
            Some((found, UNUSUAL * rank as f32))
        });
        Self {
            candidate,
            languages: languages.collect(),
            shared: 0.0,
            malformed: 0,
            characters: 0,
            after_ascii: true,
            after_letter: false,
        }
    }

    fn text(&mut self, units: &[u16]) {
        for &unit in units {
            let letter = unit < 0x80 && (unit as u8).is_ascii_alphabetic();
            if unit < 0x80 {
                self.shared += if self.after_ascii { 0.0 } else { ASCII + if letter { BESIDE_LETTER } else { 0.0 } };
                (self.after_ascii, self.after_letter) = (true, letter);
                continue;
            }
            self.shared += if self.after_letter { BESIDE_LETTER } else { 0.0 };
            (self.after_ascii, self.after_letter) = (false, false);
            self.characters += u32::from(!(0xDC00..0xE000).contains(&unit));
            let otherwise = uncommon(unit);
            for (language, bits) in &mut self.languages {
                *bits += language.cost(unit).unwrap_or(otherwise);
            }
        }
    }

    fn score(self) -> Score {
        let least = self.languages.iter().map(|(_, bits)| *bits).fold(f32::INFINITY, f32::min);
        Score {
            candidate: self.candidate,
            bits: least + super::few(self.characters as f32) + self.shared + self.malformed as f32 * MALFORMED + self.candidate.rarity,
            malformed: self.malformed,
            characters: self.characters,
        }
    }
}

/// Bits of a character that is not among the frequent ones of a language.
fn uncommon(unit: u16) -> f32 {
    match unit {
        0x3000..=0x303F => 8.0,
        0x3040..=0x30FF => 13.0,
        0xFF61..=0xFF9F => 9.0,
        0xFF00..=0xFFEF => 10.0,
        0x4E00..=0x9FFF | 0xAC00..=0xD7A3 => 18.0,
        0x2010..=0x203B | 0x2460..=0x266F | 0x3200..=0x33FF => 13.0,
        0x0370..=0x045F => 16.0,
        0xE000..=0xF8FF => 24.0,
        0xD800..=0xDFFF => 12.0,
        _ => 20.0,
    }
}
