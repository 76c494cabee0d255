//! Groups bytes that belong together, although the reader separates them.

use std::ops::Range;

use placemat::ErrorKind;
use placemat::boundary::{announced_length, is_continuation};

use super::{Fault, Item};

/// Moves the last base64 byte of each character to that character; `sequences` counts it to the next one. Two of three units
/// of 16 bits end inside a byte of base64. Returns the bytes in which the next character also starts.
pub(super) fn count_last_bits(bytes: &[u8], items: &mut Vec<Item>) -> Vec<usize> {
    let mut shared = Vec::new();
    let (mut run, mut has_given) = (None, false);
    for next in 1..items.len() {
        let (before, after) = items.split_at_mut(next);
        let is_whole = !std::mem::take(&mut has_given);
        let c = match &mut before[next - 1] {
            // A single byte is not base64: the run has ended after a `&` that is not allowed there.
            Item::Character(c) if is_base64(bytes[c.range.start]) && !(is_whole && c.range.len() == 1) => c,
            Item::Character(_) => {
                run = None;
                continue;
            }
            Item::Shift(range) | Item::Fault(Fault { range, .. }) => {
                run = Some(range.end).filter(|&end| matches!(bytes[end - 1], b'+' | b'&'));
                continue;
            }
        };
        let end = c.range.end;
        let Some(place) = run.map(|run| (end - run) % 8).filter(|_| is_base64(bytes[end])) else { continue };
        match &mut after[0] {
            _ if !matches!(place, 2 | 5 | 7) => continue,
            Item::Character(c) => {
                shared.extend((place < 7).then_some(end));
                c.range.start += 1;
                has_given = true;
            }
            Item::Shift(range) => range.start += 1,
            Item::Fault(_) => continue,
        }
        c.range.end += 1;
    }
    items.retain(|item| !item.range().is_empty());
    shared
}

fn is_base64(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b',')
}

/// Joins each malformed lead byte with the continuation bytes that it announced, and the two halves of a surrogate pair.
pub(super) fn grouped(bytes: &[u8], items: Vec<Item>) -> Vec<Item> {
    let mut grouped: Vec<Item> = Vec::with_capacity(items.len());
    for item in items {
        match (grouped.last_mut(), item) {
            (Some(Item::Fault(open)), Item::Fault(next)) if belongs(bytes, &open.range, &next) => {
                open.range.end = next.range.end;
                open.errors.extend(next.errors);
            }
            (_, item) => grouped.push(item),
        }
    }
    grouped
}

fn belongs(bytes: &[u8], open: &Range<usize>, next: &Fault) -> bool {
    let is_stray = next.errors.first().is_some_and(|e| e.kind() == ErrorKind::UnexpectedContinuation);
    let half = bytes.get(open.start + 3..open.end).unwrap_or_default();
    match half.first() {
        // The second half of a pair has started.
        Some(0xED) if is_high(&bytes[open.clone()]) => is_stray && half.len() < 3,
        _ if is_stray => open.len() < announced_length(bytes[open.start]),
        _ => {
            let low = bytes.get(next.range.start..next.range.start + 3).unwrap_or_default();
            open.len() == 3 && is_high(&bytes[open.clone()]) && is_low(low)
        }
    }
}

fn is_high(bytes: &[u8]) -> bool {
    matches!(bytes, [0xED, 0xA0..=0xAF, third, ..] if is_continuation(*third))
}

fn is_low(bytes: &[u8]) -> bool {
    matches!(bytes, [0xED, 0xB0..=0xBF, third, ..] if is_continuation(*third))
}
