//! The lines of `count`.

use serde::Serialize;

use super::{FilePath, SCHEMA};
use crate::charset::Charset;
use crate::count::Counts;

/// One line of `count --format json`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum CountLine {
    /// The numbers of a file.
    File {
        /// The file.
        #[serde(flatten)]
        path: FilePath,
        /// The encoding that it was read in.
        form: &'static str,
        /// The numbers.
        #[serde(flatten)]
        counts: Counts,
    },
    /// The last line.
    Summary {
        /// Files that were read.
        files: u64,
        /// Files that were skipped, such as binary ones.
        files_skipped: u64,
        /// The sums.
        #[serde(flatten)]
        counts: Counts,
        /// [`SCHEMA`].
        schema: u32,
    },
}

impl CountLine {
    /// The line of a file that was read as `charset`.
    ///
    /// ```
    /// use placemat::Form;
    /// use placemat_text::count::count;
    /// use placemat_text::models::{CountLine, FilePath};
    ///
    /// let counts = count(&mut "né\n".as_bytes(), Form::Utf8.into(), None).unwrap();
    /// let line = CountLine::file(FilePath::of("a.txt".as_ref()), Form::Utf8.into(), counts);
    /// assert_eq!(serde_json::to_value(line).unwrap()["code_points"], 3);
    /// ```
    #[must_use]
    pub fn file(path: FilePath, charset: Charset, counts: Counts) -> CountLine {
        CountLine::File { path, form: charset.name(), counts }
    }

    /// The last line.
    ///
    /// ```
    /// use placemat_text::count::Counts;
    /// use placemat_text::models::CountLine;
    ///
    /// let line = serde_json::to_value(CountLine::summary(0, 0, Counts::default())).unwrap();
    /// assert_eq!(line["schema"], 1);
    /// ```
    #[must_use]
    pub fn summary(files: u64, files_skipped: u64, counts: Counts) -> CountLine {
        CountLine::Summary { files, files_skipped, counts, schema: SCHEMA }
    }
}
