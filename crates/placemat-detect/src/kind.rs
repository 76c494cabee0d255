//! The kinds of malformed sequences.
#![forbid(unsafe_code)]

/// The kind of a malformed sequence, as far as its own bytes and the text around it tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Kind {
    /// One byte that windows-1252 reads as a character which fits its place.
    Windows1252,
    /// Six bytes: a surrogate pair, each half in three bytes, as CESU-8 writes a character from U+10000 up.
    CesuPair,
    /// Three bytes: half a surrogate pair, as WTF-8 writes it.
    LoneSurrogate,
    /// `C0 80`: U+0000 in Modified UTF-8.
    ModifiedNul,
    /// A character in more bytes than it needs.
    Overlong,
    /// Four to six bytes for a value above U+10FFFF, as RFC 2279 allowed.
    SixOctet,
    /// The start of a character whose last bytes are missing.
    Truncated,
    /// None of these.
    Other,
}

impl Kind {
    /// Every kind, in the order of reports.
    pub const ALL: &'static [Self] = &[
        Self::Windows1252,
        Self::CesuPair,
        Self::LoneSurrogate,
        Self::ModifiedNul,
        Self::Overlong,
        Self::SixOctet,
        Self::Truncated,
        Self::Other,
    ];

    /// The name in reports.
    ///
    /// ```
    /// assert_eq!(placemat_detect::Kind::CesuPair.name(), "cesu-8");
    /// ```
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Windows1252 => "windows-1252",
            Self::CesuPair => "cesu-8",
            Self::LoneSurrogate => "lone-surrogate",
            Self::ModifiedNul => "mutf-8-nul",
            Self::Overlong => "overlong",
            Self::SixOctet => "six-octet",
            Self::Truncated => "truncated",
            Self::Other => "other",
        }
    }

    /// The rest of a sentence that begins with the number of sequences; `one` says that there is one.
    pub(crate) const fn sentence(self, one: bool) -> &'static str {
        match (self, one) {
            (Self::Windows1252, true) => "fits windows-1252",
            (Self::Windows1252, false) => "fit windows-1252",
            (Self::CesuPair, true) => "is CESU-8",
            (Self::CesuPair, false) => "are CESU-8",
            (Self::LoneSurrogate, true) => "is a lone surrogate",
            (Self::LoneSurrogate, false) => "are lone surrogates",
            (Self::ModifiedNul, true) => "is a NUL of Modified UTF-8",
            (Self::ModifiedNul, false) => "are NULs of Modified UTF-8",
            (Self::Overlong, true) => "is overlong",
            (Self::Overlong, false) => "are overlong",
            (Self::SixOctet, true) => "is a form of RFC 2279 above U+10FFFF",
            (Self::SixOctet, false) => "are forms of RFC 2279 above U+10FFFF",
            (Self::Truncated, true) => "is truncated",
            (Self::Truncated, false) => "are truncated",
            (Self::Other, true) => "is damage of another kind",
            (Self::Other, false) => "are damage of another kind",
        }
    }
}

/// Longest sequence of any dialect, in bytes.
pub const LONGEST: usize = 6;
