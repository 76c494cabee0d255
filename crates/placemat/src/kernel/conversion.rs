//! The frame of all conversions: it chooses the method by the length of the text.

#![forbid(unsafe_code)]

use core::marker::PhantomData;
use core::mem::MaybeUninit;

use super::{Done, Progress};
use crate::policy::Fixed;
use crate::vector::{Vector, Write};

/// A conversion that treats short, medium and long texts in different ways.
pub(crate) trait Conversion {
    /// The longest text that [`medium`](Conversion::medium) is best for.
    fn longest_medium<S: Vector>() -> usize {
        0
    }
    /// Converts all of a text of the simplest kind, or nothing. For levels on which vectors of mixed kinds are slower.
    #[inline(always)]
    fn simple<S: Vector>(_: S, _: &[u8], _: &mut [MaybeUninit<u8>]) -> Option<Progress> {
        None
    }
    /// The longest text for which [`plain`](Conversion::plain) and [`stream`](Conversion::stream) are best, on levels with `STEPS`.
    const LONGEST_STREAM: usize = 0;
    /// Converts all or a part of a text of the commonest kind.
    #[inline(always)]
    fn plain<S: Vector>(_: S, _: &[u8], _: &mut [MaybeUninit<u8>]) -> Progress {
        Progress::default()
    }
    /// Converts as far as the text is well-formed.
    #[inline(always)]
    fn stream<S: Vector>(_: S, _: &[u8], _: &mut [MaybeUninit<u8>]) -> Progress {
        Progress::default()
    }
    /// The shortest and the longest text, in bytes, that levels with 32-byte vectors convert by [`stream`](Conversion::stream) if
    /// [`simple`](Conversion::simple) fails.
    const NARROW_STREAM: [usize; 2] = [0; 2];
    /// Whether what follows [`plain`](Conversion::plain) gets its state as one number and returns the whole answer. For a `plain` that needs few
    /// registers.
    const RESUMES: bool = false;
    /// The longest text for which [`plain`](Conversion::plain) is part of the function that is called. If longer texts have a separate function, and
    /// the conversion `RESUMES`, texts of one or two vectors need not save the registers that loops use.
    const LONGEST_FIRST: usize = usize::MAX;
    /// Converts all of a short text, or nothing if that cannot be done. `ALONE`: no text was converted before it.
    fn short<S: Vector, const ALONE: bool>(s: S, src: &[u8], dst: &mut [MaybeUninit<u8>])
    -> Option<Progress>;
    /// The longest text that [`many`](Conversion::many) takes: a block.
    const BLOCK: usize = 0;
    /// Returns how many bytes at the end of a block belong to a sequence that goes on behind the block.
    #[inline(always)]
    fn cut(_: &[u8]) -> usize {
        0
    }
    /// Converts all of a short text with more kinds of characters than `short` accepts.
    #[inline(always)]
    fn many<S: Vector>(_: S, _: &[u8], _: &mut [MaybeUninit<u8>]) -> Option<Progress> {
        None
    }
    /// Converts as much as can be done without a state that must be set up.
    #[inline(always)]
    fn medium<S: Vector>(_: S, _: &[u8], _: &mut [MaybeUninit<u8>]) -> Progress {
        Progress::default()
    }
    /// Whether [`sparse`](Conversion::sparse) is implemented.
    const HAS_SPARSE: bool = false;
    /// Whether `sparse` is likely to convert the next block.
    #[inline(always)]
    fn is_sparse<S: Vector>(_: S, _: &[u8]) -> bool {
        false
    }
    /// Converts blocks of the commonest kind, and those with a few supplementary characters.
    #[inline(always)]
    fn sparse<S: Vector>(_: S, _: &[u8], _: &mut [MaybeUninit<u8>]) -> Progress {
        Progress::default()
    }
    fn long<S: Vector>(s: S, src: &[u8], dst: &mut [MaybeUninit<u8>], fixed: Fixed) -> Progress;
}

/// A conversion for texts of any length. In builds for small size, one method does all of them. Texts that are not short are converted in separate
/// functions, so that short ones need not save the registers that those use.
pub(crate) struct Whole<C>(PhantomData<C>);
pub(crate) struct Stream<C>(PhantomData<C>);
pub(crate) struct Rest<C>(PhantomData<C>);
pub(crate) struct Many<C>(PhantomData<C>);
pub(crate) struct Medium<C>(PhantomData<C>);
pub(crate) struct Sparse<C>(PhantomData<C>);
pub(crate) struct Spans<C>(PhantomData<C>);
pub(crate) struct Long<C>(PhantomData<C>);

