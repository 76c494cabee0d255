//! The lists of forms, policies and labels.

use placemat::label::{Label, Labels};
use placemat::{Form, Policy};
use pyo3::exceptions::PyLookupError;
use pyo3::prelude::*;
use pyo3::types::PyType;

use crate::failure;

/// The properties of a form.
#[pyclass(frozen, eq, hash, get_all, module = "placemat")]
#[derive(PartialEq, Eq, Hash)]
pub(crate) struct FormFacts {
    /// Its name.
    name: &'static str,
    /// The code points that it can encode, in words.
    domain: &'static str,
    /// Bytes per code point, least and most.
    width: (u8, u8),
    /// Whether bytes below 80 always stand for ASCII characters.
    ascii_transparent: bool,
    /// Whether the start of a character can be found from any byte.
    self_synchronising: bool,
    /// Whether text sorted by its bytes is sorted by its code points.
    order_preserving: bool,
    /// The document that defines it, and what replaced it.
    source: &'static str,
}

#[pymethods]
impl FormFacts {
    #[new]
    fn new(form: &str) -> PyResult<FormFacts> {
        failure::form(form).map(FormFacts::of)
    }

    fn __reduce__<'py>(slf: &Bound<'py, FormFacts>) -> (Bound<'py, PyType>, (&'static str,)) {
        (slf.get_type(), (slf.get().name,))
    }

    fn __repr__(&self) -> String {
        format!("<form {}: {}; {}>", self.name, self.domain, self.source)
    }
}

impl FormFacts {
    fn of(form: Form) -> FormFacts {
        let facts = form.facts();
        FormFacts {
            name: form.name(),
            domain: facts.domain,
            width: facts.width,
            ascii_transparent: facts.ascii_transparent,
            self_synchronising: facts.self_synchronising,
            order_preserving: facts.order_preserving,
            source: facts.source,
        }
    }
}

/// Return every form and profile.
///
/// >>> [form.name for form in placemat.forms() if form.domain == "scalar values"][:3]
/// ['utf-8', 'utf-7', 'utf-7/base64']
#[pyfunction]
pub(crate) fn forms() -> Vec<FormFacts> {
    Form::ALL.iter().copied().map(FormFacts::of).collect()
}

/// Return the names of the policies for malformed sequences.
///
/// >>> placemat.policies()[:3]
/// ['stop', 'replace', 'replace-byte']
#[pyfunction]
pub(crate) fn policies() -> Vec<&'static str> {
    Policy::ALL.iter().map(|(name, _)| *name).collect()
}

/// Return the canonical name of the encoding that `reader` means by a label, or None. Readers: lenient, iana, whatwg, rfc2279,
/// oracle, mysql.
///
/// >>> placemat.label("latin1"), placemat.label("latin1", "whatwg"), placemat.label("UTF8", "oracle")
/// ('iso-8859-1', 'windows-1252', 'cesu-8')
#[pyfunction]
#[pyo3(signature = (name, reader="lenient"))]
pub(crate) fn label(name: &str, reader: &str) -> PyResult<Option<&'static str>> {
    let readers: Vec<_> = Labels::ALL.iter().map(|labels| labels.name()).collect();
    let labels = Labels::ALL.iter().copied().find(|labels| labels.name() == reader).ok_or_else(|| {
        PyLookupError::new_err(format!("unknown reader: {reader:?}; one of {}", readers.join(", ")))
    })?;
    Ok(labels.resolve(name).map(Label::name))
}

/// Return every other name of a form or legacy encoding, as pairs of the reader that uses it and the name.
///
/// >>> ("iana", "csUTF8") in placemat.labels("utf-8")
/// True
/// >>> ("whatwg", "ms_kanji") in placemat.labels("shift_jis")
/// True
#[pyfunction]
pub(crate) fn labels(form: &str) -> PyResult<Vec<(&'static str, &'static str)>> {
    let Some(label) = failure::label(form) else {
        // A code page that no list of labels has.
        return failure::charset(form).map(|_| Vec::new());
    };
    Ok(label.aliases().map(|(labels, alias)| (labels.name(), alias)).collect())
}
