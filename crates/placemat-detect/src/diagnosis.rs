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
    /// It is UTF-8 but for a few sequences; [`malformed`](crate::malformed) has them.
    UpToAFew(Counts),
    /// It is something else as a whole, most likely what is said here, and not to be repaired.
    SomethingElse(Detection),
}

/// Says whether `bytes`, a complete text, are UTF-8 but for a few malformed sequences.
///
/// They are when there are four times as many good sequences as bad ones, or at least as many when every bad one
/// is a lone byte that fits windows-1252. Good are well-formed characters beyond ASCII and what only a
/// relative of UTF-8 writes (CESU-8 pairs, surrogates, overlong and six-octet forms). A text in which
/// nothing is good, such as `caf\xE9`, is something else, unless it is ASCII with a bad byte here and there: one in six where
/// nothing else is likely, one in a thousand where only windows-1252 is. One pass; a legacy guess costs a sample's worth more.
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
