//! Converts UTF-16 to UTF-8.

#![forbid(unsafe_code)]

use core::mem::MaybeUninit;

use super::{Cursor, plain};
use crate::kernel::Progress;
use crate::kernel::blocks::{BLOCK, ROOM};
use crate::kernel::from_utf16::{self, closed, splat_unit};
use crate::kernel::scratch::Scratch;
use crate::vector::{Bytes, Kinds, Met, Vector, ends_open};

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
    let text = closed::<BIG>(src);
    let place = [done.read, done.written];
    // If other units are known to follow, an attempt with short units alone does not pay.
    let (kinds, place) = if (ends & splat_unit::<S, BIG>(s, 0xF800)).is_zero() {
        (Kinds::Short, s.short_units_to_utf8::<BIG>(text, dst, place))
    } else {
        (Kinds::Basic, place)
    };
    progress::<BIG>(text, s.rest_to_utf8::<BIG>(kinds, text, dst, place))
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
    let mut kinds = Kinds::Short;
    // A separate loop for each, so that its branches are nearly always predicted.
    loop {
        let met = match kinds {
            Kinds::Short => cursor.run::<S, BIG>(s, Kinds::Short, src, dst),
            Kinds::Basic => cursor.run::<S, BIG>(s, Kinds::Basic, src, dst),
            Kinds::All => cursor.run::<S, BIG>(s, Kinds::All, src, dst),
        };
        kinds = match (kinds, met) {
            (_, Met::End) => break,
            (Kinds::Short, Met::Calm) => {
                cursor.plain::<S, from_utf16::Utf8<BIG>, { 2 * BLOCK }>(s, src, dst);
                Kinds::Short
            }
            (Kinds::Basic, Met::Calm) => Kinds::Short,
            (Kinds::Short, Met::Others) | (Kinds::All, Met::Calm) => Kinds::Basic,
            (Kinds::Basic, Met::Others) => Kinds::All,
            (Kinds::All, Met::Others) => return progress::<BIG>(src, [cursor.at, cursor.written]),
        };
    }
    progress::<BIG>(src, s.rest_to_utf8::<BIG>(kinds, src, dst, [cursor.at, cursor.written]))
}

/// Converts text with pairs until some vectors have none. Returns also about how many pairs there were.
#[inline(always)]
pub(crate) fn utf16_with_pairs_to_utf8<S: Vector, const BIG: bool>(
    s: S,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> (Progress, usize) {
    if cfg!(placemat_lean) || !S::STEPS {
        return (Progress::default(), 0);
    }
    let (place, met) = s.run_to_utf8::<BIG>(Kinds::All, src, dst, [0, 0]);
    let done = progress::<BIG>(src, place);
    let pairs = match met {
        Met::Calm => 0,
        // A pair becomes as many bytes as it has.
        _ if done.written == done.read => done.read / 4,
        _ => done.read / 8,
    };
    (done, pairs)
}

impl Cursor {
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
