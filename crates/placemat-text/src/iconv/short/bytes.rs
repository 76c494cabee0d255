//! Conversion from a single-byte encoding: one load per byte.

use std::array;
use std::sync::Arc;
use std::sync::atomic::AtomicU16;
use std::sync::atomic::Ordering::Relaxed;

use super::super::table::{ASK, Table};
use super::sides::{EIGHT, Paired};
use super::{End, Way};

/// Creates the way from `table`, in which every sequence is one byte.
pub(super) fn way(table: &'static Table, to: End) -> Arc<Way> {
    let singles = table.singles();
    let find = |byte: u8| singles[usize::from(byte)];
    match to {
        End::Utf8 => Arc::new(move |src, dst| to_utf8(table.utf8(), table.keeps_ascii(), src, dst)),
        End::Utf16 { is_big: false } => {
            Arc::new(move |src, dst| even(src, dst, find, find, |c| (c as u16).to_le_bytes()))
        }
        End::Utf16 { is_big: true } => {
            Arc::new(move |src, dst| even(src, dst, find, find, |c| (c as u16).to_be_bytes()))
        }
        End::Utf32 { is_big: false } => {
            Arc::new(move |src, dst| even(src, dst, find, find, u32::to_le_bytes))
        }
        End::Utf32 { is_big: true } => Arc::new(move |src, dst| even(src, dst, find, find, u32::to_be_bytes)),
        End::Table(target) if !target.is_single() => super::way(move || Paired::of(table), to),
        End::Bytes(_) | End::Table(_) => {
            let map = Map { source: table, to, bytes: array::from_fn(|_| AtomicU16::new(UNKNOWN)) };
            Arc::new(move |src, dst| {
                even(src, dst, |byte| map.find(byte), |byte| map.learn(byte), |c| [c as u8])
            })
        }
    }
}

/// A conversion from byte to byte. It is filled as bytes occur.
struct Map {
    source: &'static Table,
    to: End,
    /// For each byte: the byte of the target, [`UNKNOWN`] or [`LACKING`].
    bytes: [AtomicU16; 256],
}

const LACKING: u16 = 1 << 15;
const UNKNOWN: u16 = LACKING | 1;

impl Map {
    #[inline(always)]
    fn find(&self, byte: u8) -> u32 {
        let found = self.bytes[usize::from(byte)].load(Relaxed);
        // Bit 15 of the entry becomes bit 31, which is [`ASK`].
        u32::from(found) << 16 | u32::from(found)
    }

    #[cold]
    fn learn(&self, byte: u8) -> u32 {
        let found = match (self.source.singles()[usize::from(byte)], self.to) {
            (ASK, _) => None,
            (c, End::Table(target)) => target.singles().iter().position(|&single| single == c),
            (c, End::Bytes(limit)) if c < limit => Some(c as usize),
            _ => None,
        };
        self.bytes[usize::from(byte)].store(found.map_or(LACKING, |byte| byte as u16), Relaxed);
        self.find(byte)
    }
}

/// Converts to characters of `N` bytes each. `find` returns a byte's code, or a value with [`ASK`] set; then `learn` is called.
#[inline(always)]
fn even<const N: usize>(
    src: &[u8],
    dst: &mut [u8],
    find: impl Fn(u8) -> u32,
    learn: impl Fn(u8) -> u32,
    bytes: impl Fn(u32) -> [u8; N],
) -> (usize, usize) {
    let places = dst.as_chunks_mut::<N>().0;
    let len = src.len().min(places.len());
    let (src, places) = (&src[..len], &mut places[..len]);
    let mut done = 0;
    while done < len {
        let eights = src[done..].as_chunks::<EIGHT>().0.iter();
        for (eight, room) in eights.zip(places[done..].as_chunks_mut::<EIGHT>().0) {
            let found = eight.map(&find);
            if found.iter().fold(0, |all, c| all | c) & ASK != 0 {
                break;
            }
            *room = found.map(&bytes);
            done += EIGHT;
        }
        for (byte, room) in src[done..].iter().zip(&mut places[done..]).take(EIGHT) {
            let found = match find(*byte) {
                found if found & ASK == 0 => found,
                _ => learn(*byte),
            };
            if found & ASK != 0 {
                return (done, done * N);
            }
            *room = bytes(found);
            done += 1;
        }
    }
    (done, done * N)
}

/// The number of bytes that are tested together for ASCII.
const BLOCK: usize = 32;
/// Room for eight characters and for the bytes that are written after the last of them.
const ROOM: usize = BLOCK + 4;
/// A longer run that is not ASCII is converted in the way for long texts, with two loads per character but with kernels.
const MANY: usize = 256;

fn to_utf8(spellings: &[u32; 256], keeps_ascii: bool, src: &[u8], dst: &mut [u8]) -> (usize, usize) {
    let (mut read, mut written) = (0, 0);
    loop {
        while let Some(block) = src.get(read..).and_then(|rest| rest.first_chunk::<BLOCK>()) {
            let Some(room) = dst.get_mut(written..).and_then(|rest| rest.first_chunk_mut::<BLOCK>()) else {
                break;
            };
            if !(keeps_ascii && block.is_ascii()) {
                break;
            }
            *room = *block;
            (read, written) = (read + BLOCK, written + BLOCK);
        }
        if src.len() - read > MANY {
            return (read, written);
        }
        let end = src.len().min(read + BLOCK);
        let (len, bytes) = eights(spellings, &src[read..end], &mut dst[written..]);
        (read, written) = (read + len, written + bytes);
        if read == src.len() {
            return (read, written);
        }
        if read == end {
            continue;
        }
        let (len, bytes) =
            one_by_one(spellings, &src[read..src.len().min(read + EIGHT)], &mut dst[written..]);
        (read, written) = (read + len, written + bytes);
        if len < EIGHT {
            return (read, written);
        }
    }
}

/// Converts eight bytes at a time, while there is room.
#[inline(always)]
fn eights(spellings: &[u32; 256], src: &[u8], dst: &mut [u8]) -> (usize, usize) {
    let (mut read, mut written) = (0, 0);
    for eight in src.as_chunks::<EIGHT>().0 {
        let Some(room) = dst.get_mut(written..).and_then(|rest| rest.first_chunk_mut::<ROOM>()) else {
            break;
        };
        let packed = eight.map(|byte| spellings[usize::from(byte)]);
        if packed.iter().fold(0, |all, packed| all | packed) & ASK != 0 {
            break;
        }
        let mut end = 0;
        for packed in packed {
            // Each takes at most three bytes, so the mask changes nothing; it shows the compiler that there is room.
            let at = end & (BLOCK - 1);
            room[at..at + 4].copy_from_slice(&packed.to_le_bytes());
            end += (packed >> 24) as usize;
        }
        (read, written) = (read + EIGHT, written + end);
    }
    (read, written)
}

fn one_by_one(spellings: &[u32; 256], src: &[u8], dst: &mut [u8]) -> (usize, usize) {
    let mut written = 0;
    for (read, &byte) in src.iter().enumerate() {
        let packed = spellings[usize::from(byte)];
        let len = (packed >> 24) as usize;
        let room = dst.get_mut(written..written + len).filter(|_| packed & ASK == 0);
        let Some(room) = room else { return (read, written) };
        room.copy_from_slice(&packed.to_le_bytes()[..len]);
        written += len;
    }
    (src.len(), written)
}
