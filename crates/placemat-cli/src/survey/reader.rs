//! From bytes to a text in numbers: what it is in, then all of it, read as that; in constant memory.

use std::io::{self, Cursor, Read};

use placemat::label::Labels;
use placemat::{CodePoint, Fault, Form, Transcoder, Verdict};
use placemat_detect::{Detector, detect};
use placemat_text::survey::{Body, Errors, Text};

use crate::input::read_some;
use placemat_text::charset::{Charset, LegacyReader};
use placemat_text::feed::feed;

/// How much of a text decides what it is in, in bytes; at least half of it begins with the first that is not ASCII.
pub(crate) const SAMPLE: usize = 1 << 20;

/// What is left of ASCII for the next sample, so that nothing in it looks like the start of a text.
const OVERLAP: usize = 8;

const BLOCK: usize = 64 << 10;

/// The encodings in which a sequence that is not UTF-8 tells of a relative.
const RELATIVES: [&str; 6] = ["us-ascii", "utf-8", "cesu-8", "mutf-8", "wtf-8", "utf-8-rfc2279"];

/// Reads texts, one after another.
pub(crate) struct Reader {
    sample: Vec<u8>,
    block: Box<[u8]>,
    room: Box<[u8]>,
}

impl Reader {
    pub(crate) fn new() -> Reader {
        Reader { sample: Vec::new(), block: vec![0; BLOCK].into(), room: vec![0; BLOCK].into() }
    }

    /// Read a text to its end.
    ///
    /// # Errors
    /// Those of reading.
    pub(crate) fn read(&mut self, source: &mut dyn Read) -> io::Result<Text> {
        let mut body = Body::default();
        let mut bytes = 0;
        self.sample.clear();
        loop {
            let wanted = SAMPLE - self.sample.len();
            (&mut *source).take(wanted as u64).read_to_end(&mut self.sample)?;
            let is_complete = self.sample.len() < SAMPLE;
            let ascii = self.sample.iter().take_while(|byte| byte.is_ascii()).count();
            if !is_complete && ascii >= SAMPLE / 2 {
                let passed = &self.sample[..ascii - OVERLAP];
                // Nothing is decided yet: ASCII is ASCII in whatever follows.
                if detect(passed, false).encoding == "us-ascii" {
                    body.add(passed);
                    bytes += passed.len() as u64;
                    self.sample.drain(..ascii - OVERLAP);
                    continue;
                }
            }
            let found = detect(&self.sample, is_complete);
            let mut text = Text {
                encoding: found.encoding,
                mark: found.bom && bytes == 0,
                confidence: found.confidence,
                bytes,
                errors: Errors::default(),
                dialects: Default::default(),
                body: Some(body),
            };
            let is_relative = RELATIVES.contains(&found.encoding);
            let mut dialects = (is_relative && !is_complete).then(Detector::new);
            if is_relative {
                text.dialects = found.counts;
            }
            self.decode(source, &mut text, dialects.as_mut())?;
            if let Some(detector) = dialects {
                text.dialects = detector.finish(true).counts;
            }
            return Ok(text);
        }
    }

    /// Count the sample and what follows it.
    fn decode(
        &mut self,
        source: &mut dyn Read,
        text: &mut Text,
        mut dialects: Option<&mut Detector>,
    ) -> io::Result<()> {
        let charset = charset(text.encoding);
        let Text { errors, body, bytes, .. } = text;
        let mut counted = body.take().unwrap_or_default();
        let tap = |fault: &Fault<'_>, _: &mut placemat::Text| {
            errors.add(fault.error);
            Verdict::Resume
        };
        let mut source = Cursor::new(&self.sample).chain(source);
        let block = &mut self.block;
        let mut each = |push: &mut dyn FnMut(&[u8])| loop {
            let read = read_some(&mut source, block)?;
            *bytes += read as u64;
            if let Some(detector) = &mut dialects {
                detector.push(&block[..read]);
            }
            push(&block[..read]);
            if read == 0 {
                return Ok(());
            }
        };
        match charset {
            None => return each(&mut |_| {}),
            Some(Charset::Form(form)) => {
                let mut transcoder = Transcoder::new(form, pivot(form)).on_error_with(tap);
                each(&mut |block| {
                    feed(&mut transcoder, block, &mut self.room, &mut |text, _| counted.add(text));
                })?;
            }
            Some(Charset::Legacy(legacy)) => {
                let mut reader = LegacyReader::new(legacy, tap);
                let mut decoded = Vec::new();
                each(&mut |block| {
                    // The tap never stops.
                    let _ = if block.is_empty() {
                        reader.finish(&mut decoded)
                    } else {
                        reader.push(block, &mut decoded)
                    };
                    counted.add(&decoded);
                    decoded.clear();
                })?;
            }
        }
        *body = Some(counted);
        Ok(())
    }
}

/// What reads the encoding that was detected, if anything does.
fn charset(name: &str) -> Option<Charset> {
    // What the web forbids is refused by the resolver.
    Charset::resolve(Labels::Lenient, name).ok()
}

/// UTF-8, or for forms that hold more than characters the UTF-8 that holds everything.
fn pivot(form: Form) -> Form {
    let carries = |value| CodePoint::new(value).is_some_and(|c| form.carries(c));
    if carries(0xD800) || carries(0x11_0000) { Form::Utf8Rfc2279Surrogates } else { Form::Utf8 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &[u8]) -> Text {
        Reader::new().read(&mut &text[..]).unwrap()
    }

    #[test]
    fn what_is_not_ascii_decides_however_late_it_comes() {
        let mut long = b"plain ASCII\n".repeat(3 * SAMPLE / 12);
        let ascii = long.len() as u64;
        assert_eq!(read(&long).encoding, "us-ascii");
        for at in [0, 1, OVERLAP, 100, SAMPLE / 2 - 1, SAMPLE / 2, SAMPLE / 2 + 1] {
            let mut late = long[..SAMPLE - at].to_vec();
            late.extend_from_slice(&b"\xCF\xF0\xE8\xE2\xE5\xF2, \xEC\xE8\xF0! ".repeat(20));
            let text = read(&late);
            assert_eq!((text.encoding, text.errors.count()), ("windows-1251", 0), "{at}");
            assert_eq!(text.body.unwrap().code_points, late.len() as u64);
            assert_eq!(text.bytes, late.len() as u64);
        }
        long.extend_from_slice("héllo wörld\r\n".as_bytes());
        long.push(0xFF);
        let text = read(&long);
        assert_eq!(text.encoding, "utf-8");
        let body = text.body.unwrap();
        assert_eq!(body.code_points, ascii + 13);
    }

    #[test]
    fn errors_and_dialects_are_of_the_whole_text() {
        let mut long = "é\n".repeat(SAMPLE).into_bytes();
        long.extend_from_slice(b"\xED\xA0\xBD\xED\xB8\x80 caf\xE9 ");
        let text = read(&long);
        assert_eq!((text.encoding, text.errors.count()), ("utf-8", 7));
        assert_eq!(text.dialects.malformed(), 2);
        assert_eq!(text.bytes, long.len() as u64);
    }
}
