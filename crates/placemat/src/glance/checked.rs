//! A `Glance` and the check of UTF-8 in one pass, for vectors so wide that the tables of both fit into the registers.

#![forbid(unsafe_code)]

use core::ops::Range;

use super::{Glance, Seen, VECTORS, count_longest, has_longest};
use crate::vector::grammar::{lone, unfinished};
use crate::vector::{Bytes, Grammar, Vector, Window, steps};

/// How many bytes before and behind a group its check reads.
const BEFORE: usize = 3;
const BEHIND: usize = 1;

/// How many groups there are between two decisions on `is_dense`.
const SPAN: usize = 8;

/// A branch for each group pays if this many groups of a span are ASCII.
const MUCH: usize = 5;

/// Glances at a text of at least one group of vectors, and checks whether it is well-formed.
#[inline(always)]
pub(super) fn look<S: Vector, const RETURNS: bool>(s: S, src: &[u8]) -> Option<Glance> {
    let group = VECTORS * S::LANES;
    // From here on, loads do not cross cache lines.
    let mut at = src.as_ptr().addr().wrapping_neg() % S::LANES;
    if at < BEFORE {
        at += S::LANES;
    }
    if src.len() < at + group + BEHIND {
        return None;
    }
    let mut all = Checked::<S, RETURNS>::new(s);
    all.seen.add_part(s, src, 0..at);
    let (start, end) = (at, at + (src.len() - at - BEHIND) / group * group);
    while at < end {
        at = if all.is_dense { all.add_dense(s, src, at..end) } else { all.add_mixed(s, src, at..end) };
    }
    all.seen.add_part(s, src, end..src.len());
    let is_ascii = (all.any | all.seen.greatest).high_bits() == 0;
    if !is_ascii {
        // The second window reaches beyond the start of the groups.
        all.check(Window::first(s.load(src, 0)));
        all.check(Window::load(s, src, BEFORE));
        for at in steps(end..src.len(), S::LANES) {
            all.check(Window::load_part(s, src, at));
        }
    }
    let mut longest = all.longest;
    if has_longest(s, all.seen.greatest) {
        longest += count_longest(s, &src[..start]) + count_longest(s, &src[end..]);
    }
    Some(Glance {
        longest,
        is_ascii,
        is_well_formed: Some(S::Grammar::is_clean(s, all.broken) && all.lone < 0x80 && unfinished(src) == 0),
        ..all.seen.found(s)
    })
}

/// What was found so far, and what is ill-formed.
struct Checked<S: Vector, const RETURNS: bool> {
    seen: Seen<S, RETURNS>,
    grammar: S::Grammar,
    /// Not zero where a byte cannot follow what precedes it.
    broken: S::Bytes,
    /// The highest bit is set if a continuation byte follows ASCII, which is not checked.
    lone: u8,
    /// The greatest bytes of all groups.
    any: S::Bytes,
    /// Bytes from F0 on in groups.
    longest: usize,
    /// Whether groups are checked without a test for ASCII first: a mispredicted branch takes longer.
    is_dense: bool,
}

impl<S: Vector, const RETURNS: bool> Checked<S, RETURNS> {
    #[inline(always)]
    fn new(s: S) -> Self {
        Self {
            seen: Seen::new(s),
            grammar: S::Grammar::new(s),
            broken: s.splat(0),
            lone: 0,
            any: s.splat(0),
            longest: 0,
            is_dense: false,
        }
    }

    #[inline(always)]
    fn check(&mut self, window: Window<S::Bytes>) {
        self.broken = self.grammar.broken(self.broken, window);
    }

    /// Check groups of which most are ASCII, until the next decision.
    #[inline(always)]
    fn add_mixed(&mut self, s: S, src: &[u8], groups: Range<usize>) -> usize {
        let group = VECTORS * S::LANES;
        let (mut at, mut greatest) = (groups.start, s.splat(0));
        for _ in 0..SPAN - MUCH {
            while at < groups.end && self.seen.add_if_ascii(s, &src[at..at + group + BEHIND]) {
                at += group;
            }
            if at == groups.end {
                break;
            }
            greatest = greatest.max(self.add_group(s, &src[at - BEFORE..at + group + BEHIND]));
            at += group;
        }
        self.add_greatest(s, &src[groups.start..at], greatest);
        self.is_dense = at - groups.start < SPAN * group;
        at
    }

    /// Check groups without a test for ASCII.
    #[inline(always)]
    fn add_dense(&mut self, s: S, src: &[u8], groups: Range<usize>) -> usize {
        let group = VECTORS * S::LANES;
        let end = groups.end.min(groups.start + SPAN * group);
        let (mut at, mut plain, mut greatest) = (groups.start, 0, s.splat(0));
        while at < end {
            let found = self.add_group(s, &src[at - BEFORE..at + group + BEHIND]);
            plain += usize::from(found.high_bits() == 0);
            greatest = greatest.max(found);
            at += group;
        }
        self.add_greatest(s, &src[groups.start..at], greatest);
        self.is_dense = plain < MUCH;
        at
    }

    /// Check a group, and return the greatest byte of each lane.
    #[inline(always)]
    fn add_group(&mut self, s: S, text: &[u8]) -> S::Bytes {
        self.lone |= lone(text[BEFORE - 1], text[BEFORE]);
        let mut greatest = s.splat(0);
        for i in 0..VECTORS {
            let at = BEFORE + i * S::LANES;
            let bytes = s.load(text, at);
            self.seen.add_leads(s, bytes);
            greatest = greatest.max(bytes);
            // From the second byte on, so that the byte behind a lead byte at the end is included.
            self.check(Window::load(s, text, at + 1));
        }
        self.seen.add_controls::<false>(s, &text[BEFORE..]);
        greatest
    }

    /// Add the greatest bytes of some groups.
    #[inline(always)]
    fn add_greatest(&mut self, s: S, groups: &[u8], greatest: S::Bytes) {
        self.any = self.any | greatest;
        if has_longest(s, greatest) {
            self.longest += count_longest(s, groups);
        }
    }
}
