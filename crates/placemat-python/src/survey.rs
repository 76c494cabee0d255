//! The class `Survey`: what many texts are made of.

use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};

use placemat_text::escape;
use placemat_text::io::{HEAD, is_binary};
use placemat_text::survey::{Merged, Reader, each_field};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::buffer::Bytes;

type Total = placemat_text::survey::Survey;

/// Counts what many texts are made of: encodings, byte order marks, line endings, scripts, errors. `placemat survey` prints one.
///
/// With `field`, files are JSON Lines, and the string in that field of each line is a text.
///
/// >>> import placemat
/// >>> survey = placemat.Survey()
/// >>> survey.add("Привет, мир!".encode())
/// >>> survey.add(b"plain")
/// >>> survey.as_dict()["texts"]
/// 2
#[pyclass(module = "placemat")]
pub(crate) struct Survey {
    total: Total,
}

#[pymethods]
impl Survey {
    #[new]
    #[pyo3(signature = (field=None))]
    fn new(field: Option<String>) -> Survey {
        Survey { total: Total::new(field) }
    }

    /// Add a text that belongs to no file; if the survey has a field, it counts as the text of one line. Linear.
    fn add(slf: &Bound<'_, Survey>, text: &Bound<'_, PyAny>) -> PyResult<()> {
        let bytes = Bytes::of(text)?;
        let text = bytes.detached(slf.py(), |mut bytes| Reader::new().read(&mut bytes))?;
        // Not borrowed earlier, because another thread may add a text meanwhile.
        let total = &mut slf.borrow_mut().total;
        total.lines.read += u64::from(total.field.is_some());
        total.add(&text);
        Ok(())
    }

    /// Add a file: the rest of the binary file object `source`, unpacked if it is gzip, zstd, bzip2 or xz. Memory is constant, or that of
    /// a line.
    ///
    /// Returns False, and counts the file as skipped, if it is binary: it has a NUL near its start and no byte order mark. If reading
    /// raises an exception, that is raised and nothing is added.
    fn add_file(slf: &Bound<'_, Survey>, source: Py<PyAny>, path: PathBuf) -> PyResult<bool> {
        let field = slf.borrow().total.field.clone();
        let one = slf.py().detach(|| survey(Source(source), field.as_deref()))?;
        let is_text = one.is_some();
        let total = &mut slf.borrow_mut().total;
        match one {
            Some(one) => total.merge(one.of_file(path)),
            None => total.files_skipped += 1,
        }
        Ok(is_text)
    }

    /// Count all texts so far as those of one file. If any of them has errors, the survey names this file as the worst.
    fn of_file(&mut self, path: PathBuf) {
        self.total = std::mem::take(&mut self.total).of_file(path);
    }

    /// Add to the counts of files: `read` files that were read, `failed` files that could not be read.
    #[pyo3(signature = (*, read=0, failed=0))]
    fn count_files(&mut self, read: u32, failed: u32) {
        self.total.files += u64::from(read);
        self.total.files_failed += u64::from(failed);
    }

    /// Add another survey, as JSON: `json()` of one, or what `placemat survey --format json` printed.
    ///
    /// Raises ValueError for JSON that is no survey, for a survey of another field, and if a sum exceeds 64 bits. Then nothing is added.
    fn merge(&mut self, json: &str) -> PyResult<()> {
        let mut merged = Merged::default();
        for part in [&self.json()?, json] {
            merged.add(&mut part.as_bytes()).map_err(|error| PyValueError::new_err(error.to_string()))?;
        }
        self.total = merged.into_total();
        Ok(())
    }

    /// Return the survey as JSON: one object, on one line, as `placemat survey --format json` prints it.
    fn json(&self) -> PyResult<String> {
        serde_json::to_string(&self.total).map_err(|error| PyValueError::new_err(error.to_string()))
    }

    /// Return the survey as a dictionary with the content of `json()`.
    fn as_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        py.import("json")?.call_method1("loads", (self.json()?,))
    }

    /// Return the survey as a web page in one file. `title` names what was surveyed.
    fn page(&self, title: &str) -> String {
        self.total.page(&escape::path(Path::new(title)).to_string())
    }

    /// Whether both have the same content.
    fn __eq__(&self, other: &Survey) -> PyResult<bool> {
        Ok(self.json()? == other.json()?)
    }

    fn __repr__(slf: &Bound<'_, Survey>) -> PyResult<String> {
        let found = slf.borrow().as_dict(slf.py())?;
        let counted = |name: &str, one: &str| {
            let count: u64 = found.get_item(name)?.extract()?;
            PyResult::Ok(format!("{count} {one}{}", if count == 1 { "" } else { "s" }))
        };
        let [files, texts, errors] =
            [counted("files", "file")?, counted("texts", "text")?, counted("errors", "error")?];
        Ok(format!("<placemat.Survey of {files}: {texts}, {errors}>"))
    }

    fn __reduce__<'py>(slf: &Bound<'py, Survey>) -> PyResult<(Bound<'py, PyAny>, (String,))> {
        let class = slf.get_type();
        Ok((class.getattr("_from_json")?, (slf.borrow().json()?,)))
    }

    #[staticmethod]
    fn _from_json(json: &str) -> PyResult<Survey> {
        let mut survey = Survey { total: Total::default() };
        survey.merge(json)?;
        Ok(survey)
    }
}

/// The survey of one file; `None` if it is binary.
fn survey(source: Source, field: Option<&str>) -> io::Result<Option<Total>> {
    let mut source = placemat_cli::unpacked(source)?;
    let mut head = Vec::new();
    source.by_ref().take(HEAD).read_to_end(&mut head)?;
    if is_binary(&head) {
        return Ok(None);
    }
    let mut source = io::Cursor::new(head).chain(source);
    let (mut total, mut reader) = (Total::new(field.map(str::to_owned)), Reader::new());
    let Some(field) = field else {
        total.add(&reader.read(&mut source)?);
        return Ok(Some(total));
    };
    let mut failed = Ok(());
    let mut lines = BufReader::with_capacity(64 << 10, source);
    total.lines = each_field(&mut lines, field, &mut |text| match reader.read(&mut &text[..]) {
        Ok(text) => total.add(&text),
        Err(error) => failed = Err(error),
    })?;
    failed.map(|()| Some(total))
}

/// A binary file object of Python.
struct Source(Py<PyAny>);

impl Read for Source {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        Python::attach(|py| {
            let read = self.0.bind(py).call_method1("read", (room.len(),))?;
            let bytes =
                read.cast::<PyBytes>().map_err(|_| PyTypeError::new_err("read() did not return bytes"))?;
            let bytes = bytes.as_bytes();
            let part = room.get_mut(..bytes.len());
            part.ok_or_else(|| PyValueError::new_err("read() returned more than it was asked for"))?
                .copy_from_slice(bytes);
            Ok(bytes.len())
        })
        .map_err(|error: PyErr| error.into())
    }
}
