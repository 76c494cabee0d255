//! Converts text in groups of blocks, without a branch on the content: a misprediction costs as much as two blocks.

#![forbid(unsafe_code)]

use core::mem::MaybeUninit;

use super::runs::{ascii_blocks, fours, has_three};
use super::{BLOCK, Class, Conversion, DENSE, FEW_SINGLES, GROUP, MANY_FOURS, MOST_GROUPS};
use crate::kernel::target::{self, Fours, Target};
use crate::kernel::utf8::{Grammar, LEAST_LEAD, UpToTwo, Window, unfinished};
use crate::vector::{Bytes, Lanes, Vector, steps};

/// Why reading groups stopped.
pub(crate) enum End {
    /// By the rules of this way of reading, the text is ill-formed.
    Broken,
    /// Too close to an end of the source or of the destination.
    Edge,
    /// Many characters of the last group have three bytes.
    Dense,
    /// Nearly all of the last group is ASCII.
    AsciiRun,
    /// The last groups had nothing above U+07FF.
    Short,
    /// The last blocks had characters of four bytes among ASCII.
    Wide,
    /// Another way of reading may be better.
    Done,
}
use End::{AsciiRun, Broken, Dense, Done, Edge, Short, Wide};

/// The rules for a group: which characters it may contain.
const TWO: u8 = 2;
const BASIC: u8 = 3;
const ALL: u8 = 4;

/// How text is read.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Way {
    /// Long runs of ASCII, with a block up to U+FFFF between them.
    Sparse,
    /// Groups up to U+07FF.
    Two,
    /// Groups up to U+FFFF.
    Basic,
    /// A few groups of any text.
    All,
}

/// Whether nearly all of a group that became `n` bytes is ASCII, so that a check for ASCII is worth a mispredicted branch.
/// The narrower the vectors, the sooner it is.
#[inline(always)]
const fn is_mostly_ascii<S: Vector, T: Target<S>>(n: usize) -> bool {
    n > T::UNIT * (GROUP - BLOCK / S::LANES)
}

/// Returns the bits of the lanes after which a character ends. `next`: the bytes that follow each lane.
#[inline(always)]
fn ends_before<S: Vector>(s: S, next: S::Bytes) -> u64 {
    !next.less(s.splat(LEAST_LEAD)).bits() & (!0 >> (64 - S::LANES))
}

