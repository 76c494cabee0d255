//! Text from the pieces that a language model writes, which may end inside a character.

#![forbid(unsafe_code)]

use alloc::string::String;

use crate::form::Form;
use crate::policy::Policy;
use crate::transcode::{Status, Transcoder};

/// Turns pieces of bytes into text, as soon as characters are complete.
///
/// The pieces of a language model's vocabulary are bytes, and a character may be spread over several of them. A character appears
/// once its last byte is there. U+FFFD appears only for bytes that no further piece can complete, once for each maximal subpart,
/// as [`repair`](crate::repair) writes it. However the bytes are divided, the text is the same. At most three bytes are kept;
/// time is linear.
///
/// ```
/// use placemat::Detokenizer;
///
/// let mut pieces = Detokenizer::new();
/// let mut text = String::new();
/// for piece in [&b"caf"[..], b"\xC3", b"\xA9 \xF0\x9F", b"\x98\x80"] {
///     pieces.push(piece, &mut text);
/// }
/// pieces.finish(&mut text);
/// assert_eq!(text, "café 😀");
/// ```
#[derive(Clone, Debug)]
pub struct Detokenizer {
    transcoder: Transcoder<Policy>,
}

impl Default for Detokenizer {
    fn default() -> Detokenizer {
        Detokenizer::new()
    }
}

impl Detokenizer {
    /// Creates a detokenizer at the start of a text.
    ///
    /// ```
    /// let mut text = String::new();
    /// placemat::Detokenizer::new().finish(&mut text);
    /// assert_eq!(text, "");
    /// ```
    #[must_use]
    pub fn new() -> Detokenizer {
        let transcoder = Transcoder::new(Form::Utf8, Form::Utf8).on_error(Policy::Replace);
        Detokenizer { transcoder }
    }

    /// Appends the characters that the next bytes complete.
    ///
    /// ```
    /// let (mut pieces, mut text) = (placemat::Detokenizer::new(), String::new());
    /// pieces.push(b"\xE2\x82", &mut text);
    /// assert_eq!(text, "", "the next piece may complete it");
    /// pieces.push(b"\xAC", &mut text);
    /// assert_eq!(text, "€");
    /// ```
    pub fn push(&mut self, mut piece: &[u8], text: &mut String) {
        loop {
            let mut room = [0; 256];
            let step = self.transcoder.push(piece, &mut room);
            append(&room[..step.written], text);
            piece = &piece[step.read..];
            if step.status == Status::NeedInput {
                return;
            }
        }
    }

    /// Appends the characters that the next token completes. A token such as `<0xEA>` is that byte: vocabularies of SentencePiece
    /// write bytes this way that belong to no character of the vocabulary.
    ///
    /// ```
    /// let (mut pieces, mut text) = (placemat::Detokenizer::new(), String::new());
    /// for token in ["안", "<0xEB>", "<0x85>", "<0x95>", "<0x>"] {
    ///     pieces.push_token(token, &mut text);
    /// }
    /// assert_eq!(text, "안녕<0x>");
    /// ```
    pub fn push_token(&mut self, token: &str, text: &mut String) {
        match byte_of(token) {
            Some(byte) => self.push(&[byte], text),
            None => self.push(token.as_bytes(), text),
        }
    }

    /// How many bytes, 0 to 3, wait for the rest of their character.
    ///
    /// ```
    /// let (mut pieces, mut text) = (placemat::Detokenizer::new(), String::new());
    /// pieces.push(b"a\xF0\x9F\x98", &mut text);
    /// assert_eq!(pieces.pending(), 3);
    /// ```
    #[must_use]
    pub fn pending(&self) -> usize {
        self.pending_bytes().len()
    }

    /// The bytes that wait for the rest of their character. A new detokenizer that gets them goes on from here, for example in another
    /// process.
    ///
    /// ```
    /// use placemat::Detokenizer;
    ///
    /// let (mut pieces, mut text) = (Detokenizer::new(), String::new());
    /// pieces.push(b"a\xE2\x82", &mut text);
    /// let mut other = Detokenizer::new();
    /// other.push(pieces.pending_bytes(), &mut text);
    /// other.push(b"\xAC", &mut text);
    /// assert_eq!((pieces.pending_bytes(), &*text), (&b"\xE2\x82"[..], "a€"));
    /// ```
    #[must_use]
    pub fn pending_bytes(&self) -> &[u8] {
        self.transcoder.kept()
    }

