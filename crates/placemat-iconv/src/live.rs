//! The descriptors that are open. A program holds numbers, not addresses, so that a closed descriptor is seen and nothing is ever read
//! behind a wrong one.

use std::cell::UnsafeCell;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};

use placemat_text::iconv::Descriptor;

/// Slots that are made at once, and how many times that.
const GROUP: usize = 256;
const GROUPS: usize = if usize::BITS < 64 { 256 } else { 4096 };
/// Bits of a handle that say which slot, counted from 1 so that no handle is NULL.
const PLACE: u32 = (GROUP * GROUPS).ilog2() + 1;
/// Above them, counted on each close. Two bits stay 0, so that no handle is -1 and [`IN_USE`] has its place.
const GENERATIONS: usize = (1 << (usize::BITS - 2 - PLACE)) - 1;
/// In the state of a slot: a call is at work on it. The other bits are the handle that is valid.
const IN_USE: usize = 1 << (usize::BITS - 1);

/// What a program holds: never 0 and never `usize::MAX`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Handle(pub(crate) usize);

struct Slot {
    /// The valid handle, perhaps with [`IN_USE`]; 0 while there is none.
    state: AtomicUsize,
    descriptor: UnsafeCell<Option<Descriptor>>,
}

// SAFETY: `descriptor` is touched only by the one thread that has set `IN_USE` or, while the state is 0, has taken the slot from `FREE`.
unsafe impl Sync for Slot {}

type Group = Box<[Slot; GROUP]>;

static SLOTS: [OnceLock<Group>; GROUPS] = [const { OnceLock::new() }; GROUPS];
static FREE: Mutex<Free> = Mutex::new(Free { next: 0, closed: Vec::new() });

struct Free {
    /// No slot from here on was ever used.
    next: usize,
    /// Handles that those slots have next.
    closed: Vec<usize>,
}

/// A descriptor that no other thread uses.
pub(crate) struct Use {
    slot: &'static Slot,
    /// The state of the slot afterwards.
    after: usize,
}

/// Keep a descriptor. `None` if there are too many.
pub(crate) fn open(descriptor: Descriptor) -> Option<Handle> {
    let handle = {
        let mut free = FREE.lock().unwrap_or_else(PoisonError::into_inner);
        match free.closed.pop() {
            Some(handle) => handle,
            None if free.next < GROUP * GROUPS => {
                free.next += 1;
                free.next
            }
            None => return None,
        }
    };
    let place = (handle & ((1 << PLACE) - 1)) - 1;
    let slot = &SLOTS[place / GROUP].get_or_init(|| Box::new([const { Slot::new() }; GROUP]))[place % GROUP];
    // SAFETY: the state is 0, so no handle leads here, and only this thread has taken the place from `FREE`.
    unsafe { *slot.descriptor.get() = Some(descriptor) };
    slot.state.store(handle, Ordering::Release);
    Some(Handle(handle))
}

impl Slot {
    const fn new() -> Slot {
        Slot { state: AtomicUsize::new(0), descriptor: UnsafeCell::new(None) }
    }
}

impl Handle {
    /// The open descriptor. `None` if it is closed, was never open, or is in use by another thread at this moment.
    pub(crate) fn get(self) -> Option<Use> {
        let place = (self.0 & ((1 << PLACE) - 1)).checked_sub(1)?;
        let slot = &SLOTS.get(place / GROUP)?.get()?[place % GROUP];
        let is_valid = self.0 & IN_USE == 0;
        let taken = is_valid
            && slot
                .state
                .compare_exchange(self.0, self.0 | IN_USE, Ordering::Acquire, Ordering::Relaxed)
                .is_ok();
        // Made only then: dropping one gives the slot back.
        taken.then(|| Use { slot, after: self.0 })
    }

    /// Close it. `None` as for [`Handle::get`].
    pub(crate) fn close(self) -> Option<()> {
        let mut using = self.get()?;
        // SAFETY: this thread has set `IN_USE`.
        let descriptor = unsafe { (*using.slot.descriptor.get()).take() };
        using.after = 0;
        drop(using);
        drop(descriptor);
        let place = self.0 & ((1 << PLACE) - 1);
        let generation = ((self.0 >> PLACE) + 1) & GENERATIONS;
        FREE.lock().unwrap_or_else(PoisonError::into_inner).closed.push(generation << PLACE | place);
        Some(())
    }
}

impl Use {
    /// The descriptor. It is there as long as the handle is valid.
    pub(crate) fn descriptor(&mut self) -> Option<&mut Descriptor> {
        // SAFETY: this thread has set `IN_USE` and nobody else has this `Use`, which is borrowed as long as the answer.
        unsafe { (*self.slot.descriptor.get()).as_mut() }
    }
}

impl Drop for Use {
    fn drop(&mut self) {
        self.slot.state.store(self.after, Ordering::Release);
    }
}
