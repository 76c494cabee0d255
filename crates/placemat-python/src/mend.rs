//! The function `mend`: repair by diagnosis, as the command does it. Each malformed run is read in its own encoding, or the text is
//! refused.

use placemat::Form;
use placemat::invisible::Kinds;
use placemat_text::charset::{Charset, Legacy};
use placemat_text::repair::choice::Choice;
use placemat_text::repair::mend::{Mending, ZEROS};
use placemat_text::repair::whole::{Repaired, whole};
use placemat_text::structure::{self, Structure};
use pyo3::create_exception;
use pyo3::exceptions::{PyLookupError, PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString, PyType};

use crate::buffer::{self, Bytes};
use crate::failure;

create_exception!(
    placemat,
    RefusedError,
    PyValueError,
    "A repair would do harm: the text seems to be something else than UTF-8 with a few errors. The message says what."
);

/// One change that `mend` made.
#[pyclass(frozen, eq, hash, get_all, from_py_object, module = "placemat")]
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct Change {
    /// The offset in the original, in bytes from 0.
    offset: usize,
    /// The bytes that were there.
    original: Vec<u8>,
    /// The text that replaced them.
    text: String,
    /// Why: the name of an encoding, `cesu-8`, `nul`, `overlong`, `mojibake`, `invisible`, `u+0000`, or of a policy.
    rule: String,
    /// With `structure`, the number of the CSV record or of the line, from 1.
    row: Option<u64>,
    /// With `structure`, the number of the field in its record or of the string in its line, from 1, if these are counted.
    field: Option<u64>,
}

/// The arguments that make a change again.
type Parts<'py> = (usize, Bound<'py, PyBytes>, String, String, Option<u64>, Option<u64>);

#[pymethods]
impl Change {
    #[classattr]
    #[pyo3(name = "__match_args__")]
    const MATCH_ARGS: (&'static str, &'static str, &'static str, &'static str, &'static str, &'static str) =
        ("offset", "original", "text", "rule", "row", "field");

    #[new]
    #[pyo3(signature = (offset, original, text, rule, row=None, field=None))]
    fn new(
        offset: usize,
        original: Vec<u8>,
        text: String,
        rule: String,
        row: Option<u64>,
        field: Option<u64>,
    ) -> Change {
        Change { offset, original, text, rule, row, field }
    }

    fn __reduce__<'py>(slf: &Bound<'py, Change>) -> (Bound<'py, PyType>, Parts<'py>) {
        let Change { offset, original, text, rule, row, field } = slf.get().clone();
        (slf.get_type(), (offset, PyBytes::new(slf.py(), &original), text, rule, row, field))
    }

    fn __repr__(&self) -> String {
        let Change { offset, original, text, rule, row, field } = self;
        let cell = [("row", row), ("field", field)]
            .map(|(name, place)| place.map_or_else(String::new, |place| format!(", {name}={place}")));
        format!(
            "Change(offset={offset}, original=b\"{}\", text={text:?}, rule='{rule}'{})",
            original.escape_ascii(),
            cell.concat()
        )
    }
}

/// The result of `mend`.
#[pyclass(frozen, module = "placemat")]
pub(crate) struct Mended(Made);

/// The arguments that make a result again: text, changes, whether something is lost, report.
type Told<'py> = (Bound<'py, PyString>, Vec<Change>, bool, String);

enum Made {
    /// Made by `mend` in this process.
    Now { original: Py<PyBytes>, repaired: Repaired },
    /// Made from its parts, as `pickle` does.
    Before { text: Py<PyString>, changes: Vec<Change>, is_lossy: bool, report: String },
}

#[pymethods]
impl Mended {
    #[new]
    fn new(text: Py<PyString>, changes: Vec<Change>, is_lossy: bool, report: String) -> Mended {
        Mended(Made::Before { text, changes, is_lossy, report })
    }

