//! The objects of the explanation for programs. The command writes them as JSON.

use serde::Serialize;

/// One line of JSON, as `schema/explain.json` describes it. Offsets and lengths are in bytes; bytes are in hexadecimal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Object {
    /// A well-formed sequence.
    Character {
        /// The offset of its start, in bytes from the start of the input.
        offset: u64,
        /// Its number of bytes.
        length: usize,
        /// `E2 82 AC`
        bytes: String,
        /// `U+20AC`
        code_point: String,
        /// The character itself; none for surrogates and values above U+10FFFF.
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
        /// A remark, if there is one.
        note: Option<&'static str>,
    },
    /// Errors that belong together.
    Fault {
        /// The offset of its start, in bytes from the start of the input.
        offset: u64,
        /// Its number of bytes.
        length: usize,
        /// `C0 AF`
        bytes: String,
        /// The errors, at least one.
        errors: Vec<Problem>,
        /// What is wrong, in a sentence.
        reason: Option<String>,
        /// What would have been well-formed.
        expected: Option<String>,
        /// What a decoder without checks would read.
        careless: Option<String>,
        /// Why that is dangerous.
        danger: Option<&'static str>,
        /// What was probably meant, the most likely first.
        meant: Vec<String>,
        /// What each policy replaces it by.
        stand_ins: Vec<Becomes>,
    },
    /// Bytes of the form that are no character: a byte order mark, a shift of UTF-7.
    Shift {
        /// The offset of its start, in bytes from the start of the input.
        offset: u64,
        /// Its number of bytes.
        length: usize,
        /// `EF BB BF`
        bytes: String,
    },
    /// Characters that are not shown and that their context does not explain.
    Hidden {
        /// The offset of their start, in bytes from the start of the input.
        offset: u64,
        /// Their number of bytes.
        length: usize,
        /// `E2 80 8B`
        bytes: String,
        /// `tag-payload`, `zero-width`, …
        kind: &'static str,
        /// The text that they hide.
        #[serde(skip_serializing_if = "Option::is_none")]
        payload: Option<String>,
    },
    /// The verdict of one form on all the bytes.
    Verdict {
        /// Its name.
        form: &'static str,
        /// Whether the bytes are well-formed in it.
        well_formed: bool,
        /// The first error.
        error: Option<Problem>,
        /// [`SCHEMA`], on the last line.
        #[serde(skip_serializing_if = "Option::is_none")]
        schema: Option<u32>,
    },
    /// The role of one byte in a form.
    Byte {
        /// Its name.
        form: &'static str,
        /// `C2`
        byte: String,
        /// `ascii`, `single`, `continuation`, `lead`, `limited-lead` or `never`.
        class: &'static str,
        /// The number of bytes of the shortest and of the longest sequence that starts with it.
        lengths: (usize, usize),
        /// The first code point whose sequence starts with it.
        first: Option<String>,
        /// The last code point whose sequence starts with it.
        last: Option<String>,
        /// The possible second bytes, as ranges of a first and a last byte.
        second: Vec<(String, String)>,
        /// A word for the characters that start with it.
        label: Option<&'static str>,
        /// [`SCHEMA`], on the last line.
        #[serde(skip_serializing_if = "Option::is_none")]
        schema: Option<u32>,
    },
    /// The last line.
    Summary {
        /// The form that the input was read as.
        form: &'static str,
        /// The number of bytes.
        bytes: usize,
        /// The number of characters.
        characters: usize,
        /// The number of errors.
        errors: usize,
        /// Whether there was more input that was not read.
        cut: bool,
        /// [`SCHEMA`].
        schema: u32,
    },
}

/// The version of the serialised [`Object`]. It grows when a program written for the last version would misread the new one.
pub const SCHEMA: u32 = 1;

/// One error.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Problem {
    /// The offset of its start, in bytes from the start of the input.
    pub offset: u64,
    /// The number of malformed bytes.
    pub length: u8,
    /// The name of its kind.
    pub kind: &'static str,
}

/// What one policy replaces a fault by.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Becomes {
    /// The name of the policy.
    pub policy: &'static str,
    /// Code points in hexadecimal, with spaces; none if the policy stops.
    pub code_points: Option<String>,
}

impl Problem {
    pub(crate) fn new(error: &placemat::Error, base: u64) -> Problem {
        Problem { offset: base + error.offset(), length: error.length(), kind: error.kind().name() }
    }
}
