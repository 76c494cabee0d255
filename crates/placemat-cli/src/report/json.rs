//! `--format json`: one object a line.

use std::fmt::Write as _;
use std::io::{BufWriter, Write};
use std::path::PathBuf;

use anyhow::{Result, bail};
use serde::{Deserialize, Serialize};

use super::{Report, Subject, Summary, hex, stdout};
use crate::console::Plain;
use crate::input::Input;
use crate::scan::misread::Misread;
use crate::scan::{Finding, Totals};
use crate::shown;

/// Lines of JSON.
pub(crate) struct Json {
    out: BufWriter<Plain>,
}

/// A path in JSON: text, and its bytes where it is not UTF-8.
#[derive(Serialize, Deserialize)]
pub(crate) struct Path {
    path: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    path_bytes: Option<String>,
}

impl Path {
    pub(crate) fn of(input: &Input) -> Path {
        let path = input.path();
        let path_bytes = path.to_str().is_none().then(|| hex(path.as_os_str().as_encoded_bytes()));
        Path { path: path.to_string_lossy().into_owned(), path_bytes }
    }

    /// The input that it was made of.
    ///
    /// # Errors
    /// When the bytes are none.
    pub(crate) fn input(self) -> Result<Input> {
        let path = match self.path_bytes {
            Some(bytes) => path_of(unhex(&bytes)?)?,
            None => PathBuf::from(self.path),
        };
        Ok(Input::named(path))
    }
}

/// Bytes from upper-case hex with spaces.
pub(crate) fn unhex(text: &str) -> Result<Vec<u8>> {
    let byte = |digits: &str| match digits.len() {
        2 if digits.bytes().all(|b| b.is_ascii_hexdigit()) => Ok(u8::from_str_radix(digits, 16)?),
        _ => bail!("{:?} is not a byte", shown::text(digits).to_string()),
    };
    text.split(' ').filter(|digits| !digits.is_empty()).map(byte).collect()
}

#[cfg(unix)]
pub(crate) fn path_of(bytes: Vec<u8>) -> Result<PathBuf> {
    use std::os::unix::ffi::OsStringExt as _;
    Ok(std::ffi::OsString::from_vec(bytes).into())
}

#[cfg(not(unix))]
pub(crate) fn path_of(bytes: Vec<u8>) -> Result<PathBuf> {
    Ok(String::from_utf8(bytes)?.into())
}

#[derive(Serialize)]
struct Hint {
    form: &'static str,
    text: String,
}

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "lowercase")]
enum Line {
    Error {
        #[serde(flatten)]
        path: Path,
        form: &'static str,
        offset: u64,
        length: usize,
        line: u64,
        column: u64,
        kind: &'static str,
        bytes: String,
        hint: Option<Hint>,
    },
    Mojibake {
        #[serde(flatten)]
        path: Path,
        offset: u64,
        length: usize,
        line: u64,
        column: u64,
        bytes: String,
        /// What it was meant to be.
        text: String,
        /// The encodings that it was misread in, the last misreading first.
        via: Vec<&'static str>,
    },
    File {
        #[serde(flatten)]
        path: Path,
        form: &'static str,
        bytes: u64,
        errors: u64,
    },
    Summary {
        files: u64,
        files_with_errors: u64,
        files_skipped: u64,
        errors: u64,
        bytes: u64,
    },
}

impl Json {
    pub(crate) fn new() -> Json {
        Json { out: stdout() }
    }
}

/// JSON in one line; what a terminal would act on is escaped in its strings.
pub(crate) fn json_text(value: &impl Serialize) -> Result<String> {
    let text = serde_json::to_string(value)?;
    if !text.contains(shown::is_hostile) {
        return Ok(text);
    }
    let mut escaped = String::with_capacity(text.len() + 16);
    // Only within strings can such characters stand.
    for c in text.chars() {
        if shown::is_hostile(c) {
            // Writing to a string cannot fail.
            for unit in c.encode_utf16(&mut [0; 2]) {
                let _ = write!(escaped, "\\u{unit:04x}");
            }
        } else {
            escaped.push(c);
        }
    }
    Ok(escaped)
}

/// Write one object as a line.
pub(crate) fn write_line(out: &mut impl Write, value: &impl Serialize) -> Result<()> {
    Ok(writeln!(out, "{}", json_text(value)?)?)
}

impl Report for Json {
    fn finding(&mut self, subject: Subject<'_>, finding: &Finding<'_>) -> Result<()> {
        let line = Line::Error {
            path: Path::of(subject.input),
            form: subject.charset.name(),
            offset: finding.offset,
            length: finding.range.len(),
            line: finding.line,
            column: finding.column,
            kind: finding.kind.name(),
            bytes: hex(finding.bytes()),
            hint: finding.hint().map(|hint| Hint { form: hint.form.name(), text: hint.text }),
        };
        write_line(&mut self.out, &line)
    }

    fn misread(&mut self, input: &Input, run: &Misread<'_>) -> Result<()> {
        let line = Line::Mojibake {
            path: Path::of(input),
            offset: run.offset,
            length: run.bytes.len(),
            line: run.line,
            column: run.column,
            bytes: hex(run.bytes),
            text: run.text.to_owned(),
            via: run.via.iter().map(|page| page.name()).collect(),
        };
        write_line(&mut self.out, &line)
    }

    fn file(&mut self, subject: Subject<'_>, totals: Totals, _: u64) -> Result<()> {
        let line = Line::File {
            path: Path::of(subject.input),
            form: subject.charset.name(),
            bytes: totals.bytes,
            errors: totals.errors,
        };
        write_line(&mut self.out, &line)
    }

    fn finish(&mut self, summary: &Summary) -> Result<()> {
        let Summary { files, files_with_errors, files_skipped, errors, bytes } = *summary;
        write_line(&mut self.out, &Line::Summary { files, files_with_errors, files_skipped, errors, bytes })?;
        Ok(self.out.flush()?)
    }
}
