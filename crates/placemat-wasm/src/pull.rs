//! Reads bytes from JavaScript when they are needed, so that a file of any length needs little memory.

use std::io::{self, Read};

/// A reader of the source that JavaScript has open.
#[derive(Clone, Copy)]
pub(crate) struct Pull;

#[cfg(target_arch = "wasm32")]
#[link(wasm_import_module = "placemat")]
unsafe extern "C" {
    /// Writes at most `length` bytes at `at`, and returns their number: 0 at the end, -1 if reading failed.
    safe fn placemat_pull(at: *mut u8, length: usize) -> isize;
}

/// The tests of this crate do not run in JavaScript.
#[cfg(not(target_arch = "wasm32"))]
fn placemat_pull(_at: *mut u8, _length: usize) -> isize {
    0
}

impl Read for Pull {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        let read = placemat_pull(room.as_mut_ptr(), room.len());
        match usize::try_from(read) {
            Ok(read) => Ok(read.min(room.len())),
            Err(_) => Err(io::Error::other("the source could not be read")),
        }
    }
}
