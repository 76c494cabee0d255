//! Lines and columns of a source, in any encoding.

mod position;

use memchr::memmem;
use placemat::{Bom, CodePoint, Form, Policy, Status, Transcoder, Unencodable};

pub(crate) use self::position::{Position, code_points, count_bytes};
use crate::charset::{Charset, Sequences, Tail};

/// Counts lines and columns of the bytes that it is given. A line ends with U+000A. A column is a code point or an
/// error; a byte order mark at the start takes no column.
pub struct Place {
    reader: Reader,
    /// The last bytes, not counted yet: a sequence of theirs may end after the offset that is looked for.
    tail: Tail,
    position: Position,
    text: Vec<u8>,
}

enum Reader {
    Form(Box<Transcoder>),
    Legacy(Box<Sequences<Policy>>),
}

impl Place {
    /// Starts at the beginning of a text.
    ///
    /// ```
    /// use placemat::Form;
    /// use placemat_text::place::Place;
    ///
    /// let mut place = Place::new(Form::Utf8.into());
    /// place.pass("né\n".as_bytes());
    /// assert_eq!(place.at(4, b"a"), (2, 1));
    /// ```
    pub fn new(charset: Charset) -> Place {
        let policy = Policy::Replace.unencodable(Unencodable::Replace(None));
        let (reader, position) = match charset {
            Charset::Form(form) => {
                let transcoder = Transcoder::new(form, Form::Utf8).on_error(policy).bom(Bom::Strip);
                (Reader::Form(Box::new(transcoder)), Position::behind_mark())
            }
            Charset::Legacy(legacy) => {
                (Reader::Legacy(Box::new(Sequences::new(legacy, policy))), Position::start())
            }
        };
        Place { reader, tail: Tail::default(), position, text: vec![0; 64 * 1024] }
    }

    /// Counts these bytes, which follow those of the last call.
    ///
    /// ```
    /// use placemat::Form;
    /// use placemat_text::place::Place;
    ///
    /// let mut place = Place::new(Form::Utf8.into());
    /// place.pass("né\n".as_bytes());
    /// place.pass(b"ab");
    /// assert_eq!(place.at(6, b"c"), (2, 3));
    /// ```
    pub fn pass(&mut self, bytes: &[u8]) {
        let Place { reader, tail, position, text } = self;
        tail.push(bytes, |mut bytes| match reader {
            Reader::Form(transcoder) => loop {
                let step = transcoder.push(bytes, text);
                position.advance(&text[..step.written]);
                bytes = &bytes[step.read..];
                if step.status == Status::NeedInput {
                    break;
                }
            },
            Reader::Legacy(sequences) => sequences.pass(bytes, |text| position.advance(text)),
        });
    }

    /// Returns the line and the column, both from 1, of the sequence at `offset` of the source. `following` are the
    /// bytes after those that were passed; the sequence starts in them or a few bytes before.
    ///
    /// ```
    /// use placemat::Form;
    /// use placemat_text::place::Place;
    ///
    /// let mut place = Place::new(Form::Utf8.into());
    /// place.pass("né\n".as_bytes());
    /// assert_eq!(place.at(6, b"abc"), (2, 3));
    /// ```
    pub fn at(self, offset: u64, following: &[u8]) -> (u64, u64) {
        self.find(offset, None, following)
    }

    /// Like [`Place::at`], for the error of a conversion: `code_point` may be the second of the two that some
    /// sequences of Big5 hold.
    ///
    /// ```
    /// use placemat::Form;
    /// use placemat_text::place::Place;
    ///
    /// let mut place = Place::new(Form::Utf8.into());
    /// place.pass("né\n".as_bytes());
    /// assert_eq!(place.of(5, Some('b'.into()), b"ab"), (2, 2));
    /// ```
    pub fn of(self, offset: u64, code_point: Option<CodePoint>, following: &[u8]) -> (u64, u64) {
        self.find(offset, code_point.and_then(CodePoint::to_char), following)
    }

    fn find(mut self, offset: u64, character: Option<char>, following: &[u8]) -> (u64, u64) {
        let bytes = [self.tail.bytes(), following].concat();
        match &mut self.reader {
            Reader::Form(transcoder) => {
                let mut rest = &bytes[..];
                let mut room = [0; 4];
                while let Some(len) = next_before(offset, transcoder, &mut rest, &mut room) {
                    self.position.advance(&room[..len]);
                }
            }
            Reader::Legacy(sequences) => {
                let mut room = [0; 4];
                let character: &[u8] = character.map_or(&[], |c| c.encode_utf8(&mut room).as_bytes());
                let mut is_there = false;
                for byte in bytes.into_iter().map(Some).chain([None]) {
                    sequences.read(byte, |sequence| {
                        let before = match sequence.range.end > offset {
                            _ if is_there => 0,
                            true => memmem::find(sequence.text, character).unwrap_or(0),
                            false => sequence.text.len(),
                        };
                        is_there |= sequence.range.end > offset;
                        self.position.advance(&sequence.text[..before]);
                    });
                    if is_there {
                        break;
                    }
                }
            }
        }
        (self.position.line, self.position.column)
    }
}

/// Writes the next code point to `room` if it starts before `offset`, and returns its length. The room grows until
/// one code point fits, so that never two are written.
fn next_before(
    offset: u64,
    transcoder: &mut Transcoder,
    rest: &mut &[u8],
    room: &mut [u8; 4],
) -> Option<usize> {
    // Without room, the transcoder stops at the start of the code point.
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
        if transcoder.pending_offset() >= offset {
            return None;
        }
    }
    None
}
