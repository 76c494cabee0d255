//! Detects the encoding of a whole text, in any chunking, with bounded memory.
#![forbid(unsafe_code)]

use crate::clean;
use crate::detection::Detection;
use crate::dialect::Scan;
use crate::line_ending::Lines;
use crate::mark::Mark;
use crate::sample::Sample;
use crate::verdict;
use crate::wide::{self, Reader};

/// Detects the encoding of `bytes`. If `complete` is false, they are the start of a longer text, and
/// a character that is cut off at the end is no error.
///
/// Time is linear, memory bounded; clean UTF-8 costs little more than its validation. UTF-8, UTF-16 and UTF-32 are judged by the whole text,
/// legacy encodings by a sample of at most 320 KiB: the first 64 KiB, then the 4 KiB blocks that are not plain ASCII.
///
/// ```
/// let found = placemat_detect::detect("héllo".as_bytes(), true);
/// assert_eq!((found.encoding.name(), found.malformed), ("utf-8", 0));
/// let found = placemat_detect::detect(b"\xCF\xF0\xE8\xE2\xE5\xF2, \xEC\xE8\xF0!", true);
/// assert_eq!(found.encoding.name(), "windows-1251");
/// ```
#[must_use]
pub fn detect(bytes: &[u8], complete: bool) -> Detection {
    if let Some(found) = clean::verdict(bytes) {
        return found;
    }
    let mut detector = Detector::new();
    detector.push(bytes);
    detector.finish(complete)
}

/// [`detect`] for a text that comes in chunks. The chunking never changes the verdict.
#[derive(Clone, Debug)]
pub struct Detector {
    sample: Sample,
    mark: Option<Mark>,
    /// How the bytes are read; not known before the sample has its first 64 KiB, or the text ends.
    reading: Option<Reading>,
    lines: Lines,
}

#[derive(Clone, Debug)]
enum Reading {
    Bytes(Scan),
    Wide(Reader, f32),
}

impl Default for Detector {
    fn default() -> Self {
        Self::new()
    }
}

impl Detector {
    /// A detector that has read nothing.
    ///
    /// ```
    /// use placemat_detect::Detector;
    /// assert_eq!(Detector::new().finish(true).encoding, "us-ascii");
    /// ```
    #[must_use]
    pub fn new() -> Self {
        Self { sample: Sample::new(), mark: None, reading: None, lines: Lines::default() }
    }

    /// Reads the next bytes of the text.
    ///
    /// ```
    /// use placemat_detect::Detector;
    /// let mut detector = Detector::new();
    /// detector.push(b"h\xC3");
    /// detector.push(b"\xA9llo");
    /// assert_eq!(detector.finish(true).encoding, "utf-8");
    /// ```
    pub fn push(&mut self, chunk: &[u8]) {
        let rest = self.sample.push(chunk);
        if self.sample.has_head() {
            self.start();
            self.read(rest);
        }
    }

    /// Returns the verdict. If `complete` is false, the text that was read is the start of a longer one.
    ///
    /// ```
    /// use placemat_detect::Detector;
    /// let mut detector = Detector::new();
    /// detector.push(b"\xFF\xFEh\0i\0");
    /// let found = detector.finish(true);
    /// assert_eq!((found.encoding.name(), found.bom), ("utf-16le", true));
    /// ```
    #[must_use]
    pub fn finish(mut self, complete: bool) -> Detection {
        self.start();
        let (mark, line_ending) = (self.mark, self.lines.ending());
        let whole = complete && self.sample.is_whole();
        let contradicted = match Mark::at_head(self.sample.head()) {
            Some(Mark::Wide(wide)) if mark.is_none() => Some(wide),
            _ => None,
        };
        let sample = self.sample.finish();
        let mut found = match self.reading.unwrap_or(Reading::Bytes(Scan::new())) {
            Reading::Wide(reader, sure) => verdict::wide(&reader, mark.is_some(), sure, complete),
            Reading::Bytes(scan) => {
                let held = scan.held();
                let settled = scan.clone().finish(false);
                let counts = scan.finish(complete);
                // One held byte after ASCII is too little evidence.
                let may_be_utf8 = counts.good() > 0 || held > 1;
                let cut_off = settled.malformed() == 0 && counts.malformed() == 1 && may_be_utf8;
                verdict::bytes(&sample, counts, mark.is_some(), whole, cut_off)
            }
        };
        if let Some(wide) = contradicted {
            found = verdict::despite_mark(found, wide);
        }
        found.line_ending = line_ending;
        found
    }

    /// Decides how the text is to be read, and reads what the sample has kept so far.
    fn start(&mut self) {
        if self.reading.is_some() {
            return;
        }
        let head = self.sample.head();
        self.mark = Mark::of(head);
        self.reading = Some(match self.mark {
            Some(Mark::Wide(wide)) => Reading::Wide(Reader::new(wide), 1.0),
            Some(Mark::Utf8) => Reading::Bytes(Scan::new()),
            None => match wide::guess(head) {
                Some((wide, sure)) => Reading::Wide(Reader::new(wide), sure),
                None => Reading::Bytes(Scan::new()),
            },
        });
        let head = head.to_vec();
        self.read(&head);
    }

    fn read(&mut self, bytes: &[u8]) {
        match &mut self.reading {
            Some(Reading::Bytes(scan)) => {
                scan.push(bytes);
                self.lines.bytes(bytes);
            }
            Some(Reading::Wide(reader, _)) => reader.push(bytes, &mut self.lines),
            None => {}
        }
    }
}
