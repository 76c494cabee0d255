//! Lines that surely were misread, on one page and no other: most of those that were. Of such a line little of what
//! [`line::misread`](super::line::misread) weighs can change anything, and the rest is made here, of bounds where they are enough.
#![forbid(unsafe_code)]

use std::sync::LazyLock;

use super::doubt::{self, Doubt};
use super::letters::{Script, look_at};
use super::line::Trust;
use super::page::{COUNT, Page, TABLE, TRIED};
use super::run::{self, ALONE, ENOUGH, EVERYDAY, SEQUENCE};
use super::{cyrillic, natural, sequence};

/// What a character of a page is.
#[derive(Clone, Copy)]
struct Fact {
    c: char,
    /// As in [`Entry`](super::page::Entry).
    pages: u16,
    leads: u16,
    tails: u16,
    bytes: [u8; COUNT],
    /// What it adds to the doubt in a text of such characters, or less.
    least: i8,
}

/// No page has a character of two bytes from here on.
const NEAR: usize = 0x500;
/// Nor one of three bytes but here: with E2 for their first byte. (Three have EF, and are left to others.)
const MARKS: u32 = 0x2000;
const MARKS_END: u32 = 0x2600;

/// What is known of the characters of two bytes before [`NEAR`], and of those from [`MARKS`] on: 70 KiB.
static FACTS: LazyLock<Vec<Fact>> = LazyLock::new(|| {
    let fact = |at: u32| {
        let c = char::from_u32(at).unwrap_or_default();
        let entry = TABLE.get(c);
        let (pages, leads, tails, bytes) = (entry.pages, entry.leads, entry.tails, entry.bytes);
        Fact { c, pages, leads, tails, bytes, least: doubt::least(&look_at(c)) }
    };
    (0..NEAR as u32).chain(MARKS..MARKS_END).map(fact).collect()
});

/// The fact of the first character of `bytes`, and its length.
#[inline]
fn first<'a>(facts: &'a [Fact], bytes: &[u8]) -> Option<(&'a Fact, usize)> {
    let six = |byte: u8| usize::from(byte & 0x3F);
    match *bytes {
        [a @ 0xC2..0xE0, b, ..] => {
            Some((facts.get(six(a) << 6 & 0x7C0 | six(b)).filter(|fact| fact.c as usize >= 0x80)?, 2))
        }
        [0xE2, b, c, ..] => Some((facts.get(NEAR + (six(b) << 6 | six(c)))?, 3)),
        _ => None,
    }
}

/// Where characters beyond ASCII stand side by side.
struct Island {
    /// In the line, in bytes.
    start: usize,
    end: usize,
    /// How many characters beyond ASCII the line has up to its end.
    count: usize,
    /// The least doubt in it.
    least: i32,
}

/// A bit for each page…
struct Pages {
    /// …that has all characters beyond ASCII.
    all: u16,
    /// …of those on which a sequence may begin with every island, and end with it.
    covering: u16,
    /// …on which a sequence may begin somewhere.
    some: u16,
}

/// Undoes such lines; what it keeps is memory for the next.
#[derive(Default)]
pub(super) struct Sure {
    islands: Vec<Island>,
    /// The characters beyond ASCII, and their bytes on the page.
    facts: Vec<&'static Fact>,
    bytes: Vec<u8>,
    source: Vec<char>,
    text: Vec<char>,
}

/// What a line that was put right says about the page that it was misread on.
pub(super) struct Verdict {
    page: usize,
    /// The gain of its certain runs, or less.
    gain: i32,
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
    /// Nothing beyond ASCII may stand outside of sequences, one run at least must be certain, and no other page may be read.
    /// What is only for a run is left out of its gain, which is thus never too large.
    pub(super) fn put_right(&mut self, line: &str, trust: &Trust, out: &mut String) -> Option<Verdict> {
        let pages = self.read(line)?;
        let page = pages.covering.trailing_zeros() as usize;
        if page >= COUNT || cyrillic::is_on(page) {
            return None;
        }
        let are_read = |pages: u16| {
            let is_read = |&other: &usize| pages & 1 << other != 0 && !self.is_alike(page, other, trust);
            pages & !(1 << page) != 0
                && (0..COUNT).filter(|&other| other != page).any(|other| is_read(&other))
        };
        if are_read(pages.all & pages.some) {
            return None;
        }
        // Where a run is not certain, pages are read that lack some of the line.
        let is_only = !are_read(pages.some & !pages.all);
        self.bytes.clear();
        self.bytes.extend(self.facts.iter().map(|fact| fact.bytes[page]));
        // Every island begins with the first byte of a sequence.
        let bytes = std::mem::take(&mut self.bytes);
        let gain = str::from_utf8(&bytes).ok().and_then(|text| {
            let gain = self.weigh(line, text, is_only)?;
            self.write(line, text, out);
            Some(gain)
        });
        self.bytes = bytes;
        Some(Verdict { page, gain: gain? })
    }

