//! Judges whether a text that should be UTF-8 seems to be something else as a whole. One sentence then replaces its errors.

use std::io::{self, Read};
use std::path::Path;

use placemat::Form;
use placemat_detect::{Detection, Detector, Encoding, Mixed};

use crate::charset::{Charset, guess};
use crate::escape;
use crate::io::read_some;
use crate::notation::{number, plural};
use crate::repair::advice::{beside_utf8, of_lines};
use crate::repair::choice::{Choice, LIKELY, Verdict};

/// The number of bytes at the start of a text that are judged.
const MOST: u64 = 16 << 20;

/// The number of malformed sequences up to which they are shown one by one.
const FEW: u64 = 3;

/// What a text seems to be, if it is not UTF-8 with a few errors, or if runs of it are in another encoding.
#[derive(Clone, Debug, PartialEq)]
pub struct Seeming {
    found: Box<Detection>,
    /// The encoding in which `repair` reads the runs that are not UTF-8, in a text that otherwise is.
    beside: Option<&'static str>,
}

/// Judges a text that comes in chunks. The size of the chunks makes no difference.
#[derive(Clone, Debug)]
pub struct Judge {
    detector: Detector,
    mixed: Mixed,
    /// The number of bytes that will still be judged.
    left: usize,
}

impl Default for Judge {
    fn default() -> Judge {
        Judge::new()
    }
}

impl Judge {
    /// Creates a judge at the start of a text.
    ///
    /// ```
    /// assert_eq!(placemat_text::faults::seeming::Judge::new().finish(), None);
    /// ```
    #[must_use]
    pub fn new() -> Judge {
        Judge { detector: Detector::new(), mixed: Mixed::new(), left: MOST as usize }
    }

    /// Judges the next bytes. Bytes after the first 16 MiB are ignored.
    ///
    /// ```
    /// let mut judge = placemat_text::faults::seeming::Judge::new();
    /// judge.push("naïve".as_bytes());
    /// assert_eq!(judge.finish(), None);
    /// ```
    pub fn push(&mut self, chunk: &[u8]) {
        let chunk = &chunk[..chunk.len().min(self.left)];
        self.left -= chunk.len();
        self.detector.push(chunk);
        self.mixed.push(chunk);
    }

    /// Returns what the text seems to be; `None` for UTF-8, well-formed or with a few errors, unless `repair` reads those in another
    /// encoding than windows-1252.
    ///
    /// ```
    /// let mut judge = placemat_text::faults::seeming::Judge::new();
    /// judge.push(b"\xCF\xF0\xE8\xE2\xE5");
    /// judge.push(b"\xF2, \xEC\xE8\xF0!");
    /// assert_eq!(judge.finish().unwrap().encoding(), "windows-1251");
    /// ```
    #[must_use]
    pub fn finish(self) -> Option<Seeming> {
        let found = self.detector.finish(self.left > 0);
        let is_wide = Charset::detected(&found).is_some_and(|charset| charset.unit() > 1);
        // If there is an error at all, it is in a later part.
        if found.counts.malformed() == 0 && !is_wide {
            return None;
        }
        let utf8 = Box::new(found.clone());
        let beside = match Choice::default().of(found, self.mixed.finish()) {
            Verdict::SomethingElse(found) => return Some(Seeming { found, beside: None }),
            Verdict::Mend(reading) => reading.second()?.name(),
            Verdict::Unclear(_) => return None,
        };
        Some(Seeming { found: utf8, beside: Some(beside) })
    }
}

impl Seeming {
    /// Judges the text in `input`; `None` for UTF-8, well-formed or with a few errors.
    ///
    /// Reads at most the first 16 MiB. The time is linear, the memory bounded.
    ///
    /// # Errors
    /// Those of reading.
    ///
    /// ```
    /// use placemat_text::faults::seeming::Seeming;
    ///
    /// let seen = |text: &[u8]| Seeming::of(&mut &text[..]).unwrap();
    /// let polish = seen(b"Okre\xB6la, czy karta mo\xBFe zosta\xE6 u\xBFyta, i dlaczego nie mo\xBFe by\xE6\n").unwrap();
    /// assert_eq!(polish.encoding(), "iso-8859-2");
    /// assert_eq!(seen("Określa, czy karta może\n".as_bytes()), None);
    /// ```
    pub fn of(input: &mut dyn Read) -> io::Result<Option<Seeming>> {
        let mut judge = Judge::new();
        let mut input = input.take(MOST);
        let mut block = vec![0; 64 << 10];
        loop {
            match read_some(&mut input, &mut block)? {
                0 => return Ok(judge.finish()),
                read => judge.push(&block[..read]),
            }
        }
    }

