//! The lines of `check`.

use serde::Serialize;

use super::{Candidate, FilePath};
use crate::charset::Charset;
use crate::faults::run::{Run, What};
use crate::faults::seeming::Seeming;
use crate::faults::{Finding, Totals};
use crate::notation::{hex, rounded};

/// The version of the schema of `check`. It is 2 since mojibake is a kind of error and files that could not be read
/// have a line.
pub const CHECK_SCHEMA: u32 = 2;

/// The text that malformed bytes were probably meant to be.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Hint {
    /// The form in which the bytes are this text.
    pub form: &'static str,
    /// The text.
    pub text: String,
}

/// The sums over all files that were checked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Summary {
    /// Files that were read.
    pub files: u64,
    /// Files with errors, among those read.
    pub files_with_errors: u64,
    /// Files that were skipped, such as binary ones.
    pub files_skipped: u64,
    /// Errors in all files.
    pub errors: u64,
    /// Bytes in all files.
    pub bytes: u64,
}

/// One line of `check --format json`.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum CheckLine {
    /// A malformed sequence, a breach of a rule, or a run of well-formed text that is suspicious.
    Error {
        /// The file.
        #[serde(flatten)]
        path: FilePath,
        /// The encoding that it was read in.
        form: &'static str,
        /// Bytes from the start of the input.
        offset: u64,
        /// The number of malformed bytes.
        length: usize,
        /// From 1.
        line: u64,
        /// In code points, from 1.
        column: u64,
        /// The name of the kind.
        kind: &'static str,
        /// The bytes in hexadecimal.
        bytes: String,
        /// The text that the bytes were probably meant to be.
        hint: Option<Hint>,
        /// The text hidden in characters that are not shown.
        #[serde(skip_serializing_if = "Option::is_none")]
        payload: Option<String>,
        /// For mojibake: the text that it was meant to be.
        #[serde(skip_serializing_if = "Option::is_none")]
        text: Option<String>,
        /// For mojibake: the encodings that it was misread in, the last misreading first.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        via: Vec<&'static str>,
    },
    /// A file that could not be read, or not to its end.
    Failed {
        /// The path.
        #[serde(flatten)]
        path: FilePath,
        /// Why, in a sentence.
        reason: String,
    },
    /// A file that was skipped.
    Skipped {
        /// The path.
        #[serde(flatten)]
        path: FilePath,
        /// Why, in words.
        reason: String,
    },
    /// A file with errors; this line follows those of the errors.
    File {
        /// The file.
        #[serde(flatten)]
        path: FilePath,
        /// The encoding that it was read in.
        form: &'static str,
        /// Its length in bytes.
        bytes: u64,
        /// How many errors it has.
        errors: u64,
        /// The encoding that the whole file seems to be in, if it is another.
        #[serde(skip_serializing_if = "Option::is_none")]
        looks_like: Option<Candidate>,
    },
    /// The last line.
    Summary {
        /// The sums.
        #[serde(flatten)]
        summary: Summary,
        /// [`CHECK_SCHEMA`].
        schema: u32,
    },
}

impl CheckLine {
    /// The line of a finding in a file that was read as `charset`.
    ///
    /// ```
    /// use placemat_text::models::{CheckLine, FilePath};
    /// use placemat_text::notation::json_text;
    /// use placemat::Form;
    /// use placemat_text::faults::locate::{Search, search};
    ///
    /// let search_for = Search { limit: 10, ..Search::new(Form::Utf8.into()) };
    /// search(&mut &b"na\xC3\xAFve\ncaf\xE9!"[..], search_for, &mut |finding| {
    ///     let line = CheckLine::finding(FilePath::of("a.txt".as_ref()), finding.charset, finding);
    ///     let json = json_text(&line).unwrap();
    ///     assert!(json.contains(r#""line":2,"column":4,"kind":"missing-continuation","bytes":"E9""#));
    ///     Ok::<_, ()>(())
    /// })
    /// .unwrap();
    /// ```
    #[must_use]
    pub fn finding(path: FilePath, charset: Charset, finding: &Finding<'_>) -> CheckLine {
        CheckLine::Error {
            path,
            form: charset.name(),
            offset: finding.offset,
            length: finding.range.len(),
            line: finding.line,
            column: finding.column,
            kind: finding.kind.name(),
            bytes: hex(finding.bytes()),
            hint: finding.hint().map(|hint| Hint { form: hint.form.name(), text: hint.text }),
            payload: None,
            text: None,
            via: Vec::new(),
        }
    }

