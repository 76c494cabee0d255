//! Letters that text has by nature with a sign behind them: `50 Ω` and a no-break space, `24В±10%`, `RĪGĀ—pilsētā`, `«papá»…`.
#![forbid(unsafe_code)]

use super::letters::{self, Kind, Look, Script};
use super::run::Run;

/// How far around them the text is looked at, in characters.
const AROUND: usize = 64;

/// How long a quotation may be.
const QUOTATION: usize = 512;

/// Marks each of `runs` that is a letter and a sign as they stand in text by nature, unless another is certain. It is
/// no evidence then, however much better the line would be without it. `text`: what the runs stand for.
pub(super) fn mark(line: &[char], runs: &mut [Run], text: &[char]) {
    if !runs.iter().any(|run| run.certain() && !is_natural(line, run, text)) {
        runs.iter_mut().for_each(|run| run.natural = run.gain > 0 && is_natural(line, run, text));
    }
}

/// Whether [`is_natural`] may be true of a run; if not, that is known at once. `last`: what stands before it.
pub(super) fn may_be_natural(source: &[char], text: &[char], last: Option<char>) -> bool {
    match (source, text) {
        (['»', _], [_]) => true,
        ([_, '«' | '»'], [_]) if matches!(last, Some('«' | '»')) => true,
        ([letter, sign], [value]) => {
            let inside =
                *letter != 'Ω' && !value.is_control() && last.is_some_and(|c| c.is_ascii_lowercase());
            may_be(*letter, *sign, *value) && !inside && letters::look_at(*letter).kind == Kind::Upper
        }
        ([_, '»', _], ['\u{1EA0}'..='\u{1EF9}'])
        | ([_, '°', _, _], [_, _])
        | ([_, '\u{A0}', '\u{A0}'], [_]) => true,
        _ => false,
    }
}

#[inline(never)]
fn is_natural(line: &[char], run: &Run, text: &[char]) -> bool {
    let start = run.span.start;
    let is_quotation = || line[start.saturating_sub(QUOTATION)..start].contains(&'«') || line[0] == '»';
    match (&line[run.span.clone()], run.text(text)) {
        // «Mot»é: Neme»ô is none.
        (['»', _], [_]) => is_quotation(),
        // «█»: a sign that is quoted.
        ([_, '«' | '»'], [_]) if matches!(line[..start].last(), Some('«' | '»')) => true,
        ([letter, sign], [value]) => may_be(*letter, *sign, *value) && is_pair(line, start, *value),
        // T°C…
        ([_, '°', _, _], [a, b]) => is_pair(line, start, *a) && is_pair(line, start + 2, *b),
        // «Papá»…
        ([_, '»', _], ['\u{1EA0}'..='\u{1EF9}']) => is_quotation(),
        ([letter, '\u{A0}', '\u{A0}'], [_]) => look(*letter).kind == Kind::Upper,
        _ => false,
    }
}

/// Rules out most of what was misread, at once.
fn may_be(letter: char, sign: char, value: char) -> bool {
    let common = matches!(letter, 'Â' | 'Ã');
    let behind_common = matches!(sign, '\u{A0}' | '…' | '—' | '”' | '»' | '“' | '«');
    value.is_control() || if common { behind_common } else { !look(sign).kind.is_letter() }
}

#[cold]
fn is_pair(line: &[char], at: usize, value: char) -> bool {
    Pair::at(line, at, value).is_some_and(|pair| pair.is_natural())
}

/// A capital beyond ASCII and a sign, and what stands around them.
struct Pair<'a> {
    letter: char,
    sign: char,
    /// What they stand for.
    value: char,
    before: &'a [char],
    behind: &'a [char],
    /// The character before, and the one behind; a space at the ends.
    last: char,
    next: char,
}

impl<'a> Pair<'a> {
    fn at(line: &'a [char], at: usize, value: char) -> Option<Self> {
        let letter = line[at];
        let behind = &line[at + 2..];
        let (before, behind) = (&line[at.saturating_sub(AROUND)..at], &behind[..behind.len().min(AROUND)]);
        let pair = Self {
            letter,
            sign: line[at + 1],
            value,
            before,
            behind,
            last: before.last().copied().unwrap_or(' '),
            next: behind.first().copied().unwrap_or(' '),
        };
        (!letter.is_ascii() && look(letter).kind == Kind::Upper).then_some(pair)
    }

    fn is_natural(&self) -> bool {
        // A control is what nobody writes, but for the apostrophe of windows-1252: `donÂ’t`.
        if self.value.is_control() && !(self.letter == 'Â' && self.last.is_ascii_lowercase()) {
            return true;
        }
        // Nothing begins within a word, but Ω behind the k of kΩ.
        let (last, script) = (look(self.last), look(self.letter).script);
        let inside = last.kind == Kind::Lower || last.kind.is_letter() && last.script != script;
        !(inside && self.letter != 'Ω') && self.is_of_language() && (self.closes() || self.is_followed())
    }