    /// The name of the likeliest encoding, or `binary`. For UTF-8 with runs in another encoding it is `utf-8`.
    ///
    /// ```
    /// use placemat_text::faults::seeming::Seeming;
    ///
    /// let text = b"Okre\xB6la, czy karta mo\xBFe zosta\xE6 u\xBFyta, i dlaczego nie mo\xBFe by\xE6\n";
    /// let seeming = Seeming::of(&mut &text[..]).unwrap().unwrap();
    /// assert_eq!(seeming.encoding(), "iso-8859-2");
    /// ```
    #[must_use]
    pub fn encoding(&self) -> &'static str {
        self.found.encoding.name()
    }

    /// The confidence, from 0 to 1.
    ///
    /// ```
    /// use placemat_text::faults::seeming::Seeming;
    ///
    /// let text = b"Okre\xB6la, czy karta mo\xBFe zosta\xE6 u\xBFyta, i dlaczego nie mo\xBFe by\xE6\n";
    /// let seeming = Seeming::of(&mut &text[..]).unwrap().unwrap();
    /// assert!(seeming.confidence() > 0.5);
    /// ```
    #[must_use]
    pub fn confidence(&self) -> f32 {
        self.found.confidence
    }

    /// Whether a byte order mark announces that the text is not UTF-8.
    ///
    /// ```
    /// use placemat_text::faults::seeming::Seeming;
    ///
    /// let text = b"Okre\xB6la, czy karta mo\xBFe zosta\xE6 u\xBFyta, i dlaczego nie mo\xBFe by\xE6\n";
    /// let seeming = Seeming::of(&mut &text[..]).unwrap().unwrap();
    /// assert!(!seeming.has_mark());
    /// ```
    #[must_use]
    pub fn has_mark(&self) -> bool {
        self.found.bom && !self.is_utf8()
    }

    /// Whether the encoding is likely enough to be mentioned.
    ///
    /// ```
    /// use placemat_text::faults::seeming::Seeming;
    ///
    /// let text = b"Okre\xB6la, czy karta mo\xBFe zosta\xE6 u\xBFyta, i dlaczego nie mo\xBFe by\xE6\n";
    /// let seeming = Seeming::of(&mut &text[..]).unwrap().unwrap();
    /// assert!(seeming.is_likely());
    /// ```
    #[must_use]
    pub fn is_likely(&self) -> bool {
        let is_whole = self.found.confidence >= LIKELY && self.found.malformed == 0;
        !self.is_mixed() && (self.is_sure() || is_whole)
    }

    /// Whether some parts are UTF-8 and others in one other encoding, which can be named: half of the text, or a few runs.
    ///
    /// ```
    /// use placemat_text::faults::seeming::Seeming;
    ///
    /// let text = b"Fran\xC3\xA7ois, caf\xE9 \xE9t\xE9\n";
    /// let seeming = Seeming::of(&mut &text[..]).unwrap().unwrap();
    /// assert!(seeming.is_mixed());
    /// ```
    #[must_use]
    pub fn is_mixed(&self) -> bool {
        self.is_utf8() || beside_utf8(&self.found).is_some()
    }

    /// Whether the text is UTF-8, except for runs in another encoding.
    ///
    /// ```
    /// use placemat_text::faults::seeming::Seeming;
    ///
    /// let text = [&"Zażółć gęślą jaźń\n".repeat(5).into_bytes()[..], b"\xB3\xB9ka\n"].concat();
    /// let seeming = Seeming::of(&mut &text[..]).unwrap().unwrap();
    /// assert!(seeming.is_utf8() && seeming.is_mixed() && !seeming.is_likely());
    /// assert_eq!(seeming.advice(None, false), "is UTF-8 with runs in windows-1250: placemat repair");
    /// ```
    #[must_use]
    pub fn is_utf8(&self) -> bool {
        self.beside.is_some()
    }

    fn is_sure(&self) -> bool {
        self.beside.is_none() && guess::is_sure(&self.found)
    }

    /// Whether a single malformed byte may be read as windows-1252, as far as is known.
    ///
    /// ```
    /// use placemat_text::faults::seeming::Seeming;
    ///
    /// let text = b"Okre\xB6la, czy karta mo\xBFe zosta\xE6 u\xBFyta, i dlaczego nie mo\xBFe by\xE6\n";
    /// let seeming = Seeming::of(&mut &text[..]).unwrap().unwrap();
    /// assert!(!seeming.allows_windows_1252(), "E6 is ć here, and not æ");
    /// ```
    #[must_use]
    pub fn allows_windows_1252(&self) -> bool {
        let encoding = match self.beside {
            Some(name) => name,
            None => beside_utf8(&self.found).unwrap_or(self.found.encoding).name(),
        };
        !(self.is_likely() || self.is_mixed()) || encoding == Form::Windows1252.name()
    }

    /// Whether one sentence describes the text better than `errors` malformed sequences, one by one. A few sequences are shown
    /// one by one, except in UTF-16 and UTF-32, where almost nothing is malformed.
    ///
    /// ```
    /// use placemat_text::faults::seeming::Seeming;
    ///
    /// let text = b"Okre\xB6la, czy karta mo\xBFe zosta\xE6 u\xBFyta, i dlaczego nie mo\xBFe by\xE6\n";
    /// let seeming = Seeming::of(&mut &text[..]).unwrap().unwrap();
    /// assert!(seeming.stands_for(5) && !seeming.stands_for(3));
    /// ```
    #[must_use]
    pub fn stands_for(&self, errors: u64) -> bool {
        let is_wide = || Charset::detected(&self.found).is_some_and(|charset| charset.unit() > 1);
        self.is_sure() && (errors > FEW || is_wide())
    }

    /// "8 malformed sequences, looks like windows-1250 (91 %): placemat convert -f windows-1250 pl.srt", for the text in `file`
    /// or on standard input. With `unpack`, the command also decompresses.
    ///
    /// ```
    /// use placemat_text::faults::seeming::Seeming;
    ///
    /// let text = b"Okre\xB6la, czy karta mo\xBFe zosta\xE6 u\xBFyta, i dlaczego nie mo\xBFe by\xE6\n";
    /// let said = Seeming::of(&mut &text[..]).unwrap().unwrap().sentence(5, Some("a b".as_ref()), false);
    /// assert!(said.starts_with("5 malformed sequences, looks like iso-8859-2 ("), "{said}");
    /// assert!(said.ends_with("%): placemat convert -f iso-8859-2 'a b'"), "{said}");
    /// ```
    #[must_use]
    pub fn sentence(&self, errors: u64, file: Option<&Path>, unpack: bool) -> String {
        let (n, s) = (number(errors), plural(errors));
        format!("{n} malformed sequence{s}, {}", self.advice(file, unpack))
    }

    /// The part of [`Seeming::sentence`] from "looks like" on. For a text with parts in UTF-8 and parts in one other encoding it names the
    /// command that repairs them.
    ///
    /// ```
    /// use placemat_text::faults::seeming::Seeming;
    ///
    /// let text = b"Okre\xB6la, czy karta mo\xBFe zosta\xE6 u\xBFyta, i dlaczego nie mo\xBFe by\xE6\n";
    /// let seeming = Seeming::of(&mut &text[..]).unwrap().unwrap();
    /// assert!(seeming.advice(None, false).ends_with(": placemat convert -f iso-8859-2"));
    /// ```
    #[must_use]
    pub fn advice(&self, file: Option<&Path>, unpack: bool) -> String {
        let found = &self.found;
        let (z, shown) = (if unpack { " -z" } else { "" }, escape::argument(file));
        if let Some(other) = self.beside {
            return format!("is UTF-8 with runs in {other}: placemat repair{z}{shown}");
        }
        if found.encoding == Encoding::Binary {
            return "does not seem to be text".to_owned();
        }
        if found.encoding == Encoding::Several {
            let mixed = of_lines(file, found, unpack, "");
            return mixed.unwrap_or_else(|| "seems to hold several encodings".to_owned());
        }
        let (looks, percent) = (guess::looks(found), guess::percent(found.confidence));
        let Some(charset) = Charset::detected(found) else {
            return format!("{looks} {} ({percent}), which placemat cannot read", found.encoding);
        };
        if found.malformed > 0 {
            let n = number(found.malformed);
            return format!("{looks} {} ({percent}), in which {n} are malformed too", found.encoding);
        }
        format!("{looks} {} ({percent}): placemat convert{z} -f {charset}{shown}", found.encoding)
    }
}

