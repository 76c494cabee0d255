//! Checks a declared encoding against the text.

use std::io::{self, Read};

use placemat::{Bom, Form, Policy, Unencodable};
use placemat_detect::{Detection, Encoding};

use super::{Halt, Pipeline, Settings, Stopped};
use crate::charset::Charset;
use crate::io::read_some;

/// Whether the input is well-formed in this encoding. Reads up to the first error.
///
/// # Errors
/// Those of reading.
///
/// ```
/// use placemat::Form;
/// use placemat_text::convert::verify::is_well_formed;
///
/// assert!(is_well_formed(&mut &b"na\xEFve"[..], Form::Iso8859_1.into()).unwrap());
/// assert!(!is_well_formed(&mut &b"na\xEFve"[..], Form::Utf8.into()).unwrap());
/// ```
pub fn is_well_formed(reader: &mut dyn Read, charset: Charset) -> io::Result<bool> {
    Ok(first_error(reader, charset)?.is_none())
}

/// The first error of the input in this encoding. Reads up to it.
///
/// # Errors
/// Those of reading.
///
/// ```
/// use placemat::Form;
/// use placemat_text::convert::verify::first_error;
///
/// let stopped = first_error(&mut &b"na\xEFve"[..], Form::Utf8.into()).unwrap().unwrap();
/// assert_eq!((stopped.error.offset(), &stopped.bytes[..]), (2, &b"\xEF"[..]));
/// ```
pub fn first_error(reader: &mut dyn Read, charset: Charset) -> io::Result<Option<Box<Stopped>>> {
    let policy = Policy::Stop.unencodable(Unencodable::Skip);
    let mut pipeline = Pipeline::new(charset, Settings { to: Form::Utf8.into(), policy, bom: Bom::Keep });
    let mut block = vec![0; 64 << 10];
    loop {
        let read = read_some(reader, &mut block)?;
        let done = match read {
            0 => pipeline.finish_input(&mut io::sink()),
            _ => pipeline.push(&block[..read], &mut io::sink()),
        };
        match done {
            Err(Halt::Stopped(stopped)) => return Ok(Some(stopped)),
            Err(Halt::Output(error) | Halt::Input(error)) => return Err(error),
            Ok(()) if read == 0 => return Ok(None),
            Ok(()) => {}
        }
    }
}

/// Takes the encoding that a rule gives for a file (`said`), if the file can be in it. `again` opens the file from its start.
///
/// # Errors
/// Those of reading.
///
/// ```
/// use placemat::label::Labels;
/// use placemat_text::charset::Charset;
/// use placemat_text::convert::verify;
///
/// let text = b"Okre\xB6la, mo\xBFe";
/// let mut found = placemat_detect::detect(text, true);
/// let said = Charset::resolve(Labels::Lenient, "iso-8859-2").unwrap();
/// verify::heed(&mut found, said, || Ok(&text[..])).unwrap();
/// assert_eq!((found.encoding.name(), found.confidence), ("iso-8859-2", 1.0));
/// ```
pub fn heed<R: Read>(
    found: &mut Detection,
    said: Charset,
    again: impl FnOnce() -> io::Result<R>,
) -> io::Result<()> {
    let encoding = match said {
        Charset::Form(form) => Encoding::Form(form),
        Charset::Legacy(legacy) => Encoding::Legacy(legacy.name()),
    };
    // A rule does not change ASCII, nor what a byte order mark announces.
    if found.bom || found.encoding == Encoding::Form(Form::UsAscii) {
        return Ok(());
    }
    if found.encoding == Encoding::Form(Form::Utf8) && found.malformed == 0 && !said.reads_utf8() {
        // Text in another encoding is almost never well-formed UTF-8 by accident.
        found.reasons.push(format!("the rules say {said}, but it is UTF-8"));
        return Ok(());
    }
    if !is_well_formed(&mut again()?, said)? {
        found.reasons.push(format!("the rules say {said}, but it is malformed in that encoding"));
        return Ok(());
    }
    (found.encoding, found.confidence, found.malformed) = (encoding, 1.0, 0);
    found.reasons = vec![format!("the rules say so, and it is well-formed {said}")];
    Ok(())
}
