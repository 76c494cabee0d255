//! Makes a str from its code units, and reads the units of a str, without UTF-8 in between.

use std::ffi::{CStr, c_char, c_int, c_void};
use std::mem::MaybeUninit;
use std::sync::OnceLock;

use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};

/// A str of ISO 8859-1.
pub(super) fn of_latin1<'py>(py: Python<'py>, bytes: &[u8]) -> PyResult<Bound<'py, PyString>> {
    // SAFETY: a pointer and a length of one slice; no handler is needed, so its name may be null.
    let text =
        unsafe { ffi::PyUnicode_DecodeLatin1(bytes.as_ptr().cast(), length(bytes), core::ptr::null()) };
    owned(py, text)
}

/// A str of ASCII; `None` if the bytes are not ASCII.
pub(super) fn of_ascii<'py>(py: Python<'py>, bytes: &[u8]) -> Option<Bound<'py, PyString>> {
    // SAFETY: a pointer and a length of one slice; no handler is needed, so its name may be null.
    let text = unsafe { ffi::PyUnicode_DecodeASCII(bytes.as_ptr().cast(), length(bytes), core::ptr::null()) };
    forgiven(py, text)
}

/// A str of UTF-8; `None` if it is not well-formed.
pub(super) fn of_utf8<'py>(py: Python<'py>, bytes: &[u8]) -> Option<Bound<'py, PyString>> {
    // SAFETY: a pointer and a length of one slice, of which Python makes a copy after a check of its own.
    let text = unsafe { ffi::PyUnicode_FromStringAndSize(bytes.as_ptr().cast(), length(bytes)) };
    forgiven(py, text)
}

/// A str of UTF-8, or of ASCII if `is_ascii`, by CPython's own decoder with the handler `errors`; `None` if that raises.
pub(super) fn of_bytes_with<'py>(
    py: Python<'py>,
    bytes: &[u8],
    is_ascii: bool,
    errors: &CStr,
) -> Option<Bound<'py, PyString>> {
    let decode = if is_ascii { ffi::PyUnicode_DecodeASCII } else { ffi::PyUnicode_DecodeUTF8 };
    // SAFETY: a pointer and a length of one slice, and a name that ends in NUL.
    forgiven(py, unsafe { decode(bytes.as_ptr().cast(), length(bytes), errors.as_ptr()) })
}

/// A str of UTF-16, or of UTF-32 if `is_utf32`, big-endian if `is_big`, by CPython's own decoder with the handler `errors`; `None` if
/// that raises.
pub(super) fn of_wide_with<'py>(
    py: Python<'py>,
    bytes: &[u8],
    (is_utf32, is_big): (bool, bool),
    errors: &CStr,
) -> Option<Bound<'py, PyString>> {
    let decode = if is_utf32 { ffi::PyUnicode_DecodeUTF32 } else { ffi::PyUnicode_DecodeUTF16 };
    let (start, mut order) = (bytes.as_ptr().cast::<c_char>(), if is_big { 1 } else { -1 });
    // SAFETY: a pointer and a length of one slice, a name that ends in NUL, and `order` outlives the call.
    forgiven(py, unsafe { decode(start, length(bytes), errors.as_ptr(), &raw mut order) })
}

/// A str of units, of which each becomes a character, also surrogates.
pub(super) fn of_units16<'py>(py: Python<'py>, units: &[u16]) -> PyResult<Bound<'py, PyString>> {
    if let Some(from_kind) = from_kind() {
        // SAFETY: kind 2 means units of two bytes, and the slice has `length(units)` of them.
        return owned(py, unsafe { from_kind(2, units.as_ptr().cast(), length(units)) });
    }
    let mut order = NATIVE;
    let (start, bytes) = (units.as_ptr().cast::<c_char>(), length(units) * 2);
    // SAFETY: the slice has `bytes` bytes; the name of the handler ends in NUL, and `order` outlives the call.
    owned(py, unsafe { ffi::PyUnicode_DecodeUTF16(start, bytes, PASS.as_ptr(), &raw mut order) })
}

/// A str of little-endian units, of which each becomes a character; `None` where they cannot be read in place.
pub(super) fn of_units16_le<'py>(py: Python<'py>, bytes: &[u8]) -> Option<Bound<'py, PyString>> {
    let from_kind = from_kind().filter(|_| cfg!(target_endian = "little"))?;
    let start = bytes.as_ptr().cast::<u16>();
    // SAFETY: kind 2 means units of two bytes; the slice has half as many of them as bytes, at an address aligned for units.
    start.is_aligned().then(|| forgiven(py, unsafe { from_kind(2, start.cast(), length(bytes) / 2) }))?
}

