//! The levels: which instructions kernels are compiled for.

#![forbid(unsafe_code)]

use core::fmt;

use super::{Kernels, detected, kernels, kernels_at, publish};

/// A set of CPU instructions that kernels are compiled for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Level {
    /// Any CPU: words of eight bytes.
    Scalar,
    /// x86-64 with SSE4.2: 16 bytes at a time.
    Sse42,
    /// x86-64 with AVX2: 32 bytes at a time.
    Avx2,
    /// x86-64 with AVX-512 and VBMI2 (Ice Lake, Zen 4): 64 bytes at a time.
    Avx512,
    /// AArch64: 16 bytes at a time.
    Neon,
    /// WebAssembly with `simd128`: 16 bytes at a time.
    Simd128,
}

impl Level {
    pub(super) const ALL: [Level; 6] =
        [Level::Scalar, Level::Sse42, Level::Avx2, Level::Avx512, Level::Neon, Level::Simd128];

    /// The name, as the command's `--cpu` takes it.
    ///
    /// ```
    /// use placemat::Level;
    /// assert_eq!(Level::named("avx2"), Some(Level::Avx2));
    /// assert_eq!(Level::Avx2.name(), "avx2");
    /// ```
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Level::Scalar => "scalar",
            Level::Sse42 => "sse42",
            Level::Avx2 => "avx2",
            Level::Avx512 => "avx512",
            Level::Neon => "neon",
            Level::Simd128 => "simd128",
        }
    }

    /// The level of this [`name`](Level::name), whether or not this CPU has it.
    ///
    /// ```
    /// # use placemat::Level;
    /// assert_eq!(Level::named("scalar"), Some(Level::Scalar));
    /// ```
    #[must_use]
    pub fn named(name: &str) -> Option<Level> {
        Level::ALL.into_iter().find(|level| level.name() == name)
    }

    /// The levels that this CPU can run, worst to best; the first is [`Level::Scalar`].
    ///
    /// ```
    /// use placemat::Level;
    /// assert!(Level::available().any(|level| level == Level::current()));
    /// ```
    pub fn available() -> impl Iterator<Item = Level> {
        detected().map(Kernels::level)
    }

    /// The level that this process uses: the best, unless a test or tool chose another.
    ///
    /// ```
    /// # use placemat::Level;
    /// println!("kernels for {}", Level::current().name());
    /// ```
    #[must_use]
    pub fn current() -> Level {
        kernels().level()
    }

    /// Uses this level from now on, in the whole process. For tests and tools.
    ///
    /// Returns `false`, and changes nothing, when this CPU lacks the level. Results never depend on the level.
    #[doc(hidden)]
    pub fn force(self) -> bool {
        match kernels_at(self) {
            Some(kernels) => {
                publish(kernels);
                true
            }
            None => false,
        }
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
