//! Converts one row by a table.
#![forbid(unsafe_code)]

use placemat::Status;

use super::{ByteTable, NONE, Otherwise};

/// The number of bytes of a row that are converted before they are stored.
const PIECE: usize = 256;
const ESCAPE: u8 = 0x1B;

impl ByteTable {
    /// Appends one row.
    pub(super) fn append(
        &self,
        row: &[u8],
        room: &mut Room,
        out: &mut Vec<u8>,
        otherwise: Otherwise<'_>,
    ) -> Result<(), placemat::Error> {
        let start = out.len();
        let is_whole = match (&self.pairs, &self.units) {
            (Some(pairs), _) if self.has_escapes => self.row_of_escapes(pairs, row, room, out),
            (Some(pairs), _) => self.row_of_pairs(pairs, row, room, out),
            (None, Some(units)) => row.chunks(PIECE).all(|piece| {
                if self.is_ascii && piece.is_ascii() {
                    out.extend_from_slice(piece);
                    return true;
                }
                let length = room.of_units(units, piece);
                length.map(|length| out.extend_from_slice(&room.text[..length])).is_some()
            }),
            (None, None) => row.chunks(PIECE).all(|piece| {
                let mut written = 0;
                let is_whole = piece
                    .iter()
                    .fold(true, |is_whole, &byte| is_whole & self.put(byte, &mut room.text, &mut written));
                out.extend_from_slice(&room.text[..written]);
                is_whole
            }),
        };
        if is_whole {
            return Ok(());
        }
        out.truncate(start);
        otherwise(row, out)
    }

    /// Appends one row by bytes and pairs. Returns whether the table has all of them.
    fn row_of_pairs(&self, pairs: &[u32], row: &[u8], room: &mut Room, out: &mut Vec<u8>) -> bool {
        let (mut at, room) = (0, &mut room.text);
        // An array of all pairs, so that no index is checked.
        let Some(pairs) = pairs.first_chunk::<0x1_0000>() else { return false };
        let pair = |at: usize| {
            let bytes = row.get(at..).and_then(<[u8]>::first_chunk);
            bytes.map_or(0, |pair| pairs[usize::from(u16::from_be_bytes(*pair))])
        };
        while at < row.len() {
            let mut written = 0;
            while at < row.len() && written + 8 <= room.len() {
                let is_high = row[at] >= 0x80;
                if !is_high
                    && self.is_ascii
                    && let Some(eight) = row.get(at..at + 8).filter(|eight| eight.is_ascii())
                {
                    room[written..written + 8].copy_from_slice(eight);
                    (at, written) = (at + 8, written + 8);
                    continue;
                }
                // No pair begins with a byte that is a character.
                let mut packed = if is_high { pair(at) } else { 0 };
                if packed == 0 {
                    let (text, length) = self.text[usize::from(row[at])];
                    if length != NONE {
                        room[written..written + 4].copy_from_slice(&text);
                        (at, written) = (at + 1, written + usize::from(length));
                        continue;
                    }
                    packed = pair(at);
                    if packed == 0 {
                        let count = self.malformed(&row[at..]);
                        if count == 0 {
                            return false;
                        }
                        room[written..written + 3].copy_from_slice("\u{FFFD}".as_bytes());
                        (at, written) = (at + count, written + 3);
                        continue;
                    }
                }
                room[written..written + 4].copy_from_slice(&packed.to_le_bytes());
                (at, written) = (at + 2, written + (packed >> 24) as usize);
            }
            out.extend_from_slice(&room[..written]);
        }
        true
    }

    /// Returns how many bytes are malformed at the start of the rest of a row, and replaced; 0 if the table does not know.
    fn malformed(&self, rest: &[u8]) -> usize {
        let Some(replaced) = &self.replaced else { return 0 };
        match rest.first_chunk() {
            Some(pair) => replaced[usize::from(u16::from_be_bytes(*pair))].into(),
            None => 1,
        }
    }

