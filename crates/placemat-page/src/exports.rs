//! The interface to JavaScript: four functions that it calls, and three that it provides. No pointer comes in.

use std::cell::RefCell;

use crate::answer::answer;
use crate::host::Host;
use crate::names;

#[derive(Default)]
struct Border {
    input: Vec<u8>,
    output: Vec<u8>,
}

std::thread_local! {
    // WebAssembly has one thread here.
    static BORDER: RefCell<Border> = RefCell::default();
}

/// Returns room for the next question, of `length` bytes. After any call, views of the memory may be invalid.
// SAFETY: no other crate of this module exports these names.
#[unsafe(no_mangle)]
extern "C" fn page_room(length: usize) -> *mut u8 {
    BORDER.with_borrow_mut(|border| {
        border.input = vec![0; length];
        border.input.as_mut_ptr()
    })
}

/// Answers the question whose JSON is the first `length` bytes of the room; the bytes after it belong to the question. Returns
/// the length of the answer.
// SAFETY: as above.
#[unsafe(no_mangle)]
extern "C" fn page_ask(length: usize) -> usize {
    BORDER.with_borrow_mut(|border| {
        let input = std::mem::take(&mut border.input);
        let (question, bytes) = input.split_at(length.min(input.len()));
        border.output = answer(question, bytes, &mut Page);
        border.output.len()
    })
}

/// Sets the names of characters from the text in the room. Answers before this call have no names.
// SAFETY: as above.
#[unsafe(no_mangle)]
extern "C" fn page_names() {
    names::take(&BORDER.with_borrow_mut(|border| std::mem::take(&mut border.input)));
}

/// The address of the answer.
// SAFETY: as above.
#[unsafe(no_mangle)]
extern "C" fn page_answer() -> *const u8 {
    BORDER.with_borrow(|border| border.output.as_ptr())
}

/// The page that runs this module.
struct Page;

#[cfg(target_arch = "wasm32")]
impl Host for Page {
    fn open(&mut self, file: u32, offset: u64) {
        // A double is exact up to 2⁵³, and no file is longer.
        imports::open(file, offset as f64);
    }

    fn read(&mut self, room: &mut [u8]) -> Option<usize> {
        let read = imports::read(room.as_mut_ptr(), room.len());
        usize::try_from(read).ok().filter(|&read| read <= room.len())
    }

    fn write(&mut self, output: u32, bytes: &[u8]) {
        imports::write(output, bytes.as_ptr(), bytes.len());
    }
}

#[cfg(target_arch = "wasm32")]
mod imports {
    #[link(wasm_import_module = "page")]
    // SAFETY: JavaScript writes and reads no more than the length that it is given, through a view of this module's own memory,
    // which cannot reach anything else. Calling the functions is therefore safe.
    unsafe extern "C" {
        pub(super) safe fn open(file: u32, offset: f64);
        pub(super) safe fn read(room: *mut u8, length: usize) -> i32;
        pub(super) safe fn write(output: u32, bytes: *const u8, length: usize);
    }
}

/// Outside a browser there is no page.
#[cfg(not(target_arch = "wasm32"))]
impl Host for Page {
    fn open(&mut self, _: u32, _: u64) {}

    fn read(&mut self, _: &mut [u8]) -> Option<usize> {
        None
    }

    fn write(&mut self, _: u32, _: &[u8]) {}
}
