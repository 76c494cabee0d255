//! The encoding in which runs that are not UTF-8 are read: named, or chosen from the text.

use std::io::{self, Read};
use std::sync::Arc;

use anyhow::{Result, bail};
use placemat::label::Labels;
use placemat::{Form, valid_prefix};
use placemat_detect::Mixed;
use placemat_text::charset::{Charset, Legacy, guess};
use placemat_text::repair::choice::{Choice, Verdict};

use crate::input::{Body, read_some};
use crate::naming::resolve;
use crate::progress::Done;

/// Bytes read at once.
const BLOCK: usize = 128 << 10;

/// What `--mend` names.
#[derive(Clone, Copy, Debug)]
pub(super) enum Mend {
    /// The second encoding is chosen from the text.
    Auto,
    Windows1252,
    Second(Legacy),
    Overlong,
    Nul,
}

/// Parses a value of `--mend`.
pub(super) fn mend(text: &str) -> Result<Mend, String> {
    match text {
        "auto" => return Ok(Mend::Auto),
        "overlong" => return Ok(Mend::Overlong),
        "nul" => return Ok(Mend::Nul),
        _ => {}
    }
    let charset = resolve(Labels::Lenient, text)
        .map_err(|error| format!("{error}; other values are auto, overlong and nul"))?;
    match charset {
        Charset::Form(Form::Windows1252) => Ok(Mend::Windows1252),
        Charset::Legacy(legacy) if !charset.is_ebcdic() => Ok(Mend::Second(legacy)),
        Charset::Form(_) | Charset::Legacy(_) => Err(format!(
            "{charset} cannot be the second encoding of a UTF-8 file; for example windows-1252, koi8-r, shift_jis can"
        )),
    }
}

/// The second encoding that is named, if one is.
pub(super) fn second(mend: &[Mend]) -> Result<Option<Legacy>> {
    let is_encoding = |mend: &&Mend| matches!(mend, Mend::Auto | Mend::Windows1252 | Mend::Second(_));
    if mend.iter().filter(is_encoding).count() > 1 {
        bail!("--mend takes one encoding, or auto");
    }
    Ok(mend.iter().find_map(|mend| match mend {
        Mend::Second(legacy) => Some(*legacy),
        Mend::Auto | Mend::Windows1252 | Mend::Overlong | Mend::Nul => None,
    }))
}

/// Reads all of a text, or what `view` shows of it, judges it, and goes back to its start.
///
/// # Errors
/// Those of reading.
pub(super) fn judge(
    choice: &Choice,
    body: &mut Body,
    view: impl for<'b> Fn(&'b mut Body) -> Box<dyn Read + 'b>,
) -> io::Result<Verdict> {
    let found = guess::detect(&mut *view(body))?;
    body.rewind()?;
    let mut mixed = Mixed::new();
    let mut block = vec![0; 64 << 10];
    let mut text = view(body);
    loop {
        match read_some(&mut *text, &mut block)? {
            0 => break,
            read => mixed.push(&block[..read]),
        }
    }
    drop(text);
    body.rewind()?;
    Ok(choice.of(found, mixed.finish()))
}

/// Whether all of it is well-formed UTF-8.
///
/// # Errors
/// Those of reading.
pub(super) fn is_well_formed(reader: &mut dyn Read, done: Option<&Arc<Done>>) -> io::Result<bool> {
    let mut block = vec![0; BLOCK];
    let mut kept = 0;
    loop {
        let read = read_some(reader, &mut block[kept..])?;
        if read == 0 {
            return Ok(kept == 0);
        }
        if let Some(done) = done {
            done.add_bytes(read as u64);
        }
        let (valid, error) = valid_prefix(&block[..kept + read]);
        if error.is_some() {
            return Ok(false);
        }
        // A character that the next bytes may complete: three at most.
        block.copy_within(valid..kept + read, 0);
        kept = kept + read - valid;
    }
}
