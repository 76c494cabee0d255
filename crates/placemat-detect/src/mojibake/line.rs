//! One round over one line: which runs were misread, on which page, and what they stand for.
#![forbid(unsafe_code)]

use std::cmp::Reverse;
use std::collections::HashMap;
use std::ops::Range;

use super::ROUNDS;
use super::doubt::Doubt;
use super::letters::{Kind, Script, look_at};
use super::page::{COUNT, Page, TABLE, TRIED};
use super::sequence::{self, Wear};

/// A run to be replaced.
#[derive(Clone, Debug)]
pub(super) struct Fix {
    /// In characters of the line.
    pub(super) range: Range<usize>,
    pub(super) text: Vec<char>,
    page: usize,
}

impl Fix {
    /// The page that `run`, the characters to be replaced, were read on.
    pub(super) fn page(&self, run: &[char]) -> Page {
        let latin1 = run.iter().all(|&c| c <= '\u{FF}') && run.iter().any(|c| c.is_control());
        match TRIED[self.page] {
            Page::Windows1252 if latin1 => Page::Latin1,
            page => page,
        }
    }
}

/// What the text so far says about each page: the doubt that reading on it has removed, up to a limit.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Trust([i32; COUNT]);

/// The gain in plausibility that a run must bring to be replaced on its own merit.
const ENOUGH: i32 = 25;
/// What it must bring where it has lost bytes in the one way that is beyond doubt.
const ENOUGH_STRANDED: i32 = 20;
/// What it must bring where text before it was misread on the same page.
const ENOUGH_WITH_TRUST: i32 = 15;
/// What certain runs of a line must bring together, for its doubtful ones to be believed too.
const CONVINCING: i32 = 40;
/// What each character in a run counts where pages compete: the right page leaves none over.
const COVERED: i32 = 15;
/// What it says for a page that the text read back on it holds mojibake again.
const NESTED: i32 = 20;
/// What it says for a run that it is another script's letters in a line of Latin, and stands for Latin too.
const VISITOR: i32 = 24;
/// How many letters make a line of Latin.
const SETTLED: usize = 8;
/// What each further sequence in a run says for it: they seldom stand side by side by chance.
const SEQUENCE: i32 = 8;
/// What it says against a single sequence that it is the only one to stand for its script, and not for Latin.
const ALONE: i32 = 20;
/// What it says against a run that it ends within a word.
const TORN: i32 = 40;
/// How far around a run such a row is followed.
const TORN_SPAN: usize = 16;
/// How many runs, none certain, can make a case together.
const MANY: usize = 3;

/// Runs of sequences, one behind the other.
struct Run {
    /// In characters of the line.
    span: Range<usize>,
    text: Vec<char>,
    /// Sequences that have all their bytes.
    whole: usize,
    /// Sequences that have lost some.
    worn: usize,
    /// It is what [`sequence::stranded`] finds.
    stranded: bool,
    gain: i32,
    /// The part of the gain that it lost for being a piece of something else.
    torn: i32,
}

impl Run {
    fn certain(&self) -> bool {
        self.whole > 0 && self.gain >= ENOUGH || self.stranded && self.gain >= ENOUGH_STRANDED
    }
}

/// The runs of `line` that were misread, in order; none overlap.
pub(super) fn misread(line: &[char], trust: &mut Trust) -> Vec<Fix> {
    let pages = sequence::pages(line);
    let mut readings: Vec<(usize, Vec<Run>)> =
        (0..COUNT).filter(|page| pages & 1 << page != 0).map(|page| (page, runs(line, page))).collect();
    readings.sort_by_cached_key(|(page, runs)| {
        let merit: i32 = runs.iter().map(|run| run.gain.max(0) + COVERED * run.span.len() as i32).sum();
        (Reverse(merit), *page)
    });

    let foreign = line.iter().filter(|c| !c.is_ascii()).count();
    let mut fixes: Vec<Fix> = Vec::new();
    let mut taken = vec![false; line.len()];
    for (page, mut runs) in readings {
        runs.retain(|run| !taken[run.span.clone()].contains(&true));
        let covered: usize =
            runs.iter().map(|run| line[run.span.clone()].iter().filter(|c| !c.is_ascii()).count()).sum();
        let believed = believed(&runs, trust.0[page], covered == foreign);
        for (run, _) in runs.into_iter().zip(believed).filter(|(_, yes)| *yes) {
            if run.certain() {
                trust.0[page] = (trust.0[page] + run.gain).min(CONVINCING);
            }
            taken[run.span.clone()].fill(true);
            fixes.push(Fix { range: run.span, text: run.text, page });
        }
    }
    fixes.sort_by_key(|fix| fix.range.start);
    fixes
}

/// Which of the runs of one page to replace. `all`: nothing beyond ASCII stands outside them.
fn believed(runs: &[Run], trust: i32, all: bool) -> Vec<bool> {
    let certain: i32 = runs.iter().filter(|run| run.certain()).map(|run| run.gain).sum();
    // Runs that would have said nonsense, though nothing about them is torn, tell against the page.
    let against: i32 =
        runs.iter().filter(|run| run.whole > 0 && run.torn == 0).map(|run| run.gain.min(0)).sum();
    if certain + against <= 0 && certain > 0 {
        return vec![false; runs.len()];
    }
    let whole = || runs.iter().filter(|run| run.whole > 0);
    let together = all
        && whole().count() >= MANY
        && whole().all(|run| run.gain > 0)
        && whole().map(|run| run.gain).sum::<i32>() >= ENOUGH;
    runs.iter()
        .map(|run| {
            if run.certain() {
                return true;
            }
            if certain > 0 && all {
                return true;
            }
            if certain >= CONVINCING {
                return run.gain >= 0;
            }
            run.whole > 0 && (together || trust >= CONVINCING && run.gain >= ENOUGH_WITH_TRUST)
        })
        .collect()
}

