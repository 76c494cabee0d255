//! Detects the encoding of a text, its dialect of UTF-8, and whether it was decoded twice.
//!
//! ```
//! use placemat_detect::detect;
//! let found = detect(b"\xC3\xA9t\xC3\xA9, caf\xE9", true);
//! assert_eq!(found.encoding.name(), "utf-8");
//! assert_eq!(found.reasons[0], "UTF-8 but for 1 sequence; 1 fits windows-1252");
//! ```
//!
//! [`detect()`] and [`Detector`] return a verdict with its reasons. The first of these that applies decides:
//!
//! 1. A byte order mark, unless the text plainly contradicts it.
//! 2. UTF-16 or UTF-32 without a byte order mark, by the statistics of its units: spaces and line ends, letters of
//!    one script, well-formed surrogates.
//! 3. No byte from 80 up: the text is ASCII; or binary, if half of it is control characters; or in an encoding that switches character
//!    sets by escapes, if all but a few of its escapes belong to that encoding. Never UTF-7.
//! 4. Well-formed UTF-8, however short.
//! 5. EBCDIC, if the text begins as XML does.
//! 6. UTF-8 with a few malformed sequences, which are counted by [`Kind`]. If all of them belong to one relative of UTF-8
//!    (CESU-8, Modified UTF-8, WTF-8, the six-octet form), the verdict is that relative.
//! 7. Legacy encodings: each candidate decodes the text, and the best reading is the one whose letters follow one another most
//!    as they do in some language. The statistics describe languages, in Unicode; none describes an encoding. If no reading is
//!    likely, the encoding is unknown, or the text has parts in several encodings.
//!
//! [`diagnose`] and [`malformed`] say what is wrong with a text that should be UTF-8; [`mojibake`] undoes double decoding.
//!
//! [`declared()`] reads which encoding a text names as its own. That may be wrong, so it is only evidence among legacy encodings.
//!
//! Everything takes linear time and bounded memory, and nothing panics.
#![forbid(unsafe_code)]

mod before;
pub mod chain;
mod clean;
pub mod code_page;
mod controls;
mod declared;
mod detect;
mod detection;
mod diagnosis;
mod dialect;
mod ebcdic;
mod encoding;
mod escapes;
mod kind;
mod language;
mod legacy;
mod line_ending;
mod lists;
mod look;
mod mark;
mod models;
pub mod mojibake;
mod sample;
mod second;
mod twice;
mod unlikely;
mod verdict;
mod wide;
mod windows_1252;

pub use before::Before;
pub use declared::{Declared, Place, REACH, declared};
pub use detect::{Detector, detect};
pub use detection::{Candidate, Detection};
pub use diagnosis::{Diagnosis, diagnose};
pub use dialect::{Counts, Malformed, malformed};
pub use encoding::Encoding;
pub use kind::{Kind, LONGEST};
pub use line_ending::LineEnding;
pub use mark::announced;
pub use second::{Cuts, Mixed, Parted, Second};
pub use unlikely::LIKELY;
#[doc(hidden)]
pub use verdict::number;

/// Runs the code of the README as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}
