//! A legacy encoding as tables that fill as they are used: what a sequence means, and how a character is written.
//!
//! Nothing is computed when a descriptor is opened but the meaning of single bytes. What has been asked once costs a load.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, OnceLock, PoisonError};

use placemat::{Form, Policy, Transcoder, convert_into};

use super::subset::Subset;
use crate::charset::{Charset, LegacyReader, LegacyWriter};

/// What the first bytes of a text are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Found {
    /// So many bytes that are one character, or two (some of Big5).
    Characters { first: char, second: Option<char>, len: usize },
    /// So many bytes that are none.
    Malformed { len: usize },
    /// A longer sequence begins.
    Incomplete,
}

/// The bytes of a character.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Spelling {
    bytes: [u8; 4],
    len: u8,
}

type Row<T> = OnceLock<Box<[T; 256]>>;

/// One legacy encoding, or a subset of one. Shared by all descriptors.
pub(super) struct Table {
    base: Charset,
    subset: Subset,
    /// By the first byte.
    singles: [Found; 256],
    /// By first and second byte: see [`pack`].
    pairs: [Row<AtomicU32>; 256],
    /// By the upper bytes of the code point, and its lowest: 0 if it was never asked, else [`KNOWN`], the length and the bytes.
    spellings: Vec<Row<AtomicU64>>,
}

/// Of what the longest sequences are made.
const LONGEST: usize = 4;
/// Planes 0 to 2; those above have no characters in legacy encodings.
const ROWS: usize = 0x300;
/// A cell that was filled.
const KNOWN: u64 = 1 << 40;
/// What a cell of a pair holds that is not one character of two bytes.
const ASK: u32 = 1 << 31;
/// A cell of a pair that holds a character.
const ONE: u32 = 1 << 30;

impl Table {
    /// The tables of that encoding, made on first use.
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
            singles: [Found::Incomplete; 256],
            pairs: [const { OnceLock::new() }; 256],
            spellings: std::iter::repeat_with(OnceLock::new).take(ROWS).collect(),
        };
        for byte in 0..=u8::MAX {
            table.singles[usize::from(byte)] = table.ask(&[byte]);
        }
        table
    }

    /// What `bytes`, which are not empty, begin with.
    #[inline]
    pub(super) fn read(&self, bytes: &[u8]) -> Found {
        match self.singles[usize::from(bytes[0])] {
            Found::Incomplete => self.read_longer(bytes),
            found => found,
        }
    }

    #[inline]
    fn read_longer(&self, bytes: &[u8]) -> Found {
        let &[lead, trail, ..] = bytes else { return Found::Incomplete };
        let row = self.pairs[usize::from(lead)].get_or_init(|| Box::new([const { AtomicU32::new(0) }; 256]));
        let cell = &row[usize::from(trail)];
        let mut packed = cell.load(Relaxed);
        if packed == 0 {
            packed = pack(self.ask(&[lead, trail]));
            cell.store(packed, Relaxed);
        }
        match char::from_u32(packed & !ONE) {
            Some(first) if packed & ONE != 0 => Found::Characters { first, second: None, len: 2 },
            _ => self.ask(bytes),
        }
    }

    /// What the encoding's own reader says of the first sequence.
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

    /// How a character is written, if it is written so that it is read back.
    #[inline]
    pub(super) fn spell(&self, c: u32) -> Option<Spelling> {
        let row = self.spellings.get(c as usize >> 8)?;
        let row = row.get_or_init(|| Box::new([const { AtomicU64::new(0) }; 256]));
        let cell = &row[c as usize & 0xFF];
        let mut packed = cell.load(Relaxed);
        if packed == 0 {
            packed = KNOWN | char::from_u32(c).and_then(|c| self.find(c)).map_or(0, Spelling::pack);
            cell.store(packed, Relaxed);
        }
        Spelling::unpack(packed)
    }

    #[cold]
    fn find(&self, c: char) -> Option<Spelling> {
        let is_it = |spelling: &Spelling| {
            let bytes = spelling.as_bytes();
            self.read(bytes) == Found::Characters { first: c, second: None, len: bytes.len() }
        };
        let written = [c, self.subset.web_spelling(c)].map(|c| encode(self.base, c));
        let single = || {
            let at = (0..=u8::MAX).find(|&byte| is_it(&Spelling::of(&[byte])))?;
            Some(Spelling::of(&[at]))
        };
        written.into_iter().flatten().find(is_it).or_else(single)
    }
}

/// One cell for what two bytes are.
fn pack(found: Found) -> u32 {
    match found {
        Found::Characters { first, second: None, len: 2 } => ONE | u32::from(first),
        _ => ASK,
    }
}

impl Spelling {
    fn of(bytes: &[u8]) -> Spelling {
        let mut own = [0; 4];
        own[..bytes.len()].copy_from_slice(bytes);
        Spelling { bytes: own, len: bytes.len() as u8 }
    }

    pub(super) fn as_bytes(&self) -> &[u8] {
        &self.bytes[..usize::from(self.len)]
    }

    fn pack(self) -> u64 {
        u64::from(self.len) << 32 | u64::from(u32::from_le_bytes(self.bytes))
    }

    fn unpack(packed: u64) -> Option<Spelling> {
        let len = (packed >> 32) as u8;
        (len > 0).then_some(Spelling { bytes: (packed as u32).to_le_bytes(), len })
    }
}

/// What a whole of so many bytes is to the reader of the encoding.
fn decode(charset: Charset, bytes: &[u8]) -> Found {
    let mut text = Vec::new();
    let malformed = match charset {
        Charset::Form(form) => convert_into(Transcoder::new(form, Form::Utf8), bytes, &mut text).err().map(|_| 1),
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

/// How the writer of the encoding writes a character.
fn encode(charset: Charset, c: char) -> Option<Spelling> {
    let (text, mut out) = (c.encode_utf8(&mut [0; 4]).to_owned(), Vec::new());
    match charset {
        Charset::Form(form) => {
            convert_into(Transcoder::new(Form::Utf8, form), text.as_bytes(), &mut out).ok()?;
        }
        Charset::Legacy(legacy) => LegacyWriter::new(legacy, Policy::Stop).push(&text, true, &mut out).ok()?,
    }
    (1..=LONGEST).contains(&out.len()).then(|| Spelling::of(&out))
}
