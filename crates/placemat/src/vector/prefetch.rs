//! Asking for memory before it is needed.

/// Ask the CPU to load the cache line at this address, where there is an instruction for it. The address need not be valid.
#[inline(always)]
pub(crate) fn prefetch(_line: *const u8) {
    #[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(target_env = "sgx"), not(miri)))]
    // SAFETY: the CPU has it, as the line above says, and it is no access: where there is no memory, it does nothing.
    unsafe {
        use core::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(_line.cast());
    }
}
