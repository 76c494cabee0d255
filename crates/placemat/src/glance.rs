//! What detection asks of every block of a text, with one look at it.

#![forbid(unsafe_code)]

use crate::vector::{Bytes, Read, Vector};

/// What a look at bytes finds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Glance {
    /// Bytes from C0 on: first bytes of sequences.
    pub leads: usize,
    /// Whether there is no byte from 80 on.
    pub is_ascii: bool,
    /// Whether there is a byte from F0 on.
    pub has_longest: bool,
    /// Whether there is a control character, but tab, line feed and form feed.
    pub has_controls: bool,
}

impl Glance {
    /// A few bytes, one by one.
    #[inline(always)]
    pub(crate) fn plainly(bytes: &[u8]) -> Glance {
        let (mut leads, mut greatest, mut controls) = (0, 0, false);
        for &byte in bytes {
            leads += usize::from(byte >= 0xC0);
            greatest |= byte;
            controls |= is_control(byte);
        }
        let has_longest = leads > 0 && bytes.iter().any(|&byte| byte >= 0xF0);
        Glance { leads, is_ascii: greatest < 0x80, has_longest, has_controls: controls }
    }

    /// The same of both.
    #[inline(always)]
    fn and(self, other: Glance) -> Glance {
        Glance {
            leads: self.leads + other.leads,
            is_ascii: self.is_ascii & other.is_ascii,
            has_longest: self.has_longest | other.has_longest,
            has_controls: self.has_controls | other.has_controls,
        }
    }
}

/// How the kernel is called.
pub(crate) type Look = unsafe fn(src: &[u8]) -> Glance;

/// The kernel.
pub(crate) struct Looks;

/// Vectors in a block, and blocks whose leads a byte can count.
const VECTORS: usize = 4;
const SPAN: usize = 255 / VECTORS;

#[inline(always)]
const fn is_control(byte: u8) -> bool {
    (byte < 0x20) & (byte != b'\t') & (byte != b'\n') & (byte != 0x0C) | (byte == 0x7F)
}

/// The highest bit for controls.
static CONTROLS: [u8; 128] = {
    let (mut table, mut byte) = ([0; 128], 0);
    while byte < 128 {
        table[byte] = if is_control(byte as u8) { 0x80 } else { 0 };
        byte += 1;
    }
    table
};

/// The same by halves of a byte: a bit for each upper half that has controls.
const UPPER: [u8; 16] = [1, 2, 0, 0, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0];
const LOWER: [u8; 16] = {
    let (mut table, mut half) = ([2; 16], 0);
    while half < 16 {
        table[half as usize] |= is_control(half) as u8 | (is_control(0x70 | half) as u8) << 2;
        half += 1;
    }
    table
};

impl Read for Looks {
    type Answer = Glance;

    #[inline(always)]
    fn run<S: Vector>(s: S, src: &[u8]) -> Glance {
        let none = s.splat(0);
        let block = VECTORS * S::LANES;
        let (blocks, rest) = src.split_at(src.len() / block * block);
        // As long as all is ASCII, nothing is to be counted.
        let (mut at, mut controls) = (0, none);
        while at < blocks.len() {
            let (mut more, mut any) = (controls, none);
            for i in 0..VECTORS {
                let bytes = s.load(&blocks[at..at + block], i * S::LANES);
                (more, any) = (more | controls_of(s, bytes), any | bytes);
            }
            if any.high_bits() != 0 {
                break;
            }
            controls = more;
            at += block;
        }
        let (mut leads, mut greatest) = (0, none);
        for span in blocks[at..].chunks(SPAN * block) {
            let mut tally = none;
            for text in span.chunks_exact(block) {
                for i in 0..VECTORS {
                    let bytes = s.load(text, i * S::LANES);
                    tally = tally.tally(bytes.at_least(s.splat(0xC0)));
                    greatest = greatest.max(bytes);
                    controls = controls | controls_of(s, bytes);
                }
            }
            leads += tally.sum_bytes() as usize;
        }
        let has_longest = !greatest.saturating_sub(s.splat(0xEF)).is_zero();
        let is_ascii = greatest.high_bits() == 0;
        Glance { leads, is_ascii, has_longest, has_controls: !controls.is_zero() }.and(Glance::plainly(rest))
    }
}

/// What is not zero where a control stands.
#[inline(always)]
fn controls_of<S: Vector>(s: S, bytes: S::Bytes) -> S::Bytes {
    match s.lookup_seven(bytes, &CONTROLS) {
        // Only of ASCII.
        Some(controls) => (controls | bytes) ^ bytes,
        None => {
            let lower = (bytes & s.splat(0x0F)).lookup(s.tile(&LOWER));
            s.of_upper_half(bytes, &UPPER) & lower
        }
    }
}
