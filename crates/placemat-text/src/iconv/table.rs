//! A legacy encoding as tables of what a sequence means and how a character is written. They fill as they are used.
//!
//! When a descriptor is opened, only the meaning of single bytes is computed. A question that was asked before costs one load.

use std::array;
use std::collections::HashMap;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::sync::{Mutex, OnceLock, PoisonError};

use placemat::{Form, Policy, Transcoder, convert_into};

use super::subset::Subset;
use crate::charset::{Charset, LegacyReader, LegacyWriter};

/// The meaning of the first bytes of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Found {
    /// `len` bytes that are one character, or two (some of Big5).
    Characters { first: char, second: Option<char>, len: usize },
    /// `len` bytes that are no character.
    Malformed { len: usize },
    /// The bytes are the start of a longer sequence.
    Incomplete,
}

/// The bytes of a character in the encoding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Spelling {
    bytes: [u8; 4],
    len: usize,
}

/// A legacy encoding or a subset of one, shared by all descriptors.
pub(super) struct Table {
    base: Charset,
    subset: Subset,
    /// By first byte: the character, if the byte is one by itself; else [`ASK`].
    singles: [u32; 256],
    /// The same characters in UTF-8, as [`packed`].
    utf8: [u32; 256],
    /// Whether every sequence is one byte.
    is_single: bool,
    /// Whether the bytes 0 to 7F mean ASCII.
    keeps_ascii: bool,
    /// By first and second byte: their character, [`ASK`], or [`UNKNOWN`].
    pairs: OnceLock<Cells>,
    /// By code point: its length and bytes as [`packed`], [`ASK`], or [`UNKNOWN`].
    spellings: OnceLock<Cells>,
    /// Characters that are read, but that the web's writer does not write.
    rare: OnceLock<HashMap<char, Spelling>>,
}

type Cells = Box<[AtomicU32; CELLS]>;

/// The number of cells: one for each code point of the BMP, or for each pair of bytes.
pub(super) const CELLS: usize = 1 << 16;

/// The most bytes of a sequence.
const LONGEST: usize = 4;
/// The value of a cell whose answer is not a single character or at most three bytes: ask the slower way.
pub(super) const ASK: u32 = 1 << 31;
/// The value of a cell that was not computed yet.
const UNKNOWN: u32 = ASK | 1;

