//! What is said of a text: its encoding, how sure that is, and why.
#![forbid(unsafe_code)]

use crate::dialect::Counts;
use crate::encoding::Encoding;
use crate::line_ending::LineEnding;

/// What a text seems to be.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Detection {
    /// A form, a legacy encoding, [`Encoding::Binary`]; with a confidence below [`LIKELY`](crate::LIKELY) [`Encoding::Unknown`] or
    /// [`Encoding::Several`].
    pub encoding: Encoding,
    /// Whether a byte order mark says so.
    pub bom: bool,
    /// From 0 to 1; where the encoding is unknown, of the first candidate.
    pub confidence: f32,
    /// Sequences that are malformed: in UTF-8, UTF-16 and UTF-32 of the whole text, each that a relative of UTF-8
    /// writes counted once; in other encodings of the sample. Where the encoding is unknown, as UTF-8.
    pub malformed: u64,
    /// How its lines end.
    pub line_ending: LineEnding,
    /// Why, in sentences.
    pub reasons: Vec<String>,
    /// What it may be, the likeliest first: the verdict, unless that is unknown.
    pub candidates: Vec<Candidate>,
    /// What is UTF-8 in it and what is not; empty for UTF-16 and UTF-32.
    pub counts: Counts,
}

/// An encoding that a text may be in.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Candidate {
    /// A form or a legacy encoding.
    pub encoding: Encoding,
    /// From 0 to 1; candidates that read the text alike have their shares separately.
    pub confidence: f32,
}
