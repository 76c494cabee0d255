//! The function `detect`: the likely encoding of a text.

use std::hash::{Hash, Hasher};

use placemat_detect::Mixed;
use placemat_text::repair::choice::{Choice, Verdict};
use placemat_text::repair::mend::Mending;
use pyo3::prelude::*;
use pyo3::types::PyType;

use crate::buffer::Bytes;

/// The result of `detect`.
#[pyclass(frozen, eq, hash, get_all, module = "placemat")]
#[derive(Clone, PartialEq)]
pub(crate) struct Detection {
    /// The form or encoding, in lower case; `binary` if the bytes are no text.
    encoding: String,
    /// Whether the text begins with a byte order mark of that encoding.
    bom: bool,
    /// From 0 to 1.
    confidence: f64,
    /// The number of malformed sequences.
    malformed: u64,
    /// The line ending: none, lf, crlf, cr or mixed.
    line_ending: String,
    /// The reasons, in sentences.
    reasons: Vec<String>,
    /// The likely encodings, the most likely first: pairs of name and confidence.
    candidates: Vec<(String, f64)>,
}

impl Hash for Detection {
    fn hash<H: Hasher>(&self, state: &mut H) {
        // 0.0 and -0.0 are equal, so they must have the same hash.
        let bits = |confidence: f64| (confidence + 0.0).to_bits();
        let Detection { encoding, bom, confidence, malformed, line_ending, reasons, candidates } = self;
        (encoding, bom, bits(*confidence), malformed, line_ending, reasons).hash(state);
        candidates.iter().for_each(|(name, confidence)| (name, bits(*confidence)).hash(state));
    }
}

/// The fields, in order.
type Fields = (String, bool, f64, u64, String, Vec<String>, Vec<(String, f64)>);

#[pymethods]
impl Detection {
    #[new]
    fn new(
        encoding: String,
        bom: bool,
        confidence: f64,
        malformed: u64,
        line_ending: String,
        reasons: Vec<String>,
        candidates: Vec<(String, f64)>,
    ) -> Detection {
        Detection { encoding, bom, confidence, malformed, line_ending, reasons, candidates }
    }

    fn __reduce__<'py>(slf: &Bound<'py, Detection>) -> (Bound<'py, PyType>, Fields) {
        let Detection { encoding, bom, confidence, malformed, line_ending, reasons, candidates } =
            slf.get().clone();
        (slf.get_type(), (encoding, bom, confidence, malformed, line_ending, reasons, candidates))
    }

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

/// Return the likely form or encoding of the bytes, the confidence, and the reasons. Set `complete` to False for the head of a
/// longer text.
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
        encoding: found.encoding.name().into(),
        bom: found.bom,
        confidence: round(found.confidence),
        malformed: found.malformed,
        line_ending: found.line_ending.name().to_owned(),
        reasons: found.reasons,
        candidates: found
            .candidates
            .iter()
            .map(|one| (one.encoding.name().into(), round(one.confidence)))
            .collect(),
    })
}

/// Return the likely encoding if a repair as UTF-8 would do harm. Return None for UTF-8, also with a few malformed sequences.
///
/// >>> placemat._core.something_else("Привет, мир!".encode("koi8-r"))
/// 'koi8-r'
/// >>> placemat._core.something_else("Это UTF-8, но не вся: ".encode() + b"\xff")
#[pyfunction]
pub(crate) fn something_else(data: &Bound<'_, PyAny>) -> PyResult<Option<&'static str>> {
    // A policy will replace everything malformed, as with `placemat repair --on-error`.
    let mending = Mending { diagnoses: false, ..Mending::default() };
    let choice = Choice { mending, second: None, is_lossy: true };
    Ok(Bytes::of(data)?.detached(data.py(), |bytes| {
        if placemat::is_valid(bytes) {
            return None;
        }
        let mut mixed = Mixed::new();
        mixed.push(bytes);
        match choice.of(placemat_detect::detect(bytes, true), mixed.finish()) {
            Verdict::SomethingElse(found) => Some(found.encoding.name()),
            Verdict::Mend(_) | Verdict::Unclear(_) => None,
        }
    }))
}

/// Rounds to four decimal places, because an f32 has noise beyond these.
fn round(confidence: f32) -> f64 {
    (f64::from(confidence) * 1e4).round() / 1e4
}
