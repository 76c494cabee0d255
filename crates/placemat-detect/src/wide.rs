//! Detects UTF-16 and UTF-32, with a byte order mark or without, and reads them.
#![forbid(unsafe_code)]

use crate::legacy;
use crate::line_ending::Lines;
use crate::look::count;
use crate::models::characters;

/// The size of a code unit, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Width {
    Two,
    Four,
}

/// Which byte of a code unit comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Order {
    Big,
    Little,
}

/// One of UTF-16LE, UTF-16BE, UTF-32LE, UTF-32BE.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Wide {
    pub(crate) width: Width,
    pub(crate) order: Order,
}

impl Width {
    pub(crate) const fn bytes(self) -> usize {
        match self {
            Width::Two => 2,
            Width::Four => 4,
        }
    }
}

impl Wide {
    const ALL: [Self; 4] = [
        Self { width: Width::Four, order: Order::Little },
        Self { width: Width::Four, order: Order::Big },
        Self { width: Width::Two, order: Order::Little },
        Self { width: Width::Two, order: Order::Big },
    ];

    pub(crate) const fn name(self) -> &'static str {
        match (self.width, self.order) {
            (Width::Two, Order::Little) => "utf-16le",
            (Width::Two, Order::Big) => "utf-16be",
            (Width::Four, Order::Little) => "utf-32le",
            (Width::Four, Order::Big) => "utf-32be",
        }
    }

    const fn bytes(self) -> usize {
        self.width.bytes()
    }

    /// Whether the text after a byte order mark of this form is surely not in it: most units of UTF-32 are malformed, or UTF-16 would be
    /// text in ASCII or UTF-8 by accident.
    pub(crate) fn is_contradicted(self, text: &[u8]) -> bool {
        match self.width {
            Width::Four => {
                let bad = self.units(text).filter(|unit| char::from_u32(*unit).is_none()).count();
                2 * bad > text.len() / self.bytes()
            }
            Width::Two => is_text_of_bytes(text),
        }
    }

    fn unit(self, bytes: &[u8]) -> u32 {
        let join = |unit: u32, byte: &u8| unit << 8 | u32::from(*byte);
        match self.order {
            Order::Big => bytes.iter().fold(0, join),
            Order::Little => bytes.iter().rev().fold(0, join),
        }
    }

    fn units(self, bytes: &[u8]) -> impl Iterator<Item = u32> {
        bytes.chunks_exact(self.bytes()).map(move |unit| self.unit(unit))
    }
}

/// Guesses UTF-16 or UTF-32 from the start of a text without a byte order mark. Returns the form and how sure it is.
pub(crate) fn guess(head: &[u8]) -> Option<(Wide, f32)> {
    let has_controls = has_many_controls(head);
    if !has_controls && placemat::valid_prefix(head).1.is_none() {
        return None;
    }
    let best = Wide::ALL.iter().filter_map(|wide| Some((*wide, bits(*wide, head)?)));
    let (wide, bits) = best.min_by(|a, b| a.1.total_cmp(&b.1))?;
    let units = (head.len() / wide.bytes()) as f32;
    if units < 2.0
        || bits > MOST
        || is_empty(head)
        || !is_alike_throughout(wide, head)
        || is_array(wide, head)
    {
        return None;
    }
    let sure = (1.0 - 0.5_f32.powf(units / 3.0)).min(0.99);
    if has_controls {
        return Some((wide, sure));
    }
    (bits * units + MARGIN < eight_bits(head)).then_some((wide, sure * 0.8))
}

/// Whether there is a NUL, or more than one control character in sixteen bytes. Text in other encodings has hardly any. In UTF-16 and
/// UTF-32 every space and line end has such a byte, and so has every letter of most scripts.
fn has_many_controls(head: &[u8]) -> bool {
    let is_control = |byte| byte < 0x20 && !matches!(byte, b'\t' | b'\n' | b'\r' | 0x1B);
    head.contains(&0) || count(head, is_control) as usize * 16 > head.len()
}

/// The highest average cost of a code unit in text, in bits.
const MOST: f32 = 11.0;
/// Bits by which a wide form without control bytes must beat every encoding of bytes.
const MARGIN: f32 = 10.0;

/// Whether every part of the text makes sense in this form. An ASCII log to which UTF-16 was appended does not, nor does UTF-16 to which
/// a line of ASCII was.
fn is_alike_throughout(wide: Wide, head: &[u8]) -> bool {
    if has_words(head) {
        return false;
    }
    let part = (head.len() / PARTS).next_multiple_of(4).max(256);
    head.chunks_exact(part).all(|part| bits(wide, part).is_some_and(|bits| bits <= MOST + 2.0))
}

