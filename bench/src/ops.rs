//! The operations, and who can do them.

use std::borrow::Cow;

use crate::buffer::Buffer;
use crate::peers::{cesu8, encoding, ours, simd8, simdutf, standard};
use crate::sample::{Sample, Source};

/// What a peer makes of a sample.
pub enum Answer<'a> {
    /// A verdict, or a number.
    Number(usize),
    /// So many bytes in the output buffer.
    Written(usize),
    Text(Cow<'a, str>),
    Bytes(Cow<'a, [u8]>),
}

impl Answer<'_> {
    /// The answer apart from how it was given.
    pub fn content(&self, out: &Buffer) -> Vec<u8> {
        match self {
            Answer::Number(number) => number.to_le_bytes().to_vec(),
            Answer::Written(len) => out.bytes()[..*len].to_vec(),
            Answer::Text(text) => text.as_bytes().to_vec(),
            Answer::Bytes(bytes) => bytes.to_vec(),
        }
    }
}

/// One call of a peer; the buffer has room for whatever may come.
pub type Call = for<'a> fn(&'a Sample, &mut Buffer) -> Answer<'a>;

pub struct Op {
    pub name: &'static str,
    pub source: Source,
    /// Placemat first.
    pub peers: &'static [(&'static str, Call)],
}

impl Op {
    /// The samples of an operation on one text, with what to add to the text's name.
    pub fn variants(&self) -> &'static [(&'static str, Source)] {
        match self.source {
            Source::Utf8 => &[("", Source::Utf8)],
            Source::Latin1 => &[("", Source::Latin1)],
            Source::Utf16 => &[("", Source::Utf16)],
            Source::Utf32 => &[("", Source::Utf32)],
            Source::Utf8OfLatin1 => &[("", Source::Utf8OfLatin1)],
            Source::Pieces => &[("", Source::Pieces)],
            Source::Utf16Pieces => &[("", Source::Utf16Pieces)],
            Source::Cesu8 => &[("", Source::Cesu8)],
            Source::Spoilt(_) => &[
                ("", Source::Spoilt(0)),
                (" 0.1%", Source::Spoilt(10)),
                (" 1%", Source::Spoilt(100)),
                (" 10%", Source::Spoilt(1000)),
                (" 50%", Source::Spoilt(5000)),
            ],
        }
    }

    pub fn is_of_latin1(&self) -> bool {
        matches!(self.source, Source::Latin1 | Source::Utf8OfLatin1)
    }
}