/// A str of code points, also surrogates.
pub(super) fn of_units32<'py>(py: Python<'py>, units: &[u32]) -> PyResult<Bound<'py, PyString>> {
    if let Some(from_kind) = from_kind() {
        // SAFETY: kind 4 means units of four bytes, and the slice has `length(units)` of them; all callers pass code points.
        return owned(py, unsafe { from_kind(4, units.as_ptr().cast(), length(units)) });
    }
    let mut order = NATIVE;
    let (start, bytes) = (units.as_ptr().cast::<c_char>(), length(units) * 4);
    // SAFETY: the slice has `bytes` bytes; the name of the handler ends in NUL, and `order` outlives the call.
    owned(py, unsafe { ffi::PyUnicode_DecodeUTF32(start, bytes, PASS.as_ptr(), &raw mut order) })
}

/// The number of characters.
pub(super) fn count(text: &Bound<'_, PyString>) -> PyResult<usize> {
    // SAFETY: it is a str.
    let count = unsafe { ffi::PyUnicode_GetLength(text.as_ptr()) };
    usize::try_from(count).map_err(|_| PyErr::fetch(text.py()))
}

/// Writes the code points of a str to `room`, which must have space for all.
pub(super) fn read<'a>(
    text: &Bound<'_, PyString>,
    length: usize,
    room: &'a mut [u32],
) -> PyResult<&'a [u32]> {
    // SAFETY: the room has space for `room.len()` code points, and with the last argument 0 no null is written behind the text.
    let done =
        unsafe { ffi::PyUnicode_AsUCS4(text.as_ptr(), room.as_mut_ptr(), room.len() as ffi::Py_ssize_t, 0) };
    if done.is_null() { Err(PyErr::fetch(text.py())) } else { Ok(&room[..length]) }
}

/// The str as UTF-8, of which the str keeps no copy; `None` if it has a surrogate.
pub(super) fn utf8<'py>(text: &Bound<'py, PyString>) -> Option<Bound<'py, PyBytes>> {
    // SAFETY: it is a str.
    forgiven(text.py(), unsafe { ffi::PyUnicode_AsUTF8String(text.as_ptr()) })
}

/// The str as ISO 8859-1; `None` if that cannot encode it.
pub(super) fn latin1<'py>(text: &Bound<'py, PyString>) -> Option<Bound<'py, PyBytes>> {
    // SAFETY: it is a str.
    forgiven(text.py(), unsafe { ffi::PyUnicode_AsLatin1String(text.as_ptr()) })
}

/// The str as ASCII; `None` if that cannot encode it.
pub(super) fn ascii<'py>(text: &Bound<'py, PyString>) -> Option<Bound<'py, PyBytes>> {
    // SAFETY: it is a str.
    forgiven(text.py(), unsafe { ffi::PyUnicode_AsASCIIString(text.as_ptr()) })
}

/// The str encoded by CPython's encoder `name` with the handler `errors`; `None` if that raises.
pub(super) fn encoded_with<'py>(
    text: &Bound<'py, PyString>,
    name: &CStr,
    errors: &CStr,
) -> Option<Bound<'py, PyBytes>> {
    // SAFETY: a str and two names that end in NUL; what is returned is bytes, or null and an exception.
    forgiven(text.py(), unsafe {
        ffi::PyUnicode_AsEncodedString(text.as_ptr(), name.as_ptr(), errors.as_ptr())
    })
}

/// Calls `what`, which is compiled for AVX2 as well. Without that the compiler uses registers of 16 bytes, and CPython's own loops are
/// as fast.
#[inline(always)]
pub(super) fn vectorized<R>(what: impl FnOnce() -> R) -> R {
    #[cfg(target_arch = "x86_64")]
    {
        #[target_feature(enable = "avx2")]
        fn with_avx2<R>(what: impl FnOnce() -> R) -> R {
            what()
        }
        if is_x86_feature_detected!("avx2") {
            // SAFETY: the CPU has AVX2, as was just checked.
            return unsafe { with_avx2(what) };
        }
    }
    what()
}

