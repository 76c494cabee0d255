//! Lines and columns of a source, in any encoding.

use placemat::{Bom, Form, Policy, Status, Transcoder, Unencodable};

use crate::charset::{Charset, LegacyReader};
use crate::scan::position::Position;

/// Counts lines and columns of bytes as they pass. A column is a code point or an error, a leading mark takes none, and
/// U+000A ends a line.
pub(crate) struct Place {
    reader: Reader,
    position: Position,
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
        let (reader, position) = match charset {
            Charset::Form(form) => {
                let transcoder = Transcoder::new(form, Form::Utf8).on_error(policy).bom(Bom::Strip);
                (Reader::Form(Box::new(transcoder)), Position::behind_mark())
            }
            Charset::Legacy(legacy) => {
                (Reader::Legacy(Box::new(LegacyReader::new(legacy, policy))), Position::start())
            }
        };
        Place { reader, position, text: Vec::new() }
    }

    /// Step over these bytes.
    pub(crate) fn pass(&mut self, mut bytes: &[u8]) {
        match &mut self.reader {
            Reader::Form(transcoder) => {
                self.text.resize(64 * 1024, 0);
                loop {
                    let step = transcoder.push(bytes, &mut self.text);
                    self.position.advance(&self.text[..step.written]);
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
                    self.position.advance(&self.text);
                }
            }
        }
    }

    /// The line and the column of what comes next, counted from 1.
    pub(crate) fn get(&self) -> (u64, u64) {
        (self.position.line, self.position.column)
    }
}
