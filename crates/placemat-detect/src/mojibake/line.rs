//! One round over one line: which runs were misread, on which page, and what they stand for.
#![forbid(unsafe_code)]

use std::cmp::Reverse;
use std::ops::Range;

use super::facts::Facts;
use super::letters::look_at;
use super::page::{COUNT, Page, TRIED};
use super::run::{Reading, Run};
use super::{cyrillic, spelling};

/// A run to be replaced.
pub(super) struct Fix {
    /// In characters of the line.
    pub(super) range: Range<usize>,
    /// In characters of [`Fixes::text`].
    text: Range<usize>,
    page: usize,
}

/// The runs of a line to be replaced, in order; none overlap.
#[derive(Default)]
pub(super) struct Fixes {
    pub(super) runs: Vec<Fix>,
    /// What takes their places.
    text: Vec<char>,
}

impl Fixes {
    /// What takes the place of one.
    pub(super) fn text(&self, fix: &Fix) -> &[char] {
        &self.text[fix.text.clone()]
    }

    fn push(&mut self, run: &Run, reading: &Reading) {
        let start = self.text.len();
        self.text.extend_from_slice(reading.text(run));
        self.runs.push(Fix { range: run.span.clone(), text: start..self.text.len(), page: reading.page });
    }
}

impl Fix {
    /// The page that it was read on; `line` is where it is.
    pub(super) fn page(&self, line: &[char]) -> Page {
        let run = &line[self.range.clone()];
        let latin1 = run.iter().all(|&c| c <= '\u{FF}') && run.iter().any(|c| c.is_control());
        match TRIED[self.page] {
            Page::Windows1252 if latin1 => Page::Latin1,
            page => page,
        }
    }
}

/// What the text so far, earlier rounds over this line included, says about each page: the gain of the certain runs on it, up to [`CONVINCING`].
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Trust([i32; COUNT]);

impl Trust {
    /// As much as earlier lines can say.
    pub(super) fn full() -> Self {
        Self([CONVINCING; COUNT])
    }

    /// Adds the gain of certain runs on a page, or less. Whether the rest would add nothing.
    pub(super) fn add(&mut self, page: usize, gain: i32) -> bool {
        let is_full = self.0[page] + gain >= CONVINCING;
        if is_full {
            self.0[page] = CONVINCING;
        }
        is_full
    }

    /// Whether one page is believed as much as another.
    pub(super) fn is_as_much(&self, page: usize, other: usize) -> bool {
        self.0[page] >= self.0[other]
    }
}

/// The gain that a page's certain runs must bring together for its doubtful ones to be believed too.
const CONVINCING: i32 = 40;
/// The gain that a run must bring on a page that earlier lines were misread on.
pub(super) const ENOUGH_WITH_TRUST: i32 = 15;
/// What counts against ISO-8859-2 there: where windows-1250 reads a line as well, it was that.
pub(super) const SELDOM: i32 = 6;
/// By how many quarter bits another page must spell better than the first, and by how many more ISO-8859-2 must.
const CLEARLY: u32 = 20;
const CLEARLY_SELDOM: u32 = 12;
const SHORT: usize = 24;
/// How many runs, none of them certain, are enough together, and the gain that they must bring.
const MANY: usize = 3;
const ENOUGH_TOGETHER: i32 = 25;
/// What each character in a run counts where pages compete: the right page leaves none over.
pub(super) const COVERED: i32 = 15;
/// What each letter counts there that belongs to the one language which reads the most of them.
pub(super) const READ: i32 = 6;

/// The runs of `line` that were misread.
pub(super) fn misread(line: &[char], trust: &mut Trust) -> Fixes {
    let facts = Facts::of(line);
    let readings = readings(line, &facts, trust);
    let mut fixes = Fixes::default();
    let mut taken = vec![false; if readings.len() > 1 { line.len() } else { 0 }];
    for mut reading in readings {
        reading.runs.retain(|run| taken.get(run.span.clone()).is_none_or(|taken| !taken.contains(&true)));
        let covered = reading.runs.iter().map(|run| run.numbers.len()).sum::<usize>();
        let belief = Belief::of(&reading.runs, trust.0[reading.page], covered == facts.beyond.len());
        for run in reading.runs.iter().filter(|run| belief.holds(run)) {
            if run.certain() {
                trust.0[reading.page] = (trust.0[reading.page] + run.gain).min(CONVINCING);
            }
            if let Some(taken) = taken.get_mut(run.span.clone()) {
                taken.fill(true);
            }
            fixes.push(run, &reading);
        }
    }
    fixes.runs.sort_unstable_by_key(|fix| fix.range.start);
    fixes
}

