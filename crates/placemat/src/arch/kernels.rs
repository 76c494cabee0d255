//! What a level's file is written with: a level is a witness, its lane operations, and a table of kernels.

/// Lane operations that are one instruction of two vectors.
macro_rules! lanes {
    ($vector:ident: $($name:ident = $intrinsic:ident),* $(,)?) => {$(
        #[inline(always)]
        #[allow(unused_unsafe, reason = "WebAssembly's features make nothing unsafe")]
        fn $name(self, other: Self) -> Self {
            // SAFETY: a vector comes only from a witness, and a witness only from where the features are enabled.
            $vector(unsafe { $intrinsic(self.0, other.0) })
        }
    )*};
}

/// The bit operators.
macro_rules! operators {
    ($vector:ident: $($trait:ident $name:ident = $intrinsic:ident),* $(,)?) => {$(
        impl core::ops::$trait for $vector {
            type Output = Self;
            lanes! { $vector: $name = $intrinsic }
        }
    )*};
}

/// What every level of sixteen bytes has alike, inside its `impl Simd`: choosing bytes by a shuffle from a table.
macro_rules! sixteen_lanes {
    () => {
        const LANES: usize = 16;
        type Bytes = Bytes;
        type Grammar = Nibbles<Self>;

        #[inline(always)]
        fn tile(self, sixteen: &[u8; 16]) -> Bytes {
            self.load(sixteen, 0)
        }

        #[inline(always)]
        fn put_bytes(self, bytes: Bytes, lanes: u64, out: &mut [MaybeUninit<u8>], at: usize) -> usize {
            groups::put_bytes([bytes], lanes, out, at)
        }

        #[inline(always)]
        fn put_pairs(self, pairs: [Bytes; 2], lanes: u64, out: &mut [MaybeUninit<u8>], at: usize) -> usize {
            groups::put_pairs(self.interleave(pairs), lanes, out, at)
        }

        #[inline(always)]
        fn put_quads(
            self,
            [first, second]: [Option<[Bytes; 2]>; 2],
            lanes: u64,
            out: &mut [MaybeUninit<u8>],
            at: usize,
        ) -> usize {
            let pairs = [groups::interleaved(self, first), groups::interleaved(self, second)];
            groups::put_quads(pairs, lanes, out, at)
        }

        #[inline(always)]
        fn put_one_or_two(self, pair: [Bytes; 2], two: u64, out: &mut [MaybeUninit<u8>], at: usize) {
            groups::put_one_or_two(self.interleave(pair), two, out, at);
        }

        #[inline(always)]
        fn put_sequences(self, planes: [Bytes; 4], longer: [u64; 3], out: &mut [MaybeUninit<u8>], at: usize) {
            groups::put_sequences(groups::in_fours(self, planes), longer, out, at);
        }

        #[inline(always)]
        fn interleave_pairs(self, [first, second]: [Bytes; 2]) -> [Bytes; 2] {
            first.with_pairs(second)
        }
    };
}

