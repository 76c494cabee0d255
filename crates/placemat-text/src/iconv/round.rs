//! Passes one batch of code points from reader to writer, and handles a code point that the target lacks.

use super::reader::{Memory, Stop, WIDTH};
use super::writer::Full;
use super::{BATCH, Descriptor, FEW, Habit, Progress, Status};
use crate::translit;

/// The result of writing a replacement for a character that the target lacks.
enum Lacking {
    Written(usize),
    Full,
    Refused,
}

impl Descriptor {
    /// Converts one batch of code points. Returns why the call ends, if it does.
    pub(super) fn round(
        &mut self,
        src: &[u8],
        dst: &mut [u8],
        at: &mut Progress,
        has_discarded: &mut bool,
    ) -> Option<Status> {
        let before = self.reader.memory();
        let (rest, room) = (&src[at.read..], dst.len() - at.written);
        // Reading more than fits is wasted work. With much room that is rare, and the division would take time.
        let fitting = if rest.len() <= room / 4 { self.stride } else { room / self.writer.least() + 2 };
        let batch = self.reader.read(rest, &mut self.pivot[..WIDTH * fitting.min(self.stride)]);
        self.stride = BATCH.min(self.stride * 2);
        let pivot = &self.pivot[..WIDTH * batch.len];
        let room = &mut dst[at.written..];
        let (len, full) = if batch.is_one {
            match self.writer.write_whole_pivot(pivot, room) {
                Ok(written) => {
                    at.written += written;
                    (batch.len, Full::No)
                }
                Err(full) => (0, full),
            }
        } else {
            let put = self.writer.write(pivot, room);
            at.written += put.written;
            (put.len, put.full)
        };
        if full != Full::No {
            at.read += self.rewind(before, rest, len);
            return match full {
                Full::Lacks => {
                    self.stride = FEW;
                    self.stand_in(&src[at.read..], dst, at, has_discarded)
                }
                _ => Some(Status::Full),
            };
        }
        at.read += batch.read;
        match batch.stop {
            Stop::More => None,
            Stop::End => Some(Status::Done),
            Stop::Incomplete => Some(Status::Incomplete),
            Stop::Malformed(len) if self.suffixes.discards_malformed => {
                *has_discarded = true;
                at.read += len;
                None
            }
            Stop::Malformed(_) => Some(Status::Malformed),
        }
    }

    /// Restores the state before, then reads the first `len` code points again. Returns the number of their bytes.
    fn rewind(&mut self, before: Memory, src: &[u8], len: usize) -> usize {
        self.reader.restore(before);
        if len == 0 { 0 } else { self.reader.read_again(src, &mut self.pivot[..WIDTH * len]) }
    }

    /// Handles the first character of `src`, which the target lacks. Returns why the call ends, if it does.
    fn stand_in(
        &mut self,
        src: &[u8],
        dst: &mut [u8],
        at: &mut Progress,
        has_discarded: &mut bool,
    ) -> Option<Status> {
        let before = self.reader.memory();
        let (mut read, mut len) = (0, 0);
        // Two code points are kept only if one sequence has both.
        while len == 0 {
            let batch = self.reader.read(&src[read..], &mut self.pivot[..2 * WIDTH]);
            (read, len) = (read + batch.read, batch.len);
            if len == 2 && !batch.is_one {
                read = self.rewind(before, src, 1);
                len = 1;
            }
        }
        let values = self.pivot[..WIDTH * len].as_chunks::<WIDTH>().0.iter().map(|c| u32::from_le_bytes(*c));
        let Some(text) = values.map(char::from_u32).collect::<Option<String>>() else {
            // A surrogate or a value beyond Unicode is not a character.
            if !self.suffixes.discards_malformed {
                self.reader.restore(before);
                return Some(Status::Malformed);
            }
            *has_discarded = true;
            at.read += read;
            return None;
        };
        match self.write_lacking(&text, &mut dst[at.written..], has_discarded) {
            Lacking::Written(written) => {
                at.written += written;
                at.read += read;
                at.irreversible += 1;
                None
            }
            Lacking::Full => {
                self.reader.restore(before);
                Some(Status::Full)
            }
            Lacking::Refused => {
                self.reader.restore(before);
                Some(Status::Malformed)
            }
        }
    }

    fn write_lacking(&mut self, text: &str, dst: &mut [u8], has_discarded: &mut bool) -> Lacking {
        let carries = |c| self.writer.carries(c);
        let resembling = |c: char| if carries(c) { Some(c.into()) } else { translit::resembling(c, carries) };
        let asked = self.suffixes.transliterates;
        let found = if asked { text.chars().map(resembling).collect::<Option<String>>() } else { None };
        let discards = self.suffixes.discards_lacking && !(asked && self.habit == Habit::Glibc);
        let written = match found {
            Some(text) => self.writer.write_whole(&text, dst),
            None if discards => {
                *has_discarded = true;
                return Lacking::Written(0);
            }
            None if self.habit == Habit::Glibc && !asked => return Lacking::Refused,
            None => {
                let replacement = if carries('\u{FFFD}') { "\u{FFFD}" } else { "?" };
                self.writer.write_whole(replacement, dst)
            }
        };
        match written {
            Ok(written) => Lacking::Written(written),
            Err(Full::Room) => Lacking::Full,
            Err(_) => Lacking::Refused,
        }
    }
}
