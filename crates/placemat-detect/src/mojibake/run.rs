//! Runs of misread characters in a line, and the evidence for and against each.
#![forbid(unsafe_code)]

use std::cell::LazyCell;
use std::collections::{HashMap, HashSet};
use std::ops::Range;

use super::doubt::Doubt;
use super::letters::{Kind, Script, look_at};
use super::page::COUNT;
use super::sequence::{self, Found, Wear};
use super::{ROUNDS, chance, cyrillic};

/// The gain in plausibility that a run must bring to be replaced on its own merit.
const ENOUGH: i32 = 25;
/// What it must bring where it has lost bytes in the one way that is beyond doubt.
const ENOUGH_STRANDED: i32 = 20;

/// For a run: what each sequence after its first adds, and each third byte, since they seldom stand side by side by
/// chance.
const SEQUENCE: i32 = 8;
/// For a run: it is an Â where no word begins.
const ADRIFT: i32 = 35;
/// For a run: it is a no-break space, and what it was read as would be a word of its own, with one behind it.
const NO_WORD: i32 = 10;
/// For a run: what it stands for is mojibake again.
const NESTED: i32 = 20;
/// For a run: it is another script's letters or frames in a line of Latin, and stands for Latin too.
const VISITOR: i32 = 24;
/// Against a single sequence: it is the only one in the line to stand for its script, and not for Latin.
const ALONE: i32 = 20;
/// What a space that may be a byte may cost among its like: a digit costs more than a capital letter.
const LEEWAY: i32 = 10;
/// The doubt in a run of a few common characters that may well stand side by side, such as `ß”`.
const PLAIN: i32 = 10;
/// Against a run: it is a piece of something that it does not explain.
const TORN: i32 = 40;
/// Against a run: it is a small piece of something, or just a word.
const LOST_IN_OTHERS: i32 = 120;

/// Scripts whose letters stand by themselves in lines of others.
const EVERYDAY: [Script; 3] = [Script::Latin, Script::Greek, Script::None];
/// How many letters make a line of Latin.
const SETTLED: usize = 8;
/// How far around a run the characters are counted that it may be a piece of.
const REACH: usize = 16;

/// Sequences of one page, one behind the other.
pub(super) struct Run {
    /// In characters of the line.
    pub(super) span: Range<usize>,
    /// What it stands for.
    pub(super) text: Vec<char>,
    /// Sequences that have all their bytes.
    pub(super) whole: usize,
    /// Sequences that have lost some.
    worn: usize,
    /// Third bytes of whole sequences that stand for what is at home in every script: signs only where the sequence is
    /// not letters alone.
    thirds: usize,
    /// Whether it is what [`sequence::stranded`] finds.
    stranded: bool,
    /// How much more plausible the line is with the run replaced, in tenths of a nat or so.
    pub(super) gain: i32,
    /// Whether it was found to be a piece of something that it does not explain.
    pub(super) torn: bool,
    /// Whether it is better left: it makes sense as it stands, and what it stands for makes less.
    pub(super) plain: bool,
    /// Whether nothing shows it but a space where a byte was, as in `Å ablony`: it may as well be a letter and a space.
    pub(super) faint: bool,
}

impl Run {
    fn new(at: usize) -> Self {
        Self {
            span: at..at,
            text: Vec::new(),
            whole: 0,
            worn: 0,
            thirds: 0,
            stranded: false,
            gain: 0,
            torn: false,
            plain: false,
            faint: false,
        }
    }

    /// Whether it is to be replaced whatever the rest of the line is.
    pub(super) fn certain(&self) -> bool {
        self.whole > 0 && self.gain >= ENOUGH || self.stranded && self.gain >= ENOUGH_STRANDED
    }
}

/// What a line is whatever it is read on.
pub(super) struct Facts {
    is_drawing: bool,
    /// Letters of ASCII; and other letters, and frames.
    ascii: usize,
    others: usize,
}

impl Facts {
    pub(super) fn of(line: &[char]) -> Facts {
        let ascii = line.iter().filter(|c| c.is_ascii_alphabetic()).count();
        Facts { is_drawing: chance::is_drawing(line), ascii, others: others(line) }
    }

    /// Whether the line is in ASCII letters, with no other letters or frames but those of its runs.
    fn are_latin_but_for(&self, line: &[char], runs: &[Run]) -> bool {
        let within = || runs.iter().map(|run| others(&line[run.span.clone()])).sum::<usize>();
        self.ascii >= SETTLED && self.others == within()
    }
}

