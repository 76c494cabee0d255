//! Why settings cannot be used between two forms.

#![forbid(unsafe_code)]

use core::fmt;

/// Why a policy, or a setting of the byte order mark, cannot be used between two forms.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Misfit {
    /// The target cannot hold the escapes of [`Policy::SurrogateEscape`](crate::Policy::SurrogateEscape).
    EscapesRefused,
    /// The source can itself hold such escapes.
    EscapesAmbiguous,
    /// The target cannot carry a byte order mark.
    NoMark,
}

impl fmt::Display for Misfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Misfit::EscapesRefused => {
                "only utf-8b, ucs-2, ucs-4 and utf-16 with surrogates can hold the escapes U+DC80..U+DCFF"
            }
            Misfit::EscapesAmbiguous => {
                "the source can itself hold U+DC80..U+DCFF, so that escapes would be ambiguous"
            }
            Misfit::NoMark => "the target has no byte order mark",
        })
    }
}

impl core::error::Error for Misfit {}
