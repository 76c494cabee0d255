//! The compiled half of the Python package `placemat`. This thin layer turns Python objects into slices and back, and follows
//! the conventions of Python's `codecs`. All rules about text are in the library.
#![deny(unsafe_code)]

mod arrow;
mod buffer;
mod codec;
mod detokenizer;
mod explain;
mod failure;
mod fault;
mod forms;
mod found;
mod functions;
mod hidden;
mod mend;
mod polars;
mod survey;

use pyo3::prelude::*;

/// The compiled half of `placemat`; import `placemat` instead. It needs the GIL, which guards taking an array out of an Arrow capsule.
#[pymodule(name = "_core", gil_used = true)]
mod module {
    use pyo3::prelude::*;

    #[pymodule_export]
    use super::arrow::arrow;
    #[pymodule_export]
    use super::codec::{Codec, stand_in};
    #[pymodule_export]
    use super::detokenizer::Detokenizer;
    #[pymodule_export]
    use super::explain::{Sequence, explain};
    #[pymodule_export]
    use super::failure::ConversionError;
    #[pymodule_export]
    use super::fault::Error;
    #[pymodule_export]
    use super::forms::{FormFacts, forms, label, labels, policies};
    #[pymodule_export]
    use super::found::{Detection, detect, something_else};
    #[pymodule_export]
    use super::functions::{
        check, command, convert, count, errors, is_binary, is_valid, length, repair, replaced,
    };

    #[pymodule_export]
    use super::hidden::{Hidden, invisible};
    #[pymodule_export]
    use super::mend::{Change, Mended, RefusedError, mend, mojibake};
    #[pymodule_export]
    use super::survey::Survey;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        // The class has `row` = None; the functions for columns set the row of the error.
        let error = module.py().get_type::<super::failure::ConversionError>();
        error.setattr("row", module.py().None())?;
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
