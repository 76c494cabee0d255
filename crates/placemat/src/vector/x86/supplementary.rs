//! Conversion of supplementary characters in UTF-8, UTF-16 and UTF-32: four bytes each, so that they stay in their lanes.

/// The functions for the vectors of a level, from its intrinsics.
macro_rules! supplementary {
    ($set:ident $and:ident $or:ident $xor:ident $add:ident $sub:ident
    $join:ident $up:ident $down:ident $up_units:ident $down_units:ident) => {
        ops! {
            /// The code points of surrogate pairs; `None` if there is anything else.
            fn joined(units: Bytes) -> Option<Bytes> = {
                let kinds = $and(units.0, $set(0xFC00_FC00_u32 as i32));
                if !Bytes($xor(kinds, $set(0xDC00_D800_u32 as i32))).is_zero() {
                    return None;
                }
                let bits = $add($and(units.0, $set(0x03FF_03FF)), $set(0x40));
                Some(Bytes($join(bits, $set(0x0001_0400))))
            };
            fn are_supplementary(code_points: Bytes) -> bool =
                Bytes($and($sub(code_points.0, $set(0x1_0000)), $set(!0xF_FFFF))).is_zero();
            /// Code points from U+10000 on as surrogate pairs.
            fn in_pairs(code_points: Bytes) -> Bytes = {
                // D800 and the upper ten bits, minus the 40h of U+10000; DC00 and the lower ten bits.
                let upper = $add($down::<10>(code_points.0), $set(0xD800 - 0x40));
                let lower = $and($up::<16>(code_points.0), $set(0x03FF_0000));
                Bytes($or($or(upper, lower), $set(0xDC00_0000_u32 as i32)))
            };
            /// The code points of sequences of four bytes; `None` if there is anything else.
            fn decoded(sequences: Bytes) -> Option<Bytes> = {
                let kinds = $and(sequences.0, $set(0xC0C0_C0F8_u32 as i32));
                if !Bytes($xor(kinds, $set(0x8080_80F0_u32 as i32))).is_zero() {
                    return None;
                }
                // First join two bytes each, then four.
                let bits = $and(sequences.0, $set(0x3F3F_3F07));
                let firsts = $and($up_units::<6>(bits), $set(0x0FC0_0FC0));
                let code_points = Bytes($join($or(firsts, $down_units::<8>(bits)), $set(0x0001_1000)));
                are_supplementary(code_points).then_some(code_points)
            };
            /// Code points from U+10000 on as sequences of UTF-8.
            fn in_sequences(code_points: Bytes) -> Bytes = {
                // First split into the upper nine and the lower twelve bits, then into six bits each.
                let lower = $and($up::<16>(code_points.0), $set(0x0FFF_0000));
                let halves = $or($down::<12>(code_points.0), lower);
                let lower = $and($up_units::<8>(halves), $set(0x3F00_3F00));
                let bits = $or($down_units::<6>(halves), lower);
                Bytes($or(bits, $set(0x8080_80F0_u32 as i32)))
            };
        }
    };
}

/// The methods of a level that use these functions, inside its `impl Vector`.
macro_rules! from_supplementary {
    () => {
        #[inline(always)]
        fn pairs_to_utf8(self, units: Bytes) -> Option<Bytes> {
            Some(in_sequences(joined(units)?))
        }

        #[inline(always)]
        fn pairs_to_code_points(self, units: Bytes) -> Option<Bytes> {
            joined(units)
        }

        #[inline(always)]
        fn sequences_to_code_points(self, sequences: Bytes) -> Option<Bytes> {
            decoded(sequences)
        }

        #[inline(always)]
        fn supplementary_to_utf8(self, code_points: Bytes) -> Option<Bytes> {
            if are_supplementary(code_points) { Some(in_sequences(code_points)) } else { None }
        }

        #[inline(always)]
        fn supplementary_to_pairs(self, code_points: Bytes) -> Option<Bytes> {
            if are_supplementary(code_points) { Some(in_pairs(code_points)) } else { None }
        }
    };
}
