//! Splits the fuzzer's bytes into choices and text.

use arbitrary::Unstructured;
use placemat::{Error, Form, Handler, Policy, Status, Transcoder, Unencodable};

/// The fuzzer's bytes: the first ones are choices, the rest is text.
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

    /// A policy for errors, and one for code points that the target lacks.
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

    /// The rest of the bytes. Short text is repeated to the length of a few blocks of a kernel, so that the loops of
    /// the kernels run; not further, since fuzzing must be fast.
    pub(crate) fn text(self) -> Vec<u8> {
        self.text_up_to(800)
    }

    /// Like [`Source::text`], sometimes repeated to another length.
    pub(crate) fn text_up_to(mut self, longest: usize) -> Vec<u8> {
        let len = self.pick(&[0, 0, 0, 0, 0, 0, 0, 0, 0, 70, 100, 150, 200, 300, 400, longest]);
        let text = self.0.take_rest();
        text.repeat((len / text.len().max(1)).max(1))
    }
}

/// The output of a conversion, the errors at which it stopped, and the number that it counted.
#[derive(Debug, PartialEq)]
pub(crate) struct Outcome {
    pub(crate) text: Vec<u8>,
    pub(crate) stops: Vec<Error>,
    pub(crate) errors: u64,
}

/// The value of bytes around a destination, which must not change.
const CANARY: u8 = 0xA5;

/// Sends `bytes` through `transcoder`, in chunks and destinations of the lengths that `sizes` gives. It goes on after
/// errors, and panics if a byte outside of the destination was written.
pub(crate) fn convert<H: Handler>(
    mut transcoder: Transcoder<H>,
    bytes: &[u8],
    mut sizes: impl FnMut() -> (usize, usize),
) -> Outcome {
    let (mut text, mut stops, mut read, mut finishing) = (Vec::new(), Vec::new(), 0usize, false);
    let mut memory = Vec::new();
    loop {
        let (chunk, room) = sizes();
        // If the size is the same as before, the bytes around the destination have been checked already.
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

/// Like [`convert`], without kernels, and in one call unless the output is very long.
pub(crate) fn plainly<H: Handler>(transcoder: Transcoder<H>, bytes: &[u8]) -> Outcome {
    convert(transcoder.at_level(placemat::Level::Scalar), bytes, || (usize::MAX, 8 * bytes.len() + 600))
}
