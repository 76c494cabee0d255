//! Repair, detection and explanations of a whole text, which allocate.

#![forbid(unsafe_code)]

use std::io::{self, Cursor};

use placemat::Form;
use placemat::invisible::Kinds;
use placemat_text::charset::{Charset, Legacy};
use placemat_text::explain::{Input, Object, objects};
use placemat_text::hidden;
use placemat_text::models::{DetectLine, FilePath};
use placemat_text::notation::{hex, write_line};
use placemat_text::repair::choice::Choice;
use placemat_text::repair::mend::Mending;
use placemat_text::repair::undo::{Lines, entries};
use placemat_text::repair::whole::whole;

use crate::border::Answer;
use crate::converter::charset;
use crate::encoding::placemat_encoding;
use crate::settings::placemat_repair_flags;
use crate::status::placemat_status::{
    PLACEMAT_INTERNAL, PLACEMAT_REFUSED, PLACEMAT_UNKNOWN_VALUE, PLACEMAT_UNSUITABLE,
};

/// Repairs a text. Returns well-formed UTF-8, and the report of the changes.
pub(crate) fn repair(flags: u32, second: placemat_encoding, bytes: &[u8]) -> Answer<(Vec<u8>, Vec<u8>)> {
    if flags & !placemat_repair_flags::ALL != 0 {
        return Err(PLACEMAT_UNKNOWN_VALUE);
    }
    let asks = |flag: placemat_repair_flags| flags & flag as u32 != 0;
    let (second, is_cp1252) = second_encoding(second)?;
    let mending = Mending {
        cp1252: is_cp1252 || asks(placemat_repair_flags::PLACEMAT_REPAIR_CP1252),
        overlong: asks(placemat_repair_flags::PLACEMAT_REPAIR_OVERLONG),
        nul: asks(placemat_repair_flags::PLACEMAT_REPAIR_NUL),
        mojibake: asks(placemat_repair_flags::PLACEMAT_REPAIR_MOJIBAKE),
        hidden: if asks(placemat_repair_flags::PLACEMAT_REPAIR_INVISIBLE) {
            Kinds::DEFAULT
        } else {
            Kinds::NONE
        },
        ..Mending::default()
    };
    let is_lossy = asks(placemat_repair_flags::PLACEMAT_REPAIR_LOSSY);
    let repaired = whole(bytes, &Choice { mending, second, is_lossy }).map_err(|_| PLACEMAT_REFUSED)?;
    let report = repaired.report(bytes).map_err(|_| PLACEMAT_INTERNAL)?;
    Ok((repaired.text, report.into_bytes()))
}

/// Returns the second encoding of a mixed text, if one is named, and whether it is windows-1252, which is read byte by byte.
fn second_encoding(number: placemat_encoding) -> Answer<(Option<Legacy>, bool)> {
    match number {
        0 => Ok((None, false)),
        number => match charset(number)? {
            Charset::Legacy(legacy) => Ok((Some(legacy), false)),
            Charset::Form(Form::Windows1252) => Ok((None, true)),
            Charset::Form(_) => Err(PLACEMAT_UNSUITABLE),
        },
    }
}

/// Returns the original of a repaired text, which must be the one in the report.
pub(crate) fn undo(report: &[u8], repaired: &[u8]) -> Answer<Vec<u8>> {
    let mut lines = Lines::new(Cursor::new(report));
    let entries = entries(&mut lines).map_err(|_| PLACEMAT_UNKNOWN_VALUE)?;
    let [entry] = &entries[..] else { return Err(PLACEMAT_UNKNOWN_VALUE) };
    let mut original = Vec::with_capacity(repaired.len());
    match entry.put_back(&mut lines, repaired, &mut original) {
        Ok(true) => Ok(original),
        Ok(false) | Err(_) => Err(PLACEMAT_REFUSED),
    }
}

/// Detects the encoding of a text. Returns a line of JSON.
pub(crate) fn detect(bytes: &[u8], is_complete: bool) -> Answer<Vec<u8>> {
    let found = placemat_detect::detect(bytes, is_complete);
    lines([DetectLine::file(FilePath::of("-".as_ref()), &found)])
}

/// Explains bytes, sequence by sequence. Returns lines of JSON.
pub(crate) fn explain(form: Form, bytes: &[u8], limit: usize) -> Answer<Vec<u8>> {
    let input = Input::read(bytes, form).map_err(|_: io::Error| PLACEMAT_INTERNAL)?;
    lines(objects(&input.view(), limit))
}

/// Finds characters that are not shown. Returns lines of JSON.
pub(crate) fn invisible(kinds: Option<&str>, bytes: &[u8]) -> Answer<Vec<u8>> {
    let kinds = kinds.map_or(Ok(Kinds::DEFAULT), hidden::kinds).map_err(|_| PLACEMAT_UNKNOWN_VALUE)?;
    lines(hidden::found(bytes, kinds, true).iter().map(|found| {
        let run = &bytes[found.offset..found.offset + found.length];
        Object::Hidden {
            offset: found.offset as u64,
            length: found.length,
            bytes: hex(run),
            kind: found.kind.name(),
            payload: hidden::payload(run),
        }
    }))
}

/// Writes one object per line.
fn lines(objects: impl IntoIterator<Item = impl serde::Serialize>) -> Answer<Vec<u8>> {
    let mut out = Vec::new();
    for object in objects {
        write_line(&mut out, &object).map_err(|_| PLACEMAT_INTERNAL)?;
    }
    Ok(out)
}
