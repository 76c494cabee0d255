//! What detection asks of every block of a text, with one look at it.

#![forbid(unsafe_code)]

use crate::vector::{Bytes, Lanes, Read, Vector};

/// What a look at bytes finds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Glance {
    /// Bytes from C0 on: first bytes of sequences.
    pub leads: usize,
    /// Whether there is no byte from 80 on.
    pub is_ascii: bool,
    /// Whether there is a byte from F0 on.
    pub has_longest: bool,
    /// Whether there is a control character, but tab, line feed and form feed. Where carriage returns are looked at, also but these.
    pub has_controls: bool,
    /// Where they are, whether one stands before what is no line feed, or a line feed behind what is none. The first byte stands
    /// behind what fits, and the last before it.
    pub has_odd_returns: bool,
}

impl Glance {
    /// A few bytes, one by one.
    pub(crate) fn plainly<const RETURNS: bool>(bytes: &[u8]) -> Glance {
        let mut found = Glance { is_ascii: true, ..Glance::default() };
        let nexts = bytes.iter().skip(1).copied().map(Some).chain([None]);
        for (&byte, next) in bytes.iter().zip(nexts) {
            found.leads += usize::from(byte >= 0xC0);
            found.is_ascii &= byte < 0x80;
            found.has_longest |= byte >= 0xF0;
            found.has_controls |= is_control(byte) & !(RETURNS & (byte == b'\r'));
            let is_odd = |next| (byte == b'\r') != (next == b'\n');
            found.has_odd_returns |= RETURNS && next.is_some_and(is_odd);
        }
        found
    }
}

/// How the kernel is called.
pub(crate) type Look = unsafe fn(src: &[u8]) -> Glance;

/// The kernel, which looks at carriage returns or does not.
pub(crate) struct Looks<const RETURNS: bool>;

/// Vectors in a block, and blocks whose leads a byte can count.
const VECTORS: usize = 4;
const SPAN: usize = 255 / VECTORS;

#[inline(always)]
const fn is_control(byte: u8) -> bool {
    (byte < 0x20) & (byte != b'\t') & (byte != b'\n') & (byte != 0x0C) | (byte == 0x7F)
}

/// What tells controls, in two ways.
struct Controls {
    /// The highest bit for controls.
    of_ascii: [u8; 128],
    /// The same by halves of a byte: a bit for each upper half that has controls.
    of_upper: [u8; 16],
    of_lower: [u8; 16],
}

static ALL: Controls = Controls::but(None);
static NO_RETURN: Controls = Controls::but(Some(b'\r'));

impl Controls {
    const fn but(one: Option<u8>) -> Controls {
        let mut all = Controls { of_ascii: [0; 128], of_upper: [0; 16], of_lower: [0; 16] };
        (all.of_upper[0], all.of_upper[1], all.of_upper[7]) = (1, 2, 4);
        let mut byte = 0;
        while byte < 128 {
            if is_control(byte as u8) && !matches!(one, Some(one) if one as usize == byte) {
                all.of_ascii[byte] = 0x80;
                all.of_lower[byte & 15] |= all.of_upper[byte >> 4];
            }
            byte += 1;
        }
        all
    }

    /// What is not zero where one stands.
    #[inline(always)]
    fn among<S: Vector>(&self, s: S, bytes: S::Bytes) -> S::Bytes {
        match s.lookup_seven(bytes, &self.of_ascii) {
            // Only of ASCII.
            Some(controls) => (controls | bytes) ^ bytes,
            None => {
                let lower = (bytes & s.splat(0x0F)).lookup(s.tile(&self.of_lower));
                s.of_upper_half(bytes, &self.of_upper) & lower
            }
        }
    }
}

impl<const RETURNS: bool> Read for Looks<RETURNS> {
    type Answer = Glance;

