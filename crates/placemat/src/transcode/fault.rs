//! Errors: grouping them, asking the handler, and writing its stand-ins.

#![forbid(unsafe_code)]

use super::output::{Output, Put};
use super::{End, KERNEL_AFTER, Transcoder};
use crate::code_point::CodePoint;
use crate::error::{Error, ErrorKind};
use crate::form::{announced_length, is_continuation};
use crate::policy::{Decision, ErrorSize, Fault, Handler};

/// The last error, to tell whether the next one belongs to its group.
#[derive(Clone, Copy)]
pub(super) struct Grouping {
    /// Where it ended; an error that begins elsewhere opens a group.
    pub(super) end: u64,
    /// How many of the continuation bytes that its lead byte announced are still missing.
    pub(super) due: u8,
}

impl Grouping {
    /// No error yet: no error begins at this offset.
    pub(super) const NONE: Grouping = Grouping { end: u64::MAX, due: 0 };

    /// Record an error and return whether it is the first of its group.
    fn opens(&mut self, size: ErrorSize, error: &Error, bytes: &[u8], announces: bool) -> bool {
        let follows = self.end == error.offset();
        self.end = error.offset() + u64::from(error.length());
        match size {
            ErrorSize::Run => !follows,
            ErrorSize::Sequence
                if follows && self.due > 0 && bytes.first().copied().is_some_and(is_continuation) =>
            {
                self.due = self.due.saturating_sub(error.length());
                false
            }
            ErrorSize::Sequence => {
                let length =
                    bytes.first().filter(|_| announces).map_or(0, |&lead| announced_length(lead) as u8);
                self.due = length.saturating_sub(error.length());
                true
            }
            ErrorSize::Maximal | ErrorSize::Byte => true,
        }
    }
}

impl<H: Handler> Transcoder<H> {
    /// Let the handler decide on an error `at` bytes after the current offset.
    pub(super) fn fault(
        &mut self,
        kind: ErrorKind,
        bytes: &[u8],
        at: usize,
        code_point: Option<CodePoint>,
    ) -> End {
        let error = Error::new(kind, self.offset + at as u64, bytes.len() as u8);
        self.errors += 1;
        self.clean = 0;
        if code_point.is_some() && !self.handler.skips_unencodable() {
            self.one_by_one = KERNEL_AFTER;
        }
        let size = self.handler.size();
        let announces = self.announces_length;
        let opens = code_point.is_some() || self.grouping.opens(size, &error, bytes, announces);
        self.queue.stand_in.clear();
        let decision = if size == ErrorSize::Byte && code_point.is_none() {
            self.decide_bytes(&error, bytes)
        } else {
            let text = &mut self.queue.stand_in.text;
            self.handler.decide(&Fault { error, bytes, code_point, opens }, text)
        };
        if decision == Decision::Stop {
            self.queue.stand_in.clear();
            return End::Failed(error);
        }
        self.queue.error = error;
        End::More
    }

    fn decide_bytes(&mut self, error: &Error, bytes: &[u8]) -> Decision {
        for (offset, byte) in (error.offset()..).zip(bytes.chunks(1)) {
            let error = Error::new(error.kind(), offset, 1);
            let fault = Fault { error, bytes: byte, code_point: None, opens: true };
            if self.handler.decide(&fault, &mut self.queue.stand_in.text) == Decision::Stop {
                return Decision::Stop;
            }
        }
        Decision::Resume
    }

    /// Write the pending stand-ins. `Ok(false)` when there is too little room.
    ///
    /// # Errors
    /// When the target can carry neither a stand-in nor the fallback for it.
    pub(super) fn drain(&mut self, out: &mut Output<'_>) -> Result<bool, Error> {
        while let Some((c, is_fallback)) = self.queue.front() {
            if self.is_under_way() {
                let pending = self.queue.pending(is_fallback);
                let (taken, written) = self.writer.encode_run(pending.rest(), out.rest());
                out.advance(written);
                pending.next += taken;
                if taken > 0 {
                    continue;
                }
            }
            match self.put(c, out) {
                Put::Full => return Ok(false),
                Put::Done => self.queue.pending(is_fallback).next += 1,
                Put::Refused if c == CodePoint::REPLACEMENT => {
                    self.one_by_one = KERNEL_AFTER;
                    self.queue.pending(is_fallback).substitute(CodePoint::from('?'));
                }
                Put::Refused => {
                    self.one_by_one = KERNEL_AFTER;
                    self.queue.pending(is_fallback).next += 1;
                    self.refused(c, is_fallback)?;
                }
            }
        }
        Ok(true)
    }

    /// The target cannot carry the stand-in `c`: ask the handler for a fallback, once. There is none for a fallback, nor if the
    /// error is itself a code point that the target lacks.
    fn refused(&mut self, c: CodePoint, is_fallback: bool) -> Result<(), Error> {
        let origin = self.queue.error;
        let error = Error::new(ErrorKind::Unencodable, origin.offset(), origin.length());
        self.queue.fallback.clear();
        let asked = is_fallback || origin.kind() == ErrorKind::Unencodable;
        let fault = Fault { error, bytes: &[], code_point: Some(c), opens: true };
        if asked || self.handler.decide(&fault, &mut self.queue.fallback.text) == Decision::Stop {
            self.queue.clear();
            return Err(error);
        }
        Ok(())
    }
}
