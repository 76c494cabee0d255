//! Converts UTF-16 to UTF-8.

#![forbid(unsafe_code)]

use core::mem::MaybeUninit;

use super::{Cursor, plain};
use crate::kernel::Progress;
use crate::kernel::blocks::{BLOCK, EACH, OTHERS, ROOM, part};
use crate::kernel::from_utf16::{self, UPPER, closed, cut, kind, splat_unit};
use crate::kernel::scratch::Scratch;
use crate::vector::{Bytes, Kinds, Lanes as _, Met, Vector, Write, ends_open, lesser};

/// How many bytes of text with pairs are converted before the next decision.
const SPAN: usize = 1024;
/// With fewer vectors with a part of a pair in a span, loops for ASCII and for text without pairs are faster.
const FEW_PAIRS: usize = 2;
/// How many blocks with other units the first blocks of ASCII may have between them.
const OTHERS_AT_FIRST: usize = 3;
/// If four vectors of ASCII with pairs become more bytes than this number of half vectors, other methods are faster.
const MOST: usize = 5;
/// The longest text, in vectors, that is converted without a run.
const FEW: usize = 8;

/// Converts ASCII at the start, or all of a short text.
#[inline(always)]
pub(crate) fn utf16_to_utf8_plain<S: Vector, const BIG: bool>(
    s: S,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Progress {
    if src.len() <= 2 * S::LANES {
        return short::<S, BIG>(s, src, dst).unwrap_or_default();
    }
    if src.len() <= 4 * S::LANES
        && dst.len() >= ROOM
        && src.len().is_multiple_of(2)
        && !ends_open::<BIG>(src)
        && let Some(written) = s.short_to_utf8::<BIG>(src, dst)
    {
        return Progress { read: src.len(), written, replaced: 0 };
    }
    let ends = s.load(src, 0) | s.load(src, src.len() - S::LANES);
    let is_ascii = (ends & splat_unit::<S, BIG>(s, 0xFF80)).is_zero();
    let done = if is_ascii {
        plain::<S, from_utf16::Utf8<BIG>, { 2 * BLOCK }>(s, src, dst)
    } else {
        Progress::default()
    };
    if done.read == src.len() || src.len() > FEW * S::LANES {
        return done;
    }
    if is_ascii {
        // Text with pairs or units of three bytes among ASCII has a method of its own.
        let near = part(s, src, done.read) | part(s, src, done.read + S::LANES);
        if !(near & splat_unit::<S, BIG>(s, 0xF800)).is_zero() {
            let (rest, room) = (&src[done.read..], &mut dst[done.written..]);
            return if has_room(rest, room) {
                done.and(s.write_apart::<Pieces<BIG>>(rest, room, usize::MAX))
            } else {
                done
            };
        }
    }
    let text = closed::<BIG>(src);
    let place = [done.read, done.written];
    // If other units are known to follow, an attempt with short units alone does not pay.
    let (kinds, place) = if (ends & splat_unit::<S, BIG>(s, 0xF800)).is_zero() {
        (Kinds::Short, s.short_units_to_utf8::<BIG>(text, dst, place))
    } else if has_room(src, dst) && is_ascii_to_pairs::<S, BIG>(s, src) {
        return s.write_apart::<Pieces<BIG>>(src, dst, usize::MAX);
    } else {
        (Kinds::Basic, place)
    };
    progress::<BIG>(text, s.rest_to_utf8::<BIG>(kinds, text, dst, place))
}

/// Whether the first or the last vector is ASCII, and the other one has a pair.
#[inline(always)]
fn is_ascii_to_pairs<S: Vector, const BIG: bool>(s: S, src: &[u8]) -> bool {
    let ends = [s.load(src, 0), s.load(src, src.len() - S::LANES)];
    let [first, last] = ends.map(|units| (units & splat_unit::<S, BIG>(s, 0xFF80)).is_zero());
    first != last && kind(s, ends[0] | ends[1]).bits() & UPPER[usize::from(BIG)] != 0
}

/// Whether there is so much room that [`Pieces`] are likely to have enough.
#[inline(always)]
fn has_room(src: &[u8], dst: &[MaybeUninit<u8>]) -> bool {
    dst.len() >= src.len() + ROOM / 2
}

/// Converts ASCII with a few pairs, at most four vectors at a time, until these become more bytes than `most`.
struct Pieces<const BIG: bool>;

impl<const BIG: bool> Write for Pieces<BIG> {
    type Setting = usize;
    type Answer = Progress;

    #[inline(always)]
    fn run<S: Vector>(s: S, src: &[u8], dst: &mut [MaybeUninit<u8>], most: usize) -> Progress {
        let (src, vectors) = (closed::<BIG>(src), if BIG { 2 } else { 4 });
        let mut done = Progress::default();
        while done.read < src.len() {
            let (rest, room) = (&src[done.read..], &mut dst[done.written..]);
            let piece = &rest[..lesser(rest.len(), vectors * S::LANES)];
            let piece = &piece[..piece.len() - cut::<BIG>(piece)];
            let written = match piece.len() > 2 * S::LANES {
                true => s.short_to_utf8::<BIG>(piece, room),
                false => short::<S, BIG>(s, piece, room).map(|done| done.written),
            };
            let Some(written) = written else { break };
            done = done.and(Progress { read: piece.len(), written, replaced: 0 });
            if written > most {
                break;
            }
        }
        done
    }
}

/// Converts all of a text of at most two vectors.
#[inline(always)]
fn short<S: Vector, const BIG: bool>(s: S, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Option<Progress> {
    if !src.len().is_multiple_of(2) || ends_open::<BIG>(src) {
        return None;
    }
    let mut scratch = Scratch::new();
    let n = s.short_to_utf8::<BIG>(src, scratch.room(dst))?;
    scratch.whole(s, src, dst, n)
}

/// Returns what was read and written, without the high surrogate of a pair that is split.
#[inline(always)]
fn progress<const BIG: bool>(text: &[u8], [read, written]: [usize; 2]) -> Progress {
    let half = 2 * usize::from(ends_open::<BIG>(&text[..read]));
    Progress { read: read - half, written: written - half, replaced: 0 }
}

/// Converts as far as the text is well-formed and there is room.
#[inline(always)]
pub(crate) fn utf16_to_utf8<S: Vector, const BIG: bool>(
    s: S,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Progress {
    let src = closed::<BIG>(src);
    let mut cursor = Cursor { at: 0, written: 0 };
    let mut few = s.begins_with_few_others::<BIG>(src);
    if few && has_room(src, dst) {
        let done = s.write_apart::<Pieces<BIG>>(src, dst, MOST * S::LANES / 2);
        cursor = Cursor { at: done.read, written: done.written };
        few = s.begins_with_few_others::<BIG>(&src[cursor.at..]);
    }
    if !few {
        let kinds = cursor.without_pairs::<S, BIG>(s, src, dst);
        if kinds != Kinds::All {
            return cursor.rest::<S, BIG>(s, kinds, src, dst);
        }
    }
    // A separate function, because text without pairs needs fewer registers.
    let more = s.write_apart::<WithPairs<BIG>>(&src[cursor.at..], &mut dst[cursor.written..], ());
    Progress { read: cursor.at + more.read, written: cursor.written + more.written, replaced: 0 }
}

/// Text with pairs, from its first pair on.
struct WithPairs<const BIG: bool>;

impl<const BIG: bool> Write for WithPairs<BIG> {
    type Setting = ();
    type Answer = Progress;

    #[inline(always)]
    fn run<S: Vector>(s: S, src: &[u8], dst: &mut [MaybeUninit<u8>], _: ()) -> Progress {
        let mut cursor = Cursor { at: 0, written: 0 };
        let kinds = loop {
            let mut met = Met::Others;
            if s.begins_with_few_others::<BIG>(&src[cursor.at..]) {
                met = cursor.mostly_ascii::<S, BIG>(s, src, dst);
            }
            if met == Met::Others {
                met = cursor.pairs::<S, BIG>(s, src, dst);
            }
            match met {
                Met::End => break Kinds::All,
                _ if s.begins_with_few_others::<BIG>(&src[cursor.at..]) => {}
                _ => match cursor.without_pairs::<S, BIG>(s, src, dst) {
                    Kinds::All => {}
                    kinds => break kinds,
                },
            }
        };
        cursor.rest::<S, BIG>(s, kinds, src, dst)
    }
}

/// Converts text with many pairs. Returns also about how many there were.
#[inline(always)]
pub(crate) fn utf16_with_pairs_to_utf8<S: Vector, const BIG: bool>(
    s: S,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> (Progress, usize) {
    if cfg!(placemat_lean) || !S::STEPS {
        return (Progress::default(), 0);
    }
    let (place, with) = s.run_with_pairs_to_utf8::<BIG, true>(src, dst);
    let done = progress::<BIG>(src, place);
    // A pair becomes as many bytes as it has.
    let pairs = if done.written == done.read { done.read / 4 } else { with };
    (done, pairs)
}

impl Cursor {
    /// Converts up to a pair, or nearly to the end. Returns what to expect from there on.
    #[inline(always)]
    fn without_pairs<S: Vector, const BIG: bool>(
        &mut self,
        s: S,
        src: &[u8],
        dst: &mut [MaybeUninit<u8>],
    ) -> Kinds {
        let mut kinds = Kinds::Short;
        // A separate loop for each, so that its branches are nearly always predicted.
        loop {
            let met = match kinds {
                Kinds::Short => self.run::<S, BIG>(s, Kinds::Short, src, dst),
                _ => self.run::<S, BIG>(s, Kinds::Basic, src, dst),
            };
            kinds = match (kinds, met) {
                (_, Met::End) => return kinds,
                (Kinds::Short, Met::Calm) => {
                    self.plain::<S, from_utf16::Utf8<BIG>, { 2 * BLOCK }>(s, src, dst);
                    Kinds::Short
                }
                (_, Met::Calm) => Kinds::Short,
                (Kinds::Short, Met::Others) => Kinds::Basic,
                (_, Met::Others) => return Kinds::All,
            };
        }
    }

    /// Converts text with pairs as long as there are many.
    #[inline(always)]
    fn pairs<S: Vector, const BIG: bool>(&mut self, s: S, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Met {
        loop {
            let span = &src[self.at..src.len().min(self.at + SPAN)];
            let (place, with) = s.run_with_pairs_to_utf8::<BIG, false>(span, &mut dst[self.written..]);
            let done = progress::<BIG>(span, place);
            (self.at, self.written) = (self.at + done.read, self.written + done.written);
            // Nothing was read if there is too little room, or where the text is ill-formed.
            if done.read == 0 || self.at + S::LANES > src.len() {
                return Met::End;
            }
            if with < FEW_PAIRS {
                return Met::Calm;
            }
        }
    }

    /// Converts ASCII with pairs or units of three bytes here and there, as long as there are few.
    #[inline(always)]
    fn mostly_ascii<S: Vector, const BIG: bool>(
        &mut self,
        s: S,
        src: &[u8],
        dst: &mut [MaybeUninit<u8>],
    ) -> Met {
        let mut others = OTHERS_AT_FIRST;
        while self.at < src.len() {
            let start = self.at;
            self.plain::<S, from_utf16::Utf8<BIG>, { 2 * BLOCK }>(s, src, dst);
            others = OTHERS.min(others + (self.at - start) / (2 * BLOCK) / EACH);
            if others == 0 {
                return Met::Others;
            }
            let Some(room) = dst[self.written..].first_chunk_mut() else { return Met::End };
            let Some([read, n]) = from_utf16::with_pairs::<S, BIG, false>(s, &src[self.at..], room) else {
                return Met::Others;
            };
            (self.at, self.written, others) = (self.at + read, self.written + n, others - 1);
        }
        Met::End
    }

    /// Converts to the end of the text or of the room.
    #[inline(always)]
    fn rest<S: Vector, const BIG: bool>(
        &self,
        s: S,
        kinds: Kinds,
        src: &[u8],
        dst: &mut [MaybeUninit<u8>],
    ) -> Progress {
        progress::<BIG>(src, s.rest_to_utf8::<BIG>(kinds, src, dst, [self.at, self.written]))
    }

    /// Converts whole vectors of these kinds.
    #[inline(always)]
    fn run<S: Vector, const BIG: bool>(
        &mut self,
        s: S,
        kinds: Kinds,
        src: &[u8],
        dst: &mut [MaybeUninit<u8>],
    ) -> Met {
        let (place, met) = s.run_to_utf8::<BIG>(kinds, src, dst, [self.at, self.written]);
        [self.at, self.written] = place;
        met
    }
}