/// The line on each page that may tell something, the best first.
fn readings(line: &[char], facts: &Facts, trust: &Trust) -> Vec<Reading> {
    let pages = facts.with_sequences(line);
    let tried = |page: &usize| pages & 1 << page != 0 && !is_read_before(facts, pages, *page, trust);
    let has_all = |page: &usize| facts.pages & 1 << page != 0;
    let read = |page: usize| Reading::of(line, facts, page);
    let mut readings: Vec<Reading> = (0..COUNT).filter(has_all).filter(tried).map(read).collect();
    if !readings.iter().any(|reading| facts.is_explained(reading)) {
        readings.extend((0..COUNT).filter(|page| !has_all(page)).filter(tried).map(read));
    }
    if readings.len() > 1 {
        readings.sort_by_cached_key(|reading| (Reverse(merit(reading)), reading.page));
        prefer_better_spelt(line, &mut readings);
    }
    readings
}

/// Whether an earlier one of `pages` reads the line as this one does, and is believed as much: this one would add nothing.
fn is_read_before(facts: &Facts, pages: u16, page: usize, trust: &Trust) -> bool {
    // Elsewhere the page itself counts.
    let is_read = |other: usize| {
        TRIED[other] != Page::Iso8859_2
            && trust.0[other] >= trust.0[page]
            && facts.are_alike(other, page)
            && (other > 0 || !facts.is_stranded)
    };
    !cyrillic::is_on(page) && (0..page).any(|other| pages & 1 << other != 0 && is_read(other))
}

/// Puts another page first that reads the same runs as the first, and makes of them what is clearly spelt better.
fn prefer_better_spelt(line: &[char], readings: &mut [Reading]) {
    let Some((first, others)) = readings.split_first() else { return };
    let is_rival = |reading: &Reading| {
        let is_letter = |c: &char| c.is_alphabetic();
        let pairs = || reading.runs.iter().zip(&first.runs);
        let texts = || pairs().map(|(a, b)| (reading.text(a), first.text(b)));
        reading.runs.len() == first.runs.len()
            && reading.runs.iter().map(|run| run.gain).sum::<i32>() > 0
            && pairs().all(|(a, b)| a.span == b.span)
            && texts().any(|(a, b)| a != b)
            && texts().all(|(a, b)| a.iter().map(is_letter).eq(b.iter().map(is_letter)))
    };
    let is_told = |reading: &Reading| is_rival(reading) && spelling::is_told(reading);
    let mut rivals = others.iter().enumerate().filter(|(_, reading)| is_told(reading)).peekable();
    if rivals.peek().is_none() || !spelling::is_told(first) {
        return;
    }
    let cost = spelling::cost(line, first);
    let short = line.len() < SHORT;
    let seldom = |page: usize| if short && TRIED[page] == Page::Iso8859_2 { CLEARLY_SELDOM } else { 0 };
    let costs =
        rivals.map(|(index, reading)| (spelling::cost(line, reading) + seldom(reading.page), index + 1));
    if let Some((_, index)) = costs.min().filter(|(least, _)| least + CLEARLY <= cost) {
        readings[..=index].rotate_right(1);
    }
}

/// How good the runs of a page are as a whole, where pages compete.
pub(super) fn merit(reading: &Reading) -> i32 {
    let mut readers = [0; u32::BITS as usize];
    let mut merit = if TRIED[reading.page] == Page::Iso8859_2 { -SELDOM } else { 0 };
    for run in reading.runs.iter().filter(|run| run.whole > 0 && run.gain >= 0) {
        merit += run.gain + COVERED * run.span.len() as i32;
        for look in reading.text(run).iter().map(|&c| look_at(c)) {
            (0..).zip(&mut readers).for_each(|(tongue, count)| *count += (look.tongues >> tongue & 1) as i32);
        }
    }
    merit + READ * readers.into_iter().max().unwrap_or(0)
}

/// Which of the runs of one page to replace.
struct Belief {
    nothing: bool,
    trusted: bool,
    together: bool,
    certain: i32,
    all: bool,
}

impl Belief {
    /// `all`: nothing beyond ASCII stands outside of `runs`.
    fn of(runs: &[Run], trust: i32, all: bool) -> Self {
        let certain: i32 = runs.iter().filter(|run| run.certain()).map(|run| run.gain).sum();
        // Runs that would become implausible text, although all their bytes are there, are evidence against the page.
        let is_nonsense = |run: &&Run| run.whole > 0 && !run.torn && !run.plain;
        let nonsense: i32 = runs.iter().filter(is_nonsense).map(|run| run.gain.min(0)).sum();
        let whole = || runs.iter().filter(|run| run.whole > 0);
        let together = all
            && whole().count() >= MANY
            && whole().all(|run| run.gain > 0)
            && !whole().all(|run| run.natural)
            && whole().map(|run| run.gain).sum::<i32>() >= ENOUGH_TOGETHER;
        let nothing = certain > 0 && certain + nonsense <= 0;
        Self { nothing, trusted: trust >= CONVINCING, together, certain, all }
    }

    fn holds(&self, run: &Run) -> bool {
        let trusted = self.trusted && run.gain >= ENOUGH_WITH_TRUST;
        let accompanied = match self.certain >= CONVINCING {
            true => self.all || run.gain >= 0 && !run.faint,
            false => self.all && self.certain > 0 && !run.faint,
        };
        let believed =
            run.certain() || accompanied && !run.plain || run.whole > 0 && (self.together || trusted);
        believed && !self.nothing
    }
}
