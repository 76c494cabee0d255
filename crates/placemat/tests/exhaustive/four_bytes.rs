//! All 2^32 strings of four bytes against `core::str`: verdict, offset and length, on every level.
//!
//! Alone they go through the path for short strings, and shorter strings are among them: those that a truncation ends are
//! walked too. In a text they stand across the edge of the first vector, once in a text of medium length and once in a
//! long one, so that each of the three loops sees all of them.

use placemat::{Level, validate};

use crate::walk::Walk;
use crate::{dense, levels};

/// Where an error begins and how long it is.
type Verdict = Option<(usize, usize)>;

fn truth(bytes: &[u8]) -> Verdict {
    let error = core::str::from_utf8(bytes).err()?;
    let offset = error.valid_up_to();
    Some((offset, error.error_len().unwrap_or(bytes.len() - offset)))
}

fn verdict(bytes: &[u8]) -> Verdict {
    let error = validate(bytes).err()?;
    Some((error.offset() as usize, error.length().into()))
}

#[test]
#[ignore = "minutes: cargo xtask exhaust"]
fn four_bytes() {
    let walk = Walk::new();
    for (level, width) in levels() {
        assert!(level.force());
        let name = level.name();
        walk.stripes(&format!("four bytes alone, {name}"), 256, |first| alone(&walk, first));
        if level == Level::Scalar {
            continue;
        }
        for (place, len) in [("medium", 3 * width), ("long", 300 + width)] {
            walk.stripes(&format!("four bytes in a {place} text, {name}"), 256, |first| {
                embedded(&walk, first, width - 2, len)
            });
        }
    }
}

fn alone(walk: &Walk, first: u32) -> u64 {
    let mut cases = 0;
    for rest in walk.some(1 << 24, first) {
        let bytes = (first << 24 | rest).to_be_bytes();
        assert_eq!(verdict(&bytes), truth(&bytes), "{bytes:02x?}");
        cases += 1;
        if bytes[3] == 0 {
            assert_eq!(verdict(&bytes[..3]), truth(&bytes[..3]), "{:02x?}", &bytes[..3]);
            assert_eq!(verdict(&bytes[..2]), truth(&bytes[..2]), "{:02x?}", &bytes[..2]);
            assert_eq!(verdict(&bytes[..1]), truth(&bytes[..1]), "{:02x?}", &bytes[..1]);
            cases += 3;
        }
    }
    cases
}

fn embedded(walk: &Walk, first: u32, before: usize, len: usize) -> u64 {
    let mut text = dense(before);
    text.resize(len, b'a');
    let mut cases = 0;
    for rest in walk.some(1 << 24, first) {
        let bytes = (first << 24 | rest).to_be_bytes();
        text[before..before + 4].copy_from_slice(&bytes);
        let expected = truth(&text[before..before + 5]).map(|(offset, length)| (before + offset, length));
        assert_eq!(verdict(&text), expected, "{bytes:02x?}");
        cases += 1;
    }
    cases
}
