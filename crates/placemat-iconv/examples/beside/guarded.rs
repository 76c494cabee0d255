//! Buffers after which an access ends the process.

use std::{ptr, slice};

/// Memory that ends at the start of a page without access rights.
pub(crate) struct Guarded {
    start: *mut u8,
    len: usize,
    page: usize,
}

impl Guarded {
    /// Allocates at least this many bytes.
    pub(crate) fn new(least: usize) -> Guarded {
        // SAFETY: it has no preconditions.
        let page = unsafe { libc::sysconf(libc::_SC_PAGESIZE) } as usize;
        let len = least.next_multiple_of(page);
        let (rights, kind) = (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS);
        // SAFETY: new memory, whose last page then loses its access rights.
        unsafe {
            let start = libc::mmap(ptr::null_mut(), len + page, rights, kind, -1, 0);
            assert!(start != libc::MAP_FAILED);
            assert_eq!(libc::mprotect(start.byte_add(len), page, libc::PROT_NONE), 0);
            Guarded { start: start.cast(), len, page }
        }
    }

    /// Returns the last `len` bytes, as zeros.
    pub(crate) fn last(&mut self, len: usize) -> &mut [u8] {
        assert!(len <= self.len);
        // SAFETY: within the memory of `new`, which is borrowed as long as the result.
        let last = unsafe { slice::from_raw_parts_mut(self.start.add(self.len - len), len) };
        last.fill(0);
        last
    }
}

impl Drop for Guarded {
    fn drop(&mut self) {
        // SAFETY: `new` mapped this memory, and nobody borrows it.
        unsafe { libc::munmap(self.start.cast(), self.len + self.page) };
    }
}
