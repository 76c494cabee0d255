//! The operations, and who can do each. The first peer is placemat, through its published interface; the second is the
//! reference that is watched for drift.

use placemat::{Form, Policy, Transcoder};

/// Bytes that begin where a `u32` may.
#[derive(Clone)]
pub struct Words {
    words: Vec<u32>,
    len: usize,
}

impl Words {
    fn of_bytes(bytes: &[u8]) -> Words {
        let mut padded = bytes.to_vec();
        padded.resize(bytes.len().next_multiple_of(4), 0);
        let words = padded.as_chunks().0.iter().map(|&word| u32::from_ne_bytes(word)).collect();
        Words { words, len: bytes.len() }
    }

    /// The first `len` bytes of an output.
    pub fn of_words(words: &[u32], len: usize) -> Words {
        Words { words: words[..len.div_ceil(4)].to_vec(), len }
    }

    pub fn bytes(&self) -> &[u8] {
        &units::<u8, _>(&self.words)[..self.len]
    }
}

/// Numbers as smaller or, where they are aligned, larger ones.
fn units<T: Number, U: Number>(from: &[U]) -> &[T] {
    // SAFETY: any bytes are a `Number`.
    let (before, units, _) = unsafe { from.align_to() };
    assert!(before.is_empty(), "aligned");
    units
}

fn units_mut<T: Number, U: Number>(from: &mut [U]) -> &mut [T] {
    // SAFETY: any bytes are a `Number`.
    let (before, units, _) = unsafe { from.align_to_mut() };
    assert!(before.is_empty(), "aligned");
    units
}

trait Number {}
impl Number for u8 {}
impl Number for u16 {}
impl Number for u32 {}

/// Does it all: how many bytes (or what number) came of it.
type Run = fn(src: &[u8], dst: &mut [u32]) -> usize;

pub struct Peer {
    pub name: &'static str,
    pub run: Run,
}

pub struct Op {
    pub name: &'static str,
    /// The source, made from UTF-8; `None` when the text has characters that it cannot carry.
    pub prepare: fn(&[u8]) -> Option<Words>,
    pub peers: &'static [Peer],
    /// Whether the output is to be compared, not only its length.
    pub answers: bool,
}

impl Op {
    pub fn header(&self) -> String {
        self.peers.iter().map(|peer| format!("{:>10}", peer.name)).collect()
    }
}

const fn peer(name: &'static str, run: Run) -> Peer {
    Peer { name, run }
}

fn convert(from: Form, to: Form, policy: Policy, src: &[u8], dst: &mut [u32]) -> usize {
    Transcoder::new(from, to).on_error(policy).push(src, units_mut(dst)).written
}

/// In native byte order, which is little-endian wherever simdutf's names below say so.
fn prepared(text: &[u8], form: Form) -> Option<Words> {
    placemat::convert(Form::Utf8, form, text).ok().map(|bytes| Words::of_bytes(&bytes))
}

fn clean(text: &[u8]) -> Option<Words> {
    Some(Words::of_bytes(text))
}

/// One byte in a hundred is wrong.
fn dirty(text: &[u8]) -> Option<Words> {
    let mut bytes = text.to_vec();
    let mut state = 88_172_645_463_325_252_u64;
    for _ in 0..bytes.len() / 100 {
        state = xorshift(state);
        let at = (state % bytes.len() as u64) as usize;
        bytes[at] = (state >> 40) as u8 | 0x80;
    }
    Some(Words::of_bytes(&bytes))
}

pub fn xorshift(mut state: u64) -> u64 {
    state ^= state << 13;
    state ^= state >> 7;
    state ^ state << 17
}

/// Strings of 1 to 64 bytes, each behind its length.
fn short(text: &[u8]) -> Option<Words> {
    let text = std::str::from_utf8(text).ok()?;
    let (mut strings, mut rest, mut state) = (Vec::new(), text, 1);
    while !rest.is_empty() && strings.len() < 100_000 {
        state = xorshift(state);
        let mut end = rest.len().min(1 + (state >> 20) as usize % 64);
        while !rest.is_char_boundary(end) {
            end += 1;
        }
        strings.push(end as u8);
        strings.extend_from_slice(&rest.as_bytes()[..end]);
        rest = &rest[end..];
    }
    Some(Words::of_bytes(&strings))
}

fn each_short(mut src: &[u8], mut test: impl FnMut(&[u8]) -> bool) -> usize {
    let mut valid = 0;
    while let Some((&len, rest)) = src.split_first() {
        let (string, rest) = rest.split_at(usize::from(len));
        valid += usize::from(test(string));
        src = rest;
    }
    valid
}

fn copy(text: &[u8], dst: &mut [u32]) -> usize {
    units_mut(dst)[..text.len()].copy_from_slice(text);
    text.len()
}

