//! From any encoding to any other: a whole text, or a stream.

#![forbid(unsafe_code)]

use placemat::label::{Label, Labels};
use placemat::{Bom, CodePoint, Error, Form, Policy, Transcoder, Unencodable};
use placemat_text::charset::Charset;
use placemat_text::convert::{Halt, Pipeline, Settings};

use crate::border::Answer;
use crate::encoding::{self, placemat_encoding};
use crate::settings::placemat_settings;
use crate::status::placemat_status::{PLACEMAT_INTERNAL, PLACEMAT_UNKNOWN_ENCODING, PLACEMAT_UNSUITABLE};

/// Converts a stream from any encoding to any other, in chunks of any size. placemat_converter_free gives it back.
///
/// One thread at a time may use it.
pub struct placemat_converter {
    from: Charset,
    settings: Settings,
    pipeline: Pipeline,
    /// Nothing was pushed since the last finish.
    is_over: bool,
    /// The error at which it stopped.
    stopped: Option<Error>,
}

/// What a conversion came to: what is written, errors that were replaced, and the error at which it stopped.
pub(crate) struct Converted {
    pub(crate) bytes: Vec<u8>,
    pub(crate) errors: u64,
    pub(crate) stopped: Option<Error>,
}

impl placemat_converter {
    /// A converter between these encodings.
    pub(crate) fn new(
        from: placemat_encoding,
        to: placemat_encoding,
        settings: &placemat_settings,
    ) -> Answer<placemat_converter> {
        let (from, to) = (charset(from)?, charset(to)?);
        let (policy, bom) = settings.meaning()?;
        fits(policy, bom, from, to)?;
        let settings = Settings { to, policy, bom };
        let pipeline = Pipeline::new(from, settings);
        Ok(placemat_converter { from, settings, pipeline, is_over: false, stopped: None })
    }

    /// Convert the next bytes, behind a finish those of a new stream. What is written, and the error at which it stopped, now or before.
    pub(crate) fn push(&mut self, bytes: &[u8]) -> Answer<(Vec<u8>, Option<Error>)> {
        if self.is_over {
            self.pipeline = Pipeline::new(self.from, self.settings);
            self.is_over = false;
        }
        self.work(Vec::with_capacity(bytes.len()), |pipeline, out| pipeline.push(bytes, out))
    }

    /// The end of the input.
    pub(crate) fn finish(&mut self) -> Answer<(Vec<u8>, Option<Error>)> {
        if self.is_over {
            return Ok((Vec::new(), None));
        }
        let done = self.work(Vec::new(), |pipeline, out| {
            pipeline.finish_input(out).and_then(|()| pipeline.finish(out))
        })?;
        self.is_over = done.1.is_none();
        Ok(done)
    }

    fn work(
        &mut self,
        mut out: Vec<u8>,
        work: impl FnOnce(&mut Pipeline, &mut Vec<u8>) -> Result<(), Halt>,
    ) -> Answer<(Vec<u8>, Option<Error>)> {
        if self.stopped.is_none() {
            self.stopped = match work(&mut self.pipeline, &mut out) {
                Ok(()) => None,
                Err(Halt::Stopped(stopped)) => {
                    // What precedes the error becomes a text of its own; there is nothing left to refuse.
                    let _ = self.pipeline.finish(&mut out);
                    Some(stopped.error)
                }
                // Memory does not fail.
                Err(Halt::Input(_) | Halt::Output(_)) => return Err(PLACEMAT_INTERNAL),
            };
        }
        Ok((out, self.stopped))
    }

    /// Errors of this stream, or of the one that is over, that were replaced; 0 if it stopped, as stages may have read on.
    pub(crate) fn errors(&self) -> u64 {
        if self.stopped.is_some() { 0 } else { self.pipeline.errors() }
    }
}

/// A whole text in another encoding.
pub(crate) fn convert(
    from: placemat_encoding,
    to: placemat_encoding,
    settings: &placemat_settings,
    bytes: &[u8],
) -> Answer<Converted> {
    let mut converter = placemat_converter::new(from, to, settings)?;
    if let (Charset::Form(from), Charset::Form(to)) = (converter.from, converter.settings.to) {
        let Settings { policy, bom, .. } = converter.settings;
        let mut transcoder = Transcoder::new(from, to).on_error(policy).bom(bom);
        let mut out = Vec::new();
        let stopped = placemat::convert_into(&mut transcoder, bytes, &mut out).err();
        let errors = if stopped.is_some() { 0 } else { transcoder.errors() };
        return Ok(Converted { bytes: out, errors, stopped });
    }
    let (mut out, stopped) = converter.push(bytes)?;
    let (last, stopped) = if stopped.is_none() { converter.finish()? } else { (Vec::new(), stopped) };
    out.extend(last);
    Ok(Converted { bytes: out, errors: converter.errors(), stopped })
}

/// The encoding of a number, if text can be read and written in it.
pub(crate) fn charset(number: placemat_encoding) -> Answer<Charset> {
    match encoding::label(number).ok_or(PLACEMAT_UNKNOWN_ENCODING)? {
        Label::Form(form) => Ok(form.into()),
        legacy => Charset::resolve(Labels::Lenient, legacy.name()).map_err(|_| PLACEMAT_UNKNOWN_ENCODING),
    }
}

/// Whether settings can serve between these encodings.
fn fits(policy: Policy, bom: Bom, from: Charset, to: Charset) -> Answer<()> {
    let is_unfit = match policy.unencodable {
        Unencodable::Replace(Some(c)) => !to.carries(c),
        _ => false,
    };
    let lacks_mark = bom == Bom::Add && !to.carries(CodePoint::MARK);
    // No legacy encoding has surrogates: as a source it is as good as UTF-8, as a target as bad.
    let form = |charset: Charset| charset.form().unwrap_or(Form::Utf8);
    let lacks_escapes = policy.fits(form(from), form(to)).is_err();
    if is_unfit || lacks_mark || lacks_escapes { Err(PLACEMAT_UNSUITABLE) } else { Ok(()) }
}