/// A reader whose bytes are judged as they are read.
pub struct Overheard<R> {
    /// The reader.
    pub reader: R,
    /// The judge, if there is one.
    pub judge: Option<Judge>,
}

impl<R: Read> Read for Overheard<R> {
    fn read(&mut self, block: &mut [u8]) -> io::Result<usize> {
        let read = self.reader.read(block)?;
        if let Some(judge) = &mut self.judge {
            judge.push(&block[..read]);
        }
        Ok(read)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &[u8]) -> Option<Seeming> {
        Seeming::of(&mut &text[..]).unwrap()
    }

    #[test]
    fn few_errors_are_shown() {
        let few = of(b"Okre\xB6la, czy karta mo\xBFe\n").unwrap();
        assert!(few.is_likely() && !few.stands_for(4) && !few.allows_windows_1252());
        let many =
            of(b"Okre\xB6la, czy karta mo\xBFe zosta\xE6 u\xBFyta, i dlaczego nie mo\xBFe by\xE6\n").unwrap();
        assert!(!many.stands_for(3) && many.stands_for(4));
        assert!(of(b"M\xFCnchen\n").unwrap().allows_windows_1252());
    }

    #[test]
    fn well_formed_text_is_utf8_so_far() {
        let mut long = vec![b'a'; MOST as usize];
        long.extend(b"\xE9t\xE9 \xE9t\xE9 \xE9t\xE9");
        for text in [&b""[..], b"plain", "déjà vu".as_bytes(), b"\x1B$B%F%9%H\x1B(B", &long] {
            assert_eq!(of(text), None, "{:?}", text.len());
        }
    }

