//! The levels of x86-64.

#[macro_use]
mod supplementary;

pub(super) mod avx2;
pub(super) mod avx512;
pub(super) mod sse42;

/// A vector in memory, wherever it begins: one load or store where the intrinsics are some calls and a copy, before they are optimized.
#[repr(C, packed)]
struct Unaligned<V>(V);

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
