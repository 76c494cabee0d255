//! What to repair, and how.

use placemat::Policy;
use placemat::invisible::Kinds;

/// What to repair, and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mending {
    /// The policy for sequences that no other rule repairs, and its name.
    pub policy: (&'static str, Policy),
    /// Whether sequences are repaired by what they are; if not, the policy applies to all.
    pub diagnoses: bool,
    /// Whether single bytes are read as windows-1252 in any file.
    pub cp1252: bool,
    /// Whether overlong sequences become the character that they encode.
    pub overlong: bool,
    /// Whether that includes overlong sequences for U+0000.
    pub nul: bool,
    /// Whether text that was decoded twice is decoded once.
    pub mojibake: bool,
    /// The kinds of characters that are not shown and are removed.
    pub hidden: Kinds,
    /// The entry of [`ZEROS`] for U+0000; without one, it stays.
    pub zero: Option<(&'static str, &'static str)>,
}

/// The replacements for U+0000: a name, and the text that replaces it.
pub const ZEROS: [(&str, &str); 2] = [("replace", "\u{FFFD}"), ("skip", "")];

impl Default for Mending {
    fn default() -> Mending {
        let policy = ("replace", Policy::Replace);
        let hidden = Kinds::NONE;
        Mending {
            policy,
            diagnoses: true,
            cp1252: false,
            overlong: false,
            nul: false,
            mojibake: false,
            hidden,
            zero: None,
        }
    }
}

impl Mending {
    /// Whether control codes are removed or replaced.
    #[must_use]
    pub fn takes_controls(&self) -> bool {
        self.hidden != Kinds::NONE || self.zero.is_some()
    }
}