pub const OPS: &[Op] = &[
    Op {
        name: "validate",
        source: Source::Utf8,
        peers: &[
            ("placemat", ours::validate),
            ("simdutf", simdutf::validate),
            ("simdutf8", simd8::validate),
            ("encoding_rs", encoding::validate),
            ("std", standard::validate),
        ],
    },
    Op {
        name: "validate-short",
        source: Source::Pieces,
        peers: &[
            ("placemat", ours::validate_pieces),
            ("simdutf", simdutf::validate_pieces),
            ("simdutf8", simd8::validate_pieces),
            ("encoding_rs", encoding::validate_pieces),
            ("std", standard::validate_pieces),
        ],
    },
    Op {
        name: "transcode-short",
        source: Source::Pieces,
        peers: &[
            ("placemat", ours::transcode_pieces),
            ("simdutf", simdutf::transcode_pieces),
            ("encoding_rs", encoding::transcode_pieces),
            ("std", standard::transcode_pieces),
        ],
    },
    Op {
        name: "utf16-utf8-short",
        source: Source::Utf16Pieces,
        peers: &[
            ("placemat", ours::utf16_pieces),
            ("simdutf", simdutf::utf16_pieces),
            ("encoding_rs", encoding::utf16_pieces),
            ("std", standard::utf16_pieces),
        ],
    },
    Op {
        name: "utf8-utf16",
        source: Source::Utf8,
        peers: &[
            ("placemat", ours::utf8_utf16),
            ("simdutf", simdutf::utf8_utf16),
            ("encoding_rs", encoding::utf8_utf16),
            ("std", standard::utf8_utf16),
        ],
    },
    Op {
        name: "utf8-utf32",
        source: Source::Utf8,
        peers: &[
            ("placemat", ours::utf8_utf32),
            ("simdutf", simdutf::utf8_utf32),
            ("std", standard::utf8_utf32),
        ],
    },
    Op {
        name: "utf8-latin1",
        source: Source::Utf8OfLatin1,
        peers: &[
            ("placemat", ours::utf8_latin1),
            ("simdutf", simdutf::utf8_latin1),
            ("encoding_rs", encoding::utf8_latin1),
            ("std", standard::utf8_latin1),
        ],
    },
    Op {
        name: "latin1-utf8",
        source: Source::Latin1,
        peers: &[
            ("placemat", ours::latin1_utf8),
            ("simdutf", simdutf::latin1_utf8),
            ("encoding_rs", encoding::latin1_utf8),
            ("std", standard::latin1_utf8),
        ],
    },
    Op {
        name: "utf16-utf8",
        source: Source::Utf16,
        peers: &[
            ("placemat", ours::utf16_utf8),
            ("simdutf", simdutf::utf16_utf8),
            ("encoding_rs", encoding::utf16_utf8),
            ("std", standard::utf16_utf8),
        ],
    },
    Op {
        name: "utf32-utf8",
        source: Source::Utf32,
        peers: &[
            ("placemat", ours::utf32_utf8),
            ("simdutf", simdutf::utf32_utf8),
            ("std", standard::utf32_utf8),
        ],
    },
    Op {
        name: "utf16-utf32",
        source: Source::Utf16,
        peers: &[
            ("placemat", ours::utf16_utf32),
            ("simdutf", simdutf::utf16_utf32),
            ("std", standard::utf16_utf32),
        ],
    },
    Op {
        name: "utf32-utf16",
        source: Source::Utf32,
        peers: &[
            ("placemat", ours::utf32_utf16),
            ("simdutf", simdutf::utf32_utf16),
            ("std", standard::utf32_utf16),
        ],
    },
    Op {
        name: "repair",
        source: Source::Spoilt(0),
        peers: &[("placemat", ours::repair), ("encoding_rs", encoding::repair), ("std", standard::repair)],
    },
    Op {
        name: "utf8-utf16-lossy",
        source: Source::Spoilt(0),
        peers: &[
            ("placemat", ours::utf8_utf16_lossy),
            ("encoding_rs", encoding::utf8_utf16_lossy),
            ("std", standard::utf8_utf16_lossy),
        ],
    },
    Op {
        name: "count",
        source: Source::Utf8,
        peers: &[("placemat", ours::count), ("simdutf", simdutf::count), ("std", standard::count)],
    },
    Op {
        name: "count-checked",
        source: Source::Utf8,
        peers: &[
            ("placemat", ours::count_checked),
            ("simdutf", simdutf::count_checked),
            ("std", standard::count_checked),
        ],
    },
    Op {
        name: "utf8-utf16-length",
        source: Source::Utf8,
        peers: &[
            ("placemat", ours::utf8_utf16_length),
            ("simdutf", simdutf::utf8_utf16_length),
            ("std", standard::utf8_utf16_length),
        ],
    },
    Op {
        name: "utf16-utf8-length",
        source: Source::Utf16,
        peers: &[
            ("placemat", ours::utf16_utf8_length),
            ("simdutf", simdutf::utf16_utf8_length),
            ("std", standard::utf16_utf8_length),
        ],
    },
    Op {
        name: "utf32-utf8-length",
        source: Source::Utf32,
        peers: &[
            ("placemat", ours::utf32_utf8_length),
            ("simdutf", simdutf::utf32_utf8_length),
            ("std", standard::utf32_utf8_length),
        ],
    },
    Op {
        name: "latin1-utf8-length",
        source: Source::Latin1,
        peers: &[
            ("placemat", ours::latin1_utf8_length),
            ("simdutf", simdutf::latin1_utf8_length),
            ("std", standard::latin1_utf8_length),
        ],
    },
    Op {
        name: "utf16-validate",
        source: Source::Utf16,
        peers: &[
            ("placemat", ours::utf16_validate),
            ("simdutf", simdutf::utf16_validate),
            ("encoding_rs", encoding::utf16_validate),
            ("std", standard::utf16_validate),
        ],
    },
    Op {
        name: "utf32-validate",
        source: Source::Utf32,
        peers: &[
            ("placemat", ours::utf32_validate),
            ("simdutf", simdutf::utf32_validate),
            ("std", standard::utf32_validate),
        ],
    },
    Op {
        name: "utf8-cesu8",
        source: Source::Utf8,
        peers: &[
            ("placemat", ours::utf8_cesu8),
            ("simd_cesu8", cesu8::utf8_cesu8),
            ("std", standard::utf8_cesu8),
        ],
    },
    Op {
        name: "cesu8-utf8",
        source: Source::Cesu8,
        peers: &[
            ("placemat", ours::cesu8_utf8),
            ("simd_cesu8", cesu8::cesu8_utf8),
            ("std", standard::cesu8_utf8),
        ],
    },
    Op {
        name: "utf8-mutf8",
        source: Source::Utf8,
        peers: &[
            ("placemat", ours::utf8_mutf8),
            ("simd_cesu8", cesu8::utf8_mutf8),
            ("std", standard::utf8_mutf8),
        ],
    },
    Op {
        name: "mutf8-utf8",
        source: Source::Cesu8,
        peers: &[
            ("placemat", ours::mutf8_utf8),
            ("simd_cesu8", cesu8::mutf8_utf8),
            ("std", standard::cesu8_utf8),
        ],
    },
];