impl Table {
    /// Returns the tables of that encoding; they are made at first use.
    pub(super) fn of(base: Charset, subset: Subset) -> &'static Table {
        static ALL: Mutex<Option<HashMap<(&str, Subset), &'static Table>>> = Mutex::new(None);
        let mut all = ALL.lock().unwrap_or_else(PoisonError::into_inner);
        let all = all.get_or_insert_with(HashMap::new);
        all.entry((base.name(), subset)).or_insert_with(|| Box::leak(Box::new(Table::new(base, subset))))
    }

    fn new(base: Charset, subset: Subset) -> Table {
        let mut table = Table {
            base,
            subset,
            singles: [ASK; 256],
            utf8: [ASK; 256],
            is_single: false,
            keeps_ascii: false,
            pairs: OnceLock::new(),
            spellings: OnceLock::new(),
            rare: OnceLock::new(),
        };
        let found: [Found; 256] = array::from_fn(|byte| table.ask(&[byte as u8]));
        table.singles = found.map(|found| cell(found, 1));
        table.utf8 = table.singles.map(packed_utf8);
        table.keeps_ascii = table.singles[..0x80].iter().zip(0..).all(|(&c, byte)| c == byte);
        table.is_single = !found.contains(&Found::Incomplete);
        table
    }

    /// Whether every sequence is one byte.
    pub(super) fn is_single(&self) -> bool {
        self.is_single
    }

    /// Whether the bytes 0 to 7F mean ASCII.
    pub(super) fn keeps_ascii(&self) -> bool {
        self.keeps_ascii
    }

    /// By first byte: the character, if the byte is one by itself; else [`ASK`].
    pub(super) fn singles(&self) -> &[u32; 256] {
        &self.singles
    }

    /// The same characters in UTF-8: at most three bytes, the first one lowest, with their number in bits 24 to 31; or [`ASK`].
    pub(super) fn utf8(&self) -> &[u32; 256] {
        &self.utf8
    }

    /// Returns what the first bytes are. `bytes` is not empty.
    pub(super) fn read(&self, bytes: &[u8]) -> Found {
        let first = self.singles[usize::from(bytes[0])];
        let (known, len) = if first == ASK { (self.pair(bytes), 2) } else { (Some(first), 1) };
        match known.and_then(char::from_u32) {
            Some(first) => Found::Characters { first, second: None, len },
            None => self.ask(bytes),
        }
    }

    /// Returns the character of the first two bytes.
    #[inline(always)]
    pub(super) fn pair(&self, bytes: &[u8]) -> Option<u32> {
        let &[lead, trail, ..] = bytes else { return None };
        let known = self.pairs()[usize::from(lead) << 8 | usize::from(trail)].load(Relaxed);
        if known & ASK == 0 { Some(known) } else { self.learn_pair(known, [lead, trail]) }
    }

    /// The cells for [`Table::pair`], fetched once for many characters.
    pub(super) fn pairs(&self) -> &[AtomicU32; CELLS] {
        cells(&self.pairs)
    }

    #[cold]
    fn learn_pair(&self, known: u32, bytes: [u8; 2]) -> Option<u32> {
        if known == ASK {
            return None;
        }
        let known = cell(self.ask(&bytes), 2);
        self.pairs()[usize::from(bytes[0]) << 8 | usize::from(bytes[1])].store(known, Relaxed);
        (known & ASK == 0).then_some(known)
    }

    /// Reads the first sequence with the encoding's own reader.
    #[cold]
    fn ask(&self, bytes: &[u8]) -> Found {
        for len in 1..=bytes.len().min(LONGEST) {
            match self.subset.admit(&bytes[..len], decode(self.base, &bytes[..len])) {
                Found::Incomplete => {}
                found => return found,
            }
        }
        if bytes.len() < LONGEST { Found::Incomplete } else { Found::Malformed { len: 1 } }
    }

    /// Returns how a character is written, as [`packed`]; [`ASK`] if its bytes would not be read back as this character.
    #[inline(always)]
    pub(super) fn packed(&self, c: u32) -> u32 {
        self.packed_in(self.spellings(), c)
    }

    /// The cells for [`Table::packed_in`], fetched once for many characters.
    pub(super) fn spellings(&self) -> &[AtomicU32; CELLS] {
        cells(&self.spellings)
    }

    #[inline(always)]
    pub(super) fn packed_in(&self, spellings: &[AtomicU32; CELLS], c: u32) -> u32 {
        let known = spellings.get(c as usize).map_or(ASK, |cell| cell.load(Relaxed));
        if known & ASK == 0 || known == ASK { known } else { self.learn_spelling(c) }
    }

    #[cold]
    fn learn_spelling(&self, c: u32) -> u32 {
        let known = self.find(c).filter(|spelling| spelling.len < 4).map_or(ASK, packed);
        cells(&self.spellings)[c as usize].store(known, Relaxed);
        known
    }

    /// Returns how a character is written, also if it takes four bytes.
    pub(super) fn spell(&self, c: u32) -> Option<Spelling> {
        match self.packed(c) {
            ASK => self.find(c),
            known => Some(Spelling { bytes: (known & 0xFF_FFFF).to_le_bytes(), len: (known >> 24) as usize }),
        }
    }

    #[cold]
    fn find(&self, c: u32) -> Option<Spelling> {
        if self.is_single {
            let byte = self.singles.iter().position(|&single| single == c)?;
            return Some(Spelling::of(&[byte as u8]));
        }
        let c = char::from_u32(c)?;
        if self.subset.writes_as_ascii(c) {
            return Some(Spelling::of(&[c as u8]));
        }
        let is_it = |spelling: &Spelling| {
            let bytes = spelling.as_bytes();
            self.read(bytes) == Found::Characters { first: c, second: None, len: bytes.len() }
        };
        let written = [c, self.subset.web_spelling(c)].map(|c| encode(self.base, c));
        let single = || self.singles.iter().position(|&single| single == u32::from(c));
        let single = || single().map(|byte| Spelling::of(&[byte as u8]));
        written.into_iter().flatten().find(is_it).or_else(single).or_else(|| self.rare().get(&c).copied())
    }

    /// The web writes neither JIS X 0212, nor the additions of Hong Kong to Big5, nor the private use characters of `Shift_JIS`.
    /// Reading them all once takes some milliseconds.
    fn rare(&self) -> &HashMap<char, Spelling> {
        self.rare.get_or_init(|| {
            let (leads, prefix): (_, &[u8]) = match self.base.name() {
                "euc-jp" => (0xA1..=0xFE, &[0x8F]),
                "big5" => (0x81..=0xFE, &[]),
                "shift_jis" => (0xF0..=0xF9, &[]),
                _ => return HashMap::new(),
            };
            let pairs = leads.flat_map(|lead| (0x40..=0xFE).map(move |trail| [lead, trail]));
            let mut rare = HashMap::new();
            for pair in pairs {
                let bytes = [prefix, &pair].concat();
                if let Found::Characters { first, second: None, .. } = self.ask(&bytes) {
                    rare.entry(first).or_insert_with(|| Spelling::of(&bytes));
                }
            }
            rare
        })
    }
}

