//! Settings for errors and byte order marks.

#![forbid(unsafe_code)]

use placemat::{Bom, CodePoint, Form, Policy, Unencodable};

use crate::status::placemat_status::{self, PLACEMAT_UNKNOWN_VALUE, PLACEMAT_UNSUITABLE};

/// What to do with malformed input. The numbers are fixed; the command uses the same names in lower case with hyphens.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum placemat_policy {
    /// Report the first error and stop.
    PLACEMAT_STOP = 0,
    /// U+FFFD for each error (as in Unicode and on the web); `?` if the target lacks it.
    PLACEMAT_REPLACE = 1,
    /// U+FFFD for each byte of an error (Go's `range`).
    PLACEMAT_REPLACE_BYTE = 2,
    /// U+FFFD for each sequence as its lead byte announced it (Perl).
    PLACEMAT_REPLACE_SEQUENCE = 3,
    /// U+FFFD for each run of errors (Go's `ToValidUTF8`).
    PLACEMAT_REPLACE_RUN = 4,
    /// Leave the error out. Unsafe after a filter: it joins text that the error separated.
    PLACEMAT_SKIP = 5,
    /// Each byte as its character of ISO 8859-1.
    PLACEMAT_LATIN1 = 6,
    /// Each byte as its character of windows-1252, by the web's table.
    PLACEMAT_CP1252 = 7,
    /// Each byte as its character of windows-1252; U+FFFD for the five unused ones.
    PLACEMAT_CP1252_STRICT = 8,
    /// Each byte as U+DC00 + byte (Python's surrogateescape), for targets that hold lone surrogates.
    PLACEMAT_SURROGATEESCAPE = 9,
    /// Each byte as U+EF00 + byte (MirBSD's OPTU).
    PLACEMAT_OPTU = 10,
    /// Each byte as the text `\xhh`.
    PLACEMAT_ESCAPE = 11,
}

/// What to do with a character that the target cannot hold. The numbers are fixed.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum placemat_unencodable {
    /// Report it and stop.
    PLACEMAT_UNENCODABLE_STOP = 0,
    /// Write the character `replacement` of the settings; if that is 0, U+FFFD, or `?` if the target lacks that.
    PLACEMAT_UNENCODABLE_REPLACE = 1,
    /// Leave it out.
    PLACEMAT_UNENCODABLE_SKIP = 2,
    /// Write the text `\u{20ac}`.
    PLACEMAT_UNENCODABLE_ESCAPE = 3,
    /// Write the numeric character reference `&#8364;`.
    PLACEMAT_UNENCODABLE_NCR = 4,
}

/// What to do with a byte order mark. The numbers are fixed.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum placemat_bom {
    /// Keep it; drop it if the target cannot hold it.
    PLACEMAT_BOM_KEEP = 0,
    /// Remove one.
    PLACEMAT_BOM_STRIP = 1,
    /// Write one if there is none. Not possible for a target that cannot hold it.
    PLACEMAT_BOM_ADD = 2,
}

/// What to do with errors and a byte order mark. All zeros (`= {0}`) are the defaults: stop at the first error, keep a mark.
///
/// PLACEMAT_REPLACE together with PLACEMAT_UNENCODABLE_REPLACE never stops, whatever the encodings.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct placemat_settings {
    /// A placemat_policy.
    pub on_error: u32,
    /// A placemat_unencodable.
    pub unencodable: u32,
    /// The code point for PLACEMAT_UNENCODABLE_REPLACE, which the target must have; 0 for U+FFFD or `?`.
    pub replacement: u32,
    /// A placemat_bom.
    pub bom: u32,
    /// Must be zeros.
    pub reserved: [u32; 4],
}

/// What placemat_repair does in addition. The numbers are fixed; add them up to combine them.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum placemat_repair_flags {
    /// Replace what cannot be read otherwise by U+FFFD, even if there is little evidence that the text is UTF-8.
    PLACEMAT_REPAIR_LOSSY = 1,
    /// Read every single malformed byte as windows-1252.
    PLACEMAT_REPAIR_CP1252 = 2,
    /// Replace overlong sequences by the characters that they encode. Unsafe after a filter.
    PLACEMAT_REPAIR_OVERLONG = 4,
    /// Replace C0 80 by U+0000. Unsafe after a filter.
    PLACEMAT_REPAIR_NUL = 8,
    /// Decode text once that was decoded twice.
    PLACEMAT_REPAIR_MOJIBAKE = 16,
    /// Remove characters that are not shown and that their context does not explain.
    PLACEMAT_REPAIR_INVISIBLE = 32,
}

#[cfg(feature = "text")]
impl placemat_repair_flags {
    /// The bits of all flags.
    pub(crate) const ALL: u32 = 63;
}

