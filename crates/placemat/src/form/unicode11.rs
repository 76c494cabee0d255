//! UNICODE-1-1-UTF-8 (RFC 2279, section 5): UTF-8 with the Hangul syllables at their code points of Unicode 1.1.
//!
//! RFC 2279 proposes the label only for text that has such syllables. It was never registered; the web reads it as plain UTF-8.
//! CJK extension A and the hexagrams, which were assigned to `3400..=4DFF` later, cannot be written.

#![forbid(unsafe_code)]

use super::unicode11_hangul::{is_new, is_old, to_new, to_old};
use super::utf8::Utf8;
use crate::code_point::CodePoint;
use crate::codec::{Codec, Decoded, Facts, Input, ROOM};
use crate::error::ErrorKind;

/// UTF-8 with the Hangul of Unicode 1.1. When `LENIENT`, the reader also accepts syllables at their present code points.
pub(crate) struct Unicode11Utf8<const LENIENT: bool = false>;

impl<const LENIENT: bool> Codec for Unicode11Utf8<LENIENT> {
    const FACTS: Facts = Facts {
        domain: "scalar values without 3400..4DFF and 4,516 Hangul syllables",
        order_preserving: false,
        source: "RFC 2279 section 5, Unicode 1.1",
        ..Utf8::FACTS
    };
    const LONGEST: usize = 4;
    type State = ();

    fn decode(state: &mut (), input: Input<'_>) -> Decoded {
        let decoded = Utf8::decode(state, input);
        let Decoded::CodePoint { value, len: 3 } = decoded else { return decoded };
        match to_new(value.value()) {
            Some(syllable) => Decoded::code_point(syllable, 3),
            None if is_new(value.value()) && !LENIENT => Decoded::malformed(ErrorKind::NonCanonical, 3),
            None => decoded,
        }
    }

    fn encode(state: &mut (), c: CodePoint, out: &mut [u8; ROOM]) -> Result<usize, ErrorKind> {
        match c.value() {
            value if is_new(value) => {
                let old = to_old(value).ok_or(ErrorKind::Unencodable)?;
                Utf8::encode(state, CodePoint::of(old), out)
            }
            value if is_old(value) => Err(ErrorKind::Unencodable),
            _ => Utf8::encode(state, c, out),
        }
    }
}

impl CodePoint {
    /// Whether this is a Hangul syllable (at its present code point) that `unicode-1-1-utf-8` can carry.
    ///
    /// RFC 2279 reserves that label for text with at least one such syllable.
    ///
    /// ```
    /// # use placemat::CodePoint;
    /// assert!(CodePoint::from('한').is_unicode_1_1_hangul());
    /// assert!(!CodePoint::from('힣').is_unicode_1_1_hangul());
    /// ```
    #[must_use]
    pub fn is_unicode_1_1_hangul(self) -> bool {
        to_old(self.value()).is_some()
    }
}
