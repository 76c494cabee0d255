//! Reads the characters of a str in place. A copy would take longer than the work of most encoders.
//!
//! For ASCII, abi3 has a function. For other text this relies on CPython's layout, a head and then the characters, which has been
//! public and the same since 3.3. The layout is tested once; if the test fails, only ASCII is read here.
#![forbid(unsafe_code)]

use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBool, PyString};

use super::units::{Inside, Layout, NoArguments};

/// The characters of a str with `length` of them; `None` if this str cannot be read in place.
pub(super) fn of<'a>(text: &'a Bound<'_, PyString>, length: usize) -> Option<Inside<'a>> {
    static LAYOUT: PyOnceLock<Option<Layout>> = PyOnceLock::new();
    // A subclass of str would keep the UTF-8 that is made of it.
    if !text.is_exact_instance_of::<PyString>() {
        return None;
    }
    match ascii(text) {
        Some(bytes) => Some(Inside::Ascii(bytes)),
        None => LAYOUT.get_or_init(text.py(), || Layout::tried(text.py())).as_ref()?.read(text, length),
    }
}

/// The bytes of a str of ASCII. They are its UTF-8, so Python makes and keeps no copy.
fn ascii<'a>(text: &'a Bound<'_, PyString>) -> Option<&'a [u8]> {
    static IS_ASCII: PyOnceLock<Option<NoArguments>> = PyOnceLock::new();
    let is_ascii = (*IS_ASCII.get_or_init(text.py(), || NoArguments::of(text.py(), c"isascii")))?;
    let is_true = is_ascii.call(text)?.cast::<PyBool>().is_ok_and(|is_ascii| is_ascii.is_true());
    is_true.then(|| text.to_str().ok().map(str::as_bytes))?
}
