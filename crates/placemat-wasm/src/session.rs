//! The state between two calls: the input that JavaScript wrote, the results for it to read, and everything that is open.

#![forbid(unsafe_code)]

use placemat::{Error, ErrorKind};

#[cfg(feature = "forms")]
pub(crate) use stream::Refusal;
#[cfg(any(feature = "forms", feature = "legacy"))]
use stream::Stream;

#[cfg(feature = "mend")]
mod mend;
#[cfg(any(feature = "forms", feature = "legacy"))]
mod stream;
#[cfg(feature = "survey")]
mod survey;

/// A buffer larger than this is freed when the next one is needed.
pub(crate) const KEPT: usize = 1 << 20;

/// The results of a call besides its return value, in little-endian words of 32 bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub(crate) struct Told {
    /// The address and the length of the output.
    pub(crate) output: usize,
    pub(crate) length: usize,
    /// The kind of the error at which it stopped: 0 for none, otherwise the index in `ErrorKind::ALL` plus 1.
    pub(crate) kind: u32,
    /// The length of the error.
    pub(crate) error_length: u32,
    /// The offset of the error, in two halves: JavaScript has no integers of 64 bits in arrays of 32.
    pub(crate) offset: [u32; 2],
}

#[derive(Default)]
pub(crate) struct Session {
    pub(crate) input: Vec<u8>,
    pub(crate) output: Vec<u8>,
    pub(crate) told: Told,
    #[cfg(any(feature = "forms", feature = "legacy"))]
    pub(crate) streams: Vec<Option<Stream>>,
    /// The free indices in `streams`.
    #[cfg(any(feature = "forms", feature = "legacy"))]
    pub(crate) free: Vec<usize>,
    /// The settings of the next call, in lines.
    #[cfg(feature = "text")]
    pub(crate) settings: Vec<u8>,
    #[cfg(feature = "mend")]
    pub(crate) mend: mend::Mend,
    #[cfg(feature = "survey")]
    pub(crate) surveys: survey::Surveys,
}

/// The answer of a call.
#[cfg(feature = "text")]
pub(crate) struct Answer(Vec<u8>);

#[cfg(feature = "text")]
impl Answer {
    /// A model, as JSON.
    pub(crate) fn of(model: &impl serde::Serialize) -> Result<Answer, String> {
        serde_json::to_vec(model).map(Answer).map_err(|error| error.to_string())
    }

    #[cfg(any(feature = "explain", feature = "mend", feature = "survey"))]
    pub(crate) fn text(text: String) -> Answer {
        Answer(text.into_bytes())
    }

    #[cfg(any(feature = "explain", feature = "mend", feature = "survey"))]
    pub(crate) fn bytes(bytes: Vec<u8>) -> Answer {
        Answer(bytes)
    }

    #[cfg(any(feature = "detect", feature = "explain"))]
    pub(crate) fn refused(why: impl std::fmt::Display) -> Result<Answer, String> {
        Err(why.to_string())
    }
}

#[cfg(feature = "text")]
impl Session {
    /// Uses the input as the settings of the next call.
    pub(crate) fn settings(&mut self) {
        self.settings = std::mem::take(&mut self.input);
    }

    #[cfg(any(feature = "explain", feature = "mend", feature = "survey"))]
    /// The settings, one per line. Missing lines are empty.
    pub(crate) fn lines<const COUNT: usize>(&self) -> [String; COUNT] {
        let text = String::from_utf8_lossy(&self.settings);
        let mut lines = text.split('\n').map(str::to_owned);
        std::array::from_fn(|_| lines.next().unwrap_or_default())
    }

    /// Sets the output to an answer, or to a sentence that says why there is none. Returns 0 or -1.
    pub(crate) fn answer(&mut self, answer: Result<Answer, String>) -> i32 {
        let (output, status) = match answer {
            Ok(Answer(output)) => (output, 0),
            Err(why) => (why.into_bytes(), -1),
        };
        self.output = output;
        self.tell(None);
        status
    }
}

pub(crate) fn number(kind: ErrorKind) -> u32 {
    ErrorKind::ALL.iter().position(|&known| known == kind).map_or(0, |at| at as u32 + 1)
}

pub(crate) fn halves(offset: u64) -> [u32; 2] {
    [offset as u32, (offset >> 32) as u32]
}

impl Session {
    /// Returns room for an input.
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

    /// The input as text: settings and labels, which the JavaScript code writes in UTF-8.
    #[cfg(any(feature = "forms", feature = "legacy"))]
    pub(crate) fn text(&self) -> &str {
        placemat::validate(&self.input).unwrap_or_default()
    }

    pub(crate) fn tell(&mut self, stopped: Option<Error>) {
        self.told = Told {
            output: self.output.as_ptr().addr(),
            length: self.output.len(),
            kind: stopped.map_or(0, |error| number(error.kind())),
            error_length: stopped.map_or(0, |error| error.length().into()),
            offset: halves(stopped.map_or(0, |error| error.offset())),
        };
    }
}

#[cfg(all(test, feature = "forms"))]
mod tests {
    use placemat::Form;

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
