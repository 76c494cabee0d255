//! What runs that are no UTF-8 are read as: named, or chosen from the text.

use std::io;

use anyhow::{Result, bail};
use placemat::Form;
use placemat::label::Labels;
use placemat_detect::{Detection, Diagnosis, Mixed, Second};
use placemat_text::charset::{Charset, Legacy, guess};
use placemat_text::repair::mend::{Mending, Reading};

use super::advice::LIKELY;
use crate::input::{Body, read_some};

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

/// What a text that is not well-formed is to be read by.
pub(super) struct Choice {
    pub(super) mending: Mending,
    /// The second encoding, if it is named.
    pub(super) second: Option<Legacy>,
    /// U+FFFD was asked for.
    pub(super) is_lossy: bool,
}

/// What it is.
pub(super) enum Verdict {
    /// UTF-8 with runs that are read so.
    Mend(Reading),
    /// Something else as a whole, to all appearances.
    SomethingElse(Box<Detection>),
    /// UTF-8 with runs that may be in this encoding, which is not sure enough.
    Unclear(Second),
}

impl Choice {
    /// Look at all of a text, and go back to its start.
    ///
    /// # Errors
    /// Those of reading.
    pub(super) fn of(&self, body: &mut Body) -> io::Result<Verdict> {
        let found = guess::detect(body)?;
        body.rewind()?;
        let mut mixed = Mixed::new();
        let mut block = vec![0; 64 << 10];
        loop {
            match read_some(body, &mut block)? {
                0 => break,
                read => mixed.push(&block[..read]),
            }
        }
        body.rewind()?;
        let mixed = mixed.finish();
        if self.is_something_else(&found, &mixed) {
            return Ok(Verdict::SomethingElse(Box::new(found)));
        }
        Ok(self.reading(mixed).map_or_else(Verdict::Unclear, Verdict::Mend))
    }

    fn is_something_else(&self, found: &Detection, mixed: &Mixed) -> bool {
        let is_named = self.mending.cp1252 || self.second.is_some();
        match Diagnosis::of(found.clone()) {
            Diagnosis::WellFormed => false,
            Diagnosis::SomethingElse(_) if !is_text_in_bytes(found) => true,
            _ if is_named || mixed.is_mostly_utf8() => false,
            Diagnosis::SomethingElse(_) => !(self.is_lossy && found.confidence < LIKELY),
            Diagnosis::UpToAFew(counts) => {
                let is_accident = mixed.may_be_accident() && !mixed.may_be_damage();
                (!counts.vouch() || is_accident) && !self.is_lossy
            }
        }
    }

    /// How the runs are to be read, or what they may be, if that is not sure enough.
    fn reading(&self, mixed: Mixed) -> Result<Reading, Second> {
        if let Some(legacy) = self.second {
            return Ok(Reading::Legacy(Box::new(mixed), legacy));
        }
        if self.mending.cp1252 || !self.mending.diagnoses {
            return Ok(Reading::Nothing);
        }
        let is_western = mixed.is_western();
        let Some(second) = mixed.second() else {
            return Ok(if is_western { Reading::Windows1252 } else { Reading::Nothing });
        };
        match Charset::resolve(Labels::Lenient, second.encoding) {
            Ok(Charset::Legacy(legacy)) if second.is_sure() && mixed.is_vouched() => {
                Ok(Reading::Legacy(Box::new(mixed), legacy))
            }
            Ok(Charset::Form(Form::Windows1252))
                if is_western && (second.is_sure() || self.is_lossy || !mixed.fits_windows_1252()) =>
            {
                Ok(Reading::Windows1252)
            }
            _ if second.confidence < LIKELY || self.is_lossy || mixed.may_be_damage() => Ok(Reading::Nothing),
            _ => Err(second),
        }
    }
}

/// Whether it is a text in which lone bytes can be meant as characters.
fn is_text_in_bytes(found: &Detection) -> bool {
    let is_wide = Form::named(found.encoding.name()).is_some_and(|form| form.facts().width.0 > 1);
    !is_wide && found.encoding != "binary"
}
