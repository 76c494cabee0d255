//! What lies between two calls: the input that JavaScript wrote, what it is to read, and the open streams.

#![forbid(unsafe_code)]

use placemat::label::{Label, Labels};
use placemat::{Error, ErrorKind, Form, boundary};

use crate::stream::{Refusal, Stream};

/// A buffer beyond this is given back when the next one is asked for.
const KEPT: usize = 1 << 20;

/// What a call tells besides its number, in little-endian words of 32 bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub(crate) struct Told {
    /// Where the output begins, and its length.
    pub(crate) output: usize,
    pub(crate) length: usize,
    /// The error at which it stopped: 0 for none, or its place in `ErrorKind::ALL` and 1.
    pub(crate) kind: u32,
    /// The length of the error.
    pub(crate) error_length: u32,
    /// Its offset, in two halves: JavaScript has no integers of 64 bits in arrays of 32.
    pub(crate) offset: [u32; 2],
}

#[derive(Default)]
pub(crate) struct Session {
    pub(crate) input: Vec<u8>,
    pub(crate) output: Vec<u8>,
    pub(crate) told: Told,
    streams: Vec<Option<Stream>>,
}

fn number(kind: ErrorKind) -> u32 {
    ErrorKind::ALL.iter().position(|&known| known == kind).map_or(0, |at| at as u32 + 1)
}

fn halves(offset: u64) -> [u32; 2] {
    [offset as u32, (offset >> 32) as u32]
}

impl Session {
    /// Room for an input.
    pub(crate) fn room(&mut self, length: usize) -> &mut [u8] {
        for buffer in [&mut self.input, &mut self.output] {
            buffer.clear();
            if buffer.capacity() > KEPT.max(length) {
                *buffer = Vec::new();
            }
        }
        self.input.resize(length, 0);
        &mut self.input
    }

    /// Open a stream by the settings in the input: its handle, or a [`Refusal`].
    pub(crate) fn open(&mut self) -> i32 {
        match Stream::of(self.text()) {
            Ok(stream) => {
                let free = self.streams.iter().position(Option::is_none).unwrap_or_else(|| {
                    self.streams.push(None);
                    self.streams.len() - 1
                });
                self.streams[free] = Some(stream);
                free as i32
            }
            Err(refusal) => refusal as i32,
        }
    }

    /// Convert the input, and end the stream if it is the last. Nothing happens for a stream that is closed.
    pub(crate) fn push(&mut self, handle: usize, is_last: bool) {
        self.output.clear();
        let mut stopped = None;
        if let Some(Some(stream)) = self.streams.get_mut(handle) {
            stopped = stream.push(&self.input, &mut self.output);
            if is_last {
                stopped = stream.finish(&mut self.output);
            }
        }
        self.tell(stopped);
    }

    /// Close a stream; its handle may be given out again.
    pub(crate) fn close(&mut self, handle: usize) {
        if let Some(stream) = self.streams.get_mut(handle) {
            *stream = None;
        }
    }

    /// At most `limit` errors of the input in a form, as records of kind, length and offset in two halves. Their number, or -1.
    pub(crate) fn errors(&mut self, form: usize, limit: usize) -> i32 {
        self.output.clear();
        let Some(&form) = Form::ALL.get(form) else { return Refusal::Source as i32 };
        let mut found = 0;
        for error in placemat::errors(form, &self.input).take(limit) {
            let [low, high] = halves(error.offset());
            for word in [number(error.kind()), error.length().into(), low, high] {
                self.output.extend_from_slice(&word.to_le_bytes());
            }
            found += 1;
        }
        self.tell(None);
        found
    }

    /// The last boundary of the input at or before `index`, or -1 where a form has none without reading from the start.
    pub(crate) fn floor(&self, form: usize, index: usize) -> i32 {
        let found = Form::ALL.get(form).and_then(|&form| boundary::of(form, &self.input));
        found.map_or(Refusal::Source as i32, |found| found.floor(index) as i32)
    }

    /// What the label in the input means to a reader of labels, by its name in the first line: the place of the form in `Form::ALL`, -1 for
    /// nothing, -2 for an encoding that is no form. The output is the canonical name.
    pub(crate) fn label(&mut self) -> i32 {
        let (reader, label) = self.text().split_once('\n').unwrap_or_default();
        let found = Labels::named(reader).and_then(|reader| reader.resolve(label));
        self.output.clear();
        self.output.extend_from_slice(found.map_or("", Label::name).as_bytes());
        self.tell(None);
        match found {
            Some(Label::Form(form)) => {
                Form::ALL.iter().position(|&known| known == form).map_or(-1, |at| at as i32)
            }
            Some(_) => -2,
            None => -1,
        }
    }

    /// The names of the forms, and behind an empty line those of the kinds of errors, one a line.
    pub(crate) fn names(&mut self) {
        let forms = Form::ALL.iter().map(|form| form.name());
        let kinds = ErrorKind::ALL.iter().map(|kind| kind.name());
        let lines: Vec<_> = forms.chain([""]).chain(kinds).collect();
        self.output = lines.join("\n").into_bytes();
        self.tell(None);
    }

