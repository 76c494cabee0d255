//! ISO-2022-JP (RFC 1468): ASCII, the Roman set of JIS X 0201 and JIS X 0208, each behind an escape.

use super::reader::{Batch, Stop, WIDTH, jis};
use super::table::Found;
use super::writer::{Full, Put};

/// The set that bytes mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Set {
    Ascii = 0,
    /// JIS X 0201: ASCII but for the yen sign and the overline.
    Roman = 1,
    /// JIS X 0208, two bytes a character.
    Kanji = 2,
}

const ESCAPES: [(&[u8; 3], Set); 4] =
    [(b"\x1B(B", Set::Ascii), (b"\x1B(J", Set::Roman), (b"\x1B$@", Set::Kanji), (b"\x1B$B", Set::Kanji)];

impl Set {
    pub(super) fn of(memory: u32) -> Set {
        [Set::Ascii, Set::Roman, Set::Kanji][memory as usize % 3]
    }

    /// The escape to it that is written.
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
    let (mut read, mut len) = (0, 0);
    let stop = loop {
        if read == src.len() {
            break Stop::End;
        }
        let Some(place) = places.get_mut(len) else { break Stop::More };
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

enum Next {
    Escape(Set),
    Found(Found),
}

/// What `bytes`, which are not empty, begin with.
fn next(set: Set, bytes: &[u8]) -> Next {
    let one = |first| Next::Found(Found::Characters { first, second: None, len: 1 });
    match (set, bytes) {
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
        // Controls are controls in every set.
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

/// Write code points; each with the escape before it, or not at all.
pub(super) fn write(set: &mut Set, pivot: &[u8], dst: &mut [u8]) -> Put {
    let (mut len, mut written) = (0, 0);
    for bytes in pivot.as_chunks::<WIDTH>().0 {
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
    Put { len, written, full: Full::No }
}

/// The set and the bytes of a code point.
pub(super) fn spell(c: u32) -> Option<(Set, [u8; 2], usize)> {
    match c {
        // An escape in the text would be read as one.
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
