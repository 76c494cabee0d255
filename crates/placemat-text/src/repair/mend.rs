//! Computes the changes that repair malformed sequences and mojibake, in a text that comes block by block.

mod change;
mod hidden;
mod marks;
mod mending;
mod merge;
mod reading;
mod runs;

use std::borrow::Cow;

use placemat::boundary::{announced_length, is_continuation};
use placemat::invisible::Kinds;
use placemat::{ErrorSize, Form, Policy, Transcoder, convert_with, is_valid, valid_prefix, validate};
use placemat_detect::mojibake::Undoer;
use placemat_detect::{Before, Kind, LONGEST};

pub use self::change::{Cell, Change, Rule, Sequence};
pub(crate) use self::marks::Marks;
pub use self::mending::{Mending, ZEROS};
use self::merge::{Layered, merged};
pub use self::reading::Reading;
pub use self::runs::Runs;
use super::blocks::Block;

/// Repairs a text that comes in blocks.
pub struct Mender {
    mending: Mending,
    reading: Reading,
    undoer: Option<Undoer>,
    /// Whether the settled text has only byte order marks, of which those of UTF-16 are removed.
    is_at_start: bool,
    /// The length of the settled text, and what it ends with.
    offset: u64,
    before: Before,
    /// The number of bytes of repaired text so far: before mojibake is undone, after that, and after characters that
    /// are not shown are removed.
    mended: [u64; 3],
    /// The end of the last change by the policy.
    run_end: u64,
}

impl Mender {
    /// Creates a mender at the start of a text.
    ///
    /// ```
    /// use placemat_text::repair::mend::{Mender, Mending};
    ///
    /// let mut mender = Mender::new(Mending { mojibake: true, ..Mending::default() });
    /// let (_, changes) = mender.block("cafÃ©\n".as_bytes(), true);
    /// assert_eq!(changes[0].text, "é");
    /// ```
    pub fn new(mending: Mending) -> Mender {
        Mender::reading(mending, Reading::default())
    }

    /// Creates a mender at the start of a text. `reading` says how runs that are not UTF-8 are read.
    ///
    /// ```
    /// use placemat_text::repair::mend::{Mender, Mending, Reading};
    ///
    /// let mut mender = Mender::reading(Mending::default(), Reading::default());
    /// assert_eq!(mender.block(b"caf\xE9", true).1[0].text, "é");
    /// ```
    pub fn reading(mending: Mending, reading: Reading) -> Mender {
        let undoer = mending.mojibake.then(Undoer::new);
        Mender {
            mending,
            reading,
            undoer,
            is_at_start: mending.diagnoses,
            offset: 0,
            before: Before::new(),
            mended: [0; 3],
            run_end: u64::MAX,
        }
    }

    /// Returns the length of the part of `block` that can be settled, and the changes to it. It is the whole block if
    /// the block ends a line or the text, else a little less.
    ///
    /// ```
    /// use placemat_text::repair::mend::{Mender, Mending, Rule};
    ///
    /// let mut mender = Mender::new(Mending::default());
    /// let (settled, changes) = mender.block(b"na\xC3\xAFve caf\xE9\n", true);
    /// assert_eq!((settled, changes.len()), (12, 1));
    /// assert_eq!((changes[0].range.clone(), &*changes[0].text, &changes[0].rule), (10..11, "é", &Rule::Windows1252));
    /// ```
    pub fn block(&mut self, block: &[u8], is_last: bool) -> (usize, Vec<Change>) {
        self.next(Block { text: block, around: [&[]; 2], is_last })
    }

    /// Like [`Mender::block`], for a block between others, which can explain directional marks.
    ///
    /// ```
    /// use placemat_text::repair::blocks::Blocks;
    /// use placemat_text::repair::mend::{Mender, Mending};
    ///
    /// let mut blocks = Blocks::new(&b"caf\xE9"[..]);
    /// let (settled, changes) = Mender::new(Mending::default()).next(blocks.block().unwrap());
    /// assert_eq!((settled, changes.len()), (4, 1));
    /// ```
    pub fn next(&mut self, block: Block<'_>) -> (usize, Vec<Change>) {
        let Block { text: block, around, is_last } = block;
        let mut changes = Vec::new();
        let is_whole = is_last || block.last() == Some(&b'\n');
        let mut settled = self.sequences(block, around, is_whole, &mut changes);
        if self.undoer.is_some() && !is_whole {
            let good = changes.last().map_or(0, |change| (change.range.end - self.offset) as usize);
            settled = good + str::from_utf8(&block[good..settled]).map_or(settled - good, Undoer::cut);
        }
        let settled_text = &block[..settled];
        if let Some(undoer) = &mut self.undoer {
            let text = apply(settled_text, self.offset, &changes);
            let mut runs = Vec::new();
            undoer.block(&text, |run| runs.push(Layered::from(run)));
            changes = merged(runs, changes, self.offset, self.mended[0], &text);
            self.mended[0] += text.len() as u64;
        }
        if self.mending.hidden != Kinds::NONE {
            let text = apply(settled_text, self.offset, &changes);
            let before = self.mended[1];
            let runs = hidden::removals(&text, around, before, self.mending.hidden);
            changes = merged(runs, changes, self.offset, before, &text);
            self.mended[1] += text.len() as u64;
        }
        if let Some(zero) = self.mending.zero {
            let text = apply(settled_text, self.offset, &changes);
            let before = self.mended[2];
            changes = merged(zeros(&text, before, zero), changes, self.offset, before, &text);
            self.mended[2] += text.len() as u64;
        }
        self.offset += settled as u64;
        (settled, changes)
    }

