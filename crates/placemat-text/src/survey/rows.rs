//! Tables from the bytes of a character to its script, so that characters are counted without being decoded.

use std::sync::LazyLock;

use unicode_script::Script;

use super::scripts::{PAGE, scripts_of};

/// The number of characters that differ only in their last byte.
const ROW: usize = 64;

/// The class of characters without a class of their own.
pub(super) const EXACT: u8 = 0;

/// The class of every character of two or three bytes: its script and its number of bytes.
pub(super) struct Rows {
    /// By the first two bytes: the index of their row. Characters of two bytes have a row with one class for any third byte.
    rows: Box<[u16; 0x1_0000]>,
    classes: Box<[u8; ROWS_AT_MOST * ROW]>,
    /// The script and the number of bytes of each class.
    pub(super) meanings: Vec<(Script, usize)>,
}

/// There is a row for the first two bytes of three-byte characters, and one for each class of two-byte characters.
const ROWS_AT_MOST: usize = 2048;

/// The tables, 256 KiB. They are built at first use, in some milliseconds.
pub(super) static ROWS: LazyLock<Rows> = LazyLock::new(Rows::new);

impl Rows {
    fn new() -> Rows {
        let rows = vec![0; 0x1_0000].into_boxed_slice().try_into().unwrap_or_else(|_| unreachable!());
        let classes = vec![EXACT; ROWS_AT_MOST * ROW].into_boxed_slice();
        let classes = classes.try_into().unwrap_or_else(|_| unreachable!());
        let mut table = Rows { rows, classes, meanings: vec![(Script::Unknown, 0)] };
        // The first row is for characters of four bytes: none has a class.
        let mut used = 1;
        for first in (0..0x1_0000).step_by(ROW) {
            if first < 0x80 {
                continue;
            }
            let scripts: [Script; ROW] =
                std::array::from_fn(|at| scripts_of((first + at) / PAGE)[(first + at) % PAGE]);
            if first < 0x800 {
                let lead = 0xC0 | first >> 6;
                for (tail, script) in scripts.into_iter().enumerate() {
                    let class = table.class(script, 2);
                    let row = table.even_row(class, &mut used);
                    table.rows[lead << 8 | 0x80 | tail] = row;
                }
            } else {
                let row = used;
                used += 1;
                for (tail, script) in scripts.into_iter().enumerate() {
                    table.classes[row * ROW + tail] = table.class(script, 3);
                }
                table.rows[(0xE0 | first >> 12) << 8 | 0x80 | first >> 6 & 0x3F] = row as u16;
            }
        }
        table
    }

    /// The class for a script and a length. If there is no room for another one, it is [`EXACT`].
    fn class(&mut self, script: Script, length: usize) -> u8 {
        let known = self.meanings.iter().position(|&meaning| meaning == (script, length));
        let class = known.unwrap_or(self.meanings.len());
        if known.is_none() && class <= usize::from(u8::MAX) {
            self.meanings.push((script, length));
        }
        u8::try_from(class).unwrap_or(EXACT)
    }

    /// The row that has only this class.
    fn even_row(&mut self, class: u8, used: &mut usize) -> u16 {
        let row = (0..*used).find(|row| self.classes[row * ROW..][..ROW].iter().all(|&of| of == class));
        let row = row.unwrap_or_else(|| {
            self.classes[*used * ROW..][..ROW].fill(class);
            *used += 1;
            *used - 1
        });
        row as u16
    }

    /// The class of the character that starts with these bytes. A character of two bytes may be followed by anything.
    #[inline]
    pub(super) fn class_of(&self, [first, second, third]: [u8; 3]) -> u8 {
        let row = usize::from(self.rows[usize::from(u16::from_be_bytes([first, second]))]);
        self.classes[(row * ROW + usize::from(third & 0x3F)) % (ROWS_AT_MOST * ROW)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_character_has_its_script_and_length() {
        for c in '\u{80}'..=char::MAX {
            for behind in [0, b'a', 0x85, 0xE3] {
                let mut bytes = [behind; 5];
                let length = c.encode_utf8(&mut bytes[..4]).len();
                bytes[length..].fill(behind);
                let class = ROWS.class_of([bytes[0], bytes[1], bytes[2]]);
                let script = scripts_of(c as usize / PAGE)[c as usize % PAGE];
                let expected = if length < 4 { (script, length) } else { (Script::Unknown, 0) };
                assert_eq!(ROWS.meanings[usize::from(class)], expected, "{c:?}");
            }
        }
    }
}
