//! One conversion of a stream between two forms.

#![forbid(unsafe_code)]

use placemat::{Bom, Error, Form, Policy, Status, Transcoder, Unencodable};

/// Room that is added to the output when it is full.
const ROOM: usize = 1 << 12;

/// Why settings are refused. The glue has a sentence for each number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i32)]
pub(crate) enum Refusal {
    Source = -1,
    Target = -2,
    Policy = -3,
    Unencodable = -4,
    Bom = -5,
    /// Each means something, but not together.
    Unsuitable = -6,
}

/// A transcoder, with the error at which it stopped.
pub(crate) struct Stream {
    transcoder: Transcoder,
    stopped: Option<Error>,
}

impl Stream {
    /// A stream as told by lines: source, target, policy, what is unencodable, byte order mark.
    pub(crate) fn of(settings: &str) -> Result<Stream, Refusal> {
        let mut lines = settings.split('\n');
        let mut next = || lines.next().unwrap_or_default();
        let from = Form::named(next()).ok_or(Refusal::Source)?;
        let to = Form::named(next()).ok_or(Refusal::Target)?;
        let policy = Policy::named(next()).ok_or(Refusal::Policy)?;
        let unencodable = Unencodable::named(next()).ok_or(Refusal::Unencodable)?;
        let bom = Bom::named(next()).ok_or(Refusal::Bom)?;
        let policy = policy.unencodable(unencodable);
        let is_unfit = matches!(unencodable, Unencodable::Replace(Some(c)) if !to.carries(c));
        if is_unfit || policy.fits(from, to).is_err() || bom.fits(to).is_err() {
            return Err(Refusal::Unsuitable);
        }
        Ok(Stream { transcoder: Transcoder::new(from, to).on_error(policy).bom(bom), stopped: None })
    }

    /// Convert the next bytes behind what `out` holds. Linear.
    pub(crate) fn push(&mut self, mut input: &[u8], out: &mut Vec<u8>) -> Option<Error> {
        self.run(out, |transcoder, room| {
            let step = transcoder.push(input, room);
            input = &input[step.read..];
            step
        })
    }

    /// The end of the input. What is pushed next begins a new stream.
    pub(crate) fn finish(&mut self, out: &mut Vec<u8>) -> Option<Error> {
        let stopped = self.run(out, Transcoder::finish);
        self.transcoder.reset();
        self.stopped = None;
        stopped
    }

    /// One call after the other, until it needs nothing more. Each makes progress: the room is never below `MIN_OUTPUT`.
    fn run(
        &mut self,
        out: &mut Vec<u8>,
        mut work: impl FnMut(&mut Transcoder, &mut [u8]) -> placemat::Step,
    ) -> Option<Error> {
        let mut written = out.len();
        while self.stopped.is_none() {
            out.resize(out.capacity().max(written + ROOM), 0);
            let step = work(&mut self.transcoder, &mut out[written..]);
            written += step.written;
            match step.status {
                Status::NeedOutput => out.reserve(ROOM),
                Status::Failed(error) => self.stopped = Some(error),
                _ => break,
            }
        }
        out.truncate(written);
        self.stopped
    }
}