#[inline(always)]
fn cells(cells: &OnceLock<Cells>) -> &[AtomicU32; CELLS] {
    cells.get_or_init(|| {
        let all: Vec<AtomicU32> = (0..CELLS).map(|_| AtomicU32::new(UNKNOWN)).collect();
        all.try_into().unwrap_or_else(|_| unreachable!("as many as were made"))
    })
}

/// The value of a cell for a sequence of `bytes` bytes.
fn cell(found: Found, bytes: usize) -> u32 {
    match found {
        Found::Characters { first, second: None, len } if len == bytes => u32::from(first),
        _ => ASK,
    }
}

/// Packs at most three bytes, the first one lowest, with their number in bits 24 to 31.
fn packed(spelling: Spelling) -> u32 {
    (spelling.len as u32) << 24 | u32::from_le_bytes(spelling.bytes)
}

/// Packs a code point in UTF-8; [`ASK`] if it takes four bytes.
fn packed_utf8(c: u32) -> u32 {
    let mut bytes = [0; 4];
    match char::from_u32(c).map(|c| c.encode_utf8(&mut bytes).len()) {
        Some(len @ 1..=3) => packed(Spelling { bytes, len }),
        _ => ASK,
    }
}

impl Spelling {
    fn of(bytes: &[u8]) -> Spelling {
        let mut own = [0; 4];
        own[..bytes.len()].copy_from_slice(bytes);
        Spelling { bytes: own, len: bytes.len() }
    }

    pub(super) fn as_bytes(&self) -> &[u8] {
        &self.bytes[..self.len]
    }
}

/// Decodes `bytes`, which are one sequence, with the reader of the encoding.
fn decode(charset: Charset, bytes: &[u8]) -> Found {
    let mut text = Vec::new();
    let malformed = match charset {
        Charset::Form(form) => {
            convert_into(Transcoder::new(form, Form::Utf8), bytes, &mut text).err().map(|_| 1)
        }
        Charset::Legacy(legacy) => {
            let read = LegacyReader::new(legacy, Policy::Stop).push(bytes, &mut text);
            read.err().map(|malformed| malformed.bytes.len())
        }
    };
    if let Some(len) = malformed {
        return Found::Malformed { len: len.clamp(1, bytes.len()) };
    }
    let mut chars = str::from_utf8(&text).unwrap_or_default().chars();
    match chars.next() {
        Some(first) => Found::Characters { first, second: chars.next(), len: bytes.len() },
        None => Found::Incomplete,
    }
}

/// Encodes a character with the writer of the encoding.
fn encode(charset: Charset, c: char) -> Option<Spelling> {
    let Charset::Legacy(legacy) = charset else { return None };
    let mut out = Vec::new();
    let text = c.encode_utf8(&mut [0; 4]).to_owned();
    LegacyWriter::new(legacy, Policy::Stop).push(&text, true, &mut out).ok()?;
    (1..=LONGEST).contains(&out.len()).then(|| Spelling::of(&out))
}
