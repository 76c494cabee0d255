//! The class `Detokenizer`: text from the pieces that a language model writes.

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyInt, PyString, PyType};

use crate::buffer::Bytes;

/// Turns pieces of a language model's output into text as it becomes complete.
///
/// A character appears once its last byte is there, and U+FFFD only for what no further piece can complete. However the bytes are
/// divided, the text is the same. A copy (`copy.copy`) goes on from the same place.
///
/// Tokens are taken as they are: replace the `▁` of SentencePiece by a space in the text. Byte-level BPE, whose tokens look like
/// `Ġcaf` and `Ã©`, writes a character for each byte: pass its bytes.
///
/// >>> import placemat
/// >>> pieces = placemat.Detokenizer()
/// >>> [pieces.push(piece) for piece in [b"caf\xc3", b"\xa9", "<0xF0>", "<0x9F>", "<0x98>", "<0x80>"]]
/// ['caf', 'é', '', '', '', '😀']
/// >>> pieces.finish()
/// ''
#[pyclass(module = "placemat")]
#[derive(Default)]
pub(crate) struct Detokenizer {
    pieces: placemat::Detokenizer,
}

#[pymethods]
impl Detokenizer {
    #[new]
    fn new() -> Detokenizer {
        Detokenizer::default()
    }

    /// Return the text that the next piece completes. A piece is bytes, or a token as str; a token such as `<0xEA>` is that byte. Linear.
    fn push(&mut self, piece: &Bound<'_, PyAny>) -> PyResult<String> {
        let mut text = String::new();
        // Pieces are short, so the GIL is kept.
        match piece.cast::<PyString>() {
            Ok(token) => self.pieces.push_token(token.to_str()?, &mut text),
            Err(_) => {
                let bytes = Bytes::of(piece).map_err(|error| wrong(piece, error))?;
                self.pieces.push(bytes.as_slice(), &mut text);
            }
        }
        Ok(text)
    }

    /// End the text: return U+FFFD if its last character is incomplete, else nothing. The next piece begins another text.
    fn finish(&mut self) -> String {
        let mut text = String::new();
        self.pieces.finish(&mut text);
        text
    }

    fn __copy__(&self) -> Detokenizer {
        Detokenizer { pieces: self.pieces.clone() }
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> Detokenizer {
        self.__copy__()
    }

    fn __reduce__<'py>(slf: &Bound<'py, Detokenizer>) -> (Bound<'py, PyType>, (), Bound<'py, PyBytes>) {
        let pending = PyBytes::new(slf.py(), slf.borrow().pieces.pending_bytes());
        (slf.get_type(), (), pending)
    }

    fn __setstate__(&mut self, pending: &[u8]) {
        self.pieces = placemat::Detokenizer::new();
        self.pieces.push(pending, &mut String::new());
    }

    fn __repr__(&self) -> String {
        let pending = self.pieces.pending_bytes().escape_ascii();
        format!("<placemat.Detokenizer with b\"{pending}\" pending>")
    }

    /// The number of bytes of an incomplete character: 0 to 3.
    #[getter]
    fn pending(&self) -> usize {
        self.pieces.pending()
    }
}

/// The exception for a piece of a wrong type. A number gets a hint, because the caller probably passed a token's number.
fn wrong(piece: &Bound<'_, PyAny>, error: PyErr) -> PyErr {
    let py = piece.py();
    if !error.is_instance_of::<PyTypeError>(py) {
        return error;
    }
    let hint = match piece.cast::<PyInt>() {
        Ok(_) => "; look up its bytes in the vocabulary",
        Err(_) => "",
    };
    let name = piece.get_type().name().map_or_else(|_| "?".to_owned(), |name| name.to_string());
    PyTypeError::new_err(format!("a piece is bytes, or a token as str, not {name}{hint}"))
}
