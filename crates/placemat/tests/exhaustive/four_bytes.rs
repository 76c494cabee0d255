//! Compares all 2^32 strings of four bytes, and all shorter ones, with `core::str`: verdict, offset and length, by the scalar
//! code and on every level.

use placemat::{Form, Level, sequences, validate};

use crate::common::forced;
use crate::walk::Walk;

/// Where an error begins and how long it is.
pub(crate) type Verdict = Option<(usize, usize)>;

/// The verdict of the standard library.
pub(crate) fn truth(bytes: &[u8]) -> Verdict {
    let error = core::str::from_utf8(bytes).err()?;
    let offset = error.valid_up_to();
    Some((offset, error.error_len().unwrap_or(bytes.len() - offset)))
}

/// The verdict of the level in force.
pub(crate) fn verdict(bytes: &[u8]) -> Verdict {
    let error = validate(bytes).err()?;
    Some((error.offset() as usize, error.length().into()))
}

/// The verdict of the scalar code.
fn plain(bytes: &[u8]) -> Verdict {
    let error = sequences(Form::Utf8, bytes).find_map(|sequence| sequence.code_point().err())?;
    Some((error.offset() as usize, error.length().into()))
}

#[test]
#[ignore = "minutes: cargo xtask exhaust"]
fn four_bytes() {
    let walk = Walk::new();
    walk.stripes("four bytes, the plain form", 256, |first| strings(&walk, first, plain));
    for level in Level::available() {
        let _forced = forced(level);
        let what = if level == Level::Scalar { ", which asks core::str too" } else { "" };
        walk.stripes(&format!("four bytes, {}{what}", level.name()), 256, |first| {
            strings(&walk, first, verdict)
        });
    }
}

/// Checks all strings that begin with this byte.
fn strings(walk: &Walk, first: u32, found: impl Fn(&[u8]) -> Verdict) -> u64 {
    let mut cases = 0;
    for rest in walk.some(1 << 24, first) {
        let bytes = (first << 24 | rest).to_be_bytes();
        assert_eq!(found(&bytes), truth(&bytes), "{bytes:02x?}");
        cases += 1;
        if bytes[3] == 0 {
            for len in 1..4 {
                assert_eq!(found(&bytes[..len]), truth(&bytes[..len]), "{:02x?}", &bytes[..len]);
                cases += 1;
            }
        }
    }
    cases
}