impl<S: Vector> Conversion<'_, S> {
    /// Converts up to text that is to be read block by block. Sets `singles` to the number of those blocks.
    #[inline(always)]
    pub(super) fn branchless<T: Target<S>>(&mut self, dst: &mut [MaybeUninit<u8>]) {
        while self.singles == 0 {
            if follows_four(self.src, self.at) {
                self.way = Way::All;
            }
            let end = self.read::<T>(dst);
            self.way = match (end, self.way) {
                (AsciiRun, _) => Way::Sparse,
                (Short, _) => Way::Two,
                (Wide, _) => {
                    self.wide = MOST_GROUPS;
                    Way::All
                }
                (Done, Way::All) if self.four_byte_run::<T>(dst) => Way::All,
                (Broken, Way::Two) | (Done, _) => Way::Basic,
                (Broken, Way::Basic) if fours(self.s, &self.src[self.at..self.at + GROUP]) > 0 => Way::All,
                (Broken, Way::Sparse) if fours(self.s, &self.src[self.at..self.at + BLOCK]) >= MANY_FOURS => {
                    Way::All
                }
                (Broken, Way::Basic | Way::All) => {
                    self.singles = (GROUP / BLOCK) as u32;
                    Way::Basic
                }
                (Edge, way) | (Broken, way @ Way::Sparse) => {
                    let rest = self.src.len().saturating_sub(self.at);
                    // One block more, or all that is left if that is less than two groups.
                    let is_short = way != Way::Sparse && rest < 2 * GROUP;
                    self.singles = if is_short { (rest / BLOCK).max(1) as u32 } else { 1 };
                    way
                }
                (Dense, _) => {
                    self.three_byte_run::<T>(dst);
                    Way::Basic
                }
            };
        }
    }

    /// Reads groups in one way. Each way is a separate function: in a single one, the constants of all would not fit the
    /// registers.
    #[inline(always)]
    fn read<T: Target<S>>(&mut self, dst: &mut [MaybeUninit<u8>]) -> End {
        let s = self.s;
        match self.way {
            Way::Sparse => s.apart(
                #[inline(always)]
                || self.sparse::<T>(dst),
            ),
            Way::Two => s.apart(
                #[inline(always)]
                || self.two_by_two::<T>(dst),
            ),
            Way::Basic => s.apart(
                #[inline(always)]
                || self.basic::<T>(dst),
            ),
            Way::All => s.apart(
                #[inline(always)]
                || self.all::<T>(dst),
            ),
        }
    }

    #[inline(always)]
    fn sparse<T: Target<S>>(&mut self, dst: &mut [MaybeUninit<u8>]) -> End {
        let grammar = S::ConversionGrammar::basic(self.s);
        let (s, src, mut at, mut written) = (self.s, self.src, self.at, self.written);
        let (mut before, mut well_formed, mut next_singles) =
            (self.before, self.well_formed, self.next_singles);
        // Whether the last block was read by the rules for all characters.
        let (mut short_runs, mut is_wide) = (0, false);
        let end = loop {
            if unfinished(src.get(..at).unwrap_or_default()) == 0 {
                let n = ascii_blocks::<S, T>(s, src.get(at..).unwrap_or_default(), &mut dst[written..]);
                if n > 0 {
                    (at, written) = (at + n, written + n * T::UNIT);
                    (before, well_formed) = (Class::Two, true);
                }
                (short_runs, next_singles) =
                    if n < 3 * S::LANES { (short_runs + 1, next_singles) } else { (0, FEW_SINGLES) };
                if short_runs == 192 / S::LANES {
                    break if is_wide { Wide } else { Done };
                }
            }
            match sparse_block::<S, T>(s, grammar, src, at, dst, written, &mut is_wide) {
                Ok(n) => (at, written) = (at + BLOCK, written + n),
                Err(end) => break end,
            }
            (before, well_formed) = (Class::Four, false);
        };
        (self.at, self.written, self.next_singles) = (at, written, next_singles);
        (self.before, self.well_formed) = (before, well_formed);
        end
    }

    #[inline(always)]
    fn basic<T: Target<S>>(&mut self, dst: &mut [MaybeUninit<u8>]) -> End {
        let (start, mut groups, mut wait) = (self.at, 0_u32, self.wait);
        let end = self.groups::<T, BASIC>(
            S::ConversionGrammar::basic(self.s),
            dst,
            #[inline(always)]
            |this, at, n| {
                wait = wait.saturating_sub(1);
                groups += 1;
                if is_mostly_ascii::<S, T>(n) {
                    Some(AsciiRun)
                } else if S::HAS_THREE_BYTE_RUNS && wait == 0 && n <= T::UNIT * DENSE {
                    Some(Dense)
                } else if groups.is_multiple_of(8) && !has_three(this.s, &this.src[at - GROUP..at]) {
                    Some(Short)
                } else {
                    None
                }
            },
        );
        self.wait = wait;
        if self.at > start {
            (self.wide, self.next_singles) = (1, FEW_SINGLES);
        }
        end
    }

    #[inline(always)]
    fn two_by_two<T: Target<S>>(&mut self, dst: &mut [MaybeUninit<u8>]) -> End {
        self.groups::<T, TWO>(
            S::ConversionGrammar::basic(self.s),
            dst,
            #[inline(always)]
            |_, _, n| is_mostly_ascii::<S, T>(n).then_some(AsciiRun),
        )
    }

    #[inline(always)]
    fn all<T: Target<S>>(&mut self, dst: &mut [MaybeUninit<u8>]) -> End {
        let last = self.at + self.wide as usize * GROUP;
        let end = self.groups::<T, ALL>(
            S::ConversionGrammar::new(self.s),
            dst,
            #[inline(always)]
            |_, at, _| if at >= last { Some(Done) } else { None },
        );
        if matches!(end, Done) {
            self.wide = (2 * self.wide).min(MOST_GROUPS);
        }
        end
    }

    /// Reads groups until `ends` returns a reason. `ends` gets the place where a group ends, and how many bytes it became.
    ///
    /// The state that changes with each group is in local variables: for all the compiler knows, the destination may overlap
    /// `self`.
    #[inline(always)]
    fn groups<T: Target<S>, const RULES: u8>(
        &mut self,
        grammar: S::ConversionGrammar,
        dst: &mut [MaybeUninit<u8>],
        mut ends: impl FnMut(&Self, usize, usize) -> Option<End>,
    ) -> End {
        let (s, src, start, mut at, mut written) = (self.s, self.src, self.at, self.at, self.written);
        let end = loop {
            match group::<S, T, GROUP, RULES>(s, grammar, src, at, dst, written) {
                Ok(n) => {
                    (at, written) = (at + GROUP, written + n);
                    if let Some(end) = ends(self, at, n) {
                        break end;
                    }
                }
                Err(end) => break end,
            }
        };
        if at > start {
            (self.at, self.written) = (at, written);
            // The last character may have four bytes.
            (self.before, self.well_formed) = (Class::Four, false);
        }
        end
    }
}

