//! A conversion of a stream.

#![forbid(unsafe_code)]

use placemat::{Bom, Error, Form, Policy, Unencodable};

use crate::session::Session;

#[cfg(not(feature = "legacy"))]
#[path = "stream/between_forms.rs"]
mod converter;
#[cfg(feature = "legacy")]
#[path = "stream/legacy.rs"]
mod converter;

use self::converter::Converter;

/// Why settings are refused. The JavaScript code has a sentence for each number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i32)]
pub(crate) enum Refusal {
    Source = -1,
    Target = -2,
    Policy = -3,
    Unencodable = -4,
    Bom = -5,
    /// Each setting is valid, but not together with the others.
    Unsuitable = -6,
}

/// A converter, and the error at which it stopped.
pub(crate) struct Stream {
    converter: Converter,
    stopped: Option<Error>,
}

impl Stream {
    /// Creates a stream from lines: source, target, policy, what to do with unencodable characters, byte order mark.
    pub(crate) fn of(settings: &str) -> Result<Stream, Refusal> {
        let mut lines = settings.split('\n');
        let mut next = || lines.next().unwrap_or_default();
        let from = converter::named(next()).ok_or(Refusal::Source)?;
        let to = converter::named(next()).ok_or(Refusal::Target)?;
        let policy = Policy::named(next()).ok_or(Refusal::Policy)?;
        let unencodable = Unencodable::named(next()).ok_or(Refusal::Unencodable)?;
        let bom = Bom::named(next()).ok_or(Refusal::Bom)?;
        let policy = policy.unencodable(unencodable);
        let is_unfit = matches!(unencodable, Unencodable::Replace(Some(c)) if !to.carries(c));
        if is_unfit || !converter::fits(policy, bom, from, to) {
            return Err(Refusal::Unsuitable);
        }
        Ok(Stream { converter: Converter::new(from, to, policy, bom), stopped: None })
    }

    /// Converts the next bytes and appends to `out`. Linear. After an error, nothing is converted.
    pub(crate) fn push(&mut self, input: &[u8], out: &mut Vec<u8>) -> Option<Error> {
        if self.stopped.is_none() {
            self.stopped = self.converter.push(input, out).err();
        }
        self.stopped
    }

    /// Ends the input. The next push starts a new stream.
    pub(crate) fn finish(&mut self, out: &mut Vec<u8>) -> Option<Error> {
        let stopped = self.stopped.take();
        if stopped.is_some() {
            self.converter.restart();
            return stopped;
        }
        self.converter.finish(out).err()
    }
}

/// Legacy encodings have no surrogates and no byte order mark, so for policies they are like UTF-8.
fn suits(policy: Policy, from: Option<Form>, to: Option<Form>) -> bool {
    policy.fits(from.unwrap_or(Form::Utf8), to.unwrap_or(Form::Utf8)).is_ok()
}

impl Session {
    /// Opens a stream by the settings in the input. Returns its handle, or a [`Refusal`].
    pub(crate) fn open(&mut self) -> i32 {
        match Stream::of(self.text()) {
            Ok(stream) => {
                let free = self.free.pop().unwrap_or_else(|| {
                    self.streams.push(None);
                    self.streams.len() - 1
                });
                self.streams[free] = Some(stream);
                free as i32
            }
            Err(refusal) => refusal as i32,
        }
    }

    /// Converts the input, and ends the stream if `is_last`. A closed stream is ignored.
    pub(crate) fn push(&mut self, handle: usize, is_last: bool) {
        self.output.clear();
        let mut stopped = None;
        if let Some(Some(stream)) = self.streams.get_mut(handle) {
            stopped = stream.push(&self.input, &mut self.output);
            if is_last {
                stopped = stream.finish(&mut self.output);
            }
        }
        self.tell(stopped);
    }

    /// Closes a stream. Its handle may be used again.
    pub(crate) fn close(&mut self, handle: usize) {
        if self.streams.get_mut(handle).and_then(Option::take).is_some() {
            self.free.push(handle);
        }
    }
}
