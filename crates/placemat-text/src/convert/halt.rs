//! Why a conversion stopped early, and where.

use std::io;

use placemat::{CodePoint, Error, ErrorKind, Policy, Status, Step, Transcoder};

use super::Input;
use super::watch::Watch;
use crate::charset::Refused;

/// Why a conversion stopped early.
#[derive(Debug)]
pub enum Halt {
    /// Reading failed.
    Input(io::Error),
    /// Writing failed.
    Output(io::Error),
    /// The policy stopped at an error.
    Stopped(Box<Stopped>),
}

/// The error at which a policy stopped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stopped {
    /// The error, with its position in the source.
    pub error: Error,
    /// The malformed bytes, or those of the character that the target lacks.
    pub bytes: Vec<u8>,
    /// The code point that the target lacks.
    pub code_point: Option<CodePoint>,
}

impl Stopped {
    /// The same error, `by` bytes further on.
    ///
    /// ```
    /// use placemat::{Bom, Form, Policy};
    /// use placemat_text::convert::{Halt, Pipeline, Settings};
    ///
    /// let settings = |to: Form, policy| Settings { to: to.into(), policy, bom: Bom::Keep };
    /// let mut pipeline = Pipeline::new(Form::Utf8.into(), settings(Form::Utf8, Policy::Stop));
    /// let Err(Halt::Stopped(stopped)) = pipeline.push(b"a\xFF", &mut Vec::new()) else { unreachable!() };
    /// assert_eq!(stopped.moved(100).error.offset(), 101);
    /// ```
    #[must_use]
    pub fn moved(mut self: Box<Stopped>, by: u64) -> Box<Stopped> {
        let error = self.error;
        self.error = Error::new(error.kind(), error.offset() + by, error.length());
        self
    }

    /// Stops at an ill-formed sequence, or at a code point that the target lacks.
    pub(super) fn halt(error: Error, bytes: Vec<u8>, code_point: Option<CodePoint>) -> Halt {
        let kind = if code_point.is_some() { ErrorKind::Unencodable } else { error.kind() };
        let error = Error::new(kind, error.offset(), error.length());
        Halt::Stopped(Box::new(Stopped { error, bytes, code_point }))
    }
}

/// Finds the position in the source of a character that the legacy writer refused, by converting again up to the
/// character and over it.
///
/// `before` is the transcoder as it was `at` bytes into the input. `pushed` bytes precede the input; `tail` are the
/// last of them.
pub(super) fn refused_at(
    mut before: Transcoder<Watch>,
    input: Input<'_>,
    at: usize,
    (pushed, tail): (u64, &[u8]),
    refused: &Refused,
) -> Halt {
    let at = at + input.run(&mut before, at, &mut vec![0; refused.at]).read;
    let start = before.offset();
    // Errors after the character are not reached.
    let mut before = before.on_error(Policy::Stop);
    let room = &mut vec![0; refused.character.len_utf8()];
    let mut next = input.bytes()[at..].chunks(1).map(Input::Bytes).chain([Input::PartEnd]);
    let end = next.find_map(|byte| match byte.run(&mut before, 0, room) {
        Step { status: Status::Failed(error), .. } => Some(error.offset()),
        step => (step.written > 0).then(|| before.offset()),
    });
    let end = end.unwrap_or(start);
    let (bytes, first) = ([tail, input.bytes()].concat(), pushed - tail.len() as u64);
    let within = |offset: u64| Some(offset.checked_sub(first)? as usize);
    let range = within(start).zip(within(end)).map(|(start, end)| start..end);
    let bytes = range.and_then(|range| bytes.get(range)).unwrap_or_default();
    let error = Error::new(ErrorKind::Unencodable, start, end.saturating_sub(start).min(255) as u8);
    Stopped::halt(error, bytes.to_vec(), Some(refused.character.into()))
}
