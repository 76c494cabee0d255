//! Runs of misread characters in a line, and the evidence for and against each.
#![forbid(unsafe_code)]

use std::ops::Range;

use super::doubt::Doubt;
use super::facts::Facts;
use super::letters::{Kind, Look, Script, look_at};
use super::page::members;
use super::sequence::{self, Found, Wear};
use super::{ROUNDS, chance, cyrillic, ends, find, natural};

/// The gain in plausibility that a run must bring to be replaced on its own merit.
pub(super) const ENOUGH: i32 = 25;
/// What it must bring where it has lost bytes in the one way that is beyond doubt.
const ENOUGH_STRANDED: i32 = 20;

/// For a run: what each sequence after its first adds, and each third byte, since they seldom stand side by side by
/// chance.
pub(super) const SEQUENCE: i32 = 8;
/// For a run: it is an Â where no word begins, or `âš ` by itself.
const ADRIFT: i32 = 35;
/// For a run: it is a no-break space, and what it was read as would be a word of its own, with one behind it.
const NO_WORD: i32 = 10;
/// For a run: what it stands for is mojibake again.
pub(super) const NESTED: i32 = 20;
/// For a run: it is another script's letters or frames in a line of Latin, and stands for Latin too.
pub(super) const VISITOR: i32 = 24;
/// For each letter of a run: it is small among capitals, since what it was misread as has no small letters.
pub(super) const IN_CAPITALS: i32 = 45;
/// Against a single sequence: it is the only one in the line to stand for its script, and not for Latin; or it may as well be
/// a part of a longer one on windows-1252, which was cut.
pub(super) const ALONE: i32 = 20;
/// The doubt in a run of a few common characters that may well stand side by side, such as `ß”`.
const PLAIN: i32 = 10;
/// Against a run: it is a piece of something that it does not explain.
const TORN: i32 = 40;
/// Against a run: it is a small piece of something, or just a word.
pub(super) const LOST_IN_OTHERS: i32 = 120;

/// Scripts whose letters stand by themselves in lines of others.
pub(super) const EVERYDAY: [Script; 3] = [Script::Latin, Script::Greek, Script::None];
/// How far around a run the characters are counted that it may be a piece of.
const REACH: usize = 16;

/// Sequences of one page, one behind the other.
pub(super) struct Run {
    /// In characters of the line.
    pub(super) span: Range<usize>,
    /// The numbers of its characters beyond ASCII among those of the line.
    pub(super) numbers: Range<usize>,
    /// What it stands for, in characters of the text of its reading.
    text: Range<usize>,
    /// Sequences that have all their bytes.
    pub(super) whole: u32,
    /// Sequences that have lost some.
    worn: u32,
    /// Third bytes of whole sequences that stand for what is at home in every script: signs only where the sequence is
    /// not letters alone.
    thirds: u32,
    /// Whether it is what [`sequence::stranded`] finds.
    pub(super) stranded: bool,
    /// Whether it begins with what [`sequence::is_spaced`] finds.
    spaced: bool,
    /// How much more plausible the line is with the run replaced, in tenths of a nat or so.
    pub(super) gain: i32,
    /// Whether it was found to be a piece of something that it does not explain.
    pub(super) torn: bool,
    /// Whether it is better left: it makes sense as it stands, and what it stands for makes less.
    pub(super) plain: bool,
    /// Whether it stands so by nature: it is no evidence, and needs some.
    pub(super) natural: bool,
    /// Whether nothing shows it but a space where a byte was, as in `Å ablony`: it may as well be a letter and a space.
    pub(super) faint: bool,
}

impl Run {
    pub(super) fn new(at: usize, number: usize, text: usize) -> Self {
        Self {
            span: at..at,
            numbers: number..number,
            text: text..text,
            whole: 0,
            worn: 0,
            thirds: 0,
            stranded: false,
            spaced: false,
            gain: 0,
            torn: false,
            plain: false,
            natural: false,
            faint: false,
        }
    }

