//! The descriptors that are open. A program holds numbers, not addresses, so that a closed descriptor is seen and nothing is ever read
//! behind a wrong one.

use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError, TryLockError};

use placemat_text::iconv::Descriptor;

/// Slots that are made at once, and how many times that.
const GROUP: usize = 256;
const GROUPS: usize = if usize::BITS < 64 { 256 } else { 4096 };
/// Bits of a handle that say which slot, counted from 1 so that no handle is NULL.
const PLACE: u32 = (GROUP * GROUPS).ilog2() + 1;
/// The bits above count how often a slot was used. The highest stays 0, so that no handle is -1.
const GENERATIONS: usize = (1 << (usize::BITS - 1 - PLACE)) - 1;

/// What a program holds: never 0 and never `usize::MAX`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Handle(pub(crate) usize);

#[derive(Default)]
pub(crate) struct Slot {
    generation: usize,
    pub(crate) descriptor: Option<Descriptor>,
}

type Group = Box<[Mutex<Slot>; GROUP]>;

static SLOTS: [OnceLock<Group>; GROUPS] = [const { OnceLock::new() }; GROUPS];
static FREE: Mutex<Free> = Mutex::new(Free { next: 0, closed: Vec::new() });

struct Free {
    /// No slot from here on was ever used.
    next: usize,
    closed: Vec<usize>,
}

/// Keep a descriptor. `None` if there are too many.
pub(crate) fn open(descriptor: Descriptor) -> Option<Handle> {
    let place = {
        let mut free = FREE.lock().unwrap_or_else(PoisonError::into_inner);
        match free.closed.pop() {
            Some(place) => place,
            None if free.next < GROUP * GROUPS => {
                free.next += 1;
                free.next - 1
            }
            None => return None,
        }
    };
    let group = SLOTS[place / GROUP].get_or_init(|| Box::new([const { Mutex::new(Slot::NEW) }; GROUP]));
    // A slot whose handle is closed is nobody's.
    let mut slot = group[place % GROUP].lock().unwrap_or_else(PoisonError::into_inner);
    slot.descriptor = Some(descriptor);
    Some(Handle(slot.generation << PLACE | (place + 1)))
}

impl Slot {
    const NEW: Slot = Slot { generation: 0, descriptor: None };
}

impl Handle {
    /// The open descriptor. `None` if it is closed, was never open, or is in use by another thread at this moment.
    pub(crate) fn get(self) -> Option<MutexGuard<'static, Slot>> {
        let place = (self.0 & ((1 << PLACE) - 1)).checked_sub(1)?;
        let slot = SLOTS.get(place / GROUP)?.get()?[place % GROUP].try_lock();
        let slot = match slot {
            Ok(slot) => slot,
            Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
            Err(TryLockError::WouldBlock) => return None,
        };
        (slot.generation == self.0 >> PLACE && slot.descriptor.is_some()).then_some(slot)
    }

    /// Close it. `None` as for [`Handle::get`].
    pub(crate) fn close(self) -> Option<()> {
        let mut slot = self.get()?;
        let descriptor = slot.descriptor.take();
        slot.generation = (slot.generation + 1) & GENERATIONS;
        drop(slot);
        drop(descriptor);
        let place = (self.0 & ((1 << PLACE) - 1)) - 1;
        FREE.lock().unwrap_or_else(PoisonError::into_inner).closed.push(place);
        Some(())
    }
}
