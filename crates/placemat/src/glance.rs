//! Everything that detection needs to know about a block of text, in one pass.

#![forbid(unsafe_code)]

mod checked;
mod controls;
mod misread;
mod neighbours;
mod rows;

use controls::{ALL, FEED, NO_RETURN, ODD, RETURN, is_control};
pub(crate) use misread::{Misread, plainly as count_misread_plainly};
pub use neighbours::Neighbours;
pub(crate) use neighbours::{Meet, Meeting, plainly as neighbours_plainly};
pub(crate) use rows::{Each, EachRow, ROWS};

use core::ops::Range;

use crate::vector::{Bytes, Lanes, Read, Vector, steps};

/// What one pass over a block of text finds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Glance {
    /// Bytes from C0 on: first bytes of sequences.
    pub leads: usize,
    /// Whether there is no byte from 80 on.
    pub is_ascii: bool,
    /// Bytes from F0 on: first bytes of four.
    pub longest: usize,
    /// Whether there is a control character other than tab, line feed and form feed. If carriage returns are checked, they do not
    /// count either.
    pub has_controls: bool,
    /// If carriage returns are checked: whether one stands before something other than a line feed, or a line feed behind
    /// something other than a carriage return. There is nothing to compare before the first byte and behind the last one.
    pub has_odd_returns: bool,
    /// Whether the bytes are well-formed UTF-8, if the kernel checks this in the same pass.
    pub is_well_formed: Option<bool>,
}

impl Glance {
    /// Checks a few bytes, one by one.
    pub(crate) fn plainly<const RETURNS: bool>(bytes: &[u8]) -> Glance {
        let mut found = Glance { is_ascii: true, ..Glance::default() };
        let nexts = bytes.iter().skip(1).copied().map(Some).chain([None]);
        for (&byte, next) in bytes.iter().zip(nexts) {
            found.leads += usize::from(byte >= 0xC0);
            found.is_ascii &= byte < 0x80;
            found.longest += usize::from(byte >= 0xF0);
            found.has_controls |= is_control(byte) & !(RETURNS & (byte == b'\r'));
            let is_odd = |next| (byte == b'\r') != (next == b'\n');
            found.has_odd_returns |= RETURNS && next.is_some_and(is_odd);
        }
        found
    }
}

/// How the kernel is called.
pub(crate) type Look = unsafe fn(src: &[u8]) -> Glance;

/// The kernel, which checks carriage returns or does not.
pub(crate) struct Looks<const RETURNS: bool>;

/// Vectors in a block, and the number of blocks whose lead bytes a counter of one byte can hold.
const VECTORS: usize = 4;
const SPAN: usize = 255 / VECTORS;

impl<const RETURNS: bool> Read for Looks<RETURNS> {
    type Answer = Glance;

    #[inline(always)]
    fn run<S: Vector>(s: S, src: &[u8]) -> Glance {
        if const { S::LANES == 64 }
            && let Some(found) = checked::look::<S, RETURNS>(s, src)
        {
            return found;
        }
        let block = VECTORS * S::LANES;
        let mut seen = Seen::<S, RETURNS>::new(s);
        // From here on, loads do not cross cache lines.
        let mut at = src.as_ptr().addr().wrapping_neg() % S::LANES;
        if src.len() <= at + block {
            at = src.len();
        }
        seen.add_part(s, src, 0..at);
        // To check carriage returns, each vector needs the byte behind it.
        let end = at + (src.len() - at).saturating_sub(usize::from(RETURNS)) / block * block;
        // As long as everything is ASCII, there is nothing to count.
        while at < end && seen.greatest.high_bits() == 0 {
            let text = &src[at..at + block + usize::from(RETURNS)];
            if !seen.add_if_ascii(s, text) {
                break;
            }
            at += block;
        }
        let mut leads = seen.leads(s);
        while at < end {
            let span = end.min(at + SPAN * block);
            while at < span {
                seen.add(s, &src[at..at + block + usize::from(RETURNS)]);
                at += block;
            }
            leads += seen.leads(s);
        }
        seen.add_part(s, src, at..src.len());
        let longest = if has_longest(s, seen.greatest) { count_longest(s, src) } else { 0 };
        let found = seen.found(s);
        Glance { leads: leads + found.leads, longest, is_ascii: seen.greatest.high_bits() == 0, ..found }
    }
}

/// Whether there is a byte from F0 on.
#[inline(always)]
fn has_longest<S: Vector>(s: S, greatest: S::Bytes) -> bool {
    !greatest.saturating_sub(s.splat(0xEF)).is_zero()
}

/// Bytes from F0 on.
#[inline(always)]
fn count_longest<S: Vector>(s: S, src: &[u8]) -> usize {
    let (mut rest, mut count) = (src, 0);
    while !rest.is_empty() {
        let bytes = if rest.len() < S::LANES { s.load_part(rest) } else { s.load(rest, 0) };
        count += bytes.at_least(s.splat(0xF0)).bits().count_ones() as usize;
        rest = rest.get(S::LANES..).unwrap_or_default();
    }
    count
}

/// One bit for each lane.
#[inline(always)]
const fn every_lane<S: Vector>() -> u64 {
    !0 >> (64 - S::LANES)
}

