//! How often each pair of neighbouring bytes occurs.
#![forbid(unsafe_code)]

use std::sync::LazyLock;

/// Two neighbouring bytes and their weight.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pair {
    pub(super) first: u8,
    pub(super) second: u8,
    pub(super) weight: f32,
}

/// The pairs of a text, as if it stood between two spaces.
#[derive(Debug)]
pub(super) struct Pairs {
    /// Pairs with a byte from 80 up.
    pub(super) high: Vec<Pair>,
    /// Pairs of ASCII bytes of which one or both are letters.
    pub(super) ascii: Vec<Pair>,
    pub(super) ascii_weight: f32,
    /// The weight of the bytes from 80 up.
    pub(super) high_weight: f32,
    /// Every byte from 80 up that occurs, minus 80: its index in a table.
    pub(super) places: Vec<usize>,
    /// How often each byte occurs.
    pub(super) occurrences: [u32; 256],
    /// The average weight of an occurrence of a byte from 80 up, among those that count.
    pub(super) scale: f32,
    /// The share of the bytes from 80 up that are in no row (see [`without_rows`]); more than 0.
    pub(super) running: f32,
}

impl Pairs {
    /// The bits of the bytes from 80 up, and of what follows them, if they were noise. Single ones amid ASCII cost more: they are
    /// seldom noise.
    pub(super) fn noise(&self) -> f32 {
        let bits = |pair: &Pair| match (pair.first.is_ascii(), pair.second.is_ascii()) {
            (false, false) => 7.5,
            (true, _) => 12.0,
            (false, true) => 6.0,
        };
        self.high.iter().map(|pair| pair.weight * bits(pair)).sum()
    }

    /// The number of bytes from 80 up.
    pub(super) fn beyond_ascii(&self) -> u64 {
        self.occurrences[0x80..].iter().map(|&count| u64::from(count)).sum()
    }

    pub(super) fn new(bytes: &[u8]) -> Self {
        let mut occurrences = [0; 256];
        bytes.iter().for_each(|&byte| occurrences[usize::from(byte)] += 1);
        let mut pairs = Self {
            high: Vec::new(),
            ascii: Vec::new(),
            ascii_weight: 0.0,
            high_weight: 0.0,
            places: (0..0x80).filter(|place| occurrences[0x80 + place] > 0).collect(),
            occurrences,
            scale: 1.0,
            running: 1.0,
        };
        let mut counted = 0;
        let running = without_rows(bytes);
        for (at, count) in counts(&running) {
            let pair = Pair { first: (at >> 8) as u8, second: at as u8, weight: weight(count) };
            if !pair.second.is_ascii() {
                pairs.high_weight += pair.weight;
                counted += count;
            }
            if !pair.first.is_ascii() || !pair.second.is_ascii() {
                pairs.high.push(pair);
            } else if pair.first.is_ascii_alphabetic() || pair.second.is_ascii_alphabetic() {
                pairs.ascii_weight += pair.weight;
                pairs.ascii.push(pair);
            }
        }
        if counted > 0 {
            pairs.scale = pairs.high_weight / counted as f32 * QUARTERS as f32;
        }
        let rows = running.iter().zip(bytes).filter(|(running, byte)| running != byte).count();
        pairs.running = (1.0 - rows as f32 / pairs.beyond_ascii().max(1) as f32).max(0.001);
        pairs
    }
}

/// The weight of a pair with this count, in quarters. It grows more slowly than the count: a frequent pair often has reasons of its
/// own, such as a menu, a heading or a name.
fn weight(count: u32) -> f32 {
    /// Weights of counts below this are taken from a table.
    const FEW: usize = 64;
    static WEIGHTS: LazyLock<[f32; FEW]> = LazyLock::new(|| core::array::from_fn(|count| of(count as u32)));
    fn of(count: u32) -> f32 {
        (count as f32 / QUARTERS as f32).powf(0.75)
    }
    WEIGHTS.get(count as usize).copied().unwrap_or_else(|| of(count))
}

/// A pair that counts in full counts as this many units.
const QUARTERS: u32 = 4;

/// The number of bits of a share, which is at most [`QUARTERS`].
const SHARE: u32 = 3;

/// How often each pair occurs, in quarters, in the order of the pairs. A byte from 80 up that stands alone counts as a quarter, and
/// only once: a table of letters and a list with bullets are not running text.
fn counts(bytes: &[u8]) -> Vec<(u16, u32)> {
    let mut counts = Tally::for_bytes(bytes.len());
    let mut seen_alone = [false; 256];
    let at = |i: usize| bytes.get(i).copied().unwrap_or(b' ');
    let breaks = |byte: u8| byte.is_ascii() && !byte.is_ascii_alphanumeric();
    let (mut previous, mut after_alone) = (b' ', false);
    for i in 0..=bytes.len() {
        let byte = at(i);
        let mut share = QUARTERS;
        if !byte.is_ascii() && breaks(previous) && breaks(at(i + 1)) {
            if seen_alone[usize::from(byte)] {
                previous = b' ';
                continue;
            }
            seen_alone[usize::from(byte)] = true;
            share = 1;
        }
        if previous >= 0x80 && after_alone {
            share = 1;
        }
        counts.add(u16::from(previous) << 8 | u16::from(byte), share);
        after_alone = share == 1 && byte >= 0x80;
        previous = byte;
    }
    counts.finish()
}

/// Counts pairs: few in a list, many in a table.
enum Tally {
    /// Each pair with its share in the lowest bits, as one number, which sorts faster.
    List(Vec<u32>),
    Table(Vec<u32>),
}

impl Tally {
    /// The length of text from which a table is faster. To make and read a table takes as long as to sort the pairs of so many bytes.
    const MANY: usize = 2048;

    fn for_bytes(len: usize) -> Self {
        if len < Self::MANY {
            Self::List(Vec::with_capacity(len + 1))
        } else {
            Self::Table(vec![0; 0x1_0000])
        }
    }

    fn add(&mut self, pair: u16, share: u32) {
        match self {
            Self::List(list) => list.push(u32::from(pair) << SHARE | share),
            Self::Table(table) => table[usize::from(pair)] += share,
        }
    }

    fn finish(self) -> Vec<(u16, u32)> {
        match self {
            Self::List(mut list) => {
                list.sort_unstable();
                let of_pair = |same: &[u32]| {
                    let share = same.iter().map(|number| number & ((1 << SHARE) - 1)).sum();
                    ((same[0] >> SHARE) as u16, share)
                };
                list.chunk_by(|a, b| a >> SHARE == b >> SHARE).map(of_pair).collect()
            }
            Self::Table(table) => (0..=u16::MAX).zip(table).filter(|(_, count)| *count > 0).collect(),
        }
    }
}

/// Returns the bytes with a space in place of each byte from 80 up that is in a row: one or two bytes repeated over and over. Rows are
/// not running text either.
fn without_rows(bytes: &[u8]) -> Vec<u8> {
    let mut text = bytes.to_vec();
    for period in [1, 2] {
        let mut alike = 0;
        for end in period..bytes.len() {
            alike = if bytes[end] == bytes[end - period] { alike + 1 } else { 0 };
            // Three times the same is a row. When a row goes on, only its last byte is new.
            if alike >= 2 * period {
                let start = if alike == 2 * period { end + 1 - 3 * period } else { end };
                text[start..=end].iter_mut().filter(|byte| !byte.is_ascii()).for_each(|byte| *byte = b' ');
            }
        }
    }
    text
}
