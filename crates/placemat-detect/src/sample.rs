//! The part of a text that legacy encodings are judged by.
#![forbid(unsafe_code)]

use core::ops::Range;

use crate::look::{has, is_ascii};

/// The number of bytes at the start of the text that are always kept.
pub(crate) const HEAD: usize = 64 << 10;
/// The number of bytes that are kept at most.
pub(crate) const MOST: usize = 320 << 10;
/// The size of the blocks after the start. A block is kept if it is not plain ASCII.
pub(crate) const BLOCK: usize = 4 << 10;

/// Keeps the start of a text and the blocks that are not plain ASCII, in any chunking.
#[derive(Clone, Debug)]
pub(crate) struct Sample {
    kept: Vec<u8>,
    /// Where the block being read begins in `kept`; the start of the text is the first block.
    block: usize,
    skipped: bool,
    /// The length of the text so far.
    length: u64,
}

impl Sample {
    pub(crate) fn new() -> Self {
        Self { kept: Vec::new(), block: 0, skipped: false, length: 0 }
    }

    /// Whether the start of the text is complete.
    pub(crate) fn has_head(&self) -> bool {
        self.kept.len() >= HEAD
    }

    /// Whether no block was left out.
    pub(crate) fn is_whole(&self) -> bool {
        self.kept.len() as u64 == self.length
    }

    pub(crate) fn head(&self) -> &[u8] {
        &self.kept[..self.kept.len().min(HEAD)]
    }

    /// Adds a chunk, and returns the part of it that is after the start of the text.
    pub(crate) fn push<'a>(&mut self, chunk: &'a [u8]) -> &'a [u8] {
        self.length += chunk.len() as u64;
        let (head, rest) = chunk.split_at(chunk.len().min(HEAD.saturating_sub(self.kept.len())));
        self.kept.extend_from_slice(head);
        if self.has_head() {
            self.block = self.block.max(HEAD);
        }
        let mut blocks = rest;
        while !blocks.is_empty() && self.block < MOST {
            let (more, after) = blocks.split_at(blocks.len().min(self.block + BLOCK - self.kept.len()));
            self.kept.extend_from_slice(more);
            blocks = after;
            if self.kept.len() == self.block + BLOCK {
                self.end_block();
            }
        }
        rest
    }

    fn end_block(&mut self) {
        let block = &self.kept[self.block..];
        if is_plain(block) {
            self.kept.truncate(self.block);
            self.skipped = true;
        } else {
            if self.skipped {
                // Bytes of blocks that are not adjacent in the text must not look adjacent.
                self.kept[self.block] = b'\n';
            }
            self.block = self.kept.len();
            self.skipped = false;
        }
    }

    pub(crate) fn finish(self) -> Vec<u8> {
        self.kept
    }
}

/// The blocks that a sample keeps, while it has room, of a part of the text after its start.
pub(crate) fn kept(text: &[u8], part: Range<usize>) -> impl Iterator<Item = Range<usize>> + Clone {
    let blocks = part.clone().step_by(BLOCK).map(move |start| start..part.end.min(start + BLOCK));
    blocks.filter(|block| !is_plain(&text[block.clone()]))
}

fn is_plain(block: &[u8]) -> bool {
    is_ascii(block) && !has(block, 0x1B)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_blocks_are_left_out_in_any_chunking() {
        let mut text = vec![b'a'; 200 << 10];
        text[100 << 10] = 0xE9;
        let mut whole = Sample::new();
        assert_eq!(whole.push(&text).len(), text.len() - HEAD);
        assert_eq!(whole.finish().len(), HEAD + BLOCK);
        let mut pieces = Sample::new();
        let rest: usize = text.chunks(999).map(|chunk| pieces.push(chunk).len()).sum();
        assert_eq!(rest, text.len() - HEAD);
        assert_eq!(pieces.finish().len(), HEAD + BLOCK);
    }

    #[test]
    fn memory_is_bounded() {
        let mut sample = Sample::new();
        for _ in 0..100 {
            sample.push(&[0xE9; 9999]);
        }
        assert_eq!(sample.finish().len(), MOST);
    }
}