/// All runs of a line on one page.
fn runs(line: &[char], page: usize) -> Vec<Run> {
    let mut runs: Vec<Run> = Vec::new();
    let mut at = 0;
    while at < line.len() {
        let rest = &line[at..];
        let found = if rest[0].is_ascii() {
            None
        } else {
            sequence::whole(rest, page).or_else(|| sequence::worn(rest, page))
        };
        let Some(found) = found else {
            at += 1;
            continue;
        };
        if runs.last().is_none_or(|run| run.span.end != at) {
            runs.push(Run {
                span: at..at,
                text: Vec::new(),
                whole: 0,
                worn: 0,
                stranded: false,
                gain: 0,
                torn: 0,
            });
        }
        let run = runs.last_mut().expect("one was just pushed");
        at += found.taken;
        run.span.end = at;
        run.text.push(found.value);
        match found.wear {
            Wear::None => run.whole += 1,
            Wear::Space | Wear::Lost | Wear::Dropped => run.worn += 1,
            Wear::Folded => {
                run.worn += 1;
                run.text.push(' ');
            }
        }
    }
    let scripts: Vec<Script> = runs.iter().map(|run| script(&run.text)).collect();
    let mut count: HashMap<Script, usize> = HashMap::new();
    scripts.iter().for_each(|&script| *count.entry(script).or_default() += 1);
    let abroad = abroad(line, &runs);
    for (at, run) in runs.iter_mut().enumerate() {
        run.gain =
            gain(line, &run.span, &run.text) + SEQUENCE * (run.whole + run.worn).saturating_sub(1) as i32;
        run.stranded = page == 0
            && run.whole == 0
            && run.span.len() == 2
            && run.span.start > 0
            && sequence::stranded(line[run.span.start - 1], line[run.span.start], line[run.span.end - 1]);
        if sequence::pages(&run.text) != 0 {
            run.gain += NESTED;
        }
        let mut text = run.text.clone();
        for _ in 0..ROUNDS {
            let Some(deeper) = sequence::again(&text, page) else { break };
            run.gain = run.gain.max(gain(line, &run.span, &deeper) + NESTED);
            text = deeper;
        }
        if visitor(line, run) && abroad {
            run.gain += VISITOR;
        }
        run.torn = torn(line, &run.span, page);
        run.gain -= run.torn;
        let alone =
            || scripts.iter().enumerate().all(|(other, script)| other == at || *script != scripts[at]);
        if run.whole + run.worn == 1
            && !matches!(scripts[at], Script::Latin | Script::Greek | Script::None)
            && count[&scripts[at]] == 1
        {
            run.gain -= ALONE;
        }
    }
    runs
}

/// Whether the line is in ASCII letters but for its runs.
fn abroad(line: &[char], runs: &[Run]) -> bool {
    let letters = line.iter().filter(|c| c.is_ascii_alphabetic()).count();
    let beyond =
        |chars: &[char]| chars.iter().filter(|c| !c.is_ascii() && look_at(**c).kind.is_letter()).count();
    letters >= SETTLED
        && beyond(line) == runs.iter().map(|run| beyond(&line[run.span.clone()])).sum::<usize>()
}

/// Whether the run is letters of another script in the line and stands for common small letters of Latin.
fn visitor(line: &[char], run: &Run) -> bool {
    let common = |&c: &char| {
        let look = look_at(c);
        look.kind == Kind::Lower && look.script == Script::Latin && look.rarity <= 2
    };
    let foreign = |&c: &char| matches!(look_at(c).script, Script::Cyrillic | Script::Greek);
    run.whole > 0 && run.text.iter().all(common) && line[run.span.clone()].iter().all(foreign)
}

/// The script of the first letter in `text`.
fn script(text: &[char]) -> Script {
    text.iter().map(|&c| look_at(c).script).find(|&script| script != Script::None).unwrap_or(Script::None)
}

/// What it says against a run that it is a piece of something that it does not explain: of a longer word of its own
/// script, or of a row of characters beyond ASCII that goes on at both ends; or that it is a word.
fn torn(line: &[char], span: &Range<usize>, page: usize) -> i32 {
    let stray = |c: &&char| !c.is_ascii();
    let before = line[..span.start].iter().rev().take(TORN_SPAN).take_while(stray).count();
    let after = line[span.end..].iter().take(TORN_SPAN).take_while(stray).count();
    let word = |inner: usize, outer: usize| {
        let (inner, look) = (look_at(line[inner]), look_at(line[outer]));
        let letters = look.kind.is_letter() && inner.kind.is_letter();
        letters && look.script == inner.script && TABLE.get(line[outer]).bytes[page] != 0
    };
    if before + after >= 2 * span.len() || sequence::is_word(&line[span.clone()]) {
        return 3 * TORN;
    }
    let word = before > 0 && word(span.start, span.start - 1) || after > 0 && word(span.end - 1, span.end);
    if word || before > 0 && after > 0 { TORN } else { 0 }
}

/// How much less doubtful the line is with `text` in place of `span`.
fn gain(line: &[char], span: &Range<usize>, text: &[char]) -> i32 {
    let before = Doubt::after(&line[..span.start]);
    let next = line.get(span.end).copied();
    before.over(&line[span.clone()], next) - before.over(text, next)
}
