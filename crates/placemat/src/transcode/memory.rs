//! A stream that is put aside and taken up again: what a reader remembers, as a number that can be kept.

#![forbid(unsafe_code)]

use super::{Start, Transcoder};
use crate::bom::Bom;
use crate::code_point::CodePoint;
use crate::form::State;
use crate::policy::Handler;

use super::fault::Grouping;

/// The lowest two bits: which form the byte order mark decided on.
const HEAD: u32 = 3;
const AFTER_OTHER_MARK: u32 = 1;
const UNDECIDED: u32 = 2;
/// Then six bits for the reader, and four for the group that the last error opened.
const READER: u32 = 2;
const GROUP: u32 = 8;
const END: u32 = 12;

impl<H: Handler> Transcoder<H> {
    /// What the reader remembers of the bytes before [`Transcoder::offset`], below 4096.
    ///
    /// With this number and the bytes from there on, another transcoder goes on as this one would
    /// ([`Transcoder::with_state_bits`]). It is 0 between sequences of well-formed text, but for 2 where a mark may still come, 1
    /// behind the mark of a reversed order, and more inside a run of base64. Ask when everything is written,
    /// [nothing held back](Transcoder::is_flushed), and the mark out where there is one to write.
    #[must_use]
    pub fn state_bits(&self) -> u32 {
        let marked = self.from.marked();
        let head = match self.start {
            Start::Past => marked
                .map_or(0, |marked| if self.reader.form() == marked.unmarked { 0 } else { AFTER_OTHER_MARK }),
            _ if self.heeds_first() => UNDECIDED,
            _ => 0,
        };
        head | self.reader.memory() << READER | self.grouping.memory(self.offset) << GROUP
    }

    /// Go on where another transcoder from the same form had these [`state_bits`](Transcoder::state_bits); offsets count from 0
    /// there. `None` if none has. Call it last, before the first chunk.
    ///
    /// ```
    /// use placemat::{Form, Transcoder};
    /// let mut out = [0; 16];
    /// let mut first = Transcoder::new(Form::Utf7, Form::Utf8);
    /// let written = first.push(b"+ZeV", &mut out).written;
    /// assert_eq!((&out[..written], first.offset()), ("日".as_bytes(), 3));
    ///
    /// let mut second = Transcoder::new(Form::Utf7, Form::Utf8).with_state_bits(first.state_bits()).unwrap();
    /// let written = second.push(b"VnLA-", &mut out).written;
    /// assert_eq!(&out[..written], "本".as_bytes());
    /// ```
    #[must_use]
    pub fn with_state_bits(mut self, memory: u32) -> Option<Self> {
        self.grouping = Grouping::with_state_bits(memory >> GROUP & 0xF)?;
        let reader = memory >> READER & 0x3F;
        let is_undecided = memory & HEAD == UNDECIDED;
        let form = match (memory & HEAD, self.from.marked()) {
            _ if memory >> END != 0 || is_undecided && !self.heeds_first() => return None,
            // The mark, or what stands there without one, is still to be read.
            (UNDECIDED, Some(_)) => return (reader == 0).then_some(self),
            (0 | UNDECIDED, None) => self.from,
            (0, Some(marked)) => marked.unmarked,
            (AFTER_OTHER_MARK, Some(marked)) => marked.reversed()?,
            _ => return None,
        };
        self.settle(form, if is_undecided { Start::First } else { Start::Past });
        self.mark_due &= is_undecided;
        self.reader = State::with_state_bits(form, reader)?;
        Some(self)
    }

    /// Whether the first code point of a text is not like others.
    fn heeds_first(&self) -> bool {
        let between_marked = self.from.marked().is_some() || self.to.marked().is_some();
        between_marked || self.bom != Bom::Keep || !self.to.carries(CodePoint::MARK)
    }
}

impl Grouping {
    fn memory(self, offset: u64) -> u32 {
        if self.end == offset { 1 | u32::from(self.due) << 1 } else { 0 }
    }

    fn with_state_bits(memory: u32) -> Option<Grouping> {
        match memory {
            0 => Some(Grouping::NONE),
            _ => (memory & 1 == 1).then_some(Grouping { end: 0, due: (memory >> 1) as u8 }),
        }
    }
}
