//! What runs that are no UTF-8 are read as: named, or chosen from the text.

use std::io::{self, Read};

use anyhow::{Result, bail};
use placemat::Form;
use placemat::label::Labels;
use placemat_detect::{Mixed, Second};
use placemat_text::charset::{Charset, Legacy};
use placemat_text::repair::mend::Reading;

use super::advice::LIKELY;
use crate::input::read_some;

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

/// What a value of `--mend` means.
pub(super) fn mend(text: &str) -> Result<Mend, String> {
    match text {
        "auto" => return Ok(Mend::Auto),
        "overlong" => return Ok(Mend::Overlong),
        "nul" => return Ok(Mend::Nul),
        _ => {}
    }
    match Charset::resolve(Labels::Lenient, text).map_err(|error| error.to_string())? {
        Charset::Form(Form::Windows1252) => Ok(Mend::Windows1252),
        Charset::Legacy(legacy) => Ok(Mend::Second(legacy)),
        Charset::Form(form) => Err(format!("{form} is no second encoding of a file in UTF-8")),
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

/// Reads all of a text.
pub(super) fn collect(reader: &mut dyn Read) -> io::Result<Mixed> {
    let mut mixed = Mixed::new();
    let mut block = vec![0; 64 << 10];
    loop {
        match read_some(reader, &mut block)? {
            0 => return Ok(mixed.finish()),
            read => mixed.push(&block[..read]),
        }
    }
}

/// How the runs are to be read, or what they may be, if that is not sure enough.
pub(super) fn choose(mixed: Mixed, named: Option<Legacy>) -> Result<Reading, Second> {
    if let Some(legacy) = named {
        return Ok(Reading::Legacy(Box::new(mixed), legacy));
    }
    let is_western = mixed.is_western();
    let Some(second) = mixed.second() else {
        return Ok(if is_western { Reading::Windows1252 } else { Reading::Nothing });
    };
    match Charset::resolve(Labels::Lenient, second.encoding) {
        Ok(Charset::Legacy(legacy)) if second.is_sure() && mixed.is_vouched() => {
            Ok(Reading::Legacy(Box::new(mixed), legacy))
        }
        _ if is_western && second.encoding == "windows-1252" => Ok(Reading::Windows1252),
        // Damage, to all appearances.
        _ if second.confidence < LIKELY => Ok(Reading::Nothing),
        _ => Err(second),
    }
}

/// What is said of sequences that stay as they are.
pub(super) fn left(count: u64) -> String {
    match count {
        1 => "1 malformed sequence stays as it is; --lossy writes U+FFFD for it".to_owned(),
        _ => format!("{count} malformed sequences stay as they are; --lossy writes U+FFFD for them"),
    }
}
