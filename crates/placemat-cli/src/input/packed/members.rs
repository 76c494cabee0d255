//! Files of several concatenated members, as gzip and bzip2 allow, with zeros between and behind them, as tapes and
//! block devices leave them.

use std::io::{self, BufRead, Read};

use bzip2::bufread::BzDecoder;
use flate2::bufread::GzDecoder;

use super::named::named;
use super::{LONGEST, Packed};
use crate::input::read_more;

/// Bytes read at once.
const READ: usize = 32 << 10;

/// A reader with lookahead.
pub(super) struct Ahead<R> {
    reader: R,
    held: Vec<u8>,
    at: usize,
}

impl<R: Read> Ahead<R> {
    pub(super) fn new(reader: R) -> Ahead<R> {
        Ahead { reader, held: Vec::new(), at: 0 }
    }

    /// The next `count` bytes, which are not consumed; fewer at the end.
    pub(super) fn peek(&mut self, count: usize) -> io::Result<&[u8]> {
        if self.held.len() - self.at < count {
            self.held.drain(..self.at);
            self.at = 0;
            while self.held.len() < count && self.more()? > 0 {}
        }
        let held = &self.held[self.at..];
        Ok(&held[..held.len().min(count)])
    }

    fn more(&mut self) -> io::Result<usize> {
        read_more(&mut self.reader, &mut self.held, READ)
    }

    fn skip_zeros(&mut self) -> io::Result<()> {
        loop {
            let held = self.fill_buf()?;
            let zeros = held.iter().take_while(|&&byte| byte == 0).count();
            let are_all = zeros == held.len();
            self.consume(zeros);
            if !are_all || zeros == 0 {
                return Ok(());
            }
        }
    }
}

impl<R: Read> BufRead for Ahead<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.at == self.held.len() {
            self.held.clear();
            self.at = 0;
            self.more()?;
        }
        Ok(&self.held[self.at..])
    }

    fn consume(&mut self, count: usize) {
        self.at += count;
    }
}

impl<R: Read> Read for Ahead<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.fill_buf()?.read(buffer)?;
        self.consume(read);
        Ok(read)
    }
}

/// A decoder of one member.
pub(super) trait Member: Read {
    type Source: Read;
    const FORMAT: Packed;
    fn begin(source: Ahead<Self::Source>) -> Self;
    fn end(self) -> Ahead<Self::Source>;
}

impl<R: Read> Member for GzDecoder<Ahead<R>> {
    type Source = R;
    const FORMAT: Packed = Packed::Gzip;

    fn begin(source: Ahead<R>) -> Self {
        GzDecoder::new(source)
    }

    fn end(self) -> Ahead<R> {
        self.into_inner()
    }
}

impl<R: Read> Member for BzDecoder<Ahead<R>> {
    type Source = R;
    const FORMAT: Packed = Packed::Bzip2;

    fn begin(source: Ahead<R>) -> Self {
        BzDecoder::new(source)
    }

    fn end(self) -> Ahead<R> {
        self.into_inner()
    }
}

/// Reads members until nothing is left.
pub(super) struct Members<M> {
    /// `None` after the last member.
    member: Option<M>,
}

impl<M: Member> Members<M> {
    pub(super) fn new(source: Ahead<M::Source>) -> Members<M> {
        Members { member: Some(M::begin(source)) }
    }
}

impl<M: Member> Read for Members<M> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if buffer.is_empty() {
            return Ok(0);
        }
        while let Some(member) = &mut self.member {
            let read = member.read(buffer).map_err(|error| named(M::FORMAT, error))?;
            if read > 0 {
                return Ok(read);
            }
            let Some(mut source) = self.member.take().map(M::end) else { break };
            source.skip_zeros()?;
            let head = source.peek(LONGEST)?;
            if Packed::of(head) == Some(M::FORMAT) {
                self.member = Some(M::begin(source));
            } else if !head.is_empty() {
                let format = M::FORMAT;
                return Err(io::Error::new(
                    io::ErrorKind::InvalidData,
                    format!("the compressed data is followed by bytes that are neither {format} nor padding"),
                ));
            }
        }
        Ok(0)
    }
}
