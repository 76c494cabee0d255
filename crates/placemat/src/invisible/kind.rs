//! The kinds of findings.

use core::fmt;

/// What a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Kind {
    /// Tag characters (U+E0000 to U+E007F) that are not one of the three flags of subdivisions.
    TagPayload,
    /// Variation selectors that select nothing: two or more in a row, or one after a character without variants.
    VariationPayload,
    /// A bidirectional embedding, override or isolate that is not closed on its line, or that has a delimiter of strings or
    /// comments inside; or a closing control that closes nothing.
    BidiUnbalanced,
    /// A character without width between characters that it cannot join or separate.
    ZeroWidth,
    /// Another default-ignorable character at a place that does not explain it.
    Invisible,
    /// A control code (C0, DEL, C1) other than tab, line feed, carriage return, and a form feed at the start of a line.
    Control,
    /// A private-use character; only on request.
    PrivateUse,
    /// A noncharacter (U+FDD0 to U+FDEF, and the last two code points of each plane); only on request.
    Noncharacter,
    /// A code point that Unicode has not assigned; only on request.
    Unassigned,
}

impl Kind {
    /// All kinds, in the order of their declaration.
    pub const ALL: &'static [Kind] = &[
        Kind::TagPayload,
        Kind::VariationPayload,
        Kind::BidiUnbalanced,
        Kind::ZeroWidth,
        Kind::Invisible,
        Kind::Control,
        Kind::PrivateUse,
        Kind::Noncharacter,
        Kind::Unassigned,
    ];

    /// The name in output and arguments: `tag-payload`, …
    ///
    /// ```
    /// assert_eq!(placemat::invisible::Kind::ZeroWidth.name(), "zero-width");
    /// ```
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Kind::TagPayload => "tag-payload",
            Kind::VariationPayload => "variation-payload",
            Kind::BidiUnbalanced => "bidi-unbalanced",
            Kind::ZeroWidth => "zero-width",
            Kind::Invisible => "invisible",
            Kind::Control => "control",
            Kind::PrivateUse => "private-use",
            Kind::Noncharacter => "noncharacter",
            Kind::Unassigned => "unassigned",
        }
    }

    /// The kind of this name.
    ///
    /// ```
    /// # use placemat::invisible::Kind;
    /// assert_eq!(Kind::named("control"), Some(Kind::Control));
    /// assert_eq!(Kind::named("hidden"), None);
    /// ```
    #[must_use]
    pub fn named(name: &str) -> Option<Kind> {
        Kind::ALL.iter().copied().find(|kind| kind.name() == name)
    }

    /// Where such characters are legitimate, as a sentence without a full stop.
    ///
    /// ```
    /// # use placemat::invisible::Kind;
    /// assert!(Kind::TagPayload.legitimate().contains("flags"));
    /// ```
    #[must_use]
    pub const fn legitimate(self) -> &'static str {
        match self {
            Kind::TagPayload => "tag characters belong in the flags of England, Scotland and Wales",
            Kind::VariationPayload => {
                "one variation selector may follow an ideograph, an emoji or a character with variants"
            }
            Kind::BidiUnbalanced => "bidirectional controls belong in prose and are closed on the same line",
            Kind::ZeroWidth => {
                "such characters join or separate letters of Arabic, Indic and South-East Asian scripts, and emoji"
            }
            Kind::Invisible => "such characters belong to certain scripts, or inside words",
            Kind::Control => "control codes belong in what is sent to a terminal or a printer",
            Kind::PrivateUse => "private-use characters have a meaning only by private agreement",
            Kind::Noncharacter => "noncharacters are for use inside a program",
            Kind::Unassigned => "a newer version of Unicode may have assigned it",
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A set of kinds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Kinds(u16);

impl Kinds {
    /// No kind.
    pub const NONE: Kinds = Kinds(0);

    /// All kinds.
    pub const ALL: Kinds =
        Kinds::DEFAULT.with(Kind::PrivateUse).with(Kind::Noncharacter).with(Kind::Unassigned);

    /// All kinds except those that are only found on request.
    pub const DEFAULT: Kinds = Kinds::NONE
        .with(Kind::TagPayload)
        .with(Kind::VariationPayload)
        .with(Kind::BidiUnbalanced)
        .with(Kind::ZeroWidth)
        .with(Kind::Invisible)
        .with(Kind::Control);

    /// Whether all of these are in [`Kinds::DEFAULT`].
    pub(super) const fn are_default(self) -> bool {
        self.0 & !Kinds::DEFAULT.0 == 0
    }

    /// These kinds and `kind`.
    ///
    /// ```
    /// # use placemat::invisible::{Kind, Kinds};
    /// assert!(Kinds::NONE.with(Kind::Control).contains(Kind::Control));
    /// ```
    #[must_use]
    pub const fn with(self, kind: Kind) -> Kinds {
        Kinds(self.0 | 1 << kind as u16)
    }

    /// These kinds without `kind`.
    ///
    /// ```
    /// # use placemat::invisible::{Kind, Kinds};
    /// assert!(!Kinds::DEFAULT.without(Kind::Control).contains(Kind::Control));
    /// ```
    #[must_use]
    pub const fn without(self, kind: Kind) -> Kinds {
        Kinds(self.0 & !(1 << kind as u16))
    }

    /// These kinds and `others`.
    ///
    /// ```
    /// # use placemat::invisible::{Kind, Kinds};
    /// assert_eq!(Kinds::DEFAULT.union(Kinds::ALL), Kinds::ALL);
    /// ```
    #[must_use]
    pub const fn union(self, others: Kinds) -> Kinds {
        Kinds(self.0 | others.0)
    }

    /// These kinds without `others`.
    ///
    /// ```
    /// # use placemat::invisible::{Kind, Kinds};
    /// assert!(Kinds::ALL.difference(Kinds::DEFAULT).contains(Kind::PrivateUse));
    /// ```
    #[must_use]
    pub const fn difference(self, others: Kinds) -> Kinds {
        Kinds(self.0 & !others.0)
    }

    /// Whether `kind` is one of these kinds.
    ///
    /// ```
    /// # use placemat::invisible::{Kind, Kinds};
    /// assert!(!Kinds::DEFAULT.contains(Kind::PrivateUse));
    /// ```
    #[must_use]
    pub const fn contains(self, kind: Kind) -> bool {
        self.0 & 1 << kind as u16 != 0
    }
}

impl Default for Kinds {
    fn default() -> Kinds {
        Kinds::DEFAULT
    }
}
