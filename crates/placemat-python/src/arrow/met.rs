//! Finds rows that a column has more than once.

/// Remembers rows, so that equal rows are converted once.
pub(super) struct Met {
    /// The last row with each hash of its bytes. The length is a power of two.
    last: Vec<usize>,
}

impl Met {
    /// The most rows that are remembered, in 128 KiB.
    const MOST: usize = 1 << 14;

    pub(super) fn new(rows: usize) -> Self {
        Met { last: vec![0; rows.next_power_of_two().min(Self::MOST)] }
    }

    /// Returns an earlier row that is equal to this one, and remembers this one. Constant time but for the comparison. `bytes_of`
    /// returns the bytes of row 0 and of every row that was passed to this function before.
    pub(super) fn before<'a>(
        &mut self,
        row: usize,
        bytes: &[u8],
        bytes_of: impl Fn(usize) -> Option<&'a [u8]>,
    ) -> Option<usize> {
        let word = |at: usize| match bytes[at..].first_chunk() {
            Some(word) => u64::from_le_bytes(*word),
            None => bytes.iter().rev().take(8).fold(0, |word, &byte| word << 8 | u64::from(byte)),
        };
        let end = bytes.len();
        let number = [0, end / 4, end / 2, end.saturating_sub(8)].iter().fold(end as u64, |number, &at| {
            (number ^ word(at)).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29)
        });
        let slot = number as usize & (self.last.len() - 1);
        let before = std::mem::replace(&mut self.last[slot], row);
        (before < row && bytes_of(before) == Some(bytes)).then_some(before)
    }
}
