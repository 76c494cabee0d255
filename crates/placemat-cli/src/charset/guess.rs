//! `auto`: the encoding that a text seems to be in.

use std::io::{self, Read};

use placemat::label::Labels;
use placemat_detect::Detector;

use super::Charset;

/// A guess that is less sure is none.
const SURE: f32 = 0.5;

impl Charset {
    /// Guess the encoding of all that `source` holds, or say in one sentence why not.
    ///
    /// # Errors
    /// Those of reading.
    pub(crate) fn guess(source: &mut dyn Read) -> io::Result<Result<Charset, String>> {
        let mut detector = Detector::new();
        let mut block = vec![0; 64 * 1024];
        loop {
            match source.read(&mut block) {
                Ok(0) => break,
                Ok(read) => detector.push(&block[..read]),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        let found = detector.finish(true);
        let sure = format!("{:.0} %", 100.0 * found.confidence);
        let name = match found.encoding {
            "binary" => return Ok(Err("seems to be no text; name its encoding with -f".to_owned())),
            name if found.confidence < SURE => {
                return Ok(Err(format!("may be {name}, which is {sure} sure; name its encoding with -f")));
            }
            // A mark is the form's own.
            "utf-16le" | "utf-16be" if found.bom => "utf-16",
            "utf-32le" | "utf-32be" if found.bom => "utf-32",
            // What is added to it will be UTF-8.
            "us-ascii" => "utf-8",
            name => name,
        };
        Ok(Charset::resolve(Labels::Lenient, name)
            .map_err(|_| format!("seems to be {name}, which is not read here")))
    }
}
