//! A look finds what is there.

use super::{Random, each_level};
use crate::glance::Glance;

#[test]
fn every_level_finds_what_bytes_one_by_one_have() {
    let mut random = Random(0x61A_4CE5);
    each_level(|kernels| {
        for length in (0..=600).chain([4096, 20_000, 70_000]) {
            for _ in 0..4 {
                let mut text = random.text(length);
                // Random text has every control; then there is one byte that decides.
                for byte in &mut text {
                    *byte = if byte.is_ascii() { b'a' + *byte % 26 } else { *byte };
                }
                check(kernels.glance(&text), &text);
                if random.below(2) == 0 {
                    text.fill(b'\n');
                }
                if length > 0 {
                    text[random.below(length)] = random.byte();
                    check(kernels.glance(&text), &text);
                }
            }
        }
        for byte in 0..=u8::MAX {
            let text = [byte; 256];
            check(kernels.glance(&text), &text);
        }
    });
}

fn check(found: Option<Glance>, text: &[u8]) {
    let is_control = |byte: &u8| *byte < 32 && ![9, 10, 12].contains(byte) || *byte == 127;
    let truth = Glance {
        leads: text.iter().filter(|byte| **byte >= 0xC0).count(),
        is_ascii: text.is_ascii(),
        has_longest: text.iter().any(|byte| *byte >= 0xF0),
        has_controls: text.iter().any(is_control),
    };
    assert_eq!(found.unwrap_or(truth), truth, "{text:x?}");
    assert_eq!(Glance::plainly(text), truth);
}
