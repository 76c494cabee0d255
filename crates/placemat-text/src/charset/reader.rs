//! Reads a legacy encoding and yields UTF-8, with the policy's stand-ins and the exact place of each error.

use encoding_rs::{Decoder, DecoderResult};
use placemat::{CodePoint, Decision, Error, ErrorKind, ErrorSize, Fault, Handler, Policy, Text};

use super::{CodePage, Legacy, Tables};

/// Longer than any ill-formed sequence and what a decoder looks at behind it.
const RECENT: usize = 16;

/// A streaming reader of one legacy encoding.
///
/// What it writes is UTF-8; under [`Policy::SurrogateEscape`] it is UTF-8 with surrogates.
pub struct LegacyReader<H = Policy> {
    decoder: Either,
    policy: H,
    /// Bytes taken so far.
    offset: u64,
    /// The last bytes taken, and how many.
    recent: ([u8; RECENT], usize),
    /// Where the last error ended.
    last_end: Option<u64>,
    errors: u64,
}

/// What a decoder writes at once, at most, and at least: an astral character behind another.
const ROOM: usize = 4096;
const LEAST: usize = 16;

enum Either {
    /// With room for what it writes, as much as has been needed.
    Web(Decoder, String),
    CodePage(CodePage),
}

/// What a decoder says of the bytes that it took.
enum Taken {
    All,
    /// So many bytes, then an ill-formed sequence that is so long, then so many bytes that are yet to be decoded.
    Malformed {
        taken: usize,
        len: usize,
        behind: usize,
    },
}

/// An error at which the policy stops, with its bytes.
pub struct Malformed {
    /// What is wrong, and where in the source.
    pub error: Error,
    /// The malformed bytes.
    pub bytes: Vec<u8>,
}

impl<H: Handler> LegacyReader<H> {
    /// A reader at the start of a text.
    ///
    /// ```
    /// use placemat::Policy;
    /// use placemat::label::Labels;
    /// use placemat_text::charset::{Charset, LegacyReader};
    ///
    /// let Ok(Charset::Legacy(koi8)) = Charset::resolve(Labels::Lenient, "koi8-r") else { unreachable!() };
    /// let mut reader = LegacyReader::new(koi8, Policy::Stop);
    /// let mut text = Vec::new();
    /// assert!(reader.push(b"\xC4\xC1", &mut text).is_ok() && reader.finish(&mut text).is_ok());
    /// assert_eq!(text, "да".as_bytes());
    /// ```
    pub fn new(legacy: Legacy, policy: H) -> LegacyReader<H> {
        let decoder = match legacy.tables {
            Tables::Web(encoding) => Either::Web(encoding.new_decoder_without_bom_handling(), String::new()),
            Tables::CodePage(page) => Either::CodePage(page),
        };
        LegacyReader { decoder, policy, offset: 0, recent: ([0; RECENT], 0), last_end: None, errors: 0 }
    }

    /// Errors so far.
    ///
    /// ```
    /// use placemat::Policy;
    /// use placemat::label::Labels;
    /// use placemat_text::charset::{Charset, LegacyReader};
    ///
    /// let Ok(Charset::Legacy(sjis)) = Charset::resolve(Labels::Lenient, "shift_jis") else { unreachable!() };
    /// let mut reader = LegacyReader::new(sjis, Policy::Replace);
    /// let mut text = Vec::new();
    /// assert!(reader.push(b"a\xFFb", &mut text).is_ok());
    /// assert_eq!((reader.errors(), text), (1, "a\u{FFFD}b".as_bytes().to_vec()));
    /// ```
    pub fn errors(&self) -> u64 {
        self.errors
    }

    /// What decides on errors.
    pub(crate) fn handler(&mut self) -> &mut H {
        &mut self.policy
    }

    /// Decode the whole of `src`, appending to `text`.
    ///
    /// # Errors
    /// The error at which the policy stops; what precedes it is in `text`.
    ///
    /// ```
    /// use placemat::Policy;
    /// use placemat::label::Labels;
    /// use placemat_text::charset::{Charset, LegacyReader};
    ///
    /// let Ok(Charset::Legacy(sjis)) = Charset::resolve(Labels::Lenient, "shift_jis") else { unreachable!() };
    /// let mut reader = LegacyReader::new(sjis, Policy::Stop);
    /// let malformed = reader.push(b"ab\xFF", &mut Vec::new()).err().unwrap();
    /// assert_eq!((malformed.error.offset(), malformed.bytes), (2, vec![0xFF]));
    /// ```
    pub fn push(&mut self, src: &[u8], text: &mut Vec<u8>) -> Result<(), Malformed> {
        self.run(src, false, text)
    }

