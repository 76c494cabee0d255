//! The CPU levels: one line each, worst to best.

use crate::kernel::{Kernels, word};

pub(crate) mod cpu;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(target_env = "sgx")))]
mod x86;

/// A level's kernels, and whether this CPU can run them.
pub(crate) type Line = (&'static Kernels, fn() -> bool);

/// Every level of this architecture. A level needs all that the one before it needs.
pub(crate) static LEVELS: &[Line] = &[
    (&word::TABLE, || true),
    #[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(target_env = "sgx")))]
    (&x86::sse42::TABLE, cpu::has_sse42),
    #[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(target_env = "sgx")))]
    (&x86::avx2::TABLE, cpu::has_avx2),
    #[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(target_env = "sgx")))]
    (&x86::avx512::TABLE, cpu::has_avx512),
];
