//! The converter between forms.

use placemat::{Bom, Error, Form, Policy, Status, Step, Transcoder};

/// The room that is added to the output when it is full.
const ROOM: usize = 1 << 12;

pub(super) fn named(name: &str) -> Option<Form> {
    Form::named(name)
}

pub(super) fn fits(policy: Policy, bom: Bom, from: Form, to: Form) -> bool {
    super::suits(policy, Some(from), Some(to)) && bom.fits(to).is_ok()
}

pub(super) struct Converter(Transcoder);

impl Converter {
    pub(super) fn new(from: Form, to: Form, policy: Policy, bom: Bom) -> Converter {
        Converter(Transcoder::new(from, to).on_error(policy).bom(bom))
    }

    pub(super) fn push(&mut self, mut input: &[u8], out: &mut Vec<u8>) -> Result<(), Error> {
        self.run(out, |transcoder, room| {
            let step = transcoder.push(input, room);
            input = &input[step.read..];
            step
        })
    }

    pub(super) fn finish(&mut self, out: &mut Vec<u8>) -> Result<(), Error> {
        let finished = self.run(out, Transcoder::finish);
        self.restart();
        finished
    }

    /// Starts a new text.
    pub(super) fn restart(&mut self) {
        self.0.reset();
    }

    /// Calls `work` until nothing more is needed. Each call makes progress, since the room is never less than `MIN_OUTPUT`.
    fn run(
        &mut self,
        out: &mut Vec<u8>,
        mut work: impl FnMut(&mut Transcoder, &mut [u8]) -> Step,
    ) -> Result<(), Error> {
        let mut written = out.len();
        let result = loop {
            out.resize(out.capacity().max(written + ROOM), 0);
            let step = work(&mut self.0, &mut out[written..]);
            written += step.written;
            match step.status {
                Status::NeedOutput => out.reserve(ROOM),
                Status::Failed(error) => break Err(error),
                _ => break Ok(()),
            }
        };
        out.truncate(written);
        result
    }
}
