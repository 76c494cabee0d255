//! HZ: `~{` and `~}` enclose pairs of GB 2312.
#![forbid(unsafe_code)]

use super::{Guess, is_half};

/// What a text with `~{` has of HZ: characters if its pairs are those that Chinese uses, faults where a tilde is no escape.
pub(super) fn guess(sample: &[u8]) -> Option<Guess> {
    let mut hanzi = Vec::new();
    let (mut opened, mut closed, mut faults) = (false, false, 0);
    let mut rest = sample;
    while let Some(tilde) = rest.iter().position(|byte| *byte == b'~') {
        rest = &rest[tilde + 1..];
        match rest.first() {
            Some(b'{') => {
                opened = true;
                let (pairs, after) = rest[1..].split_at(pairs(&rest[1..]));
                let is_whole = after.starts_with(b"~}");
                rest = after.get(2..).filter(|_| is_whole).unwrap_or(after);
                if is_whole || matches!(after, [] | [b'~'] | [b'!'..=b'}']) {
                    closed |= is_whole;
                    hanzi.extend(pairs.iter().map(|byte| byte | 0x80));
                } else {
                    faults += 1;
                }
            }
            Some(b'~' | b'\n') => rest = &rest[1..],
            Some(_) => faults += 1,
            None => {}
        }
    }
    let is_chinese = hanzi.len() >= 4 && crate::legacy::is_likely("gb18030", &hanzi);
    let good = if is_chinese { hanzi.len() / 2 } else { 0 };
    // A few behind one that only opens may be anything.
    let doubts = if closed || good >= 8 { 0 } else { good as u64 };
    opened.then(|| Guess::new("hz-gb-2312", good, faults + doubts))
}

/// The length of the pairs that a text begins with.
fn pairs(text: &[u8]) -> usize {
    2 * text
        .chunks_exact(2)
        .take_while(|pair| pair[0] != b'~' && pair.iter().all(|half| is_half(*half)))
        .count()
}
