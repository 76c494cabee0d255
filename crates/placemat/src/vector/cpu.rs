//! Detection of what this CPU and its operating system can run. Needs no `std`.

#[cfg(not(miri))]
use core::arch::x86_64::{__cpuid, __cpuid_count, _xgetbv};

/// The needed parts of what `cpuid` and `xgetbv` return.
#[cfg(not(miri))]
struct Facts {
    /// Leaf 1, ecx.
    basic: u32,
    /// Leaf 7, ebx and ecx.
    extended: [u32; 2],
    /// Leaf 8000_0001, ecx.
    amd: u32,
    /// The register state that the operating system saves (XCR0).
    saved: u64,
}

#[allow(unused_unsafe, reason = "`__cpuid` became safe after the oldest compiler we support")]
#[cfg(not(miri))]
#[inline(never)]
fn facts() -> Facts {
    /// XCR0 itself needs OSXSAVE.
    #[target_feature(enable = "xsave")]
    fn xcr0() -> u64 {
        // SAFETY: the only caller has checked OSXSAVE, without which reading XCR0 faults.
        unsafe { _xgetbv(0) }
    }
    const OSXSAVE: u32 = 1 << 27;
    // SAFETY: every x86-64 CPU has `cpuid`; SGX enclaves, where it faults, are compiled out.
    unsafe {
        let basic = __cpuid(1).ecx;
        let extended = if __cpuid(0).eax >= 7 {
            let leaf = __cpuid_count(7, 0);
            [leaf.ebx, leaf.ecx]
        } else {
            [0; 2]
        };
        let amd = if __cpuid(0x8000_0000).eax > 0x8000_0000 { __cpuid(0x8000_0001).ecx } else { 0 };
        let saved = if basic & OSXSAVE != 0 { xcr0() } else { 0 };
        Facts { basic, extended, amd, saved }
    }
}

#[cfg(not(miri))]
const fn all(value: u32, bits: &[u32]) -> bool {
    let mut i = 0;
    while i < bits.len() {
        if value >> bits[i] & 1 == 0 {
            return false;
        }
        i += 1;
    }
    true
}

#[cfg(not(miri))]
impl Facts {
    fn sse42(&self) -> bool {
        // SSE3, SSSE3, SSE4.1, SSE4.2, POPCNT.
        all(self.basic, &[0, 9, 19, 20, 23])
    }

    fn avx2(&self) -> bool {
        // AVX; BMI1, AVX2, BMI2; LZCNT; xmm and ymm are saved.
        self.sse42()
            && all(self.basic, &[28])
            && all(self.extended[0], &[3, 5, 8])
            && all(self.amd, &[5])
            && self.saved & 0x06 == 0x06
    }

    #[cfg_attr(placemat_no_avx512, allow(dead_code, reason = "no level asks"))]
    fn avx512(&self) -> bool {
        // FMA and F16C, which the compiler assumes with AVX-512; F, DQ, BW, VL; VBMI, VBMI2; the OS also saves k, zmm and the
        // upper sixteen registers: Ice Lake, Zen 4 and later.
        self.avx2()
            && all(self.basic, &[12, 29])
            && all(self.extended[0], &[16, 17, 30, 31])
            && all(self.extended[1], &[1, 6])
            && self.saved & 0xE6 == 0xE6
    }
}

/// The features that [`super::x86::sse42`] enables.
pub(crate) fn has_sse42() -> bool {
    facts().sse42()
}

/// The features that [`super::x86::avx2`] enables.
pub(crate) fn has_avx2() -> bool {
    facts().avx2()
}

/// The features that [`super::x86::avx512`] enables.
#[cfg_attr(placemat_no_avx512, allow(dead_code, reason = "no level asks"))]
pub(crate) fn has_avx512() -> bool {
    facts().avx512()
}

/// Whether prefetching makes this CPU faster. The table has a line for each family of CPUs that was measured
/// (`bench/record/decisions.md`).
#[allow(unused_unsafe, reason = "as in `facts`")]
#[cfg(not(miri))]
pub(crate) fn gains_by_prefetch() -> bool {
    // SAFETY: as in `facts`.
    unsafe { timed(__cpuid(0).ebx, __cpuid(1).eax) }
}

/// Like [`gains_by_prefetch`], from the first four letters of the vendor and from the CPU's signature.
#[cfg(not(miri))]
fn timed(maker: u32, signature: u32) -> bool {
    let (family, model) = (signature >> 8 & 0xF, signature >> 12 & 0xF0 | signature >> 4 & 0xF);
    let family = if family == 0xF { family + (signature >> 20 & 0xFF) } else { family };
    match (&maker.to_le_bytes(), family, model) {
        // Rocket Lake: validation 1.2, lengths and ISO 8859-1 1.1.
        (b"Genu", 6, _) => true,
        // Zen 3: `repair` 1.22, lengths of UTF-32 1.16, validation 1.14.
        (b"Auth", 25, 0x00..=0x0F | 0x20..=0x5F) => true,
        // Zen 2: text from the third cache, lengths 1.15 to 1.55, validation of UTF-32 1.3; 64 MB, validation and `repair` 1.3.
        (b"Auth", 23, 0x30..) => true,
        // Zen 4 is faster without it: validation of UTF-32 1.3, UTF-16 to and from UTF-32 1.2, others 1.0 to 1.2.
        _ => false,
    }
}

/// Miri cannot run `cpuid`. Under Miri the CPU has what the code is compiled for, which by default is only the scalar level.
#[cfg(miri)]
struct Facts;

#[cfg(miri)]
fn facts() -> Facts {
    Facts
}

#[cfg(miri)]
impl Facts {
    fn sse42(&self) -> bool {
        cfg!(all(target_feature = "sse4.2", target_feature = "popcnt"))
    }

    fn avx2(&self) -> bool {
        self.sse42()
            && cfg!(all(
                target_feature = "avx2",
                target_feature = "bmi1",
                target_feature = "bmi2",
                target_feature = "lzcnt"
            ))
    }

    /// Miri lacks most of these instructions.
    fn avx512(&self) -> bool {
        false
    }
}

#[cfg(all(test, feature = "std", not(miri)))]
mod tests {
    use std::is_x86_feature_detected as has;

    #[test]
    fn families() {
        let [intel, amd] = [*b"Genu", *b"Auth"].map(u32::from_le_bytes);
        // Rocket Lake; Zen 3 and Zen 2 in servers and desktops; Zen 4; Zen 5 and Zen; an unknown vendor.
        assert!(super::timed(intel, 0x000A_0671));
        assert!(super::timed(amd, 0x00A0_0F11) && super::timed(amd, 0x00A2_0F10));
        assert!(super::timed(amd, 0x0083_0F10) && super::timed(amd, 0x0087_0F10));
        assert!(!super::timed(amd, 0x00A1_0F11) && !super::timed(amd, 0x00A6_0F12));
        assert!(!super::timed(amd, 0x00B0_0F21) && !super::timed(amd, 0x0080_0F12));
        assert!(!super::timed(0, 0x000A_0671));
    }

    #[test]
    fn agrees_with_std() {
        assert_eq!(super::has_sse42(), has!("sse4.2") && has!("popcnt"));
        assert_eq!(super::has_avx2(), has!("avx2") && has!("bmi1") && has!("bmi2") && has!("lzcnt"));
        assert_eq!(
            super::has_avx512(),
            has!("avx512f")
                && has!("avx512bw")
                && has!("avx512dq")
                && has!("avx512vl")
                && has!("avx512vbmi")
                && has!("avx512vbmi2")
                && has!("fma")
                && has!("f16c")
        );
    }
}
