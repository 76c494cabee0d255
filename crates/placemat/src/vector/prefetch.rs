//! Prefetching: the CPU loads memory before it is needed.

pub(crate) use here::{gains, learn, prefetch};

#[cfg(all(
    not(placemat_plain),
    target_arch = "x86_64",
    target_feature = "sse2",
    not(target_env = "sgx"),
    not(miri)
))]
mod here {
    use core::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
    use core::sync::atomic::{AtomicBool, Ordering};

    /// The result of [`learn`].
    static GAINS: AtomicBool = AtomicBool::new(false);

    /// Whether this CPU gains by prefetching. Loaded each time: if the value is known before a loop, compilers write the loop
    /// twice.
    #[inline(always)]
    pub(crate) fn gains() -> bool {
        GAINS.load(Ordering::Relaxed)
    }

    /// Finds out whether this CPU gains by prefetching.
    pub(crate) fn learn() {
        GAINS.store(crate::vector::cpu::gains_by_prefetch(), Ordering::Relaxed);
    }

    /// Makes the CPU load the cache line at this address. The address need not be valid.
    #[inline(always)]
    pub(crate) fn prefetch(line: *const u8) {
        // SAFETY: the CPU has SSE, as the condition above says. A prefetch is no access: if there is no memory, it does nothing.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(line.cast()) }
    }
}

#[cfg(not(all(
    not(placemat_plain),
    target_arch = "x86_64",
    target_feature = "sse2",
    not(target_env = "sgx"),
    not(miri)
)))]
mod here {
    #[inline(always)]
    pub(crate) fn gains() -> bool {
        false
    }

    pub(crate) fn learn() {}

    #[inline(always)]
    pub(crate) fn prefetch(_: *const u8) {}
}
