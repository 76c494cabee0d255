//! Decodes a legacy encoding to UTF-8, with the policy's stand-ins for errors and the exact position of each error.

use encoding_rs::{Decoder, DecoderResult};
use placemat::{CodePoint, Decision, Error, ErrorKind, ErrorSize, Fault, Handler, Policy, Text};

use super::{CodePage, Legacy, Tables};

/// Longer than any ill-formed sequence together with the bytes that a decoder reads after it.
const RECENT: usize = 16;

/// A streaming reader of one legacy encoding.
///
/// It writes UTF-8; under [`Policy::SurrogateEscape`], UTF-8 with surrogates.
pub struct LegacyReader<H = Policy> {
    decoder: Either,
    policy: H,
    /// The number of bytes read so far.
    offset: u64,
    /// The last bytes read, and their number.
    recent: ([u8; RECENT], usize),
    /// The end of the last error.
    last_end: Option<u64>,
    errors: u64,
}

/// The most and the least room for one call of a decoder: the least holds two supplementary characters.
const ROOM: usize = 4096;
const LEAST: usize = 16;

enum Either {
    /// The string is room for the output; it grows as needed.
    Web(Decoder, String),
    CodePage(CodePage),
}

/// What a decoder did with the bytes of one call.
enum Taken {
    All,
    /// The decoder read `taken` bytes. They end with an ill-formed sequence of `len` bytes and `behind` more that are
    /// not decoded yet.
    Malformed {
        taken: usize,
        len: usize,
        behind: usize,
    },
}

/// An error at which the policy stops, with its bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Malformed {
    /// The error, with its position in the source.
    pub error: Error,
    /// The malformed bytes.
    pub bytes: Vec<u8>,
}

impl<H: Handler> LegacyReader<H> {
    /// Creates a reader at the start of a text.
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

    /// The number of errors so far.
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

    /// The handler that decides on errors.
    pub(crate) fn handler(&mut self) -> &mut H {
        &mut self.policy
    }

    /// Decodes the whole of `src`, appending to `text`.
    ///
    /// # Errors
    /// The error at which the policy stops; the text before the error is in `text`.
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

    /// Ends the input. An unfinished sequence at its end is an error.
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

    /// Records bytes that the decoder read.
    fn take(&mut self, bytes: &[u8]) {
        self.offset += bytes.len() as u64;
        let (recent, known) = &mut self.recent;
        let new = bytes.len().min(RECENT);
        recent.copy_within(new.., 0);
        recent[RECENT - new..].copy_from_slice(&bytes[bytes.len() - new..]);
        *known = RECENT.min(*known + new);
    }

    /// Asks the policy about an ill-formed sequence of `len` bytes, after which `behind` more bytes were read.
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

        // Some policies are asked about each byte, others about the sequence as a whole.
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
        // These are the surrogates of surrogateescape. Only targets that can carry them get them.
        None => {
            let value = c.value();
            text.extend([0xE0 | value >> 12, 0x80 | value >> 6 & 0x3F, 0x80 | value & 0x3F].map(|b| b as u8));
        }
    }
}

impl Either {
    /// Appends the text of `src` up to the first ill-formed sequence.
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
