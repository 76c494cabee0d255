//! Policies: how much of the input counts as one error, and what is written in its place.

#![forbid(unsafe_code)]

mod handler;
mod misfit;
mod writing;

pub use self::handler::{Decision, Fault, Fixed, Handler, Text};
pub use self::misfit::Misfit;
use crate::code_point::CodePoint;
use crate::error::ErrorKind;
use crate::form::Form;

/// How much ill-formed input counts as one error, for stand-ins that are written once per error.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum ErrorSize {
    /// The maximal subpart (Unicode 3.9, WHATWG, Rust, Python, ICU).
    #[default]
    Maximal,
    /// Each byte of a maximal subpart (Go's `range`, Tcl). The stand-ins of these bytes share one [`Text`].
    Byte,
    /// The lead byte and the continuation bytes that follow, at most as many as the lead byte announces (Perl's Encode).
    Sequence,
    /// Everything up to the next well-formed sequence (Go's `ToValidUTF8`).
    Run,
}

/// What is written in place of an ill-formed sequence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum StandIn {
    /// Nothing: report the error and stop.
    #[default]
    Stop,
    /// U+FFFD, once per error; `?` if the target form lacks U+FFFD.
    Replace,
    /// Nothing: the bytes are removed. This is unsafe after a filter, because it joins what the bytes kept apart
    /// (`<sc\x80ript>`); so it is never the default.
    Skip,
    /// Each byte as its ISO-8859-1 character.
    Latin1,
    /// Each byte as its character in the web's windows-1252 (`81` is U+0081).
    Cp1252,
    /// Each byte as its windows-1252 character, or U+FFFD for the five unused ones.
    Cp1252Strict,
    /// Each byte as U+DC00 + byte (PEP 383). Stops at an error that holds a byte below 80.
    SurrogateEscape,
    /// Each byte as U+EF00 + byte (MirBSD's OPTU). Stops at an error that holds a byte below 80.
    Optu,
    /// Each byte as the text `\xhh`.
    Escape,
}

/// What is written in place of a code point that the target form cannot carry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Unencodable {
    /// Nothing: report the error and stop.
    #[default]
    Stop,
    /// This code point, which the target must have; with `None` U+FFFD, or `?` if the target lacks U+FFFD.
    Replace(Option<CodePoint>),
    /// Nothing: the code point is removed.
    Skip,
    /// The text `\u{20ac}`.
    Escape,
    /// The numeric character reference `&#8364;`.
    Ncr,
}

/// What to do with errors: how many bytes count as one, what is written in its place, and what to do with code points that the
/// target lacks.
///
/// The named policies are constants; the fields are independent.
///
/// ```
/// use placemat::{ErrorSize, Form, Policy, Transcoder};
/// let per_run = Policy::Replace.per(ErrorSize::Run);
/// let mut t = Transcoder::new(Form::Utf8, Form::Utf8).on_error(per_run);
/// let mut out = [0; 64];
/// let step = t.push(b"a\xFF\xFFb", &mut out);
/// assert_eq!(&out[..step.written], "a\u{FFFD}b".as_bytes());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub struct Policy {
    /// How many bytes count as one error.
    pub size: ErrorSize,
    /// What is written in place of an error.
    pub stand_in: StandIn,
    /// What is written in place of a code point that the target cannot carry.
    pub unencodable: Unencodable,
}