    /// The line of a run of mojibake, of characters that are not shown, or of another [`What`].
    ///
    /// ```
    /// use placemat_text::models::{CheckLine, FilePath};
    /// use placemat_text::notation::json_text;
    /// use placemat_text::faults::misread::search;
    ///
    /// let (runs, broken) = search(&mut "café\ncafÃ©".as_bytes(), 10, &mut |run| {
    ///     let line = CheckLine::run(FilePath::of("a.txt".as_ref()), "utf-8", run);
    ///     assert!(json_text(&line).unwrap().ends_with(r#""text":"é","via":["windows-1252"]}"#));
    ///     Ok::<_, ()>(())
    /// })
    /// .unwrap();
    /// assert!(runs == 1 && broken.is_none());
    /// ```
    #[must_use]
    pub fn run(path: FilePath, form: &'static str, run: &Run<'_>) -> CheckLine {
        let (text, via) = match run.what {
            What::Mojibake { text, via } => (Some(text.to_owned()), via),
            What::Name { becomes, .. } => (becomes.map(str::to_owned), &[][..]),
            What::Hidden(_) | What::Replacement => (None, &[][..]),
        };
        CheckLine::Error {
            path,
            form,
            offset: run.offset,
            length: run.bytes.len(),
            line: run.line,
            column: run.column,
            kind: run.name(),
            bytes: hex(run.bytes),
            hint: None,
            payload: run.payload(),
            text,
            via: via.iter().map(|page| page.name()).collect(),
        }
    }

    /// The line of a file that could not be read.
    ///
    /// ```
    /// use placemat_text::models::{CheckLine, FilePath};
    /// use placemat_text::notation::json_text;
    ///
    /// let line = CheckLine::failed(FilePath::of("a.txt".as_ref()), "Permission denied");
    /// assert_eq!(json_text(&line).unwrap(), r#"{"type":"failed","path":"a.txt","reason":"Permission denied"}"#);
    /// ```
    #[must_use]
    pub fn failed(path: FilePath, reason: &str) -> CheckLine {
        CheckLine::Failed { path, reason: reason.to_owned() }
    }

    /// The line of a file that was skipped.
    ///
    /// ```
    /// use placemat_text::models::{CheckLine, FilePath};
    /// use placemat_text::notation::json_text;
    ///
    /// let line = CheckLine::skipped(FilePath::of("a.png".as_ref()), "binary");
    /// assert_eq!(json_text(&line).unwrap(), r#"{"type":"skipped","path":"a.png","reason":"binary"}"#);
    /// ```
    #[must_use]
    pub fn skipped(path: FilePath, reason: &str) -> CheckLine {
        CheckLine::Skipped { path, reason: reason.to_owned() }
    }

    /// The line of a file with errors.
    ///
    /// ```
    /// use placemat::Form;
    /// use placemat_text::models::{CheckLine, FilePath};
    /// use placemat_text::notation::json_text;
    /// use placemat_text::faults::Totals;
    ///
    /// let totals = Totals { bytes: 12, errors: 1 };
    /// let line = CheckLine::file(FilePath::of("a.txt".as_ref()), Form::Utf8.into(), totals, None);
    /// assert!(json_text(&line).unwrap().ends_with(r#""form":"utf-8","bytes":12,"errors":1}"#));
    /// ```
    #[must_use]
    pub fn file(path: FilePath, charset: Charset, totals: Totals, seeming: Option<&Seeming>) -> CheckLine {
        let (Totals { bytes, errors }, form) = (totals, charset.name());
        let looks_like = seeming.filter(|seeming| seeming.is_likely()).map(|seeming| Candidate {
            encoding: seeming.encoding(),
            confidence: rounded(seeming.confidence()),
        });
        CheckLine::File { path, form, bytes, errors, looks_like }
    }

    /// The last line.
    ///
    /// ```
    /// use placemat_text::models::{CheckLine, Summary};
    /// use placemat_text::notation::json_text;
    ///
    /// let line = json_text(&CheckLine::summary(Summary { files: 1, ..Summary::default() })).unwrap();
    /// assert!(line.starts_with(r#"{"type":"summary","files":1"#) && line.ends_with(r#""schema":2}"#));
    /// ```
    #[must_use]
    pub fn summary(summary: Summary) -> CheckLine {
        CheckLine::Summary { summary, schema: CHECK_SCHEMA }
    }
}
