//! One input of a conversion: opened, and its encoding chosen.

use std::fs::Metadata;
use std::io::{self, Read};
use std::sync::Arc;

use anyhow::{Result, anyhow, bail};
use placemat_detect::Detection;

use super::BLOCK;
use super::options::{Candidate, Options};
use crate::input::{Body, HEAD, Input, read_some};
use crate::large::Large;
use crate::progress::Done;
use crate::replace;
use placemat_text::charset::{Charset, LEAD, guess};
use placemat_text::convert::{Settings, Stopped, verify};
use placemat_text::notation::hex;
use placemat_text::place::Place;

/// An input that is open.
pub(super) struct Source {
    body: Body,
    charset: Charset,
    /// Its bytes were counted as done.
    is_counted: bool,
}

/// Why an input is left out.
pub(super) enum Unread {
    Trouble(anyhow::Error),
    /// No candidate fits, for these reasons.
    NoneFits(String),
}

impl From<io::Error> for Unread {
    fn from(error: io::Error) -> Unread {
        Unread::Trouble(error.into())
    }
}

impl Source {
    /// Opens the input and takes the first candidate in which all of it is well-formed. A single candidate is not
    /// checked, and neither is a guess that is sure.
    pub(super) fn open(
        input: &Input,
        from: &[Candidate],
        options: &Options,
        done: &Arc<Done>,
    ) -> Result<Source, Unread> {
        let mut body = match Body::unpacked(input, options.unpack) {
            Err(error) if error.kind() == io::ErrorKind::IsADirectory => {
                let what = match input {
                    Input::Stdin => "name it, and --in-place converts the files in it",
                    Input::Named(_) | Input::Found(_) => "--in-place converts the files in it",
                };
                return Err(Unread::Trouble(anyhow!("{error}; {what}")));
            }
            body => body?,
        };
        if let &[Candidate::Named(charset)] = from {
            guard(&mut body, charset, options)?;
            return Ok(Source { body, charset, is_counted: false });
        }
        let is_counted = body.keep(Some(done)).map_err(Unread::Trouble)?;
        let mut reasons = Vec::new();
        for candidate in from {
            let fits = match candidate {
                Candidate::Auto => Charset::guess_if_sure(&mut body, options.sure)?,
                Candidate::Named(charset) => match verify::first_error(&mut body, *charset)? {
                    None => Ok(*charset),
                    Some(stopped) => {
                        let (at, bytes) = (stopped.error.offset(), hex(&stopped.bytes));
                        Err(format!("is not well-formed {charset} (byte {at}: {bytes})"))
                    }
                },
            };
            body.rewind()?;
            match fits {
                Err(reason) => reasons.push(reason),
                Ok(charset) => {
                    options.check(charset).map_err(Unread::Trouble)?;
                    guard(&mut body, charset, options)?;
                    return Ok(Source { body, charset, is_counted });
                }
            }
        }
        let mut reason = reasons.join(", ");
        if !from.iter().any(|candidate| matches!(candidate, Candidate::Auto)) {
            reason += "\n  name an encoding that it may be in too, or auto to guess one: -f A,B,auto";
        }
        Err(Unread::NoneFits(reason))
    }

    pub(super) fn charset(&self) -> Charset {
        self.charset
    }

    pub(super) fn is_counted(&self) -> bool {
        self.is_counted
    }

    /// The input as a file that several threads can convert, if it is one.
    pub(super) fn large(&self, settings: Settings) -> Option<Large<'_>> {
        let Body::File { file, start } = &self.body else { return None };
        Large::of(file, *start, self.charset, settings)
    }

    /// Detects the encoding from all of the input.
    pub(super) fn detect(&mut self) -> Option<Detection> {
        self.body.rewind().ok()?;
        guess::detect(&mut self.body).ok()
    }

    /// Whether [`Source::place`] and [`Source::detect`] work.
    pub(super) fn is_rereadable(&self) -> bool {
        self.body.is_rereadable()
    }

    /// The line and column where it stopped. Reads all that precedes that again.
    pub(super) fn place(&mut self, stopped: &Stopped) -> io::Result<(u64, u64)> {
        let mut place = Place::new(self.charset);
        self.body.rewind()?;
        let mut before = (&mut self.body).take(stopped.error.offset());
        let mut block = vec![0; BLOCK];
        loop {
            match read_some(&mut before, &mut block)? {
                0 => break,
                read => place.pass(&block[..read]),
            }
        }
        let mut following = Vec::new();
        (&mut self.body).take(LEAD as u64).read_to_end(&mut following)?;
        Ok(place.of(stopped.error.offset(), stopped.code_point, &following))
    }
}

impl Read for Source {
    fn read(&mut self, block: &mut [u8]) -> io::Result<usize> {
        self.body.read(block)
    }
}

/// Refuses an input that is UTF-8 already, or that begins with a byte order mark, if it would be read as something else.
fn guard(body: &mut Body, charset: Charset, options: &Options) -> Result<(), Unread> {
    if !options.guards || charset.reads_utf8() {
        return Ok(());
    }
    let announced = charset.misreads_mark(&head(body)?);
    body.rewind()?;
    if let Some(form) = announced {
        let family = if form.facts().width.0 == 2 { "utf-16" } else { "utf-32" };
        return Err(Unread::NoneFits(format!(
            "begins with the byte order mark of {form}, which {charset} reads as other characters; -f {family} reads it \
            as {form}, --force as {charset}"
        )));
    }
    let is_utf8 =
        if charset.unit() > 1 { guess::is_utf8_text(body)? } else { guess::is_utf8_beyond_ascii(body)? };
    body.rewind()?;
    if !is_utf8 {
        return Ok(());
    }
    let harm =
        if charset.unit() > 1 { "its characters would become others" } else { "it would be encoded twice" };
    Err(Unread::NoneFits(format!(
        "is UTF-8 already; as {charset} {harm}; -f utf-8,{charset} reads it as UTF-8, --force as {charset}"
    )))
}

/// The first bytes: a byte order mark, and text that may contradict it.
fn head(body: &mut Body) -> io::Result<Vec<u8>> {
    let mut head = Vec::new();
    body.take(HEAD).read_to_end(&mut head)?;
    Ok(head)
}

/// Refuses to write to a file that is also an input: it would grow while it is read.
///
/// # Errors
/// Names the input that is the output too.
pub(in crate::command) fn refuse_output(inputs: &[Input], out: Option<Metadata>) -> Result<()> {
    let Some(out) = out.filter(Metadata::is_file) else { return Ok(()) };
    let is_out = |input: &&Input| input.metadata().is_ok_and(|input| replace::is_same_file(&input, &out));
    match inputs.iter().find(is_out) {
        Some(input) => bail!("{input}: is also the output; --in-place replaces it"),
        None => Ok(()),
    }
}
