//! A type for each kernel, which a level compiles into separate functions. Profilers show the names of these types if the program is built
//! with `-C symbol-mangling-version=v0`; the older mangling leaves them out.

#![forbid(unsafe_code)]

mod units;

use core::mem::MaybeUninit;

use super::blocks::BLOCK;
use super::conversion::Conversion;
use super::measure::{self, Measured};
use super::validate::{self, Reading};
use super::{
    Done, Progress, Valid, ascii, blocks, cesu8, cesu8_convert, first_error, from_utf8, from_utf16,
    from_utf32, invisible, latin1, medium, repair, short, sparse, stream, swap, target, to_latin1,
};
use crate::policy::Fixed;
use crate::vector::{Read, Vector, Write};
pub(crate) use units::{UnitsInUtf8, UnitsMeasure, UnitsValid, Utf16, Utf32};

/// Kernels that read. For each: its name, the type of its answer, and its code.
macro_rules! readers {
    ($($(#[$doc:meta])* $name:ident $(<const $constant:ident: $type:ty>)?: $answer:ty = |$s:ident: $level:ident, $src:ident| $body:expr;)*) => {$(
        $(#[$doc])*
        pub(crate) struct $name $(<const $constant: $type>)?;

        impl $(<const $constant: $type>)? Read for $name $(<$constant>)? {
            type Answer = $answer;

            #[inline(always)]
            fn run<$level: Vector>($s: $level, $src: &[u8]) -> $answer {
                $body
            }
        }
    )*};
}

readers! {
    Ascii: usize = |s: S, src| ascii::prefix(s, src);
    /// How many bytes at the start are the same in UTF-8 and CESU-8 or, with `NUL`, Modified UTF-8.
    InCommon<const NUL: bool>: usize = |s: S, src| cesu8::prefix::<S, NUL>(s, src);
    Visible: usize = |s: S, src| invisible::prefix(s, src);
    Utf8Valid: Valid = |s: S, src| {
        let valid = match src.len() {
            // No check for ASCII: a mispredicted branch costs more than the check of UTF-8.
            n if const { S::LANES == 64 } && n < 64 => {
                if s.is_slow_to_load(src) {
                    return s.read_apart::<Utf8BeforeError>(src);
                }
                return first_error::in_one_plainly(s, src);
            }
            // A text that is read as one vector also shows where its error is.
            n if const { S::LANES == 32 } && n <= 32 => return first_error::in_one_or_ascii(s, src),
            // The zero behind the last byte is no continuation, so a sequence that is cut off is an error there.
            n if n < S::LANES => return first_error::in_one(s, src),
            n if n <= S::MEDIUM => s.is_medium_well_formed(src),
            n if n <= validate::longest_medium::<S>() => validate::medium::is_well_formed(s, src),
            _ => return s.read_apart::<Utf8ValidLong>(src),
        };
        if valid { Valid::near(src.len()) } else { s.read_apart::<Utf8BeforeError>(src) }
    };
    /// Separate functions, so that short strings need not save the registers that these use.
    Utf8ValidLong: Valid = |s: S, src| validate::long(s, src);
    Utf8BeforeError: Valid = |s: S, src| first_error::before_error(s, src);
    /// Reads a span in one way.
    Utf8Span<const WAY: u8>: Reading = |s: S, src| validate::read::<S, WAY>(s, src);
    Utf8Measure: Measured = |s: S, src| measure::bytes::<S, { measure::ALL }>(s, src);
    Utf8Count: usize = |s: S, src| measure::sums::code_points(s, src);
    Utf8CountLong: Measured = |s: S, src| measure::bytes::<S, { measure::CODE_POINTS }>(s, src);
    Utf8InUtf16: usize = |s: S, src| measure::sums::utf8_in_utf16(s, src);
    Latin1InUtf8: usize = |s: S, src| measure::sums::latin1_in_utf8(s, src);
    Latin1Measure: Measured = |s: S, src| measure::bytes::<S, { measure::LATIN1 }>(s, src);
}

/// Conversions. For each: its name, how short texts are converted, medium ones up to a length, and long ones. `replaces` marks those that
/// can go on after an error. Within the functions, `S` is the level.
macro_rules! conversions {
    ($(
        $(#[$doc:meta])*
        $name:ident $(<$(const $constant:ident: $type:ty),*>)?:
        $(simple $simple:expr,)?
        $(stream $longest_stream:expr, $plain:expr => $stream:expr,)?
        $(narrow $narrow:expr,)?
        $(resumes $resumes:expr,)?
        $(first $longest_first:expr,)?
        short $short:expr,
        $(many $block:expr, $cut:expr => $many:expr,)?
        $(medium $longest:expr => $medium:expr,)?
        $(sparse $sparse:ty, $size:expr,)?
        $(long $long:expr)? $(, replaces $replaces:expr)?;
    )*) => {$(
        $(#[$doc])*
        pub(crate) struct $name $(<$(const $constant: $type),*>)?;

        impl $(<$(const $constant: $type),*>)? Conversion for $name $(<$($constant),*>)? {
            $(
                #[inline(always)]
                fn simple<S: Vector>(s: S, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Option<Progress> {
                    $simple(s, src, dst)
                }
            )?

            $(
                const LONGEST_STREAM: usize = $longest_stream;

                #[inline(always)]
                fn plain<S: Vector>(s: S, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Progress {
                    $plain(s, src, dst)
                }

                #[inline(always)]
                fn stream<S: Vector>(s: S, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Progress {
                    $stream(s, src, dst)
                }
            )?

            $(const NARROW_STREAM: [usize; 2] = $narrow;)?

            $(const RESUMES: bool = $resumes;)?

            $(const LONGEST_FIRST: usize = $longest_first;)?

            #[inline(always)]
            fn short<S: Vector, const ALONE: bool>(
                s: S,
                src: &[u8],
                dst: &mut [MaybeUninit<u8>],
            ) -> Option<Progress> {
                $short(s, src, dst)
            }

            $(
                const BLOCK: usize = $block;

                #[inline(always)]
                fn cut(block: &[u8]) -> usize {
                    $cut(block)
                }

                #[inline(always)]
                fn many<S: Vector>(s: S, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Option<Progress> {
                    $many(s, src, dst)
                }
            )?

            $(
                #[inline(always)]
                fn longest_medium<S: Vector>() -> usize {
                    $longest
                }

                #[inline(always)]
                fn medium<S: Vector>(s: S, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Progress {
                    $medium(s, src, dst)
                }
            )?

            $(
                const HAS_SPARSE: bool = true;

                #[inline(always)]
                fn is_sparse<S: Vector>(s: S, rest: &[u8]) -> bool {
                    sparse::is_likely::<S, $sparse, $size>(s, rest)
                }

                #[inline(always)]
                fn sparse<S: Vector>(s: S, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Progress {
                    sparse::convert::<S, $sparse, $size>(s, src, dst)
                }
            )?

            #[inline(always)]
            fn long<S: Vector>(s: S, src: &[u8], dst: &mut [MaybeUninit<u8>], _fixed: Fixed) -> Progress {
                $($long(s, src, dst))?
                $($replaces(s, src, dst, _fixed == Fixed::Replace))?
            }
        }
    )*};
}

conversions! {
    Utf8ToUtf16<const TO_BIG: bool>:
        simple short::ascii::<S, target::Utf16<TO_BIG>>,
        short from_utf8::short::<S, target::Utf16<TO_BIG>>,
        medium short::longest_medium::<S>() => medium::utf8::<S, target::Utf16<TO_BIG>>,
        , replaces from_utf8::convert::<S, target::Utf16<TO_BIG>>;
    Utf8ToUtf32:
        simple short::ascii::<S, target::Utf32>,
        short from_utf8::short::<S, target::Utf32>,
        medium short::longest_medium::<S>() => medium::utf8::<S, target::Utf32>,
        , replaces from_utf8::convert::<S, target::Utf32>;
    Utf8ToLatin1:
        short to_latin1::from_short_utf8,
        medium medium::longest_to_latin1::<S>() => medium::utf8_to_latin1,
        long to_latin1::from_utf8;
    Utf16ToUtf8<const BIG: bool>:
        simple blocks::simple::<S, from_utf16::Utf8<BIG>, { 2 * BLOCK }>,
        stream stream::FROM_UTF16, stream::utf16_to_utf8_plain::<S, BIG> => stream::utf16_to_utf8::<S, BIG>,
        short from_utf16::short::<S, from_utf16::Utf8<BIG>, BIG, ALONE>,
        many 2 * BLOCK, from_utf16::cut::<BIG> => from_utf16::of_many_kinds::<S, from_utf16::Utf8<BIG>, BIG>,
        medium medium::FROM_UTF16 => medium::utf16::<S, from_utf16::Utf8<BIG>>,
        sparse from_utf16::Utf8<BIG>, { 2 * BLOCK },
        , replaces from_utf16::convert::<S, from_utf16::Utf8<BIG>, BIG>;
    Utf16ToUtf32:
        simple blocks::simple::<S, from_utf16::Utf32, { 2 * BLOCK }>,
        stream stream::UTF16_TO_UTF32, stream::utf16_to_utf32_plain => stream::utf16_to_utf32,
        narrow [33, 2 << 10],
        resumes true,
        short from_utf16::short::<S, from_utf16::Utf32, false, ALONE>,
        many 2 * BLOCK, from_utf16::cut::<false> => from_utf16::of_many_kinds::<S, from_utf16::Utf32, false>,
        medium medium::FROM_UTF16 => medium::utf16::<S, from_utf16::Utf32>,
        , replaces from_utf16::convert::<S, from_utf16::Utf32, false>;
    Utf32ToUtf8:
        simple blocks::simple::<S, from_utf32::Utf8, { 4 * BLOCK }>,
        short from_utf32::short::<S, from_utf32::Utf8, ALONE>,
        many 4 * BLOCK, |_| 0 => from_utf32::of_many_kinds::<S, from_utf32::Utf8>,
        medium medium::FROM_UTF32 => medium::utf32::<S, from_utf32::Utf8>,
        sparse from_utf32::Utf8, { 4 * BLOCK },
        , replaces from_utf32::convert::<S, from_utf32::Utf8>;
    Utf32ToUtf16:
        simple blocks::simple::<S, from_utf32::Utf16, { 4 * BLOCK }>,
        stream stream::FROM_UTF32, stream::utf32_to_utf16_plain => stream::utf32_to_utf16,
        narrow [64, 4 << 10],
        resumes true,
        first 2 * BLOCK,
        short from_utf32::short::<S, from_utf32::Utf16, ALONE>,
        many 4 * BLOCK, |_| 0 => from_utf32::of_many_kinds::<S, from_utf32::Utf16>,
        medium medium::FROM_UTF32 => medium::utf32::<S, from_utf32::Utf16>,
        , replaces from_utf32::convert::<S, from_utf32::Utf16>;
    /// From units of `UNIT` bytes.
    UnitsToLatin1<const UNIT: usize>:
        short to_latin1::narrow_short::<S, UNIT>,
        long to_latin1::narrow::<S, UNIT>;
    Latin1ToUtf8:
        short latin1::short_to_utf8,
        medium medium::longest_from_latin1::<S>() => medium::latin1_to_utf8,
        long latin1::to_utf8;
    Latin1ToUtf16:
        short latin1::short_to_units::<S, target::Utf16<false>>,
        long latin1::to_units::<S, target::Utf16<false>>;
    Latin1ToUtf32:
        short latin1::short_to_units::<S, target::Utf32>,
        long latin1::to_units::<S, target::Utf32>;
}

/// Other kernels that write. For each: its name, the types of its setting and of its answer, its function, and how the answer is made from
/// the result of the function.
macro_rules! writers {
    ($($(#[$doc:meta])* $name:ident $(<const $constant:ident: $type:ty>)?: $setting:ty => $answer:ty = $run:expr => $of:expr;)*) => {$(
        $(#[$doc])*
        pub(crate) struct $name $(<const $constant: $type>)?;

        impl $(<const $constant: $type>)? Write for $name $(<$constant>)? {
            type Setting = $setting;
            type Answer = $answer;

            #[inline(always)]
            fn run<S: Vector>(s: S, src: &[u8], dst: &mut [MaybeUninit<u8>], _: $setting) -> $answer {
                $of($run(s, src, dst))
            }
        }
    )*};
}

writers! {
    /// Converts the sequences that differ in CESU-8 or, with `NUL`, in Modified UTF-8.
    FromUtf8<const NUL: bool>: Fixed => Done = cesu8_convert::split::<S, NUL> => Done::new;
    ToUtf8<const NUL: bool>: Fixed => Done = cesu8_convert::join::<S, NUL> => Done::new;
    Repair: Fixed => Done = repair::convert::<S> => Done::new;
    /// Changes the byte order of units of `SIZE` bytes.
    SwapBytes<const SIZE: usize>: () => () = swap::units::<S, SIZE> => core::convert::identity;
}
