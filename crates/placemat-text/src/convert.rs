//! Converts any encoding to any other: `legacy reader? → transcoder → legacy writer?`, in constant memory.
//!
//! Between the transcoder and a legacy reader or writer, text is UTF-8. Every error is reported with its
//! position in the source, whichever stage found it.

mod halt;
mod limit;
mod reader;
pub mod syllables;
pub mod verify;
mod watch;
mod whole;

use std::io::Write;

use placemat::{Bom, CodePoint, Form, Handler, Policy, StandIn, Status, Step, Transcoder};

use self::halt::refused_at;
pub use self::halt::{Halt, Stopped};
pub use self::limit::Limited;
use self::reader::Reader;
use self::watch::Watch;
pub use self::whole::whole;
use crate::charset::{Charset, LegacyWriter, Tail};

/// The number of source bytes that a legacy reader gets at once.
const PIECE: usize = 16 * 1024;
/// The room for the output of one call of the transcoder.
const ROOM: usize = 64 * 1024;

/// The target of a conversion, and what it does with errors and byte order marks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// The encoding to write.
    pub to: Charset,
    /// What to do with malformed sequences, and with characters that the target lacks.
    pub policy: Policy,
    /// What to do with a byte order mark.
    pub bom: Bom,
}

/// A conversion in progress.
pub struct Pipeline {
    settings: Settings,
    reader: Option<Reader>,
    transcoder: Transcoder<Watch>,
    writer: Option<LegacyWriter>,
    room: Box<[u8]>,
    bytes: Vec<u8>,
    /// The number of bytes of this input that the transcoder was given, and the last of them.
    pushed: u64,
    tail: Tail,
    /// Errors of the readers of earlier inputs.
    errors: u64,
    /// Whether an input has begun that neither ended nor stopped at an error.
    is_open: bool,
}

/// The input of one step.
#[derive(Clone, Copy)]
enum Input<'a> {
    Bytes(&'a [u8]),
    /// The end of this input; another may follow.
    PartEnd,
    End,
}

impl Pipeline {
    /// Creates a conversion of text in `from`.
    ///
    /// ```
    /// use placemat::{Bom, Form, Policy};
    /// use placemat_text::convert::{Pipeline, Settings};
    ///
    /// let settings = |to: Form, policy| Settings { to: to.into(), policy, bom: Bom::Keep };
    /// let mut pipeline = Pipeline::new(Form::Utf16Le.into(), settings(Form::Utf8, Policy::Stop));
    /// let mut out = Vec::new();
    /// assert!(pipeline.push(b"a\0\xE9\0", &mut out).is_ok() && pipeline.finish(&mut out).is_ok());
    /// assert_eq!(out, "aé".as_bytes());
    /// ```
    pub fn new(from: Charset, settings: Settings) -> Pipeline {
        let (to, bom, writer) = match settings.to {
            Charset::Form(form) => (form, settings.bom, None),
            Charset::Legacy(legacy) => {
                let bom = if settings.to.carries(CodePoint::MARK) { settings.bom } else { Bom::Strip };
                (Form::Utf8, bom, Some(LegacyWriter::new(legacy, settings.policy)))
            }
        };
        // For forms, the transcoder checks that the target can carry the stand-ins.
        let watch = Watch::new(settings.policy, writer.is_some().then_some(settings.to));
        let reader = Reader::new(from, &settings);
        let transcoder = Transcoder::new(settings.middle(from), to).on_error(watch).bom(bom);
        let room = vec![0; ROOM].into();
        Pipeline {
            settings,
            reader,
            transcoder,
            writer,
            room,
            bytes: Vec::new(),
            pushed: 0,
            tail: Tail::default(),
            errors: 0,
            is_open: false,
        }
    }

    /// Declares the input to be cut out of the middle of a text, at a boundary of a form: no byte order mark is read or written.
    ///
    /// ```
    /// use placemat::{Bom, Form, Policy};
    /// use placemat_text::convert::{Pipeline, Settings};
    ///
    /// let settings = |to: Form, policy| Settings { to: to.into(), policy, bom: Bom::Keep };
    /// let mut pipeline = Pipeline::new(Form::Utf8.into(), settings(Form::Utf16, Policy::Stop)).from_middle();
    /// let mut out = Vec::new();
    /// assert!(pipeline.push(b"a", &mut out).is_ok() && pipeline.finish(&mut out).is_ok());
    /// assert_eq!(out, b"\0a");
    /// ```
    #[must_use]
    pub fn from_middle(self) -> Pipeline {
        Pipeline { transcoder: self.transcoder.from_middle(), ..self }
    }

