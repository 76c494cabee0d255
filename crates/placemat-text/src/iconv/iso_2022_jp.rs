//! ISO-2022-JP (RFC 1468): ASCII, the Roman set of JIS X 0201 and JIS X 0208, each selected by an escape.

use std::sync::atomic::AtomicU32;
use std::sync::atomic::Ordering::Relaxed;

use super::pairs::fill;
use super::reader::{Batch, Stop, WIDTH, jis};
use super::table::{ASK, CELLS, Found, Table};
use super::writer::{Full, Put};

/// A character set that an escape selects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Set {
    Ascii = 0,
    /// JIS X 0201: ASCII except for the yen sign and the overline.
    Roman = 1,
    /// JIS X 0208, two bytes per character.
    Kanji = 2,
}

const ESCAPES: [(&[u8; 3], Set); 4] =
    [(b"\x1B(B", Set::Ascii), (b"\x1B(J", Set::Roman), (b"\x1B$@", Set::Kanji), (b"\x1B$B", Set::Kanji)];

impl Set {
    pub(super) fn of(memory: u32) -> Set {
        [Set::Ascii, Set::Roman, Set::Kanji][memory as usize % 3]
    }

    /// The escape that is written to select this set.
    pub(super) fn escape(self) -> &'static [u8; 3] {
        match self {
            Set::Ascii => b"\x1B(B",
            Set::Roman => b"\x1B(J",
            Set::Kanji => b"\x1B$B",
        }
    }
}

pub(super) fn read(set: &mut Set, src: &[u8], pivot: &mut [u8]) -> Batch {
    let (places, _) = pivot.as_chunks_mut::<WIDTH>();
    let pairs = jis().map(Table::pairs);
    let (mut read, mut len) = (0, 0);
    let stop = loop {
        let (bytes, count) = read_plain(*set, pairs, &src[read..], &mut places[len..]);
        (read, len) = (read + bytes, len + count);
        if read == src.len() {
            break Stop::End;
        }
        let Some(place) = places.get_mut(len) else { break Stop::More };
        // The most frequent escapes.
        if let Some(&[0x1B, b'$' | b'(', b'B']) = src[read..].first_chunk() {
            *set = if src[read + 1] == b'$' { Set::Kanji } else { Set::Ascii };
            read += 3;
            continue;
        }
        match next(*set, &src[read..]) {
            Next::Escape(other) => (*set, read) = (other, read + 3),
            Next::Found(Found::Characters { first, len: bytes, .. }) => {
                *place = u32::from(first).to_le_bytes();
                len += 1;
                read += bytes;
            }
            Next::Found(Found::Incomplete) => break Stop::Incomplete,
            Next::Found(Found::Malformed { len }) => break Stop::Malformed(len),
        }
    };
    Batch { read, len, is_one: false, stop }
}

/// Reads ASCII, and kanji whose cells the table knows already. Returns the number of bytes and of characters.
fn read_plain(
    set: Set,
    pairs: Option<&[AtomicU32; CELLS]>,
    src: &[u8],
    places: &mut [[u8; WIDTH]],
) -> (usize, usize) {
    match (set, pairs) {
        (Set::Ascii, _) => {
            let plain = |&byte: &u8| if byte < 0x80 && byte != 0x1B { byte.into() } else { ASK };
            let len = fill(src, places, plain);
            (len, len)
        }
        (Set::Kanji, Some(pairs)) => {
            let len = fill(src.as_chunks().0, places, |pair| {
                let pair = u16::from_be_bytes(*pair);
                // In EUC, two bytes with the high bit set are a cell, except after 8E (the shift to katakana), which is 0E here.
                if pair & 0x8080 != 0 || pair < 0x2100 {
                    return ASK;
                }
                pairs[usize::from(pair | 0x8080)].load(Relaxed)
            });
            (2 * len, len)
        }
        _ => (0, 0),
    }
}

enum Next {
    Escape(Set),
    Found(Found),
}