const PARTS: usize = 8;

/// Whether 28 bytes without a break are plain ASCII, and most of them small letters and spaces. Letters of UTF-16 and UTF-32 are not: of the
/// two bytes of an ideograph both are small letters once in a hundred times, and one of the two of kana is 30.
fn has_words(head: &[u8]) -> bool {
    const WORDS: usize = 28;
    let is_small = |byte: u8| matches!(byte, b'a'..=b'z' | b' ');
    let (mut run, mut small) = (0, 0);
    head.iter().enumerate().any(|(at, byte)| {
        if !is_plain(u32::from(*byte)) {
            (run, small) = (0, 0);
            return false;
        }
        run += 1;
        small += usize::from(is_small(*byte));
        if run > WORDS {
            small -= usize::from(is_small(head[at - WORDS]));
        }
        run >= WORDS && small * 4 > WORDS * 3
    })
}

/// Whether the bytes are text in UTF-8 or mostly in ASCII. In UTF-16, line ends, spaces and most signs have a NUL or another control code;
/// a short text without any is hardly ever of small letters.
fn is_text_of_bytes(text: &[u8]) -> bool {
    let (mut rare, mut small, mut ascii) = (0, 0, 0);
    for &byte in text {
        rare += usize::from(byte < 0x80 && byte != 0x1B && !is_plain(u32::from(byte)));
        small += usize::from(matches!(byte, b'a'..=b'z' | b' '));
        ascii += usize::from(byte < 0x80);
    }
    // Half a unit more than UTF-16 has: a head that was cut off is longer.
    let is_odd = text.len() % 2 == 1 && ascii == text.len();
    let is_short = text.len() < 4 || text.len() < 16 && !is_odd && 4 * small <= 3 * text.len();
    let is_utf8 = || !is_short && placemat::valid_prefix(text).1.is_none();
    32 * rare <= text.len() && (is_utf8() || 4 * ascii > 3 * text.len() && has_words(text))
}

/// Whether the units are numbers: one number over and over, or hundreds without a break between words or sentences.
fn is_array(wide: Wide, head: &[u8]) -> bool {
    let (mut units, mut ascii, mut signs, mut breaks, mut unspaced) = (0, 0, 0, 0, 0);
    let (mut previous, mut is_row) = (None, true);
    for unit in wide.units(head) {
        let before = previous.replace(unit).unwrap_or(unit);
        units += 1;
        is_row &= before == unit;
        ascii += usize::from(is_plain(unit));
        signs += usize::from(is_sign(unit));
        breaks += usize::from(is_break(before, unit));
        unspaced += usize::from(is_unspaced(unit));
    }
    if is_row {
        return ascii == 0;
    }
    if ascii * 5 >= units * 4 {
        breaks += signs;
    }
    units >= 200 && breaks * 100 < units && ascii * 20 < units * 19 && (ascii + unspaced) * 50 < units * 49
}

/// ASCII without the controls that do not occur in text.
fn is_plain(unit: u32) -> bool {
    matches!(unit, 0x09 | 0x0A | 0x0D | 0x20..=0x7E)
}

/// A sign of ASCII. It is a break after a letter of another script, and in text that is mostly ASCII.
fn is_sign(unit: u32) -> bool {
    matches!(unit, 0x21..=0x2F | 0x3A..=0x40 | 0x5B..=0x60 | 0x7B..=0x7E)
}

/// White space, a sign after a letter, the separator of Tibetan syllables, or a change between kana and ideographs.
fn is_break(before: u32, unit: u32) -> bool {
    let is_kana = |unit| matches!(unit, 0x3041..=0x30FF);
    let is_ideograph = |unit| matches!(unit, 0x4E00..=0x9FFF);
    let is_letter = (0x370..0xD800).contains(&before);
    matches!(unit, 0x09 | 0x0A | 0x0D | 0x20 | 0x0F0B | 0x2010..=0x2027 | 0x3000..=0x3002)
        || is_letter && (is_sign(unit) || matches!(unit, 0xFF01..=0xFF20))
        || is_kana(before) && is_ideograph(unit)
        || is_ideograph(before) && is_kana(unit)
}

/// A character of Thai, Lao, Burmese or Khmer, which have no spaces between words.
fn is_unspaced(unit: u32) -> bool {
    matches!(unit, 0x0E01..=0x0E3A | 0x0E3F..=0x0E5B | 0x0E81..=0x0EDF | 0x1000..=0x109F | 0x1780..=0x17DD | 0x17E0..=0x17E9)
}

