//! What is wrong with a text that should be UTF-8, and whether it can be repaired as such.
#![forbid(unsafe_code)]

use placemat::Form;

use crate::detect::detect;
use crate::detection::Detection;
use crate::dialect::Counts;
use crate::encoding::Encoding;

/// Whether a text can be repaired as UTF-8.
#[derive(Clone, Debug, PartialEq)]
pub enum Diagnosis {
    /// It is well-formed.
    WellFormed,
    /// It is UTF-8 with a few malformed sequences; [`malformed`](crate::malformed) lists them.
    UpToAFew(Counts),
    /// The whole text is something else, most likely what this verdict says, and must not be repaired.
    SomethingElse(Detection),
}

/// Says whether `bytes`, a complete text, are UTF-8 with a few malformed sequences.
///
/// They are if there are four times as many good sequences as bad ones. As many are enough if every bad one is a byte that fits
/// windows-1252 or the start of a character, and bad ones are rare: at most two, or one in six bytes. A good sequence is a well-formed
/// character beyond ASCII (an emoji then counts as three), or one that only a relative of UTF-8 writes (CESU-8 pairs, surrogates,
/// overlong and six-octet forms). A text without good sequences, such as `caf\xE9`, is something else, unless it is ASCII with a few
/// bad bytes: one in six if nothing else is likely, one in a thousand if windows-1252 is. One pass; a legacy guess adds the cost of
/// reading a sample.
///
/// ```
/// use placemat_detect::{Diagnosis, Kind, diagnose};
/// let Diagnosis::UpToAFew(counts) = diagnose(b"na\xC3\xAFve caf\xE9") else { panic!() };
/// assert_eq!(counts.of(Kind::Windows1252), 1);
/// ```
#[must_use]
pub fn diagnose(bytes: &[u8]) -> Diagnosis {
    if placemat::is_valid(bytes) {
        return Diagnosis::WellFormed;
    }
    Diagnosis::of(detect(bytes, true))
}

impl Diagnosis {
    /// The diagnosis of a complete text that is not well-formed, from what a [`Detector`](crate::Detector) found in it.
    ///
    /// ```
    /// use placemat_detect::{Diagnosis, detect};
    /// let found = detect(b"na\xC3\xAFve caf\xE9", true);
    /// assert!(matches!(Diagnosis::of(found), Diagnosis::UpToAFew(_)));
    /// ```
    #[must_use]
    pub fn of(found: Detection) -> Self {
        let counts = &found.counts;
        let is_unlikely = found.confidence < 0.5 && counts.is_ascii_but_for_one_in(6);
        let is_rare = found.encoding == "windows-1252" && counts.is_ascii_but_for_one_in(1000);
        let is_ascii = found.encoding != Encoding::Binary && (is_unlikely || is_rare);
        if found.encoding == Encoding::Form(Form::Utf8) || counts.is_utf8_but_for_a_few() || is_ascii {
            return Self::UpToAFew(found.counts);
        }
        Self::SomethingElse(found)
    }
}
