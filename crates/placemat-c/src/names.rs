//! Names that end with a NUL, made at compile time from the names of the library.

#![forbid(unsafe_code)]

use core::ffi::CStr;

use placemat::label::LEGACY;
use placemat::{ErrorKind, Policy};

use crate::encoding::{FIRST_LEGACY, FORMS, placemat_encoding};

/// The most bytes of a name, including its NUL.
const WIDTH: usize = 32;

type Name = [u8; WIDTH];

static FORM_NAMES: [Name; FORMS.len()] = {
    let (mut names, mut at) = ([[0; WIDTH]; FORMS.len()], 0);
    while at < names.len() {
        names[at] = terminated(FORMS[at].name());
        at += 1;
    }
    names
};

static LEGACY_NAMES: [Name; LEGACY.len()] = {
    let (mut names, mut at) = ([[0; WIDTH]; LEGACY.len()], 0);
    while at < names.len() {
        names[at] = terminated(LEGACY[at]);
        at += 1;
    }
    names
};

static KIND_NAMES: [Name; ErrorKind::ALL.len()] = {
    let (mut names, mut at) = ([[0; WIDTH]; ErrorKind::ALL.len()], 0);
    while at < names.len() {
        names[at] = terminated(ErrorKind::ALL[at].name());
        at += 1;
    }
    names
};

static POLICY_NAMES: [Name; Policy::ALL.len()] = {
    let (mut names, mut at) = ([[0; WIDTH]; Policy::ALL.len()], 0);
    while at < names.len() {
        names[at] = terminated(Policy::ALL[at].0);
        at += 1;
    }
    names
};

const fn terminated(name: &str) -> Name {
    let (bytes, mut out, mut at) = (name.as_bytes(), [0; WIDTH], 0);
    assert!(bytes.len() < WIDTH, "WIDTH is enough for every name");
    while at < bytes.len() {
        out[at] = bytes[at];
        at += 1;
    }
    out
}

/// Returns the name at this index.
fn of(names: &'static [Name], at: Option<u32>) -> Option<&'static CStr> {
    CStr::from_bytes_until_nul(names.get(at? as usize)?).ok()
}

/// The canonical name of an encoding.
pub(crate) fn encoding(number: placemat_encoding) -> Option<&'static CStr> {
    of(&FORM_NAMES, number.checked_sub(1)).or_else(|| of(&LEGACY_NAMES, number.checked_sub(FIRST_LEGACY)))
}

/// The name of a kind of errors.
pub(crate) fn kind(number: u32) -> Option<&'static CStr> {
    of(&KIND_NAMES, number.checked_sub(1))
}

/// The name of a policy.
pub(crate) fn policy(number: u32) -> Option<&'static CStr> {
    of(&POLICY_NAMES, Some(number))
}
