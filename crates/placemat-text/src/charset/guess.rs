//! `auto`: the encoding that a text seems to be in.

use std::io::{self, Read};

use placemat::label::Labels;
use placemat::{Form, Validator};
use placemat_detect::{Detection, Detector, Encoding, announced};

use super::Charset;
use crate::io::{HEAD, read_some};

/// The least confidence at which a guess is used by default.
pub const SURE: f32 = 0.5;

/// The form other than UTF-8 whose byte order mark an input starts with and does not plainly contradict, and the length of the mark.
pub(crate) fn other_form(head: &[u8]) -> Option<(Form, usize)> {
    announced(&head[..head.len().min(HEAD as usize)]).filter(|(form, _)| *form != Form::Utf8)
}

impl Charset {
    /// Guesses the encoding of all that `source` holds. If there is no good guess, says why in one sentence.
    ///
    /// # Errors
    /// Those of reading.
    ///
    /// ```
    /// use placemat_text::charset::Charset;
    ///
    /// let charset = Charset::guess(&mut "naïve café".as_bytes()).unwrap().unwrap();
    /// assert_eq!(charset.name(), "utf-8");
    /// ```
    pub fn guess(source: &mut dyn Read) -> io::Result<Result<Charset, String>> {
        Charset::guess_if_sure(source, SURE)
    }

    /// Like [`Charset::guess`], with `least` (from 0 to 1) as the least confidence.
    ///
    /// # Errors
    /// Those of reading.
    ///
    /// ```
    /// use placemat_text::charset::Charset;
    ///
    /// let short = || &b"M\xFCnchen"[..];
    /// assert!(Charset::guess_if_sure(&mut short(), 0.1).unwrap().is_ok());
    /// assert!(Charset::guess_if_sure(&mut short(), 0.99).unwrap().is_err());
    /// ```
    pub fn guess_if_sure(source: &mut dyn Read, least: f32) -> io::Result<Result<Charset, String>> {
        let found = detect(source)?;
        match found.encoding {
            Encoding::Unknown => {
                return Ok(Err("no encoding is likely; name it with -f".to_owned()));
            }
            Encoding::Several => return Ok(Err("seems to hold several encodings".to_owned())),
            _ => {}
        }
        if found.confidence < least && found.encoding != Encoding::Binary {
            return Ok(Err(format!(
                "may be {}, which is {} sure; name its encoding with -f",
                found.encoding,
                percent(found.confidence)
            )));
        }
        Ok(match (found.encoding, Charset::detected(&found)) {
            // Text that is added later will be UTF-8.
            (Encoding::Form(Form::UsAscii), _) => Ok(Charset::Form(Form::Utf8)),
            (_, Some(charset)) => Ok(charset),
            (Encoding::Binary, None) => Err("does not seem to be text; name its encoding with -f".to_owned()),
            (name, None) => Err(format!("seems to be {name}, which placemat cannot read")),
        })
    }

    /// Whether this encoding decodes the multi-byte sequences of UTF-8 to the same characters as UTF-8.
    ///
    /// ```
    /// use placemat::Form;
    /// use placemat_text::charset::Charset;
    ///
    /// assert!(Charset::from(Form::Cesu8).reads_utf8());
    /// assert!(!Charset::from(Form::Windows1252).reads_utf8());
    /// ```
    pub fn reads_utf8(self) -> bool {
        let Charset::Form(form) = self else { return false };
        placemat::convert(form, Form::Utf8, "é".as_bytes()).is_ok_and(|text| text == "é".as_bytes())
    }

    /// The form of UTF-16 or UTF-32 that a byte order mark at the start of a text announces, if this encoding does not read the mark as
    /// one, and the text does not contradict it.
    ///
    /// ```
    /// use placemat::Form;
    /// use placemat_text::charset::Charset;
    ///
    /// let announced = |form: Form| Charset::from(form).misreads_mark(b"\xFF\xFEa\0");
    /// assert_eq!(announced(Form::Windows1252), Some(Form::Utf16Le));
    /// assert_eq!(announced(Form::Utf16Be), Some(Form::Utf16Le));
    /// assert_eq!(announced(Form::Utf16Le), None);
    /// assert_eq!(announced(Form::Utf16), None);
    /// assert_eq!(Charset::from(Form::Windows1252).misreads_mark(b"\xFF\xFEplain text\n"), None);
    /// ```
    pub fn misreads_mark(self, text: &[u8]) -> Option<Form> {
        let (announced, len) = other_form(text)?;
        let read = match self {
            Charset::Form(form) => placemat::convert(form, Form::Utf8, &text[..len]).ok(),
            Charset::Legacy(_) => None,
        };
        let is_read = read.is_some_and(|read| matches!(&*read, b"" | b"\xEF\xBB\xBF"));
        (!is_read).then_some(announced)
    }