    /// Whether some language ends words with the letter. Those that begin most sequences of a page mostly do that.
    fn is_of_language(&self) -> bool {
        let (capital, sign) = (self.capitals() > 0, self.sign);
        match self.letter {
            // In Portuguese. À, Ù, Ö are as common.
            'Â' | 'Ã' => {
                (capital || matches!(self.last, '“' | '„' | '«' | '»' | '”'))
                    && matches!(sign, '\u{A0}' | '…' | '—' | '”' | '»' | '“' | '«')
            }
            // α, в, ñ, ±
            'Î' | 'Ï' | 'Ð' | 'Ñ' | 'Ă' | 'Ĺ' | 'Ā' => {
                capital || matches!(sign, '\u{A0}' | '…' | '—' | '–')
            }
            _ => true,
        }
    }

    /// How many capitals of the same script stand right before, at most two.
    #[cold]
    fn capitals(&self) -> usize {
        let script = look(self.letter).script;
        let is_alike = |c: &&char| look(**c).kind == Kind::Upper && look(**c).script == script;
        self.before.iter().rev().take(2).take_while(is_alike).count()
    }

    /// Whether the sign may stand behind the letter and before what follows.
    fn is_followed(&self) -> bool {
        let ends = !look(self.next).kind.is_letter();
        match self.sign {
            '\u{A0}' => self.has_kin() || !self.begins_word() && !self.is_word_of_two(),
            // 5 ± 3, § 5
            '±' | '§' if self.value == self.sign && self.last == ' ' && !self.next.is_ascii_digit() => {
                self.has_kin()
            }
            // 20°, °C
            '°' if self.value == '°' && (self.last.is_ascii_digit() || matches!(self.next, 'C' | 'F')) => {
                false
            }
            '°' => ends || self.is_unit() && !self.last.is_ascii_digit(),
            '±' | '§' | '№' | '²' | '³' => ends,
            '€' | '™' | '®' => ends && (self.capitals() > 1 || self.has_kin()),
            '…' | '—' | '–' => ends || self.letter == 'Å' || self.capitals() > 1 || self.has_kin(),
            _ => false,
        }
    }

    /// Whether C or F follows, and no word: not `Ä°FADE`.
    fn is_unit(&self) -> bool {
        matches!(self.next, 'C' | 'С' | 'F') && !self.behind.get(1).is_some_and(|c| c.is_alphabetic())
    }

    /// Whether it closes a quotation. A letter may follow: `“MANHÃ”s`.
    fn closes(&self) -> bool {
        let is_followed = look(self.next).kind.is_letter();
        let opens = |c: &char| match self.sign {
            _ if is_followed && matches!(c, '’' | '"') => false,
            '”' | '»' | '’' => matches!(c, '“' | '„' | '«' | '»' | '”' | '‘' | '’' | '"'),
            '“' => *c == '„',
            '«' => *c == '»',
            _ => false,
        };
        self.before.iter().any(opens)
    }

    /// Whether what it stands for fits the word that it is in, or is the word `à`: `Škoda`, `Gàidhlig`, `à la`, `d’à`.
    fn begins_word(&self) -> bool {
        let (value, next) = (look(self.value), look(self.next));
        let goes_on = next.kind == Kind::Lower && next.script == value.script;
        let another = || self.next == ' ' && self.behind.get(1).is_some_and(|c| *c != ' ');
        match value.kind {
            Kind::Upper => goes_on && self.last == ' ',
            Kind::Lower if self.capitals() == 1 => goes_on,
            _ => self.value == 'à' && (self.last == ' ' && another() || matches!(self.last, '\'' | '’')),
        }
    }

    /// Whether it ends a word of two letters, and a space separates that from another word: `Hà Giang`. Text as it should be has no
    /// space behind a no-break space.
    fn is_word_of_two(&self) -> bool {
        let is_letter = |c: Option<&char>| c.is_some_and(|c| c.is_alphabetic());
        self.capitals() == 1 && self.next == ' ' && is_letter(self.behind.get(1))
    }

    /// Whether it is Cyrillic or Greek, and other letters of its script stand around it: they would be sequences too if the
    /// line were misread.
    #[cold]
    fn has_kin(&self) -> bool {
        let script = look(self.letter).script;
        let is_kin = |c: &char| look(*c).script == script;
        matches!(script, Script::Cyrillic | Script::Greek)
            && self.before.iter().chain(self.behind).any(is_kin)
    }
}

/// Once in the program: here size counts, not speed.
#[cold]
fn look(c: char) -> Look {
    letters::look_at(c)
}
