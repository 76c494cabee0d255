//! Bytes that are also code units: aligned for 32 bits.

/// A fixed number of bytes, aligned to 4.
pub struct Buffer {
    words: Vec<u32>,
    len: usize,
}

impl Buffer {
    /// `len` zero bytes.
    pub fn zeroed(len: usize) -> Buffer {
        Buffer { words: vec![0; len.div_ceil(4)], len }
    }

    /// A copy of `bytes`.
    pub fn of(bytes: &[u8]) -> Buffer {
        let mut buffer = Buffer::zeroed(bytes.len());
        buffer.bytes_mut().copy_from_slice(bytes);
        buffer
    }

    pub fn bytes(&self) -> &[u8] {
        // SAFETY: `words` holds at least `len` initialised bytes.
        unsafe { std::slice::from_raw_parts(self.words.as_ptr().cast(), self.len) }
    }

    pub fn bytes_mut(&mut self) -> &mut [u8] {
        // SAFETY: as in `bytes`, and every byte pattern is a `u32`.
        unsafe { std::slice::from_raw_parts_mut(self.words.as_mut_ptr().cast(), self.len) }
    }

    pub fn u16s(&self) -> &[u16] {
        // SAFETY: as in `bytes`; aligned to 4.
        unsafe { std::slice::from_raw_parts(self.words.as_ptr().cast(), self.len / 2) }
    }

    pub fn u16s_mut(&mut self) -> &mut [u16] {
        // SAFETY: as in `bytes_mut`; aligned to 4.
        unsafe { std::slice::from_raw_parts_mut(self.words.as_mut_ptr().cast(), self.len / 2) }
    }

    pub fn u32s(&self) -> &[u32] {
        &self.words[..self.len / 4]
    }

    pub fn u32s_mut(&mut self) -> &mut [u32] {
        &mut self.words[..self.len / 4]
    }
}