    /// Returns the changes to a text that is independent of those before, with offsets in the text.
    ///
    /// ```
    /// use placemat_text::repair::mend::{Mender, Mending};
    ///
    /// let mut mender = Mender::new(Mending { mojibake: true, ..Mending::default() });
    /// assert_eq!(mender.text("cafÃ©".as_bytes())[0].range, 3..7);
    /// assert_eq!(mender.text("crÃ¨me".as_bytes())[0].range, 2..6);
    /// ```
    pub fn text(&mut self, text: &[u8]) -> Vec<Change> {
        let Mending { mojibake, hidden, zero, .. } = self.mending;
        let is_clean = text.is_ascii() || !mojibake && is_valid(text);
        if is_clean && hidden == Kinds::NONE && zero.is_none() {
            return Vec::new();
        }
        (self.before, self.run_end, self.is_at_start) = (Before::new(), u64::MAX, false);
        let offset = self.offset;
        let (_, mut changes) = self.block(text, true);
        for change in &mut changes {
            change.range = change.range.start - offset..change.range.end - offset;
        }
        changes
    }

    /// Returns the changes to the byte order marks that a text begins with.
    pub(crate) fn marks(&mut self, marks: &[u8]) -> Vec<Change> {
        match self.mending.diagnoses {
            true => Marks::at_start(marks, true).removals(0).collect(),
            false if is_valid(marks) => Vec::new(),
            false => self.text(marks),
        }
    }

    fn sequences(
        &mut self,
        block: &[u8],
        around: [&[u8]; 2],
        is_whole: bool,
        changes: &mut Vec<Change>,
    ) -> usize {
        let mut marks = 0;
        if self.is_at_start {
            let start = Marks::at_start(block, is_whole);
            changes.extend(start.removals(self.offset));
            (marks, self.is_at_start) = (start.len, start.may_go_on);
            if self.is_at_start {
                return marks;
            }
        }
        let (block, offset) = (&block[marks..], self.offset + marks as u64);
        let (mut at, mut line_end, mut inner) = (0, 0, 0..0);
        let runs = if is_whole { self.reading.runs(block, around) } else { Vec::new() };
        let mut runs = runs.into_iter().peekable();
        loop {
            let limit = runs.peek().map_or(block.len(), |(run, ..)| run.start);
            let valid = valid_prefix(&block[at..limit]).0;
            self.before.pass(&block[at..at + valid]);
            at += valid;
            if let Some((run, text, name)) = runs.next_if(|(run, ..)| run.start == at) {
                self.before.pass(text.as_bytes());
                let range = offset + run.start as u64..offset + run.end as u64;
                changes.push(Change { range, text, rule: Rule::Second(name), cell: None });
                at = run.end;
                continue;
            }
            if !is_whole && block.len() - at < LONGEST {
                return marks + at;
            }
            let Some((mut kind, mut len)) = self.before.sequence(&block[at..]) else { return marks + at };
            if at >= line_end {
                (line_end, inner) = self.reading.inner(block, around, at);
            }
            if at < inner.start {
                (kind, len) = (Kind::Other, 1);
            } else if at >= inner.end {
                kind = Kind::Truncated;
                len = block[at..line_end].iter().take_while(|byte| !byte.is_ascii()).count();
            }
            let start = offset + at as u64;
            let range = start..start + len as u64;
            let is_left = !inner.contains(&at);
            match self.mended(kind, &block[at..at + len]).filter(|_| !is_left) {
                Some((rule, text)) => {
                    changes.push(Change { range, text, rule, cell: None });
                    at += len;
                }
                None => {
                    let len = self.grouped(&block[at..], len);
                    changes.push(self.stand_in(start, kind, &block[at..at + len]));
                    at += len;
                }
            }
        }
    }

