//! Computes the numbers of one text, in constant memory: detects its encoding, then reads all of it in that encoding.

use std::io::{self, Cursor, Read};

use placemat::Transcoder;
use placemat::label::Labels;
use placemat_detect::{Counts, Detection, Detector, Kind, detect};

use super::part::Part;
use super::text::{Body, Dialects, Errors, Text};
use crate::charset::{Charset, LegacyReader};
use crate::feed::{feed, utf8_for};
use crate::io::read_some;

/// The number of bytes from which the encoding is detected. At least half of them start at the first byte that is not ASCII.
const SAMPLE: usize = 1 << 20;

/// The number of skipped ASCII bytes that are kept before the next sample, so that the sample does not look like the start of a text.
const OVERLAP: usize = 8;

const BLOCK: usize = 64 << 10;

/// UTF-8 and its relatives. In these, malformed sequences are also classified by the encoding in which they are text.
const RELATIVES: [&str; 6] = ["us-ascii", "utf-8", "cesu-8", "mutf-8", "wtf-8", "utf-8-rfc2279"];

/// Reads texts, one after another. Uses up to a mebibyte of memory, or three mebibytes for texts with lines that long.
///
/// ```
/// use placemat_text::survey::{Reader, Survey};
///
/// let mut survey = Survey::new(None);
/// survey.add(&Reader::new().read(&mut "Привет, мир!\n".as_bytes()).unwrap());
/// let json = serde_json::to_value(&survey).unwrap();
/// assert_eq!(json["encodings"][0]["encoding"], "utf-8");
/// assert_eq!(json["scripts"][0]["script"], "Cyrillic");
/// ```
pub struct Reader {
    sample: Vec<u8>,
    block: Box<[u8]>,
    room: Box<[u8]>,
}

impl Default for Reader {
    fn default() -> Reader {
        Reader::new()
    }
}

impl Reader {
    /// Creates a reader.
    ///
    /// ```
    /// let text = placemat_text::survey::Reader::new().read(&mut &b""[..]).unwrap();
    /// assert_eq!((text.encoding(), text.bytes()), ("us-ascii", 0));
    /// ```
    #[must_use]
    pub fn new() -> Reader {
        Reader { sample: Vec::new(), block: vec![0; BLOCK].into(), room: vec![0; BLOCK].into() }
    }

    /// Reads a text to its end.
    ///
    /// # Errors
    /// Those of reading.
    ///
    /// ```
    /// let text = placemat_text::survey::Reader::new().read(&mut &b"\xEF\xBB\xBFna\xC3\xAFve"[..]).unwrap();
    /// assert_eq!((text.encoding(), text.has_mark(), text.errors()), ("utf-8", true, 0));
    /// ```
    pub fn read(&mut self, source: &mut dyn Read) -> io::Result<Text> {
        self.read_as(source, &mut |_| Ok(()))
    }

    /// Like [`Reader::read`], but `heed` can correct the detected encoding: see [`verify::heed`](crate::convert::verify::heed).
    ///
    /// # Errors
    /// Those of reading, and of `heed`.
    ///
    /// ```
    /// use placemat_text::convert::verify;
    /// use placemat_text::survey::Reader;
    ///
    /// let bytes = b"Okre\xB6la, mo\xBFe";
    /// let polish = placemat_text::charset::Charset::resolve(Default::default(), "iso-8859-2").unwrap();
    /// let heed = &mut |found: &mut _| verify::heed(found, polish, || Ok(&bytes[..]));
    /// let text = Reader::new().read_as(&mut &bytes[..], heed).unwrap();
    /// assert_eq!(text.encoding(), "iso-8859-2");
    /// ```
    pub fn read_as(
        &mut self,
        source: &mut dyn Read,
        heed: &mut dyn FnMut(&mut Detection) -> io::Result<()>,
    ) -> io::Result<Text> {
        let (mut body, mut passed) = (Body::default(), 0);
        let is_complete = self.fill(source, &mut |ascii| {
            body.add(ascii);
            passed += ascii.len() as u64;
        })?;
        let mut found = detect(&self.sample, is_complete);
        heed(&mut found)?;
        let is_relative = RELATIVES.contains(&found.encoding.name());
        let mut text = text(&found, passed);
        let mut dialects = (is_relative && !is_complete).then(Detector::new);
        if is_relative {
            text.dialects = of_each(&found.counts);
        }
        text.body = Some(body);
        self.decode(source, &mut text, dialects.as_mut())?;
        if let Some(detector) = dialects {
            text.dialects = of_each(&detector.finish(true).counts);
        }
        Ok(text)
    }

