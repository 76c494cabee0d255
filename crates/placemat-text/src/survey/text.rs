//! The numbers of one text, counted chunk by chunk.

use std::array;
use std::sync::{LazyLock, OnceLock};

use placemat::{CodePoint, Error, ErrorKind, Form, sequences};
use placemat_detect::{Counts, LineEnding};
use unicode_script::{Script, UnicodeScript as _};

use crate::faults::hidden::Counter;
use crate::place::{code_points, count_bytes};

/// The numbers of one text.
#[derive(Debug)]
pub struct Text {
    /// As `detect` names it.
    pub(crate) encoding: &'static str,
    /// Whether it opens with a byte order mark.
    pub(crate) mark: bool,
    /// From 0 to 1.
    pub(crate) confidence: f32,
    pub(crate) bytes: u64,
    /// Errors, in its own encoding.
    pub(crate) errors: Errors,
    /// Sequences of UTF-8 and its relatives that are not UTF-8.
    pub(crate) dialects: Counts,
    /// The numbers of its characters; `None` for an encoding that is detected and not read.
    pub(crate) body: Option<Body>,
}

/// Errors of each kind, in the order of [`ErrorKind::ALL`]: how many, and of how many bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Errors(pub(crate) [(u64, u64); ErrorKind::ALL.len()]);

/// The characters of a text.
#[derive(Debug, Default)]
pub(crate) struct Body {
    /// Those that are well-formed.
    pub(crate) code_points: u64,
    pub(crate) scripts: Scripts,
    pub(crate) lines: LineEnds,
    /// Those that are not shown and that their place does not explain.
    pub(crate) hidden: Counter,
}

/// Code points by script, and the bytes that they take in UTF-8. A text has few scripts.
#[derive(Debug, Default)]
pub(crate) struct Scripts(pub(crate) Vec<(Script, u64, u64)>);

/// Line ends of each kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct LineEnds {
    feeds: u64,
    returns: u64,
    pairs: u64,
    after_return: bool,
}

impl Text {
    /// The encoding, as `detect` names it.
    ///
    /// ```
    /// let text = placemat_text::survey::Reader::new().read(&mut "é".as_bytes()).unwrap();
    /// assert_eq!(text.encoding(), "utf-8");
    /// ```
    #[must_use]
    pub fn encoding(&self) -> &'static str {
        self.encoding
    }

    /// Whether it begins with a byte order mark.
    ///
    /// ```
    /// let text = placemat_text::survey::Reader::new().read(&mut "\u{FEFF}é".as_bytes()).unwrap();
    /// assert!(text.has_mark());
    /// ```
    #[must_use]
    pub fn has_mark(&self) -> bool {
        self.mark
    }

    /// How many bytes it takes.
    ///
    /// ```
    /// let text = placemat_text::survey::Reader::new().read(&mut "é".as_bytes()).unwrap();
    /// assert_eq!(text.bytes(), 2);
    /// ```
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// How many errors it has in its own encoding.
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

    /// How many errors, of all kinds.
    pub(crate) fn count(&self) -> u64 {
        self.0.iter().map(|(count, _)| count).sum()
    }
}

impl Body {
    /// Count a chunk that is cut between characters. It is in UTF-8, or in UTF-8 of up to six bytes with surrogates.
    pub(crate) fn add(&mut self, text: &[u8]) {
        self.code_points += code_points(text);
        self.lines.add(text);
        self.hidden.push(text);
        match placemat::validate(text) {
            Ok(text) => self.scripts.add(text),
            Err(_) => {
                for sequence in sequences(Form::Utf8Rfc2279Surrogates, text) {
                    let c = sequence.code_point().ok().and_then(CodePoint::to_char);
                    self.scripts.count(c.map_or(Script::Unknown, |c| c.script()), 1, sequence.range().len());
                }
            }
        }
    }
}

