//! Reads despite interruptions, and recognizes binary files.

use std::io::{self, Read, Write};

use placemat::valid_prefix;

/// The number of bytes at the start of a file that decide whether it is binary.
pub const HEAD: u64 = 8 << 10;

/// Whether the first [`HEAD`] bytes are those of a binary file: they hold a NUL and start without a byte order mark. Linear.
///
/// ```
/// use placemat_text::io::is_binary;
///
/// assert!(is_binary(b"\x89PNG\0"));
/// assert!(!is_binary(b"\xFF\xFEa\0"));
/// ```
#[must_use]
pub fn is_binary(head: &[u8]) -> bool {
    placemat::bom::sniff(head).is_none() && memchr::memchr(0, head).is_some()
}

/// Reads the next bytes into `buffer`, and returns how many they are: 0 at the end.
///
/// # Errors
/// Those of reading, except interruptions.
///
/// ```
/// let mut room = [0; 4];
/// assert_eq!(placemat_text::io::read_some(&mut &b"abc"[..], &mut room).unwrap(), 3);
/// ```
pub fn read_some(reader: &mut (impl Read + ?Sized), buffer: &mut [u8]) -> io::Result<usize> {
    loop {
        match reader.read(buffer) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            read => return read,
        }
    }
}

/// Like [`read_some`], but appends the bytes, at most `most`, to `buffer`.
///
/// # Errors
/// As [`read_some`].
///
/// ```
/// let mut bytes = vec![b'a'];
/// assert_eq!(placemat_text::io::read_more(&mut &b"bcd"[..], &mut bytes, 2).unwrap(), 2);
/// assert_eq!(bytes, b"abc");
/// ```
pub fn read_more(reader: &mut impl Read, buffer: &mut Vec<u8>, most: usize) -> io::Result<usize> {
    let old = buffer.len();
    buffer.resize(old + most, 0);
    let read = read_some(reader, &mut buffer[old..]);
    buffer.truncate(old + *read.as_ref().unwrap_or(&0));
    read
}

/// Reads until `block` is full or the input ends, and returns the number of bytes read.
///
/// # Errors
/// As [`read_some`].
///
/// ```
/// let mut block = [0; 2];
/// assert_eq!(placemat_text::io::fill(&mut &b"abc"[..], &mut block).unwrap(), 2);
/// ```
pub fn fill(input: &mut dyn Read, block: &mut [u8]) -> io::Result<usize> {
    let mut filled = 0;
    while filled < block.len() {
        match read_some(input, &mut block[filled..])? {
            0 => break,
            read => filled += read,
        }
    }
    Ok(filled)
}

/// A writer that compares what is written with what a reader reads.
///
/// ```
/// use std::io::Write as _;
/// use placemat_text::io::Comparison;
///
/// let mut written = Comparison::with(&b"abc"[..]);
/// written.write_all(b"ab").unwrap();
/// written.write_all(b"c").unwrap();
/// assert!(written.finish().unwrap());
/// ```
pub struct Comparison<R> {
    other: R,
    is_same: bool,
    block: Vec<u8>,
}

impl<R: Read> Comparison<R> {
    /// Compares what will be written with all that `other` reads.
    ///
    /// ```
    /// use placemat_text::io::Comparison;
    ///
    /// assert!(!Comparison::with(&b"abc"[..]).finish().unwrap());
    /// ```
    pub fn with(other: R) -> Comparison<R> {
        Comparison { other, is_same: true, block: Vec::new() }
    }

    /// Whether what was written is the same as all that the other reads.
    ///
    /// # Errors
    /// Those of reading.
    ///
    /// ```
    /// use placemat_text::io::Comparison;
    ///
    /// assert!(Comparison::with(&b""[..]).finish().unwrap());
    /// ```
    pub fn finish(mut self) -> io::Result<bool> {
        Ok(self.is_same && read_some(&mut self.other, &mut [0])? == 0)
    }
}

impl<R: Read> Write for Comparison<R> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.is_same {
            self.block.resize(bytes.len(), 0);
            let read = fill(&mut self.other, &mut self.block)?;
            self.is_same = self.block[..read] == *bytes;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Returns how many bytes at the end begin a sequence of UTF-8 that more bytes may complete: 0 to 3.
///
/// The bytes before them end at a boundary: whatever follows, no sequence and no error extends across it.
///
/// ```
/// assert_eq!(placemat_text::io::unfinished(b"caf\xC3"), 1);
/// ```
pub fn unfinished(bytes: &[u8]) -> usize {
    let longest = bytes.len().min(3);
    (1..=longest).find(|&n| valid_prefix(&bytes[bytes.len() - n..]) == (0, None)).unwrap_or(0)
}

/// A line without its line end.
pub(crate) fn without_end(line: &[u8]) -> &[u8] {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    line.strip_suffix(b"\r").unwrap_or(line)
}

#[cfg(test)]
mod tests {
    use super::unfinished;

    #[test]
    fn only_a_sequence_that_may_be_completed_is_unfinished() {
        let cases: [(&[u8], usize); 12] = [
            (b"", 0),
            (b"a", 0),
            (b"\xC3", 1),
            (b"a\xE2\x82", 2),
            (b"a\xF0\x9F\x98", 3),
            (b"\xF0\x9F\x98\x80", 0),
            (b"\xE2\x82\xAC", 0),
            (b"\x80\x80", 0),
            (b"\xED\xA0", 0),
            (b"\xED", 1),
            (b"\xC0", 0),
            (b"\xE2\x82\xC3", 1),
        ];
        for (bytes, expected) in cases {
            assert_eq!(unfinished(bytes), expected, "{bytes:02X?}");
        }
    }
}
