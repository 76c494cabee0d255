//! Divides a text into blocks that end with a line. Very long lines are divided too.

use std::io::{self, Read};

use memchr::{memchr, memrchr};
use placemat::invisible::AROUND;

use crate::io::{read_more, unfinished};

/// The number of bytes read at once.
const READ: usize = 128 << 10;

/// The longest part of a line. Counted from the start of the input, a line is cut at each multiple of this number of bytes for
/// which no line ends within as many bytes before.
pub const LONGEST_LINE: u64 = 1 << 20;

/// Returns the last place in `text[..ready]` where a block may end: after a line, or after a part of a long one (`longest` is
/// [`LONGEST_LINE`] here). `text` starts `offset` bytes after the start of the input. However the input is divided at such
/// places, its parts have the same lines.
///
/// ```
/// use placemat_text::repair::blocks::end;
///
/// assert_eq!(end(b"ab\ncd\nef", 0, 8, 64), Some(6));
/// assert_eq!(end(b"abcdefghij", 4, 10, 8), None);
/// assert_eq!(end(b"abcdefghij", 8, 10, 8), Some(8));
/// ```
#[must_use]
pub fn end(text: &[u8], offset: u64, ready: usize, longest: u64) -> Option<usize> {
    end_of_part(&text[..ready], offset, longest).or_else(|| memrchr(b'\n', &text[..ready]).map(|at| at + 1))
}

/// Returns the first place where a line of `text` is cut.
///
/// ```
/// use placemat_text::repair::blocks::end_of_part;
///
/// assert_eq!(end_of_part(b"abcdefgh\nj", 8, 8), Some(8));
/// assert_eq!(end_of_part(b"abcdefg\nhj", 8, 8), None);
/// ```
#[must_use]
pub fn end_of_part(text: &[u8], offset: u64, longest: u64) -> Option<usize> {
    let first = offset.next_multiple_of(longest) - offset + longest;
    let mut cuts = (first..=text.len() as u64).step_by(longest as usize).map(|cut| cut as usize);
    let cut = cuts.find(|&cut| memchr(b'\n', &text[cut - longest as usize..cut]).is_none())?;
    Some(cut - unfinished(&text[cut.saturating_sub(3)..cut]))
}

/// A part of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Block<'a> {
    /// Whole lines, or a part of a long one.
    pub text: &'a [u8],
    /// The text before and after it: at least [`AROUND`] bytes, if there are so many.
    pub around: [&'a [u8]; 2],
    /// Whether nothing follows.
    pub is_last: bool,
}

/// Divides pushed text into blocks. What the caller did not settle is part of the next block again.
#[derive(Debug, Default)]
pub(crate) struct Cutter {
    /// The text settled last, and the text pushed after it.
    buffer: Vec<u8>,
    before: usize,
    /// The offset of the block in the input.
    offset: u64,
}

impl Cutter {
    /// The buffer, to which more text is appended.
    pub(crate) fn end(&mut self) -> &mut Vec<u8> {
        &mut self.buffer
    }

    /// Returns the next block, if there is enough text for one. `is_over`: nothing more will come.
    pub(crate) fn block(&self, is_over: bool) -> Option<Block<'_>> {
        let (before, text) = self.buffer.split_at(self.before);
        let end = match is_over {
            true => end_of_part(text, self.offset, LONGEST_LINE).unwrap_or(text.len()),
            false if text.len() < READ => return None,
            false => end(text, self.offset, text.len() - AROUND, LONGEST_LINE)?,
        };
        let (text, after) = text.split_at(end);
        Some(Block { text, around: [before, after], is_last: is_over && after.is_empty() })
    }

    /// Releases the first `settled` bytes of the block.
    pub(crate) fn settle(&mut self, settled: usize) {
        self.offset += settled as u64;
        self.before += settled;
        self.buffer.drain(..self.before.saturating_sub(AROUND));
        self.before = self.before.min(AROUND);
    }
}

/// Reads an input in blocks. What the caller did not settle is part of the next block again.
pub struct Blocks<R> {
    reader: R,
    cutter: Cutter,
    is_over: bool,
}

impl<R: Read> Blocks<R> {
    /// Reads the blocks of `reader`.
    ///
    /// ```
    /// use placemat_text::repair::blocks::Blocks;
    ///
    /// let mut blocks = Blocks::new(&b"abc"[..]);
    /// assert_eq!(blocks.block().unwrap().text, b"abc");
    /// ```
    pub fn new(reader: R) -> Blocks<R> {
        Blocks::from(reader, 0)
    }

    /// Like [`Blocks::new`], for lines that start at `offset` of the input.
    pub(crate) fn from(reader: R, offset: u64) -> Blocks<R> {
        Blocks { reader, cutter: Cutter { offset, ..Cutter::default() }, is_over: false }
    }

    /// Returns the next block: at most two [`LONGEST_LINE`] and one read.
    ///
    /// # Errors
    /// Those of reading. What was read before is then the last block.
    ///
    /// ```
    /// use placemat_text::repair::blocks::Blocks;
    ///
    /// let mut blocks = Blocks::new(&b"abc"[..]);
    /// assert!(blocks.block().unwrap().is_last);
    /// ```
    pub fn block(&mut self) -> io::Result<Block<'_>> {
        while !self.is_over && self.cutter.block(false).is_none() {
            let read = read_more(&mut self.reader, self.cutter.end(), READ);
            self.is_over = matches!(read, Ok(0) | Err(_));
            read?;
        }
        Ok(self.cutter.block(self.is_over).unwrap_or(Block { text: b"", around: [b""; 2], is_last: true }))
    }

    /// The reader. Use it only between two blocks.
    ///
    /// ```
    /// use placemat_text::repair::blocks::Blocks;
    ///
    /// assert_eq!(*Blocks::new(&b"abc"[..]).reader_mut(), b"abc");
    /// ```
    pub fn reader_mut(&mut self) -> &mut R {
        &mut self.reader
    }

    /// Releases the first `settled` bytes.
    ///
    /// ```
    /// use placemat_text::repair::blocks::Blocks;
    ///
    /// let mut blocks = Blocks::new(&b"abc"[..]);
    /// blocks.block().unwrap();
    /// blocks.settle(2);
    /// let block = blocks.block().unwrap();
    /// assert!(block.text == b"c" && block.around == [&b"ab"[..], b""]);
    /// ```
    pub fn settle(&mut self, settled: usize) {
        self.cutter.settle(settled);
    }
}

/// Whether `lines` are whole lines, by the text before and after them.
pub(crate) fn are_whole(lines: &[u8], [before, after]: [&[u8]; 2]) -> bool {
    before.last().is_none_or(|&byte| byte == b'\n') && (after.is_empty() || lines.ends_with(b"\n"))
}