pub static ALL: &[Op] = &[
    Op {
        name: "validate",
        prepare: clean,
        answers: false,
        peers: &[
            peer("placemat", |src, _| usize::from(placemat::is_valid(src))),
            peer("simdutf", |src, _| usize::from(simdutf::validate_utf8(src))),
            peer("simdutf8", |src, _| usize::from(simdutf8::basic::from_utf8(src).is_ok())),
            peer("encoding_rs", |src, _| {
                usize::from(encoding_rs::Encoding::utf8_valid_up_to(src) == src.len())
            }),
            peer("std", |src, _| usize::from(std::str::from_utf8(src).is_ok())),
        ],
    },
    Op {
        name: "validate-short",
        prepare: short,
        answers: false,
        peers: &[
            peer("placemat", |src, _| each_short(src, placemat::is_valid)),
            peer("simdutf", |src, _| each_short(src, simdutf::validate_utf8)),
            peer("simdutf8", |src, _| each_short(src, |s| simdutf8::basic::from_utf8(s).is_ok())),
            peer("encoding_rs", |src, _| {
                each_short(src, |s| encoding_rs::Encoding::utf8_valid_up_to(s) == s.len())
            }),
            peer("std", |src, _| each_short(src, |s| std::str::from_utf8(s).is_ok())),
        ],
    },
    Op {
        name: "utf8-utf16",
        prepare: clean,
        answers: true,
        peers: &[
            peer("placemat", |src, dst| convert(Form::Utf8, Form::Utf16Le, Policy::Stop, src, dst)),
            // SAFETY: there is a `u32` for each byte, and no byte becomes more than two units of two bytes.
            peer("simdutf", |src, dst| {
                2 * unsafe {
                    simdutf::convert_utf8_to_utf16le(src.as_ptr(), src.len(), dst.as_mut_ptr().cast())
                }
            }),
            peer("encoding_rs", |src, dst| 2 * encoding_rs::mem::convert_utf8_to_utf16(src, units_mut(dst))),
        ],
    },
    Op {
        name: "utf8-utf16-lossy",
        prepare: dirty,
        answers: true,
        peers: &[
            peer("placemat", |src, dst| convert(Form::Utf8, Form::Utf16Le, Policy::Replace, src, dst)),
            peer("encoding_rs", |src, dst| 2 * encoding_rs::mem::convert_utf8_to_utf16(src, units_mut(dst))),
        ],
    },
    Op {
        name: "utf8-utf32",
        prepare: clean,
        answers: true,
        peers: &[
            peer("placemat", |src, dst| convert(Form::Utf8, Form::Utf32Le, Policy::Stop, src, dst)),
            // SAFETY: there is a `u32` for each byte.
            peer("simdutf", |src, dst| {
                4 * unsafe {
                    simdutf::convert_utf8_to_utf32(src.as_ptr(), src.len(), dst.as_mut_ptr().cast())
                }
            }),
        ],
    },
    Op {
        name: "latin1-utf8",
        prepare: |text| prepared(text, Form::Iso8859_1),
        answers: true,
        peers: &[
            peer("placemat", |src, dst| convert(Form::Iso8859_1, Form::Utf8, Policy::Stop, src, dst)),
            // SAFETY: there is a `u32` for each byte.
            peer("simdutf", |src, dst| unsafe {
                simdutf::convert_latin1_to_utf8(src.as_ptr(), src.len(), dst.as_mut_ptr().cast())
            }),
            peer("encoding_rs", |src, dst| encoding_rs::mem::convert_latin1_to_utf8(src, units_mut(dst))),
        ],
    },
    Op {
        name: "utf16-utf8",
        prepare: |text| prepared(text, Form::Utf16Le),
        answers: true,
        peers: &[
            peer("placemat", |src, dst| convert(Form::Utf16Le, Form::Utf8, Policy::Stop, src, dst)),
            // SAFETY: there are eight bytes for each unit.
            peer("simdutf", |src, dst| unsafe {
                let src = units::<u16, _>(src);
                simdutf::convert_utf16le_to_utf8(src.as_ptr(), src.len(), dst.as_mut_ptr().cast())
            }),
            peer("encoding_rs", |src, dst| {
                encoding_rs::mem::convert_utf16_to_utf8(units(src), units_mut(dst))
            }),
        ],
    },
    Op {
        name: "utf32-utf8",
        prepare: |text| prepared(text, Form::Utf32Le),
        answers: true,
        peers: &[
            peer("placemat", |src, dst| convert(Form::Utf32Le, Form::Utf8, Policy::Stop, src, dst)),
            // SAFETY: there are sixteen bytes for each unit.
            peer("simdutf", |src, dst| unsafe {
                simdutf::convert_utf32_to_utf8(src.as_ptr().cast(), src.len() / 4, dst.as_mut_ptr().cast())
            }),
        ],
    },
    Op {
        name: "utf16-utf32",
        prepare: |text| prepared(text, Form::Utf16Le),
        answers: true,
        peers: &[
            peer("placemat", |src, dst| convert(Form::Utf16Le, Form::Utf32Le, Policy::Stop, src, dst)),
            // SAFETY: there are eight bytes for each unit.
            peer("simdutf", |src, dst| {
                4 * unsafe {
                    let src = units::<u16, _>(src);
                    simdutf::convert_utf16le_to_utf32(src.as_ptr(), src.len(), dst.as_mut_ptr().cast())
                }
            }),
        ],
    },
    Op {
        name: "utf32-utf16",
        prepare: |text| prepared(text, Form::Utf32Le),
        answers: true,
        peers: &[
            peer("placemat", |src, dst| convert(Form::Utf32Le, Form::Utf16Le, Policy::Stop, src, dst)),
            // SAFETY: there are sixteen bytes for each unit.
            peer("simdutf", |src, dst| {
                2 * unsafe {
                    simdutf::convert_utf32_to_utf16le(
                        src.as_ptr().cast(),
                        src.len() / 4,
                        dst.as_mut_ptr().cast(),
                    )
                }
            }),
        ],
    },
    Op {
        name: "repair",
        prepare: dirty,
        answers: true,
        peers: &[
            peer("placemat", |src, dst| copy(placemat::repair(src).as_bytes(), dst)),
            peer("std", |src, dst| copy(String::from_utf8_lossy(src).as_bytes(), dst)),
            peer("encoding_rs", |src, dst| {
                copy(encoding_rs::UTF_8.decode_without_bom_handling(src).0.as_bytes(), dst)
            }),
        ],
    },
];
