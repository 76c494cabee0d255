//! The verdict on a text: its encoding, how sure that is, and why.
#![forbid(unsafe_code)]

use crate::dialect::Counts;
use crate::encoding::Encoding;
use crate::line_ending::LineEnding;

/// What a text seems to be.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Detection {
    /// A form, a legacy encoding or [`Encoding::Binary`]; if the confidence is below [`LIKELY`](crate::LIKELY), [`Encoding::Unknown`] or
    /// [`Encoding::Several`].
    pub encoding: Encoding,
    /// Whether a byte order mark decided it.
    pub bom: bool,
    /// How sure the verdict is, from 0 to 1; if the encoding is unknown, the confidence of the first candidate.
    pub confidence: f32,
    /// The number of malformed sequences: of the whole text in UTF-8, UTF-16 and UTF-32, of the sample in other encodings.
    /// A sequence that a relative of UTF-8 writes counts once. If the encoding is unknown, the text is counted as UTF-8.
    pub malformed: u64,
    /// How its lines end.
    pub line_ending: LineEnding,
    /// The reasons for the verdict, in sentences.
    pub reasons: Vec<String>,
    /// The encodings that it may be in, the likeliest first. The first is the verdict, unless that is unknown.
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
    /// How sure it is, from 0 to 1. Candidates that read the text alike do not lower one another's confidence.
    pub confidence: f32,
}
