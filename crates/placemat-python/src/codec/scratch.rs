//! Scratch memory for the units between bytes and a str, kept for the next text.
#![forbid(unsafe_code)]

use core::cell::RefCell;

/// The most units that are kept for the next text. Memory for more is freed after use.
const KEPT: usize = 128 << 10;

thread_local! {
    static ROOM8: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    static ROOM16: RefCell<Vec<u16>> = const { RefCell::new(Vec::new()) };
    static ROOM32: RefCell<Vec<u32>> = const { RefCell::new(Vec::new()) };
    static TEXT: RefCell<Vec<u32>> = const { RefCell::new(Vec::new()) };
}

pub(super) fn with_room8<T>(count: usize, work: impl FnOnce(&mut [u8]) -> T) -> T {
    with_room(&ROOM8, count, work)
}

pub(super) fn with_room16<T>(count: usize, work: impl FnOnce(&mut [u16]) -> T) -> T {
    with_room(&ROOM16, count, work)
}

pub(super) fn with_room32<T>(count: usize, work: impl FnOnce(&mut [u32]) -> T) -> T {
    with_room(&ROOM32, count, work)
}

/// Room for the code points of a str. It is separate, so that their conversion can use the others at the same time.
pub(super) fn with_text<T>(count: usize, work: impl FnOnce(&mut [u32]) -> T) -> T {
    with_room(&TEXT, count, work)
}

/// Calls `work` with room for at least `count` units, whose content is arbitrary.
fn with_room<U: Copy + Default, T>(
    room: &'static std::thread::LocalKey<RefCell<Vec<U>>>,
    count: usize,
    work: impl FnOnce(&mut [U]) -> T,
) -> T {
    if count > KEPT {
        return work(&mut vec![U::default(); count]);
    }
    room.with(|room| match room.try_borrow_mut() {
        Ok(mut room) => {
            if room.len() < count {
                room.resize(count, U::default());
            }
            work(&mut room)
        }
        // A destructor has called Python code that uses this room again.
        Err(_) => work(&mut vec![U::default(); count]),
    })
}
