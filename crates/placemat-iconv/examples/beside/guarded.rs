//! Buffers in which a byte too many ends the process.

use std::{ptr, slice};

/// Memory that ends where a page begins that nobody may touch.
pub(crate) struct Guarded {
    start: *mut u8,
    len: usize,
    page: usize,
}

impl Guarded {
    /// So many bytes at least.
    pub(crate) fn new(least: usize) -> Guarded {
        // SAFETY: it has no preconditions.
        let page = unsafe { libc::sysconf(libc::_SC_PAGESIZE) } as usize;
        let len = least.next_multiple_of(page);
        let (rights, kind) = (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS);
        // SAFETY: new memory, of which the last page then loses its rights.
        unsafe {
            let start = libc::mmap(ptr::null_mut(), len + page, rights, kind, -1, 0);
            assert!(start != libc::MAP_FAILED);
            assert_eq!(libc::mprotect(start.byte_add(len), page, libc::PROT_NONE), 0);
            Guarded { start: start.cast(), len, page }
        }
    }

    /// The last `len` bytes, which are zeros.
    pub(crate) fn last(&mut self, len: usize) -> &mut [u8] {
        assert!(len <= self.len);
        // SAFETY: within the memory of `new`, which is borrowed as long as the answer.
        let last = unsafe { slice::from_raw_parts_mut(self.start.add(self.len - len), len) };
        last.fill(0);
        last
    }
}

impl Drop for Guarded {
    fn drop(&mut self) {
        // SAFETY: what `new` got, and nobody borrows it.
        unsafe { libc::munmap(self.start.cast(), self.len + self.page) };
    }
}
