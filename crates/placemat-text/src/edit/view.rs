//! Shows a file as UTF-8 and writes it back. Malformed bytes, and those that UTF-8 cannot represent, are shown as private
//! use characters, one for each byte. They are chosen so that the text has no others of them.

mod escapes;

use std::ops::Range;

use memchr::memchr;
use placemat::boundary::is_continuation;
use placemat::{Bom, Form, Policy, Status, Transcoder, Unencodable, convert, sequences};

use self::escapes::{Escapes, decode};
use crate::charset::{Charset, LegacyReader, LegacyWriter};

/// The encoding of a file, with the private use characters for its malformed bytes.
#[derive(Clone)]
pub struct Reading {
    charset: Charset,
    escapes: Escapes,
}

/// A file as it was read.
pub struct View {
    /// How the file is decoded and encoded.
    pub reading: Reading,
    /// The byte order mark, which is not part of the text. It is empty if there is none.
    pub mark: Vec<u8>,
    /// The bytes after the mark.
    pub bytes: Vec<u8>,
    /// The text of these bytes in UTF-8.
    pub text: String,
    pub(crate) lines: Vec<Line>,
}

/// A line, in the file and in the view.
#[derive(Clone, Debug)]
pub(crate) struct Line {
    pub(crate) bytes: Range<usize>,
    pub(crate) text: Range<usize>,
}

/// A character that the encoding cannot hold, with its position in the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lacking {
    /// Bytes from the start of the text.
    pub at: usize,
    /// The character.
    pub character: char,
}

impl View {
    /// Decodes a file. `None` if no block of private use characters is free to represent its malformed bytes.
    ///
    /// ```
    /// use placemat::Form;
    /// use placemat_text::edit::view::View;
    ///
    /// let view = View::of(Form::Utf16.into(), b"\xFF\xFEa\0").unwrap();
    /// assert_eq!((&*view.mark, &*view.text), (&b"\xFF\xFE"[..], "a"));
    /// ```
    pub fn of(charset: Charset, bytes: &[u8]) -> Option<View> {
        let own = if bytes.is_empty() { own_mark(charset) } else { Vec::new() };
        let charset = concrete(charset, bytes);
        let plain = Reading { charset, escapes: Escapes::none() };
        let mut mark = Vec::new();
        if stands_alone(charset)
            && plain.encode("\u{FEFF}", 0, &mut mark).is_empty()
            && !bytes.starts_with(&mark)
        {
            mark.clear();
        }
        if !stands_alone(charset) {
            mark.clear();
        }
        let bytes = bytes[mark.len()..].to_vec();
        mark.extend(own);
        let reading = Reading { charset, escapes: Escapes::of(charset, &bytes)? };
        let text = reading.decode(&bytes);
        let lines = reading.lines(&bytes, &text);
        Some(View { reading, mark, bytes, text, lines })
    }

    /// Removes the byte order mark that an editor added to the text: the file's own mark will be written.
    ///
    /// ```
    /// use placemat::Form;
    /// use placemat_text::edit::view::View;
    ///
    /// let view = View::of(Form::Utf16.into(), b"\xFF\xFEa\0").unwrap();
    /// assert_eq!(view.without_mark("\u{FEFF}b".as_bytes()), b"b");
    /// ```
    pub fn without_mark<'a>(&self, edited: &'a [u8]) -> &'a [u8] {
        let has_two = !self.mark.is_empty() && !self.text.starts_with('\u{FEFF}');
        edited.strip_prefix("\u{FEFF}".as_bytes()).filter(|_| has_two).unwrap_or(edited)
    }
}

/// The byte order mark of an empty file, if the form requires one.
fn own_mark(charset: Charset) -> Vec<u8> {
    let mut mark = charset.form().and_then(|form| convert(Form::Utf8, form, b"a").ok()).unwrap_or_default();
    mark.truncate(mark.len().saturating_sub(charset.unit()));
    mark
}

/// The form that the file's byte order mark selects.
fn concrete(charset: Charset, bytes: &[u8]) -> Charset {
    match charset {
        Charset::Form(form) => {
            let mut probe = Transcoder::new(form, Form::Utf8);
            let _ = probe.push(&bytes[..bytes.len().min(16)], &mut [0; 64]);
            Charset::Form(probe.source_form())
        }
        Charset::Legacy(_) => charset,
    }
}

/// Whether any piece of the text can be decoded and encoded without what precedes it.
fn stands_alone(charset: Charset) -> bool {
    match charset {
        Charset::Form(form) => form.facts().self_synchronising,
        Charset::Legacy(legacy) => !legacy.has_escapes(),
    }
}

