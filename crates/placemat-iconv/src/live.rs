//! The open descriptors. A program holds numbers, not addresses, so that a closed descriptor is detected and a wrong number never
//! leads to an invalid access.

use std::cell::UnsafeCell;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};

use placemat_text::iconv::Descriptor;

/// The number of slots that are allocated at once, and the most such groups.
const GROUP: usize = 256;
const GROUPS: usize = if usize::BITS < 64 { 256 } else { 4096 };
/// The bits of a handle that hold the number of the slot. It starts at 1, so that no handle is NULL.
const PLACE: u32 = (GROUP * GROUPS).ilog2() + 1;
/// The bits above hold a counter that grows on each close. Two bits stay 0, so that no handle is -1 and that [`IN_USE`] has a bit.
const GENERATIONS: usize = (1 << (usize::BITS - 2 - PLACE)) - 1;
/// A bit in the state of a slot: a call uses it. The other bits are the valid handle.
const IN_USE: usize = 1 << (usize::BITS - 1);

/// The number that a program holds: never 0 and never `usize::MAX`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Handle(pub(crate) usize);

struct Slot {
    /// The valid handle, possibly with [`IN_USE`]; 0 if there is none.
    state: AtomicUsize,
    descriptor: UnsafeCell<Option<Descriptor>>,
}

// SAFETY: `descriptor` is accessed only by the one thread that has set `IN_USE` or, while the state is 0, has taken the slot from `FREE`.
unsafe impl Sync for Slot {}

type Group = Box<[Slot; GROUP]>;

static SLOTS: [OnceLock<Group>; GROUPS] = [const { OnceLock::new() }; GROUPS];
static FREE: Mutex<Free> = Mutex::new(Free { next: 0, closed: Vec::new() });

struct Free {
    /// Slots from this one on were never used.
    next: usize,
    /// The next handles of slots that were closed.
    closed: Vec<usize>,
}

/// A descriptor in use by this thread only.
pub(crate) struct Use {
    slot: &'static Slot,
    /// The state of the slot after the use.
    after: usize,
}

/// Stores a descriptor. `None` if there are too many.
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
    // SAFETY: the state is 0, so no handle leads here, and only this thread has taken the slot from `FREE`.
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
    /// Returns the open descriptor. `None` if it is closed, was never open, or is in use by another thread at this moment.
    pub(crate) fn get(self) -> Option<Use> {
        let place = (self.0 & ((1 << PLACE) - 1)).checked_sub(1)?;
        let slot = &SLOTS.get(place / GROUP)?.get()?[place % GROUP];
        let is_valid = self.0 & IN_USE == 0;
        let taken = is_valid
            && slot
                .state
                .compare_exchange(self.0, self.0 | IN_USE, Ordering::Acquire, Ordering::Relaxed)
                .is_ok();
        // Created only if the slot was taken, because dropping it releases the slot.
        taken.then(|| Use { slot, after: self.0 })
    }

    /// Closes the descriptor. `None` in the same cases as for [`Handle::get`].
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
    /// The descriptor, which exists as long as the handle is valid.
    pub(crate) fn descriptor(&mut self) -> Option<&mut Descriptor> {
        // SAFETY: this thread has set `IN_USE` and nobody else has this `Use`, which is borrowed as long as the result.
        unsafe { (*self.slot.descriptor.get()).as_mut() }
    }
}

impl Drop for Use {
    fn drop(&mut self) {
        self.slot.state.store(self.after, Ordering::Release);
    }
}
