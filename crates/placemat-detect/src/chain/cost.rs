//! How unlikely a text is, in bits: by its letters in the language that they suit best, and by its other characters.
#![forbid(unsafe_code)]

use crate::models::{Language, Script, characters, languages};

/// What a letter of a script costs on average, for [`quick`], which asks no language.
const LETTER: f32 = 4.0;
/// A letter that no language of the models has.
const STRANGE: f32 = 10.0;
/// An East Asian character that is not among the frequent ones.
const SELDOM: f32 = 18.0;
/// The most that a letter costs, in quarter bits: there are more languages than models.
const FOREIGN: u8 = 52;
/// Letters of two scripts side by side.
const MIXED: f32 = 10.0;
/// A capital after a small letter, if one of them is beyond ASCII.
const CAPITAL: f32 = 6.0;
/// A sign next to a letter.
const TOUCHING: f32 = 4.0;

/// The number of letters from which a language can be recognised.
const WORDS: usize = 24;
/// What these letters cost on average at most, if the text is in that language.
const KNOWN: f32 = 4.6;

#[derive(Clone, Copy, PartialEq)]
enum Class {
    /// ASCII other than letters and controls.
    Plain,
    Letter(Script),
    EastAsian,
    /// A letter of a script without a model.
    Other,
    /// Another character, with its cost.
    Sign(f32),
}

fn class(c: char) -> Class {
    match c {
        'a'..='z' | 'A'..='Z' => Class::Letter(Script::Latin),
        ' '..='~' | '\t' | '\n' | '\r' => Class::Plain,
        '\0'..='\u{1F}' | '\u{7F}' => Class::Sign(20.0),
        '\u{80}'..='\u{9F}' => Class::Sign(22.0),
        '\u{A0}' => Class::Sign(9.0),
        '«' | '»' => Class::Sign(9.0),
        '¿' | '¡' => Class::Sign(10.0),
        '°' | '§' | '©' | '®' | '£' | '·' | '²' | '³' | '½' | '±' | 'º' | 'ª' | 'µ' => {
            Class::Sign(11.0)
        }
        '\u{A1}'..='\u{BF}' => Class::Sign(13.0),
        '×' | '÷' => Class::Sign(12.0),
        '\u{C0}'..='\u{24F}' | '\u{1E00}'..='\u{1EFF}' => Class::Letter(Script::Latin),
        '\u{2B0}'..='\u{2FF}' => Class::Sign(14.0),
        '\u{300}'..='\u{30C}' | '\u{31B}' | '\u{323}' => Class::Sign(9.0),
        '\u{30D}'..='\u{36F}' => Class::Sign(16.0),
        '\u{370}'..='\u{3FF}' => Class::Letter(Script::Greek),
        '\u{400}'..='\u{52F}' => Class::Letter(Script::Cyrillic),
        '\u{591}'..='\u{5F4}' => Class::Letter(Script::Hebrew),
        '\u{600}'..='\u{6FF}' => Class::Letter(Script::Arabic),
        '\u{E00}'..='\u{E7F}' => Class::Letter(Script::Thai),
        '“' | '”' | '‘' | '’' => Class::Sign(7.0),
        '–' | '—' | '…' => Class::Sign(8.0),
        '„' | '‚' | '‹' | '›' | '•' => Class::Sign(9.0),
        '€' | '™' | '№' => Class::Sign(10.0),
        '\u{200C}' | '\u{200D}' | '\u{FE0F}' => Class::Sign(6.0),
        '\u{2500}'..='\u{259F}' => Class::Sign(15.0),
        '\u{2000}'..='\u{2BFF}' => Class::Sign(14.0),
        '\u{3000}'..='\u{9FFF}' | '\u{AC00}'..='\u{D7A3}' | '\u{FF00}'..='\u{FF60}' => Class::EastAsian,
        '\u{FF61}'..='\u{FF9F}' => Class::Sign(17.0),
        '\u{E000}'..='\u{F8FF}' | '\u{FFF0}'..='\u{FFFF}' | '\u{F0000}'.. => Class::Sign(24.0),
        '\u{1F000}'..='\u{1FAFF}' => Class::Sign(12.0),
        '\u{20000}'.. => Class::Sign(20.0),
        c if c.is_alphabetic() => Class::Other,
        _ => Class::Sign(16.0),
    }
}

