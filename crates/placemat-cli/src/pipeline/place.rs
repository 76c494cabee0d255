//! Lines and columns of a source, in any encoding.

use memchr::{memchr_iter, memrchr};
use placemat::{Bom, Form, Policy, Status, Transcoder, Unencodable, bom};

use crate::charset::{Charset, Sequences, Tail};

/// Counts lines and columns of bytes as they pass. A column is a code point or an error, a leading mark takes none, and
/// U+000A ends a line.
pub(crate) struct Place {
    reader: Reader,
    /// What has passed but is not counted: a sequence may end behind where another one was looked for.
    tail: Tail,
    count: Count,
    text: Vec<u8>,
}

enum Reader {
    Form(Box<Transcoder>),
    Legacy(Box<Sequences<Policy>>),
}

/// What ended before here, counted from 0.
#[derive(Default)]
struct Count {
    line: u64,
    column: u64,
    has_begun: bool,
}

impl Place {
    /// At the start of a text.
    pub(crate) fn new(charset: Charset) -> Place {
        let policy = Policy::Replace.unencodable(Unencodable::Replace(None));
        let (reader, has_begun) = match charset {
            Charset::Form(form) => {
                let transcoder = Transcoder::new(form, Form::Utf8).on_error(policy).bom(Bom::Strip);
                (Reader::Form(Box::new(transcoder)), true)
            }
            Charset::Legacy(legacy) => (Reader::Legacy(Box::new(Sequences::new(legacy, policy))), false),
        };
        let count = Count { has_begun, ..Count::default() };
        Place { reader, tail: Tail::default(), count, text: vec![0; 64 * 1024] }
    }

    /// Step over these bytes.
    pub(crate) fn pass(&mut self, bytes: &[u8]) {
        let Place { reader, tail, count, text } = self;
        tail.push(bytes, |mut bytes| match reader {
            Reader::Form(transcoder) => loop {
                let step = transcoder.push(bytes, text);
                count.pass(&text[..step.written]);
                bytes = &bytes[step.read..];
                if step.status == Status::NeedInput {
                    break;
                }
            },
            Reader::Legacy(sequences) => sequences.pass(bytes, |text| count.pass(text)),
        });
    }

    /// The line and the column, both from 1, of the sequence at `offset` of the source, which is not far from what has passed;
    /// `following` comes next.
    pub(crate) fn at(mut self, offset: u64, following: &[u8]) -> (u64, u64) {
        let bytes = [self.tail.bytes(), following].concat();
        match &mut self.reader {
            Reader::Form(transcoder) => {
                let mut rest = &bytes[..];
                let mut room = [0; 4];
                while let Some(len) = next_before(offset, transcoder, &mut rest, &mut room) {
                    self.count.pass(&room[..len]);
                }
            }
            Reader::Legacy(sequences) => {
                let mut is_there = false;
                for byte in bytes.into_iter().map(Some).chain([None]) {
                    sequences.read(byte, |sequence| {
                        is_there |= sequence.range.end > offset;
                        if !is_there {
                            self.count.pass(sequence.text);
                        }
                    });
                    if is_there {
                        break;
                    }
                }
            }
        }
        (self.count.line + 1, self.count.column + 1)
    }
}

/// Write the next code point, which is what fits into no less room than it takes, if it starts before `offset`; its length.
fn next_before(
    offset: u64,
    transcoder: &mut Transcoder,
    rest: &mut &[u8],
    room: &mut [u8; 4],
) -> Option<usize> {
    // Without room, the transcoder comes to its start.
    for size in 0..=room.len() {
        loop {
            let step = match rest {
                [] => transcoder.finish_part(&mut room[..size]),
                _ => transcoder.push(rest, &mut room[..size]),
            };
            *rest = &rest[step.read..];
            match step.status {
                _ if step.written > 0 => return Some(step.written),
                Status::Done => return None,
                Status::NeedOutput => break,
                Status::NeedInput | Status::Failed(_) => {}
            }
        }
        if transcoder.source_of_next() >= offset {
            return None;
        }
    }
    None
}

impl Count {
    /// Step over UTF-8.
    fn pass(&mut self, text: &[u8]) {
        if text.is_empty() {
            return;
        }
        let text = if self.has_begun { text } else { bom::strip(text) };
        self.has_begun = true;
        let mut last_line = text;
        if let Some(at) = memrchr(b'\n', text) {
            self.line += memchr_iter(b'\n', text).count() as u64;
            self.column = 0;
            last_line = &text[at + 1..];
        }
        self.column += last_line.iter().filter(|&&byte| byte & 0xC0 != 0x80).count() as u64;
    }
}