    /// Appends one row in which escapes say what is a pair. Returns whether it has no other escapes and the table has all the rest.
    fn row_of_escapes(&self, pairs: &[u32], row: &[u8], room: &mut Room, out: &mut Vec<u8>) -> bool {
        // In ISO-2022-JP an escape right after another is an error.
        let (mut at, mut by_pairs, mut may_switch, room) = (0, false, true, &mut room.text);
        while at < row.len() {
            let mut written = 0;
            while at < row.len() && written + 8 <= room.len() {
                if row[at] == ESCAPE {
                    by_pairs = match row[at..] {
                        [_, b'$', b'B' | b'@', ..] if may_switch => true,
                        [_, b'(', b'B', ..] if may_switch => false,
                        _ => return false,
                    };
                    (at, may_switch) = (at + 3, false);
                    continue;
                }
                may_switch = true;
                if by_pairs {
                    let pair =
                        row.get(at..).and_then(<[u8]>::first_chunk).map(|pair| u16::from_be_bytes(*pair));
                    let packed = pair.map_or(0, |pair| pairs[usize::from(pair)]);
                    if packed == 0 {
                        return false;
                    }
                    room[written..written + 4].copy_from_slice(&packed.to_le_bytes());
                    (at, written) = (at + 2, written + (packed >> 24) as usize);
                } else {
                    if !self.put(row[at], room, &mut written) {
                        return false;
                    }
                    at += 1;
                }
            }
            out.extend_from_slice(&room[..written]);
        }
        true
    }

    /// Writes what a byte becomes. Returns `false` if the table lacks it.
    #[inline]
    fn put(&self, byte: u8, room: &mut [u8; 4 * PIECE], written: &mut usize) -> bool {
        let (text, length) = self.text[usize::from(byte)];
        room[*written..*written + 4].copy_from_slice(&text);
        *written += usize::from(length & !NONE);
        length != NONE
    }
}

/// The space in which a piece of a row is converted.
pub(super) struct Room {
    units: [u16; PIECE],
    text: [u8; 4 * PIECE],
}

impl Room {
    pub(super) fn new() -> Room {
        Room { units: [0; PIECE], text: [0; 4 * PIECE] }
    }