    /// Replaces a character that the target lacks by a similar one ([`translit`](crate::translit)), before the policy is asked.
    /// Call it before the first bytes.
    ///
    /// ```
    /// use placemat::label::Labels;
    /// use placemat::{Bom, Form, Policy};
    /// use placemat_text::charset::Charset;
    /// use placemat_text::convert::{Pipeline, Settings};
    ///
    /// for to in [Charset::from(Form::UsAscii), Charset::resolve(Labels::Lenient, "cp437")?] {
    ///     let settings = Settings { to, policy: Policy::Stop, bom: Bom::Keep };
    ///     let mut pipeline = Pipeline::new(Form::Utf8.into(), settings).transliterating();
    ///     let mut out = Vec::new();
    ///     assert!(pipeline.push("“ﬁ”".as_bytes(), &mut out).is_ok() && pipeline.finish(&mut out).is_ok());
    ///     assert_eq!((&*out, pipeline.errors()), (&b"\"fi\""[..], 3));
    /// }
    /// # Ok::<(), placemat_text::Error>(())
    /// ```
    #[must_use]
    pub fn transliterating(mut self) -> Pipeline {
        match &mut self.writer {
            Some(writer) => writer.transliterates = true,
            None => {
                let watch = self.transcoder.handler().clone().transliterating(self.settings.to);
                self.transcoder = self.transcoder.on_error(watch);
            }
        }
        self
    }

    /// The number of errors so far that the policy replaced. After a stop there may be errors among them that lie behind it, since
    /// some stages read further.
    ///
    /// ```
    /// use placemat::{Bom, Form, Policy};
    /// use placemat_text::convert::{Pipeline, Settings};
    ///
    /// let settings = |to: Form, policy| Settings { to: to.into(), policy, bom: Bom::Keep };
    /// let mut pipeline = Pipeline::new(Form::Utf8.into(), settings(Form::Utf8, Policy::Replace));
    /// assert!(pipeline.push(b"caf\xE9!", &mut Vec::new()).is_ok());
    /// assert_eq!(pipeline.errors(), 1);
    /// ```
    pub fn errors(&self) -> u64 {
        let reader = self.reader.as_ref().map_or(0, |r| r.reader.errors());
        let writer = self.writer.as_ref().map_or(0, LegacyWriter::errors);
        self.errors + reader + self.transcoder.errors() + writer
    }

    /// Converts the next bytes of the input.
    ///
    /// # Errors
    /// The policy stops (what precedes the error is written), or `out` cannot be written.
    ///
    /// ```
    /// use placemat::{Bom, Form, Policy};
    /// use placemat_text::convert::{Halt, Pipeline, Settings};
    ///
    /// let settings = |to: Form, policy| Settings { to: to.into(), policy, bom: Bom::Keep };
    /// let mut pipeline = Pipeline::new(Form::Utf8.into(), settings(Form::Iso8859_1, Policy::Stop));
    /// let mut out = Vec::new();
    /// let Err(Halt::Stopped(stopped)) = pipeline.push("é€".as_bytes(), &mut out) else { unreachable!() };
    /// assert_eq!(out, b"\xE9");
    /// assert_eq!((stopped.error.offset(), stopped.code_point.map(u32::from)), (2, Some(0x20AC)));
    /// ```
    pub fn push(&mut self, src: &[u8], out: &mut dyn Write) -> Result<(), Halt> {
        let pushed = match self.reader {
            None => self.convert(Input::Bytes(src), out),
            Some(_) => src.chunks(PIECE).try_for_each(|piece| self.convert_legacy(Input::Bytes(piece), out)),
        };
        self.is_open = pushed.is_ok();
        pushed
    }

    /// Ends this input: what waits of a sequence is an error. [`Pipeline::next`] or [`Pipeline::finish`] follows.
    ///
    /// # Errors
    /// As [`Pipeline::push`].
    ///
    /// ```
    /// use placemat::{Bom, Form, Policy};
    /// use placemat_text::convert::{Halt, Pipeline, Settings};
    ///
    /// let settings = |to: Form, policy| Settings { to: to.into(), policy, bom: Bom::Keep };
    /// let mut pipeline = Pipeline::new(Form::Utf8.into(), settings(Form::Utf8, Policy::Stop));
    /// assert!(pipeline.push(b"caf\xC3", &mut Vec::new()).is_ok());
    /// let Err(Halt::Stopped(stopped)) = pipeline.finish_input(&mut Vec::new()) else { unreachable!() };
    /// assert_eq!(stopped.error.offset(), 3);
    /// ```
    pub fn finish_input(&mut self, out: &mut dyn Write) -> Result<(), Halt> {
        self.is_open = false;
        if self.reader.is_some() {
            self.convert_legacy(Input::PartEnd, out)?;
        }
        self.convert(Input::PartEnd, out)
    }

    /// Starts another input, with offsets from 0, even if the last input stopped at an error.
    ///
    /// ```
    /// use placemat::{Bom, Form, Policy};
    /// use placemat_text::convert::{Pipeline, Settings};
    ///
    /// let settings = |to: Form, policy| Settings { to: to.into(), policy, bom: Bom::Keep };
    /// let mut pipeline = Pipeline::new(Form::Utf8.into(), settings(Form::Utf8, Policy::Stop));
    /// let mut out = Vec::new();
    /// assert!(pipeline.push("é".as_bytes(), &mut out).is_ok() && pipeline.finish_input(&mut out).is_ok());
    /// pipeline.next(Form::Iso8859_1.into());
    /// assert!(pipeline.push(b"\xE9", &mut out).is_ok() && pipeline.finish_input(&mut out).is_ok());
    /// assert_eq!(out, "éé".as_bytes());
    /// ```
    pub fn next(&mut self, from: Charset) {
        self.errors += self.reader.take().map_or(0, |r| r.reader.errors());
        self.reader = Reader::new(from, &self.settings);
        self.transcoder.next_part(self.settings.middle(from));
        (self.pushed, self.tail, self.is_open) = (0, Tail::default(), false);
    }

