//! The kernels that read UTF-16 and UTF-32 in either byte order.
#![forbid(unsafe_code)]

use core::marker::PhantomData;

use crate::kernel::measure::{self, Measured};
use crate::vector::{Read, Vector};

/// Code units of two or four bytes, as `measure` reads them.
pub(crate) trait Units {
    /// Bytes in a unit.
    const SIZE: usize;
    /// Whether a text of at most two of the widest vectors is well-formed, except less than a unit at its end. May also be `false` if that
    /// takes a closer check.
    fn are_few_valid<S: Vector>(s: S, src: &[u8]) -> bool;
    /// Returns a number of bytes at the start that are certainly well-formed, if the widest vectors find that out fast.
    #[inline(always)]
    fn plain_spans<S: Vector>(_: S, _: &[u8]) -> usize {
        0
    }
    fn short<S: Vector, const TALLY: bool>(s: S, src: &[u8]) -> Option<Measured>;
    fn all<S: Vector, const TALLY: bool>(s: S, src: &[u8]) -> Measured;
}

/// UTF-16, big-endian or not.
pub(crate) struct Utf16<const BIG: bool>;

impl<const BIG: bool> Units for Utf16<BIG> {
    const SIZE: usize = 2;

    #[inline(always)]
    fn are_few_valid<S: Vector>(s: S, src: &[u8]) -> bool {
        s.is_short_utf16::<BIG>(src)
    }

    #[inline(always)]
    fn plain_spans<S: Vector>(s: S, src: &[u8]) -> usize {
        measure::every::basic_spans::<S, BIG>(s, src)
    }

    #[inline(always)]
    fn short<S: Vector, const TALLY: bool>(s: S, src: &[u8]) -> Option<Measured> {
        measure::utf16::short::<S, BIG, TALLY>(s, src)
    }

    #[inline(always)]
    fn all<S: Vector, const TALLY: bool>(s: S, src: &[u8]) -> Measured {
        measure::utf16::all::<S, BIG, TALLY>(s, src)
    }
}

/// UTF-32, big-endian or not.
pub(crate) struct Utf32<const BIG: bool>;

impl<const BIG: bool> Units for Utf32<BIG> {
    const SIZE: usize = 4;

    #[inline(always)]
    fn are_few_valid<S: Vector>(s: S, src: &[u8]) -> bool {
        s.is_short_utf32::<BIG>(src)
    }

    #[inline(always)]
    fn short<S: Vector, const TALLY: bool>(s: S, src: &[u8]) -> Option<Measured> {
        measure::utf32::short::<S, BIG, TALLY>(s, src)
    }

    #[inline(always)]
    fn all<S: Vector, const TALLY: bool>(s: S, src: &[u8]) -> Measured {
        measure::utf32::all::<S, BIG, TALLY>(s, src)
    }
}

/// Measures a short text; `None` if it is long, or not well-formed.
#[inline(always)]
fn short<S: Vector, U: Units, const TALLY: bool>(s: S, src: &[u8]) -> Option<Measured> {
    if cfg!(placemat_lean) || src.len() > measure::longest_short::<S>(TALLY, U::SIZE) {
        return None;
    }
    U::short::<S, TALLY>(s, src)
}

/// Reads all of a short text, or else calls `Long`, so that short texts need not save the registers that `Long` uses.
#[inline(always)]
fn short_or<S: Vector, U: Units, const TALLY: bool, Long: Read>(
    s: S,
    src: &[u8],
    answer: impl Fn(Measured) -> Long::Answer,
) -> Long::Answer {
    match short::<S, U, TALLY>(s, src) {
        Some(found) => answer(found),
        None => s.read_apart::<Long>(src),
    }
}

/// Measures code units.
pub(crate) struct UnitsMeasure<U>(PhantomData<U>);
pub(crate) struct UnitsMeasureLong<U>(PhantomData<U>);
/// Returns only how many bytes the units take in UTF-8, if all are well-formed: an answer that is returned in registers.
pub(crate) struct UnitsInUtf8<U>(PhantomData<U>);
/// A separate function, since the other numbers take room on the stack, which short texts need not have.
pub(crate) struct UnitsInUtf8Long<U>(PhantomData<U>);
/// Returns how much is well-formed.
pub(crate) struct UnitsValid<U>(PhantomData<U>);
pub(crate) struct UnitsValidLong<U>(PhantomData<U>);
pub(crate) struct UnitsValidRest<U>(PhantomData<U>);

impl<U: Units> Read for UnitsMeasure<U> {
    type Answer = Measured;

    #[inline(always)]
    fn run<S: Vector>(s: S, src: &[u8]) -> Measured {
        short_or::<S, U, true, UnitsMeasureLong<U>>(
            s,
            src,
            #[inline(always)]
            |found| found,
        )
    }
}

impl<U: Units> Read for UnitsInUtf8<U> {
    type Answer = Option<usize>;

    #[inline(always)]
    fn run<S: Vector>(s: S, src: &[u8]) -> Option<usize> {
        match short::<S, U, true>(s, src) {
            Some(found) => Some(found.utf8),
            None => s.read_apart::<UnitsInUtf8Long<U>>(src),
        }
    }
}

impl<U: Units> Read for UnitsInUtf8Long<U> {
    type Answer = Option<usize>;

    #[inline(always)]
    fn run<S: Vector>(s: S, src: &[u8]) -> Option<usize> {
        let found = s.read_apart::<UnitsMeasureLong<U>>(src);
        (found.read == src.len()).then_some(found.utf8)
    }
}

impl<U: Units> Read for UnitsMeasureLong<U> {
    type Answer = Measured;

    #[inline(always)]
    fn run<S: Vector>(s: S, src: &[u8]) -> Measured {
        U::all::<S, true>(s, src)
    }
}

impl<U: Units> Read for UnitsValid<U> {
    type Answer = usize;

    #[inline(always)]
    fn run<S: Vector>(s: S, src: &[u8]) -> usize {
        if const { S::LANES == 64 } && !cfg!(placemat_lean) && src.len() <= 2 * S::LANES {
            // The memory at this address may not be mapped; a CPU takes long to find that out.
            if src.is_empty() || U::are_few_valid(s, src) {
                return src.len() / U::SIZE * U::SIZE;
            }
            return s.read_apart::<UnitsValidLong<U>>(src);
        }
        short_or::<S, U, false, UnitsValidLong<U>>(
            s,
            src,
            #[inline(always)]
            |found| found.read,
        )
    }
}

impl<U: Units> Read for UnitsValidLong<U> {
    type Answer = usize;

    #[inline(always)]
    fn run<S: Vector>(s: S, src: &[u8]) -> usize {
        if const { S::LANES < 64 } {
            return U::all::<S, false>(s, src).read;
        }
        let start = U::plain_spans(s, src);
        if start > 0 && src.len() - start < U::SIZE {
            return start;
        }
        // A separate function, so that its loops have all registers.
        start + s.read_apart::<UnitsValidRest<U>>(&src[start..])
    }
}

impl<U: Units> Read for UnitsValidRest<U> {
    type Answer = usize;

    #[inline(always)]
    fn run<S: Vector>(s: S, src: &[u8]) -> usize {
        U::all::<S, false>(s, src).read
    }
}
