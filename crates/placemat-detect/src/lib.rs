//! What is this text? Its encoding, its dialect of UTF-8, and whether it was decoded twice.
//!
//! ```
//! use placemat_detect::detect;
//! let found = detect(b"\xC3\xA9t\xC3\xA9, caf\xE9", true);
//! assert_eq!(found.encoding.name(), "utf-8");
//! assert_eq!(found.reasons[0], "UTF-8 but for 1 sequence; 1 fits windows-1252");
//! ```
//!
//! [`detect()`] and [`Detector`] give a verdict with its reasons, in this order:
//!
//! 1. A byte order mark decides.
//! 2. UTF-16 and UTF-32 without one, from the statistics of their units: spaces and line ends, letters that come
//!    from one script, well-formed surrogates.
//! 3. No byte from 80 up: ASCII, no text if half of it is controls, or an encoding that switches by escapes, if its escapes are, but for
//!    a few. Never UTF-7.
//! 4. Well-formed UTF-8 is UTF-8, however short.
//! 5. EBCDIC, if it begins as XML does.
//! 6. UTF-8 but for a few sequences, which are counted by [`Kind`]; if all of them are of a relative
//!    (CESU-8, Modified UTF-8, WTF-8, the six-octet form), it is that.
//! 7. Legacy encodings: each candidate decodes the text, and the reading whose letters follow one another most
//!    as in some language wins. The statistics are of languages, in Unicode; none is of an encoding. Where none is likely, the
//!    encoding is unknown, or several encodings stand in one text.
//!
//! [`diagnose`] and [`malformed`] say what is wrong with a text that should be UTF-8; [`mojibake`] undoes what was
//! decoded twice.
//!
//! [`declared()`] reads what a text says of its own encoding. Among legacy encodings that is evidence, and no more: it may be wrong.
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
pub use second::{Mixed, Second};
pub use unlikely::LIKELY;
