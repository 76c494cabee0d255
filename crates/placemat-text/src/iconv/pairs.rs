//! Reads characters of one or two bytes that a table knows already, many at once.

use std::sync::atomic::Ordering::Relaxed;

use super::reader::WIDTH;
use super::table::{ASK, Table};

/// Reads characters of one or two bytes that the table knows already. Returns the number of bytes and of characters.
pub(super) fn read_plain(table: &Table, src: &[u8], places: &mut [[u8; WIDTH]]) -> (usize, usize) {
    let (read, len) = read_blocks(table, src, places);
    let (bytes, count) = read_in_turn(table, &src[read..], &mut places[len..]);
    (read + bytes, len + count)
}

/// The number of bytes that are read together, and the number of bytes of a block in which such a read may start.
const EIGHT: usize = 8;
const BLOCK: usize = 64;

/// Like [`read_plain`], while [`BLOCK`] + [`EIGHT`] bytes can be read and as many characters written.
fn read_blocks(table: &Table, src: &[u8], places: &mut [[u8; WIDTH]]) -> (usize, usize) {
    let (mut read, mut len) = (0, 0);
    loop {
        let block = src.get(read..).and_then(|rest| rest.first_chunk());
        let room = places.get_mut(len..).and_then(|rest| rest.first_chunk_mut());
        let (Some(block), Some(room)) = (block, room) else { return (read, len) };
        let (bytes, count) = read_block(table, block, room);
        (read, len) = (read + bytes, len + count);
        if bytes < BLOCK {
            return (read, len);
        }
    }
}

#[inline(always)]
fn read_block(
    table: &Table,
    block: &[u8; BLOCK + EIGHT],
    room: &mut [[u8; WIDTH]; BLOCK + EIGHT],
) -> (usize, usize) {
    let (singles, pairs, keeps_ascii) = (table.singles(), table.pairs(), table.keeps_ascii());
    let (mut read, mut len) = (0, 0);
    // A character has at least one byte.
    while read < BLOCK && len <= read {
        let bytes = &block[read..read + EIGHT];
        let room = &mut room[len..len + EIGHT];
        // More places are written than count. Branches decide how many count: the CPU predicts a branch, but would wait for a number.
        if keeps_ascii && bytes[0] < 0x80 {
            for (place, byte) in room.iter_mut().zip(bytes) {
                *place = u32::from(*byte).to_le_bytes();
            }
            let mut word = [0; EIGHT];
            word.copy_from_slice(bytes);
            let high = u64::from_le_bytes(word) & 0x8080_8080_8080_8080;
            // Two steps cover any number from 1 to 8.
            if high == 0 {
                (read, len) = (read + EIGHT, len + EIGHT);
            } else if high & 0xFF_FFFF_FFFF == 0 {
                (read, len) = (read + 5, len + 5);
            } else if high & 0xFFFF == 0 {
                (read, len) = (read + 2, len + 2);
            } else {
                (read, len) = (read + 1, len + 1);
            }
            continue;
        }
        let mut all = 0;
        for (place, pair) in room.iter_mut().zip(bytes.as_chunks().0) {
            let cell = pairs[usize::from(u16::from_be_bytes(*pair))].load(Relaxed);
            all |= cell;
            *place = cell.to_le_bytes();
        }
        if all & ASK == 0 {
            (read, len) = (read + EIGHT, len + EIGHT / 2);
            continue;
        }
        // The cell is empty: the bytes are a single byte, or half a katakana, and what follows it.
        if u32::from_le_bytes(room[0]) & ASK == 0 {
            (read, len) = (read + 2, len + 1);
            continue;
        }
        let single = singles[usize::from(bytes[0])];
        if single & ASK != 0 {
            break;
        }
        room[0] = single.to_le_bytes();
        (read, len) = (read + 1, len + 1);
    }
    (read, len)
}

/// Like [`read_plain`]: reads runs of pairs and runs of single bytes in turn.
fn read_in_turn(table: &Table, src: &[u8], places: &mut [[u8; WIDTH]]) -> (usize, usize) {
    let (singles, pairs) = (table.singles(), table.pairs());
    let (mut read, mut len) = (0, 0);
    loop {
        let in_pairs = fill(src[read..].as_chunks().0, &mut places[len..], |pair| {
            pairs[usize::from(u16::from_be_bytes(*pair))].load(Relaxed)
        });
        (read, len) = (read + 2 * in_pairs, len + in_pairs);
        let alone = fill(&src[read..], &mut places[len..], |byte| singles[usize::from(*byte)]);
        (read, len) = (read + alone, len + alone);
        if in_pairs + alone == 0 {
            return (read, len);
        }
    }
}

/// Writes what `find` returns for each element, up to the first for which it returns [`ASK`]. Returns the number written.
#[inline(always)]
pub(super) fn fill<T>(from: &[T], places: &mut [[u8; WIDTH]], find: impl Fn(&T) -> u32) -> usize {
    let len = from.len().min(places.len());
    for (i, (from, place)) in from.iter().zip(places).enumerate() {
        let c = find(from);
        if c & ASK != 0 {
            return i;
        }
        *place = c.to_le_bytes();
    }
    len
}
