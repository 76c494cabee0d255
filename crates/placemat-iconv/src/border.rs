//! Access to the caller's variables, and to the C library.

use std::ffi::{CStr, c_char, c_int};
use std::ptr;

/// A buffer and its remaining length, which are variables of the caller.
pub(crate) struct Side {
    pointer: *mut *mut c_char,
    left: *mut usize,
    pub(crate) buffer: *mut c_char,
    pub(crate) len: usize,
}

impl Side {
    /// Reads the variables of one side. `None` if there is no buffer.
    ///
    /// # Safety
    /// Each pointer is null or points to a variable.
    pub(crate) unsafe fn of(pointer: *mut *mut c_char, left: *mut usize) -> Result<Option<Side>, c_int> {
        if pointer.is_null() {
            return Ok(None);
        }
        // SAFETY: it is not null, so it points to a variable.
        let buffer = unsafe { *pointer };
        if buffer.is_null() {
            return Ok(None);
        }
        if left.is_null() {
            return Err(libc::EFAULT);
        }
        // SAFETY: as above. No object is longer than `isize::MAX` or reaches beyond the last address, whatever length the caller gives.
        let len = unsafe { *left }.min(isize::MAX as usize).min(usize::MAX - buffer.addr());
        Ok(Some(Side { pointer, left, buffer, len }))
    }

    pub(crate) fn overlaps(&self, other: &Side) -> bool {
        let (start, other_start) = (self.buffer.addr(), other.buffer.addr());
        start < other_start.saturating_add(other.len) && other_start < start.saturating_add(self.len)
    }

    /// Moves the variables forward by this many bytes.
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

/// The codeset of the locale, which is what an empty name means.
pub(crate) fn codeset() -> String {
    // SAFETY: it returns a string that ends with a NUL and lives until the next call or change of the locale; it is copied at once.
    let name = unsafe { libc::nl_langinfo(libc::CODESET) };
    if name.is_null() {
        return String::new();
    }
    // SAFETY: as above.
    unsafe { CStr::from_ptr(name) }.to_string_lossy().into_owned()
}