/// What was found so far, lane by lane.
#[derive(Clone, Copy)]
struct Seen<S: Vector, const RETURNS: bool> {
    controls: S::Bytes,
    greatest: S::Bytes,
    /// The number of lead bytes in each lane. With vectors of 64 bytes, `leads` counts them directly.
    tally: S::Bytes,
    leads: usize,
    /// Where a carriage return or a line feed lacks the other. With tables, [`ODD`] in `controls` says this instead.
    odd: <S::Bytes as Bytes>::Lanes,
}

impl<S: Vector, const RETURNS: bool> Seen<S, RETURNS> {
    #[inline(always)]
    fn new(s: S) -> Self {
        let none = s.splat(0);
        Self { controls: none, greatest: none, tally: none, leads: 0, odd: s.lanes(0) }
    }

    /// Check a block and the byte behind it, if the block is ASCII. Returns whether it is.
    #[inline(always)]
    fn add_if_ascii(&mut self, s: S, text: &[u8]) -> bool {
        let mut any = s.splat(0);
        for i in 0..VECTORS {
            any = any | s.load(text, i * S::LANES);
        }
        if any.high_bits() != 0 {
            return false;
        }
        self.add_controls::<true>(s, text);
        true
    }

    /// Check a block and the byte behind it.
    #[inline(always)]
    fn add(&mut self, s: S, text: &[u8]) {
        let mut greatest = s.splat(0);
        for i in 0..VECTORS {
            let bytes = s.load(text, i * S::LANES);
            self.add_leads(s, bytes);
            greatest = greatest.max(bytes);
        }
        self.greatest = self.greatest.max(greatest);
        self.add_controls::<false>(s, text);
    }

    /// Count lead bytes.
    #[inline(always)]
    fn add_leads(&mut self, s: S, bytes: S::Bytes) {
        let lanes = bytes.at_least(s.splat(0xC0));
        if const { S::LANES == 64 } {
            self.leads += lanes.bits().count_ones() as usize;
        } else {
            self.tally = self.tally.tally(lanes);
        }
    }

    /// Look for control characters and carriage returns.
    #[inline(always)]
    fn add_controls<const IS_ASCII: bool>(&mut self, s: S, text: &[u8]) {
        let mut controls = s.splat(0);
        for i in 0..VECTORS {
            let bytes = s.load(text, i * S::LANES);
            if !RETURNS {
                controls = controls | ALL.among(s, bytes);
                continue;
            }
            let next = s.load(text, i * S::LANES + 1);
            let found = s.lookup_seven(if IS_ASCII { bytes } else { bytes.min(s.splat(0x80)) }, &RETURN);
            // Behind the last vector there is a byte of the next block, which may not be ASCII.
            let is_ascii = IS_ASCII && i + 1 < VECTORS;
            let feeds = s.lookup_seven(if is_ascii { next } else { next.min(s.splat(0x80)) }, &FEED);
            if let (Some(found), Some(feeds)) = (found, feeds) {
                controls = controls | ((found | bytes) ^ bytes) ^ feeds;
            } else {
                controls = controls | NO_RETURN.among(s, bytes);
                self.odd = self.odd | odd(s, bytes, next);
            }
        }
        self.controls = self.controls | controls;
    }

    /// Whether a carriage return or a line feed lacks the other.
    #[inline(always)]
    fn has_odd(&self, s: S) -> bool {
        (self.odd.bits() & every_lane::<S>()) != 0 || !(self.controls & s.splat(ODD)).is_zero()
    }

    /// The number of lead bytes since the last call.
    #[inline(always)]
    fn leads(&mut self, s: S) -> usize {
        let leads = self.leads + self.tally.sum_bytes() as usize;
        (self.leads, self.tally) = (0, s.splat(0));
        leads
    }

    /// Control characters, carriage returns, and lead bytes since the last call of `leads`.
    #[inline(always)]
    fn found(mut self, s: S) -> Glance {
        Glance {
            leads: self.leads(s),
            has_controls: !(self.controls & s.splat(!ODD)).is_zero(),
            has_odd_returns: RETURNS && self.has_odd(s),
            ..Glance::default()
        }
    }

    /// Check a part of a text that is shorter than a block and a byte, vector by vector.
    #[inline(always)]
    fn add_part(&mut self, s: S, src: &[u8], at: Range<usize>) {
        for start in steps(at.clone(), S::LANES) {
            let part = &src[start..at.end];
            let mut bytes = s.load_part(part);
            if part.len() < S::LANES {
                // The lanes behind the end are loaded as NUL.
                bytes = bytes.replace(s.lanes(!0 << part.len()), s.splat(b' '));
            }
            self.add_leads(s, bytes);
            self.greatest = self.greatest.max(bytes);
            self.controls = self.controls | among::<S, RETURNS>(s, bytes);
            if RETURNS {
                let next = &src[start + 1..src.len().min(at.end + 1)];
                let known = if next.len() < S::LANES { !(!0 << next.len()) } else { !0 };
                self.odd = self.odd | odd(s, bytes, s.load_part(next)) & s.lanes(known);
            }
        }
    }
}

#[inline(always)]
fn among<S: Vector, const RETURNS: bool>(s: S, bytes: S::Bytes) -> S::Bytes {
    let which = if RETURNS { &NO_RETURN } else { &ALL };
    which.among(s, bytes)
}

/// Where a carriage return, or a line feed in the lane of `next`, lacks the other.
#[inline(always)]
fn odd<S: Vector>(s: S, bytes: S::Bytes, next: S::Bytes) -> <S::Bytes as Bytes>::Lanes {
    bytes.equal(s.splat(b'\r')) ^ next.equal(s.splat(b'\n'))
}
