//! Separates the text of a stream from its errors, with the reader that its encoding needs.

use placemat::{Bom, ErrorKind, Form, Status, Transcoder, errors};

use super::Located;
use super::window::Window;
use crate::charset::{Charset, ErrorReader, Part};
use crate::feed::utf8_for;

/// The number of bytes that a reader of legacy encodings gets at once; its output may be three times as long.
const PIECE: usize = 16 << 10;

/// Separates text from errors.
pub(super) enum Engine {
    /// UTF-8: the fast one, which needs input that ends at boundaries.
    Utf8,
    /// Any other form, converted to generalised UTF-8 without a byte order mark, to count lines and columns.
    Other {
        transcoder: Box<Transcoder>,
        text: Vec<u8>,
    },
    Legacy(Box<ErrorReader>),
}

impl Engine {
    pub(super) fn new(charset: Charset) -> Engine {
        match charset {
            Charset::Form(Form::Utf8) => Engine::Utf8,
            Charset::Form(form) => {
                let transcoder = Transcoder::new(form, utf8_for(form)).bom(Bom::Strip);
                Engine::Other { transcoder: Box::new(transcoder), text: vec![0; 64 << 10] }
            }
            Charset::Legacy(legacy) => Engine::Legacy(Box::new(ErrorReader::new(legacy))),
        }
    }

    /// Searches the window up to `end`.
    pub(super) fn read<E>(
        &mut self,
        window: &Window,
        end: usize,
        found: &mut Located<'_, E>,
    ) -> Result<(), E> {
        match self {
            Engine::Utf8 => read_utf8(window, end, found),
            Engine::Other { transcoder, text } => read_other(transcoder, text, window, end, found),
            Engine::Legacy(reader) => read_legacy(reader, window, end, found),
        }
    }
}

fn read_utf8<E>(window: &Window, end: usize, found: &mut Located<'_, E>) -> Result<(), E> {
    let mut at = window.done;
    for error in errors(Form::Utf8, &window.bytes[at..end]) {
        if found.is_content() {
            return Ok(());
        }
        // Offsets within the window fit a `usize`.
        let start = window.done + error.offset() as usize;
        found.text(&window.bytes[at..start]);
        at = start + usize::from(error.length());
        // At a cut between `E2 82` and `F0` a sequence seems to be truncated, but the next byte shows that a continuation is missing.
        let kind = match error.kind() {
            ErrorKind::Truncated if !window.at_end => ErrorKind::MissingContinuation,
            kind => kind,
        };
        found.error(window, kind, Form::Utf8.into(), start..at)?;
    }
    found.text(&window.bytes[at..end]);
    Ok(())
}

fn read_other<E>(
    transcoder: &mut Transcoder,
    text: &mut [u8],
    window: &Window,
    end: usize,
    found: &mut Located<'_, E>,
) -> Result<(), E> {
    let mut at = window.done;
    while !found.is_content() {
        let is_over = at == end;
        let step = match is_over {
            true if window.at_end => transcoder.finish(text),
            true => return Ok(()),
            false => transcoder.push(&window.bytes[at..end], text),
        };
        at += step.read;
        found.text(&text[..step.written]);
        match step.status {
            Status::Failed(error) => {
                let form = transcoder.source_form();
                found.error(window, error.kind(), form.into(), window.range_of(error))?;
            }
            Status::Done => return Ok(()),
            Status::NeedInput | Status::NeedOutput => {}
        }
    }
    Ok(())
}

fn read_legacy<E>(
    reader: &mut ErrorReader,
    window: &Window,
    end: usize,
    found: &mut Located<'_, E>,
) -> Result<(), E> {
    let pieces = window.bytes[window.done..end].chunks(PIECE);
    // An empty piece means the end of the input.
    let last = window.at_end.then_some(&[][..]);
    for piece in pieces.chain(last) {
        for part in reader.read(piece) {
            match part {
                _ if found.is_content() => return Ok(()),
                Part::Text(text) => found.text(text),
                Part::Error(error) => {
                    found.error(window, error.kind(), found.search.charset, window.range_of(error))?;
                }
            }
        }
    }
    Ok(())
}
