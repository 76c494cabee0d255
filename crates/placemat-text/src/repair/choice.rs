//! Decides what a text that is not well-formed is: UTF-8 with runs in another encoding, or something else as a whole.

use placemat::Form;
use placemat::label::Labels;
use placemat_detect::{Detection, Diagnosis, Encoding, Mixed, Second};

use crate::charset::{Charset, Legacy, guess};
use crate::repair::mend::{Mending, Reading};

pub use placemat_detect::LIKELY;

/// The user's choices for reading a text that is not well-formed.
#[derive(Clone, Debug, Default)]
pub struct Choice {
    /// How to repair.
    pub mending: Mending,
    /// The second encoding, if the user named one.
    pub second: Option<Legacy>,
    /// Whether the user asked for U+FFFD.
    pub is_lossy: bool,
}

/// What the text is.
#[derive(Clone, Debug)]
pub enum Verdict {
    /// UTF-8, with runs to be read like this.
    Mend(Reading),
    /// Probably something else as a whole.
    SomethingElse(Box<Detection>),
    /// UTF-8 with runs that may be in this encoding, without enough confidence.
    Unclear(Second),
}

impl Choice {
    /// Decides by the detected encoding and by the malformed runs of the text.
    ///
    /// ```
    /// use placemat_detect::{Mixed, detect};
    /// use placemat_text::repair::choice::{Choice, Verdict};
    ///
    /// let text = b"Okre\xB6la, czy karta mo\xBFe zosta\xE6 u\xBFyta\n";
    /// let mut mixed = Mixed::new();
    /// mixed.push(text);
    /// let verdict = Choice::default().of(detect(text, true), mixed.finish());
    /// assert!(matches!(verdict, Verdict::SomethingElse(found) if found.encoding == "iso-8859-2"));
    /// ```
    #[must_use]
    pub fn of(&self, found: Detection, mixed: Mixed) -> Verdict {
        let is_other = self.is_something_else(&found, &mixed);
        if is_other && !mixed.has_columns_of_utf8() {
            return Verdict::SomethingElse(Box::new(beside_lines(found, &mixed)));
        }
        match self.reading(mixed) {
            // In a text that may be something else, bytes without an explanation must not be lost.
            Ok(Reading::Nothing | Reading::Windows1252(_)) if is_other => {
                Verdict::SomethingElse(Box::new(found))
            }
            Ok(reading) => Verdict::Mend(reading),
            Err(second) => Verdict::Unclear(second),
        }
    }

    fn is_something_else(&self, found: &Detection, mixed: &Mixed) -> bool {
        let is_named = self.mending.cp1252 || self.second.is_some();
        match Diagnosis::of(found.clone()) {
            Diagnosis::WellFormed => false,
            Diagnosis::SomethingElse(_) if !is_text_in_bytes(found) => true,
            _ if is_named || mixed.is_mostly_utf8() || mixed.is_only_marked() => false,
            Diagnosis::SomethingElse(_) => !(self.is_lossy && found.confidence < LIKELY),
            Diagnosis::UpToAFew(counts) => {
                // A byte order mark announces UTF-8, or the only error is that the text ends inside a character.
                let is_likely = found.encoding == Encoding::Form(Form::Utf8) && found.confidence >= LIKELY;
                let is_sure = found.bom
                    || guess::is_sure(found) && Charset::detected(found).is_some_and(Charset::reads_utf8);
                let is_accident = mixed.may_be_accident() && !mixed.may_be_damage() && !is_sure;
                (!(counts.vouch() || is_likely) || is_accident) && !self.is_lossy
            }
        }
    }

    /// Returns how to read the runs; as the error, the encoding that they may be in, without enough confidence.
    fn reading(&self, mixed: Mixed) -> Result<Reading, Second> {
        if let Some(legacy) = self.second {
            return Ok(Reading::legacy(mixed, legacy, true));
        }
        if self.mending.cp1252 || !self.mending.diagnoses {
            return Ok(Reading::Nothing);
        }
        let is_western = mixed.is_western();
        let Some(second) = mixed.second() else {
            return Ok(if is_western { Reading::Windows1252(mixed.cuts()) } else { Reading::Nothing });
        };
        match Charset::resolve(Labels::Lenient, second.encoding) {
            Ok(Charset::Legacy(legacy)) if second.is_sure() && mixed.is_vouched() => {
                Ok(Reading::legacy(mixed, legacy, false))
            }
            Ok(Charset::Form(Form::Windows1252))
                if is_western && (second.is_sure() || self.is_lossy || !mixed.fits_windows_1252()) =>
            {
                Ok(Reading::Windows1252(mixed.cuts()))
            }
            _ if second.confidence < LIKELY || self.is_lossy || mixed.may_be_damage() => Ok(Reading::Nothing),
            _ => Err(second),
        }
    }
}