/// Bytes: `mark`, a byte order mark or nothing, and behind it what `bytes` returns for each unit.
pub(super) fn bytes<'py, U: Copy, const N: usize>(
    py: Python<'py>,
    mark: &[u8],
    units: &[U],
    bytes: impl Fn(U) -> [u8; N],
) -> Option<Bound<'py, PyBytes>> {
    let count = length(mark).checked_add(length(units).checked_mul(N as ffi::Py_ssize_t)?)?;
    // SAFETY: with null, CPython makes an uninitialised bytes object, which nobody else has a reference to.
    let made = forgiven(py, unsafe { ffi::PyBytes_FromStringAndSize(core::ptr::null(), count) })?;
    // SAFETY: `made` is a bytes object.
    let start = unsafe { ffi::PyBytes_AsString(made.as_ptr()) }.cast::<u8>();
    // SAFETY: the object has space for the mark and `N` bytes for each unit, and nobody else has a reference to it.
    let out = unsafe {
        start.copy_from_nonoverlapping(mark.as_ptr(), mark.len());
        core::slice::from_raw_parts_mut(start.add(mark.len()).cast::<MaybeUninit<[u8; N]>>(), units.len())
    };
    vectorized(|| {
        for (to, &unit) in out.iter_mut().zip(units) {
            to.write(bytes(unit));
        }
    });
    Some(made)
}

/// The characters of a str in place, with the unit size in which CPython keeps them.
#[derive(Clone, Copy)]
pub(super) enum Inside<'a> {
    Ascii(&'a [u8]),
    /// ISO 8859-1 beyond ASCII.
    Latin1(&'a [u8]),
    /// Each unit is a character, also surrogates.
    Units16(&'a [u16]),
}

/// The place of the characters in a str that is not ASCII.
pub(super) struct Layout {
    size_of: NoArguments,
    head: usize,
}

/// The fewest characters that are read in place: with fewer, the size could also be that of a str with another unit size.
const LEAST: usize = 16;

impl Layout {
    /// Determines the layout from strings with known characters; `None` if it is not the expected one.
    pub(super) fn tried(py: Python<'_>) -> Option<Layout> {
        let bytes: Vec<u8> = (0x80..0x80 + 3 * LEAST as u8).collect();
        let units: Vec<u16> = (0x3B1..0x3B1 + 3 * LEAST as u16).collect();
        let (narrow, wide) = (of_latin1(py, &bytes).ok()?, of_units16(py, &units).ok()?);
        let size_of = NoArguments::of(py, c"__sizeof__")?;
        let layout = Layout { size_of, head: size_of.size(&narrow)?.checked_sub(bytes.len() + 1)? };
        let is_so = matches!(layout.read(&narrow, bytes.len())?, Inside::Latin1(found) if found == bytes)
            && matches!(layout.read(&wide, units.len())?, Inside::Units16(found) if found == units);
        is_so.then_some(layout)
    }

    /// The characters of a str that is not ASCII; `None` for a subclass of str, which keeps them elsewhere.
    pub(super) fn read<'a>(&self, text: &'a Bound<'_, PyString>, length: usize) -> Option<Inside<'a>> {
        if length < LEAST || !text.is_exact_instance_of::<PyString>() {
            return None;
        }
        let room = self.size_of.size(text)?.checked_sub(self.head)?;
        // SAFETY: the str has more than `head` bytes, the size of the head of a str that is not ASCII. An ASCII str fits neither case below.
        let start = unsafe { text.as_ptr().cast::<u8>().add(self.head) };
        if room == length + 1 {
            // SAFETY: behind its head a str has its characters and a zero, here with a byte for each. They never change, and live as
            // long as the str.
            return Some(Inside::Latin1(unsafe { core::slice::from_raw_parts(start, length) }));
        }
        let start = start.cast::<u16>();
        if room != 2 * (length + 1) || !start.is_aligned() || !Self::begins(text, start) {
            return None;
        }
        // SAFETY: as above, with two bytes for each, at an address aligned for units.
        Some(Inside::Units16(unsafe { core::slice::from_raw_parts(start, length) }))
    }

    /// Whether a str of [`LEAST`] characters or more begins with the two units at `start`. A str with one byte per character that keeps its
    /// UTF-8 may have the same size if, against CPython's rules, it has only ASCII.
    fn begins(text: &Bound<'_, PyString>, start: *const u16) -> bool {
        (0..2).all(|at| {
            // SAFETY: the str has more than two characters, and the memory behind its head has space for two units at least.
            let (unit, c) =
                unsafe { (*start.add(at), ffi::PyUnicode_ReadChar(text.as_ptr(), at as ffi::Py_ssize_t)) };
            u32::from(unit) == c
        })
    }
}

/// A method of str that takes no arguments, as a C function: a lookup of the method would take longer than its work.
#[derive(Clone, Copy)]
pub(super) struct NoArguments(ffi::PyCFunction);

impl NoArguments {
    pub(super) fn of(py: Python<'_>, name: &CStr) -> Option<NoArguments> {
        let bound = PyString::new(py, "").getattr(name.to_str().ok()?).ok()?;
        // SAFETY: `bound` is an object.
        if unsafe { ffi::PyCFunction_CheckExact(bound.as_ptr()) } == 0 {
            return None;
        }
        // SAFETY: `bound` is a C function.
        let flags: c_int = unsafe { ffi::PyCFunction_GetFlags(bound.as_ptr()) };
        // SAFETY: as above; a function with the flag METH_NOARGS has this type.
        (flags == ffi::METH_NOARGS)
            .then(|| unsafe { ffi::PyCFunction_GetFunction(bound.as_ptr()) }.map(NoArguments))?
    }

    pub(super) fn call<'py>(self, text: &Bound<'py, PyString>) -> Option<Bound<'py, PyAny>> {
        // SAFETY: a method of str without arguments takes a str and null. It returns a new reference, or null with an exception set.
        unsafe { Bound::from_owned_ptr_or_err(text.py(), (self.0)(text.as_ptr(), core::ptr::null_mut())) }
            .ok()
    }

    fn size(self, text: &Bound<'_, PyString>) -> Option<usize> {
        // SAFETY: the argument is an object; if it is no number, an exception is set and the result is negative.
        let size = unsafe { ffi::PyLong_AsSsize_t(self.call(text)?.as_ptr()) };
        usize::try_from(size).map_err(|_| PyErr::take(text.py())).ok()
    }
}

