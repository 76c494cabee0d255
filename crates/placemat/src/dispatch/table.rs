//! The kernels of each level: every operation is a row, with the kernel that does it.

use super::Level;
use crate::glance::{Each, EachRow, Look, Looks, Meet, Meeting, Misread};
use crate::kernel::{Check, Convert, Count, Length, Measure, Prefix, Swap, word};
#[cfg(not(placemat_plain))]
use crate::kernel::{conversion::Whole, named::*};
use crate::vector::{self, Vector};

/// The scalar kernel, if there is one, and not in a build for size.
macro_rules! scalar {
    () => {
        None
    };
    ($scalar:expr) => {
        if cfg!(placemat_small) { None } else { Some($scalar) }
    };
}

/// Each row: its name, its type, the entry of a level and the kernel that is compiled for it, and the scalar kernel.
macro_rules! rows {
    ($($(#[$meta:meta])* $row:ident: $type:ty = $entry:ident $kernel:ty $(, scalar $scalar:expr)?;)*) => {
        /// The kernels of one level.
        #[derive(Clone, Copy)]
        pub(crate) struct Table {
            pub(crate) level: Level,
            /// The length of the ASCII prefix, exactly.
            pub(crate) ascii: Prefix,
            /// How many bytes are well-formed UTF-8: all, or up to a few bytes before the first error.
            pub(crate) utf8_valid: Check,
            /// Swaps the byte order of units of two and of four bytes.
            pub(crate) swap: Option<[Swap; 2]>,
            $($(#[$meta])* pub(crate) $row: Option<$type>,)*
        }

        /// The kernels that every CPU can run. These are few.
        const SCALAR: Table = Table {
            level: Level::Scalar,
            ascii: word::ascii_prefix,
            utf8_valid: word::utf8_prefix,
            swap: None,
            $($row: scalar!($($scalar)?),)*
        };

        /// All kernels, compiled for one level.
        #[cfg(not(placemat_plain))]
        const fn table<S: Vector>(level: Level) -> Table {
            Table {
                level,
                ascii: S::read::<Ascii>,
                utf8_valid: S::read::<Utf8Valid>,
                swap: Some([S::write::<SwapBytes<2>>, S::write::<SwapBytes<4>>]),
                $($row: Some(S::$entry::<$kernel>),)*
            }
        }
    };
}

rows! {
    /// How many bytes belong to no sequence that differs between UTF-8 and CESU-8.
    cesu8_common: Prefix = read InCommon<false>;
    /// The same for Modified UTF-8.
    mutf8_common: Prefix = read InCommon<true>;
    /// How many bytes precede the first character that may be invisible.
    #[cfg_attr(not(feature = "invisible"), expect(dead_code, reason = "only that module asks"))]
    invisible: Prefix = read Visible;
    /// Converts what differs: from text that is well-formed, or to text that is checked afterwards.
    utf8_to_cesu8: Convert = write FromUtf8<false>;
    cesu8_to_utf8: Convert = write ToUtf8<false>;
    utf8_to_mutf8: Convert = write FromUtf8<true>;
    mutf8_to_utf8: Convert = write ToUtf8<true>;
    /// For text that is known to be well-formed.
    utf8_measure: Measure = read Utf8Measure, scalar word::utf8_measure;
    utf8_count: Count = read Utf8Count, scalar word::utf8_count;
    utf8_in_utf16: Count = read Utf8InUtf16, scalar word::utf8_in_utf16;
    utf16le_measure: Measure = read UnitsMeasure<Utf16<false>>, scalar word::utf16::<false>;
    utf16be_measure: Measure = read UnitsMeasure<Utf16<true>>, scalar word::utf16::<true>;
    utf32le_measure: Measure = read UnitsMeasure<Utf32<false>>, scalar word::utf32::<false>;
    utf32be_measure: Measure = read UnitsMeasure<Utf32<true>>, scalar word::utf32::<true>;
    /// The length of units in UTF-8, if all are well-formed.
    utf16le_in_utf8: Length = read UnitsInUtf8<Utf16<false>>;
    utf32le_in_utf8: Length = read UnitsInUtf8<Utf32<false>>;
    latin1_in_utf8: Count = read Latin1InUtf8, scalar word::latin1_in_utf8;
    /// For detection.
    glance: Look = read Looks<false>;
    glance_at_returns: Look = read Looks<true>;
    misread: Count = read Misread;
    neighbours: Meet = read Meeting;
    /// For columns.
    count_each: Each = write EachRow;
    latin1_measure: Measure = read Latin1Measure, scalar word::latin1;
    /// How many bytes are well-formed, and no other number.
    utf16le_valid: Prefix = read UnitsValid<Utf16<false>>, scalar word::utf16_valid::<false>;
    utf16be_valid: Prefix = read UnitsValid<Utf16<true>>, scalar word::utf16_valid::<true>;
    utf32le_valid: Prefix = read UnitsValid<Utf32<false>>, scalar word::utf32_valid::<false>;
    utf32be_valid: Prefix = read UnitsValid<Utf32<true>>, scalar word::utf32_valid::<true>;
    /// UTF-8 to UTF-8, with U+FFFD for each error.
    repair: Convert = write Repair;
    utf8_to_utf16le: Convert = write Whole<Utf8ToUtf16<false>>;
    utf8_to_utf16be: Convert = write Whole<Utf8ToUtf16<true>>;
    utf8_to_utf32le: Convert = write Whole<Utf8ToUtf32>;
    utf16le_to_utf8: Convert = write Whole<Utf16ToUtf8<false>>;
    utf16le_to_utf32le: Convert = write Whole<Utf16ToUtf32>;
    utf16be_to_utf8: Convert = write Whole<Utf16ToUtf8<true>>;
    utf32le_to_utf8: Convert = write Whole<Utf32ToUtf8>;
    utf32le_to_utf16le: Convert = write Whole<Utf32ToUtf16>;
    utf8_to_latin1: Convert = write Whole<Utf8ToLatin1>, scalar word::utf8_to_latin1;
    utf16le_to_latin1: Convert = write Whole<UnitsToLatin1<2>>;
    utf32le_to_latin1: Convert = write Whole<UnitsToLatin1<4>>;
    latin1_to_utf8: Convert = write Whole<Latin1ToUtf8>;
    latin1_to_utf16le: Convert = write Whole<Latin1ToUtf16>;
    latin1_to_utf32le: Convert = write Whole<Latin1ToUtf32>;
}

/// The kernels of a level that are linked. In a build for size (`--cfg placemat_small`), these are only the checks.
#[cfg(not(placemat_plain))]
const fn linked<S: Vector>(level: Level) -> Table {
    let all = table::<S>(level);
    if !cfg!(placemat_small) {
        return all;
    }
    Table { level, ascii: all.ascii, utf8_valid: all.utf8_valid, ..SCALAR }
}

/// Levels with vectors, worst to best: when they are compiled, their vectors, and whether this CPU has them.
macro_rules! levels {
    ($($(#[$when:meta])* $level:ident = $vector:path, $available:expr;)*) => {
        /// The kernels of every level of this architecture, worst to best. For constants only: code that reads this at run time
        /// makes the linker keep all kernels.
        pub(super) const TABLES: &[Table] = &[
            SCALAR,
            $($(#[$when])* linked::<$vector>(Level::$level),)*
        ];

        /// How many of these levels this CPU can run, at least one. Each level needs everything that the level before it needs.
        pub(super) fn available() -> usize {
            const HERE: &[fn() -> bool] = &[|| true, $($(#[$when])* $available,)*];
            const { assert!(HERE.len() == TABLES.len()) };
            HERE.iter().take_while(|here| here()).count()
        }
    };
}

levels! {
    #[cfg(all(not(placemat_plain), target_arch = "x86_64", target_feature = "sse2", not(target_env = "sgx")))]
    Sse42 = vector::Sse42, vector::cpu::has_sse42;
    #[cfg(all(not(placemat_plain), target_arch = "x86_64", target_feature = "sse2", not(target_env = "sgx")))]
    Avx2 = vector::Avx2, vector::cpu::has_avx2;
    #[cfg(all(
        not(any(placemat_plain, placemat_no_avx512)),
        target_arch = "x86_64",
        target_feature = "sse2",
        not(target_env = "sgx")
    ))]
    Avx512 = vector::Avx512, vector::cpu::has_avx512;
    #[cfg(all(not(placemat_plain), target_arch = "aarch64", target_feature = "neon", target_endian = "little"))]
    Neon = vector::Neon, || true;
    #[cfg(all(not(placemat_plain), target_arch = "wasm32", target_feature = "simd128"))]
    Simd128 = vector::Simd128, || true;
}
