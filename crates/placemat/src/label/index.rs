//! A hash index for each table of labels, made at compile time. A lookup reads the label once and compares it with the few
//! entries from its slot on, whatever the label is.

#![forbid(unsafe_code)]

use super::{LEGACY, Label};
use crate::form::Form;

/// The most bytes that a label can have.
pub(super) const LONGEST: usize = 256;

/// The most bytes of a label that are not separators. A table with a longer label does not compile.
const MOST_LETTERS: usize = 40;

/// The value of each byte for the hash: lower case, and zero for separators. The compiler hashes every label, and reads a table
/// faster than it calls functions.
const HASHED: &[u8; 256] = &{
    let mut hashed = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        if !is_separator(byte as u8) {
            hashed[byte] = (byte as u8).to_ascii_lowercase();
        }
        byte += 1;
    }
    hashed
};

/// The hash of a label without its separators, in lower case. Labels that differ only in these have the same hash.
#[derive(Clone, Copy)]
pub(super) struct Hash(u32);

impl Hash {
    /// The hash of a label; `None` if the label is longer than every known label, or has no letters. One pass over at most 256
    /// bytes.
    pub(super) const fn of(label: &[u8]) -> Option<Hash> {
        if label.len() > LONGEST {
            return None;
        }
        // FNV-1a.
        let (mut hash, mut letters, mut at) = (0x811C_9DC5_u32, 0, 0);
        while at < label.len() {
            let byte = HASHED[label[at] as usize];
            if byte > 0 {
                hash = ((hash ^ byte as u32) as u64 * 0x0100_0193) as u32;
                letters += 1;
            }
            at += 1;
        }
        if letters == 0 || letters > MOST_LETTERS { None } else { Some(Hash(hash)) }
    }

    /// The slot among `slots`, a power of two, where a lookup begins.
    const fn slot(self, slots: usize) -> usize {
        ((self.0 ^ self.0 >> 15) as usize) & (slots - 1)
    }
}

/// Whether lenient readers ignore this byte.
pub(super) const fn is_separator(byte: u8) -> bool {
    matches!(byte, b' ' | b'_' | b'-')
}

/// One label of a table, and what it means.
#[derive(Clone, Copy)]
pub(super) struct Slot {
    /// Where the label starts in the table's text.
    start: u16,
    /// Its length in bytes; zero in an empty slot.
    len: u8,
    /// What the label means: see [`target`].
    target: u8,
}

impl Slot {
    const EMPTY: Slot = Slot { start: 0, len: 0, target: 0 };
}

/// The slots of one table: a hash table with linear probing. If several labels have the same hash, the first in the text is found
/// first.
#[derive(Clone, Copy)]
pub(super) struct Index {
    /// The text that the slots point into; `None` for the canonical names themselves.
    text: Option<&'static str>,
    slots: &'static [Slot],
}

/// The canonical names of [`Form::ALL`] and [`LEGACY`].
pub(super) static CANONICAL: Index = Index { text: None, slots: &NAMES };

/// The slots of [`CANONICAL`].
static NAMES: [Slot; 256] = {
    assert!(Form::ALL.len() + LEGACY.len() <= 256, "a slot has one byte for it");
    let mut slots = [Slot::EMPTY; 256];
    let mut number = 0;
    while number < Form::ALL.len() + LEGACY.len() {
        let name = name_of(number).as_bytes();
        insert(&mut slots, name, 0, name.len(), number as u8);
        number += 1;
    }
    slots
};

impl Index {
    pub(super) const fn new(text: &'static str, slots: &'static [Slot]) -> Index {
        Index { text: Some(text), slots }
    }

    /// What the first label with this hash that `is_label` accepts means.
    pub(super) fn find(self, hash: Hash, is_label: impl Fn(&str) -> bool) -> Option<Label> {
        let first = hash.slot(self.slots.len());
        let (before, from) = self.slots.split_at_checked(first)?;
        let occupied = from.iter().chain(before).take_while(|slot| slot.len > 0);
        occupied
            .filter_map(|slot| self.label_of(slot))
            .find_map(|(label, stands_for)| is_label(label).then_some(stands_for))
    }

    fn label_of(self, slot: &Slot) -> Option<(&'static str, Label)> {
        let stands_for = target(slot.target)?;
        let start = usize::from(slot.start);
        let label = match self.text {
            Some(text) => text.get(start..start + usize::from(slot.len))?,
            None => stands_for.name(),
        };
        Some((label, stands_for))
    }
}