/// How many letters beyond ASCII, and frames.
fn others(text: &[char]) -> usize {
    let other = |c: &&char| {
        let kind = look_at(**c).kind;
        kind.is_letter() || kind == Kind::Frame
    };
    text.iter().filter(|c| !c.is_ascii()).filter(other).count()
}

/// The runs of `line` on page number `page`, weighed.
pub(super) fn runs(line: &[char], facts: &Facts, page: usize) -> Vec<Run> {
    let mut runs = find(line, page);
    let scripts: Vec<Script> = runs.iter().map(|run| script(&run.text)).collect();
    let count = LazyCell::new(|| {
        let mut count: HashMap<Script, usize> = HashMap::new();
        scripts.iter().for_each(|&script| *count.entry(script).or_default() += 1);
        count
    });
    let latin = facts.are_latin_but_for(line, &runs);
    let by_chance = runs.iter().all(|run| chance::is_alone(line, run, facts.is_drawing));
    let outside = cyrillic::is_on(page).then(|| cyrillic::stands_outside(line, &runs));
    for (run, &script) in runs.iter_mut().zip(&scripts) {
        let (doubt, gain) = gain(line, run);
        run.gain = gain + SEQUENCE * (run.whole + run.worn - 1 + run.thirds) as i32 + stray(line, run);
        if latin && visitor(line, run) {
            run.gain += VISITOR;
        }
        let meant = outside.is_some_and(|outside| cyrillic::is_meant(line, run, page, outside, latin));
        let torn = if meant { LOST_IN_OTHERS + run.gain.max(0) } else { torn(line, &run.span) };
        run.torn = torn > 0;
        if by_chance {
            run.gain -= LOST_IN_OTHERS;
        }
        run.gain -= torn;
        if run.whole + run.worn == 1 && !EVERYDAY.contains(&script) && count[&script] == 1 {
            run.gain -= if run.torn { 2 * ALONE } else { ALONE };
            run.plain = doubt <= PLAIN && gain < 0;
        }
    }
    runs
}

fn find(line: &[char], page: usize) -> Vec<Run> {
    let mut runs: Vec<Run> = Vec::new();
    let is_vietnamese = LazyCell::new(|| is_vietnamese(line, page));
    let among = LazyCell::new(|| scripts(line, page));
    let mut at = 0;
    while let Some(ascii) = line[at..].iter().position(|c| !c.is_ascii()) {
        at += ascii;
        let rest = &line[at..];
        let touching = runs.last().filter(|run| run.span.end == at);
        let belongs = |found: &Found| among.contains(&look_at(found.value).script);
        let is_likely = |found: &Found| belongs(found) && is_likely(line, at, touching, found, page);
        let before = at.checked_sub(1).map(|before| line[before]);
        let stranded = page == 0 && before.is_some_and(|before| sequence::stranded(before, rest));
        let worn = || {
            sequence::worn(rest, page)
                .filter(|found| found.wear != Wear::Space || stranded || is_likely(found))
        };
        let sequence = || sequence::whole(rest, page).or_else(worn);
        let Some(found) = sequence() else {
            at += 1;
            continue;
        };
        let mut run = runs.pop_if(|run| run.span.end == at).unwrap_or_else(|| Run::new(at));
        at += found.taken;
        run.span.end = at;
        run.text.push(found.value);
        match found.wear {
            Wear::None => {
                run.whole += 1;
                run.thirds += usize::from(has_third(&rest[..found.taken], found.value));
            }
            Wear::Space | Wear::Lost | Wear::Dropped => run.worn += 1,
            Wear::Folded => {
                run.worn += 1;
                if !*is_vietnamese {
                    run.text.push(' ');
                }
            }
        }
        run.stranded = stranded;
        runs.push(run);
    }
    let common = |c: &char| matches!(c, 'à' | ' ' | '\u{A0}' | '”' | '\u{FFFD}');
    runs.iter_mut().for_each(|run| run.faint = run.whole == 0 && !run.text.iter().all(common));
    runs
}

/// Whether the third byte of the sequence for `value` is evidence that it was misread.
fn has_third(source: &[char], value: char) -> bool {
    let letters = || source.iter().all(|&c| look_at(c).kind.is_letter());
    value.len_utf8() == 3
        && match look_at(value).script {
            Script::Latin | Script::Greek => true,
            Script::None => sequence::is_textual(value) || !letters(),
            Script::Cyrillic | Script::EastAsian | Script::Block(_) => false,
        }
}

