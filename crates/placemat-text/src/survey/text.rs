//! The numbers of one text, counted chunk by chunk.

use placemat::{CodePoint, Decision, Error, ErrorKind, Fault, Form, sequences};
use placemat_detect::{Kind, LineEnding};
use unicode_script::{Script, UnicodeScript as _};

use super::scripts::Scripts;
use crate::faults::hidden::Counter;
use crate::place::code_points;

/// The numbers of one text.
#[derive(Debug)]
pub struct Text {
    /// The name of the encoding, as `detect` reports it.
    pub(crate) encoding: &'static str,
    /// Whether it starts with a byte order mark.
    pub(crate) mark: bool,
    /// The confidence, from 0 to 1.
    pub(crate) confidence: f32,
    pub(crate) bytes: u64,
    /// Errors in its own encoding.
    pub(crate) errors: Errors,
    /// Sequences of UTF-8's relatives that are not UTF-8.
    pub(crate) dialects: Dialects,
    /// The numbers of its characters; `None` for an encoding that is detected but cannot be read.
    pub(crate) body: Option<Body>,
}

/// The number of sequences of each kind, indexed by the kind's number.
pub(crate) type Dialects = [u64; Kind::ALL.len()];

/// The errors of each kind, in the order of [`ErrorKind::ALL`]: their number, and the number of their bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Errors(pub(crate) [(u64, u64); ErrorKind::ALL.len()]);

/// The numbers of the characters of a text.
#[derive(Debug, Default)]
pub(crate) struct Body {
    /// Well-formed characters.
    pub(crate) code_points: u64,
    pub(crate) scripts: Scripts,
    pub(crate) lines: LineEnds,
    /// Characters that are not shown and that their context does not explain.
    pub(crate) hidden: Counter,
}

/// Line ends of each kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct LineEnds {
    feeds: u64,
    returns: u64,
    pairs: u64,
    after_return: bool,
}

impl Text {
    /// The name of the encoding, as `detect` reports it.
    ///
    /// ```
    /// let text = placemat_text::survey::Reader::new().read(&mut "é".as_bytes()).unwrap();
    /// assert_eq!(text.encoding(), "utf-8");
    /// ```
    #[must_use]
    pub fn encoding(&self) -> &'static str {
        self.encoding
    }

    /// Whether it starts with a byte order mark.
    ///
    /// ```
    /// let text = placemat_text::survey::Reader::new().read(&mut "\u{FEFF}é".as_bytes()).unwrap();
    /// assert!(text.has_mark());
    /// ```
    #[must_use]
    pub fn has_mark(&self) -> bool {
        self.mark
    }

    /// The length in bytes.
    ///
    /// ```
    /// let text = placemat_text::survey::Reader::new().read(&mut "é".as_bytes()).unwrap();
    /// assert_eq!(text.bytes(), 2);
    /// ```
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// The number of errors in its own encoding.
    ///
    /// ```
    /// let text = placemat_text::survey::Reader::new().read(&mut &b"d\xC3\xA9j\xC3\xA0 vu, \xFF"[..]).unwrap();
    /// assert_eq!(text.errors(), 1);
    /// ```
    #[must_use]
    pub fn errors(&self) -> u64 {
        self.errors.count()
    }
}

impl Errors {
    pub(crate) fn add(&mut self, error: Error) {
        if let Some(kind) = ErrorKind::ALL.iter().position(|kind| *kind == error.kind()) {
            self.0[kind].0 += 1;
            self.0[kind].1 += u64::from(error.length());
        }
    }

    /// Returns a handler that counts each error and continues. All decoders share its type, so that each is compiled only once.
    pub(crate) fn tap(&mut self) -> impl FnMut(&Fault<'_>, &mut placemat::Text) -> Decision {
        |fault, _| {
            self.add(fault.error);
            Decision::Resume
        }
    }

    pub(crate) fn merge(&mut self, more: &Errors) {
        for (sum, more) in self.0.iter_mut().zip(more.0) {
            *sum = (sum.0 + more.0, sum.1 + more.1);
        }
    }

    /// The number of errors of all kinds.
    pub(crate) fn count(&self) -> u64 {
        self.0.iter().map(|(count, _)| count).sum()
    }
}