    /// Whether it is to be replaced whatever the rest of the line is.
    pub(super) fn certain(&self) -> bool {
        let whole = (self.whole > 0 || self.spaced) && self.gain >= ENOUGH && !self.natural;
        whole || self.stranded && self.gain >= ENOUGH_STRANDED
    }

    /// Whether it is, has all its bytes, and is no piece of something else.
    pub(super) fn is_beyond_doubt(&self) -> bool {
        self.worn == 0 && self.certain() && !self.torn
    }

    /// Adds what was found behind it, or first, to it and to the text of its reading.
    pub(super) fn push(&mut self, found: Found, source: &[char], text: &mut Vec<char>) {
        self.spaced |= self.span.is_empty() && found.wear == Wear::Space && sequence::is_spaced(source);
        self.span.end += found.taken;
        text.push(found.value);
        match found.wear {
            Wear::None => {
                self.whole += 1;
                self.thirds += u32::from(has_third(&source[..found.taken], found.value));
            }
            Wear::Space | Wear::Folded | Wear::Lost | Wear::Dropped => self.worn += 1,
        }
        self.text.end = text.len();
    }

    /// Adds what was lost.
    pub(super) fn put_back(&mut self, c: char, text: &mut Vec<char>) {
        text.push(c);
        self.text.end = text.len();
    }

    /// What it stands for, a part of the `text` of its reading.
    pub(super) fn text<'a>(&self, text: &'a [char]) -> &'a [char] {
        &text[self.text.clone()]
    }
}

/// A line read on one page.
pub(super) struct Reading {
    pub(super) page: usize,
    pub(super) runs: Vec<Run>,
    /// What the runs stand for, one behind the other.
    text: Vec<char>,
}

impl Reading {
    /// The runs of `line` on page number `page`, weighed.
    pub(super) fn of(line: &[char], facts: &Facts, page: usize) -> Self {
        let (mut runs, text) = find::runs(line, facts, page);
        let of_script = foreign(&runs, &text);
        let latin = facts.are_latin_but_for(&runs);
        let by_chance = runs.iter().all(|run| chance::is_alone(line, run, facts.is_drawing));
        let outside = cyrillic::is_on(page).then(|| cyrillic::stands_outside(line, facts, &runs, page));
        let is_alone = runs.len() == 1;
        for run in &mut runs {
            let text = run.text(&text);
            let (doubt, gain) = gain(line, run, text, page);
            run.gain = gain + SEQUENCE * (run.whole + run.worn - 1 + run.thirds) as i32 + stray(line, run);
            if latin && visitor(line, run, text) {
                run.gain += VISITOR;
            }
            if is_in_capitals(line, run, text) {
                run.gain += IN_CAPITALS * run.whole as i32;
            }
            if text.iter().any(is_directed) {
                run.gain -= LOST_IN_OTHERS;
            }
            let is_meant = |outside| cyrillic::is_meant(line, run, text, page, outside, latin);
            let torn = match outside.is_some_and(is_meant) {
                true => LOST_IN_OTHERS + run.gain.max(0),
                false => torn(line, &run.span, text, page),
            };
            run.torn = torn > 0;
            if by_chance {
                run.gain -= LOST_IN_OTHERS;
            }
            if page > 0 && run.whole + run.worn == 1 && ends::is_cut(line, &run.span, is_alone) {
                run.gain -= ALONE;
            }
            run.gain -= torn;
            if run.whole + run.worn == 1 && of_script.contains(&(script(text), 1)) {
                run.gain -= if run.torn { 2 * ALONE } else { ALONE };
                run.plain = doubt <= PLAIN && gain < 0;
            }
        }
        natural::mark(line, &mut runs, &text);
        Self { page, runs, text }
    }

    /// What `run` stands for.
    pub(super) fn text(&self, run: &Run) -> &[char] {
        run.text(&self.text)
    }
}

/// How many runs stand for each script that is not one of [`EVERYDAY`]: of few, mostly one.
fn foreign(runs: &[Run], text: &[char]) -> Vec<(Script, usize)> {
    let mut counts: Vec<(Script, usize)> = Vec::new();
    for script in runs.iter().map(|run| script(run.text(text))).filter(|script| !EVERYDAY.contains(script)) {
        match counts.iter_mut().find(|(its, _)| *its == script) {
            Some((_, count)) => *count += 1,
            None => counts.push((script, 1)),
        }
    }
    counts
}