/// Whether what was `found` at `at` with a space in it is about as plausible between its neighbours, as they are read
/// on this page, as what stands there. `thé – ` is a word and a dash, though it spells U+9816.
fn is_likely(line: &[char], at: usize, touching: Option<&Run>, found: &Found, page: usize) -> bool {
    let last = |text: &[char]| text[text.len().saturating_sub(3)..].to_vec();
    let (start, text) = touching.map_or((at, Vec::new()), |run| (run.span.start, last(&run.text)));
    let before = Doubt::after(&[last(&line[..start]), text].concat());
    let end = at + found.taken;
    let read = |rest| sequence::whole(rest, page).or_else(|| sequence::worn(rest, page));
    let next = line.get(end).map(|&c| read(&line[end..]).map_or(c, |found| found.value));
    before.over(&line[at..end], next) + LEEWAY >= before.over(&[found.value], next)
}

/// The scripts of the line, read back on this page, and those that stand by themselves in lines of others.
fn scripts(line: &[char], page: usize) -> HashSet<Script> {
    let read = |at| sequence::whole(&line[at..], page).map_or(line[at], |found| found.value);
    (0..line.len()).map(|at| look_at(read(at)).script).chain(EVERYDAY).collect()
}

/// Whether the line, read back on this page, has letters that only Vietnamese has: there `à` stands within words.
fn is_vietnamese(line: &[char], page: usize) -> bool {
    let value = |at| sequence::whole(&line[at..], page).map(|found| found.value);
    (0..line.len()).filter_map(value).any(|c| matches!(c, '\u{1EA0}'..='\u{1EF9}'))
}

/// The doubt in the run, and how much less there is with the run replaced, once or, where that leaves mojibake,
/// several times.
fn gain(line: &[char], run: &Run) -> (i32, i32) {
    let before = Doubt::after(&line[..run.span.start]);
    let next = line.get(run.span.end).copied();
    let now = before.over(&line[run.span.clone()], next);
    let mut gain = now - before.over(&run.text, next);
    let nested = sequence::pages(&run.text);
    if nested != 0 {
        gain += NESTED;
    }
    for page in (0..COUNT).filter(|page| nested & 1 << page != 0) {
        let mut deeper = sequence::again(&run.text, page);
        for _ in 0..ROUNDS {
            let Some(text) = deeper else { break };
            gain = gain.max(now - before.over(&text, next) + NESTED);
            deeper = sequence::again(&text, page);
        }
    }
    (now, gain)
}

/// The evidence for a no-break space that was misread as Â and stands where no word can.
fn stray(line: &[char], run: &Run) -> i32 {
    let before = run.span.start.checked_sub(1).map_or(' ', |before| line[before]);
    let next = line.get(run.span.end).copied().unwrap_or(' ');
    match line[run.span.clone()] {
        ['Â', ' '] if run.stranded && !before.is_ascii_lowercase() => ADRIFT,
        ['Â', '\u{A0}'] if before == ' ' && (next == ' ' || next.is_alphanumeric()) => NO_WORD,
        _ => 0,
    }
}

/// The script of the first letter in `text`.
fn script(text: &[char]) -> Script {
    text.iter().map(|&c| look_at(c).script).find(|&script| script != Script::None).unwrap_or(Script::None)
}

/// Whether the run is Cyrillic or Greek letters, or frames between spaces, and stands for common small letters of
/// Latin.
fn visitor(line: &[char], run: &Run) -> bool {
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
        && run.text.iter().all(common)
        && (source.iter().all(visiting) || own_word && source.iter().all(framed))
}

/// The evidence against a run that is part of a longer word of its own script, or of a row of characters beyond ASCII that continues
/// at both ends, or that is just a word.
fn torn(line: &[char], span: &Range<usize>) -> i32 {
    // A script that no page has begins something new.
    let akin =
        |c: &&char| !c.is_ascii() && !matches!(look_at(**c).script, Script::EastAsian | Script::Block(_));
    let before = line[..span.start].iter().rev().take(REACH).take_while(akin).count();
    let after = line[span.end..].iter().take(REACH).take_while(akin).count();
    let run = &line[span.clone()];
    let latin = |at: usize| line.get(at).is_some_and(char::is_ascii_alphabetic);
    let formula = sequence::is_formula(run) && !latin(span.start.wrapping_sub(1)) && !latin(span.end);
    if 2 * (before + after) >= 3 * span.len() || sequence::is_word(run) || formula {
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
