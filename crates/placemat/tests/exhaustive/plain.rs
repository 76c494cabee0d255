//! The scalar result for a string, and from it the expected result for a whole text.

use placemat::{Error, Status, Step, Transcoder};

/// Room for the result of any text here.
const ROOM: usize = 16 << 10;

/// How a conversion ended: bytes written, bytes read by the first call, and an error.
pub(crate) type End = (usize, usize, Option<Error>);

/// Converts all of `text` into `out`.
pub(crate) fn run(transcoder: &Transcoder, text: &[u8], out: &mut [u8]) -> End {
    let mut transcoder = transcoder.clone();
    let Step { read, mut written, mut status } = transcoder.push(text, out);
    if status == Status::NeedInput {
        let last = transcoder.finish(&mut out[written..]);
        written += last.written;
        status = last.status;
    }
    match status {
        Status::Failed(error) => (written, read, Some(error)),
        _ => (written, read, None),
    }
}

/// The same error, `by` bytes later.
pub(crate) fn later(error: Error, by: usize) -> Error {
    Error::new(error.kind(), error.offset() + by as u64, error.length())
}

/// The scalar results for the text around a string.
pub(crate) struct Around {
    plain: Transcoder,
    before: Vec<u8>,
    behind: Vec<u8>,
    out: Vec<u8>,
    found: Vec<u8>,
}

impl Around {
    pub(crate) fn new(plain: &Transcoder, before: &[u8], behind: &[u8]) -> Around {
        let written = |text| {
            let mut out = vec![0; ROOM];
            let (written, _, error) = run(plain, text, &mut out);
            assert_eq!(error, None, "what stands around is well-formed");
            out.truncate(written);
            out
        };
        let (before, behind) = (written(before), written(behind));
        Around { plain: plain.clone(), before, behind, out: vec![0; ROOM], found: vec![0; ROOM] }
    }

    /// Checks that the conversions of `text`, in which `core` stands behind `offset` bytes, give the scalar result for `core`,
    /// between the results for the text around it.
    pub(crate) fn check(&mut self, fast: &[Transcoder], text: &[u8], core: &[u8], offset: usize) {
        let (written, read, error) = run(&self.plain, core, &mut self.out);
        let core = &self.out[..written];
        let (start, end) = (self.before.len(), self.before.len() + written);
        let expected = match error {
            Some(error) => (end, offset + read, Some(later(error, offset))),
            None => (end + self.behind.len(), text.len(), None),
        };
        for transcoder in fast {
            let found = run(transcoder, text, &mut self.found);
            assert_eq!(found, expected, "{text:02x?}");
            let out = &self.found[..found.0];
            assert!(out[..start] == self.before && out[start..end] == *core, "{text:02x?}");
            assert!(error.is_some() || out[end..] == self.behind, "{text:02x?}");
        }
    }
}