/// Approximates [`bits`] by each character alone.
pub(super) fn quick(text: &str) -> f32 {
    let cost = |c| match class(c) {
        Class::Plain => 0.0,
        Class::Letter(_) => LETTER,
        Class::EastAsian => {
            let unit = c as u32 as u16;
            characters().iter().filter_map(|of| of.cost(unit)).fold(SELDOM, f32::min)
        }
        Class::Other => STRANGE,
        Class::Sign(bits) => bits,
    };
    text.chars().map(cost).sum()
}

/// How unlikely a text is. Time is linear, times the number of languages of its scripts.
pub(super) fn bits(text: &str) -> f32 {
    let (letters, _, rest) = weighed(text);
    letters + rest
}

/// Whether a text has enough letters to recognise its language, and they suit that language.
pub(super) fn is_known(text: &str) -> bool {
    let (letters, count, _) = weighed(text);
    count >= WORDS && letters <= KNOWN * count as f32
}

/// Returns the cost of the letters, their number, and the cost of the rest.
fn weighed(text: &str) -> (f32, usize, f32) {
    let mut tongues: Vec<Tongue> = Vec::new();
    let mut scripts: Vec<Script> = Vec::new();
    let mut han = [0.0; 8];
    let mut is_han = false;
    let (mut rest, mut count) = (0.0, 0);
    let mut before: Option<(char, Class)> = None;
    for c in text.chars() {
        let class = class(c);
        if let Class::Letter(script) = class {
            count += 1;
            if !scripts.contains(&script) {
                scripts.push(script);
                let of_script = languages().iter().filter(|language| language.script == script);
                tongues.extend(of_script.map(Tongue::new));
            }
            let letter = c.to_lowercase().next().unwrap_or(c);
            tongues.iter_mut().filter(|tongue| tongue.language.script == script).for_each(|t| t.add(letter));
        }
        // A letter of another script ends a word, as any other character does.
        for tongue in &mut tongues {
            if class != Class::Letter(tongue.language.script) {
                tongue.end();
            }
        }
        match class {
            Class::EastAsian => {
                is_han = true;
                for (sum, of) in han.iter_mut().zip(characters()) {
                    *sum += of.cost(c as u32 as u16).unwrap_or(SELDOM);
                }
            }
            Class::Other => rest += STRANGE,
            Class::Sign(bits) => rest += bits,
            Class::Plain | Class::Letter(_) => {}
        }
        rest += beside(before, (c, class));
        before = Some((c, class));
    }
    tongues.iter_mut().for_each(Tongue::end);
    let least = |script| {
        let of_script = tongues.iter().filter(|tongue| tongue.language.script == script);
        of_script.map(|tongue| tongue.quarters as f32 / 4.0).fold(f32::INFINITY, f32::min)
    };
    let letters: f32 = scripts.iter().map(|&script| least(script)).sum();
    let lists = characters().len().min(han.len());
    let han = if is_han { han[..lists].iter().copied().fold(f32::INFINITY, f32::min) } else { 0.0 };
    (letters, count, han + rest)
}

/// The extra cost of two neighbours.
fn beside(before: Option<(char, Class)>, (c, class): (char, Class)) -> f32 {
    let Some((previous, its)) = before else { return 0.0 };
    match (its, class) {
        (Class::Letter(a), Class::Letter(b)) if a != b => MIXED,
        (Class::Letter(_), Class::Letter(_)) => {
            let is_odd =
                previous.is_lowercase() && c.is_uppercase() && !(previous.is_ascii() && c.is_ascii());
            if is_odd { CAPITAL } else { 0.0 }
        }
        (Class::EastAsian, Class::Letter(_)) | (Class::Letter(_), Class::EastAsian) => MIXED / 2.0,
        (Class::Letter(_), Class::Sign(_)) if !matches!(c, '»' | '’' | '”' | '…' | '·') => TOUCHING,
        (Class::Sign(_), Class::Letter(_)) if !"«’‘“„‚‹¿¡–—·\u{A0}".contains(previous) => {
            TOUCHING
        }
        _ => 0.0,
    }
}

/// What the letters of a text cost in one language.
struct Tongue {
    language: &'static Language,
    previous: u8,
    quarters: u32,
}

impl Tongue {
    fn new(language: &'static Language) -> Tongue {
        Tongue { language, previous: Language::BREAK, quarters: 0 }
    }

    fn add(&mut self, letter: char) {
        let next = self.language.index(letter);
        self.quarters += u32::from(self.language.cost(self.previous, next).min(FOREIGN));
        self.previous = next;
    }

    fn end(&mut self) {
        if self.previous != Language::BREAK {
            self.quarters += u32::from(self.language.cost(self.previous, Language::BREAK));
            self.previous = Language::BREAK;
        }
    }
}
