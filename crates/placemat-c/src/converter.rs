//! Converts any encoding to any other: a whole text, or a stream.

#![forbid(unsafe_code)]

use placemat::label::{Label, Labels};
use placemat::{Bom, CodePoint, Error, Form, Policy, Transcoder, Unencodable};
use placemat_text::charset::Charset;
use placemat_text::convert::{Halt, Pipeline, Settings};

use crate::border::Answer;
use crate::encoding::{self, placemat_encoding};
use crate::settings::placemat_settings;
use crate::status::placemat_status::{PLACEMAT_INTERNAL, PLACEMAT_UNKNOWN_ENCODING, PLACEMAT_UNSUITABLE};

/// Converts a stream from any encoding to any other, in chunks of any size. Free it with placemat_converter_free.
///
/// Only one thread may use it at a time.
pub struct placemat_converter {
    from: Charset,
    settings: Settings,
    pipeline: Pipeline,
    /// Whether nothing was pushed since the last finish.
    is_over: bool,
    /// The error at which the stream stopped.
    stopped: Option<Error>,
}

/// The result of a conversion: what was written, the number of errors that were replaced, and the error at which it stopped.
pub(crate) struct Converted {
    pub(crate) bytes: Vec<u8>,
    pub(crate) errors: u64,
    pub(crate) stopped: Option<Error>,
}

impl placemat_converter {
    /// Creates a converter between these encodings.
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

    /// Converts the next bytes; after a finish they start a new stream. Returns what was written, and the error at which the
    /// stream stopped, if it did.
    pub(crate) fn push(&mut self, bytes: &[u8]) -> Answer<(Vec<u8>, Option<Error>)> {
        if self.is_over {
            self.pipeline = Pipeline::new(self.from, self.settings);
            self.is_over = false;
        }
        self.work(Vec::with_capacity(bytes.len()), |pipeline, out| pipeline.push(bytes, out))
    }

    /// Ends the input.
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
                    // The output up to the error is ended like a whole text. Nothing can be refused any more.
                    let _ = self.pipeline.finish(&mut out);
                    Some(stopped.error)
                }
                // Writing to memory cannot fail.
                Err(Halt::Input(_) | Halt::Output(_)) => return Err(PLACEMAT_INTERNAL),
            };
        }
        Ok((out, self.stopped))
    }

    /// The number of errors of this stream, or of the finished one, that were replaced; 0 if an error stopped it, since some
    /// stages may have read further.
    pub(crate) fn errors(&self) -> u64 {
        if self.stopped.is_some() { 0 } else { self.pipeline.errors() }
    }
}

/// Converts a whole text.
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

/// Returns the encoding with this number, if the library can read and write it.
pub(crate) fn charset(number: placemat_encoding) -> Answer<Charset> {
    match encoding::label(number).ok_or(PLACEMAT_UNKNOWN_ENCODING)? {
        Label::Form(form) => Ok(form.into()),
        legacy => Charset::resolve(Labels::Lenient, legacy.name()).map_err(|_| PLACEMAT_UNKNOWN_ENCODING),
    }
}

/// Whether the settings are possible between these encodings.
fn fits(policy: Policy, bom: Bom, from: Charset, to: Charset) -> Answer<()> {
    let is_unfit = match policy.unencodable {
        Unencodable::Replace(Some(c)) => !to.carries(c),
        _ => false,
    };
    let lacks_mark = bom == Bom::Add && !to.carries(CodePoint::MARK);
    // No legacy encoding has surrogates. For this check, it is therefore like UTF-8, as a source and as a target.
    let form = |charset: Charset| charset.form().unwrap_or(Form::Utf8);
    let lacks_escapes = policy.fits(form(from), form(to)).is_err();
    if is_unfit || lacks_mark || lacks_escapes { Err(PLACEMAT_UNSUITABLE) } else { Ok(()) }
}
