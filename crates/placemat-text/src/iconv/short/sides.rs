//! The sources and targets of the fast way for short texts, character by character.

use std::sync::atomic::AtomicU32;
use std::sync::atomic::Ordering::Relaxed;

use super::super::table::{ASK, CELLS, Table};

/// The room that writing a character needs, however many bytes it takes.
pub(super) type Room = [u8; 4];

pub(super) const EIGHT: usize = 8;

pub(super) trait Source: Copy {
    /// Returns the first character, a scalar value, and its number of bytes, if it is simple to convert.
    fn next(self, src: &[u8]) -> Option<(u32, usize)>;

    /// Returns the first eight bytes, if they are ASCII and each is a character.
    fn eight(self, _: &[u8]) -> Option<[u8; EIGHT]> {
        None
    }
}

pub(super) trait Sink: Copy {
    /// Writes a scalar value to the start of `room`. Returns its number of bytes, if the target has it.
    fn put(self, c: u32, room: &mut Room) -> Option<usize>;

    /// Writes eight characters of ASCII, if that is faster than calling [`Sink::put`] eight times and there is room.
    fn put_eight(self, _: [u8; EIGHT], _: &mut [u8]) -> Option<usize> {
        None
    }
}

#[derive(Clone, Copy)]
pub(super) struct Utf8;

impl Source for Utf8 {
    /// Reads well-formed sequences (RFC 3629, section 4).
    #[inline(always)]
    fn next(self, src: &[u8]) -> Option<(u32, usize)> {
        let low = |byte: u8| u32::from(byte & 0x3F);
        Some(match *src {
            [a @ 0..=0x7F, ..] => (u32::from(a), 1),
            [a @ 0xC2..=0xDF, b @ 0x80..=0xBF, ..] => (u32::from(a & 0x1F) << 6 | low(b), 2),
            [a @ 0xE0..=0xEF, b @ 0x80..=0xBF, c @ 0x80..=0xBF, ..] => {
                let value = u32::from(a & 0x0F) << 12 | low(b) << 6 | low(c);
                if value < 0x800 || matches!(value, 0xD800..=0xDFFF) {
                    return None;
                }
                (value, 3)
            }
            [a @ 0xF0..=0xF4, b @ 0x80..=0xBF, c @ 0x80..=0xBF, d @ 0x80..=0xBF, ..] => {
                let value = u32::from(a & 0x07) << 18 | low(b) << 12 | low(c) << 6 | low(d);
                if !matches!(value, 0x1_0000..=0x10_FFFF) {
                    return None;
                }
                (value, 4)
            }
            _ => return None,
        })
    }

    #[inline(always)]
    fn eight(self, src: &[u8]) -> Option<[u8; EIGHT]> {
        src.first_chunk().copied().filter(|eight| u64::from_le_bytes(*eight) & 0x8080_8080_8080_8080 == 0)
    }
}

impl Sink for Utf8 {
    #[inline(always)]
    fn put(self, c: u32, room: &mut Room) -> Option<usize> {
        let last = |shift: u32| 0x80 | (c >> shift & 0x3F) as u8;
        Some(match c {
            0..=0x7F => {
                room[0] = c as u8;
                1
            }
            0x80..=0x7FF => {
                [room[0], room[1]] = [0xC0 | (c >> 6) as u8, last(0)];
                2
            }
            0x800..=0xFFFF => {
                [room[0], room[1], room[2]] = [0xE0 | (c >> 12) as u8, last(6), last(0)];
                3
            }
            _ => {
                *room = [0xF0 | (c >> 18) as u8, last(12), last(6), last(0)];
                4
            }
        })
    }
}

#[derive(Clone, Copy)]
pub(super) struct Utf16<const IS_BIG: bool>;

impl<const IS_BIG: bool> Utf16<IS_BIG> {
    #[inline(always)]
    fn unit(bytes: [u8; 2]) -> u32 {
        u32::from(if IS_BIG { u16::from_be_bytes(bytes) } else { u16::from_le_bytes(bytes) })
    }

    #[inline(always)]
    fn bytes(unit: u32) -> [u8; 2] {
        let unit = unit as u16;
        if IS_BIG { unit.to_be_bytes() } else { unit.to_le_bytes() }
    }
}

impl<const IS_BIG: bool> Source for Utf16<IS_BIG> {
    #[inline(always)]
    fn next(self, src: &[u8]) -> Option<(u32, usize)> {
        let first = Self::unit(*src.first_chunk()?);
        if first & 0xF800 != 0xD800 {
            return Some((first, 2));
        }
        let second = Self::unit(*src.get(2..)?.first_chunk()?);
        let is_pair = first < 0xDC00 && matches!(second, 0xDC00..=0xDFFF);
        is_pair.then_some((0x1_0000 + ((first & 0x3FF) << 10 | second & 0x3FF), 4))
    }
}

