//! The border to JavaScript: four functions that it calls, three that it has. No pointer comes in.

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

/// Room for the next question of `length` bytes. Views of the memory may be stale after any call.
// SAFETY: no other crate of this module exports these names.
#[unsafe(no_mangle)]
extern "C" fn page_room(length: usize) -> *mut u8 {
    BORDER.with_borrow_mut(|border| {
        border.input = vec![0; length];
        border.input.as_mut_ptr()
    })
}

/// Answer the question whose JSON takes the first `length` bytes of the room; the rest are its bytes. The length of the answer.
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

/// Take what is in the room as the names of characters. Answers before it have none.
// SAFETY: as above.
#[unsafe(no_mangle)]
extern "C" fn page_names() {
    names::take(&BORDER.with_borrow_mut(|border| std::mem::take(&mut border.input)));
}

/// Where the answer stands.
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
    // SAFETY: JavaScript writes and reads no more than the length it is given, through a view of this module's own memory, which
    // cannot reach anything else; so the functions are safe to call.
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
