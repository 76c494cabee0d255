//! x86-64. Each level is a witness, its lane operations, and a table of kernels.

/// Lane operations that are one instruction of two vectors.
macro_rules! lanes {
    ($vector:ident: $($name:ident = $intrinsic:ident),* $(,)?) => {$(
        #[inline(always)]
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

/// The kernels for one pair of forms: generic functions, given a witness and, last, whether they replace.
macro_rules! pair {
    ($witness:ident $features:literal $module:ident::$generic:ident $(, $target:ty)?) => {{
        #[target_feature(enable = $features)]
        fn stop(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Progress {
            $module::$generic::<$witness, $($target,)? false>($witness(()), src, dst)
        }

        #[target_feature(enable = $features)]
        fn replace(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Progress {
            $module::$generic::<$witness, $($target,)? true>($witness(()), src, dst)
        }

        Pair { stop: Some(stop), replace: Some(replace) }
    }};
}

/// Every kernel that is written once, compiled for one level.
macro_rules! kernels {
    ($level:ident: $witness:ident $features:literal) => {
        #[target_feature(enable = $features)]
        fn ascii(src: &[u8]) -> usize {
            ascii::prefix($witness(()), src)
        }

        #[target_feature(enable = $features)]
        fn utf8_valid(src: &[u8]) -> usize {
            // A function of its own, so that short strings need not save what it uses.
            #[inline(never)]
            #[target_feature(enable = $features)]
            fn long(src: &[u8]) -> usize {
                validate::long($witness(()), src)
            }
            let valid = match src.len() {
                n if n < $witness::LANES => validate::short($witness(()), src),
                n if n <= validate::MEDIUM => validate::medium($witness(()), src),
                _ => return long(src),
            };
            if valid { src.len() } else { 0 }
        }

        pub(crate) const TABLE: Kernels = Kernels {
            level: Level::$level,
            ascii,
            utf8_valid,
    utf8_to_utf16le: pair!($witness $features from_utf8::convert, Utf16<false>),
    utf8_to_utf16be: pair!($witness $features from_utf8::convert, Utf16<true>),
    utf8_to_utf32le: pair!($witness $features from_utf8::convert, Utf32<false>),
    utf8_to_utf32be: pair!($witness $features from_utf8::convert, Utf32<true>),
        };
    };
}

pub(super) mod avx2;
pub(super) mod avx512;
pub(super) mod sse42;