/// Whether the third byte of the sequence for `value` is evidence that it was misread.
pub(super) fn has_third(source: &[char], value: char) -> bool {
    let letters = || source.iter().all(|&c| look_at(c).kind.is_letter());
    value.len_utf8() >= 3
        && match look_at(value).script {
            Script::Latin | Script::Greek => true,
            Script::None => sequence::is_textual(value) || !letters(),
            Script::Cyrillic | Script::EastAsian | Script::Block(_) => false,
        }
}

/// The doubt in the run, and how much less there is with the run replaced, once or, where that leaves mojibake,
/// several times.
fn gain(line: &[char], run: &Run, text: &[char], page: usize) -> (i32, i32) {
    let (before, next) = around(line, &run.span, page);
    let before = Doubt::after(before, &[]);
    let now = before.over(&line[run.span.clone()], next);
    let mut gain = now - before.over(text, next);
    let nested = sequence::pages(text);
    if nested != 0 {
        gain += NESTED;
    }
    for page in members(nested) {
        let mut deeper = sequence::again(text, page);
        for _ in 0..ROUNDS {
            let Some(text) = deeper else { break };
            gain = gain.max(now - before.over(&text, next) + NESTED);
            deeper = sequence::again(&text, page);
        }
    }
    (now, gain)
}

/// The line before a run, and the character behind it. What is left of sequences there, where the line was cut, is nothing.
fn around<'a>(line: &'a [char], span: &Range<usize>, page: usize) -> (&'a [char], Option<char>) {
    let before = &line[..span.start - ends::rest(line, span.start, page)];
    (before, line.get(span.end + ends::beginning(line, span.end, page)).copied())
}

/// The most that a line can gain in plausibility if a run is replaced by `text`, which is no mojibake again, whatever else stands in the line.
/// `before`: the doubt up to the run.
pub(super) fn most_gain(before: Doubt, run: &[char], text: &[char], next: Option<char>) -> i32 {
    let thirds = text.iter().filter(|c| c.len_utf8() >= 3).count();
    let mut gain = before.over(run, next) - before.over(text, next);
    gain += SEQUENCE * (text.len() + thirds - 1) as i32;
    gain += if let [a, b, ..] = *run { most_stray(a, b) } else { 0 };
    let is_common = |look: Look| look.kind == Kind::Lower && look.script == Script::Latin;
    if text.iter().all(|&c| is_common(look_at(c))) {
        if run.iter().all(|&c| may_visit(&look_at(c))) {
            gain += VISITOR;
        }
        if before.is_behind_capital() {
            gain += IN_CAPITALS * text.len() as i32;
        }
    }
    gain
}

/// Whether a character may be part of a [`visitor`].
pub(super) fn may_visit(look: &Look) -> bool {
    matches!(look.script, Script::Cyrillic | Script::Greek) || look.kind == Kind::Frame
}

/// The most that [`stray`] says of a run that begins with these characters.
pub(super) fn most_stray(first: char, second: char) -> i32 {
    match (first, second) {
        ('Â', ' ') => ADRIFT,
        ('Â', '\u{A0}') => NO_WORD,
        ('â', 'š') => ADRIFT,
        _ => 0,
    }
}

