//! How often each pair of neighbouring bytes occurs.
#![forbid(unsafe_code)]

/// Two neighbouring bytes and how much they count.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pair {
    pub(super) first: u8,
    pub(super) second: u8,
    pub(super) weight: f32,
}

/// The pairs of a text; both its ends count as spaces.
#[derive(Debug)]
pub(super) struct Pairs {
    /// Those with a byte from 80 up.
    pub(super) high: Vec<Pair>,
    /// Those of ASCII letters, and of an ASCII letter with an end of its word.
    pub(super) ascii: Vec<Pair>,
    pub(super) ascii_weight: f32,
    /// Weight of the bytes from 80 up.
    pub(super) high_weight: f32,
    /// Every byte that occurs.
    pub(super) bytes: Vec<u8>,
}

impl Pairs {
    /// Bits of the bytes from 80 up, and of what follows them, were they noise.
    pub(super) fn noise(&self) -> f32 {
        self.high.iter().map(|pair| pair.weight * if pair.second.is_ascii() { 4.0 } else { 7.5 }).sum()
    }

    pub(super) fn new(bytes: &[u8]) -> Self {
        let mut counts = vec![0_u32; 0x1_0000];
        let mut previous = b' ';
        for &byte in bytes.iter().chain(b" ") {
            counts[usize::from(previous) << 8 | usize::from(byte)] += 1;
            previous = byte;
        }
        let mut pairs = Self {
            high: Vec::new(),
            ascii: Vec::new(),
            ascii_weight: 0.0,
            high_weight: 0.0,
            bytes: Vec::new(),
        };
        pairs.bytes = (0..=255).filter(|byte| *byte == b' ' || occurs(&counts, *byte)).collect();
        for (at, &count) in counts.iter().enumerate().filter(|(_, count)| **count > 0) {
            let pair = Pair { first: (at >> 8) as u8, second: at as u8, weight: count as f32 };
            if !pair.second.is_ascii() {
                pairs.high_weight += pair.weight;
            }
            if !pair.first.is_ascii() || !pair.second.is_ascii() {
                pairs.high.push(pair);
            } else if pair.first.is_ascii_alphabetic() || pair.second.is_ascii_alphabetic() {
                pairs.ascii_weight += pair.weight;
                pairs.ascii.push(pair);
            }
        }
        pairs
    }
}

fn occurs(counts: &[u32], byte: u8) -> bool {
    let row = usize::from(byte) << 8;
    counts[row..row + 256].iter().any(|count| *count > 0)
}