const PASS: &CStr = c"surrogatepass";
/// CPython's number for the byte order of this machine.
const NATIVE: c_int = if cfg!(target_endian = "little") { -1 } else { 1 };

fn length<T>(slice: &[T]) -> ffi::Py_ssize_t {
    // The length of a slice always fits in `isize`.
    slice.len() as ffi::Py_ssize_t
}

fn owned<'py, T>(py: Python<'py>, object: *mut ffi::PyObject) -> PyResult<Bound<'py, T>> {
    // SAFETY: the caller got `object` from a function that returns a new reference to a `T`, or null with an exception set.
    unsafe { Bound::from_owned_ptr_or_err(py, object).map(|object| object.cast_into_unchecked()) }
}

/// The object. If there is none, the exception is dropped, because the general path will raise a better one.
fn forgiven<'py, T>(py: Python<'py>, object: *mut ffi::PyObject) -> Option<Bound<'py, T>> {
    owned(py, object).ok()
}

/// `PyUnicode_FromKindAndData`.
type FromKind = unsafe extern "C" fn(c_int, *const c_void, ffi::Py_ssize_t) -> *mut ffi::PyObject;

/// CPython's function that copies units into a str. It is public and the same since 3.3, but not part of the stable ABI; so it is
/// looked up by name, once.
#[cfg(all(unix, not(target_os = "macos")))]
fn from_kind() -> Option<FromKind> {
    unsafe extern "C" {
        fn dlsym(handle: *mut c_void, name: *const c_char) -> *mut c_void;
    }
    static FOUND: OnceLock<Option<FromKind>> = OnceLock::new();
    *FOUND.get_or_init(|| {
        // SAFETY: null means all loaded libraries, and the name ends in NUL.
        let found = unsafe { dlsym(core::ptr::null_mut(), c"PyUnicode_FromKindAndData".as_ptr()) };
        // SAFETY: CPython's function of this name has this type, and null becomes `None`.
        unsafe { core::mem::transmute::<*mut c_void, Option<FromKind>>(found) }
    })
}

#[cfg(not(all(unix, not(target_os = "macos"))))]
fn from_kind() -> Option<FromKind> {
    static FOUND: OnceLock<Option<FromKind>> = OnceLock::new();
    *FOUND.get_or_init(|| None)
}