    /// Like [`Reader::read_as`], for a text that can be read in parts in parallel. If the text is in UTF-8, `parts` is called for
    /// the numbers of all of it. Returns `None` if it is not, or if `parts` returns none: then the text must be read again from
    /// its start.
    ///
    /// # Errors
    /// Those of reading, of `heed` and of `parts`.
    ///
    /// ```
    /// use placemat_text::survey::{Part, Reader};
    ///
    /// let bytes = "déjà vu\n".as_bytes();
    /// let parts = &mut || {
    ///     let mut part = Part::default();
    ///     Ok(part.add(bytes, [b""; 2], true).then_some(part))
    /// };
    /// let text = Reader::new().read_parts(&mut &bytes[..], &mut |_| Ok(()), parts).unwrap().unwrap();
    /// assert_eq!((text.encoding(), text.bytes()), ("utf-8", 10));
    /// ```
    pub fn read_parts(
        &mut self,
        source: &mut dyn Read,
        heed: &mut dyn FnMut(&mut Detection) -> io::Result<()>,
        parts: &mut dyn FnMut() -> io::Result<Option<Part>>,
    ) -> io::Result<Option<Text>> {
        let mut passed = 0;
        let is_complete = self.fill(source, &mut |ascii| passed += ascii.len() as u64)?;
        let mut found = detect(&self.sample, is_complete);
        heed(&mut found)?;
        // If the sample is ASCII, the rest of the text may be anything.
        let name = found.encoding.name();
        let is_utf8 = name == "utf-8" || name == "us-ascii" && is_complete;
        let Some(part) = (if is_utf8 { parts()? } else { None }) else { return Ok(None) };
        let Part { bytes, errors, dialects, body } = part;
        Ok(Some(Text { bytes, errors, dialects, body: Some(body), ..text(&found, passed) }))
    }

    /// Reads the sample: the start of the text or, if that is a long run of ASCII, the text around the end of the run. Gives the
    /// ASCII before the sample to `pass`, and returns whether the sample reaches the end of the text.
    fn fill(&mut self, source: &mut dyn Read, pass: &mut dyn FnMut(&[u8])) -> io::Result<bool> {
        self.sample.clear();
        loop {
            let wanted = SAMPLE - self.sample.len();
            (&mut *source).take(wanted as u64).read_to_end(&mut self.sample)?;
            let is_complete = self.sample.len() < SAMPLE;
            let ascii = ascii_prefix(&self.sample);
            if is_complete || ascii < SAMPLE / 2 {
                return Ok(is_complete);
            }
            let passed = &self.sample[..ascii - OVERLAP];
            // These bytes are the same text in any encoding that may follow.
            if detect(passed, false).encoding != "us-ascii" {
                return Ok(is_complete);
            }
            pass(passed);
            self.sample.drain(..ascii - OVERLAP);
        }
    }

    /// Counts the sample and the text after it.
    fn decode(
        &mut self,
        source: &mut dyn Read,
        text: &mut Text,
        mut dialects: Option<&mut Detector>,
    ) -> io::Result<()> {
        let charset = charset(text.encoding);
        let Text { errors, body, bytes, .. } = text;
        let mut counted = body.take().unwrap_or_default();
        let tap = errors.tap();
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
                let mut transcoder = Transcoder::new(form, utf8_for(form)).on_error_with(tap);
                each(&mut |block| {
                    feed(&mut transcoder, block, &mut self.room, &mut |text, _| counted.add(text));
                })?;
            }
            Some(Charset::Legacy(legacy)) => {
                let mut reader = LegacyReader::new(legacy, tap);
                let mut decoded = Vec::new();
                each(&mut |block| {
                    // The handler never stops.
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
        counted.hidden.finish();
        *body = Some(counted);
        Ok(())
    }
}

/// What is known about a text before it is read.
fn text(found: &Detection, passed: u64) -> Text {
    Text {
        encoding: found.encoding.name(),
        mark: found.bom && passed == 0,
        confidence: found.confidence,
        bytes: passed,
        errors: Errors::default(),
        dialects: Dialects::default(),
        body: None,
    }
}

fn of_each(counts: &Counts) -> Dialects {
    let mut dialects = Dialects::default();
    Kind::ALL.iter().for_each(|&kind| dialects[kind as usize] = counts.of(kind));
    dialects
}

/// The number of ASCII bytes at the start.
fn ascii_prefix(bytes: &[u8]) -> usize {
    let whole = bytes.chunks(4096).take_while(|chunk| chunk.is_ascii()).map(<[u8]>::len).sum();
    whole + bytes[whole..].iter().take_while(|byte| byte.is_ascii()).count()
}

/// The charset of the detected encoding, if it can be read.
fn charset(name: &str) -> Option<Charset> {
    // Encodings that the WHATWG standard forbids are refused here too.
    Charset::resolve(Labels::Lenient, name).ok()
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
        assert_eq!(text.dialects.iter().sum::<u64>(), 2);
        assert_eq!(text.bytes, long.len() as u64);
    }
}