/// The verdict on a text in another encoding. If it has lines in UTF-8 by no accident, it is in several: a conversion would make mojibake of
/// those lines.
fn beside_lines(mut found: Detection, mixed: &Mixed) -> Detection {
    let is_likely = found.confidence >= LIKELY && found.encoding != Encoding::Form(Form::Utf8);
    if let Some(&other) = found.candidates.first()
        && is_likely
        && is_text_in_bytes(&found)
        && mixed.has_lines_of_utf8()
    {
        let mut utf8 = other;
        utf8.encoding = Encoding::Form(Form::Utf8);
        (found.encoding, found.candidates) = (Encoding::Several, vec![utf8, other]);
    }
    found
}

/// Whether single bytes of the text can be meant as characters.
fn is_text_in_bytes(found: &Detection) -> bool {
    !is_wide(found) && found.encoding != "binary"
}

fn is_wide(found: &Detection) -> bool {
    Form::named(found.encoding.name()).is_some_and(|form| form.facts().width.0 > 1)
}

/// Whether a text that is well-formed as UTF-8 is surely in an encoding that makes characters of control codes: UTF-16, ISO-2022-JP. Without
/// them nobody could read it.
///
/// ```
/// use placemat_detect::detect;
/// use placemat_text::repair::choice::needs_its_controls;
///
/// assert!(needs_its_controls(&detect(b"\x1B$BF|K\\8l\x1B(B\n", true)));
/// assert!(!needs_its_controls(&detect(b"\x1B[31mred\0\n", true)));
/// ```
#[must_use]
pub fn needs_its_controls(found: &Detection) -> bool {
    guess::is_sure(found) && (is_wide(found) || found.encoding.name().starts_with("iso-2022-"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn verdict(text: &[u8]) -> Verdict {
        let mut mixed = Mixed::new();
        mixed.push(text);
        Choice::default().of(placemat_detect::detect(text, true), mixed.finish())
    }

    #[test]
    fn what_detection_calls_utf8_is_repaired() {
        for text in [&b"hello \xF0\x9F\x98"[..], b"hello \xE2\x82", b"\xEF\xBB\xBFabc \xFF def"] {
            assert!(matches!(verdict(text), Verdict::Mend(_)), "{}", text.escape_ascii());
        }
        assert!(matches!(verdict(b"caf\xC3"), Verdict::SomethingElse(_)));
    }

    #[test]
    fn a_line_in_utf8_among_many_in_another_encoding_makes_several() {
        let line = b"\xE9t\xE9 d\xE9j\xE0 vu \xE0 c\xF4t\xE9, cr\xE8me br\xFBl\xE9e\n".repeat(40);
        let name = |text: &[u8]| match verdict(text) {
            Verdict::SomethingElse(found) => found.candidates.iter().map(|c| c.encoding.name()).collect(),
            Verdict::Mend(_) | Verdict::Unclear(_) => Vec::new(),
        };
        assert_eq!(name(&[&line[..], "François, à côté\n".as_bytes()].concat()), ["utf-8", "windows-1252"]);
        assert_eq!(name(&line)[0], "windows-1252");
        // `Ã©` may be meant.
        assert_eq!(name(&[&line[..], "é\n".as_bytes()].concat())[0], "windows-1252");
    }

    #[test]
    fn one_character_is_no_accident_where_detection_is_sure_of_utf8() {
        for text in [
            &b"inde\xED\xA0\x80nted\n\xED\xA0\xBD\xED\xB8\x80 fox \xE2\x80\xAE qu\xE0\x80\xAFi\xE0\x80\xAFck\n"[..],
            b"asci\xEF\xBF\xBEi \xED\xB0\x80line\n",
            b"a \xE2\x80\xAEfox, 42\xFC\x84\x80\x80\x80\x80 times\n",
        ] {
            assert!(matches!(verdict(text), Verdict::Mend(_)), "{}", text.escape_ascii());
        }
        // A word in a DOS encoding for Cyrillic. Its first three bytes are a character of UTF-8.
        assert!(matches!(verdict(b"\xE4\xA0\xA9\xAB"), Verdict::SomethingElse(_)));
    }
}
