//! The bytes of an unfinished sequence, kept from one chunk to the next.

#![forbid(unsafe_code)]

/// Twice the longest look-ahead: an unfinished sequence, and the bytes that finish it.
pub(crate) const CAPACITY: usize = 32;

/// A short queue of bytes that are read but not yet decoded.
#[derive(Clone, Copy)]
pub(crate) struct Carry {
    bytes: [u8; CAPACITY],
    len: u8,
}

impl Carry {
    pub(crate) const EMPTY: Carry = Carry { bytes: [0; CAPACITY], len: 0 };

    pub(crate) fn len(&self) -> usize {
        usize::from(self.len)
    }

    /// The kept bytes.
    #[cfg(feature = "alloc")]
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes[..self.len()]
    }

    /// The kept bytes and as many of `src` as fit behind them, with their number.
    pub(crate) fn extended(&self, src: &[u8]) -> ([u8; CAPACITY], usize) {
        let mut bytes = self.bytes;
        let taken = src.len().min(CAPACITY - self.len());
        bytes[self.len()..self.len() + taken].copy_from_slice(&src[..taken]);
        (bytes, self.len() + taken)
    }

    /// Append the whole of `src`, which fits: an unfinished sequence is shorter than the longest look-ahead.
    pub(crate) fn append(&mut self, src: &[u8]) {
        let (bytes, len) = self.extended(src);
        debug_assert_eq!(len, self.len() + src.len());
        (self.bytes, self.len) = (bytes, len as u8);
    }

    /// Drop the first `n` bytes, or all of them if there are fewer.
    pub(crate) fn consume(&mut self, n: usize) {
        let n = n.min(self.len());
        self.bytes.copy_within(n.., 0);
        self.len -= n as u8;
    }
}
