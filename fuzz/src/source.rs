//! Choices and text out of the fuzzer's bytes.

use arbitrary::Unstructured;
use placemat::{Error, Form, Handler, Policy, Status, Transcoder, Unencodable};

/// The first bytes choose, the rest is text.
pub(crate) struct Source<'a>(Unstructured<'a>);

impl<'a> Source<'a> {
    pub(crate) fn new(input: &'a [u8]) -> Self {
        Source(Unstructured::new(input))
    }

    /// A number below `n`.
    pub(crate) fn below(&mut self, n: usize) -> usize {
        self.0.choose_index(n).unwrap_or(0)
    }

    pub(crate) fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }

    pub(crate) fn form(&mut self) -> Form {
        self.pick(Form::ALL)
    }

    /// A named policy, with what it does about code points that the target lacks.
    pub(crate) fn policy(&mut self) -> Policy {
        let (_, policy) = self.pick(Policy::ALL);
        let unencodable = [
            Unencodable::Stop,
            Unencodable::Replace(None),
            Unencodable::Skip,
            Unencodable::Escape,
            Unencodable::Ncr,
        ];
        policy.unencodable(self.pick(&unencodable))
    }

    /// All that is left, repeated when it is short, so that the wide loops of kernels see it, but only up to a few of their
    /// blocks: time is what a fuzzer has too little of.
    pub(crate) fn text(self) -> Vec<u8> {
        self.text_up_to(800)
    }

    /// The same, now and then up to another length.
    pub(crate) fn text_up_to(mut self, longest: usize) -> Vec<u8> {
        let len = self.pick(&[0, 0, 0, 0, 0, 0, 0, 0, 0, 70, 100, 150, 200, 300, 400, longest]);
        let text = self.0.take_rest();
        text.repeat((len / text.len().max(1)).max(1))
    }
}

/// What a conversion wrote, the errors it stopped at, and how many it counted.
#[derive(Debug, PartialEq)]
pub(crate) struct Outcome {
    pub(crate) text: Vec<u8>,
    pub(crate) stops: Vec<Error>,
    pub(crate) errors: u64,
}

/// What bytes hold that nobody may write.
const CANARY: u8 = 0xA5;

/// All of `bytes` through `transcoder`, in chunks and outputs as long as `sizes` says. Errors do not stop it; a byte written
/// outside the destination does.
pub(crate) fn convert<H: Handler>(
    mut transcoder: Transcoder<H>,
    bytes: &[u8],
    mut sizes: impl FnMut() -> (usize, usize),
) -> Outcome {
    let (mut text, mut stops, mut read, mut finishing) = (Vec::new(), Vec::new(), 0usize, false);
    let mut memory = Vec::new();
    loop {
        let (chunk, room) = sizes();
        // Around a destination of the same size it is still as it was, or was found not to be.
        if memory.len() != room + 128 {
            memory.clear();
            memory.resize(room + 128, CANARY);
        }
        let dst = &mut memory[64..64 + room];
        let chunk = &bytes[read..bytes.len().min(read.saturating_add(chunk))];
        let step = if finishing { transcoder.finish(dst) } else { transcoder.push(chunk, dst) };
        read += step.read;
        text.extend_from_slice(&dst[..step.written]);
        assert!(
            memory[..64].iter().chain(&memory[64 + room..]).all(|&byte| byte == CANARY),
            "written outside"
        );
        match step.status {
            Status::Done => return Outcome { text, stops, errors: transcoder.errors() },
            Status::Failed(error) => stops.push(error),
            Status::NeedInput => {
                assert_eq!(step.read, chunk.len(), "input is always drained");
                finishing = read == bytes.len();
            }
            Status::NeedOutput => {
                assert!(room < Transcoder::MIN_OUTPUT || step.read + step.written > 0, "no progress");
            }
        }
    }
}

/// The same without kernels, and at one go unless it becomes very long.
pub(crate) fn plainly<H: Handler>(transcoder: Transcoder<H>, bytes: &[u8]) -> Outcome {
    convert(transcoder.at_level(placemat::Level::Scalar), bytes, || (usize::MAX, 8 * bytes.len() + 600))
}
