//! Lines that surely were misread, on one page and no other: most of those that were. Of such a line little of what
//! [`line::misread`](super::line::misread) weighs can change anything, and the rest is made here, of bounds where they are enough.
#![forbid(unsafe_code)]

use super::line::{COVERED, SELDOM, Trust};
use super::page::{COUNT, FIRST_LATE, Page, TABLE, TRIED, members, set};
use super::{cyrillic, sequence};

mod bound;
mod facts;
mod known;
mod less;
mod rival;
mod run;
mod sums;
mod worn;

use self::bound::Bounds;
use self::facts::{Fact, KEPT, Open, facts, first, lost};
use self::known::{Key, Known};
use self::run::Run;
use self::sums::Sums;

/// Where characters beyond ASCII stand side by side.
struct Island {
    /// In the line, in bytes.
    start: usize,
    end: usize,
    /// How many characters beyond ASCII the line has up to its end; and where what they stand for ends, in bytes.
    count: usize,
    text: usize,
    /// Whether a sequence in it has all its bytes; and whether one has not.
    is_whole: bool,
    has_lost: bool,
    /// The least doubt in it.
    least: i32,
    /// A bit for each page on which sequences may end in it; and for each on which one that lacks bytes at its end may be read.
    some: u16,
    worn: u16,
    /// `None` if it is too long to be remembered.
    key: Option<Key>,
    /// What it is on the right page.
    run: Option<Run>,
}

/// A bit for each page…
struct Pages {
    /// …that has all characters beyond ASCII, and [`KEPT`] if none of them is U+FFFD.
    all: u32,
    /// …of those on which every island may be sequences.
    covering: u16,
    /// …on which there may be a sequence.
    some: u16,
    /// …on which a sequence that lacks bytes at the end of an island may be read although it was worn.
    worn: u16,
    /// Whether some characters are where no page reads a sequence: they stay, and belong to no island.
    is_mixed: bool,
}

/// Undoes such lines; what it keeps is memory for the next.
#[derive(Default)]
pub(super) struct Sure {
    islands: Vec<Island>,
    /// The characters beyond ASCII, and their bytes on the page.
    facts: Vec<&'static Fact>,
    bytes: Vec<u8>,
    known: Known,
    memory: Memory,
}

/// Room for one island.
#[derive(Default)]
struct Memory {
    bytes: Vec<u8>,
    source: Vec<char>,
    text: Vec<char>,
}

/// What a line that was put right says about the page that it was misread on.
pub(super) struct Verdict {
    page: usize,
    /// The gain of its certain runs, or less.
    gain: i32,
    /// Whether surely nothing is left that another round might change.
    pub(super) is_clean: bool,
}

impl Verdict {
    /// Adds it to what the text says. Whether all is known that could be added.
    pub(super) fn tell(&self, trust: &mut Trust) -> bool {
        trust.add(self.page, self.gain)
    }
}

impl Sure {
    /// Appends to `out` what `line` stands for, if it surely was misread; else what is appended is of no use.
    ///
    /// Outside of sequences only ASCII is allowed, and characters where no page reads a sequence. At least one run must be certain, and no other page
    /// may be as good.
    /// What is only for a run is left out of its gain, which is thus never too large.
    pub(super) fn put_right(&mut self, line: &str, trust: &Trust, out: &mut String) -> Option<Verdict> {
        let pages = self.read(line)?;
        let page = pages.covering.trailing_zeros() as usize;
        if page >= COUNT || cyrillic::is_on(page) || page >= FIRST_LATE && !self.tells(page) {
            return None;
        }
        self.bytes.clear();
        self.bytes.extend(self.facts.iter().map(|fact| fact.bytes[page]));
        let has_lost = pages.all & KEPT == 0;
        // If some characters stay, a run that is not certain cannot be judged with what is known here.
        let is_doubtful = has_lost || pages.is_mixed;
        if has_lost {
            worn::replace_lost(&mut self.islands, &mut self.bytes, &mut self.memory.bytes)?;
        }
        let bytes = std::mem::take(&mut self.bytes);
        // Every island begins with the first byte of a sequence.
        let told = str::from_utf8(&bytes).ok().and_then(|text| {
            let sums = self.weigh(line, text, page)?;
            let gain = sums.certain().filter(|_| !(pages.is_mixed && sums.uncertain))?;
            // Pages that lack some of the line are read too, unless every run is certain.
            let others =
                pages.some & !(1 << page) & if sums.uncertain || is_doubtful { !0 } else { pages.all as u16 };
            if others != 0 && !self.is_best((line, text), page, &sums, others, pages.worn, trust) {
                return None;
            }
            self.write(line, text, out);
            Some((gain, !sums.is_open))
        });
        self.bytes = bytes;
        told.map(|(gain, is_clean)| Verdict { page, gain, is_clean })
    }