/// Whether `c` changes the direction of what is behind it.
pub(super) fn is_directed(c: &char) -> bool {
    matches!(c, '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
}

/// The evidence for a no-break space that was misread as Â, or for ⚠, where no word stands.
fn stray(line: &[char], run: &Run) -> i32 {
    let before = run.span.start.checked_sub(1).map_or(' ', |before| line[before]);
    let next = line.get(run.span.end).copied().unwrap_or(' ');
    match line[run.span.clone()] {
        ['Â', ' '] if run.stranded && !before.is_ascii_lowercase() => ADRIFT,
        ['â', 'š', ' '] if before == ' ' && (next == ' ' || next.is_ascii_uppercase()) => ADRIFT,
        ['Â', '\u{A0}'] if before == ' ' && (next == ' ' || next.is_alphanumeric()) => NO_WORD,
        _ => 0,
    }
}

/// The script of the first letter in `text`.
pub(super) fn script(text: &[char]) -> Script {
    text.iter().map(|&c| look_at(c).script).find(|&script| script != Script::None).unwrap_or(Script::None)
}

/// Whether the run is Cyrillic or Greek letters, or frames between spaces, and stands for common small letters of
/// Latin.
fn visitor(line: &[char], run: &Run, text: &[char]) -> bool {
    let common = |&c: &char| {
        let look = look_at(c);
        look.kind == Kind::Lower && look.script == Script::Latin && look.rarity <= 2
    };
    let visiting = |&c: &char| matches!(look_at(c).script, Script::Cyrillic | Script::Greek);
    let framed = |&c: &char| look_at(c).kind == Kind::Frame;
    let space = |at: usize| line.get(at).is_none_or(|&c| c == ' ');
    let own_word = space(run.span.start.wrapping_sub(1)) && space(run.span.end);
    let source = &line[run.span.clone()];
    run.whole > 0
        && text.iter().all(common)
        && (source.iter().all(visiting) || own_word && source.iter().all(framed))
}

/// Whether the run was made capital with the word that it stands in, as in `MUÃ±OZ`: each sequence is a capital and signs, and stands for a
/// small letter.
fn is_in_capitals(line: &[char], run: &Run, text: &[char]) -> bool {
    let is_capital = |at: usize| line.get(at).is_some_and(char::is_ascii_uppercase);
    let small = |&c: &char| look_at(c).kind == Kind::Lower && look_at(c).script == Script::Latin;
    let source = &line[run.span.clone()];
    is_capital(run.span.start.wrapping_sub(1))
        && (is_capital(run.span.end) || is_capital(run.span.start.wrapping_sub(2)))
        && run.worn == 0
        && text.iter().all(small)
        && !source.iter().any(|c| c.is_lowercase())
        && source.iter().filter(|c| c.is_alphabetic()).count() == run.whole as usize
}

/// The evidence against a run that is part of a longer word of its own script, or of a row of characters beyond ASCII that continues
/// at both ends, or that is just a word.
fn torn(line: &[char], span: &Range<usize>, text: &[char], page: usize) -> i32 {
    // A script that no page has begins something new.
    let akin =
        |c: &&char| !c.is_ascii() && !matches!(look_at(**c).script, Script::EastAsian | Script::Block(_));
    let before = line[..span.start].iter().rev().take(REACH).take_while(akin).count();
    let after = line[span.end..].iter().take(REACH).take_while(akin).count();
    // What is left of others where the line was cut is no word.
    let before = if before > 0 && ends::rest(line, span.start, page) > 0 { 0 } else { before };
    let after = if after > 0 && ends::beginning(line, span.end, page) > 0 { 0 } else { after };
    let run = &line[span.clone()];
    let latin = |at: usize| line.get(at).is_some_and(char::is_ascii_alphabetic);
    // `cм²` with a c of ASCII, where м and its sign would be a mark on it.
    let is_mark = || text.iter().all(|&c| look_at(c).kind == Kind::Mark);
    let is_apart = || !latin(span.start.wrapping_sub(1)) && !latin(span.end);
    let formula = sequence::is_formula(run) && (is_apart() || is_mark());
    let ending = sequence::is_ending(run) && is_apart();
    if 2 * (before + after) >= 3 * span.len() || sequence::is_word(run) || formula || ending {
        return LOST_IN_OTHERS;
    }
    let one_word = |inner: usize, outer: usize| {
        let (inside, outside) = (look_at(line[inner]), look_at(line[outer]));
        let letters = inside.kind.is_letter() && outside.kind.is_letter();
        letters && inside.script == outside.script
    };
    let torn = before > 0 && one_word(span.start, span.start - 1)
        || after > 0 && one_word(span.end - 1, span.end)
        || before > 0 && after > 0;
    if torn { TORN } else { 0 }
}