    /// Finds the islands of a line.
    fn read(&mut self, line: &str) -> Option<Pages> {
        self.islands.clear();
        self.facts.clear();
        let facts = &**FACTS;
        let bytes = line.as_bytes();
        let (mut all, mut covering, mut some) = (!0, !0, 0);
        let mut at = ascii(bytes);
        while at < bytes.len() {
            let (start, before) = (at, self.facts.len());
            let (mut leads, mut tails, mut least) = (0, 0, 0);
            while bytes.get(at).is_some_and(|byte| !byte.is_ascii()) {
                let (fact, length) = first(facts, &bytes[at..])?;
                all &= fact.pages;
                some |= leads & fact.tails;
                (leads, tails) = (fact.leads, fact.tails);
                least += i32::from(fact.least);
                at += length;
                self.facts.push(fact);
            }
            let &[first, second, ..] = &self.facts[before..] else { return None };
            covering &= all & first.leads & second.tails & tails;
            if covering == 0 {
                return None;
            }
            self.islands.push(Island { start, end: at, count: self.facts.len(), least });
            at += ascii(&bytes[at..]);
        }
        Some(Pages { all, covering, some })
    }

    /// Whether `other` reads the line as `page` does, so that it is not read.
    fn is_alike(&self, page: usize, other: usize, trust: &Trust) -> bool {
        page < other
            && TRIED[page] != Page::Iso8859_2
            && !cyrillic::is_on(other)
            && trust.is_as_much(page, other)
            && TABLE.get('\u{A0}').bytes[page] == TABLE.get('\u{A0}').bytes[other]
            && self.facts.iter().all(|fact| fact.bytes[page] == fact.bytes[other])
    }

    /// The gain of the runs that are certain, or less, if all are to be replaced. `text`: what they stand for; `is_only`: no other page is
    /// read in any case.
    fn weigh(&mut self, line: &str, text: &str, is_only: bool) -> Option<i32> {
        let mut sums = Sums::default();
        let (mut is_drawn, mut may_be_natural, mut start) = (true, true, 0);
        for island in &self.islands {
            let facts = &self.facts[start..island.count];
            let run = match Run::plain(line, island, facts, &text[start..island.count])? {
                Ok(run) => run,
                Err(run) => {
                    self.source.clear();
                    self.source.extend(facts.iter().map(|fact| fact.c));
                    self.text.clear();
                    self.text.extend(text[start..island.count].chars());
                    run.closely(line, island, &self.source, &self.text)?
                }
            };
            start = island.count;
            if run.gain < ENOUGH && !is_only {
                return None;
            }
            sums.add(&run)?;
            is_drawn &= matches!(facts[0].c, '√' | '├' | '┬');
            may_be_natural &= !run.is_evident;
        }
        if is_drawn || may_be_natural { None } else { sums.certain() }
    }

    /// The line with all islands replaced.
    fn write(&self, line: &str, bytes: &str, out: &mut String) {
        let (mut at, mut start) = (0, 0);
        for island in &self.islands {
            out.push_str(&line[at..island.start]);
            out.push_str(&bytes[start..island.count]);
            (at, start) = (island.end, island.count);
        }
        out.push_str(&line[at..]);
    }
}

/// What is known of a run.
struct Run {
    /// Its gain, or less, were others of its script there.
    gain: i32,
    script: Script,
    is_single: bool,
    /// Whether it is certain in any case, and does not stand so by nature.
    is_evident: bool,
}

