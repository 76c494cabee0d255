//! Lines and columns of a source, in any encoding.

use memchr::{memchr_iter, memrchr};
use placemat::{Bom, Form, Policy, Status, Transcoder, Unencodable};

use crate::charset::{Charset, LegacyReader};

/// Counts lines and columns of bytes as they pass. A column is a code point or an error, a leading mark takes none, and
/// U+000A ends a line.
pub(crate) struct Place {
    reader: Reader,
    /// What ended before here, counted from 0.
    line: u64,
    column: u64,
    text: Vec<u8>,
}

enum Reader {
    Form(Box<Transcoder>),
    Legacy(Box<LegacyReader>),
}

impl Place {
    /// At the start of a text.
    pub(crate) fn new(charset: Charset) -> Place {
        let policy = Policy::Replace.unencodable(Unencodable::Replace(None));
        let reader = match charset {
            Charset::Form(form) => {
                let transcoder = Transcoder::new(form, Form::Utf8).on_error(policy).bom(Bom::Strip);
                Reader::Form(Box::new(transcoder))
            }
            Charset::Legacy(legacy) => Reader::Legacy(Box::new(LegacyReader::new(legacy, policy))),
        };
        Place { reader, line: 0, column: 0, text: Vec::new() }
    }

    /// Step over these bytes.
    pub(crate) fn pass(&mut self, mut bytes: &[u8]) {
        let (line, column) = (&mut self.line, &mut self.column);
        match &mut self.reader {
            Reader::Form(transcoder) => {
                self.text.resize(64 * 1024, 0);
                loop {
                    let step = transcoder.push(bytes, &mut self.text);
                    count(&self.text[..step.written], line, column);
                    bytes = &bytes[step.read..];
                    if step.status == Status::NeedInput {
                        return;
                    }
                }
            }
            Reader::Legacy(reader) => {
                for piece in bytes.chunks(16 * 1024) {
                    self.text.clear();
                    // The policy never stops.
                    let _ = reader.push(piece, &mut self.text);
                    count(&self.text, line, column);
                }
            }
        }
    }

    /// The line and the column of what comes next, counted from 1.
    pub(crate) fn get(&self) -> (u64, u64) {
        (self.line + 1, self.column + 1)
    }
}

/// Step over UTF-8.
fn count(text: &[u8], line: &mut u64, column: &mut u64) {
    let mut last_line = text;
    if let Some(at) = memrchr(b'\n', text) {
        *line += memchr_iter(b'\n', text).count() as u64;
        *column = 0;
        last_line = &text[at + 1..];
    }
    *column += last_line.iter().filter(|&&byte| byte & 0xC0 != 0x80).count() as u64;
}
