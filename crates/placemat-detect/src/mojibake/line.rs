//! One round over one line: which runs were misread, on which page, and what they stand for.
#![forbid(unsafe_code)]

use std::cmp::Reverse;
use std::ops::Range;

use super::letters::look_at;
use super::page::{COUNT, Page, TRIED, byte_on};
use super::run::{Facts, Run, runs};
use super::{cyrillic, sequence, spelling};

/// A run to be replaced.
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

/// What the text so far, earlier rounds over this line included, says about each page: the gain of the certain runs on it, up to [`CONVINCING`].
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Trust([i32; COUNT]);

impl Trust {
    /// As much as earlier lines can say.
    pub(super) fn full() -> Self {
        Self([CONVINCING; COUNT])
    }
}

/// The gain that a page's certain runs must bring together for its doubtful ones to be believed too.
const CONVINCING: i32 = 40;
/// The gain that a run must bring on a page that earlier lines were misread on.
const ENOUGH_WITH_TRUST: i32 = 15;
/// What counts against ISO-8859-2 there: where windows-1250 reads a line as well, it was that.
const SELDOM: i32 = 6;
/// By how many quarter bits another page must spell better than the first, and by how many more ISO-8859-2 must.
const CLEARLY: u32 = 20;
const CLEARLY_SELDOM: u32 = 12;
const SHORT: usize = 24;
/// How many runs, none of them certain, are enough together, and the gain that they must bring.
const MANY: usize = 3;
const ENOUGH_TOGETHER: i32 = 25;
/// What each character in a run counts where pages compete: the right page leaves none over.
const COVERED: i32 = 15;
/// What each letter counts there that belongs to the one language which reads the most of them.
const READ: i32 = 6;

/// The runs of `line` that were misread, in order; none overlap.
pub(super) fn misread(line: &[char], trust: &mut Trust) -> Vec<Fix> {
    let pages = sequence::pages(line);
    if pages == 0 {
        return Vec::new();
    }
    let facts = Facts::of(line);
    let tried =
        (0..COUNT).filter(|page| pages & 1 << page != 0 && !is_read_before(line, pages, *page, trust));
    let mut readings: Vec<(usize, Vec<Run>)> = tried.map(|page| (page, runs(line, &facts, page))).collect();
    readings.sort_by_cached_key(|(page, runs)| (Reverse(merit(*page, runs)), *page));
    prefer_better_spelt(line, &mut readings);

    let beyond_ascii = |text: &[char]| text.iter().filter(|c| !c.is_ascii()).count();
    let mut fixes: Vec<Fix> = Vec::new();
    let mut taken = vec![false; line.len()];
    for (page, mut runs) in readings {
        runs.retain(|run| !taken[run.span.clone()].contains(&true));
        let covered: usize = runs.iter().map(|run| beyond_ascii(&line[run.span.clone()])).sum();
        let believed = believed(&runs, trust.0[page], covered == beyond_ascii(line));
        for (run, _) in runs.into_iter().zip(believed).filter(|(_, believed)| *believed) {
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

/// Whether an earlier one of `pages` reads the line as this one does, and is believed as much: this one would add nothing.
fn is_read_before(line: &[char], pages: u16, page: usize, trust: &Trust) -> bool {
    let alike = |other: usize| line.iter().chain([&'\u{A0}']).all(|&c| byte_on(other, c) == byte_on(page, c));
    // Elsewhere the page itself counts.
    let is_read = |other: usize| {
        TRIED[other] != Page::Iso8859_2
            && trust.0[other] >= trust.0[page]
            && alike(other)
            && (other > 0 || !sequence::has_stranded(line))
    };
    !cyrillic::is_on(page) && (0..page).any(|other| pages & 1 << other != 0 && is_read(other))
}

/// Puts another page first that reads the same runs as the first, and makes of them what is clearly spelt better.
fn prefer_better_spelt(line: &[char], readings: &mut [(usize, Vec<Run>)]) {
    let Some(((_, first), others)) = readings.split_first() else { return };
    let rivals = |runs: &[Run]| {
        let is_letter = |c: &char| c.is_alphabetic();
        let letters = |(a, b): (&Run, &Run)| a.text.iter().map(is_letter).eq(b.text.iter().map(is_letter));
        let alike = |(a, b): (&Run, &Run)| a.span == b.span && letters((a, b));
        runs.len() == first.len()
            && runs.iter().map(|run| run.gain).sum::<i32>() > 0
            && runs.iter().zip(first).any(|(a, b)| a.text != b.text)
            && runs.iter().zip(first).all(alike)
    };
    let mut rivals = others.iter().enumerate().filter(|(_, (_, runs))| rivals(runs)).peekable();
    if rivals.peek().is_none() {
        return;
    }
    let Some(cost) = spelling::cost(line, first) else { return };
    let short = line.len() < SHORT;
    let seldom = |page: usize| if short && TRIED[page] == Page::Iso8859_2 { CLEARLY_SELDOM } else { 0 };
    let costs = rivals
        .filter_map(|(index, (page, runs))| Some((spelling::cost(line, runs)? + seldom(*page), index + 1)));
    if let Some((_, index)) = costs.min().filter(|(least, _)| least + CLEARLY <= cost) {
        readings[..=index].rotate_right(1);
    }
}

/// How good the runs of a page are as a whole, where pages compete.
fn merit(page: usize, runs: &[Run]) -> i32 {
    let mut readers = [0; u32::BITS as usize];
    let mut merit = if TRIED[page] == Page::Iso8859_2 { -SELDOM } else { 0 };
    for run in runs.iter().filter(|run| run.whole > 0 && run.gain >= 0) {
        merit += run.gain + COVERED * run.span.len() as i32;
        for look in run.text.iter().map(|&c| look_at(c)) {
            (0..).zip(&mut readers).for_each(|(tongue, count)| *count += (look.tongues >> tongue & 1) as i32);
        }
    }
    merit + READ * readers.into_iter().max().unwrap_or(0)
}

/// Which of the runs of one page to replace. `all`: nothing beyond ASCII stands outside them.
fn believed(runs: &[Run], trust: i32, all: bool) -> Vec<bool> {
    let certain: i32 = runs.iter().filter(|run| run.certain()).map(|run| run.gain).sum();
    // Runs that would become implausible text, although all their bytes are there, are evidence against the page.
    let nonsense: i32 =
        runs.iter().filter(|run| run.whole > 0 && !run.torn && !run.plain).map(|run| run.gain.min(0)).sum();
    if certain > 0 && certain + nonsense <= 0 {
        return vec![false; runs.len()];
    }
    let whole = || runs.iter().filter(|run| run.whole > 0);
    let together = all
        && whole().count() >= MANY
        && whole().all(|run| run.gain > 0)
        && whole().map(|run| run.gain).sum::<i32>() >= ENOUGH_TOGETHER;
    let trusted = |run: &Run| trust >= CONVINCING && run.gain >= ENOUGH_WITH_TRUST;
    let accompanied = |run: &Run| match certain >= CONVINCING {
        true => all || run.gain >= 0 && !run.faint,
        false => all && certain > 0 && !run.faint,
    };
    runs.iter()
        .map(|run| {
            run.certain() || accompanied(run) && !run.plain || run.whole > 0 && (together || trusted(run))
        })
        .collect()
}
