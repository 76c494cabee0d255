//! The objects that programs are given: what the command writes as JSON.

use serde::Serialize;

/// One line of JSON, as `schema/explain.json` describes it. Offsets and lengths are in bytes; bytes are in hexadecimal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Object {
    /// A well-formed sequence.
    Character {
        /// Where it starts, in bytes from the start of the input.
        offset: u64,
        /// How many bytes it takes.
        length: usize,
        /// `E2 82 AC`
        bytes: String,
        /// `U+20AC`
        code_point: String,
        /// The character itself; none for surrogates and what lies above U+10FFFF.
        text: Option<char>,
        /// Its name, or a label in angle brackets.
        name: String,
        /// The general category in two letters, as in UAX #44.
        category: &'static str,
        /// The block.
        block: Option<&'static str>,
        /// The script.
        script: Option<&'static str>,
        /// In UTF-8, the rule of RFC 3629, section 4, that it matches.
        rule: Option<&'static str>,
        /// A remark, where there is something to know.
        note: Option<&'static str>,
    },
    /// Errors that belong together.
    Fault {
        /// Where it starts, in bytes from the start of the input.
        offset: u64,
        /// How many bytes it takes.
        length: usize,
        /// `C0 AF`
        bytes: String,
        /// One or more.
        errors: Vec<Problem>,
        /// What is wrong, in a sentence.
        reason: Option<String>,
        /// What would have been well-formed.
        expected: Option<String>,
        /// What a decoder reads that checks nothing.
        careless: Option<String>,
        /// Why that matters.
        danger: Option<&'static str>,
        /// What was probably meant, the most likely first.
        meant: Vec<String>,
        /// What each policy puts in its place.
        stand_ins: Vec<Becomes>,
    },
    /// Bytes that belong to the form and stand for no character: a byte order mark, a shift of UTF-7.
    Shift {
        /// Where it starts, in bytes from the start of the input.
        offset: u64,
        /// How many bytes it takes.
        length: usize,
        /// `EF BB BF`
        bytes: String,
    },
    /// Characters that are not shown and that their place does not explain.
    Hidden {
        /// Where they start, in bytes from the start of the input.
        offset: u64,
        /// How many bytes they take.
        length: usize,
        /// `E2 80 8B`
        bytes: String,
        /// `tag-payload`, `zero-width`, …
        kind: &'static str,
        /// The text that they hide.
        #[serde(skip_serializing_if = "Option::is_none")]
        payload: Option<String>,
    },
    /// What one form says of all the bytes.
    Verdict {
        /// Its name.
        form: &'static str,
        /// Whether it has no error.
        well_formed: bool,
        /// The first error.
        error: Option<Problem>,
        /// [`SCHEMA`], on the last line.
        #[serde(skip_serializing_if = "Option::is_none")]
        schema: Option<u32>,
    },
    /// What one byte does in a form.
    Byte {
        /// Its name.
        form: &'static str,
        /// `C2`
        byte: String,
        /// `ascii`, `single`, `continuation`, `lead`, `limited-lead` or `never`.
        class: &'static str,
        /// Bytes in the shortest and in the longest sequence that it begins.
        lengths: (usize, usize),
        /// The first code point that it begins.
        first: Option<String>,
        /// The last code point that it begins.
        last: Option<String>,
        /// The bytes that may come second, as ranges, each with its last.
        second: Vec<(String, String)>,
        /// A word for what begins there.
        label: Option<&'static str>,
        /// [`SCHEMA`], on the last line.
        #[serde(skip_serializing_if = "Option::is_none")]
        schema: Option<u32>,
    },
    /// The whole, on the last line.
    Summary {
        /// The form that it was read as.
        form: &'static str,
        /// How many bytes there are.
        bytes: usize,
        /// How many characters.
        characters: usize,
        /// How many errors.
        errors: usize,
        /// Whether there was more input, which was not read.
        cut: bool,
        /// [`SCHEMA`].
        schema: u32,
    },
}

/// The version of what [`Object`] is serialised as; it grows when a reader of the last one would be misled.
pub const SCHEMA: u32 = 1;

/// One error.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Problem {
    /// Where it starts, in bytes from the start of the input.
    pub offset: u64,
    /// How many bytes are malformed.
    pub length: u8,
    /// The name of its kind.
    pub kind: &'static str,
}

/// What one policy puts in the place of a fault.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Becomes {
    /// The name of the policy.
    pub policy: &'static str,
    /// Code points in hexadecimal, with spaces; none where the policy stops.
    pub code_points: Option<String>,
}

impl Problem {
    pub(crate) fn new(error: &placemat::Error, base: u64) -> Problem {
        Problem { offset: base + error.offset(), length: error.length(), kind: error.kind().name() }
    }
}