impl Run {
    /// The run that an island is; `None` if it may be a word, or stands for what counts against it. As an error if bounds do not make it certain.
    fn plain(line: &str, island: &Island, facts: &[&Fact], text: &str) -> Option<Result<Self, Self>> {
        let (mut count, mut script, mut is_against) = (0, Script::None, sequence::is_word(&[facts[0].c]));
        let looks = text.chars().map(|c| {
            is_against |= sequence::is_unassigned(c) || is_directed(c);
            let look = look_at(c);
            if script == Script::None {
                script = look.script;
            }
            count += 1;
            look
        });
        let most = doubt::most(looks);
        let bytes = line.as_bytes();
        let touches = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_alphabetic);
        let mut run = Self { gain: 0, script, is_single: count == 1, is_evident: false };
        match most {
            Some(most)
                if !is_against
                    && !touches(bytes[..island.start].last())
                    && !touches(bytes.get(island.end)) =>
            {
                run.gain = island.least - most + SEQUENCE * (count - 1);
                run.is_evident = run.gain >= ENOUGH + ALONE && facts.len() > 4;
                Some(if run.is_evident { Ok(run) } else { Err(run) })
            }
            _ => Some(Err(run)),
        }
    }

    /// The same, weighed.
    fn closely(mut self, line: &str, island: &Island, source: &[char], text: &[char]) -> Option<Self> {
        let is_against = |&c: &char| sequence::is_unassigned(c) || is_directed(c);
        if text.iter().any(is_against) || sequence::is_word(source) || sequence::is_formula(source) {
            return None;
        }
        self.script = run::script(text);
        self.is_single = text.len() == 1;
        let mut before = [' '; 3];
        let mut from = before.len();
        for c in line[..island.start].chars().rev().take(3) {
            from -= 1;
            before[from] = c;
        }
        let doubt = Doubt::after(&before[from..], &[]);
        let next = line.as_bytes().get(island.end).map(|&byte| char::from(byte));
        let (mut thirds, mut at) = (0, 0);
        for &c in text {
            let length = c.len_utf8();
            thirds += i32::from(run::has_third(&source[at..at + length], c));
            at += length;
        }
        let gain = doubt.over(source, next) - doubt.over(text, next);
        self.gain = gain + SEQUENCE * (text.len() as i32 - 1 + thirds);
        self.is_evident = self.gain >= ENOUGH + ALONE && !natural::may_be_natural(source, text);
        Some(self)
    }
}

/// Whether `c` changes the direction of what is behind it.
fn is_directed(c: char) -> bool {
    matches!(c, '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
}

/// What the runs of a line are together.
#[derive(Default)]
struct Sums {
    /// The gain of those that are certain, and of those that make it less plausible.
    certain: i32,
    nonsense: i32,
    cyrillic: Tally,
    asian: Tally,
}

/// Runs that stand for one script.
#[derive(Default)]
struct Tally {
    runs: u32,
    /// Whether it makes a difference that the first is the only one.
    matters: bool,
    first: i32,
}

impl Sums {
    fn add(&mut self, run: &Run) -> Option<()> {
        let tally = match run.script {
            Script::Cyrillic => &mut self.cyrillic,
            Script::EastAsian => &mut self.asian,
            script if EVERYDAY.contains(&script) => {
                self.count(run.gain);
                return Some(());
            }
            // Others are not counted: any may be alone.
            _ => {
                self.count(run.gain - ALONE);
                return (!run.is_single || run.gain >= ENOUGH + ALONE).then_some(());
            }
        };
        tally.runs += 1;
        if tally.runs == 1 {
            (tally.matters, tally.first) = (run.is_single, run.gain);
            tally.matters &= run.gain < ENOUGH + ALONE;
        }
        self.count(run.gain);
        Some(())
    }

    fn count(&mut self, gain: i32) {
        match gain >= ENOUGH {
            true => self.certain += gain,
            false => self.nonsense += gain.min(0),
        }
    }

    fn certain(self) -> Option<i32> {
        let is_alone = |tally: &Tally| tally.runs == 1 && tally.matters;
        if is_alone(&self.cyrillic) || is_alone(&self.asian) {
            return None;
        }
        let alone = |tally: &Tally| if tally.runs == 1 { ALONE } else { 0 };
        let certain = self.certain - alone(&self.cyrillic) - alone(&self.asian);
        (certain > 0 && certain + self.nonsense > 0).then_some(certain)
    }
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
