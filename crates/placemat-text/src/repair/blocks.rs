//! A text in blocks that end with a line, where lines are not too long for that.

use std::io::{self, Read};

use memchr::memrchr;

use crate::io::read_more;

/// Bytes read at once.
const READ: usize = 128 << 10;

/// A line that is longer is cut.
const LONGEST_LINE: usize = 1 << 20;

/// Reads blocks; what was not settled comes again with the next.
pub struct Blocks<R> {
    reader: R,
    buffer: Vec<u8>,
    is_over: bool,
}

impl<R: Read> Blocks<R> {
    /// Blocks of what `reader` reads.
    ///
    /// ```
    /// use placemat_text::repair::blocks::Blocks;
    ///
    /// let mut blocks = Blocks::new(&b"abc"[..]);
    /// assert_eq!(blocks.block().unwrap(), (&b"abc"[..], true));
    /// ```
    pub fn new(reader: R) -> Blocks<R> {
        Blocks { reader, buffer: Vec::new(), is_over: false }
    }

    /// The next block, and whether it is the last one. Never longer than a line may be and a read.
    ///
    /// # Errors
    /// Those of reading; what was read before is the last block then.
    ///
    /// ```
    /// use placemat_text::repair::blocks::Blocks;
    ///
    /// let mut blocks = Blocks::new(&b"abc"[..]);
    /// assert_eq!(blocks.block().unwrap(), (&b"abc"[..], true));
    /// ```
    pub fn block(&mut self) -> io::Result<(&[u8], bool)> {
        loop {
            if self.is_over {
                return Ok((&self.buffer, true));
            }
            if self.buffer.len() >= READ {
                let end = memrchr(b'\n', &self.buffer).map(|at| at + 1);
                if let Some(end) = end.or((self.buffer.len() >= LONGEST_LINE).then_some(self.buffer.len())) {
                    return Ok((&self.buffer[..end], false));
                }
            }
            self.read()?;
        }
    }

    /// Let go of the first `settled` bytes.
    ///
    /// ```
    /// use placemat_text::repair::blocks::Blocks;
    ///
    /// let mut blocks = Blocks::new(&b"abc"[..]);
    /// blocks.block().unwrap();
    /// blocks.settle(2);
    /// assert_eq!(blocks.block().unwrap(), (&b"c"[..], true));
    /// ```
    pub fn settle(&mut self, settled: usize) {
        self.buffer.drain(..settled);
    }

    fn read(&mut self) -> io::Result<()> {
        let read = read_more(&mut self.reader, &mut self.buffer, READ);
        self.is_over = matches!(read, Ok(0) | Err(_));
        read.map(drop)
    }
}
