//! The machines that the tests can run on.

/// A machine to run the tests on.
pub(super) struct Machine {
    pub(super) name: &'static str,
    /// A description for the record.
    pub(super) about: &'static str,
    /// Its target triple; empty for that of the host.
    pub(super) target: &'static str,
    /// The linker, where it is not the default.
    pub(super) linker: &'static str,
    /// RUSTFLAGS.
    pub(super) flags: &'static str,
    /// The emulator and its arguments, relative to the library's folder; empty where programs run natively.
    pub(super) runner: &'static str,
    /// The CPU level that must be chosen there; empty if any will do.
    pub(super) level: &'static str,
    /// Tests that are left out.
    pub(super) skip: &'static [&'static str],
    /// What CI runs: all tests if they take less than two minutes (`took` in the record), otherwise those that depend on the level.
    pub(super) quick: Quick,
}

/// Which tests CI runs on a machine.
pub(super) enum Quick {
    Nothing,
    These(&'static str),
    All,
}

/// The host, with its best level; the others differ from it in some fields.
const NATIVE: Machine = Machine {
    name: "native",
    about: "this one, with its best level",
    target: "",
    linker: "",
    flags: "",
    runner: "",
    level: "",
    skip: &[],
    quick: Quick::Nothing,
};

pub(super) const MACHINES: [Machine; 11] = [
    Machine {
        name: "sse2",
        about: "x86-64 of 2003, without SSE4.2",
        target: X86,
        runner: "qemu-x86_64 -cpu qemu64",
        level: "scalar",
        quick: VECTORS,
        ..NATIVE
    },
    Machine {
        name: "nehalem",
        about: "x86-64 with SSE4.2, without AVX",
        target: X86,
        runner: "qemu-x86_64 -cpu Nehalem",
        level: "sse42",
        quick: VECTORS,
        ..NATIVE
    },
    Machine {
        name: "haswell",
        about: "x86-64 with AVX2, without AVX-512",
        target: X86,
        runner: "qemu-x86_64 -cpu Haswell",
        level: "avx2",
        quick: VECTORS,
        ..NATIVE
    },
    NATIVE,
    Machine {
        name: "valgrind",
        about: "this one, as far as valgrind knows it, which checks each access to memory",
        runner: "valgrind -q --error-exitcode=99",
        // Under valgrind these would take hours, and what they run is scalar code without `unsafe`.
        skip: &["every_code_point", "scalar_values_come_back_from_every_form", "output_is_bounded"],
        ..NATIVE
    },
    Machine {
        name: ASAN,
        about: "this one, with a nightly compiler whose AddressSanitizer checks each access to memory",
        target: X86,
        flags: "-Zsanitizer=address",
        ..NATIVE
    },
    Machine {
        name: "i686",
        about: "32-bit x86",
        target: "i686-unknown-linux-gnu",
        linker: "i686-linux-gnu-gcc",
        // Static, since the host may have no 32-bit libraries.
        flags: "-C target-feature=+crt-static",
        level: "scalar",
        quick: Quick::All,
        ..NATIVE
    },
    Machine {
        name: "aarch64",
        about: "64-bit Arm",
        target: "aarch64-unknown-linux-gnu",
        linker: "aarch64-linux-gnu-gcc",
        // Without `-L`, which can make threads hang in this emulator.
        runner: "qemu-aarch64 -cpu cortex-a57",
        level: "neon",
        quick: Quick::These("--lib --test guard --test vectors --test this_machine"),
        ..NATIVE
    },
    Machine {
        name: "s390x",
        about: "big-endian",
        target: "s390x-unknown-linux-gnu",
        linker: "s390x-linux-gnu-gcc",
        runner: "qemu-s390x -L /usr/s390x-linux-gnu",
        level: "scalar",
        ..NATIVE
    },
    Machine {
        name: "wasm",
        about: "WebAssembly with simd128",
        target: WASM,
        flags: "-C target-feature=+simd128",
        runner: NODE,
        level: "simd128",
        ..NATIVE
    },
    Machine {
        name: "wasm-mvp",
        about: "WebAssembly without simd128",
        target: WASM,
        runner: NODE,
        level: "scalar",
        ..NATIVE
    },
];

const VECTORS: Quick = Quick::These("--test vectors --test this_machine");
pub(super) const ASAN: &str = "asan";
const X86: &str = "x86_64-unknown-linux-gnu";
pub(super) const WASM: &str = "wasm32-wasip1";
const NODE: &str = "node --no-warnings ../../xtask/wasm/run.mjs";