    /// Ends the text: an incomplete character becomes U+FFFD. The next piece begins another text.
    ///
    /// ```
    /// let (mut pieces, mut text) = (placemat::Detokenizer::new(), String::new());
    /// pieces.push(b"a\xE2\x82", &mut text);
    /// pieces.finish(&mut text);
    /// assert_eq!(text, "a\u{FFFD}");
    /// ```
    pub fn finish(&mut self, text: &mut String) {
        let mut room = [0; 256];
        while {
            let step = self.transcoder.finish(&mut room);
            append(&room[..step.written], text);
            step.status == Status::NeedOutput
        } {}
        self.transcoder.reset();
    }
}

/// Append what the UTF-8 writer wrote.
fn append(bytes: &[u8], text: &mut String) {
    debug_assert!(core::str::from_utf8(bytes).is_ok());
    text.push_str(core::str::from_utf8(bytes).unwrap_or_default());
}

/// The byte that a token such as `<0xEA>` stands for.
fn byte_of(token: &str) -> Option<u8> {
    let digits = token.strip_prefix("<0x")?.strip_suffix('>')?;
    // `from_str_radix` would accept a sign as well.
    let is_two = digits.len() == 2 && digits.bytes().all(|digit| digit.is_ascii_hexdigit());
    u8::from_str_radix(digits, 16).ok().filter(|_| is_two)
}

#[cfg(test)]
mod tests {
    use alloc::string::String;

    use super::Detokenizer;

    fn text_of<'a>(pieces: impl Iterator<Item = &'a [u8]>) -> String {
        let (mut detokenizer, mut text) = (Detokenizer::new(), String::new());
        pieces.for_each(|piece| detokenizer.push(piece, &mut text));
        detokenizer.finish(&mut text);
        text
    }

    #[test]
    fn any_split_gives_the_text_and_a_mark_is_a_character() {
        let texts: [&[u8]; 4] = [
            "\u{FEFF}naïve 日本語 😀".as_bytes(),
            b"\xC3(\xE2\x82\xF0\x9F\x98\xFF\xED\xA0\x80z\xF4\x90\x80\x80",
            b"\xF0\x9F\x98",
            b"",
        ];
        for bytes in texts {
            let whole = String::from_utf8_lossy(bytes);
            for size in 1..=bytes.len().max(1) {
                assert_eq!(text_of(bytes.chunks(size)), whole, "{size}");
            }
            for at in 0..=bytes.len() {
                assert_eq!(text_of([&bytes[..at], b"", &bytes[at..]].into_iter()), whole, "{at}");
            }
        }
    }

    #[test]
    fn nothing_appears_that_the_next_piece_completes() {
        for text in ["é", "€", "😀"] {
            for at in 1..text.len() {
                let (mut detokenizer, mut seen) = (Detokenizer::new(), String::new());
                detokenizer.push(&text.as_bytes()[..at], &mut seen);
                assert_eq!((&*seen, detokenizer.pending()), ("", at));
                detokenizer.push(&text.as_bytes()[at..], &mut seen);
                assert_eq!((&*seen, detokenizer.pending()), (text, 0));
            }
        }
    }

    #[test]
    fn only_a_whole_token_is_a_byte() {
        for (token, text) in
            [("<0x41>", "A"), ("<0xff>", "\u{FFFD}"), ("<0x4>", "<0x4>"), ("<0x+4>", "<0x+4>")]
        {
            let (mut detokenizer, mut seen) = (Detokenizer::new(), String::new());
            detokenizer.push_token(token, &mut seen);
            detokenizer.finish(&mut seen);
            assert_eq!(seen, text);
        }
        // Another text may follow.
        let (mut detokenizer, mut seen) = (Detokenizer::new(), String::new());
        detokenizer.push_token("<0xC3>", &mut seen);
        detokenizer.finish(&mut seen);
        detokenizer.push_token("<0xA9>", &mut seen);
        detokenizer.push(b"a", &mut seen);
        assert_eq!(seen, "\u{FFFD}\u{FFFD}a");
    }
}
