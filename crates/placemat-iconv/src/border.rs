//! The caller's variables, and what else is asked of the C library.

use std::ffi::{CStr, c_char, c_int};
use std::ptr;

/// A buffer and what is left of it, in the caller's variables.
pub(crate) struct Side {
    pointer: *mut *mut c_char,
    left: *mut usize,
    pub(crate) buffer: *mut c_char,
    pub(crate) len: usize,
}

impl Side {
    /// The side that these variables are. `None` where there is no buffer.
    ///
    /// # Safety
    /// Each pointer is null or to a variable.
    pub(crate) unsafe fn of(pointer: *mut *mut c_char, left: *mut usize) -> Result<Option<Side>, c_int> {
        if pointer.is_null() {
            return Ok(None);
        }
        // SAFETY: it is not null, so it is to a variable.
        let buffer = unsafe { *pointer };
        if buffer.is_null() {
            return Ok(None);
        }
        if left.is_null() {
            return Err(libc::EFAULT);
        }
        // SAFETY: the same. No object is longer than `isize::MAX`, nor goes beyond the last address, whatever the caller says.
        let len = unsafe { *left }.min(isize::MAX as usize).min(usize::MAX - buffer.addr());
        Ok(Some(Side { pointer, left, buffer, len }))
    }

    pub(crate) fn overlaps(&self, other: &Side) -> bool {
        let (start, other_start) = (self.buffer.addr(), other.buffer.addr());
        start < other_start.saturating_add(other.len) && other_start < start.saturating_add(self.len)
    }

    /// So many bytes of it are done.
    pub(crate) fn advance(&mut self, bytes: usize) {
        // SAFETY: `of` read both variables; `bytes` is at most the length, so the pointer stays within or at the end of the buffer.
        unsafe {
            ptr::write(self.pointer, self.buffer.add(bytes));
            ptr::write(self.left, *self.left - bytes);
        }
    }
}

#[cfg(any(target_os = "linux", target_os = "hurd", target_os = "redox"))]
pub(crate) unsafe fn errno() -> *mut c_int {
    // SAFETY: it has no preconditions.
    unsafe { libc::__errno_location() }
}

#[cfg(any(target_vendor = "apple", target_os = "freebsd"))]
pub(crate) unsafe fn errno() -> *mut c_int {
    // SAFETY: it has no preconditions.
    unsafe { libc::__error() }
}

/// The codeset of the locale, which an empty name means.
pub(crate) fn codeset() -> String {
    // SAFETY: it returns a string that ends with a zero and stays until the next call or change of the locale; it is copied at once.
    let name = unsafe { libc::nl_langinfo(libc::CODESET) };
    if name.is_null() {
        return String::new();
    }
    // SAFETY: the same.
    unsafe { CStr::from_ptr(name) }.to_string_lossy().into_owned()
}
