//! Finds keys of an object that only the repair makes equal: a reader would keep the value of one of them.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::hash::{BuildHasher, RandomState};

use placemat::invisible::Kinds;

use super::scan::Key;
use crate::repair::mend::{Change, Mending};

pub(super) const CLASH: &str =
    "after the repair, two keys of the object are equal: one of their values would be lost";

/// The keys of the objects that are open.
pub(super) struct Keys {
    /// Whether a repair may turn other text into ASCII. If not, keys in ASCII are not remembered.
    makes_ascii: bool,
    hasher: RandomState,
    /// The depth of each object, and the hash of each key after the repair, with that before it.
    objects: Vec<(usize, HashMap<u64, u64>)>,
}

impl Keys {
    pub(super) fn new(mending: &Mending) -> Keys {
        let Mending { policy: (policy, _), overlong, nul, hidden, zero, .. } = *mending;
        let makes_ascii = overlong || nul || hidden != Kinds::NONE || zero.is_some() || policy != "replace";
        Keys { makes_ascii, hasher: RandomState::new(), objects: Vec::new() }
    }

    /// Takes the next key. Returns whether another key of its object is equal to it after the repair, but was not before.
    pub(super) fn clash(&mut self, Key { depth, is_first }: Key, says: &[u8], changes: &[Change]) -> bool {
        while self.objects.last().is_some_and(|(last, _)| *last > depth || *last == depth && is_first) {
            self.objects.pop();
        }
        if self.objects.last().is_none_or(|(last, _)| *last < depth) {
            self.objects.push((depth, HashMap::new()));
        }
        if says.is_ascii() && !self.makes_ascii {
            return false;
        }
        let before = self.hasher.hash_one(says);
        let after = if changes.is_empty() { before } else { self.hasher.hash_one(applied(says, changes)) };
        match self.objects.last_mut().map(|(_, keys)| keys.entry(after)) {
            Some(Entry::Occupied(other)) => *other.get() != before,
            Some(Entry::Vacant(place)) => {
                place.insert(before);
                false
            }
            None => false,
        }
    }
}

fn applied(says: &[u8], changes: &[Change]) -> Vec<u8> {
    let (mut text, mut at) = (Vec::with_capacity(says.len()), 0);
    for change in changes {
        text.extend_from_slice(&says[at..change.range.start as usize]);
        text.extend_from_slice(change.text.as_bytes());
        at = change.range.end as usize;
    }
    text.extend_from_slice(&says[at..]);
    text
}