    /// The input is over: what was held back is cut off.
    ///
    /// # Errors
    /// As [`LegacyReader::push`].
    ///
    /// ```
    /// use placemat::Policy;
    /// use placemat::label::Labels;
    /// use placemat_text::charset::{Charset, LegacyReader};
    ///
    /// let Ok(Charset::Legacy(sjis)) = Charset::resolve(Labels::Lenient, "shift_jis") else { unreachable!() };
    /// let mut reader = LegacyReader::new(sjis, Policy::Stop);
    /// let mut text = Vec::new();
    /// assert!(reader.push(b"a\x81", &mut text).is_ok());
    /// assert_eq!(reader.finish(&mut text).err().unwrap().error.offset(), 1);
    /// ```
    pub fn finish(&mut self, text: &mut Vec<u8>) -> Result<(), Malformed> {
        self.run(&[], true, text)
    }

    fn run(&mut self, src: &[u8], last: bool, text: &mut Vec<u8>) -> Result<(), Malformed> {
        let mut rest = src;
        while let Taken::Malformed { taken, len, behind } = self.decoder.decode(rest, last, text) {
            self.take(&rest[..taken]);
            rest = &rest[taken..];
            let kind = if last { ErrorKind::Truncated } else { ErrorKind::InvalidByte };
            self.stand_in(kind, len, behind, text)?;
        }
        self.take(rest);
        Ok(())
    }

    /// Take note of bytes that the decoder took.
    fn take(&mut self, bytes: &[u8]) {
        self.offset += bytes.len() as u64;
        let (recent, known) = &mut self.recent;
        let new = bytes.len().min(RECENT);
        recent.copy_within(new.., 0);
        recent[RECENT - new..].copy_from_slice(&bytes[bytes.len() - new..]);
        *known = RECENT.min(*known + new);
    }

    /// Let the policy decide on an ill-formed sequence of `len` bytes with `behind` bytes taken after it.
    fn stand_in(
        &mut self,
        kind: ErrorKind,
        len: usize,
        behind: usize,
        text: &mut Vec<u8>,
    ) -> Result<(), Malformed> {
        let (recent, known) = self.recent;
        let end = RECENT - behind.min(known);
        let bytes = &recent[end.saturating_sub(len).max(RECENT - known)..end];
        let start = self.offset - (behind + bytes.len()) as u64;
        let error = Error::new(kind, start, bytes.len() as u8);
        let opens = self.policy.size() != ErrorSize::Run || self.last_end != Some(start);
        self.last_end = Some(start + bytes.len() as u64);
        self.errors += 1;

        // By the byte, or the whole at once.
        let size = if self.policy.size() == ErrorSize::Byte { 1 } else { bytes.len().max(1) };
        let mut stand_in = Text::new();
        for part in bytes.chunks(size) {
            let fault = Fault::new(error, part, None, opens);
            if self.policy.decide(&fault, &mut stand_in) == Decision::Stop {
                return Err(Malformed { error, bytes: bytes.to_vec() });
            }
        }
        stand_in.code_points().iter().for_each(|&c| write(c, text));
        Ok(())
    }
}

fn write(c: CodePoint, text: &mut Vec<u8>) {
    match c.to_char() {
        Some(c) => text.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes()),
        // The stand-ins of surrogateescape, which only targets get that carry them.
        None => {
            let value = c.value();
            text.extend([0xE0 | value >> 12, 0x80 | value >> 6 & 0x3F, 0x80 | value & 0x3F].map(|b| b as u8));
        }
    }
}

impl Either {
    /// Append the text of `src` up to the first ill-formed sequence.
    fn decode(&mut self, src: &[u8], last: bool, text: &mut Vec<u8>) -> Taken {
        match self {
            Either::Web(decoder, room) => decode_web(decoder, room, src, last, text),
            Either::CodePage(page) => {
                for (at, &byte) in src.iter().enumerate() {
                    match page.character(byte) {
                        Some(c) => text.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes()),
                        None => return Taken::Malformed { taken: at + 1, len: 1, behind: 0 },
                    }
                }
                Taken::All
            }
        }
    }
}

fn decode_web(decoder: &mut Decoder, room: &mut String, src: &[u8], last: bool, text: &mut Vec<u8>) -> Taken {
    let mut taken = 0;
    loop {
        let rest = &src[taken..];
        room.clear();
        room.reserve((3 * rest.len()).clamp(LEAST, ROOM));
        let (result, read) = decoder.decode_to_string_without_replacement(rest, room, last);
        text.extend_from_slice(room.as_bytes());
        taken += read;
        match result {
            DecoderResult::InputEmpty => return Taken::All,
            DecoderResult::OutputFull => {}
            DecoderResult::Malformed(len, behind) => {
                return Taken::Malformed { taken, len: usize::from(len), behind: usize::from(behind) };
            }
        }
    }
}