    #[inline(always)]
    fn run<S: Vector>(s: S, src: &[u8]) -> Glance {
        let none = s.splat(0);
        let block = VECTORS * S::LANES;
        // Where returns are looked at, each vector has a byte behind it.
        let (blocks, rest) = src.split_at(src.len().saturating_sub(usize::from(RETURNS)) / block * block);
        let mut seen = Seen::<S, RETURNS> { controls: none, greatest: none, odd: s.lanes(0) };
        // As long as all is ASCII, nothing is to be counted.
        let mut at = 0;
        while at < blocks.len() {
            let (mut more, mut any) = (seen, none);
            for i in 0..VECTORS {
                let bytes = s.load(&blocks[at..at + block], i * S::LANES);
                any = any | bytes;
                more.add(s, bytes);
                more.add_returns(s, bytes, &src[at..at + block + usize::from(RETURNS)], i);
            }
            if any.high_bits() != 0 {
                break;
            }
            seen = more;
            at += block;
        }
        let mut leads = 0;
        while at < blocks.len() {
            let (mut tally, end) = (none, blocks.len().min(at + SPAN * block));
            while at < end {
                for i in 0..VECTORS {
                    let bytes = s.load(&blocks[at..at + block], i * S::LANES);
                    tally = tally.tally(bytes.at_least(s.splat(0xC0)));
                    seen.greatest = seen.greatest.max(bytes);
                    seen.add(s, bytes);
                    seen.add_returns(s, bytes, &src[at..at + block + usize::from(RETURNS)], i);
                }
                at += block;
            }
            leads += tally.sum_bytes() as usize;
        }
        leads += seen.add_rest(s, rest);
        Glance {
            leads,
            is_ascii: seen.greatest.high_bits() == 0,
            has_longest: !seen.greatest.saturating_sub(s.splat(0xEF)).is_zero(),
            has_controls: !seen.controls.is_zero(),
            has_odd_returns: RETURNS && seen.odd.bits() & every_lane::<S>() != 0,
        }
    }
}

/// A bit for each lane.
#[inline(always)]
const fn every_lane<S: Vector>() -> u64 {
    !0 >> (64 - S::LANES)
}

/// What stands among the bytes so far, lane by lane.
#[derive(Clone, Copy)]
struct Seen<S: Vector, const RETURNS: bool> {
    controls: S::Bytes,
    greatest: S::Bytes,
    odd: <S::Bytes as Bytes>::Lanes,
}

impl<S: Vector, const RETURNS: bool> Seen<S, RETURNS> {
    /// Look for controls.
    #[inline(always)]
    fn add(&mut self, s: S, bytes: S::Bytes) {
        let which = if RETURNS { &NO_RETURN } else { &ALL };
        self.controls = self.controls | which.among(s, bytes);
    }

    /// Look for returns; `bytes` are the vector `i` of a block, and `block` is the block and a byte behind it.
    #[inline(always)]
    fn add_returns(&mut self, s: S, bytes: S::Bytes, block: &[u8], i: usize) {
        if RETURNS {
            self.odd = self.odd | odd(s, bytes, s.load(block, i * S::LANES + 1));
        }
    }

    /// Look at the rest, less than a block and a byte. How many first bytes of sequences it has.
    #[inline(always)]
    fn add_rest(&mut self, s: S, rest: &[u8]) -> usize {
        let mut tally = s.splat(0);
        for at in (0..rest.len()).step_by(S::LANES) {
            let part = &rest[at..];
            let mut bytes = s.load_part(part);
            if part.len() < S::LANES {
                // What is loaded behind the end is NUL.
                bytes = bytes.replace(s.lanes(!0 << part.len()), s.splat(b' '));
            }
            tally = tally.tally(bytes.at_least(s.splat(0xC0)));
            self.greatest = self.greatest.max(bytes);
            self.add(s, bytes);
            if RETURNS {
                let next = &part[1..];
                let known = if next.len() < S::LANES { !(!0 << next.len()) } else { !0 };
                self.odd = self.odd | odd(s, bytes, s.load_part(next)) & s.lanes(known);
            }
        }
        tally.sum_bytes() as usize
    }
}

/// Where a return or the line feed in the lane of `next` is without the other.
#[inline(always)]
fn odd<S: Vector>(s: S, bytes: S::Bytes, next: S::Bytes) -> <S::Bytes as Bytes>::Lanes {
    bytes.equal(s.splat(b'\r')) ^ next.equal(s.splat(b'\n'))
}