    /// Repairs the sequence by what it is, if a rule applies.
    fn mended(&self, kind: Kind, bytes: &[u8]) -> Option<(Rule, String)> {
        let Mending { diagnoses, cp1252, overlong, nul, .. } = self.mending;
        let is_read = diagnoses && matches!(self.reading, Reading::Windows1252(_));
        match kind {
            _ if bytes.len() == 1 && (cp1252 || is_read && kind == Kind::Windows1252) => {
                Some((Rule::Windows1252, windows_1252(bytes[0])?))
            }
            Kind::CesuPair if diagnoses => {
                let text = placemat::convert(Form::Cesu8, Form::Utf8, bytes).ok()?;
                Some((Rule::Cesu8, String::from_utf8(text).ok()?))
            }
            Kind::ModifiedNul if nul => Some((Rule::Nul, '\0'.into())),
            Kind::Overlong if overlong => match stands_for(bytes)? {
                '\0' => nul.then(|| (Rule::Nul, '\0'.into())),
                c => Some((Rule::Overlong, c.into())),
            },
            _ => None,
        }
    }

    /// The number of bytes that the policy treats as one sequence.
    fn grouped(&self, bytes: &[u8], len: usize) -> usize {
        let lead = bytes[0];
        let announced = announced_length(lead);
        if self.mending.policy.1.size != ErrorSize::Sequence || len > 1 || announced == 0 {
            return len;
        }
        len + bytes[1..announced.min(bytes.len())].iter().take_while(|&&byte| is_continuation(byte)).count()
    }

    /// The change that the policy makes of a sequence.
    fn stand_in(&mut self, start: u64, kind: Kind, bytes: &[u8]) -> Change {
        let (name, policy) = self.mending.policy;
        let range = start..start + bytes.len() as u64;
        let goes_on = policy.size == ErrorSize::Run && self.run_end == start;
        self.run_end = range.end;
        let text = if goes_on { String::new() } else { stand_in(policy, bytes) };
        Change { range, text, rule: Rule::Policy(name, Sequence(kind)), cell: None }
    }
}

/// The character of windows-1252, if the byte has one.
fn windows_1252(byte: u8) -> Option<String> {
    let is_unused = matches!(byte, 0x81 | 0x8D | 0x8F | 0x90 | 0x9D);
    let text = placemat::convert(Form::Windows1252, Form::Utf8, &[byte]).ok()?;
    if is_unused { None } else { String::from_utf8(text).ok() }
}

/// The character that an overlong sequence encodes.
fn stands_for(bytes: &[u8]) -> Option<char> {
    let (&lead, tails) = bytes.split_first()?;
    let payload = u32::from(lead & (0x3F >> tails.len()));
    char::from_u32(tails.iter().fold(payload, |value, &tail| value << 6 | u32::from(tail & 0x3F)))
}

fn stand_in(policy: Policy, bytes: &[u8]) -> String {
    let transcoder = Transcoder::new(Form::Utf8, Form::Utf8).on_error(policy);
    // None of the policies that can be chosen here stops.
    convert_with(transcoder, bytes).ok().and_then(|text| String::from_utf8(text).ok()).unwrap_or_default()
}

/// Finds each U+0000 of `text`, which `offset` bytes precede, and replaces it by `stand`.
fn zeros(text: &str, offset: u64, (name, stand): (&'static str, &'static str)) -> Vec<Layered> {
    let at = memchr::memchr_iter(0, text.as_bytes()).map(|at| offset + at as u64);
    at.map(|at| Layered { range: at..at + 1, text: stand.to_owned(), rule: Rule::Zero(name) }).collect()
}

/// Applies the changes to the text.
fn apply<'a>(block: &'a [u8], offset: u64, changes: &[Change]) -> Cow<'a, str> {
    if changes.is_empty() {
        // `core` is several times slower on text with many characters beyond ASCII.
        return validate(block).map_or_else(|_| String::from_utf8_lossy(block), Cow::Borrowed);
    }
    let mut text = String::with_capacity(block.len() + changes.len() * 2);
    let mut at = 0;
    for change in changes {
        let range = (change.range.start - offset) as usize..(change.range.end - offset) as usize;
        text.push_str(&String::from_utf8_lossy(&block[at..range.start]));
        text.push_str(&change.text);
        at = range.end;
    }
    text.push_str(&String::from_utf8_lossy(&block[at..]));
    Cow::Owned(text)
}