/// Bits of the text in the best legacy encoding.
fn eight_bits(head: &[u8]) -> f32 {
    let ascii = head.iter().filter(|byte| byte.is_ascii()).count();
    legacy::least_bits(head) + 3.0 * ascii as f32
}

fn is_empty(head: &[u8]) -> bool {
    head.iter().all(|byte| *byte == 0)
}

/// The average bits of a code unit if the text is in this form, or `None` if it cannot be.
fn bits(wide: Wide, head: &[u8]) -> Option<f32> {
    let mut total = 0.0;
    let mut letter = 0;
    let (mut high, mut count) = (None, 0_u32);
    for unit in wide.units(head) {
        count += 1;
        if wide.width == Width::Four && char::from_u32(unit).is_none() {
            return None;
        }
        let low = (0xDC00..0xE000).contains(&unit);
        total += match high {
            Some(high) if low => pair_bits(high, unit, &mut letter),
            None if !low => unit_bits(unit, &mut letter),
            // A surrogate without its partner.
            _ => 54.0,
        };
        high = (0xD800..0xDC00).contains(&unit).then_some(unit);
    }
    (count > 0).then(|| total / count as f32 / if wide.width == Width::Four { 2.0 } else { 1.0 })
}

/// Bits of the second half of a surrogate pair. After a character near it, a pair costs as much as two letters.
fn pair_bits(high: u32, low: u32, letter: &mut u32) -> f32 {
    let c = 0x1_0000 + ((high - 0xD800) << 10) + (low - 0xDC00);
    let apart = c.abs_diff(*letter);
    *letter = c;
    if apart < 0x400 { 7.0 } else { 21.0 }
}

/// A code point in the middle of the kana.
const KANA: u32 = 0x3080;

fn unit_bits(unit: u32, letter: &mut u32) -> f32 {
    match unit {
        0x0A | 0x0D | 0x20 => 4.0,
        0x09 | 0x21..=0x7E => 6.0,
        0x00..=0x1F | 0x7F..=0x9F | 0xFFFE.. if unit <= 0xFFFF => 20.0,
        0xA0..=0xFF => 10.0,
        0xE000..=0xF8FF => 24.0,
        0x2000..=0x206F | 0x3000..=0x303F | 0xFF00..=0xFFEF => 9.0,
        0xD800..=0xDFFF => 7.0,
        0x3400..=0x9FFF | 0xAC00..=0xD7AF => {
            // The other letters beside them are kana.
            *letter = KANA;
            let known = characters().iter().filter_map(|language| language.cost(unit as u16));
            known.fold(17.0, f32::min)
        }
        _ => {
            // Letters of one script have code points near one another.
            let apart = unit.abs_diff(*letter);
            *letter = unit;
            match apart {
                ..0x80 => 7.0,
                0x80..0x180 => 9.0,
                _ => 16.0,
            }
        }
    }
}

/// Reads a text in a wide form, in any chunking: finds its line ends and counts malformed sequences.
#[derive(Clone, Debug)]
pub(crate) struct Reader {
    wide: Wide,
    carry: [u8; 4],
    held: usize,
    high: bool,
    malformed: u64,
}

impl Reader {
    pub(crate) fn new(wide: Wide) -> Self {
        Self { wide, carry: [0; 4], held: 0, high: false, malformed: 0 }
    }

    pub(crate) fn wide(&self) -> Wide {
        self.wide
    }

    pub(crate) fn push(&mut self, mut bytes: &[u8], lines: &mut Lines) {
        let size = self.wide.bytes();
        while self.held > 0 && !bytes.is_empty() {
            self.carry[self.held] = bytes[0];
            self.held += 1;
            bytes = &bytes[1..];
            if self.held == size {
                self.held = 0;
                self.unit(self.wide.unit(&self.carry[..size]), lines);
            }
        }
        for unit in self.wide.units(bytes) {
            self.unit(unit, lines);
        }
        let rest = bytes.chunks_exact(size).remainder();
        if self.held == 0 {
            self.carry[..rest.len()].copy_from_slice(rest);
            self.held = rest.len();
        }
    }

    fn unit(&mut self, unit: u32, lines: &mut Lines) {
        lines.unit(unit);
        if self.wide.width == Width::Four {
            self.malformed += u64::from(char::from_u32(unit).is_none());
            return;
        }
        let low = (0xDC00..0xE000).contains(&unit);
        self.malformed += u64::from(self.high != low);
        self.high = (0xD800..0xDC00).contains(&unit);
    }

    /// The number of malformed sequences so far. One that is cut off at the end counts only in a complete text.
    pub(crate) fn malformed(&self, complete: bool) -> u64 {
        self.malformed + u64::from(complete && (self.high || self.held > 0))
    }
}
