//! The converter between forms and legacy encodings.

use placemat::label::Labels;
use placemat::{Bom, CodePoint, Error, Policy};
use placemat_text::charset::Charset;
use placemat_text::convert::{Halt, Pipeline, Settings};

/// Canonical names mean the same to every reader of labels that knows them. The JavaScript code has resolved labels before.
pub(super) fn named(name: &str) -> Option<Charset> {
    Charset::resolve(Labels::Lenient, name).ok()
}

pub(super) fn fits(policy: Policy, bom: Bom, from: Charset, to: Charset) -> bool {
    super::suits(policy, from.form(), to.form()) && (bom != Bom::Add || to.carries(CodePoint::MARK))
}

pub(super) struct Converter {
    from: Charset,
    settings: Settings,
    pipeline: Pipeline,
}

impl Converter {
    pub(super) fn new(from: Charset, to: Charset, policy: Policy, bom: Bom) -> Converter {
        let settings = Settings { to, policy, bom };
        Converter { from, settings, pipeline: Pipeline::new(from, settings) }
    }

    pub(super) fn push(&mut self, input: &[u8], out: &mut Vec<u8>) -> Result<(), Error> {
        self.pipeline.push(input, out).map_err(|halt| error(&halt))
    }

    pub(super) fn finish(&mut self, out: &mut Vec<u8>) -> Result<(), Error> {
        let finished = self.pipeline.finish_input(out).and_then(|()| self.pipeline.finish(out));
        self.restart();
        finished.map_err(|halt| error(&halt))
    }

    /// Starts a new text.
    pub(super) fn restart(&mut self) {
        self.pipeline = Pipeline::new(self.from, self.settings);
    }
}

fn error(halt: &Halt) -> Error {
    match halt {
        Halt::Stopped(stopped) => stopped.error,
        // Nothing is read here, and writing to memory does not fail.
        Halt::Input(_) | Halt::Output(_) => unreachable!("only policies stop"),
    }
}
