//! Buffers of bytes that can be read as code units, at a known distance from a cache line.

/// Bytes in a cache line, and in the widest vector.
const LINE: usize = 64;

#[derive(Clone, Copy)]
#[repr(align(64))]
struct Line(#[expect(dead_code, reason = "looked at as units only")] [u8; LINE]);

/// A fixed number of bytes, aligned to 64.
pub struct Buffer {
    lines: Vec<Line>,
    len: usize,
}

/// A code unit of 1, 2 or 4 bytes, or a word of 8, for which every bit pattern is valid.
pub trait Unit: Copy + 'static {
    const SIZE: usize = size_of::<Self>();

    fn of(buffer: &Buffer) -> &[Self] {
        // SAFETY: `lines` holds at least `len` initialised bytes, aligned to 64; every pattern is a unit.
        unsafe { std::slice::from_raw_parts(buffer.lines.as_ptr().cast(), buffer.len / Self::SIZE) }
    }

    fn of_mut(buffer: &mut Buffer) -> &mut [Self] {
        // SAFETY: as in `of`, and a unit has no padding, so all its bytes are initialised.
        unsafe { std::slice::from_raw_parts_mut(buffer.lines.as_mut_ptr().cast(), buffer.len / Self::SIZE) }
    }

    fn bytes(units: &[Self]) -> &[u8] {
        // SAFETY: a unit is `SIZE` initialised bytes.
        unsafe { std::slice::from_raw_parts(units.as_ptr().cast(), size_of_val(units)) }
    }
}

impl Unit for u8 {}
impl Unit for u16 {}
impl Unit for u32 {}
impl Unit for u64 {}

impl Buffer {
    /// `len` zero bytes.
    pub fn zeroed(len: usize) -> Buffer {
        Buffer { lines: vec![Line([0; LINE]); len.div_ceil(LINE)], len }
    }

    /// `bytes`, `offset` bytes after the start.
    pub fn of(bytes: &[u8], offset: usize) -> Buffer {
        let mut buffer = Buffer::zeroed(offset + bytes.len());
        buffer.bytes_mut()[offset..].copy_from_slice(bytes);
        buffer
    }

    pub fn bytes_mut(&mut self) -> &mut [u8] {
        Unit::of_mut(self)
    }
}
