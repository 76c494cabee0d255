//! The files that the page has open, and the outputs that are written for it.

use std::io::{self, Read};

/// The functions that JavaScript provides.
pub(crate) trait Host {
    /// Moves to an offset of file number `file`; the next read starts there.
    fn open(&mut self, file: u32, offset: u64);
    /// Reads at most as many bytes as `room` has. Returns 0 at the end, `None` if reading failed.
    fn read(&mut self, room: &mut [u8]) -> Option<usize>;
    /// Appends to output number `output`.
    fn write(&mut self, output: u32, bytes: &[u8]);
}

/// Reads a file from an offset on.
pub(crate) struct Source<'a>(&'a mut dyn Host);

impl<'a> Source<'a> {
    pub(crate) fn open(host: &'a mut dyn Host, file: u32, offset: u64) -> Source<'a> {
        host.open(file, offset);
        Source(host)
    }
}

impl Read for Source<'_> {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        self.0.read(room).ok_or_else(|| io::Error::other("the file can no longer be read"))
    }
}

/// Files in memory.
#[cfg(test)]
#[derive(Default)]
pub(crate) struct InMemory {
    pub(crate) files: Vec<Vec<u8>>,
    pub(crate) outputs: [Vec<u8>; 2],
    pub(crate) at: (usize, usize),
}

#[cfg(test)]
impl Host for InMemory {
    fn open(&mut self, file: u32, offset: u64) {
        self.at = (file as usize, offset as usize);
    }

    fn read(&mut self, room: &mut [u8]) -> Option<usize> {
        let rest = self.files.get(self.at.0)?.get(self.at.1..).unwrap_or_default();
        let n = rest.len().min(room.len());
        room[..n].copy_from_slice(&rest[..n]);
        self.at.1 += n;
        Some(n)
    }

    fn write(&mut self, output: u32, bytes: &[u8]) {
        self.outputs[output as usize].extend_from_slice(bytes);
    }
}