    /// Ends the conversion: ends the last input, if [`Pipeline::finish_input`] has not and no error has, and writes what the target needs at the
    /// end of the text.
    ///
    /// # Errors
    /// As [`Pipeline::push`].
    ///
    /// ```
    /// use placemat::{Bom, Form, Policy};
    /// use placemat_text::convert::{Pipeline, Settings};
    ///
    /// let settings = |to: Form, policy| Settings { to: to.into(), policy, bom: Bom::Keep };
    /// let mut pipeline = Pipeline::new(Form::Utf8.into(), settings(Form::Utf7, Policy::Stop));
    /// let mut out = Vec::new();
    /// assert!(pipeline.push("é".as_bytes(), &mut out).is_ok() && pipeline.finish(&mut out).is_ok());
    /// assert_eq!(out, b"+AOk-");
    /// ```
    pub fn finish(&mut self, out: &mut dyn Write) -> Result<(), Halt> {
        if self.is_open {
            self.finish_input(out)?;
        }
        self.next(Charset::Form(Form::Utf8));
        self.convert(Input::End, out)?;
        if let Some(writer) = &mut self.writer {
            self.bytes.clear();
            // The text is empty, so nothing can be refused.
            let _ = writer.push("", true, &mut self.bytes);
            out.write_all(&self.bytes).map_err(Halt::Output)?;
        }
        Ok(())
    }

    /// Converts one piece with the legacy reader.
    fn convert_legacy(&mut self, input: Input<'_>, out: &mut dyn Write) -> Result<(), Halt> {
        let Some(mut reader) = self.reader.take() else { return Ok(()) };
        let read = reader.read(input);
        let mut converted = self.convert(Input::Bytes(&reader.text), out);
        if let Err(Halt::Stopped(stopped)) = &mut converted {
            reader.trace(input, stopped);
        }
        reader.advance(input);
        let lacking = reader.reader.handler().code_point();
        self.reader = Some(reader);
        converted.and(read.map_err(|m| Stopped::halt(m.error, m.bytes, lacking)))
    }

    /// Converts with the transcoder and, if there is one, the legacy writer.
    fn convert(&mut self, input: Input<'_>, out: &mut dyn Write) -> Result<(), Halt> {
        let mut at = 0;
        loop {
            let before = self.writer.is_some().then(|| self.transcoder.clone());
            let step = input.run(&mut self.transcoder, at, &mut self.room);
            let written = &self.room[..step.written];
            match (&mut self.writer, before) {
                (Some(writer), Some(before)) => {
                    self.bytes.clear();
                    let text = str::from_utf8(written).unwrap_or_default();
                    let pushed = writer.push(text, false, &mut self.bytes);
                    out.write_all(&self.bytes).map_err(Halt::Output)?;
                    if let Err(refused) = pushed {
                        // Text that waits in the transcoder comes after the refused character and is dropped.
                        while self.transcoder.finish_part(&mut self.room).status == Status::NeedOutput {}
                        let known = (self.pushed, self.tail.bytes());
                        return Err(refused_at(before, input, at, known, &refused));
                    }
                }
                _ => out.write_all(written).map_err(Halt::Output)?,
            }
            at += step.read;
            match step.status {
                Status::NeedOutput => {}
                Status::NeedInput | Status::Done => {
                    self.pushed += input.bytes().len() as u64;
                    self.tail.push(input.bytes(), |_| {});
                    return Ok(());
                }
                Status::Failed(error) => {
                    let seen = self.transcoder.handler();
                    return Err(Stopped::halt(error, seen.bytes().to_vec(), seen.code_point()));
                }
            }
        }
    }
}

impl Input<'_> {
    /// Runs one step over the input from `at` on.
    fn run(self, transcoder: &mut Transcoder<impl Handler>, at: usize, room: &mut [u8]) -> Step {
        match self {
            Input::Bytes(bytes) => transcoder.push(&bytes[at..], room),
            Input::PartEnd => transcoder.finish_part(room),
            Input::End => transcoder.finish(room),
        }
    }

    fn bytes(&self) -> &[u8] {
        match self {
            Input::Bytes(bytes) => bytes,
            Input::PartEnd | Input::End => &[],
        }
    }
}

impl Settings {
    /// The form that the transcoder reads.
    fn middle(&self, from: Charset) -> Form {
        match from {
            Charset::Form(form) => form,
            Charset::Legacy(_) if self.policy.stand_in == StandIn::SurrogateEscape => Form::Utf8Surrogates,
            Charset::Legacy(_) => Form::Utf8,
        }
    }
}