impl<const IS_BIG: bool> Sink for Utf16<IS_BIG> {
    #[inline(always)]
    fn put(self, c: u32, room: &mut Room) -> Option<usize> {
        let Some(over) = c.checked_sub(0x1_0000) else {
            [room[0], room[1]] = Self::bytes(c);
            return Some(2);
        };
        [room[0], room[1]] = Self::bytes(0xD800 | over >> 10);
        [room[2], room[3]] = Self::bytes(0xDC00 | over & 0x3FF);
        Some(4)
    }

    #[inline(always)]
    fn put_eight(self, eight: [u8; EIGHT], rest: &mut [u8]) -> Option<usize> {
        let room: &mut [u8; 2 * EIGHT] = rest.first_chunk_mut()?;
        for (room, byte) in room.as_chunks_mut().0.iter_mut().zip(eight) {
            *room = Self::bytes(byte.into());
        }
        Some(2 * EIGHT)
    }
}

#[derive(Clone, Copy)]
pub(super) struct Utf32<const IS_BIG: bool>;

impl<const IS_BIG: bool> Source for Utf32<IS_BIG> {
    #[inline(always)]
    fn next(self, src: &[u8]) -> Option<(u32, usize)> {
        let bytes = *src.first_chunk()?;
        let c = if IS_BIG { u32::from_be_bytes(bytes) } else { u32::from_le_bytes(bytes) };
        char::from_u32(c).map(|c| (c.into(), 4))
    }
}

impl<const IS_BIG: bool> Sink for Utf32<IS_BIG> {
    #[inline(always)]
    fn put(self, c: u32, room: &mut Room) -> Option<usize> {
        *room = if IS_BIG { c.to_be_bytes() } else { c.to_le_bytes() };
        Some(4)
    }

    #[inline(always)]
    fn put_eight(self, eight: [u8; EIGHT], rest: &mut [u8]) -> Option<usize> {
        let room: &mut [u8; 4 * EIGHT] = rest.first_chunk_mut()?;
        for (room, byte) in room.as_chunks_mut::<4>().0.iter_mut().zip(eight.map(u32::from)) {
            *room = if IS_BIG { byte.to_be_bytes() } else { byte.to_le_bytes() };
        }
        Some(4 * EIGHT)
    }
}

#[derive(Clone, Copy)]
pub(super) struct Bytes(pub(super) u32);

impl Source for Bytes {
    #[inline(always)]
    fn next(self, src: &[u8]) -> Option<(u32, usize)> {
        let c = u32::from(*src.first()?);
        (c < self.0).then_some((c, 1))
    }
}

impl Sink for Bytes {
    #[inline(always)]
    fn put(self, c: u32, room: &mut Room) -> Option<usize> {
        room[0] = c as u8;
        (c < self.0).then_some(1)
    }
}

/// Reads a legacy encoding. Holds the table's cells, so that they are fetched once.
#[derive(Clone, Copy)]
pub(super) struct Paired {
    table: &'static Table,
    pairs: &'static [AtomicU32; CELLS],
}

impl Paired {
    pub(super) fn of(table: &'static Table) -> Paired {
        Paired { table, pairs: table.pairs() }
    }
}

impl Source for Paired {
    #[inline(always)]
    fn next(self, src: &[u8]) -> Option<(u32, usize)> {
        let (&lead, rest) = src.split_first()?;
        let c = self.table.singles()[usize::from(lead)];
        if c & ASK == 0 {
            return Some((c, 1));
        }
        let c = self.pairs[usize::from(lead) << 8 | usize::from(*rest.first()?)].load(Relaxed);
        if c & ASK == 0 { Some((c, 2)) } else { self.table.pair(src).map(|c| (c, 2)) }
    }
}

/// Writes a legacy encoding.
#[derive(Clone, Copy)]
pub(super) struct Spelled {
    table: &'static Table,
    spellings: &'static [AtomicU32; CELLS],
}

impl Spelled {
    pub(super) fn of(table: &'static Table) -> Spelled {
        Spelled { table, spellings: table.spellings() }
    }
}

impl Sink for Spelled {
    #[inline(always)]
    fn put(self, c: u32, room: &mut Room) -> Option<usize> {
        let packed = self.table.packed_in(self.spellings, c);
        *room = packed.to_le_bytes();
        (packed & ASK == 0).then_some((packed >> 24) as usize)
    }
}
