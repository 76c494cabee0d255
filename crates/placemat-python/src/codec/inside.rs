//! The characters of a str where they stand: without a copy, which takes longer than what most encoders do.
//!
//! ASCII is handed out by abi3 itself. For the rest CPython's layout is relied on, a head and then the characters, which has been
//! public and the same since 3.3; it is tried out once, and where it is not so, nothing is read here.
#![forbid(unsafe_code)]

use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBool, PyString};

use super::units::{Inside, Layout, NoArguments};

/// The characters of a str of so many; `None` if that cannot be told of this one.
pub(super) fn of<'a>(text: &'a Bound<'_, PyString>, length: usize) -> Option<Inside<'a>> {
    static LAYOUT: PyOnceLock<Option<Layout>> = PyOnceLock::new();
    // The UTF-8 of one of a class of its own would be kept.
    if !text.is_exact_instance_of::<PyString>() {
        return None;
    }
    match ascii(text) {
        Some(bytes) => Some(Inside::Ascii(bytes)),
        None => LAYOUT.get_or_init(text.py(), || Layout::tried(text.py())).as_ref()?.read(text, length),
    }
}

/// The bytes of a str of ASCII. That is its UTF-8, of which it need not make and keep a copy.
fn ascii<'a>(text: &'a Bound<'_, PyString>) -> Option<&'a [u8]> {
    static IS_ASCII: PyOnceLock<Option<NoArguments>> = PyOnceLock::new();
    let is_ascii = (*IS_ASCII.get_or_init(text.py(), || NoArguments::of(text.py(), c"isascii")))?;
    let is_true = is_ascii.call(text)?.cast::<PyBool>().is_ok_and(|is_ascii| is_ascii.is_true());
    is_true.then(|| text.to_str().ok().map(str::as_bytes))?
}
