//! Letters of Latin-1 that may be the first bytes of characters whose UTF-8 was read as windows-1252 and encoded again.

#![forbid(unsafe_code)]

use crate::vector::{Bytes, Lanes, Read, Vector};

/// The first byte of the letters from U+00C0 on. The lead bytes C2 to F4 become such letters.
const FIRST: u8 = 0xC3;

/// The first bytes of the characters that windows-1252 or Latin-1 has at 80 to BF.
const TAILS: [u8; 5] = [0xC2, 0xC5, 0xC6, 0xCB, 0xE2];

/// [`TAILS`] by the lower seven bits of a byte.
static IS_TAIL: [u8; 128] = {
    let mut all = [0; 128];
    let mut i = 0;
    while i < TAILS.len() {
        all[TAILS[i] as usize & 0x7F] = 0x80;
        i += 1;
    }
    all
};

/// Counts byte by byte.
pub(crate) fn plainly(bytes: &[u8]) -> usize {
    bytes.windows(3).filter(|three| three[0] == FIRST && TAILS.contains(&three[2])).count()
}

/// Counts how often [`FIRST`] stands two places before one of [`TAILS`]: in well-formed text, in the character before it.
pub(crate) struct Misread;

/// Vectors that are processed together.
const VECTORS: usize = 4;

impl Read for Misread {
    type Answer = usize;

    #[inline(always)]
    fn run<S: Vector>(s: S, src: &[u8]) -> usize {
        let block = VECTORS * S::LANES;
        let (mut at, mut count) = (0, 0);
        while let Some(text) = src.get(at..at + block + 2) {
            let mut any = s.lanes(0);
            for i in 0..VECTORS {
                any = any | s.load(text, i * S::LANES).equal(s.splat(FIRST));
            }
            // Text of most scripts has none.
            if any.bits() != 0 {
                for i in 0..VECTORS {
                    let firsts = s.load(text, i * S::LANES).equal(s.splat(FIRST));
                    count += in_front::<S>(s, firsts, s.load(text, i * S::LANES + 2));
                }
            }
            at += block;
        }
        while let Some(part) = src.get(at..).filter(|part| part.len() > 2) {
            // Behind the end are zeros.
            count += in_front::<S>(s, s.load_part(part).equal(s.splat(FIRST)), s.load_part(&part[2..]));
            at += S::LANES;
        }
        count
    }
}

/// How many of these lanes have one of [`TAILS`] in `thirds`.
#[inline(always)]
fn in_front<S: Vector>(s: S, firsts: <S::Bytes as Bytes>::Lanes, thirds: S::Bytes) -> usize {
    let tails = match s.lookup_seven(thirds, &IS_TAIL) {
        // The lookup ignores the highest bit: ASCII does not count.
        Some(tails) => s.lanes((tails & thirds).high_bits()),
        None => {
            let mut tails = s.lanes(0);
            for tail in TAILS {
                tails = tails | thirds.equal(s.splat(tail));
            }
            tails
        }
    };
    (firsts & tails).bits().count_ones() as usize
}
