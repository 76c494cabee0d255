//! The text of an input's fields, one per line. The encoding of the input is guessed from it.

use std::io::{self, Read};

use super::Structure;
use super::scan::Scan;
use crate::error::Error;

/// A reader of the unescaped text of fields that are not only ASCII, one per line. If a delimiter may be the second byte of a field's last
/// character, it is part of the text.
pub struct Texts<R> {
    scan: Scan<R>,
    texts: Vec<u8>,
    at: usize,
}

impl<R: Read> Texts<R> {
    /// Reads the fields of what `reader` reads.
    ///
    /// ```
    /// use std::io::Read as _;
    /// use placemat_text::structure::{Structure, Texts};
    ///
    /// let mut texts = Vec::new();
    /// Texts::new(Structure::Csv(b','), &b"1,caf\xE9,\"\"\"\xFC\"\"\"\n"[..]).read_to_end(&mut texts).unwrap();
    /// assert_eq!(texts, b"caf\xE9\n\"\xFC\"\n");
    /// ```
    pub fn new(structure: Structure, reader: R) -> Texts<R> {
        Texts { scan: Scan::new(structure, reader), texts: Vec::new(), at: 0 }
    }
}

impl<R: Read> Read for Texts<R> {
    fn read(&mut self, block: &mut [u8]) -> io::Result<usize> {
        while self.at == self.texts.len() {
            self.texts.clear();
            self.at = 0;
            let texts = &mut self.texts;
            let ready = self.scan.advance(&mut |_, grammar, buffer, field| {
                let says = &*field.hint(buffer);
                if !says.is_ascii() {
                    // A NUL in a field must not make the text look like a binary file.
                    texts.extend(says.iter().filter(|&&byte| byte != 0));
                    // Half a character would rule out its encoding.
                    texts.extend(grammar.may_end_a_character().filter(|_| says.last() >= Some(&0x81)));
                    texts.push(b'\n');
                }
            });
            match ready {
                Ok(Some(ready)) => self.scan.settle(ready),
                Ok(None) => return Ok(0),
                Err(Error::Io(error)) => return Err(error),
                Err(error) => return Err(io::Error::new(io::ErrorKind::InvalidData, error)),
            }
        }
        let read = (&self.texts[self.at..]).read(block)?;
        self.at += read;
        Ok(read)
    }
}

/// Whether all fields of an input are well-formed, if the input has the structure. Linear; memory as for [`super::FieldMender`].
///
/// # Errors
/// Those of reading, and a misfit.
///
/// ```
/// use placemat_text::structure::{Structure, check};
///
/// assert!(check(Structure::JsonLines, &b"{\"a\": 1}\n[]\n"[..]).unwrap());
/// assert!(!check(Structure::JsonLines, &b"[\"caf\xE9\"]"[..]).unwrap());
/// assert_eq!(check(Structure::JsonLines, &b"{}\n{\"a\" 1}\n"[..]).unwrap_err().to_string(), "line 2: a colon is expected");
/// ```
pub fn check(structure: Structure, reader: impl Read) -> Result<bool, Error> {
    let mut scan = Scan::new(structure, reader);
    let mut is_well_formed = true;
    while let Some(ready) = scan.advance(&mut |_, _, buffer, field| {
        is_well_formed = is_well_formed && placemat::is_valid(field.says(buffer));
    })? {
        scan.settle(ready);
    }
    Ok(is_well_formed)
}