    fn __reduce__<'py>(slf: &Bound<'py, Mended>) -> PyResult<(Bound<'py, PyType>, Told<'py>)> {
        let (py, own) = (slf.py(), slf.get());
        Ok((slf.get_type(), (own.text(py)?, own.changes(py), own.is_lossy(), own.report(py)?)))
    }

    /// The repaired text. Malformed bytes in binary values of a dump are in it as surrogates, as by `surrogateescape`.
    #[getter]
    fn text<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyString>> {
        match &self.0 {
            Made::Now { repaired, .. } => {
                let bytes = PyBytes::new(py, &repaired.text);
                PyString::from_encoded_object(&bytes, Some(c"utf-8"), Some(c"surrogateescape"))
            }
            Made::Before { text, .. } => Ok(text.bind(py).clone()),
        }
    }

    /// The repaired text as bytes, to be written to a file: UTF-8, but binary values of a dump as they were.
    #[getter]
    fn data<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        match &self.0 {
            Made::Now { repaired, .. } => Ok(PyBytes::new(py, &repaired.text).into_any()),
            Made::Before { text, .. } => text.bind(py).call_method1("encode", ("utf-8", "surrogateescape")),
        }
    }

    /// The changes, in order.
    #[getter]
    fn changes(&self, py: Python<'_>) -> Vec<Change> {
        let (original, repaired) = match &self.0 {
            Made::Now { original, repaired } => (original, repaired),
            Made::Before { changes, .. } => return changes.clone(),
        };
        let bytes = original.bind(py).as_bytes();
        let changes = repaired.changes.iter().map(|change| {
            let (start, end) = (change.range.start as usize, change.range.end as usize);
            let (text, rule) = (change.text.clone(), change.rule.name().to_owned());
            let row = change.cell.map(|cell| cell.row);
            let field = change.cell.map(|cell| cell.field).filter(|&field| field > 0);
            Change { offset: start, original: bytes[start..end].to_vec(), text, rule, row, field }
        });
        changes.collect()
    }

    /// Whether something is lost: U+FFFD replaced bytes that could not be read.
    #[getter]
    fn is_lossy(&self) -> bool {
        match &self.0 {
            Made::Now { repaired, .. } => {
                repaired.changes.iter().any(placemat_text::repair::mend::Change::is_loss)
            }
            Made::Before { is_lossy, .. } => *is_lossy,
        }
    }

    /// Return the report of `placemat repair --report`: lines of JSON, from which the original can be restored.
    fn report(&self, py: Python<'_>) -> PyResult<String> {
        match &self.0 {
            Made::Now { original, repaired } => {
                let report = repaired.report(original.bind(py).as_bytes());
                report.map_err(|error| PyRuntimeError::new_err(error.to_string()))
            }
            Made::Before { report, .. } => Ok(report.clone()),
        }
    }

    fn __eq__(&self, other: &Mended, py: Python<'_>) -> PyResult<bool> {
        let is_same = self.is_lossy() == other.is_lossy()
            && self.text(py)?.as_any().eq(other.text(py)?)?
            && self.changes(py) == other.changes(py);
        Ok(is_same && self.report(py)? == other.report(py)?)
    }

    fn __hash__(&self, py: Python<'_>) -> PyResult<isize> {
        self.text(py)?.as_any().hash()
    }

    fn __repr__(&self) -> String {
        let changes = match &self.0 {
            Made::Now { repaired, .. } => repaired.changes.len(),
            Made::Before { changes, .. } => changes.len(),
        };
        format!("Mended({changes} change{})", if changes == 1 { "" } else { "s" })
    }
}

/// Repair UTF-8 by diagnosis, as `placemat repair` does: surrogates of CESU-8 are joined, a run of bytes in another encoding is read in
/// that, and U+FFFD replaces the rest. Raises RefusedError if the text as a whole seems to be something else.
///
/// `second` names the encoding of the malformed runs; `auto` chooses it from them and from the language of the text.
/// `mojibake` undoes text that was decoded twice, `invisible` removes invisible characters, `overlong` decodes overlong sequences,
/// and `nul` reads C0 80 as U+0000. `lossy` writes U+FFFD where the text would be refused because no encoding of its malformed runs
/// is likely.
///
/// `structure` repairs field by field, so that no delimiter, quote or escape changes: `csv` (RFC 4180, with this `delimiter`),
/// `jsonl` (strings are unescaped first), `sql` (dumps of `pg_dump`, `mysqldump` and `sqlite3 .dump`; use `sql-postgres`, `sql-mysql`
/// or `sql-sqlite` if the dump does not say which program wrote it). Input that does not parse raises RefusedError with its line.
/// `zero` says what becomes of U+0000: `keep`, `skip`, or `replace` with U+FFFD; PostgreSQL accepts none.
///
/// >>> mended = placemat.mend("naïve café\n".encode() + b"another caf\xe9\n")
/// >>> mended.text
/// 'naïve café\nanother café\n'
/// >>> mended.changes
/// [Change(offset=24, original=b"\xe9", text="é", rule='windows-1252')]
/// >>> placemat.mend('{"a": "caf\\u00c3\\u00a9"}'.encode(), structure="jsonl", mojibake=True).text
/// '{"a": "caf\\u00e9"}'
/// >>> placemat.mend("Grüße aus Köln".encode("latin-1"))
/// Traceback (most recent call last):
///     ...
/// placemat.RefusedError: it looks like windows-1252 (75 %), not like UTF-8 with a few errors
#[pyfunction]
#[pyo3(signature = (data, *, second="auto", mojibake=false, invisible=false, overlong=false, nul=false, lossy=false, structure=None, delimiter=",", zero="keep"))]
#[expect(clippy::fn_params_excessive_bools, clippy::too_many_arguments, reason = "keywords in Python")]
pub(crate) fn mend(
    data: &Bound<'_, PyAny>,
    second: &str,
    mojibake: bool,
    invisible: bool,
    overlong: bool,
    nul: bool,
    lossy: bool,
    structure: Option<&str>,
    delimiter: &str,
    zero: &str,
) -> PyResult<Mended> {
    let structure = structure.map(|structure| structured(structure, delimiter)).transpose()?;
    let zero =
        match zero {
            "keep" => None,
            _ => Some(ZEROS.into_iter().find(|(name, _)| *name == zero).ok_or_else(|| {
                PyValueError::new_err(format!("zero is keep, skip or replace, not {zero:?}"))
            })?),
        };
    let bytes = Bytes::of(data)?;
    let (second, cp1252) = named(second)?;
    let hidden = if invisible { Kinds::DEFAULT } else { Kinds::NONE };
    let mending = Mending { cp1252, overlong, nul, mojibake, hidden, zero, ..Mending::default() };
    let choice = Choice { mending, second, is_lossy: lossy };
    let repaired = bytes.detached(data.py(), |bytes| {
        let repaired = match structure {
            Some(structure) if is_nobodys(structure, bytes) => return Err(NOBODYS.to_owned()),
            Some(structure) => structure::whole(bytes, structure, &choice),
            None => whole(bytes, &choice),
        };
        repaired.map_err(|why| match why.second() {
            Some(second) => format!("{why}; to read them in that encoding, pass second={second:?}"),
            None => why.to_string(),
        })
    });
    let repaired = repaired.map_err(RefusedError::new_err)?;
    Ok(Mended(Made::Now { original: bytes.object().unbind(), repaired }))
}

