//! The well-formed parts of an input, each as long as possible.

use crate::{valid_prefix, validate};

/// Bytes to validate at first behind an error, where the next error is often near. Each further piece is twice as long.
const FIRST: usize = 256;
/// From this length on, the rest is validated at once.
const MOST: usize = 1 << 16;

/// The parts between ill-formed sequences. Linear time, however many there are.
#[derive(Clone, Debug)]
pub(super) struct Parts<'a> {
    bytes: &'a [u8],
    /// Where the next part begins.
    start: usize,
    is_behind_error: bool,
    /// The whole input, if it is known to be well-formed.
    whole: Option<&'a str>,
}

impl<'a> Parts<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Parts<'a> {
        Parts { bytes, start: 0, is_behind_error: false, whole: None }
    }

    /// Well-formed text as one part.
    pub(super) fn of(text: &'a str) -> Parts<'a> {
        Parts { whole: Some(text), ..Parts::new(text.as_bytes()) }
    }

    /// The part at the start of `rest`, and the length of the error that ends it.
    fn first(&self, rest: &'a [u8]) -> (&'a str, usize) {
        let (mut len, mut window) = (0, if self.is_behind_error { FIRST } else { MOST });
        while window < MOST && len < rest.len() {
            let piece = &rest[len..rest.len().min(len + window)];
            let (valid, error) = valid_prefix(piece);
            len += valid;
            if let Some(error) = error {
                return (validate(&rest[..len]).unwrap_or_default(), usize::from(error.length()));
            }
            window *= 2;
        }
        match validate(rest) {
            Ok(text) => (text, 0),
            Err(error) => {
                let text = validate(&rest[..error.offset() as usize]).unwrap_or_default();
                (text, usize::from(error.length()))
            }
        }
    }
}

impl<'a> Iterator for Parts<'a> {
    /// Where a part begins, and its text, which may be empty.
    type Item = (usize, &'a str);

    fn next(&mut self) -> Option<(usize, &'a str)> {
        let rest = self.bytes.get(self.start..).filter(|rest| !rest.is_empty())?;
        let (text, error) = self.whole.map_or_else(|| self.first(rest), |text| (text, 0));
        let start = self.start;
        self.start += text.len() + error;
        self.is_behind_error = true;
        Some((start, text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_those_of_the_standard_library() {
        let mut bytes = [0; 2000];
        for errors in [0, 1, 3, 40, 700] {
            for (i, byte) in bytes.iter_mut().enumerate() {
                *byte = [b'a', 0xC3, 0xA9, 0xE2, 0x82, 0xAC][i % 6];
                if errors > 0 && i % (2000 / errors) == 7 {
                    *byte = 0xFF;
                }
            }
            for bytes in [&bytes[..], &bytes[1..1999], &bytes[..0]] {
                let mut at = 0;
                let chunks = bytes.utf8_chunks().map(|chunk| {
                    let start = at;
                    at += chunk.valid().len() + chunk.invalid().len();
                    (start, chunk.valid())
                });
                assert!(Parts::new(bytes).eq(chunks), "{errors}");
            }
        }
    }
}
