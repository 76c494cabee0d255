//! What a text seems to be.

use pyo3::prelude::*;

use crate::buffer::Bytes;

/// What `detect` found.
#[pyclass(frozen, get_all, module = "placemat")]
pub(crate) struct Detection {
    /// The form or encoding, in lower case; `binary` for what is no text.
    encoding: &'static str,
    /// Whether a byte order mark says so.
    bom: bool,
    /// From 0 to 1.
    confidence: f64,
    /// Sequences that are malformed.
    malformed: u64,
    /// How lines end: none, lf, crlf, cr or mixed.
    line_ending: &'static str,
    /// Why, in sentences.
    reasons: Vec<String>,
    /// What else it may be, the verdict first: pairs of name and confidence.
    candidates: Vec<(&'static str, f64)>,
}

#[pymethods]
impl Detection {
    fn __repr__(&self) -> String {
        format!(
            "Detection(encoding='{}', bom={}, confidence={:.2}, malformed={}, line_ending='{}')",
            self.encoding,
            if self.bom { "True" } else { "False" },
            self.confidence,
            self.malformed,
            self.line_ending
        )
    }
}

/// detect(data, *, complete=True)
/// --
///
/// What the bytes are: form or encoding, how sure, and why. With `complete` false they are the head of a longer text.
///
/// >>> found = placemat.detect(b"\xc3\xa9t\xc3\xa9, caf\xe9")
/// >>> found.encoding, found.malformed, found.reasons[0]
/// ('utf-8', 1, 'UTF-8 but for 1 sequence; 1 fits windows-1252')
/// >>> placemat.detect("Привет, мир!".encode("koi8-r")).encoding
/// 'koi8-r'
#[pyfunction]
#[pyo3(signature = (data, *, complete=true))]
pub(crate) fn detect(data: &Bound<'_, PyAny>, complete: bool) -> PyResult<Detection> {
    let found = Bytes::of(data)?.detached(data.py(), |bytes| placemat_detect::detect(bytes, complete));
    Ok(Detection {
        encoding: found.encoding,
        bom: found.bom,
        confidence: round(found.confidence),
        malformed: found.malformed,
        line_ending: found.line_ending.name(),
        reasons: found.reasons,
        candidates: found.candidates.iter().map(|one| (one.encoding, round(one.confidence))).collect(),
    })
}

/// Single precision has no more to say than four places.
fn round(confidence: f32) -> f64 {
    (f64::from(confidence) * 1e4).round() / 1e4
}
