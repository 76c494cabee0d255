//! HZ: `~{` and `~}` enclose pairs of GB 2312.
#![forbid(unsafe_code)]

use super::{Guess, is_half};

/// Returns what a text with `~{` has of HZ. Its pairs are characters if Chinese uses such pairs; a tilde that is no escape is a fault.
pub(super) fn guess(sample: &[u8]) -> Option<Guess> {
    let mut hanzi = Vec::new();
    let (mut opened, mut closed, mut faults) = (false, false, 0);
    let mut rest = sample;
    while let Some(tilde) = rest.iter().position(|byte| *byte == b'~') {
        rest = &rest[tilde + 1..];
        match rest.first() {
            Some(b'{') => opened = true,
            Some(b'~' | b'\n') => {
                rest = &rest[1..];
                continue;
            }
            Some(_) => {
                faults += 1;
                continue;
            }
            None => break,
        }
        rest = &rest[1..];
        let before = hanzi.len();
        loop {
            match rest {
                [b'~', b'}', after @ ..] => {
                    (closed, rest) = (true, after);
                    break;
                }
                [first, second, after @ ..] if *first != b'~' && is_half(*first) && is_half(*second) => {
                    hanzi.extend([first | 0x80, second | 0x80]);
                    rest = after;
                }
                // Cut off.
                [] | [b'!'..=b'~'] => break,
                _ => {
                    faults += 1;
                    hanzi.truncate(before);
                    break;
                }
            }
        }
    }
    let is_chinese = hanzi.len() >= 4 && crate::legacy::is_likely("gb18030", &hanzi);
    let good = if is_chinese { hanzi.len() / 2 } else { 0 };
    // A few pairs after a `~{` that is never closed may be any text.
    let doubts = if closed || good >= 8 { 0 } else { good as u64 };
    opened.then(|| Guess::new("hz-gb-2312", good, faults + doubts))
}
