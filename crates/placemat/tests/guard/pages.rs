//! A few pages of memory between two pages that cannot be accessed.

use std::ptr::{self, NonNull};
use std::slice;

/// The end of the pages at which a slice lies.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Edge {
    Start,
    End,
}

impl Edge {
    pub(crate) const BOTH: [Edge; 2] = [Edge::Start, Edge::End];
}

/// A code unit.
///
/// # Safety
/// Every pattern of bits must be a value of the type.
pub(crate) unsafe trait Unit: Copy {}

// SAFETY: it is a number.
unsafe impl Unit for u16 {}

// SAFETY: it is a number.
unsafe impl Unit for u32 {}

/// The value of bytes that must not be written.
const CANARY: u8 = 0xA5;

/// No slice here is longer.
const NEAR: usize = 4096;

/// The pages: `len` bytes from `first` on.
pub(crate) struct Pages {
    first: NonNull<u8>,
    len: usize,
    guard: usize,
}

impl Pages {
    pub(crate) fn new() -> Pages {
        // SAFETY: this call only returns a number.
        let guard = usize::try_from(unsafe { libc::sysconf(libc::_SC_PAGESIZE) }).expect("pages have a size");
        let len = NEAR.next_multiple_of(guard);
        // SAFETY: a new private mapping at an address that the system chooses; it touches no other memory.
        let whole = unsafe {
            libc::mmap(
                ptr::null_mut(),
                len + 2 * guard,
                libc::PROT_NONE,
                libc::MAP_PRIVATE | libc::MAP_ANONYMOUS,
                -1,
                0,
            )
        };
        assert_ne!(whole, libc::MAP_FAILED, "the system has pages");
        // SAFETY: inside the mapping, which is `len + 2 * guard` bytes long.
        let first = unsafe { whole.cast::<u8>().add(guard) };
        // SAFETY: whole pages of our own mapping.
        let status = unsafe { libc::mprotect(first.cast(), len, libc::PROT_READ | libc::PROT_WRITE) };
        assert_eq!(status, 0, "the pages between can be opened");
        Pages { first: NonNull::new(first).expect("a mapping is not at null"), len, guard }
    }

    /// The bytes near one end of the pages.
    fn near(&mut self, edge: Edge) -> &mut [u8; NEAR] {
        // SAFETY: `len` bytes that can be read and written (`new`), zeros at first, borrowed with `self`.
        let all = unsafe { slice::from_raw_parts_mut(self.first.as_ptr(), self.len) };
        match edge {
            Edge::Start => all.first_chunk_mut(),
            Edge::End => all.last_chunk_mut(),
        }
        .expect("there are so many")
    }

    /// `len` bytes at one end. The bytes beside them are set to what [`is_untouched_outside`](Pages::is_untouched_outside)
    /// expects.
    pub(crate) fn slice(&mut self, edge: Edge, len: usize) -> &mut [u8] {
        let near = self.near(edge);
        *near = [CANARY; NEAR];
        match edge {
            Edge::Start => &mut near[..len],
            Edge::End => &mut near[NEAR - len..],
        }
    }

    /// The same for units with the content of `from`. Their alignment is right, because both ends of the pages are aligned.
    pub(crate) fn units<T: Unit>(&mut self, edge: Edge, from: &[T]) -> &mut [T] {
        let bytes = self.slice(edge, size_of_val(from));
        // SAFETY: every pattern of bits is a `Unit`.
        let (before, units, after) = unsafe { bytes.align_to_mut() };
        assert!(before.is_empty() && after.is_empty());
        units.copy_from_slice(from);
        units
    }

    /// Whether nothing was written beside the last slice.
    pub(crate) fn is_untouched_outside(&mut self, edge: Edge, len: usize) -> bool {
        let near = self.near(edge);
        let outside = match edge {
            Edge::Start => &near[len..],
            Edge::End => &near[..NEAR - len],
        };
        *outside == [CANARY; NEAR][..NEAR - len]
    }
}

impl Drop for Pages {
    fn drop(&mut self) {
        // SAFETY: the whole mapping that `new` made, and no slice of it outlives `self`.
        unsafe { libc::munmap(self.first.as_ptr().sub(self.guard).cast(), self.len + 2 * self.guard) };
    }
}
