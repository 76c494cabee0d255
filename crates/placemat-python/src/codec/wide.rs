//! The fast path for well-formed UTF-16 and UTF-32, between bytes and the units of a str.
#![forbid(unsafe_code)]

use placemat::{Status, latin1, utf16, utf32};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};

use super::fast::{Way, with_units_behind};
use super::inside;
use super::scratch::{with_room8, with_room16, with_room32};
use super::units::{self, Inside, vectorized};
use crate::buffer::detached;

pub(super) fn of_utf16<'py>(py: Python<'py>, bytes: &[u8], is_big: bool) -> Option<Bound<'py, PyString>> {
    if !bytes.len().is_multiple_of(2) {
        return None;
    }
    let pairs = bytes.as_chunks::<2>().0;
    let of = |pair: [u8; 2]| if is_big { u16::from_be_bytes(pair) } else { u16::from_le_bytes(pair) };
    // The mask is swapped instead of the units: only the high byte of each is tested.
    let [mask, surrogate] = [0xF800_u16, 0xD800].map(|unit| of(unit.to_ne_bytes()));
    let has_pairs = detached(py, bytes.len(), || {
        vectorized(|| {
            pairs.iter().fold(false, |found, &pair| found | (u16::from_ne_bytes(pair) & mask == surrogate))
        })
    });
    if !is_big
        && !has_pairs
        && let Some(text) = units::of_units16_le(py, bytes)
    {
        return Some(text);
    }
    with_room16(pairs.len(), |room| {
        let units = &mut room[..pairs.len()];
        vectorized(|| {
            let places = units.iter_mut().zip(pairs);
            // A choice in a loop would keep the compiler from wide registers.
            match is_big {
                true => places.for_each(|(unit, &pair)| *unit = u16::from_be_bytes(pair)),
                false => places.for_each(|(unit, &pair)| *unit = u16::from_le_bytes(pair)),
            }
        });
        if has_pairs { joined(py, units) } else { units::of_units16(py, units).ok() }
    })
}

/// Whether any unit is a surrogate. Tests all of them, without an early exit, so that the compiler can use wide registers.
pub(super) fn has_surrogate(units: impl Iterator<Item = u16>) -> bool {
    vectorized(|| units.fold(false, |found, unit| found | (unit & 0xF800 == 0xD800)))
}

/// A str of UTF-16 with surrogates; `None` if one is unpaired.
pub(super) fn joined<'py>(py: Python<'py>, units: &[u16]) -> Option<Bound<'py, PyString>> {
    with_room32(units.len(), |room| {
        let step = detached(py, 2 * units.len(), || utf16::to_utf32(units, room));
        (step.status == Status::Done).then(|| units::of_units32(py, &room[..step.written]).ok())?
    })
}

pub(super) fn of_utf32<'py>(py: Python<'py>, bytes: &[u8], is_big: bool) -> Option<Bound<'py, PyString>> {
    let (fours, rest) = bytes.as_chunks::<4>();
    if !rest.is_empty() {
        return None;
    }
    let of = |four: [u8; 4]| if is_big { u32::from_be_bytes(four) } else { u32::from_le_bytes(four) };
    // The mask is swapped instead of the units.
    let [mask, surrogate] = [0xFFFF_F800_u32, 0xD800].map(|unit| of(unit.to_ne_bytes()));
    let look = |(all, found): (u32, u32), four: &[u8; 4]| {
        let unit = u32::from_ne_bytes(*four);
        (all | unit, found | u32::from(unit & mask == surrogate))
    };
    let (all, surrogates) = detached(py, bytes.len(), || vectorized(|| fours.iter().fold((0, 0), look)));
    match of(all.to_ne_bytes()) {
        _ if surrogates != 0 => None,
        0..0x100 => with_room8(fours.len(), |room| {
            units::of_latin1(py, put(fours, is_big, room, |unit| unit as u8)).ok()
        }),
        0x100..0x1_0000 => with_room16(fours.len(), |room| {
            units::of_units16(py, put(fours, is_big, room, |unit| unit as u16)).ok()
        }),
        _ => with_room32(fours.len(), |room| {
            let (units, is_well_formed) = detached(py, bytes.len(), || {
                let units = put(fours, is_big, room, |unit| unit);
                (units, utf32::validate(units).is_ok())
            });
            is_well_formed.then(|| units::of_units32(py, units).ok())?
        }),
    }
}

/// Writes the units, converted by `narrow`, to the start of `room`.
fn put<'a, U>(fours: &[[u8; 4]], is_big: bool, room: &'a mut [U], narrow: impl Fn(u32) -> U) -> &'a [U] {
    let room = &mut room[..fours.len()];
    let places = room.iter_mut().zip(fours);
    // A choice in a loop would keep the compiler from wide registers.
    vectorized(|| match is_big {
        true => places.for_each(|(to, four)| *to = narrow(u32::from_be_bytes(*four))),
        false => places.for_each(|(to, four)| *to = narrow(u32::from_le_bytes(*four))),
    });
    room
}