impl Reading {
    /// The name of the encoding.
    ///
    /// ```
    /// use placemat::Form;
    /// use placemat_text::edit::view::View;
    ///
    /// // A mark decides.
    /// assert_eq!(View::of(Form::Utf16.into(), b"\xFF\xFEa\0").unwrap().reading.name(), "utf-16le");
    /// ```
    pub fn name(&self) -> &'static str {
        self.charset.name()
    }

    pub(crate) fn stands_alone(&self) -> bool {
        stands_alone(self.charset)
    }

    /// Decodes bytes of the file, which start and end at boundaries, as in the view.
    ///
    /// ```
    /// use placemat::Form;
    /// use placemat_text::edit::view::View;
    ///
    /// let view = View::of(Form::Iso8859_1.into(), b"caf\xE9").unwrap();
    /// assert_eq!(view.reading.decode(b"\xE9"), "é");
    /// ```
    pub fn decode(&self, bytes: &[u8]) -> String {
        decode(self.charset, bytes, &self.escapes)
    }

    /// Encodes `text`, which is at offset `at` of the whole, and appends its bytes. Characters that the encoding lacks are
    /// left out and returned.
    pub(crate) fn encode(&self, text: &str, at: usize, bytes: &mut Vec<u8>) -> Vec<Lacking> {
        let mut lacking = Vec::new();
        let mut rest = 0;
        for (index, c) in text.char_indices() {
            if let Some(byte) = self.escapes.byte(c) {
                self.encode_plain(&text[rest..index], at + rest, bytes, &mut lacking);
                bytes.push(byte);
                rest = index + c.len_utf8();
            }
        }
        self.encode_plain(&text[rest..], at + rest, bytes, &mut lacking);
        lacking
    }

    fn encode_plain(&self, text: &str, at: usize, bytes: &mut Vec<u8>, lacking: &mut Vec<Lacking>) {
        let mut missing = |index: usize| {
            let character = text[index..].chars().next();
            lacking.extend(character.map(|character| Lacking { at: at + index, character }));
        };
        match self.charset {
            Charset::Form(form) => {
                let mut transcoder = Transcoder::new(Form::Utf8, form).bom(Bom::Keep).from_middle();
                let (mut room, mut read) = ([0; 4096], 0);
                loop {
                    let step = match read < text.len() {
                        true => transcoder.push(&text.as_bytes()[read..], &mut room),
                        false => transcoder.finish(&mut room),
                    };
                    bytes.extend_from_slice(&room[..step.written]);
                    read += step.read;
                    match step.status {
                        Status::Failed(error) => missing(error.offset() as usize),
                        Status::Done => break,
                        Status::NeedInput | Status::NeedOutput => {}
                    }
                }
            }
            Charset::Legacy(legacy) => {
                let mut start = 0;
                while start < text.len() {
                    let rest = &text[start..];
                    let piece = if self.stands_alone() { rest } else { up_to_end_of_line(rest) };
                    let mut writer = LegacyWriter::new(legacy, Policy::Stop.unencodable(Unencodable::Stop));
                    let mut read = 0;
                    while let Err(refused) = writer.push(&piece[read..], true, bytes) {
                        missing(start + read + refused.at);
                        read += refused.at + refused.character.len_utf8();
                    }
                    start += piece.len();
                }
            }
        }
    }

    /// Divides the file into lines. If they cannot be decoded one by one, the whole file is one line.
    fn lines(&self, bytes: &[u8], text: &str) -> Vec<Line> {
        let mut end = Vec::new();
        self.encode("\n", 0, &mut end);
        let mut lines = Vec::new();
        let (mut at, mut view) = (0, 0);
        while at < bytes.len() {
            let stop = at + line_len(&bytes[at..], &end);
            let line = self.decode(&bytes[at..stop]);
            if !text[view..].starts_with(&line) {
                return vec![Line { bytes: 0..bytes.len(), text: 0..text.len() }];
            }
            lines.push(Line { bytes: at..stop, text: view..view + line.len() });
            (at, view) = (stop, view + line.len());
        }
        lines
    }

    /// Divides `bytes`, which start at a boundary, into units: the number of bytes and of characters of each.
    pub(crate) fn units(&self, bytes: &[u8]) -> Vec<(usize, usize)> {
        match self.charset {
            Charset::Form(form) => {
                let unit = |sequence: placemat::Sequence| {
                    let len = sequence.range().len();
                    let is_character = sequence.code_point().is_ok_and(|c| c.to_char().is_some());
                    (len, if is_character { 1 } else { len })
                };
                sequences(form, bytes).map(unit).collect()
            }
            Charset::Legacy(legacy) => {
                let mut reader = LegacyReader::new(legacy, &self.escapes);
                let (mut text, mut units, mut len) = (Vec::new(), Vec::new(), 0);
                let mut note = |text: &mut Vec<u8>, len: &mut usize| {
                    if !text.is_empty() {
                        let characters = text.iter().filter(|&&byte| !is_continuation(byte)).count();
                        units.push((std::mem::take(len), characters));
                        text.clear();
                    }
                };
                for byte in bytes.chunks(1) {
                    let _ = reader.push(byte, &mut text);
                    len += 1;
                    note(&mut text, &mut len);
                }
                let _ = reader.finish(&mut text);
                note(&mut text, &mut len);
                units
            }
        }
    }
}

/// Returns either a line without its end, or the line ends at the start of `text`. Line ends are written separately, so
/// that they come after the escape to ASCII, which ISO-2022-JP could omit in its Roman set.
fn up_to_end_of_line(text: &str) -> &str {
    let is_end = |c| matches!(c, '\r' | '\n');
    let len = if text.starts_with(is_end) { text.find(|c| !is_end(c)) } else { text.find(is_end) };
    &text[..len.unwrap_or(text.len())]
}

/// The length of the first line, including its line end.
fn line_len(bytes: &[u8], end: &[u8]) -> usize {
    if let [end] = end {
        return memchr(*end, bytes).map_or(bytes.len(), |at| at + 1);
    }
    let at = bytes.chunks(end.len()).position(|unit| unit == end);
    at.map_or(bytes.len(), |at| (at + 1) * end.len())
}