/// The meaning with this number: [`Form::ALL`] comes first, then [`LEGACY`].
fn target(number: u8) -> Option<Label> {
    let number = usize::from(number);
    match Form::ALL.get(number) {
        Some(&form) => Some(Label::Form(form)),
        None => LEGACY.get(number - Form::ALL.len()).map(|&name| Label::Legacy(name)),
    }
}

/// The canonical name with this number.
const fn name_of(number: usize) -> &'static str {
    match number.checked_sub(Form::ALL.len()) {
        None => Form::ALL[number].name(),
        Some(number) => LEGACY[number],
    }
}

/// The number of a canonical name.
///
/// # Panics
/// If there is no such name, so that a table with a mistake does not compile.
const fn number_of(name: &[u8]) -> u8 {
    let Some(hash) = Hash::of(name) else { panic!("a name without letters") };
    let mut slot = hash.slot(NAMES.len());
    loop {
        let number = NAMES[slot].target;
        assert!(NAMES[slot].len > 0, "a name that no encoding has");
        if is_same(name_of(number as usize).as_bytes(), name) {
            return number;
        }
        slot = (slot + 1) & (NAMES.len() - 1);
    }
}

const fn is_same(a: &[u8], b: &[u8]) -> bool {
    let mut at = 0;
    while at < a.len() && at < b.len() && a[at] == b[at] {
        at += 1;
    }
    at == a.len() && at == b.len()
}

/// The slots for a text of lines `name: label label …`; lines that begin with `#` are comments. Every line ends with a line feed.
pub(super) const fn slots_of<const SLOTS: usize>(text: &str) -> [Slot; SLOTS] {
    let text = text.as_bytes();
    let mut slots = [Slot::EMPTY; SLOTS];
    let mut at = 0;
    while at < text.len() {
        if text[at] == b'#' {
            while text[at] != b'\n' {
                at += 1;
            }
        } else {
            let line = at;
            while text[at] != b':' {
                at += 1;
            }
            let target = number_of(text.split_at(at).0.split_at(line).1);
            at += 1;
            while text[at] == b' ' {
                at += 1;
                let start = at;
                while text[at] > b' ' {
                    at += 1;
                }
                insert(&mut slots, text, start, at - start, target);
            }
        }
        at += 1;
    }
    slots
}

const fn insert(slots: &mut [Slot], text: &[u8], start: usize, len: usize, target: u8) {
    let label = text.split_at(start + len).0.split_at(start).1;
    let Some(hash) = Hash::of(label) else { panic!("a label with more letters than there can be") };
    let mut slot = hash.slot(slots.len());
    while slots[slot].len > 0 {
        slot = (slot + 1) & (slots.len() - 1);
    }
    assert!(start <= u16::MAX as usize && len <= u8::MAX as usize, "a slot has no room for it");
    slots[slot] = Slot { start: start as u16, len: len as u8, target };
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::label::table::{IANA, MYSQL, ORACLE, UNOFFICIAL, WHATWG};

    fn all() -> [Index; 6] {
        [CANONICAL, IANA.index(), WHATWG.index(), UNOFFICIAL.index(), ORACLE.index(), MYSQL.index()]
    }

    #[test]
    fn every_label_is_found_behind_its_hash() {
        let mut labels = 0;
        for index in all() {
            for slot in index.slots.iter().filter(|slot| slot.len > 0) {
                let (label, stands_for) = index.label_of(slot).unwrap();
                let hash = Hash::of(label.as_bytes()).unwrap();
                assert_eq!(index.find(hash, |other| other == label), Some(stands_for), "{label}");
                labels += 1;
            }
        }
        assert!(labels > 700, "{labels}");
    }

    /// The cost of a lookup is at most the length of a run of occupied slots.
    #[test]
    fn few_slots_are_looked_at() {
        for index in all() {
            let (mut longest, mut run) = (0, 0);
            // Go around twice, because the first slot follows the last one.
            for slot in index.slots.iter().chain(index.slots) {
                run = if slot.len > 0 { run + 1 } else { 0 };
                longest = longest.max(run);
            }
            assert!(longest < 40, "{longest}");
        }
    }

    #[test]
    fn what_is_no_label_has_no_hash() {
        assert!(Hash::of(b"").is_none() && Hash::of(&[b'-'; 255]).is_none());
        assert!(Hash::of(&[b'x'; MOST_LETTERS + 1]).is_none() && Hash::of(&[b' '; LONGEST + 1]).is_none());
    }
}
