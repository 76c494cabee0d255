//! Reads a file at any position.

use std::fs::File;
use std::io::{self, Read};

use crate::input::HEAD;
use placemat_text::io::unfinished;

/// A part of a file.
pub(crate) struct Section<'a> {
    pub(crate) file: &'a File,
    pub(crate) at: u64,
    pub(crate) end: u64,
}

impl Read for Section<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let wanted = (self.end - self.at).min(buffer.len() as u64) as usize;
        let read = read_at(self.file, &mut buffer[..wanted], self.at)?;
        self.at += read as u64;
        Ok(read)
    }
}

/// Reads the first bytes, which decide whether a file is binary.
///
/// # Errors
/// Those of reading.
pub(crate) fn head(file: &File) -> io::Result<Vec<u8>> {
    let mut head = vec![0; HEAD as usize];
    let read = read_fully(file, &mut head, 0)?;
    head.truncate(read);
    Ok(head)
}

/// Fills the buffer from position `at`, as far as the file goes. Returns the number of bytes read.
pub(crate) fn read_fully(file: &File, buffer: &mut [u8], at: u64) -> io::Result<usize> {
    let mut filled = 0;
    while filled < buffer.len() {
        match read_at(file, &mut buffer[filled..], at + filled as u64) {
            Ok(0) => break,
            Ok(read) => filled += read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(filled)
}

/// The boundary of a character of UTF-8 at or before `at`.
pub(crate) fn boundary(file: &File, at: u64) -> io::Result<u64> {
    let mut before = [0; 3];
    let wanted = at.min(3);
    let read = read_fully(file, &mut before[..wanted as usize], at - wanted)?;
    // A file that was truncated meanwhile ends before `at`, and no character reaches over it.
    Ok(at - if read as u64 == wanted { unfinished(&before[..read]) as u64 } else { 0 })
}

#[cfg(unix)]
fn read_at(file: &File, buffer: &mut [u8], at: u64) -> io::Result<usize> {
    std::os::unix::fs::FileExt::read_at(file, buffer, at)
}

#[cfg(windows)]
fn read_at(file: &File, buffer: &mut [u8], at: u64) -> io::Result<usize> {
    std::os::windows::fs::FileExt::seek_read(file, buffer, at)
}
