//! Counts lines, code points, bytes, UTF-16 code units and errors of a text.

use std::io::{self, Read};

use placemat::{Bom, Policy, Transcoder, Unencodable};
use serde::Serialize;

use crate::charset::{Charset, LegacyReader};
use crate::convert::{Halt, Pipeline, Settings};
use crate::feed::{feed, utf8_for};
use crate::io::read_some;
use crate::place::{code_points, count_bytes};

/// The numbers of a text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Counts {
    /// Occurrences of U+000A.
    pub lines: u64,
    /// Code points; each malformed sequence counts as one.
    pub code_points: u64,
    /// Bytes.
    pub bytes: u64,
    /// Code units in UTF-16; each malformed sequence counts as one.
    pub utf16_units: u64,
    /// Malformed sequences.
    pub errors: u64,
    /// The length in bytes of the text in the other encoding, if one was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub length: Option<u64>,
}

impl Counts {
    /// Adds the counts of another text.
    ///
    /// ```
    /// use placemat_text::count::Counts;
    ///
    /// let mut sum = Counts { lines: 1, ..Counts::default() };
    /// sum.add(&Counts { lines: 2, ..Counts::default() });
    /// assert_eq!(sum.lines, 3);
    /// ```
    pub fn add(&mut self, other: &Counts) {
        self.lines += other.lines;
        self.code_points += other.code_points;
        self.bytes += other.bytes;
        self.utf16_units += other.utf16_units;
        self.errors += other.errors;
        self.length = self.length.zip(other.length).map(|(a, b)| a + b);
    }

    /// Counts text in UTF-8 (up to six bytes a character, with surrogates) that ends between characters.
    fn add_text(&mut self, text: &[u8]) {
        self.lines += memchr::memchr_iter(b'\n', text).count() as u64;
        let code_points = code_points(text);
        self.code_points += code_points;
        // UTF-16 has no pairs for values above U+10FFFF, whose sequences start at F4 90.
        let last =
            memchr::memchr_iter(0xF4, text).filter(|at| text.get(at + 1).is_some_and(|next| *next < 0x90));
        let pairs = count_bytes(text, |byte| matches!(byte, 0xF0..=0xF3)) + last.count() as u64;
        self.utf16_units += code_points + pairs;
    }
}

/// Counts what is read, in constant memory. With `to`, also counts its length in that encoding, with U+FFFD (or `?`)
/// for errors.
///
/// # Errors
/// Those of reading.
///
/// ```
/// use placemat::Form;
/// use placemat_text::count::count;
///
/// let counts = count(&mut "né\n".as_bytes(), Form::Utf8.into(), None).unwrap();
/// assert_eq!((counts.lines, counts.code_points, counts.bytes), (1, 3, 4));
/// ```
pub fn count(input: &mut dyn Read, from: Charset, to: Option<(Charset, Bom)>) -> io::Result<Counts> {
    let mut counts = Counts::default();
    let mut text = TextCounter::new(from);
    let mut other = to.map(|(to, bom)| {
        let policy = Policy::Replace.unencodable(Unencodable::Replace(None));
        Pipeline::new(from, Settings { to, policy, bom })
    });
    let mut length = Length(0);
    let mut source = vec![0; 64 << 10];
    loop {
        let read = read_some(input, &mut source)?;
        counts.bytes += read as u64;
        text.feed(&source[..read], &mut counts);
        if let Some(other) = &mut other {
            let pushed = match read {
                0 => other.finish_input(&mut length).and_then(|()| other.finish(&mut length)),
                _ => other.push(&source[..read], &mut length),
            };
            // The policy never stops. A character without a replacement, such as a byte order mark where there is
            // none, takes no room.
            if let Err(Halt::Input(error) | Halt::Output(error)) = pushed {
                return Err(error);
            }
        }
        if read == 0 {
            return Ok(Counts { length: other.map(|_| length.0), ..counts });
        }
    }
}

/// Counts bytes that are written.
struct Length(u64);

impl io::Write for Length {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 += bytes.len() as u64;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Counts the text of an input in any encoding.
enum TextCounter {
    /// Converts to UTF-8 of up to six bytes a character, with surrogates, and leaves errors out.
    Form(Box<Transcoder>, Vec<u8>),
    /// Converts to UTF-8, with U+FFFD for errors.
    Legacy(Box<LegacyReader>, Vec<u8>),
}

impl TextCounter {
    fn new(from: Charset) -> TextCounter {
        match from {
            Charset::Form(form) => {
                let transcoder = Transcoder::new(form, utf8_for(form));
                TextCounter::Form(Box::new(transcoder), vec![0; 64 << 10])
            }
            Charset::Legacy(legacy) => {
                TextCounter::Legacy(Box::new(LegacyReader::new(legacy, Policy::Replace)), Vec::new())
            }
        }
    }

    /// Counts a chunk; an empty chunk is the end of the input.
    fn feed(&mut self, chunk: &[u8], counts: &mut Counts) {
        match self {
            TextCounter::Form(transcoder, room) => feed(transcoder, chunk, room, &mut |text, is_error| {
                counts.add_text(text);
                // The feed skips each error, which counts as one code point.
                let errors = u64::from(is_error);
                counts.errors += errors;
                counts.code_points += errors;
                counts.utf16_units += errors;
            }),
            TextCounter::Legacy(reader, text) => {
                text.clear();
                // The policy replaces, so it never stops.
                let _ = if chunk.is_empty() { reader.finish(text) } else { reader.push(chunk, text) };
                counts.add_text(text);
                counts.errors = reader.errors();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_error_counts_as_one() {
        let mut counts = Counts::default();
        counts.add_text("né\u{1F600}\n".as_bytes());
        let expected = Counts { lines: 1, code_points: 4, utf16_units: 5, ..Counts::default() };
        assert_eq!(counts, expected);
    }

    #[test]
    fn what_utf16_lacks_is_one_unit() {
        let mut counts = Counts::default();
        counts.add_text(b"\xF0\x90\x80\x80\xF4\x8F\xBF\xBF\xF4\x90\x80\x80\xF8\x88\x80\x80\x80\xFD\xBF\xBF\xBF\xBF\xBF\xED\xA0\x80");
        assert_eq!((counts.code_points, counts.utf16_units), (6, 8));
    }
}