    #[test]
    fn damage_is_not_another_encoding() {
        let mut text = "Grüße aus Köln – schön hier\n".repeat(20).into_bytes();
        text.extend(b"caf\xE9 cr\xE8me na\xEFve \xFF\n");
        assert_eq!(of(&text), None);
    }

    #[test]
    fn a_text_in_two_encodings_is_mended_by_the_second() {
        let polish = of(b"Zi\xC4\x99ba, \xC5\xBC\xC3\xB3\xC5\x82w, mo\xBFe zosta\xE6 u\xBFyta, i dlaczego nie mo\xBFe by\xE6\n").unwrap();
        assert!(polish.is_mixed() && !polish.allows_windows_1252() && !polish.stands_for(9), "{polish:?}");
        let said = polish.advice(Some("a.txt".as_ref()), true);
        assert!(said.starts_with("has parts in UTF-8 and parts in ") && said.ends_with(" a.txt"), "{said}");
        assert!(said.contains(": placemat repair -z --mend "), "{said}");
    }

    #[test]
    fn a_text_that_is_utf8_but_for_some_runs_names_their_encoding() {
        let polish = "Zażółć gęślą jaźń\n".repeat(5).into_bytes();
        let sure = of(&[&polish[..], b"\xB3\xB9ka\n"].concat()).unwrap();
        assert!(sure.is_utf8() && !sure.allows_windows_1252() && !sure.stands_for(9), "{sure:?}");
        let said = sure.advice(Some("a b".as_ref()), true);
        assert_eq!(said, "is UTF-8 with runs in windows-1250: placemat repair -z 'a b'");
    }

    #[test]
    fn what_is_not_read_has_no_command() {
        let said = of(b"%\xFF\xFE\x01\x02\x03\x04\xE9\x05\x06\x80\x81").unwrap().sentence(4, None, false);
        assert_eq!(said, "4 malformed sequences, does not seem to be text");
    }
}
