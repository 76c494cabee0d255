//! Repairs the fields of an input that is in memory.

use placemat_detect::Mixed;

use super::{FieldMender, Structure, Texts, check};
use crate::error::Error;
use crate::io::read_more;
use crate::repair::choice::{Choice, Verdict};
use crate::repair::mend::Reading;
use crate::repair::whole::{Refusal, Repaired, keep_controls};

/// The number of bytes read at once.
const READ: usize = 64 << 10;

/// Repairs the fields of an input as the command does. Linear; memory for the input and its changes.
///
/// # Errors
/// Why the input is refused.
///
/// ```
/// use placemat_text::repair::choice::Choice;
/// use placemat_text::structure::{Structure, whole};
///
/// let csv = b"1,na\xC3\xAFve caf\xC3\xA9\n2,\"another \"\"caf\xE9\"\"\"\n";
/// let repaired = whole(csv, Structure::Csv(b','), &Choice::default()).unwrap();
/// assert_eq!(repaired.text, "1,naïve café\n2,\"another \"\"café\"\"\"\n".as_bytes());
/// assert_eq!(repaired.changes[0].cell.map(|cell| (cell.row, cell.field)), Some((2, 2)));
///
/// let refused = whole(b"1,\"caf\xE9\n", Structure::Csv(b','), &Choice::default());
/// assert_eq!(refused.unwrap_err().to_string(), "line 1: a field in quotes does not end");
/// ```
pub fn whole(bytes: &[u8], structure: Structure, choice: &Choice) -> Result<Repaired, Refusal> {
    if super::is_wide(bytes) {
        return Err(Refusal::SomethingElse(Box::new(placemat_detect::detect(bytes, true))));
    }
    keep_controls(bytes, choice)?;
    let structure = structure.known(bytes).map_err(Refusal::Misfit)?;
    let mut reading = Reading::default();
    let checked = check(structure, bytes);
    if !checked.map_err(|misfit| seeming(bytes, &misfit, choice).unwrap_or(Refusal::Misfit(misfit)))? {
        let mut texts = Vec::new();
        let mut fields = Texts::new(structure, bytes);
        while read_more(&mut fields, &mut texts, READ).map_err(|error| Refusal::Misfit(error.into()))? > 0 {}
        let mut mixed = Mixed::new();
        mixed.push(&texts);
        match choice.of(placemat_detect::detect(&texts, true), mixed.finish()) {
            Verdict::Mend(found) => reading = found,
            Verdict::SomethingElse(found) => return Err(Refusal::SomethingElse(found)),
            Verdict::Unclear(second) => return Err(Refusal::Unclear(second)),
        }
    }
    let mut mender = FieldMender::new(structure, bytes, choice.mending, reading);
    let (mut text, mut all) = (Vec::with_capacity(bytes.len()), Vec::new());
    let mut at = 0;
    while let Some(block) = mender.block().map_err(Refusal::Misfit)? {
        for change in block.changes {
            text.extend_from_slice(&bytes[at..change.range.start as usize]);
            text.extend_from_slice(change.text.as_bytes());
            at = change.range.end as usize;
            all.push(change);
        }
    }
    text.extend_from_slice(&bytes[at..]);
    Ok(Repaired { text, changes: all })
}

/// The refusal for an input that does not have the structure since all of it is in another encoding.
fn seeming(bytes: &[u8], error: &Error, choice: &Choice) -> Option<Refusal> {
    if !matches!(error, Error::Misfit(misfit) if misfit.may_be_half_a_character()) {
        return None;
    }
    let mut mixed = Mixed::new();
    mixed.push(bytes);
    match choice.of(placemat_detect::detect(bytes, true), mixed.finish()) {
        Verdict::SomethingElse(found) => Some(Refusal::SomethingElse(found)),
        Verdict::Mend(_) | Verdict::Unclear(_) => None,
    }
}
