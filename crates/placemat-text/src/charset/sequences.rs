//! Decodes a legacy encoding one sequence at a time, for callers that need the position of each.

use std::mem;
use std::ops::Range;

use placemat::{Decision, Error, Fault, Handler, Text};

use super::{Legacy, LegacyReader};

/// A reader that starts at any byte is at the start of a sequence after at most this many bytes.
pub const LEAD: usize = 32;

/// The last [`LEAD`] bytes that were pushed.
#[derive(Default)]
pub(crate) struct Tail(Vec<u8>);

/// Reads byte by byte and reports every sequence when it ends.
pub(crate) struct Sequences<H> {
    reader: LegacyReader<Noting<H>>,
    /// Whether escapes of three bytes may precede a sequence.
    has_escapes: bool,
    /// The number of bytes read.
    offset: u64,
    /// The offset at which the next sequence starts.
    start: u64,
    text: Vec<u8>,
}

/// A character (or two, for some sequences of Big5) or an error.
pub(crate) struct Sequence<'a> {
    /// The position in the source.
    pub(crate) range: Range<u64>,
    /// The text that it was decoded to, in UTF-8.
    pub(crate) text: &'a [u8],
    pub(crate) is_error: bool,
}

/// A policy that records the errors it is asked about, each with the length of its stand-in.
struct Noting<H> {
    policy: H,
    seen: Vec<(Error, usize)>,
}

impl<H: Handler> Handler for Noting<H> {
    fn decide(&mut self, fault: &Fault<'_>, text: &mut Text) -> Decision {
        let verdict = self.policy.decide(fault, text);
        let written = text.code_points().iter().map(|c| c.to_char().map_or(3, char::len_utf8)).sum();
        let len = if verdict == Decision::Stop { 0 } else { written };
        match self.seen.last_mut() {
            // The policy is asked about the same error for each byte.
            Some((error, known)) if *error == fault.error => *known = len,
            _ => self.seen.push((fault.error, len)),
        }
        verdict
    }

    fn size(&self) -> placemat::ErrorSize {
        self.policy.size()
    }
}

impl Tail {
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.0
    }

    /// Keeps the last bytes, and gives the older ones to `pass`, in order.
    pub(crate) fn push(&mut self, bytes: &[u8], mut pass: impl FnMut(&[u8])) {
        let surplus = (self.0.len() + bytes.len()).saturating_sub(LEAD);
        let old = surplus.min(self.0.len());
        let new = surplus - old;
        pass(&self.0[..old]);
        pass(&bytes[..new]);
        self.0.drain(..old);
        self.0.extend_from_slice(&bytes[new..]);
    }
}

impl<H: Handler> Sequences<H> {
    pub(crate) fn new(legacy: Legacy, policy: H) -> Sequences<H> {
        let reader = LegacyReader::new(legacy, Noting { policy, seen: Vec::new() });
        Sequences { reader, has_escapes: legacy.has_escapes(), offset: 0, start: 0, text: Vec::new() }
    }

    /// The number of bytes read.
    pub(crate) fn offset(&self) -> u64 {
        self.offset
    }

    /// Decodes bytes of which only the text is needed. The start of the first sequence after them is only an estimate.
    pub(crate) fn pass(&mut self, bytes: &[u8], mut text: impl FnMut(&[u8])) {
        for piece in bytes.chunks(16 * 1024) {
            self.text.clear();
            // If the policy stops, the rest of the piece is left out.
            let _ = self.reader.push(piece, &mut self.text);
            self.reader.handler().seen.clear();
            text(&self.text);
            self.offset += piece.len() as u64;
            self.start = self.offset;
        }
    }

    /// Reads one byte (`None`: the end of the input), and reports the sequences that end there.
    pub(crate) fn read(&mut self, byte: Option<u8>, mut found: impl FnMut(Sequence<'_>)) {
        self.text.clear();
        // The error at which the policy stops is reported like any other.
        let _ = match byte {
            Some(byte) => self.reader.push(&[byte], &mut self.text),
            None => self.reader.finish(&mut self.text),
        };
        self.offset += u64::from(byte.is_some());
        let errors = mem::take(&mut self.reader.handler().seen);
        let mut told = Told { start: self.start, rest: &self.text, found: &mut found };
        for (index, (error, len)) in errors.iter().enumerate() {
            // If an error was found only at a later byte, the bytes between are characters of one byte each.
            if index > 0 {
                told.single_bytes(error.offset());
            }
            told.tell(error.range(), *len, true);
        }
        if !errors.is_empty() {
            told.single_bytes(self.offset - 1);
        }
        let (start, len) = (told.start, told.rest.len());
        if len > 0 {
            let escapes = if self.has_escapes { (self.offset - start) / 3 * 3 } else { 0 };
            told.tell(start + escapes..self.offset, len, false);
        }
        self.start = told.start;
    }
}

/// The decoded text, on its way to the caller's `found`.
struct Told<'a, F> {
    /// The offset at which the next sequence starts.
    start: u64,
    rest: &'a [u8],
    found: F,
}

impl<'a, F: FnMut(Sequence<'a>)> Told<'a, F> {
    /// Reports a sequence whose text has `len` bytes.
    fn tell(&mut self, range: Range<u64>, len: usize, is_error: bool) {
        let (text, rest) = self.rest.split_at(len);
        (self.start, self.rest) = (range.end, rest);
        (self.found)(Sequence { range, text, is_error });
    }

    /// Reports the characters of one byte each before `end`.
    fn single_bytes(&mut self, end: u64) {
        while self.start < end && self.rest.first().is_some_and(u8::is_ascii) {
            self.tell(self.start..self.start + 1, 1, false);
        }
    }
}
