//! Strings, and the places in a text where a kernel could treat them differently.

use placemat::{Form, convert};

/// The widest block of any kernel, in units.
const BLOCK: usize = 128;

/// Text around a string: characters of one, two, three and four bytes. Kernels have a loop for each kind of text.
pub(crate) const FILLERS: [char; 4] = ['a', 'é', '字', '😀'];

/// How many units precede the string and follow it: every distance from the start up to more than a block, every distance from
/// the end, and every lane far from both.
pub(crate) fn places() -> Vec<(usize, usize)> {
    let near_start = (0..BLOCK + 6).map(|before| (before, 80));
    let near_end = (0..BLOCK / 2 + 6).map(|after| (70, after));
    let inside = (0..BLOCK / 2).map(|lane| (2 * BLOCK + lane, BLOCK));
    near_start.chain(near_end).chain(inside).collect()
}

/// All strings of a given number of symbols.
pub(crate) struct Strings {
    bytes: Vec<u8>,
    len: usize,
}

impl Strings {
    pub(crate) fn new<const N: usize>(symbols: &[[u8; N]], len: u32) -> Strings {
        let string = |n: usize| (0..len).flat_map(move |i| symbols[n / symbols.len().pow(i) % symbols.len()]);
        Strings { bytes: (0..symbols.len().pow(len)).flat_map(string).collect(), len: N * len as usize }
    }

    /// The number of strings.
    pub(crate) fn count(&self) -> u32 {
        (self.bytes.len() / self.len) as u32
    }

    pub(crate) fn get(&self, index: u32) -> &[u8] {
        &self.bytes[index as usize * self.len..][..self.len]
    }
}

/// A text with room for a string.
pub(crate) struct Text {
    pub(crate) bytes: Vec<u8>,
    /// Bytes before the string, and the offset behind the sequence that follows the string.
    pub(crate) before: usize,
    len: usize,
    pub(crate) next: usize,
}

impl Text {
    /// A text in this form, filled with one character, and with letters where the character does not fit; with this many units
    /// before and behind the string.
    pub(crate) fn new(form: Form, filler: char, (before, after): (usize, usize), strings: &Strings) -> Text {
        let unit = usize::from(form.facts().width.0);
        let fill = |units: usize| {
            let written = |c: char| {
                convert(Form::Utf8, form, c.encode_utf8(&mut [0; 4]).as_bytes()).expect("the form has it")
            };
            let (filler, letter) = (written(filler), written('a'));
            let (whole, rest) = (units * unit / filler.len(), units * unit % filler.len() / unit);
            (filler.repeat(whole), letter.repeat(rest), filler.len().max(unit))
        };
        let (fillers, letters, _) = fill(before);
        let mut bytes = [letters, fillers].concat();
        let before = bytes.len();
        let (fillers, letters, filler) = fill(after);
        bytes.resize(before + strings.len, 0);
        let behind = [fillers, letters].concat();
        let first = if behind.len() < filler { behind.len().min(unit) } else { filler };
        bytes.extend(behind);
        Text { bytes, before, len: strings.len, next: before + strings.len + first }
    }

    pub(crate) fn put(&mut self, string: &[u8]) {
        self.bytes[self.before..self.before + self.len].copy_from_slice(string);
    }

    /// The string and one more sequence. What the string becomes depends on nothing else.
    pub(crate) fn core(&self) -> &[u8] {
        &self.bytes[self.before..self.next]
    }
}