    /// Converts a piece: to units, each of which depends on none before it, and then to UTF-8 with the kernel. Returns the length, or
    /// `None` if a byte has no unit.
    fn of_units(&mut self, of: &[u16; 256], piece: &[u8]) -> Option<usize> {
        self.units.iter_mut().zip(piece).for_each(|(unit, &byte)| *unit = of[usize::from(byte)]);
        let step = placemat::utf16::to_utf8(&self.units[..piece.len()], &mut self.text);
        (step.status == Status::Done).then_some(step.written)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the table makes of a row; `None` if the row is left to `otherwise`.
    fn alone(table: &ByteTable, row: &[u8]) -> Option<String> {
        let (mut out, is_left) = (b"before".to_vec(), core::cell::Cell::new(false));
        let otherwise = |_: &[u8], _: &mut Vec<u8>| {
            is_left.set(true);
            Ok(())
        };
        table.append(row, &mut Room::new(), &mut out, &otherwise).unwrap();
        let text = String::from_utf8(out).unwrap().strip_prefix("before").unwrap().to_owned();
        assert!(text.is_empty() || !is_left.get());
        (!is_left.get()).then_some(text)
    }

    #[test]
    fn rows_of_any_length_are_in_order() {
        let greek = |byte: u8| match byte {
            0..0x80 => Some(char::from(byte)),
            0xFF => None,
            _ => char::from_u32(0x3B1 + u32::from(byte % 16)),
        };
        let far = |byte: u8| if byte == 0xFE { Some('\u{1F600}') } else { greek(byte) };
        for length in (0..20).chain([PIECE - 1, PIECE, PIECE + 1, 3 * PIECE + 7]) {
            let row = (0..length).map(|at| [b'a', 0x80 + at as u8 % 0x7E][at / 3 % 2]).collect::<Vec<u8>>();
            for (table, of) in
                [(ByteTable::new(greek), &greek as &dyn Fn(u8) -> _), (ByteTable::new(far), &far)]
            {
                assert_eq!(alone(&table, &row), row.iter().map(|&byte| of(byte)).collect());
                for missing in [0, length / 2, length.saturating_sub(1)].into_iter().filter(|at| *at < length)
                {
                    let mut row = row.clone();
                    row[missing..].fill(0xFF);
                    assert_eq!(alone(&table, &row), None);
                    row[missing..].fill(0xFE);
                    assert_eq!(alone(&table, &row), row.iter().map(|&byte| of(byte)).collect());
                }
            }
        }
    }

    /// Also if a byte from 80 up is a character, a byte below it begins a pair, or the end cuts a pair.
    #[test]
    fn bytes_and_pairs_are_in_order() {
        let one = |byte: u8| match byte {
            b'$' | 0x81..=0xA0 | 0xE0.. => None,
            0..=0x7F => Some(char::from(byte)),
            _ => Some('ｱ'),
        };
        let two = |[lead, trail]: [u8; 2]| match (lead, trail) {
            (0xFC.., _) | (_, 0xFF) => None,
            (0xFB, _) => Some('\u{1F600}'),
            _ => char::from_u32(0xA0 + 64 * u32::from(lead) + u32::from(trail)),
        };
        let table = ByteTable::new(one).with_pairs(two);
        let plainly = |row: &[u8]| {
            let (mut text, mut rest) = (String::new(), row);
            while let [first, after @ ..] = rest {
                let (c, rest_after) = match (one(*first), after) {
                    (Some(c), _) => (c, after),
                    (None, [second, after @ ..]) => (two([*first, *second])?, after),
                    _ => return None,
                };
                text.push(c);
                rest = rest_after;
            }
            (!text.contains('\u{1F600}')).then_some(text)
        };
        let some = b"a\xB1\x93\xFA$\x41b\xE0\x80 plain text, \x81\x81\xA1\x93\x93$$";
        for length in (1..30).chain([4 * PIECE / 3, 3000]) {
            let row: Vec<u8> = some.iter().copied().cycle().take(length).collect();
            assert_eq!(alone(&table, &row), plainly(&row), "{length}");
            for wrong in [&b"\xFC\x40"[..], b"\x93\xFF", b"\xFB\x40", b"\x93", b"$"] {
                let row = [&row, wrong].concat();
                assert_eq!(alone(&table, &row), plainly(&row), "{row:x?}");
            }
        }
    }

    /// Pairs with one and two malformed bytes, at the end of a row too, and pairs that the table does not know.
    #[test]
    fn malformed_pairs_are_replaced() {
        let table = ByteTable::new(|byte| byte.is_ascii().then_some(char::from(byte)));
        let table = table.with_pairs(|pair| (pair == [0x93, 0xFA]).then_some('日'));
        let table = table.replacing(|pair| match pair {
            [0x8F, _] => None,
            [_, 0..0x80] => Some(1),
            _ => Some(2),
        });
        for (row, text) in [
            (&b"\x93\xFA\x93a"[..], Some("日\u{FFFD}a")),
            (b"\x93\x93\x93\xFA\x93", Some("\u{FFFD}日\u{FFFD}")),
            (b"\xFF", Some("\u{FFFD}")),
            (b"\x8F", Some("\u{FFFD}")),
            (b"a\x8F\xA1", None),
        ] {
            assert_eq!(alone(&table, row).as_deref(), text, "{row:x?}");
        }
        let long = b"\xFF\xFF".repeat(3 * PIECE);
        assert_eq!(alone(&table, &long), Some("\u{FFFD}".repeat(3 * PIECE)));
    }

    #[test]
    fn escapes_switch() {
        let table = ByteTable::new(|byte| (b' '..0x7F).contains(&byte).then_some(byte as char));
        let table = table.with_escapes(|[first, second]| char::from_u32(0x4E00 + u32::from(first ^ second)));
        let pair =
            |pair: &[u8; 2]| char::from_u32(0x4E00 + u32::from(pair[0] ^ pair[1])).unwrap().to_string();
        for (row, text) in [
            (&b"F|"[..], Some("F|".to_owned())),
            (b"\x1B$B", Some(String::new())),
            (b"\x1B$BF|", Some(pair(b"F|"))),
            (b"a\x1B$@F|K\\\x1B(Bb", Some(format!("a{}{}b", pair(b"F|"), pair(b"K\\")))),
            (b"\x1B$BF|\x1B$@F|", Some(pair(b"F|").repeat(2))),
            (b"\x1B$B\x1B(Ba", None),
            (b"a\x1B$BF", None),
            (b"\x1B$BF\x1B(B", None),
            (b"\x1B$BF\n", None),
            (b"\x1B(J\\", None),
            (b"a\x1B$", None),
            (b"a\x1B", None),
            (b"a\xFF", None),
        ] {
            assert_eq!(alone(&table, row), text, "{row:x?}");
        }
        let (long, most) = (b"F|".repeat(2 * PIECE), pair(b"F|").repeat(2 * PIECE));
        assert_eq!(alone(&table, &[b"\x1B$B", &*long].concat()), Some(most));
    }
}