impl Scripts {
    fn add(&mut self, text: &str) {
        let letters = count_bytes(text.as_bytes(), |byte| byte.is_ascii_alphabetic());
        let ascii = count_bytes(text.as_bytes(), |byte| byte.is_ascii());
        self.count(Script::Latin, letters, letters as usize);
        self.count(Script::Common, ascii - letters, (ascii - letters) as usize);
        if ascii == text.len() as u64 {
            return;
        }
        // Characters of one script come in runs, and on few pages.
        let bytes = text.as_bytes();
        let (mut at, mut script, mut run, mut size) = (0, Script::Common, 0, 0);
        let (mut page, mut scripts) = (0, scripts_of(0));
        while let Some(&byte) = bytes.get(at) {
            if byte < 0x80 {
                at += ascii_here(&bytes[at..]);
                continue;
            }
            let (c, len) = character(&bytes[at..]);
            if c / PAGE != page {
                page = c / PAGE;
                scripts = scripts_of(page);
            }
            let next = scripts[c % PAGE];
            if next != script {
                self.count(script, run, size);
                (script, run, size) = (next, 0, 0);
            }
            run += 1;
            size += len;
            at += len;
        }
        self.count(script, run, size);
    }

    fn count(&mut self, script: Script, code_points: u64, bytes: usize) {
        if code_points == 0 {
            return;
        }
        let bytes = bytes as u64;
        match self.0.iter_mut().find(|(known, ..)| *known == script) {
            Some((_, sum, size)) => (*sum, *size) = (*sum + code_points, *size + bytes),
            None => self.0.push((script, code_points, bytes)),
        }
    }
}

/// Code points whose scripts are looked up at once.
const PAGE: usize = 128;
const PAGES: usize = (char::MAX as usize + 1) / PAGE;

/// The scripts of the characters of each page that was asked for. It is allocated, since as an array it would be 139 KB of the binary:
/// an empty `OnceLock` is not all zeros.
static KNOWN: LazyLock<Box<[Page]>> = LazyLock::new(|| (0..PAGES).map(|_| Page::new()).collect());
type Page = OnceLock<Box<[Script; PAGE]>>;

/// The scripts of the characters of a page. Looking one up takes a search, so those that were are kept: 69 % of the time of a survey
/// went there.
fn scripts_of(page: usize) -> &'static [Script; PAGE] {
    KNOWN[page].get_or_init(|| {
        let of = |at| char::from_u32((page * PAGE + at) as u32).map_or(Script::Unknown, |c| c.script());
        Box::new(array::from_fn(of))
    })
}

/// How many of the first eight bytes, of which the first is ASCII, are ASCII.
fn ascii_here(bytes: &[u8]) -> usize {
    bytes.first_chunk().map_or(1, |word| {
        let high = u64::from_le_bytes(*word) & 0x8080_8080_8080_8080;
        high.trailing_zeros() as usize / 8
    })
}

/// The first character of well-formed text, which is not ASCII, and its length.
fn character(bytes: &[u8]) -> (usize, usize) {
    let six = |byte: u8| usize::from(byte & 0x3F);
    match *bytes {
        [a @ 0xC0..0xE0, b, ..] => (usize::from(a & 0x1F) << 6 | six(b), 2),
        [a @ 0xE0..0xF0, b, c, ..] => (usize::from(a & 0x0F) << 12 | six(b) << 6 | six(c), 3),
        [a, b, c, d, ..] => (usize::from(a & 0x07) << 18 | six(b) << 12 | six(c) << 6 | six(d), 4),
        _ => (0, 1),
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

    /// How many line ends are LF, CR LF and CR.
    pub(crate) fn kinds(&self) -> [(LineEnding, u64); 3] {
        [
            (LineEnding::Lf, self.feeds - self.pairs),
            (LineEnding::Crlf, self.pairs),
            (LineEnding::Cr, self.returns - self.pairs),
        ]
    }

    /// How the lines of the whole text end.
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
