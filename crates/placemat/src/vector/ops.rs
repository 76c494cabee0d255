//! The macros for the file of a level: its witness, its operations on lanes, and its entry points for kernels.

/// Operations on vectors, one per line. They only compute. Code that reads or writes memory is outside, with its own SAFETY
/// comments.
macro_rules! ops {
    ($(
        $(#[$doc:meta])*
        $visible:vis fn $name:ident $(<const $n:ident: $type:ty>)? ($($arguments:tt)*) -> $answer:ty = $body:expr;
    )*) => {$(
        $(#[$doc])*
        #[inline(always)]
        #[allow(unused_unsafe, reason = "WebAssembly's features make nothing unsafe")]
        $visible fn $name $(<const $n: $type>)? ($($arguments)*) -> $answer {
            // SAFETY: instructions without memory access require only that the CPU has them. A vector comes only from a witness,
            // and a witness only from where the features are enabled; one of the arguments is a vector or a witness.
            unsafe { $body }
        }
    )*};
}

/// Operations that are one instruction on two vectors.
macro_rules! lanes {
    ($vector:ident: $($name:ident = $intrinsic:ident),* $(,)?) => {
        ops! { $(fn $name(self, other: Self) -> Self = $vector($intrinsic(self.0, other.0));)* }
    };
}

/// The bit operators.
macro_rules! operators {
    ($vector:ident: $($trait:ident $name:ident = $intrinsic:ident),* $(,)?) => {$(
        impl core::ops::$trait for $vector {
            type Output = Self;
            lanes! { $vector: $name = $intrinsic }
        }
    )*};
}

/// The common part of every level of sixteen bytes, inside its `impl Vector`: it selects bytes with a shuffle from a table.
macro_rules! sixteen_lanes {
    () => {
        const LANES: usize = 16;
        type Bytes = Bytes;
        type Grammar = Nibbles<Self>;
        type ConversionGrammar = Nibbles<Self>;

        #[inline(always)]
        fn tile(self, sixteen: &[u8; 16]) -> Bytes {
            self.load(sixteen, 0)
        }

        #[inline(always)]
        fn put_bytes(self, bytes: Bytes, lanes: u64, out: &mut [MaybeUninit<u8>], at: usize) -> usize {
            shuffle::put_bytes([bytes], lanes, out, at)
        }

        #[inline(always)]
        fn put_pairs(self, pairs: [Bytes; 2], lanes: u64, out: &mut [MaybeUninit<u8>], at: usize) -> usize {
            shuffle::put_pairs(self.interleave(pairs), lanes, out, at)
        }

        #[inline(always)]
        fn put_quads(
            self,
            low: [Bytes; 2],
            high: Option<[Bytes; 2]>,
            lanes: u64,
            out: &mut [MaybeUninit<u8>],
            at: usize,
        ) -> usize {
            shuffle::put_quads(self.interleave(low), shuffle::interleaved(self, high), lanes, out, at)
        }

        #[inline(always)]
        fn put_one_or_two(self, pair: [Bytes; 2], two: u64, out: &mut [MaybeUninit<u8>], at: usize) {
            shuffle::put_one_or_two(self.interleave(pair), two, out, at);
        }

        #[inline(always)]
        fn put_sequences(self, planes: [Bytes; 4], longer: [u64; 3], out: &mut [MaybeUninit<u8>], at: usize) {
            shuffle::put_sequences(shuffle::in_fours(self, planes), longer, out, at);
        }

        #[inline(always)]
        fn interleave_pairs(self, [first, second]: [Bytes; 2]) -> [Bytes; 2] {
            first.with_pairs(second)
        }
    };
}

/// The witness of a level: proof that its instructions may be used here.
macro_rules! witness {
    ($name:ident: $features:literal) => {
        mod witness {
            /// Proof that the CPU has these instructions, and that the function that holds this value enables them.
            #[derive(Clone, Copy)]
            pub(crate) struct $name(());

            impl $name {
                /// Outside a function that enables the instructions, the compiler refuses this call as unsafe.
                #[inline]
                #[target_feature(enable = $features)]
                pub(super) fn here() -> Self {
                    $name(())
                }
            }
        }
        pub(crate) use witness::$name;
    };
}

/// The entry points of a level, inside its `impl Vector`: kernels as separate functions with its instructions enabled.
macro_rules! entries {
    ($features:literal) => {
        #[inline(never)]
        #[target_feature(enable = $features)]
        unsafe fn read<K: crate::vector::Read>(src: &[u8]) -> K::Answer {
            K::run(Self::here(), src)
        }

        #[inline(never)]
        #[target_feature(enable = $features)]
        unsafe fn write<K: crate::vector::Write>(
            src: &[u8],
            dst: &mut [MaybeUninit<u8>],
            setting: K::Setting,
        ) -> K::Answer {
            K::run(Self::here(), src, dst, setting)
        }

        #[inline(always)]
        fn read_apart<K: crate::vector::Read>(self, src: &[u8]) -> K::Answer {
            // Rust 1.95 applies `inline(never)` of a function with features only if the caller has them too.
            #[inline]
            #[target_feature(enable = $features)]
            unsafe fn call<S: Vector, K: crate::vector::Read>(src: &[u8]) -> K::Answer {
                // SAFETY: the caller has the witness of `S`.
                unsafe { S::read::<K>(src) }
            }
            // SAFETY: `self` is the witness.
            unsafe { call::<Self, K>(src) }
        }

        #[inline(always)]
        fn write_apart<K: crate::vector::Write>(
            self,
            src: &[u8],
            dst: &mut [MaybeUninit<u8>],
            setting: K::Setting,
        ) -> K::Answer {
            // SAFETY: `self` is the witness.
            unsafe { Self::write::<K>(src, dst, setting) }
        }

        #[inline(always)]
        fn apart<R>(self, what: impl FnOnce() -> R) -> R {
            #[inline(never)]
            #[target_feature(enable = $features)]
            fn here<R>(what: impl FnOnce() -> R) -> R {
                what()
            }
            // SAFETY: `self` is the witness.
            #[allow(unused_unsafe, reason = "WebAssembly's features make nothing unsafe")]
            unsafe {
                here(what)
            }
        }
    };
}