/// Converts a block by the rules for characters up to U+FFFF or, if it has a few others, by those for all. `is_wide`: whether the last block was
/// read by the latter.
#[inline(always)]
fn sparse_block<S: Vector, T: Target<S>>(
    s: S,
    grammar: S::ConversionGrammar,
    src: &[u8],
    at: usize,
    dst: &mut [MaybeUninit<u8>],
    written: usize,
    is_wide: &mut bool,
) -> Result<usize, End> {
    if !*is_wide {
        let block = group::<S, T, BLOCK, BASIC>(s, grammar, src, at, dst, written);
        *is_wide = matches!(block, Err(Broken));
        if !*is_wide {
            return block;
        }
    }
    let Some(text) = src.get(at..at + BLOCK) else { return Err(Edge) };
    let fours = fours(s, text);
    if fours >= MANY_FOURS {
        return Err(Broken);
    }
    *is_wide = fours > 0;
    group::<S, T, BLOCK, ALL>(s, S::ConversionGrammar::new(s), src, at, dst, written)
}

/// Whether a sequence of four bytes may be unfinished at `at`. Only the rules for all characters detect that its fourth byte is missing.
#[inline(always)]
fn follows_four(src: &[u8], at: usize) -> bool {
    src.get(..at).unwrap_or_default().iter().rev().take(3).any(|&byte| byte >= 0xF0)
}

/// Converts `SIZE` bytes under `RULES`, without a branch on the content. Returns the bytes written.
#[inline(always)]
fn group<S: Vector, T: Target<S>, const SIZE: usize, const RULES: u8>(
    s: S,
    grammar: S::ConversionGrammar,
    src: &[u8],
    at: usize,
    dst: &mut [MaybeUninit<u8>],
    written: usize,
) -> Result<usize, End> {
    // It takes long to move a mask to integer registers, so this begins one iteration earlier.
    let early = if const { S::LANES < BLOCK } && SIZE > BLOCK && RULES != ALL { S::LANES } else { 0 };
    let text = src.get(at.wrapping_sub(3)..).and_then(|text| text.get(..4 + SIZE + early));
    let room = dst[written..].get_mut(..T::UNIT * SIZE);
    let (Some(text), Some(room)) = (text, room) else { return Err(Edge) };
    let (mut n, mut broken) = (0, s.splat(0));
    let mut seen = UpToTwo::new(s, s.load(text, 2));
    let mut next_ends = ends_before(s, s.load(text, 4));
    for lane in steps(0..SIZE, S::LANES) {
        let w = Window::load(s, text, 3 + lane);
        let early_ends = ends_before(s, s.load(text, 4 + lane + early));
        let mut ends = if early == 0 { early_ends } else { next_ends };
        next_ends = early_ends;
        let planes = if const { RULES == TWO } {
            seen = seen.with::<S, S::ConversionGrammar>(s, w.at, w.before[0]);
            target::two(s, w)
        } else if const { RULES == ALL } {
            let fours = Fours::of(s, w);
            broken = grammar.broken(broken, w);
            ends |= if T::PAIRS { fours.third.bits() } else { 0 };
            T::supplementary(s, w, fours)
        } else {
            broken = grammar.broken_basic(broken, w);
            target::basic(s, w)
        };
        let Some(room) = room.get_mut(n..n + T::UNIT * S::LANES) else { return Err(Edge) };
        n += T::UNIT
            * if const { RULES == ALL } {
                T::put::<true>(s, planes, ends, room, 0)
            } else {
                T::put::<false>(s, planes, ends, room, 0)
            };
    }
    let errors =
        if const { RULES == TWO } { seen.broken(s) } else { S::ConversionGrammar::errors(s, broken) };
    if errors.is_zero() { Ok(n) } else { Err(Broken) }
}
