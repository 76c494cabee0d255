//! Random rows, the same in every run.

/// One row; `None` if null.
pub(crate) type Row = Option<Vec<u8>>;

/// A generator of numbers (Knuth's MMIX constants).
pub(crate) struct Dice(pub(crate) u64);

impl Dice {
    pub(crate) fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % n
    }

    /// Some part of `0..len`.
    pub(crate) fn range(&mut self, len: usize) -> (usize, usize) {
        let from = self.below(len + 1);
        (from, from + self.below(len - from + 1))
    }
}

/// The pieces of rows: text, errors, and halves of characters, of which the other half may begin the next row.
const PIECES: [&[u8]; 19] = [
    b"a",
    b"plain text",
    b"\xC3\xA9",
    b"\xE2\x82\xAC",
    b"\xF0\x9F\x98\x80",
    b"",
    b"0123456789ab",
    b"\xEF\xBB\xBF",
    b"a row that is longer than what a view can hold, in several words",
    b"\xE2\x80\x8B",
    b"\xE2\x81\xA6\xF3\xA0\x81\xA8",
    b"\xFF",
    b"\xC3",
    b"\xA9",
    b"\xE2\x82",
    b"\xAC",
    b"\xED\xA0\xBD",
    b"\xED\xB8\x80",
    b"\xF0\x9F",
];

/// Up to 40 rows, or now and then some thousand short ones, which are more than one block. A share of them is null, a share
/// ill-formed. In half of the columns no row begins inside a character.
pub(crate) fn rows(dice: &mut Dice) -> Vec<Row> {
    let len = if dice.below(10) == 0 { 2000 + dice.below(500) } else { dice.below(40) };
    let (bad, null) = ([0, 2, 10, 100][dice.below(4)], [0, 5, 50][dice.below(3)]);
    let is_whole = dice.below(2) == 0;
    (0..len)
        .map(|_| {
            let pieces = if dice.below(100) < bad { &PIECES[..] } else { &PIECES[..11] };
            let mut row: Vec<u8> =
                (0..dice.below(5)).flat_map(|_| pieces[dice.below(pieces.len())]).copied().collect();
            if is_whole && row.first().is_some_and(|byte| byte & 0xC0 == 0x80) {
                row[0] = b'a';
            }
            (dice.below(100) >= null).then_some(row)
        })
        .collect()
}

/// Bytes under a null: text or ill-formed.
pub(crate) fn under_null(dice: &mut Dice) -> Vec<u8> {
    PIECES[dice.below(PIECES.len())].to_vec()
}
