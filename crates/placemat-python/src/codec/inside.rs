//! The characters of a str where they stand: without a copy, which takes longer than what most encoders do.
//!
//! ASCII is handed out by abi3 itself. For the rest CPython's layout is relied on, a head and then the characters, which has been
//! public and the same since 3.3; it is tried out once, and where it is not so, nothing is read here.

use std::ffi::{CStr, c_int};

use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyString;

use super::units::{of_latin1, of_units16};

/// The characters of a str, in as few bytes as CPython has for them.
#[derive(Clone, Copy)]
pub(super) enum Inside<'a> {
    Ascii(&'a [u8]),
    /// ISO 8859-1 beyond ASCII.
    Latin1(&'a [u8]),
    /// Each a character by itself, surrogates too.
    Units16(&'a [u16]),
}

impl<'a> Inside<'a> {
    /// `None` if that cannot be told of this one, which is of so many characters.
    pub(super) fn of(text: &'a Bound<'_, PyString>, length: usize) -> Option<Self> {
        // SAFETY: it is a str.
        if unsafe { ffi::PyUnicode_CheckExact(text.as_ptr()) } == 0 {
            // One of a class of its own keeps its characters elsewhere.
            return None;
        }
        match ascii(text) {
            Some(bytes) => Some(Inside::Ascii(bytes)),
            None => LAYOUT.get_or_init(text.py(), || Layout::tried(text.py())).as_ref()?.read(text, length),
        }
    }
}

/// The bytes of a str of ASCII. That is its UTF-8, of which it need not make and keep a copy.
fn ascii<'a>(text: &'a Bound<'_, PyString>) -> Option<&'a [u8]> {
    static IS_ASCII: PyOnceLock<Option<NoArguments>> = PyOnceLock::new();
    let is_ascii = (*IS_ASCII.get_or_init(text.py(), || NoArguments::of(text.py(), c"isascii")))?;
    // SAFETY: true and false live as long as the interpreter.
    let is_true = is_ascii.call(text)?.as_ptr() == unsafe { ffi::Py_True() };
    is_true.then(|| text.to_str().ok().map(str::as_bytes))?
}

/// Where the characters of a str begin that are not ASCII.
struct Layout {
    size_of: NoArguments,
    head: usize,
}

static LAYOUT: PyOnceLock<Option<Layout>> = PyOnceLock::new();

/// With fewer characters a size might be that of a str of another kind, kept in another way.
const LEAST: usize = 16;

impl Layout {
    /// What is found at strings whose characters are known.
    fn tried(py: Python<'_>) -> Option<Layout> {
        let bytes: Vec<u8> = (0x80..0x80 + 3 * LEAST as u8).collect();
        let units: Vec<u16> = (0x3B1..0x3B1 + 3 * LEAST as u16).collect();
        let (narrow, wide) = (of_latin1(py, &bytes).ok()?, of_units16(py, &units).ok()?);
        let size_of = NoArguments::of(py, c"__sizeof__")?;
        let layout = Layout { size_of, head: size_of.size(&narrow)?.checked_sub(bytes.len() + 1)? };
        let is_so = matches!(layout.read(&narrow, bytes.len())?, Inside::Latin1(found) if found == bytes)
            && matches!(layout.read(&wide, units.len())?, Inside::Units16(found) if found == units);
        is_so.then_some(layout)
    }

    /// The characters of a str that is not ASCII, and of no class of its own.
    fn read<'a>(&self, text: &'a Bound<'_, PyString>, length: usize) -> Option<Inside<'a>> {
        if length < LEAST {
            return None;
        }
        let room = self.size_of.size(text)?.checked_sub(self.head)?;
        // SAFETY: of a str that is not ASCII so many bytes are the head, as is the same for all of them.
        let start = unsafe { text.as_ptr().cast::<u8>().add(self.head) };
        if room == length + 1 {
            // SAFETY: what a str has beyond its head is its characters and a zero, here a byte for each; they never change, and live as
            // long as it.
            return Some(Inside::Latin1(unsafe { core::slice::from_raw_parts(start, length) }));
        }
        let start = start.cast::<u16>();
        if room != 2 * (length + 1) || !start.is_aligned() || !Self::begins(text, start) {
            return None;
        }
        // SAFETY: as above, here two bytes for each, at an address that is one of units.
        Some(Inside::Units16(unsafe { core::slice::from_raw_parts(start, length) }))
    }

    /// Whether a str of [`LEAST`] characters or more begins with the first units here. One of bytes that keeps its UTF-8 may have the same
    /// size if it has, against CPython's rules, nothing beyond ASCII.
    fn begins(text: &Bound<'_, PyString>, start: *const u16) -> bool {
        (0..2).all(|at| {
            // SAFETY: so many characters has the str, and so many bytes for each kind.
            let (unit, c) =
                unsafe { (*start.add(at), ffi::PyUnicode_ReadChar(text.as_ptr(), at as ffi::Py_ssize_t)) };
            u32::from(unit) == c
        })
    }
}

/// A method of str that takes no arguments, as the function that it is: to look it up takes longer than what it does.
#[derive(Clone, Copy)]
struct NoArguments(ffi::PyCFunction);

impl NoArguments {
    fn of(py: Python<'_>, name: &CStr) -> Option<NoArguments> {
        let bound = PyString::new(py, "").getattr(name.to_str().ok()?).ok()?;
        // SAFETY: it is an object.
        if unsafe { ffi::PyCFunction_CheckExact(bound.as_ptr()) } == 0 {
            return None;
        }
        // SAFETY: it is a function of C.
        let flags: c_int = unsafe { ffi::PyCFunction_GetFlags(bound.as_ptr()) };
        // SAFETY: as above; what takes no arguments is of this type.
        (flags == ffi::METH_NOARGS)
            .then(|| unsafe { ffi::PyCFunction_GetFunction(bound.as_ptr()) }.map(NoArguments))?
    }

    fn call<'py>(self, text: &Bound<'py, PyString>) -> Option<Bound<'py, PyAny>> {
        // SAFETY: a method of str gets a str and, as it takes no arguments, null; it returns a new reference, or null and an exception.
        unsafe { Bound::from_owned_ptr_or_err(text.py(), (self.0)(text.as_ptr(), core::ptr::null_mut())) }
            .ok()
    }

    fn size(self, text: &Bound<'_, PyString>) -> Option<usize> {
        // SAFETY: it is an object; where it is no number, there is an exception, and so the answer is negative.
        let size = unsafe { ffi::PyLong_AsSsize_t(self.call(text)?.as_ptr()) };
        usize::try_from(size).map_err(|_| PyErr::take(text.py())).ok()
    }
}
