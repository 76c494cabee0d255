//! Asking for memory before it is needed.

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
