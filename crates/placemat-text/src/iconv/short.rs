//! The short way for short texts, where setting out for a longer one would take most of the time: character by character.

use placemat::Form;

use super::Progress;
use super::names::Encoding;
use super::table::{ASK, Table};

/// Longer texts go another way.
pub(super) const LONGEST: usize = 64;

/// Converts what is plain. What it stops at is looked at elsewhere.
#[derive(Clone, Copy)]
pub(super) struct Short {
    from: End,
    to: End,
}

#[derive(Clone, Copy)]
enum End {
    Utf8,
    Utf16 {
        is_big: bool,
    },
    Utf32 {
        is_big: bool,
    },
    /// Bytes that are their code points, below this one.
    Bytes(u32),
    Table(&'static Table),
}

impl Short {
    /// From code points to `to`.
    pub(super) fn from_code_points(to: Encoding) -> Option<Short> {
        Some(Short { from: End::Utf32 { is_big: false }, to: End::of(to, true)? })
    }

    pub(super) fn between(from: Encoding, to: Encoding) -> Option<Short> {
        Some(Short { from: End::of(from, false)?, to: End::of(to, true)? })
    }

    /// Go on from where `at` is, as far as it is easy. A loop for each pair.
    pub(super) fn run(self, src: &[u8], dst: &mut [u8], at: &mut Progress) {
        match self.from {
            End::Utf8 => self.run_from(Utf8, src, dst, at),
            End::Utf16 { is_big: false } => self.run_from(Utf16::<false>, src, dst, at),
            End::Utf16 { is_big: true } => self.run_from(Utf16::<true>, src, dst, at),
            End::Utf32 { is_big: false } => self.run_from(Utf32::<false>, src, dst, at),
            End::Utf32 { is_big: true } => self.run_from(Utf32::<true>, src, dst, at),
            End::Bytes(limit) => self.run_from(Bytes(limit), src, dst, at),
            End::Table(table) => self.run_from(table, src, dst, at),
        }
    }

    fn run_from(self, source: impl Source, src: &[u8], dst: &mut [u8], at: &mut Progress) {
        match self.to {
            End::Utf8 => run(source, Utf8, src, dst, at),
            End::Utf16 { is_big: false } => run(source, Utf16::<false>, src, dst, at),
            End::Utf16 { is_big: true } => run(source, Utf16::<true>, src, dst, at),
            End::Utf32 { is_big: false } => run(source, Utf32::<false>, src, dst, at),
            End::Utf32 { is_big: true } => run(source, Utf32::<true>, src, dst, at),
            End::Bytes(limit) => run(source, Bytes(limit), src, dst, at),
            End::Table(table) => run(source, table, src, dst, at),
        }
    }
}

impl End {
    fn of(encoding: Encoding, is_target: bool) -> Option<End> {
        let form = match encoding {
            Encoding::Form(form) => form,
            // Written in the byte order of this machine. What is read decides by its mark, which is not known yet.
            Encoding::Marked { little, big } if is_target => {
                if cfg!(target_endian = "little") {
                    little
                } else {
                    big
                }
            }
            Encoding::Table(charset, subset) => return Some(End::Table(Table::of(charset, subset))),
            Encoding::Marked { .. } | Encoding::Iso2022Jp => return None,
        };
        Some(match form {
            Form::Utf8 => End::Utf8,
            Form::Utf16Le => End::Utf16 { is_big: false },
            Form::Utf16Be => End::Utf16 { is_big: true },
            Form::Utf32Le => End::Utf32 { is_big: false },
            Form::Utf32Be => End::Utf32 { is_big: true },
            Form::UsAscii => End::Bytes(0x80),
            Form::Iso8859_1 => End::Bytes(0x100),
            _ => return None,
        })
    }
}

/// Bytes of room that a character may be written into, whatever it takes of them.
type Room = [u8; 4];

const EIGHT: usize = 8;

trait Source: Copy {
    /// The first character and its bytes, if it is plain. It is a scalar value.
    fn next(self, src: &[u8]) -> Option<(u32, usize)>;

    /// The first eight bytes, if they are ASCII and each is a character.
    fn eight(self, _: &[u8]) -> Option<[u8; EIGHT]> {
        None
    }
}

trait Sink: Copy {
    /// Write a scalar value to the start of `room`; its bytes, if it has some.
    fn put(self, c: u32, room: &mut Room) -> Option<usize>;

    /// Write eight characters of ASCII, if that is more than eight times [`Sink::put`] and there is room.
    fn put_eight(self, _: [u8; EIGHT], _: &mut [u8]) -> Option<usize> {
        None
    }
}

#[inline(always)]
fn run(source: impl Source, sink: impl Sink, src: &[u8], dst: &mut [u8], at: &mut Progress) {
    let (mut read, mut written) = (at.read, at.written);
    while let Some(eight) = src.get(read..).and_then(|rest| source.eight(rest)) {
        let Some(put) = dst.get_mut(written..).and_then(|rest| sink.put_eight(eight, rest)) else { break };
        (read, written) = (read + EIGHT, written + put);
    }
    while let Some((c, taken)) = src.get(read..).and_then(|rest| source.next(rest)) {
        let Some(rest) = dst.get_mut(written..) else { break };
        let put = match rest.first_chunk_mut() {
            Some(room) => sink.put(c, room),
            None => put_last(sink, c, rest),
        };
        let Some(put) = put else { break };
        (read, written) = (read + taken, written + put);
    }
    (at.read, at.written) = (read, written);
}

/// Where there is less room than four bytes.
#[cold]
fn put_last(sink: impl Sink, c: u32, rest: &mut [u8]) -> Option<usize> {
    let mut room = [0; 4];
    let put = sink.put(c, &mut room)?;
    rest.get_mut(..put)?.copy_from_slice(&room[..put]);
    Some(put)
}

#[derive(Clone, Copy)]
struct Utf8;

impl Source for Utf8 {
    /// Well-formed sequences (RFC 3629, section 4).
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
struct Utf16<const IS_BIG: bool>;

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
struct Utf32<const IS_BIG: bool>;

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
struct Bytes(u32);

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

impl Source for &Table {
    #[inline(always)]
    fn next(self, src: &[u8]) -> Option<(u32, usize)> {
        match self.singles()[usize::from(*src.first()?)] {
            ASK => self.pair(src).map(|c| (c, 2)),
            c => Some((c, 1)),
        }
    }
}

impl Sink for &Table {
    #[inline(always)]
    fn put(self, c: u32, room: &mut Room) -> Option<usize> {
        let packed = self.packed(c);
        *room = packed.to_le_bytes();
        (packed & ASK == 0).then_some((packed >> 24) as usize)
    }
}