    /// The input as text: settings and labels, which the glue writes in UTF-8.
    fn text(&self) -> &str {
        placemat::validate(&self.input).unwrap_or_default()
    }

    fn tell(&mut self, stopped: Option<Error>) {
        self.told = Told {
            output: self.output.as_ptr().addr(),
            length: self.output.len(),
            kind: stopped.map_or(0, |error| number(error.kind())),
            error_length: stopped.map_or(0, |error| error.length().into()),
            offset: halves(stopped.map_or(0, |error| error.offset())),
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wrote(session: &mut Session, text: &[u8]) {
        session.room(text.len()).copy_from_slice(text);
    }

    #[test]
    fn a_stream_gives_the_same_in_any_two_pieces() {
        let text = b"a\xC3\xA9\xE2\x82\xFF\xF0\x9F\x98\x80";
        for at in 0..=text.len() {
            let mut session = Session::default();
            wrote(&mut session, b"utf-8\nutf-16le\nreplace\nstop\nkeep");
            let handle = session.open() as usize;
            let mut out = Vec::new();
            for (piece, is_last) in [(&text[..at], false), (&text[at..], true)] {
                wrote(&mut session, piece);
                session.push(handle, is_last);
                assert_eq!((session.told.kind, session.told.length), (0, session.output.len()));
                out.extend_from_slice(&session.output);
            }
            assert_eq!(out, b"a\0\xE9\0\xFD\xFF\xFD\xFF\x3D\xD8\0\xDE", "cut at {at}");
        }
    }

    #[test]
    fn an_error_stops_a_stream_until_its_end() {
        let mut session = Session::default();
        wrote(&mut session, b"utf-8\nutf-8\nstop\nstop\nkeep");
        let handle = session.open() as usize;
        wrote(&mut session, b"ab\xFFcd");
        for is_last in [false, true] {
            session.push(handle, is_last);
            let expected = (number(ErrorKind::InvalidByte), 1, [2, 0]);
            assert_eq!((session.told.kind, session.told.error_length, session.told.offset), expected);
        }
        wrote(&mut session, b"ok");
        session.push(handle, true);
        assert_eq!((session.told.kind, &session.output[..]), (0, &b"ok"[..]));
    }

    #[test]
    fn settings_that_mean_nothing_are_refused() {
        for (settings, refusal) in [
            ("utf-9\nutf-8\nstop\nstop\nkeep", Refusal::Source),
            ("utf-8\nutf-9\nstop\nstop\nkeep", Refusal::Target),
            ("utf-8\nutf-8\ngo\nstop\nkeep", Refusal::Policy),
            ("utf-8\nutf-8\nstop\ngo\nkeep", Refusal::Unencodable),
            ("utf-8\nutf-8\nstop\nstop", Refusal::Bom),
            ("utf-8\nus-ascii\nstop\nstop\nadd", Refusal::Unsuitable),
            ("utf-8\nus-ascii\nstop\nreplace=\u{E9}\nkeep", Refusal::Unsuitable),
            ("", Refusal::Source),
        ] {
            let mut session = Session::default();
            wrote(&mut session, settings.as_bytes());
            assert_eq!(session.open(), refusal as i32, "{settings:?}");
        }
    }

    #[test]
    fn handles_are_used_again_and_a_closed_one_writes_nothing() {
        let mut session = Session::default();
        for expected in [0, 1] {
            wrote(&mut session, b"utf-8\nutf-8\nstop\nstop\nkeep");
            assert_eq!(session.open(), expected);
        }
        session.close(0);
        session.close(99);
        session.push(0, true);
        assert_eq!(session.told.length, 0);
        assert_eq!(session.open(), 0);
    }

    #[test]
    fn large_buffers_are_given_back() {
        let mut session = Session::default();
        session.room(KEPT * 4);
        session.room(8);
        assert!(session.input.capacity() <= KEPT);
    }

    #[test]
    fn labels_errors_and_boundaries() {
        let mut session = Session::default();
        wrote(&mut session, b"whatwg\n UTF8 ");
        let utf8 = session.label() as usize;
        assert_eq!((Form::ALL[utf8], &session.output[..]), (Form::Utf8, &b"utf-8"[..]));
        wrote(&mut session, b"whatwg\nkoi8-r");
        assert_eq!((session.label(), &session.output[..]), (-2, &b"koi8-r"[..]));
        wrote(&mut session, b"whatwg\nutf-9");
        assert_eq!(session.label(), -1);

        wrote(&mut session, b"a\xFFb\xC3");
        assert_eq!((session.errors(utf8, 1), session.output.len()), (1, 16));
        assert_eq!(session.errors(utf8, 9), 2);
        let truncated = [number(ErrorKind::Truncated), 1, 3, 0].map(u32::to_le_bytes).concat();
        assert_eq!(session.output[16..], truncated);
        assert_eq!(session.errors(999, 9), -1);

        wrote(&mut session, "caf\u{E9}".as_bytes());
        assert_eq!((session.floor(utf8, 4), session.floor(999, 4)), (3, -1));
    }
}