    /// Whether [`sequence::tells`] says yes of some sequence, on a page that has all islands.
    #[cold]
    fn tells(&self, page: usize) -> bool {
        let mut rest = &self.facts[..];
        while let Some(length) = rest.first().and_then(|fact| fact.length(page)) {
            let chars: Vec<char> = rest.iter().take(length).map(|fact| fact.c).collect();
            if sequence::whole(&chars, page).is_some() && sequence::tells(&chars, page) {
                return true;
            }
            rest = &rest[chars.len()..];
        }
        false
    }

    /// Whether each of `others` is not read, or makes less of the line.
    fn is_best(
        &mut self,
        (line, text): (&str, &str),
        page: usize,
        sums: &Sums,
        others: u16,
        worn: u16,
        trust: &Trust,
    ) -> bool {
        let seldom = if TRIED[page] == Page::Iso8859_2 { SELDOM } else { 0 };
        let merit = sums.certain().unwrap_or(0) + COVERED * sums.covered - seldom;
        let is_certain = !sums.uncertain;
        let others = set(members(others).filter(|other| !self.is_alike(page, *other, is_certain, trust)));
        let is_remembering = self.known.is_remembering();
        let Self { islands, facts, known, memory, .. } = self;
        let mut is_outdone = |other: usize, bounds| {
            worn & 1 << other == 0
                && rival::is_outdone(line, parts(islands, facts), (other, merit), bounds, (known, memory))
        };
        // What is remembered is asked first.
        let is_new = |other: &usize| !(is_remembering && is_outdone(*other, None));
        let others = set(members(others).filter(is_new));
        if others == 0 {
            return true;
        }
        let is_less = |other: usize| {
            worn & 1 << other == 0
                && less::lead(line, parts(islands, facts), text, (page, other), sums)
                    .is_some_and(|lead| lead > seldom)
        };
        // To bound a page that has almost all of the line takes longest, and seldom is enough.
        let near = set(members(others).filter(|other| less::is_near(facts, page, *other)));
        let others = set(members(others).filter(|&other| near & 1 << other == 0 || !is_less(other)));
        let bounds = Bounds::of(line, parts(islands, facts), others);
        let count = facts.len();
        members(others).all(|other| {
            bounds.is_outdone(other, 0, merit, count)
                || near & 1 << other == 0 && is_less(other)
                || is_outdone(other, Some((&bounds, count)))
        })
    }

    /// Finds the islands of a line.
    fn read(&mut self, line: &str) -> Option<Pages> {
        self.islands.clear();
        self.facts.clear();
        self.facts.reserve(line.len() / 2);
        let facts = facts();
        let bytes = line.as_bytes();
        let mut pages = Pages { all: !0, covering: !0, some: 0, worn: 0, is_mixed: false };
        let mut at = ascii(bytes);
        while at < bytes.len() {
            let (start, before) = (at, self.facts.len());
            let (mut open, mut all, mut some, mut least) = (Open::default(), !0, 0, 0);
            let mut rest = &bytes[at..];
            while let [0x80..=0xFF, ..] = *rest {
                let Some((fact, length)) = first(facts, rest).or_else(|| lost(rest)) else {
                    // A character that is on no page is in no sequence.
                    let c = line[bytes.len() - rest.len()..].chars().next()?;
                    if TABLE.get(c).pages != 0 {
                        return None;
                    }
                    (open, all) = (Open::default(), 0);
                    rest = &rest[c.len_utf8()..];
                    continue;
                };
                rest = rest.get(length..)?;
                all &= fact.pages;
                some |= open.next(fact.step);
                least += i32::from(fact.least);
                self.facts.push(fact);
            }
            at = bytes.len() - rest.len();
            let cut = open.pages();
            let worn = match cut {
                0 => 0,
                _ => worn::may_be(open, &self.facts[before..], rest),
            };
            if worn & 1 != 0 && rest.starts_with(b" ") && sequence::is_spaced_at_end(&line[start..at]) {
                return None;
            }
            if some | worn == 0 {
                self.facts.truncate(before);
                pages.is_mixed = true;
                at += ascii(&bytes[at..]);
                continue;
            }
            pages.all &= all;
            pages.worn |= worn;
            pages.some |= some;
            pages.covering &= pages.all as u16 & self.facts[before].step.leads() & some & !cut;
            if pages.covering == 0 {
                return None;
            }
            self.islands.push(Island {
                start,
                end: at,
                count: self.facts.len(),
                text: self.facts.len(),
                is_whole: true,
                has_lost: false,
                least,
                some,
                worn,
                key: None,
                run: None,
            });
            at += ascii(&bytes[at..]);
        }
        Some(pages)
    }