/// Whether this level converts texts of every kind in one loop.
const fn streams<S: Vector, C: Conversion>() -> bool {
    S::STEPS && C::LONGEST_STREAM > 0
}

/// Whether this level looks for texts with a few supplementary characters.
const fn sparse<S: Vector, C: Conversion>() -> bool {
    C::HAS_SPARSE && S::LANES == 32
}

impl<C: Conversion> Write for Whole<C> {
    type Setting = Fixed;
    type Answer = Done;

    #[inline(always)]
    fn run<S: Vector>(s: S, src: &[u8], dst: &mut [MaybeUninit<u8>], fixed: Fixed) -> Done {
        if cfg!(placemat_lean) {
            return Done::new(C::long(s, src, dst, fixed));
        }
        if const { streams::<S, C>() } {
            if const { C::LONGEST_FIRST < usize::MAX } && src.len() > C::LONGEST_FIRST {
                return s.write_apart::<Stream<C>>(src, dst, fixed);
            }
            if src.len() > C::LONGEST_STREAM {
                return s.write_apart::<Long<C>>(src, dst, fixed);
            }
            let done = C::plain(s, src, dst);
            if done.read == src.len() {
                return Done::new(done);
            }
            if C::RESUMES {
                return s.write_apart::<Rest<C>>(src, dst, Start::new(done, fixed));
            }
            let rest = s.write_apart::<Medium<C>>(&src[done.read..], &mut dst[done.written..], fixed);
            return Done::new(done.and(rest.progress(fixed)));
        }
        // `short` is as fast for the texts that it accepts.
        if (!S::MIXES || src.len() > C::BLOCK)
            && let Some(progress) = C::simple(s, src, dst)
        {
            return Done::new(progress);
        }
        if const { S::LANES == 32 && C::NARROW_STREAM[1] > 0 }
            && src.len() >= C::NARROW_STREAM[0]
            && src.len() <= C::NARROW_STREAM[1]
        {
            return s.write_apart::<Rest<C>>(src, dst, Start::new(Progress::default(), fixed));
        }
        match C::short::<S, true>(s, src, dst) {
            Some(progress) => Done::new(progress),
            None if const { C::BLOCK > 0 } && src.len() <= C::BLOCK => {
                s.write_apart::<Many<C>>(src, dst, fixed)
            }
            None if C::longest_medium::<S>() > 0 && src.len() <= C::longest_medium::<S>() => {
                s.write_apart::<Medium<C>>(src, dst, fixed)
            }
            None if const { sparse::<S, C>() } => s.write_apart::<Spans<C>>(src, dst, fixed),
            None => s.write_apart::<Long<C>>(src, dst, fixed),
        }
    }
}

impl<C: Conversion> Write for Stream<C> {
    type Setting = Fixed;
    type Answer = Done;

    #[inline(always)]
    fn run<S: Vector>(s: S, src: &[u8], dst: &mut [MaybeUninit<u8>], fixed: Fixed) -> Done {
        // Such texts never get here. The check lets the compiler leave out the code for them.
        if src.len() <= C::LONGEST_FIRST {
            return Done::new(Progress::default());
        }
        if src.len() > C::LONGEST_STREAM {
            return s.write_apart::<Long<C>>(src, dst, fixed);
        }
        let done = C::plain(s, src, dst);
        if done.read == src.len() {
            return Done::new(done);
        }
        s.write_apart::<Rest<C>>(src, dst, Start::new(done, fixed))
    }
}

/// How much was read and written, each less than 2³¹ bytes, and the policy. As one number it is passed in a register, so that the last call is a jump
/// and the function that makes it need not save registers.
pub(crate) struct Start(u64);

impl Start {
    #[inline(always)]
    fn new(done: Progress, fixed: Fixed) -> Self {
        Start((done.read as u64) << 32 | (done.written as u64) << 1 | u64::from(fixed == Fixed::Replace))
    }

    #[inline(always)]
    fn parts(self) -> (Progress, Fixed) {
        let (read, written) = ((self.0 >> 32) as usize, (self.0 as u32 >> 1) as usize);
        let fixed = if self.0 & 1 == 0 { Fixed::Stop } else { Fixed::Replace };
        (Progress { read, written, replaced: 0 }, fixed)
    }
}

impl<C: Conversion> Write for Rest<C> {
    type Setting = Start;
    type Answer = Done;