impl Body {
    /// Counts a chunk that ends between characters. It is in UTF-8, or in UTF-8 of up to six bytes with surrogates.
    pub(crate) fn add(&mut self, text: &[u8]) {
        self.hidden.push(text);
        match placemat::validate(text) {
            Ok(text) => self.count(text),
            Err(_) => {
                self.code_points += code_points(text);
                self.lines.add(text);
                for sequence in sequences(Form::Utf8Rfc2279Surrogates, text) {
                    let c = sequence.code_point().ok().and_then(CodePoint::to_char);
                    self.scripts.count(c.map_or(Script::Unknown, |c| c.script()), 1, sequence.range().len());
                }
            }
        }
    }

    /// Counts everything except characters that are not shown.
    pub(crate) fn count(&mut self, text: &str) {
        self.code_points += self.scripts.add(text);
        self.lines.add(text.as_bytes());
    }

    /// Says which byte precedes the next text.
    pub(crate) fn after(&mut self, byte: Option<u8>) {
        self.lines.after_return = byte == Some(b'\r');
    }

    /// Adds numbers that were counted separately.
    pub(crate) fn merge(&mut self, more: &Body) {
        self.code_points += more.code_points;
        more.scripts.0.iter().for_each(|&(script, n, bytes)| self.scripts.count(script, n, bytes as usize));
        self.lines.feeds += more.lines.feeds;
        self.lines.returns += more.lines.returns;
        self.lines.pairs += more.lines.pairs;
        self.hidden.counts.iter_mut().zip(more.hidden.counts).for_each(|(sum, more)| *sum += more);
    }
}

impl LineEnds {
    fn add(&mut self, text: &[u8]) {
        let (Some(&first), Some(&last)) = (text.first(), text.last()) else { return };
        self.feeds += memchr::memchr_iter(b'\n', text).count() as u64;
        let mut pairs = u64::from(self.after_return && first == b'\n');
        for at in memchr::memchr_iter(b'\r', text) {
            self.returns += 1;
            pairs += u64::from(text.get(at + 1) == Some(&b'\n'));
        }
        self.pairs += pairs;
        self.after_return = last == b'\r';
    }

    /// The number of line ends that are LF, CR LF and CR.
    pub(crate) fn kinds(&self) -> [(LineEnding, u64); 3] {
        [
            (LineEnding::Lf, self.feeds - self.pairs),
            (LineEnding::Crlf, self.pairs),
            (LineEnding::Cr, self.returns - self.pairs),
        ]
    }

    /// The line ending of the whole text.
    pub(crate) fn ending(&self) -> LineEnding {
        let mut used = self.kinds().into_iter().filter(|(_, lines)| *lines > 0);
        match (used.next(), used.next()) {
            (None, _) => LineEnding::None,
            (Some((ending, _)), None) => ending,
            _ => LineEnding::Mixed,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn how_a_text_is_cut_does_not_matter() {
        let text = "a\r\nЖук, 漢字\r\u{300}\n\u{1F600}";
        let mut whole = Body::default();
        whole.add(text.as_bytes());
        assert_eq!(whole.lines.kinds().map(|(_, lines)| lines), [1, 1, 1]);
        assert_eq!(whole.lines.ending(), LineEnding::Mixed);
        assert_eq!(whole.code_points, whole.scripts.0.iter().map(|(_, n, _)| n).sum::<u64>());
        for at in (0..text.len()).filter(|at| text.is_char_boundary(*at)) {
            let mut parts = Body::default();
            parts.add(&text.as_bytes()[..at]);
            parts.add(&text.as_bytes()[at..]);
            assert_eq!(parts.lines.kinds(), whole.lines.kinds());
            for entry in &whole.scripts.0 {
                assert!(parts.scripts.0.contains(entry), "{entry:?} cut at {at}");
            }
        }
    }

    #[test]
    fn what_is_no_character_has_no_script() {
        let mut body = Body::default();
        body.add(b"a\xED\xA0\x80");
        assert_eq!(body.scripts.0, [(Script::Latin, 1, 1), (Script::Unknown, 1, 3)]);
    }
}