/// Returns what the first bytes are. `bytes` is not empty.
fn next(set: Set, bytes: &[u8]) -> Next {
    let one = |first| Next::Found(Found::Characters { first, second: None, len: 1 });
    match (set, bytes) {
        (_, [0x1B, b'(', b'B', ..]) => Next::Escape(Set::Ascii),
        (_, [0x1B, b'$', b'B', ..]) => Next::Escape(Set::Kanji),
        (_, [0x1B, ..]) => {
            let given = &bytes[..bytes.len().min(3)];
            match ESCAPES.iter().find(|(escape, _)| escape.starts_with(given)) {
                Some(&(_, set)) if given.len() == 3 => Next::Escape(set),
                Some(_) => Next::Found(Found::Incomplete),
                None => Next::Found(Found::Malformed { len: 1 }),
            }
        }
        (Set::Roman, b"\\") | (Set::Roman, [b'\\', ..]) => one('\u{A5}'),
        (Set::Roman, [b'~', ..]) => one('\u{203E}'),
        // The controls are the same in every set.
        (Set::Ascii | Set::Roman, &[byte @ 0..=0x7F, ..]) | (Set::Kanji, &[byte @ 0..=0x20, ..]) => {
            one(char::from(byte))
        }
        (Set::Kanji, &[0x21..=0x7E]) => Next::Found(Found::Incomplete),
        (Set::Kanji, &[lead @ 0x21..=0x7E, trail @ 0x21..=0x7E, ..]) => {
            let found = jis().map(|table| table.read(&[lead | 0x80, trail | 0x80]));
            Next::Found(found.unwrap_or(Found::Malformed { len: 2 }))
        }
        _ => Next::Found(Found::Malformed { len: 1 }),
    }
}

/// Writes code points. Each is written together with the escape before it, or not at all.
pub(super) fn write(set: &mut Set, pivot: &[u8], dst: &mut [u8]) -> Put {
    let (mut len, mut written) = (0, 0);
    let code_points = pivot.as_chunks::<WIDTH>().0;
    loop {
        let (count, bytes) = write_plain(*set, &code_points[len..], &mut dst[written..]);
        (len, written) = (len + count, written + bytes);
        let Some(bytes) = code_points.get(len) else { return Put { len, written, full: Full::No } };
        let Some((needed, spelling, spelled)) = spell(u32::from_le_bytes(*bytes)) else {
            return Put { len, written, full: Full::Lacks };
        };
        let escape: &[u8] = if needed == *set { &[] } else { needed.escape() };
        let whole = escape.len() + spelled;
        let Some(room) = dst.get_mut(written..written + whole) else {
            return Put { len, written, full: Full::Room };
        };
        room[..escape.len()].copy_from_slice(escape);
        room[escape.len()..].copy_from_slice(&spelling[..spelled]);
        (*set, len, written) = (needed, len + 1, written + whole);
    }
}

/// Writes the code points that need no escape and that the table knows already. Returns the number of code points and of bytes.
fn write_plain(set: Set, code_points: &[[u8; WIDTH]], dst: &mut [u8]) -> (usize, usize) {
    match (set, jis()) {
        (Set::Ascii, _) => {
            let values = code_points.iter().map(|c| u32::from_le_bytes(*c));
            let plain = values.take_while(|&c| c < 0x80 && c != 0x1B).zip(dst);
            let len = plain.map(|(c, room)| *room = c as u8).count();
            (len, len)
        }
        (Set::Kanji, Some(table)) => {
            let spellings = table.spellings();
            let mut len = 0;
            for (c, room) in code_points.iter().zip(dst.as_chunks_mut().0) {
                let packed = table.packed_in(spellings, u32::from_le_bytes(*c));
                let [lead, trail, _, bytes] = packed.to_le_bytes();
                // The bytes are a cell of JIS X 0208, not a katakana with its shift.
                if bytes != 2 || lead < 0xA1 {
                    break;
                }
                *room = [lead & 0x7F, trail & 0x7F];
                len += 1;
            }
            (len, 2 * len)
        }
        _ => (0, 0),
    }
}

/// Returns the set and the bytes of a code point, and their number.
pub(super) fn spell(c: u32) -> Option<(Set, [u8; 2], usize)> {
    match c {
        // A reader would take it for an escape.
        0x1B => None,
        0..=0x7F => Some((Set::Ascii, [c as u8, 0], 1)),
        0xA5 => Some((Set::Roman, [b'\\', 0], 1)),
        0x203E => Some((Set::Roman, [b'~', 0], 1)),
        _ => match *jis()?.spell(c)?.as_bytes() {
            [lead @ 0xA1..=0xFE, trail] => Some((Set::Kanji, [lead & 0x7F, trail & 0x7F], 2)),
            _ => None,
        },
    }
}