/// A conversion: what to do with all of a short text, if it can be done, and what with others, in a function of its own, so
/// that short texts need not save what that uses.
macro_rules! simple {
    ($witness:ident $features:literal $short:expr, $long:expr) => {{
        #[inline(never)]
        #[target_feature(enable = $features)]
        fn long(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Progress {
            $long($witness(()), src, dst)
        }

        #[target_feature(enable = $features)]
        fn convert(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Progress {
            match $short($witness(()), src, dst) {
                Some(progress) => progress,
                None => long(src, dst),
            }
        }

        Some(convert)
    }};
}

/// The same, and what to do with texts of at most `most` bytes, as far as it can be done.
macro_rules! conversion {
    ($witness:ident $features:literal $short:expr, $most:expr => $medium:expr, $long:expr) => {{
        #[inline(never)]
        #[target_feature(enable = $features)]
        fn long(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Progress {
            $long($witness(()), src, dst)
        }

        #[inline(never)]
        #[target_feature(enable = $features)]
        fn medium(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Progress {
            let progress: Progress = $medium($witness(()), src, dst);
            match progress.read {
                0 => long(src, dst),
                read if read == src.len() => progress,
                read => progress.and(long(&src[read..], &mut dst[progress.written..])),
            }
        }

        #[target_feature(enable = $features)]
        fn convert(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Progress {
            match $short($witness(()), src, dst) {
                Some(progress) => progress,
                None if src.len() <= $most => medium(src, dst),
                None => long(src, dst),
            }
        }

        Some(convert)
    }};
}

/// The kernel for one pair of forms: the same again, with a function for long texts that is told what becomes of errors.
macro_rules! pair {
    ($witness:ident $features:literal $short:expr, $most:expr => $medium:expr, $long:expr) => {{
        #[inline(never)]
        #[target_feature(enable = $features)]
        fn long(src: &[u8], dst: &mut [MaybeUninit<u8>], fixed: Fixed) -> Progress {
            $long($witness(()), src, dst, fixed == Fixed::Replace)
        }

        #[inline(never)]
        #[target_feature(enable = $features)]
        fn medium(src: &[u8], dst: &mut [MaybeUninit<u8>], fixed: Fixed) -> Progress {
            let progress: Progress = $medium($witness(()), src, dst);
            match progress.read {
                0 => long(src, dst, fixed),
                read if read == src.len() => progress,
                read => progress.and(long(&src[read..], &mut dst[progress.written..], fixed)),
            }
        }

        #[target_feature(enable = $features)]
        fn convert(src: &[u8], dst: &mut [MaybeUninit<u8>], fixed: Fixed) -> Progress {
            match $short($witness(()), src, dst) {
                Some(progress) => progress,
                None if src.len() <= $most => medium(src, dst, fixed),
                None => long(src, dst, fixed),
            }
        }

        Some(convert)
    }};
}

/// The kernel from units of so many bytes, in this order, to ISO 8859-1.
macro_rules! narrow {
    ($witness:ident $features:literal $unit:literal, $big:literal) => {
        simple!(
            $witness $features
            to_latin1::narrow_short::<$witness, $unit, $big>,
            to_latin1::narrow::<$witness, $unit, $big>
        )
    };
}

/// A kernel that only stops: a generic function, given a witness.
macro_rules! stops {
    ($witness:ident $features:literal $module:ident::$generic:ident $(, $arg:tt)*) => {{
        #[target_feature(enable = $features)]
        fn stop(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Progress {
            $module::$generic::<$witness $(, $arg)*>($witness(()), src, dst)
        }

        Some(stop)
    }};
}

/// A kernel that measures.
macro_rules! measures {
    ($witness:ident $features:literal $module:ident::$generic:ident $(, $arg:tt)*) => {{
        #[target_feature(enable = $features)]
        fn measure(src: &[u8]) -> measure::Measured {
            $module::$generic::<$witness $(, $arg)*>($witness(()), src)
        }

        Some(measure)
    }};
}

/// A kernel that measures UTF-16 or UTF-32, apart for short texts, which need not save what a long one uses.
macro_rules! measures_wide {
    ($witness:ident $features:literal $form:ident, $big:literal) => {
        Some(measures_wide!(@ $witness $features $form, $big, true, measure::Measured, |found| found))
    };
    (@ $witness:ident $features:literal $form:ident, $big:literal, $tally:literal, $answer:ty, |$found:ident| $what:expr) => {{
        #[inline(never)]
        #[target_feature(enable = $features)]
        fn long(src: &[u8]) -> $answer {
            let $found = measure::$form::all::<$witness, $big, $tally>($witness(()), src);
            $what
        }

        #[target_feature(enable = $features)]
        fn measure(src: &[u8]) -> $answer {
            if src.len() <= measure::longest_short::<$witness>($tally)
                && let Some($found) = measure::$form::short::<$witness, $big, $tally>($witness(()), src)
            {
                return $what;
            }
            long(src)
        }

        measure
    }};
}

/// A kernel that says how much of UTF-16 or UTF-32 is well-formed.
macro_rules! checks_wide {
    ($witness:ident $features:literal $form:ident, $big:literal) => {
        Some(measures_wide!(@ $witness $features $form, $big, false, usize, |found| found.read))
    };
}

/// Every kernel that is written once, compiled for one level.
macro_rules! kernels {
    ($level:ident: $witness:ident $features:literal) => {
        #[target_feature(enable = $features)]
        fn ascii(src: &[u8]) -> usize {
            ascii::prefix($witness(()), src)
        }

        #[target_feature(enable = $features)]
        fn cesu8_common(src: &[u8]) -> usize {
            cesu8::prefix::<$witness, false>($witness(()), src)
        }

        #[target_feature(enable = $features)]
        fn mutf8_common(src: &[u8]) -> usize {
            cesu8::prefix::<$witness, true>($witness(()), src)
        }

        #[target_feature(enable = $features)]
        fn invisible(src: &[u8]) -> usize {
            invisible::prefix($witness(()), src)
        }

        #[target_feature(enable = $features)]
        fn utf8_count(src: &[u8]) -> usize {
            measure::bytes::<$witness, { measure::CODE_POINTS }>($witness(()), src).code_points
        }

        #[target_feature(enable = $features)]
        fn utf8_in_utf16(src: &[u8]) -> usize {
            let all = measure::bytes::<$witness, { measure::ALL }>($witness(()), src);
            all.code_points + all.supplementary
        }

        #[target_feature(enable = $features)]
        fn utf8_valid(src: &[u8]) -> usize {
            // A function of its own, so that short strings need not save what it uses.
            #[inline(never)]
            #[target_feature(enable = $features)]
            fn long(src: &[u8]) -> Result<usize, usize> {
                validate::long($witness(()), src)
            }
            #[cold]
            #[inline(never)]
            #[target_feature(enable = $features)]
            fn before_error(src: &[u8], from: usize) -> usize {
                validate::before_error($witness(()), src, from)
            }
            let valid = match src.len() {
                // No look for ASCII: a mispredicted branch costs more than the check.
                n if n <= $witness::SHORT => $witness(()).is_short_well_formed(src),
                n if n <= validate::MEDIUM => validate::medium($witness(()), src),
                _ => {
                    return match long(src) {
                        Ok(len) => len,
                        Err(at) => before_error(src, at),
                    };
                }
            };
            match src.len() {
                len if valid => len,
                // To read them one by one is faster.
                ..=16 => 0,
                _ => before_error(src, 0),
            }
        }

        /// Reads a stretch in one way.
        macro_rules! way {
            ($way:ident) => {{
                #[target_feature(enable = $features)]
                fn read(text: &[u8]) -> validate::Reading {
                    validate::read($witness(()), validate::Way::$way, text)
                }
                read
            }};
        }

        impl validate::Read for $witness {
            #[inline(always)]
            #[allow(unused_unsafe, reason = "WebAssembly's features make nothing unsafe")]
            fn read(self, way: validate::Way, text: &[u8]) -> validate::Reading {
                // In the order of `Way`. Called through pointers, because they would be inlined otherwise.
                const READ: [unsafe fn(&[u8]) -> validate::Reading; 4] =
                    [way!(Branches), way!(Two), way!(Three), way!(Four)];
                // SAFETY: `self` is the witness.
                unsafe { READ[way as usize](text) }
            }
        }

        /// Reads groups for one target, in one way.
        macro_rules! group {
            ($target:ty, $way:ident) => {{
                #[target_feature(enable = $features)]
                fn read(
                    c: &mut from_utf8::Conversion<'_, $witness>,
                    dst: &mut [MaybeUninit<u8>],
                ) -> from_utf8::End {
                    from_utf8::read::<$witness, $target>(from_utf8::Way::$way, c, dst)
                }
                read
            }};
        }

        macro_rules! groups {
            ($target:ty) => {
                impl from_utf8::Groups<$target> for $witness {
                    #[inline(always)]
                    #[allow(unused_unsafe, reason = "WebAssembly's features make nothing unsafe")]
                    fn read(
                        self,
                        way: from_utf8::Way,
                        c: &mut from_utf8::Conversion<'_, Self>,
                        dst: &mut [MaybeUninit<u8>],
                    ) -> from_utf8::End {
                        type Read = unsafe fn(
                            &mut from_utf8::Conversion<'_, $witness>,
                            &mut [MaybeUninit<u8>],
                        ) -> from_utf8::End;
                        // In the order of `Way`, and called through pointers, as above.
                        const READ: [Read; 4] = [
                            group!($target, Sparse),
                            group!($target, Two),
                            group!($target, Basic),
                            group!($target, All),
                        ];
                        // SAFETY: `self` is the witness.
                        unsafe { READ[way as usize](c, dst) }
                    }
                }
            };
        }
        groups!(target::Utf16<false>);
        groups!(target::Utf16<true>);
        groups!(target::Utf32<false>);

        #[target_feature(enable = $features)]
        fn repair(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Progress {
            repair::convert($witness(()), src, dst)
        }

        #[target_feature(enable = $features)]
        fn swap_units(src: &[u8], dst: &mut [MaybeUninit<u8>]) {
            swap::units::<_, 2>($witness(()), src, dst);
        }

        #[target_feature(enable = $features)]
        fn swap_quads(src: &[u8], dst: &mut [MaybeUninit<u8>]) {
            swap::units::<_, 4>($witness(()), src, dst);
        }

        pub(crate) const TABLE: Table = Table {
            level: Level::$level,
            ascii,
            utf8_valid,
            cesu8_common: Some(cesu8_common),
            mutf8_common: Some(mutf8_common),
            invisible: Some(invisible),
            utf8_to_cesu8: stops!($witness $features other::split, false),
            cesu8_to_utf8: stops!($witness $features other::join, false),
            utf8_to_mutf8: stops!($witness $features other::split, true),
            mutf8_to_utf8: stops!($witness $features other::join, true),
            utf8_measure: measures!($witness $features measure::bytes, { measure::ALL }),
            utf8_count: Some(utf8_count),
            utf8_in_utf16: Some(utf8_in_utf16),
            utf16le_measure: measures_wide!($witness $features utf16, false),
            utf16be_measure: measures_wide!($witness $features utf16, true),
            utf32le_measure: measures_wide!($witness $features utf32, false),
            utf32be_measure: measures_wide!($witness $features utf32, true),
            latin1_measure: measures!($witness $features measure::bytes, { measure::LATIN1 }),
            utf16le_valid: checks_wide!($witness $features utf16, false),
            utf16be_valid: checks_wide!($witness $features utf16, true),
            utf32le_valid: checks_wide!($witness $features utf32, false),
            utf32be_valid: checks_wide!($witness $features utf32, true),
            repair: Some(repair),
            swap: Some([swap_units, swap_quads]),
            utf8_to_utf16le: pair!(
                $witness $features from_utf8::short::<_, target::Utf16<false>>, short::longest_medium::<$witness>() => medium::utf8::<_, target::Utf16<false>>, from_utf8::convert::<_, target::Utf16<false>>
            ),
            utf8_to_utf16be: pair!(
                $witness $features from_utf8::short::<_, target::Utf16<true>>, short::longest_medium::<$witness>() => medium::utf8::<_, target::Utf16<true>>, from_utf8::convert::<_, target::Utf16<true>>
            ),
            utf8_to_utf32le: pair!(
                $witness $features from_utf8::short::<_, target::Utf32<false>>, short::longest_medium::<$witness>() => medium::utf8::<_, target::Utf32<false>>, from_utf8::convert::<_, target::Utf32<false>>
            ),
            utf16le_to_utf8: pair!(
                $witness $features from_utf16::short::<_, from_utf16::Utf8, false>, medium::FROM_UTF16 => medium::utf16::<_, from_utf16::Utf8, false>, from_utf16::convert::<_, from_utf16::Utf8, false>
            ),
            utf16le_to_utf16le: pair!(
                $witness $features
                from_utf16::short::<_, from_utf16::Utf16<false>, false>, medium::FROM_UTF16 => medium::utf16::<_, from_utf16::Utf16<false>, false>,
                from_utf16::convert::<_, from_utf16::Utf16<false>, false>
            ),
            utf16le_to_utf16be: pair!(
                $witness $features
                from_utf16::short::<_, from_utf16::Utf16<true>, false>, medium::FROM_UTF16 => medium::utf16::<_, from_utf16::Utf16<true>, false>,
                from_utf16::convert::<_, from_utf16::Utf16<true>, false>
            ),
            utf16le_to_utf32le: pair!(
                $witness $features
                from_utf16::short::<_, from_utf16::Utf32<false>, false>, medium::FROM_UTF16 => medium::utf16::<_, from_utf16::Utf32<false>, false>,
                from_utf16::convert::<_, from_utf16::Utf32<false>, false>
            ),
            utf16be_to_utf8: pair!(
                $witness $features from_utf16::short::<_, from_utf16::Utf8, true>, medium::FROM_UTF16 => medium::utf16::<_, from_utf16::Utf8, true>, from_utf16::convert::<_, from_utf16::Utf8, true>
            ),
            utf16be_to_utf16le: pair!(
                $witness $features
                from_utf16::short::<_, from_utf16::Utf16<false>, true>, medium::FROM_UTF16 => medium::utf16::<_, from_utf16::Utf16<false>, true>,
                from_utf16::convert::<_, from_utf16::Utf16<false>, true>
            ),
            utf16be_to_utf16be: pair!(
                $witness $features
                from_utf16::short::<_, from_utf16::Utf16<true>, true>, medium::FROM_UTF16 => medium::utf16::<_, from_utf16::Utf16<true>, true>,
                from_utf16::convert::<_, from_utf16::Utf16<true>, true>
            ),
            utf32le_to_utf8: pair!(
                $witness $features from_utf32::short::<_, from_utf32::Utf8, false>, medium::FROM_UTF32 => medium::utf32::<_, from_utf32::Utf8, false>, from_utf32::convert::<_, from_utf32::Utf8, false>
            ),
            utf32le_to_utf16le: pair!(
                $witness $features
                from_utf32::short::<_, from_utf32::Utf16<false>, false>, medium::FROM_UTF32 => medium::utf32::<_, from_utf32::Utf16<false>, false>,
                from_utf32::convert::<_, from_utf32::Utf16<false>, false>
            ),
            utf32le_to_utf32le: pair!(
                $witness $features
                from_utf32::short::<_, from_utf32::Utf32<false>, false>, medium::FROM_UTF32 => medium::utf32::<_, from_utf32::Utf32<false>, false>,
                from_utf32::convert::<_, from_utf32::Utf32<false>, false>
            ),
            utf8_to_latin1: conversion!($witness $features to_latin1::from_short_utf8, medium::TO_LATIN1 => medium::utf8_to_latin1, to_latin1::from_utf8),
            utf16le_to_latin1: narrow!($witness $features 2, false),
            utf16be_to_latin1: narrow!($witness $features 2, true),
            utf32le_to_latin1: narrow!($witness $features 4, false),
            latin1_to_utf8: conversion!($witness $features latin1::short_to_utf8, medium::FROM_LATIN1 => medium::latin1_to_utf8, latin1::to_utf8),
            latin1_to_utf16le: simple!(
                $witness $features latin1::short_to_units::<_, target::Utf16<false>>, latin1::to_units::<_, target::Utf16<false>>
            ),
            latin1_to_utf16be: simple!(
                $witness $features latin1::short_to_units::<_, target::Utf16<true>>, latin1::to_units::<_, target::Utf16<true>>
            ),
            latin1_to_utf32le: simple!(
                $witness $features latin1::short_to_units::<_, target::Utf32<false>>, latin1::to_units::<_, target::Utf32<false>>
            ),
        };
    };
}