const BOMS: [Bom; 3] = [Bom::Keep, Bom::Strip, Bom::Add];

/// Returns the policy with this number.
pub(crate) fn policy(number: u32) -> Option<(&'static str, Policy)> {
    Policy::ALL.get(number as usize).copied()
}

impl placemat_settings {
    /// Returns the meaning of the numbers, if all are valid.
    pub(crate) fn meaning(&self) -> Result<(Policy, Bom), placemat_status> {
        let unencodable = match (self.unencodable, self.replacement) {
            (0, 0) => Unencodable::Stop,
            (1, 0) => Unencodable::Replace(None),
            (1, c) => Unencodable::Replace(Some(CodePoint::new(c).ok_or(PLACEMAT_UNKNOWN_VALUE)?)),
            (2, 0) => Unencodable::Skip,
            (3, 0) => Unencodable::Escape,
            (4, 0) => Unencodable::Ncr,
            _ => return Err(PLACEMAT_UNKNOWN_VALUE),
        };
        let (_, policy) = policy(self.on_error).ok_or(PLACEMAT_UNKNOWN_VALUE)?;
        let bom = *BOMS.get(self.bom as usize).ok_or(PLACEMAT_UNKNOWN_VALUE)?;
        if self.reserved == [0; 4] {
            Ok((policy.unencodable(unencodable), bom))
        } else {
            Err(PLACEMAT_UNKNOWN_VALUE)
        }
    }

    /// Like [`placemat_settings::meaning`], if the settings are possible between these forms.
    pub(crate) fn between(&self, from: Form, to: Form) -> Result<(Policy, Bom), placemat_status> {
        let (policy, bom) = self.meaning()?;
        let lacks = |c: CodePoint| !to.carries(c);
        let is_unfit = matches!(policy.unencodable, Unencodable::Replace(Some(c)) if lacks(c));
        if is_unfit || policy.fits(from, to).is_err() || bom.fits(to).is_err() {
            return Err(PLACEMAT_UNSUITABLE);
        }
        Ok((policy, bom))
    }

    /// Sets the field with this name in the command to the value with that name.
    pub(crate) fn set(&mut self, name: &str, value: &str) -> Option<()> {
        match name {
            "on-error" => {
                self.on_error = Policy::ALL.iter().position(|(known, _)| *known == value)? as u32;
            }
            "unencodable" => {
                (self.unencodable, self.replacement) = match Unencodable::named(value)? {
                    Unencodable::Stop => (0, 0),
                    Unencodable::Replace(c) => (1, c.map_or(0, CodePoint::value)),
                    Unencodable::Skip => (2, 0),
                    Unencodable::Escape => (3, 0),
                    Unencodable::Ncr => (4, 0),
                    _ => return None,
                };
            }
            "bom" => {
                let bom = Bom::named(value)?;
                self.bom = BOMS.iter().position(|&known| known == bom)? as u32;
            }
            _ => return None,
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn policies_have_the_numbers_of_the_library() {
        assert_eq!(policy(placemat_policy::PLACEMAT_ESCAPE as u32), Some(("escape", Policy::Escape)));
        assert_eq!(
            policy(placemat_policy::PLACEMAT_SURROGATEESCAPE as u32),
            Some(("surrogateescape", Policy::SurrogateEscape))
        );
        assert_eq!(policy(placemat_policy::PLACEMAT_REPLACE as u32), Some(("replace", Policy::Replace)));
        assert_eq!(Policy::ALL.len(), 12);
    }

    #[test]
    fn names_set_what_numbers_mean() {
        let mut settings = placemat_settings::default();
        for (name, value) in [("on-error", "replace-run"), ("unencodable", "replace=_"), ("bom", "add")] {
            assert_eq!(settings.set(name, value), Some(()));
        }
        let policy = Policy::ReplaceRun.unencodable(Unencodable::Replace(Some('_'.into())));
        assert_eq!(settings.meaning(), Ok((policy, Bom::Add)));
        assert_eq!(settings.set("bom", "maybe").or(settings.set("colour", "red")), None);
    }

    #[test]
    fn what_means_nothing_is_refused() {
        let zero = placemat_settings::default();
        for settings in [
            placemat_settings { on_error: 12, ..zero },
            placemat_settings { unencodable: 5, ..zero },
            placemat_settings { replacement: 63, ..zero },
            placemat_settings { unencodable: 1, replacement: u32::MAX, ..zero },
            placemat_settings { bom: 3, ..zero },
            placemat_settings { reserved: [0, 0, 0, 1], ..zero },
        ] {
            assert_eq!(settings.meaning(), Err(PLACEMAT_UNKNOWN_VALUE), "{settings:?}");
        }
    }
}