/// The bytes of a str that is read in place; `None` if it cannot be, if it has a surrogate, or if `mark` may not be the right one.
fn widened<'py, const N: usize>(
    mark: &[u8],
    text: &Bound<'py, PyString>,
    length: usize,
    bytes: impl Fn(u16) -> [u8; N],
) -> Option<Bound<'py, PyBytes>> {
    match inside::of(text, length)? {
        // An empty text has no byte order mark.
        Inside::Ascii([]) => None,
        Inside::Ascii(found) | Inside::Latin1(found) => {
            units::bytes(text.py(), mark, found, |byte| bytes(byte.into()))
        }
        Inside::Units16(found) => {
            let is_special = !mark.is_empty() && matches!(found, [0xFEFF | 0xFFFE, ..]);
            if is_special || has_surrogate(found.iter().copied()) {
                return None;
            }
            units::bytes(text.py(), mark, found, bytes)
        }
    }
}

/// The UTF-8 of a text. CPython encodes it where the str is too short or cannot be read in place.
pub(super) fn to_utf8<'py>(text: &Bound<'py, PyString>, length: usize) -> Option<Bound<'py, PyBytes>> {
    if length < NEAR {
        return units::utf8(text);
    }
    let py = text.py();
    match inside::of(text, length) {
        Some(Inside::Ascii(found)) => Some(PyBytes::new(py, found)),
        Some(Inside::Latin1(found)) => with_room8(2 * length, |room| {
            let step = detached(py, length, || latin1::to_utf8(found, room));
            (step.status == Status::Done).then(|| PyBytes::new(py, &room[..step.written]))
        }),
        Some(Inside::Units16(found)) if !has_surrogate(found.iter().copied()) => {
            with_room8(3 * length, |room| {
                let step = detached(py, length, || utf16::to_utf8(found, room));
                (step.status == Status::Done).then(|| PyBytes::new(py, &room[..step.written]))
            })
        }
        _ => units::utf8(text),
    }
}

/// With fewer characters, CPython encodes a str faster than [`inside::of`] finds its characters.
const NEAR: usize = 128;

pub(super) fn to_utf16<'py>(
    mark: &[u8],
    text: &Bound<'py, PyString>,
    length: usize,
    is_big: bool,
) -> Option<Bound<'py, PyBytes>> {
    // A choice in a loop would keep the compiler from wide registers.
    match is_big {
        true => as_utf16(mark, text, length, u16::to_be_bytes),
        false => as_utf16(mark, text, length, u16::to_le_bytes),
    }
}

fn as_utf16<'py>(
    mark: &[u8],
    text: &Bound<'py, PyString>,
    length: usize,
    bytes: impl Fn(u16) -> [u8; 2] + Copy,
) -> Option<Bound<'py, PyBytes>> {
    widened(mark, text, length, bytes).or_else(|| {
        with_units_behind(mark, text, length, |py, units| {
            with_room16(2 * units.len(), |room| {
                let step = utf32::to_utf16(units, room);
                (step.status == Status::Done).then(|| units::bytes(py, mark, &room[..step.written], bytes))?
            })
        })
    })
}

pub(super) fn to_utf32<'py>(
    mark: &[u8],
    text: &Bound<'py, PyString>,
    length: usize,
    is_big: bool,
) -> Option<Bound<'py, PyBytes>> {
    match is_big {
        true => as_utf32(mark, text, length, u32::to_be_bytes),
        false => as_utf32(mark, text, length, u32::to_le_bytes),
    }
}

fn as_utf32<'py>(
    mark: &[u8],
    text: &Bound<'py, PyString>,
    length: usize,
    bytes: impl Fn(u32) -> [u8; 4] + Copy,
) -> Option<Bound<'py, PyBytes>> {
    widened(mark, text, length, |unit| bytes(unit.into())).or_else(|| {
        with_units_behind(mark, text, length, |py, units| {
            utf32::validate(units).ok()?;
            units::bytes(py, mark, units, bytes)
        })
    })
}

/// UTF-16 or UTF-32 in which surrogates are units like others; `None` for any other form.
pub(super) fn passing<'py>(
    way: Way,
    mark: &[u8],
    text: &Bound<'py, PyString>,
    length: usize,
) -> Option<Bound<'py, PyBytes>> {
    with_units_behind(mark, text, length, |py, units| match way {
        Way::Utf16(is_big) => {
            let mut pairs = Vec::with_capacity(units.len());
            for &unit in units {
                match unit.checked_sub(0x1_0000) {
                    None => pairs.push(unit as u16),
                    Some(above) => {
                        pairs.extend([0xD800 | (above >> 10) as u16, 0xDC00 | (above & 0x3FF) as u16])
                    }
                }
            }
            let bytes = if is_big { u16::to_be_bytes } else { u16::to_le_bytes };
            units::bytes(py, mark, &pairs, bytes)
        }
        Way::Utf32(true) => units::bytes(py, mark, units, u32::to_be_bytes),
        Way::Utf32(false) => units::bytes(py, mark, units, u32::to_le_bytes),
        _ => None,
    })
}