#[expect(non_upper_case_globals, reason = "named policies read like the variants of an enum")]
impl Policy {
    /// Report the first error and stop (`stop`, the default).
    pub const Stop: Policy = Policy::of(ErrorSize::Maximal, StandIn::Stop);
    /// U+FFFD per maximal subpart (`replace`): Unicode's and the web's way.
    pub const Replace: Policy = Policy::of(ErrorSize::Maximal, StandIn::Replace);
    /// Like [`Policy::Replace`], also for code points that the target lacks: they become U+FFFD, or `?` if the target lacks
    /// U+FFFD. The only policy that never fails, whatever the forms. (`Replace` alone reports a lone surrogate of Modified UTF-8
    /// that goes to UTF-8.)
    ///
    /// ```
    /// use placemat::{Form, Policy, Transcoder, convert_with};
    /// let lossy = Transcoder::new(Form::Mutf8, Form::Utf8).on_error(Policy::Lossy);
    /// assert_eq!(convert_with(lossy, b"x\xED\xA0\xBDy").unwrap(), "x\u{FFFD}y".as_bytes());
    /// ```
    pub const Lossy: Policy = Policy::Replace.unencodable(Unencodable::Replace(None));
    /// U+FFFD per byte (`replace-byte`).
    pub const ReplaceByte: Policy = Policy::of(ErrorSize::Byte, StandIn::Replace);
    /// U+FFFD per announced sequence (`replace-sequence`).
    pub const ReplaceSequence: Policy = Policy::of(ErrorSize::Sequence, StandIn::Replace);
    /// U+FFFD per run of errors (`replace-run`).
    pub const ReplaceRun: Policy = Policy::of(ErrorSize::Run, StandIn::Replace);
    /// Leave errors out (`skip`); see [`StandIn::Skip`] for the danger.
    pub const Skip: Policy = Policy::of(ErrorSize::Maximal, StandIn::Skip);
    /// ISO-8859-1 per byte (`latin1`).
    pub const Latin1: Policy = Policy::of(ErrorSize::Maximal, StandIn::Latin1);
    /// windows-1252 per byte (`cp1252`).
    pub const Cp1252: Policy = Policy::of(ErrorSize::Maximal, StandIn::Cp1252);
    /// windows-1252 per byte, U+FFFD for its five gaps (`cp1252-strict`).
    pub const Cp1252Strict: Policy = Policy::of(ErrorSize::Maximal, StandIn::Cp1252Strict);
    /// Python's escapes (`surrogateescape`); the target must be able to hold them ([`Policy::fits`]).
    pub const SurrogateEscape: Policy = Policy::of(ErrorSize::Maximal, StandIn::SurrogateEscape);
    /// MirBSD's escapes (`optu`).
    pub const Optu: Policy = Policy::of(ErrorSize::Maximal, StandIn::Optu);
    /// The text `\xhh` per byte (`escape`).
    pub const Escape: Policy = Policy::of(ErrorSize::Maximal, StandIn::Escape);

