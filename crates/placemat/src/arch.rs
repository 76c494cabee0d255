//! The CPU levels: one line each, worst to best.
#![allow(
    clippy::needless_range_loop,
    reason = "an iterator over vectors need not be inlined, and then costs calls"
)]

use crate::kernel::{Table, word};

#[macro_use]
mod kernels;

#[cfg(all(target_arch = "aarch64", target_feature = "neon", target_endian = "little"))]
mod aarch64;
pub(crate) mod cpu;
mod groups;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod wasm32;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(target_env = "sgx")))]
mod x86 {
    #[macro_use]
    mod supplementary;

    pub(super) mod avx2;
    pub(super) mod avx512;
    pub(super) mod sse42;
    mod units;

    /// The same number, of which the compiler does not know that it is a vector's: it would do arithmetic on masks bit by bit.
    #[cfg(not(miri))]
    #[inline(always)]
    fn opaque(mut bits: u32) -> u32 {
        // SAFETY: no instruction at all.
        unsafe {
            core::arch::asm!("/* {0:e} */", inout(reg) bits, options(pure, nomem, nostack, preserves_flags));
        }
        bits
    }

    /// Miri runs no assembly.
    #[cfg(miri)]
    fn opaque(bits: u32) -> u32 {
        bits
    }
}

/// Have the line of the cache at this address brought near, where there is an instruction for it. Nothing need be there.
#[inline(always)]
pub(crate) fn prefetch(_line: *const u8) {
    #[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(target_env = "sgx"), not(miri)))]
    // SAFETY: the CPU has it, as the line above says, and it is no access: where there is no memory, it does nothing.
    unsafe {
        use core::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(_line.cast());
    }
}

/// The kernels of every level of this architecture, worst to best. For constants alone: what is read from here while the program
/// runs brings all kernels into it.
pub(crate) const TABLES: &[Table] = &[
    word::TABLE,
    #[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(target_env = "sgx")))]
    x86::sse42::TABLE,
    #[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(target_env = "sgx")))]
    x86::avx2::TABLE,
    #[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(target_env = "sgx")))]
    x86::avx512::TABLE,
    #[cfg(all(target_arch = "aarch64", target_feature = "neon", target_endian = "little"))]
    aarch64::TABLE,
    #[cfg(all(target_arch = "wasm32", target_feature = "simd128", not(placemat_small)))]
    wasm32::TABLE,
    #[cfg(all(target_arch = "wasm32", target_feature = "simd128", placemat_small))]
    wasm32::SMALL,
];

/// How many of these levels this CPU can run, at least one. A level needs all that the one before it needs.
pub(crate) fn available() -> usize {
    const HERE: &[fn() -> bool] = &[
        || true,
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(target_env = "sgx")))]
        cpu::has_sse42,
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(target_env = "sgx")))]
        cpu::has_avx2,
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(target_env = "sgx")))]
        cpu::has_avx512,
        #[cfg(all(target_arch = "aarch64", target_feature = "neon", target_endian = "little"))]
        || true,
        #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
        || true,
    ];
    const { assert!(HERE.len() == TABLES.len()) };
    HERE.iter().take_while(|here| here()).count()
}
