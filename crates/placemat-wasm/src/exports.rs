//! The functions that JavaScript calls. `unsafe` is here for their names alone: no pointer is read.

use core::cell::RefCell;

use crate::session::Session;

std::thread_local! {
    // WebAssembly has one thread here.
    static SESSION: RefCell<Session> = RefCell::new(Session::default());
}

fn with<T>(work: impl FnOnce(&mut Session) -> T) -> T {
    SESSION.with_borrow_mut(work)
}

/// Room for the next input of `length` bytes. What was told before is lost; views of the memory may be stale after any call.
// SAFETY: no other crate of this module exports these names.
#[unsafe(no_mangle)]
extern "C" fn placemat_room(length: usize) -> *mut u8 {
    with(|session| session.room(length).as_mut_ptr())
}

/// Where the last call told its results; see `session::Told`.
// SAFETY: as above.
#[unsafe(no_mangle)]
extern "C" fn placemat_told() -> *const u32 {
    with(|session| (&raw const session.told).cast())
}

/// `Session::open`.
// SAFETY: as above.
#[unsafe(no_mangle)]
extern "C" fn placemat_open() -> i32 {
    with(Session::open)
}

/// `Session::push`.
// SAFETY: as above.
#[unsafe(no_mangle)]
extern "C" fn placemat_push(handle: usize, is_last: u32) {
    with(|session| session.push(handle, is_last != 0));
}

/// `Session::close`.
// SAFETY: as above.
#[unsafe(no_mangle)]
extern "C" fn placemat_close(handle: usize) {
    with(|session| session.close(handle));
}

/// `Session::errors`.
// SAFETY: as above.
#[unsafe(no_mangle)]
extern "C" fn placemat_errors(form: usize, limit: usize) -> i32 {
    with(|session| session.errors(form, limit))
}

/// `Session::floor`.
// SAFETY: as above.
#[unsafe(no_mangle)]
extern "C" fn placemat_floor(form: usize, index: usize) -> i32 {
    with(|session| session.floor(form, index))
}

/// `Session::label`.
// SAFETY: as above.
#[unsafe(no_mangle)]
extern "C" fn placemat_label() -> i32 {
    with(Session::label)
}

/// `Session::names`.
// SAFETY: as above.
#[unsafe(no_mangle)]
extern "C" fn placemat_names() {
    with(Session::names);
}
