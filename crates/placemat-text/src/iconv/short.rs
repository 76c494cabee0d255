//! The short way for short texts, where setting out for a longer one would take most of the time: character by character.

use placemat::Form;

use super::Progress;
use super::names::Encoding;
use super::table::{ASK, Table};

/// Longer texts go another way.
pub(super) const LONGEST: usize = 64;

/// Converts what is plain: characters of the first plane, in and out of legacy encodings. What it stops at is looked at elsewhere.
#[derive(Clone, Copy)]
pub(super) struct Short {
    from: End,
    to: End,
}

#[derive(Clone, Copy)]
enum End {
    Utf8,
    /// Little-endian.
    Utf32,
    Table(&'static Table),
}

impl Short {
    pub(super) fn between(from: Encoding, to: Encoding) -> Option<Short> {
        let end = |encoding| match encoding {
            Encoding::Form(Form::Utf8) => Some(End::Utf8),
            Encoding::Form(Form::Utf32Le) => Some(End::Utf32),
            Encoding::Table(charset, subset) => Some(End::Table(Table::of(charset, subset))),
            _ => None,
        };
        match (end(from)?, end(to)?) {
            // The kernels are faster even there.
            (End::Utf8, End::Utf8 | End::Utf32) => None,
            (from, to) => Some(Short { from, to }),
        }
    }

    /// Go on from where `at` is, as far as it is easy.
    pub(super) fn run(self, src: &[u8], dst: &mut [u8], at: &mut Progress) {
        while let Some((c, read)) = self.from.next(&src[at.read..]) {
            let Some(room) = dst[at.written..].first_chunk_mut() else { return };
            let Some(written) = self.to.put(c, room) else { return };
            at.read += read;
            at.written += written;
        }
    }
}

impl End {
    #[inline(always)]
    fn next(self, src: &[u8]) -> Option<(u32, usize)> {
        match self {
            End::Utf8 => next_utf8(src),
            End::Utf32 => src.first_chunk().map(|c| (u32::from_le_bytes(*c), 4)),
            End::Table(table) => match table.singles()[usize::from(*src.first()?)] {
                ASK => table.pair(src).map(|c| (c, 2)),
                c => Some((c, 1)),
            },
        }
    }

    /// Write to the start of `room`. Bytes behind those that count may be overwritten.
    #[inline(always)]
    fn put(self, c: u32, room: &mut [u8; 4]) -> Option<usize> {
        match self {
            End::Utf8 if c < 0x80 => {
                room[0] = c as u8;
                Some(1)
            }
            End::Utf8 => Some(char::from_u32(c)?.encode_utf8(room).len()),
            End::Utf32 => {
                *room = c.to_le_bytes();
                Some(4)
            }
            End::Table(table) => {
                let packed = table.packed(c);
                *room = packed.to_le_bytes();
                (packed & ASK == 0).then_some((packed >> 24) as usize)
            }
        }
    }
}

/// The first character, if it is well-formed (RFC 3629, section 4) and takes at most three bytes.
#[inline(always)]
fn next_utf8(src: &[u8]) -> Option<(u32, usize)> {
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
        _ => return None,
    })
}
