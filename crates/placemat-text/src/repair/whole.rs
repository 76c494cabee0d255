//! Repairs a text that is in memory.

use std::fmt;
use std::io::Cursor;

use placemat::Form;
use placemat_detect::{Detection, Encoding, Mixed, Second};

use super::advice::beside_utf8;
use super::choice::{Choice, LIKELY, Verdict, needs_its_controls};
use super::mend::{Change, Mender, Reading};
use super::record::{Line, Record, VERSION};
use crate::charset::guess;
use crate::error::Error;
use crate::notation::write_line;

/// A text repaired to well-formed UTF-8, and the changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Repaired {
    /// The text.
    pub text: Vec<u8>,
    /// The changes, in the order of the source.
    pub changes: Vec<Change>,
}

/// Why a text is not changed: a repair would do harm.
#[derive(Debug)]
pub enum Refusal {
    /// It is probably something else as a whole.
    SomethingElse(Box<Detection>),
    /// It is UTF-8 with runs that may be in this encoding, without enough confidence.
    Unclear(Second),
    /// It does not have the expected structure.
    Misfit(Error),
}

/// Repairs a text as the command does. Linear; memory for the text and its changes.
///
/// # Errors
/// Why the text is refused.
///
/// ```
/// use placemat_text::repair::choice::Choice;
/// use placemat_text::repair::whole::{Refusal, whole};
///
/// let repaired = whole(b"na\xC3\xAFve caf\xC3\xA9\nand another caf\xE9\n", &Choice::default()).unwrap();
/// assert_eq!(repaired.text, "naïve café\nand another café\n".as_bytes());
/// assert_eq!((repaired.changes[0].range.clone(), repaired.changes[0].rule.name()), (28..29, "windows-1252"));
///
/// let refused = whole(b"Gr\xFC\xDFe aus K\xF6ln\n", &Choice::default());
/// assert!(matches!(&refused, Err(Refusal::SomethingElse(found)) if found.encoding == "windows-1252"));
/// ```
pub fn whole(bytes: &[u8], choice: &Choice) -> Result<Repaired, Refusal> {
    let mut reading = Reading::default();
    if !placemat::is_valid(bytes) {
        let mut mixed = Mixed::new();
        mixed.push(bytes);
        match choice.of(placemat_detect::detect(bytes, true), mixed.finish()) {
            Verdict::Mend(found) => reading = found,
            Verdict::SomethingElse(found) => return Err(Refusal::SomethingElse(found)),
            Verdict::Unclear(second) => return Err(Refusal::Unclear(second)),
        }
    } else {
        keep_controls(bytes, choice)?;
    }
    let (_, changes) = Mender::reading(choice.mending, reading).block(bytes, true);
    let (mut text, mut at) = (Vec::with_capacity(bytes.len()), 0);
    for change in &changes {
        text.extend_from_slice(&bytes[at..change.range.start as usize]);
        text.extend_from_slice(change.text.as_bytes());
        at = change.range.end as usize;
    }
    text.extend_from_slice(&bytes[at..]);
    Ok(Repaired { text, changes })
}

/// Refuses a text whose control codes are parts of characters, if they would be removed.
pub(crate) fn keep_controls(bytes: &[u8], choice: &Choice) -> Result<(), Refusal> {
    if choice.mending.takes_controls() {
        let found = placemat_detect::detect(bytes, true);
        if needs_its_controls(&found) {
            return Err(Refusal::SomethingElse(Box::new(found)));
        }
    }
    Ok(())
}