    /// Whether `other` reads the line as `page` does, so that it need not be read, or makes nothing of it.
    fn is_alike(&self, page: usize, other: usize, is_certain: bool, trust: &Trust) -> bool {
        page < other
            && TRIED[page] != Page::Iso8859_2
            // Pages of Cyrillic only have more that speaks against a run.
            && (is_certain || !cyrillic::is_on(other))
            && trust.is_as_much(page, other)
            && TABLE.get('\u{A0}').bytes[page] == TABLE.get('\u{A0}').bytes[other]
            && self.facts.iter().all(|fact| fact.bytes[page] == fact.bytes[other])
    }

    /// What the runs are together, if none may be better left. `text`: what they stand for.
    fn weigh(&mut self, line: &str, text: &str, page: usize) -> Option<Sums> {
        let mut sums = Sums::default();
        let (mut is_drawn, mut may_be_natural, mut start, mut from) = (true, true, 0, 0);
        for island in &mut self.islands {
            let facts = &self.facts[start..island.count];
            island.key = Key::of(&line[..island.start], facts, &line.as_bytes()[island.end..], page);
            let mut weigh = || Run::of(line, island, facts, &text[from..island.text], page, &mut self.memory);
            let run = match island.key {
                Some(key) => self.known.run(key, weigh)?,
                None => weigh()?,
            };
            island.run = Some(run);
            sums.is_open |= !run.is_final;
            (start, from) = (island.count, island.text);
            match island.is_whole {
                true => sums.add(&run, facts.len())?,
                false => sums.add_lost(),
            }
            is_drawn &= may_be_drawn(facts) && !is_in_word(line, island);
            may_be_natural &= !run.is_evident;
        }
        (!is_drawn && !may_be_natural).then_some(sums)
    }

    /// The line with all islands replaced.
    fn write(&self, line: &str, bytes: &str, out: &mut String) {
        let (mut at, mut start) = (0, 0);
        for island in &self.islands {
            out.push_str(&line[at..island.start]);
            out.push_str(&bytes[start..island.text]);
            (at, start) = (island.end, island.text);
        }
        out.push_str(&line[at..]);
    }
}

/// The islands, and what their characters are.
fn parts<'a>(
    islands: &'a [Island],
    facts: &'a [&'static Fact],
) -> impl Iterator<Item = (&'a Island, &'a [&'static Fact])> {
    let mut start = 0;
    islands.iter().map(move |island| {
        let part = &facts[start..island.count];
        start = island.count;
        (island, part)
    })
}

/// Whether an island may be what [`super::chance::is_alone`] finds, unless it stands in a word.
fn may_be_drawn(facts: &[&Fact]) -> bool {
    facts.len() == 2 && matches!(facts[0].c, '√' | '├' | '┬')
}

/// Whether a letter stands before it.
fn is_in_word(line: &str, island: &Island) -> bool {
    line.as_bytes()[..island.start].last().is_some_and(u8::is_ascii_alphabetic)
}

/// How many of the first bytes are ASCII.
fn ascii(bytes: &[u8]) -> usize {
    let mut at = 0;
    while let Some(word) = bytes.get(at..).and_then(<[u8]>::first_chunk) {
        let high = u64::from_le_bytes(*word) & 0x8080_8080_8080_8080;
        if high != 0 {
            return at + high.trailing_zeros() as usize / 8;
        }
        at += 8;
    }
    at + bytes[at..].iter().take_while(|byte| byte.is_ascii()).count()
}
