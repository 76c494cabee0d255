//! The lines of `detect`.

use placemat_detect::Detection;
use serde::Serialize;

use super::{FilePath, SCHEMA};
use crate::notation::rounded;

/// Another encoding that a text may be in.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Candidate {
    /// Its name.
    pub encoding: &'static str,
    /// How likely it is, from 0 to 1, to a thousandth.
    pub confidence: f64,
}

/// One line of `detect --format json`.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum DetectLine<'a> {
    /// The encoding found for a file.
    File {
        /// The file.
        #[serde(flatten)]
        path: FilePath,
        /// The encoding.
        encoding: &'a str,
        /// Whether it starts with a byte order mark.
        bom: bool,
        /// How likely the encoding is, from 0 to 1, to a thousandth.
        confidence: f64,
        /// Sequences that are malformed in that encoding.
        malformed: u64,
        /// `lf`, `crlf`, `cr`, `mixed` or `none`.
        line_ending: &'a str,
        /// Why, in sentences.
        reasons: &'a [String],
        /// Other encodings that it may be in, the likeliest first.
        candidates: Vec<Candidate>,
    },
    /// The last line.
    Summary {
        /// Files that were read.
        files: u64,
        /// Files that were skipped, such as binary ones.
        files_skipped: u64,
        /// [`SCHEMA`].
        schema: u32,
    },
}

impl<'a> DetectLine<'a> {
    /// The line of a file whose encoding was detected.
    ///
    /// ```
    /// use placemat_text::models::{DetectLine, FilePath};
    /// use placemat_text::notation::json_text;
    ///
    /// let found = placemat_detect::detect("café".as_bytes(), true);
    /// let line = json_text(&DetectLine::file(FilePath::of("a.txt".as_ref()), &found)).unwrap();
    /// assert!(line.contains(r#""encoding":"utf-8""#));
    /// ```
    #[must_use]
    pub fn file(path: FilePath, found: &'a Detection) -> DetectLine<'a> {
        let candidate = |c: &placemat_detect::Candidate| Candidate {
            encoding: c.encoding.name(),
            confidence: rounded(c.confidence),
        };
        DetectLine::File {
            path,
            encoding: found.encoding.name(),
            bom: found.bom,
            confidence: rounded(found.confidence),
            malformed: found.malformed,
            line_ending: found.line_ending.name(),
            reasons: &found.reasons,
            candidates: found.candidates.iter().map(candidate).collect(),
        }
    }

    /// The last line.
    ///
    /// ```
    /// let line = serde_json::to_value(placemat_text::models::DetectLine::summary(2, 1)).unwrap();
    /// assert_eq!(line["files"], 2);
    /// ```
    #[must_use]
    pub fn summary(files: u64, files_skipped: u64) -> DetectLine<'static> {
        DetectLine::Summary { files, files_skipped, schema: SCHEMA }
    }
}
