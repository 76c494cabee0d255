//! Suspending a stream and resuming it elsewhere: the state of a reader as a number.

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
/// The next six bits are for the reader, and four more for the group that the last error opened.
const READER: u32 = 2;
const GROUP: u32 = 8;
const END: u32 = 12;

impl<H: Handler> Transcoder<H> {
    /// The state of the reader at [`Transcoder::offset`], as a number below 4096.
    ///
    /// With this number and the bytes from that offset on, another transcoder continues as this one would
    /// ([`Transcoder::with_state_bits`]). Between sequences of well-formed text it is 0; 2 where a byte order mark may still come; 1
    /// behind a mark that reversed the byte order; other values inside a run of base64. Ask when everything is written,
    /// [nothing is held back](Transcoder::is_flushed), and the byte order mark, if one is due, is written.
    ///
    /// ```
    /// use placemat::{Form, Transcoder};
    /// let mut transcoder = Transcoder::new(Form::Utf7, Form::Utf8);
    /// transcoder.push(b"text", &mut [0; 16]);
    /// assert_eq!(transcoder.state_bits(), 0);
    /// transcoder.push(b"+ZeV", &mut [0; 16]);
    /// assert_ne!(transcoder.state_bits(), 0, "inside a run of base64");
    /// ```
    #[must_use]
    pub fn state_bits(&self) -> u32 {
        let marked = self.from.marked();
        let head = match self.start {
            Start::Past => marked
                .map_or(0, |marked| if self.reader.form() == marked.unmarked { 0 } else { AFTER_OTHER_MARK }),
            _ if self.heeds_first() => UNDECIDED,
            Start::Mark | Start::First => 0,
        };
        head | self.reader.memory() << READER | self.grouping.memory(self.offset) << GROUP
    }

    /// Continue where another transcoder from the same form had these [`state_bits`](Transcoder::state_bits). Offsets count from 0
    /// again. `None` if no transcoder from this form has such bits. Call it after all other settings and before the first chunk.
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
            // The byte order mark, or the first sequence where there is none, is still to be read.
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

    /// Whether the first code point of a text may be a byte order mark, and so needs special treatment.
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
