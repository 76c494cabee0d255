//! The levels of x86-64.

#[macro_use]
mod supplementary;

pub(super) mod avx2;
#[cfg_attr(placemat_no_avx512, allow(dead_code, reason = "no level uses it"))]
pub(super) mod avx512;
pub(super) mod sse42;

/// A vector in memory at any address. This is one load or store, but the intrinsics are several calls and a copy before
/// optimization.
#[repr(C, packed)]
struct Unaligned<V>(V);

/// The same number, but the compiler does not know that it comes from a vector: otherwise it would do arithmetic on masks bit by
/// bit.
#[cfg(not(miri))]
#[inline(always)]
fn opaque(mut bits: u32) -> u32 {
    // SAFETY: there is no instruction at all.
    unsafe {
        core::arch::asm!("/* {0:e} */", inout(reg) bits, options(pure, nomem, nostack, preserves_flags));
    }
    bits
}

/// Miri cannot run assembly.
#[cfg(miri)]
fn opaque(bits: u32) -> u32 {
    bits
}