impl Refusal {
    /// The second encoding with which the text could be repaired, if it is likely and can be named.
    ///
    /// ```
    /// use placemat_text::repair::choice::Choice;
    /// use placemat_text::repair::whole::whole;
    ///
    /// let utf8 = "Grüße aus Köln und München, schöne Tage\n".repeat(2);
    /// let lines = [utf8.as_bytes(), &b"Gr\xFC\xDFe aus K\xF6ln und M\xFCnchen\n".repeat(9)].concat();
    /// let refused = whole(&lines, &Choice::default()).unwrap_err();
    /// assert_eq!(refused.to_string(), "it has parts in UTF-8 and parts in windows-1252");
    /// assert_eq!(refused.second(), Some("windows-1252"));
    /// ```
    #[must_use]
    pub fn second(&self) -> Option<&'static str> {
        match self {
            Refusal::SomethingElse(found) => beside_utf8(found).map(Encoding::name),
            Refusal::Unclear(second) => (second.confidence >= LIKELY).then_some(second.encoding),
            Refusal::Misfit(_) => None,
        }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::SomethingElse(found) if found.encoding == Encoding::Several => {
                match beside_utf8(found) {
                    Some(other) => write!(f, "it has parts in UTF-8 and parts in {other}"),
                    None => f.write_str("it seems to hold several encodings"),
                }
            }
            Refusal::SomethingElse(found) if found.confidence < LIKELY => {
                f.write_str("it is not UTF-8, and no other encoding is likely")
            }
            Refusal::SomethingElse(found) if found.encoding == Encoding::Form(Form::Utf8) => {
                write!(f, "it {} UTF-8, of which too little is well-formed", guess::looks(found))
            }
            Refusal::SomethingElse(found) => {
                let (looks, sure) = (guess::looks(found), guess::percent(found.confidence));
                write!(f, "it {looks} {} ({sure}), not like UTF-8 with a few errors", found.encoding)
            }
            Refusal::Misfit(misfit) => misfit.fmt(f),
            Refusal::Unclear(second) if second.confidence < LIKELY => {
                f.write_str("it is UTF-8 with runs of an encoding that cannot be guessed")
            }
            Refusal::Unclear(second) => {
                let sure = guess::percent(second.confidence);
                write!(f, "it is UTF-8 with runs that may be {} ({sure})", second.encoding)
            }
        }
    }
}

impl Repaired {
    /// Returns the report that the command writes for standard input: lines of JSON from which the original can be restored.
    ///
    /// # Errors
    /// Those of serialising.
    ///
    /// ```
    /// use placemat_text::repair::choice::Choice;
    /// use placemat_text::repair::whole::whole;
    ///
    /// let text = b"na\xC3\xAFve caf\xC3\xA9\nand another caf\xE9\n";
    /// let report = whole(text, &Choice::default()).unwrap().report(text).unwrap();
    /// assert_eq!(report.lines().count(), 4);
    /// ```
    pub fn report(&self, original: &[u8]) -> Result<String, Error> {
        let mut record = Record::new(("-".to_owned(), None), Cursor::new(Vec::new()));
        record.before(original);
        record.after(&self.text);
        for change in &self.changes {
            record.change(change, &original[change.range.start as usize..change.range.end as usize])?;
        }
        let (file, lines) = record.finish()?;
        let mut report = Vec::new();
        write_line(&mut report, &Line::Report { version: VERSION })?;
        write_line(&mut report, &file)?;
        report.extend(lines.into_inner());
        write_line(&mut report, &Line::Summary { files: 1, changes: self.changes.len() as u64 })?;
        Ok(String::from_utf8_lossy(&report).into_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::repair::mend::{Mending, ZEROS};
    use crate::structure::{self, Structure};

    #[test]
    fn controls_are_not_taken_from_utf16() {
        let text: Vec<u8> = "Привет, мир\n".repeat(4).encode_utf16().flat_map(u16::to_le_bytes).collect();
        let mending = Mending { zero: Some(ZEROS[1]), ..Mending::default() };
        let refused = whole(&text, &Choice { mending, ..Choice::default() });
        assert!(matches!(&refused, Err(Refusal::SomethingElse(found)) if found.encoding == "utf-16le"));
        let repaired = whole(b"plain\0text\n", &Choice { mending, ..Choice::default() });
        assert_eq!(repaired.unwrap().text, b"plaintext\n");
    }

    #[test]
    fn nor_from_fields_in_iso_2022_jp() {
        let text = b"a,\x1B$BF|K\\8l\x1B(B\n".repeat(3);
        let mending = Mending { hidden: placemat::invisible::Kinds::DEFAULT, ..Mending::default() };
        let choice = Choice { mending, ..Choice::default() };
        let refused = structure::whole(&text, Structure::Csv(b','), &choice);
        assert!(matches!(&refused, Err(Refusal::SomethingElse(found)) if found.encoding == "iso-2022-jp"));
    }
}