    #[inline(always)]
    fn run<S: Vector>(s: S, src: &[u8], dst: &mut [MaybeUninit<u8>], start: Start) -> Done {
        let (mut done, fixed) = start.parts();
        let more = C::stream(s, &src[done.read..], &mut dst[done.written..]);
        (done.read, done.written) = (done.read + more.read, done.written + more.written);
        if done.read == src.len() {
            return Done::new(done);
        }
        let rest = s.write_apart::<Long<C>>(&src[done.read..], &mut dst[done.written..], fixed);
        Done::new(done.and(rest.progress(fixed)))
    }
}

impl<C: Conversion> Write for Many<C> {
    type Setting = Fixed;
    type Answer = Done;

    #[inline(always)]
    fn run<S: Vector>(s: S, src: &[u8], dst: &mut [MaybeUninit<u8>], fixed: Fixed) -> Done {
        match C::many(s, src, dst) {
            Some(progress) => Done::new(progress),
            None => s.write_apart::<Long<C>>(src, dst, fixed),
        }
    }
}

impl<C: Conversion> Write for Medium<C> {
    type Setting = Fixed;
    type Answer = Done;

    #[inline(always)]
    fn run<S: Vector>(s: S, src: &[u8], dst: &mut [MaybeUninit<u8>], fixed: Fixed) -> Done {
        /// So few blocks of mixed kinds are faster one by one.
        const FEW: usize = 2;
        let mut done =
            if const { streams::<S, C>() } { C::stream(s, src, dst) } else { C::medium(s, src, dst) };
        if const { sparse::<S, C>() }
            && src.len() - done.read > FEW * C::BLOCK
            && C::is_sparse(s, &src[done.read..])
        {
            let (rest, room) = (&src[done.read..], &mut dst[done.written..]);
            done = done.and(s.write_apart::<Sparse<C>>(rest, room, fixed).progress(fixed));
        }
        if const { C::BLOCK > 0 && !streams::<S, C>() } && src.len() - done.read <= FEW * C::BLOCK {
            while done.read < src.len() {
                let (rest, room) = (&src[done.read..], &mut dst[done.written..]);
                let piece = match rest.get(..C::BLOCK) {
                    Some(block) if rest.len() > C::BLOCK => &block[..C::BLOCK - C::cut(block)],
                    _ => rest,
                };
                // `stream` or `medium` stopped at a block of mixed kinds, so `short` is not tried on a whole block.
                let short = if rest.len() < C::BLOCK { C::short::<S, false>(s, piece, room) } else { None };
                let progress = match short {
                    Some(progress) => progress,
                    None => s.write_apart::<Many<C>>(piece, room, fixed).progress(fixed),
                };
                done = done.and(progress);
                if progress.read < piece.len() {
                    break;
                }
            }
        }
        match done.read {
            read if read == src.len() => Done::new(done),
            read => {
                let rest = s.write_apart::<Long<C>>(&src[read..], &mut dst[done.written..], fixed);
                Done::new(done.and(rest.progress(fixed)))
            }
        }
    }
}

impl<C: Conversion> Write for Sparse<C> {
    type Setting = Fixed;
    type Answer = Done;

    #[inline(always)]
    fn run<S: Vector>(s: S, src: &[u8], dst: &mut [MaybeUninit<u8>], _: Fixed) -> Done {
        Done::new(C::sparse(s, src, dst))
    }
}

impl<C: Conversion> Write for Long<C> {
    type Setting = Fixed;
    type Answer = Done;

    #[inline(always)]
    fn run<S: Vector>(s: S, src: &[u8], dst: &mut [MaybeUninit<u8>], fixed: Fixed) -> Done {
        Done::new(C::long(s, src, dst, fixed))
    }
}

impl<C: Conversion> Write for Spans<C> {
    type Setting = Fixed;
    type Answer = Done;

    #[inline(always)]
    fn run<S: Vector>(s: S, src: &[u8], dst: &mut [MaybeUninit<u8>], fixed: Fixed) -> Done {
        /// If a text was sparse for this long, looks again after so many bytes.
        const SPAN: usize = 2 << 10;
        let mut done = Progress::default();
        loop {
            let start = done.read;
            if C::is_sparse(s, &src[start..]) {
                let (rest, room) = (&src[start..], &mut dst[done.written..]);
                done = done.and(s.write_apart::<Sparse<C>>(rest, room, fixed).progress(fixed));
            }
            let (rest, room) = (&src[done.read..], &mut dst[done.written..]);
            let span = match rest.get(..SPAN) {
                Some(span) if done.read - start >= SPAN => &span[..SPAN - C::cut(span)],
                _ => rest,
            };
            let more = s.write_apart::<Long<C>>(span, room, fixed).progress(fixed);
            done = done.and(more);
            if more.read < span.len() || done.read == src.len() {
                return Done::new(done);
            }
        }
    }
}
