//! Converts the sequences that differ between UTF-8 and CESU-8 or Modified UTF-8, a block at a time.
//!
//! How many bytes a byte becomes depends only on its place in a sequence. Of a supplementary character in UTF-8, the first two
//! bytes become one each, the other two become two each. Of a pair of surrogates, the first two become nothing, the others one
//! each.

#![forbid(unsafe_code)]

use core::mem::MaybeUninit;

use super::Progress;
use super::utf8::{LEAST_LEAD, around, unfinished};
use crate::vector::{Bytes, Lanes, Vector, steps};

/// Bytes in a block.
const BLOCK: usize = 64;
/// How many bytes before and after a block may decide what the bytes in the block are.
const NEAR: usize = 5;
/// The most bytes that a block can become, and a vector of room.
const ROOM: usize = 3 * BLOCK;

/// Converts well-formed UTF-8 to CESU-8 or, with `NUL`, to Modified UTF-8: whole blocks, as far as there is room.
#[inline(always)]
pub(crate) fn split<S: Vector, const NUL: bool>(s: S, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Progress {
    let (mut at, mut written, mut padded) = (0, 0, [0; NEAR + BLOCK + NEAR]);
    while src.len() - at >= BLOCK
        && let Some(room) = dst[written..].first_chunk_mut::<ROOM>()
    {
        let text = around::<NEAR, _>(src, at, &mut padded);
        let (mut n, lead) = (0, s.splat(0xF0));
        for lane in steps(0..BLOCK, S::LANES) {
            let at = NEAR + lane;
            let (bytes, previous) = (s.load(text, at), s.load(text, at - 1));
            let (first, second) = (bytes.at_least(lead), previous.at_least(lead));
            let third = s.load(text, at - 2).at_least(lead);
            let fourth = s.load(text, at - 3).at_least(lead);
            let nul = bytes.equal(s.splat(0));
            let mut others = first | second | third | fourth;
            if NUL {
                others = others | nul;
            }
            if others.bits() == 0 {
                s.store(bytes, room, n);
                n += S::LANES;
                continue;
            }
            // Six bits of the code point: at the second byte the upper five, at the third the six below those.
            let bits = (previous.shl::<2>() & s.splat(0x3C)) | (bytes.shr::<4>() & s.splat(0x03));
            let last = bytes
                .replace(first | third, s.splat(0xED))
                // The code point less 10000h.
                .replace(second, bits + s.splat(0xA0 - 1));
            let lead = (bits | s.splat(0x80)).replace(fourth, (previous & s.splat(0x0F)) | s.splat(0xB0));
            let mut two = third | fourth;
            let (mut lead, mut last) = (lead, last);
            if NUL {
                (lead, last) = (lead.replace(nul, s.splat(0xC0)), last.replace(nul, s.splat(0x80)));
                two = two | nul;
            }
            let two = two.bits();
            s.put_one_or_two([lead, last], two, room, n);
            n += S::LANES + two.count_ones() as usize;
        }
        (at, written) = (at + BLOCK, written + n);
    }
    // A sequence that is cut by the end is not read.
    let open = unfinished(&src[..at]);
    // Of four bytes, the third has become two.
    let more = usize::from(open == 3);
    Progress { read: at - open, written: written - open - more, replaced: 0 }
}

/// Converts CESU-8 or, with `NUL`, Modified UTF-8 to UTF-8: whole blocks, up to one with a byte that neither has, as far as
/// there is room. Does not check the source: the result is UTF-8 if the source was well-formed.
#[inline(always)]
pub(crate) fn join<S: Vector, const NUL: bool>(s: S, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Progress {
    let (mut at, mut written, mut padded) = (0, 0, [0; NEAR + BLOCK + NEAR]);
    // The pairs and zeros that began in the last block.
    let (mut pairs_before, mut nuls_before) = (0_u64, 0_u64);
    while src.len() - at >= BLOCK + NEAR
        && let Some(room) = dst[written..].first_chunk_mut::<ROOM>()
    {
        let text = around::<NEAR, _>(src, at, &mut padded);
        let (mut pairs, mut nuls, mut wrong) = (0, 0, 0);
        for lane in steps(0..BLOCK, S::LANES) {
            let at = NEAR + lane;
            let (bytes, next) = (s.load(text, at), s.load(text, at + 1));
            let mut other = bytes.at_least(s.splat(0xF0));
            let (lead, nibble, tail) = (s.splat(0xED), s.splat(0xF0), s.splat(LEAST_LEAD));
            let high = bytes.equal(lead) & (next & nibble).equal(s.splat(0xA0));
            if high.bits() != 0 {
                let low =
                    s.load(text, at + 3).equal(lead) & (s.load(text, at + 4) & nibble).equal(s.splat(0xB0));
                let tails = s.load(text, at + 2).less(tail) & s.load(text, at + 5).less(tail);
                pairs |= (high & low & tails).bits() << lane;
            }
            if NUL {
                nuls |= (bytes.equal(s.splat(0xC0)) & next.equal(s.splat(0x80))).bits() << lane;
                other = other | bytes.equal(s.splat(0));
            }
            wrong |= other.bits();
        }
        if wrong != 0 {
            break;
        }
        let after = |by: u32| pairs << by | pairs_before >> (64 - by);
        let zeros = nuls << 1 | nuls_before >> 63;
        let keep = !(pairs | after(1) | nuls);
        let mut n = 0;
        for lane in steps(0..BLOCK, S::LANES) {
            let at = NEAR + lane;
            let mut bytes = s.load(text, at);
            if pairs | pairs_before >> 59 != 0 {
                let (low, one) = (s.splat(0x0F), s.splat(1));
                let (previous, before) = (s.load(text, at - 1), s.load(text, at - 2));
                // A pair has the upper five bits of the code point as four bits: it stores their value less one.
                let first = ((previous & low) + one).shr::<2>() & s.splat(0x07) | s.splat(0xF0);
                let second = ((before & low) + one).shl::<4>() & s.splat(0x30) | previous.shr::<2>() & low;
                let third = before.shl::<4>() & s.splat(0x30) | bytes & low;
                bytes = bytes
                    .replace(s.lanes(after(2) >> lane), first)
                    .replace(s.lanes(after(3) >> lane), second | s.splat(0x80))
                    .replace(s.lanes(after(4) >> lane), third | s.splat(0x80));
            }
            if NUL && zeros != 0 {
                bytes = bytes.replace(s.lanes(zeros >> lane), s.splat(0));
            }
            n += s.put_bytes(bytes, keep >> lane & (!0 >> (64 - S::LANES)), room, n);
        }
        (at, written) = (at + BLOCK, written + n);
        (pairs_before, nuls_before) = (pairs, nuls);
    }
    // A sequence or a pair that is cut by the end is not read.
    if pairs_before >> 59 != 0 {
        let open = 1 + pairs_before.leading_zeros() as usize;
        return Progress { read: at - open, written: written - open.saturating_sub(2), replaced: 0 };
    }
    let open = unfinished(&src[..at]);
    // The first byte of a zero (C0 80) was dropped.
    let dropped = usize::from(nuls_before >> 63 != 0);
    Progress { read: at - open, written: written - (open - dropped), replaced: 0 }
}