    /// The encoding to convert from. If there is a byte order mark, it is a form that reads the mark. `None` if the
    /// bytes are not text.
    ///
    /// ```
    /// use placemat_text::charset::Charset;
    ///
    /// let found = placemat_detect::detect(b"\xFF\xFEa\0", true);
    /// assert_eq!(Charset::detected(&found).unwrap().name(), "utf-16");
    /// ```
    pub fn detected(found: &Detection) -> Option<Charset> {
        let label = match (found.bom, found.encoding) {
            (true, Encoding::Form(Form::Utf16Le | Form::Utf16Be)) => "utf-16",
            (true, Encoding::Form(Form::Utf32Le | Form::Utf32Be)) => "utf-32",
            (_, encoding) => encoding.name(),
        };
        Charset::resolve(Labels::Lenient, label).ok()
    }
}

/// Whether the input is well-formed UTF-8 and not only ASCII. Reads up to the first error.
///
/// # Errors
/// Those of reading.
///
/// ```
/// use placemat_text::charset::guess::is_utf8_beyond_ascii;
///
/// assert!(is_utf8_beyond_ascii(&mut "naïve".as_bytes()).unwrap());
/// assert!(!is_utf8_beyond_ascii(&mut "plain".as_bytes()).unwrap());
/// assert!(!is_utf8_beyond_ascii(&mut &b"na\xEFve"[..]).unwrap());
/// ```
pub fn is_utf8_beyond_ascii(reader: &mut dyn Read) -> io::Result<bool> {
    let mut validator = Validator::new();
    let mut is_beyond = false;
    let mut block = vec![0; 64 << 10];
    loop {
        let read = read_some(reader, &mut block)?;
        if read == 0 {
            return Ok(is_beyond && validator.finish().is_ok());
        }
        is_beyond |= !block[..read].is_ascii();
        if validator.push(&block[..read]).is_err() {
            return Ok(false);
        }
    }
}

/// Whether the input is a text in well-formed UTF-8, ASCII included, and cannot be taken for UTF-16 or UTF-32, whose bytes may all be
/// ASCII: it has no NUL and no other control codes that are rare in text. An empty input is none.
///
/// # Errors
/// Those of reading.
///
/// ```
/// use placemat_text::charset::guess::is_utf8_text;
///
/// assert!(is_utf8_text(&mut "plain".as_bytes()).unwrap());
/// assert!(!is_utf8_text(&mut &b"p\0l\0a\0i\0n\0"[..]).unwrap());
/// ```
pub fn is_utf8_text(reader: &mut dyn Read) -> io::Result<bool> {
    let is_rare = |byte: &u8| *byte < b' ' && !matches!(byte, b'\t'..=b'\r' | 0x1B);
    let mut detector = Detector::new();
    let mut block = vec![0; 64 << 10];
    let mut is_empty = true;
    loop {
        match read_some(reader, &mut block)? {
            0 => break,
            read if block[..read].iter().any(is_rare) => return Ok(false),
            read => detector.push(&block[..read]),
        }
        is_empty = false;
    }
    let found = detector.finish(true);
    Ok(!is_empty
        && match found.encoding {
            Encoding::Form(Form::UsAscii) => true,
            Encoding::Form(Form::Utf8) => found.malformed == 0,
            _ => false,
        })
}

/// Says in words how sure a detection is.
///
/// ```
/// use placemat_text::charset::guess::looks;
///
/// assert_eq!(looks(&placemat_detect::detect("naïve café".as_bytes(), true)), "looks like");
/// ```
pub fn looks(found: &Detection) -> &'static str {
    if is_sure(found) { "looks like" } else { "may be" }
}

/// Whether a detection is sure enough to convert without asking the user.
///
/// ```
/// use placemat_text::charset::guess::is_sure;
///
/// assert!(is_sure(&placemat_detect::detect("naïve café".as_bytes(), true)));
/// assert!(!is_sure(&placemat_detect::detect(b"\xCF", true)));
/// ```
#[must_use]
pub fn is_sure(found: &Detection) -> bool {
    found.confidence >= SURE
}

/// Formats a confidence as a percentage, rounded down, so that only full confidence is 100 %.
///
/// ```
/// assert_eq!(placemat_text::charset::guess::percent(0.999), "99 %");
/// ```
pub fn percent(confidence: f32) -> String {
    format!("{} %", hundredths(confidence))
}

/// Returns the number that [`percent`] formats.
///
/// ```
/// assert_eq!(placemat_text::charset::guess::hundredths(0.999), 99);
/// ```
#[must_use]
pub fn hundredths(confidence: f32) -> u8 {
    (100.0 * confidence).floor() as u8
}

/// Detects the encoding of all that `reader` reads, in constant memory.
///
/// # Errors
/// Those of reading.
///
/// ```
/// let found = placemat_text::charset::guess::detect(&mut "naïve café".as_bytes()).unwrap();
/// assert_eq!(found.encoding, "utf-8");
/// ```
pub fn detect(reader: &mut dyn Read) -> io::Result<Detection> {
    let mut detector = Detector::new();
    let mut block = vec![0; 64 << 10];
    loop {
        match read_some(reader, &mut block)? {
            0 => return Ok(detector.finish(true)),
            read => detector.push(&block[..read]),
        }
    }
}