    /// The named policies, with the names that the command's `--on-error` accepts.
    pub const ALL: &'static [(&'static str, Policy)] = &[
        ("stop", Policy::Stop),
        ("replace", Policy::Replace),
        ("replace-byte", Policy::ReplaceByte),
        ("replace-sequence", Policy::ReplaceSequence),
        ("replace-run", Policy::ReplaceRun),
        ("skip", Policy::Skip),
        ("latin1", Policy::Latin1),
        ("cp1252", Policy::Cp1252),
        ("cp1252-strict", Policy::Cp1252Strict),
        ("surrogateescape", Policy::SurrogateEscape),
        ("optu", Policy::Optu),
        ("escape", Policy::Escape),
    ];

    const fn of(size: ErrorSize, stand_in: StandIn) -> Policy {
        Policy { size, stand_in, unencodable: Unencodable::Stop }
    }

    /// The policy of that name.
    ///
    /// ```
    /// # use placemat::Policy;
    /// assert_eq!(Policy::named("replace"), Some(Policy::Replace));
    /// ```
    #[must_use]
    pub fn named(name: &str) -> Option<Policy> {
        Policy::ALL.iter().find(|(known, _)| *known == name).map(|&(_, policy)| policy)
    }

    /// The same policy with another treatment of code points that the target lacks.
    ///
    /// ```
    /// use placemat::{Form, Policy, Transcoder, Unencodable, convert_with};
    /// let to_ascii = Transcoder::new(Form::Utf8, Form::UsAscii);
    /// let policy = Policy::Stop.unencodable(Unencodable::Ncr);
    /// assert_eq!(convert_with(to_ascii.on_error(policy), "3 €".as_bytes()).unwrap(), b"3 &#8364;");
    /// ```
    #[must_use]
    pub const fn unencodable(self, unencodable: Unencodable) -> Policy {
        Policy { unencodable, ..self }
    }

    /// The same policy with another [`ErrorSize`]: the stand-in is written once per error of this size.
    ///
    /// ```
    /// use placemat::{ErrorSize, Policy};
    /// assert_eq!(Policy::Replace.per(ErrorSize::Byte), Policy::ReplaceByte);
    /// ```
    #[must_use]
    pub const fn per(self, size: ErrorSize) -> Policy {
        Policy { size, ..self }
    }

    /// The same policy with another stand-in for errors.
    ///
    /// ```
    /// use placemat::{Policy, StandIn};
    /// assert_eq!(Policy::Replace.stand_in(StandIn::Escape), Policy::Escape);
    /// ```
    #[must_use]
    pub const fn stand_in(self, stand_in: StandIn) -> Policy {
        Policy { stand_in, ..self }
    }

    /// Checks whether this policy can be used between these forms.
    ///
    /// Escapes need a target that is known to hold lone surrogates (UTF-8B, UCS-2, UCS-4, UTF-16 with surrogates); that a form
    /// can write them is not enough. A source that can itself yield such code points would make the escapes ambiguous.
    ///
    /// ```
    /// use placemat::{Form, Misfit, Policy};
    /// assert_eq!(Policy::SurrogateEscape.fits(Form::Utf8, Form::Utf8b), Ok(()));
    /// assert_eq!(Policy::SurrogateEscape.fits(Form::Utf8, Form::Utf8), Err(Misfit::EscapesRefused));
    /// ```
    ///
    /// # Errors
    /// Why the policy cannot be used.
    pub fn fits(&self, from: Form, to: Form) -> Result<(), Misfit> {
        if self.stand_in != StandIn::SurrogateEscape {
            Ok(())
        } else if from.carries(CodePoint::of(0xDC80)) {
            Err(Misfit::EscapesAmbiguous)
        } else if to.holds_escapes() {
            Ok(())
        } else {
            Err(Misfit::EscapesRefused)
        }
    }
}

impl Handler for Policy {
    fn decide(&mut self, fault: &Fault<'_>, text: &mut Text) -> Decision {
        let written = match fault.code_point {
            Some(c) if fault.error.kind() == ErrorKind::Unencodable => self.unencodable.write(c, text),
            _ => self.stand_in.write(fault, text),
        };
        // No built-in stand-in is longer than `Text::CAPACITY`; should one be, stopping loses nothing.
        if written.unwrap_or(false) { Decision::Resume } else { Decision::Stop }
    }

    fn size(&self) -> ErrorSize {
        self.size
    }

    fn fixed(&self) -> Option<Fixed> {
        match (self.size, self.stand_in) {
            (_, StandIn::Stop) => Some(Fixed::Stop),
            (ErrorSize::Maximal, StandIn::Replace) => Some(Fixed::Replace),
            _ => None,
        }
    }

    fn skips_unencodable(&self) -> bool {
        self.unencodable == Unencodable::Skip
    }
}

impl Unencodable {
    /// The stand-in with this name, as the command's `--unencodable` accepts it: `stop`, `replace`, `replace=X` with one
    /// character, `skip`, `escape`, `ncr`.
    ///
    /// ```
    /// # use placemat::Unencodable;
    /// assert_eq!(Unencodable::named("ncr"), Some(Unencodable::Ncr));
    /// assert_eq!(Unencodable::named("replace=_"), Some(Unencodable::Replace(Some('_'.into()))));
    /// assert_eq!(Unencodable::named("replace=ab"), None);
    /// ```
    #[must_use]
    pub fn named(name: &str) -> Option<Unencodable> {
        Some(match name {
            "stop" => Unencodable::Stop,
            "replace" => Unencodable::Replace(None),
            "skip" => Unencodable::Skip,
            "escape" => Unencodable::Escape,
            "ncr" => Unencodable::Ncr,
            _ => {
                let mut with = name.strip_prefix("replace=")?.chars();
                let c = with.next().filter(|_| with.next().is_none())?;
                Unencodable::Replace(Some(c.into()))
            }
        })
    }
}