/// Whether the input is a dump in SQL that does not say which program wrote it.
fn is_nobodys(structure: Structure, bytes: &[u8]) -> bool {
    let is_sql =
        structure == Structure::Sql(None) && !structure::is_wide(bytes) && !bytes.starts_with(b"PGDMP");
    is_sql && structure.known(bytes).is_err()
}

/// Why such a dump is refused.
const NOBODYS: &str = r#"the dump does not say which database wrote it: choose structure="sql-postgres", "sql-mysql" or "sql-sqlite""#;

fn structured(name: &str, delimiter: &str) -> PyResult<Structure> {
    match name {
        "csv" => {
            return Structure::csv(delimiter).map_err(|error| PyValueError::new_err(error.to_string()));
        }
        "jsonl" => return Ok(Structure::JsonLines),
        "sql" => return Ok(Structure::Sql(None)),
        _ => {}
    }
    let dialect = name.strip_prefix("sql-").and_then(|dialect| dialect.parse().ok());
    dialect.map(|dialect| Structure::Sql(Some(dialect))).ok_or_else(|| {
        PyValueError::new_err(format!(
            "structure is csv, jsonl, sql, sql-postgres, sql-mysql or sql-sqlite, not {name:?}"
        ))
    })
}

/// The second encoding, if it is a legacy encoding that is named; and whether it is windows-1252, which is read byte by byte.
fn named(second: &str) -> PyResult<(Option<Legacy>, bool)> {
    if second == "auto" {
        return Ok((None, false));
    }
    match failure::charset(second)? {
        Charset::Legacy(legacy) => Ok((Some(legacy), false)),
        Charset::Form(Form::Windows1252) => Ok((None, true)),
        Charset::Form(form) => Err(PyLookupError::new_err(format!("{form} is no legacy encoding"))),
    }
}

/// Return the text with its mojibake undone, as ftfy does: every run that was decoded twice. Clean text is returned as it is, also text
/// with surrogates, such as `surrogateescape` makes. Linear.
///
/// >>> placemat.mojibake("cafÃ© â€œnaÃ¯veâ€\x9d")
/// 'café “naïve”'
/// >>> placemat.mojibake("São Paulo")
/// 'São Paulo'
#[pyfunction]
pub(crate) fn mojibake<'py>(text: &Bound<'py, PyString>) -> PyResult<Bound<'py, PyString>> {
    // Not `to_str`, which stores its UTF-8 in the str object as long as that lives.
    let Ok(bytes) = text.encode_utf8() else { return Ok(text.clone()) };
    let bytes = bytes.as_bytes();
    let undone = buffer::detached(text.py(), bytes.len(), || {
        str::from_utf8(bytes).ok().and_then(placemat_detect::mojibake::undo_text)
    });
    Ok(undone.map_or_else(|| text.clone(), |undone| PyString::new(text.py(), &undone)))
}
