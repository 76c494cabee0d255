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

/// A table's kernels: the generic function, given the witness of the features that it is compiled with.
macro_rules! kernels {
    ($witness:ident $features:literal: $($name:ident = $generic:path),* $(,)?) => {$(
        #[target_feature(enable = $features)]
        fn $name(src: &[u8]) -> usize {
            $generic($witness(()), src)
        }
    )*};
}

pub(super) mod avx2;
pub(super) mod avx512;
pub(super) mod sse42;
