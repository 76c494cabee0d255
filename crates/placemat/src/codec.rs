//! What a form must implement (read one sequence, write one code point), and the laws that every implementation keeps.
//!
//! A form knows nothing of loops, chunks, positions or policies. It reads the *first* sequence of some bytes, and writes one
//! code point. [`crate::transcode`] owns everything else.

#![forbid(unsafe_code)]

use crate::code_point::CodePoint;
use crate::error::{Error, ErrorKind};

/// The room that [`Codec::encode`] and [`Codec::end`] are given: more than any form writes for one code point.
pub(crate) const ROOM: usize = 16;

/// A form: one reader and one writer.
///
/// # Laws
/// `laws.rs` runs these on every form.
///
/// 1. With `last`, the answer is never [`Decoded::Incomplete`].
/// 2. Progress: an answer other than `Incomplete` has `1 <= len <= input.bytes.len()`.
/// 3. Without `last`, an answer other than `Incomplete` (and the state after it) does not change when more bytes follow
///    or when `last` is set. `Incomplete` leaves the state as it was.
/// 4. At most [`LONGEST`](Codec::LONGEST) bytes decide: with that many, the answer is not `Incomplete`.
/// 5. What `encode` (and then `end`) wrote, `decode` reads back as the same code points. There are two exceptions: some forms
///    join a high surrogate and the low surrogate behind it, and the writers of `utf-8b/python` and `optu-8/mirbsd` do not
///    refuse escapes whose bytes form a character.
/// 6. When `encode` refuses, the state stays as it was, and the content of `out` is undefined.
pub(crate) trait Codec: 'static {
    /// What the documentation and `placemat forms` say about the form.
    const FACTS: Facts;
    /// Bytes of look-ahead, at most 16: bounds the carry between chunks.
    const LONGEST: usize;
    /// What a reader or writer remembers between sequences: `()` for most forms, more for UTF-7 and for writers that hold
    /// something back. It is small, because the engine copies it in order to return to an earlier state.
    type State: Copy + Default + PartialEq + Memory;

    /// Read the first sequence of `input`.
    fn decode(state: &mut Self::State, input: Input<'_>) -> Decoded;

    /// Write one code point to the start of `out` and say how many bytes it took (0 when it is held back).
    ///
    /// # Errors
    /// [`ErrorKind::Unencodable`] when the form cannot carry `c`, or not behind what was written before.
    fn encode(state: &mut Self::State, c: CodePoint, out: &mut [u8; ROOM]) -> Result<usize, ErrorKind>;

    /// At the end of the text, write what was held back to the start of `out` and return how many bytes that took. The state is
    /// then as at the start.
    fn end(state: &mut Self::State, _out: &mut [u8; ROOM]) -> usize {
        *state = Self::State::default();
        0
    }
}

/// What a reader remembers, as a number below 64. 0 is the default; most readers have no other value.
pub(crate) trait Memory: Default {
    fn memory(&self) -> u32 {
        0
    }

    fn with_state_bits(memory: u32) -> Option<Self> {
        (memory == 0).then(Self::default)
    }
}

impl Memory for () {}
impl Memory for Option<u16> {}

/// The bytes that a reader may read. Never empty.
#[derive(Clone, Copy)]
pub(crate) struct Input<'a> {
    pub(crate) bytes: &'a [u8],
    /// Whether the input ends where `bytes` end.
    pub(crate) last: bool,
}

impl Input<'_> {
    /// The answer where the bytes end inside a sequence, after `len` bytes of it.
    #[inline(always)]
    pub(crate) fn ends_inside(self, len: usize) -> Decoded {
        if self.last { Decoded::malformed(ErrorKind::Truncated, len) } else { Decoded::Incomplete }
    }
}

/// The code point of the sequence at `at` and the end of that sequence, or the error. `bytes` is a whole text, in a form without
/// state.
#[inline(always)]
pub(crate) fn read<C: Codec<State = ()>>(bytes: &[u8], at: usize) -> Result<(CodePoint, usize), Error> {
    match C::decode(&mut (), Input { bytes: &bytes[at..], last: true }) {
        Decoded::CodePoint { value, len } => Ok((value, at + usize::from(len))),
        Decoded::Malformed { kind, len } => Err(Error::new(kind, at as u64, len)),
        // Neither happens: see law 1, and a form without state has no shifts.
        Decoded::Nothing { .. } | Decoded::Incomplete => Ok((CodePoint::REPLACEMENT, bytes.len())),
    }
}

/// What a reader found at the start of its input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Decoded {
    /// A well-formed sequence of `len` bytes.
    CodePoint { value: CodePoint, len: u8 },
    /// `len` bytes that belong to the form but stand for no code point (a shift of UTF-7).
    Nothing { len: u8 },
    /// An ill-formed sequence of `len` bytes. The reader may have read more bytes; these are read again.
    Malformed { kind: ErrorKind, len: u8 },
    /// More bytes are needed to decide.
    Incomplete,
}

impl Decoded {
    #[inline(always)]
    pub(crate) const fn code_point(value: u32, len: usize) -> Decoded {
        Decoded::CodePoint { value: CodePoint::of(value), len: len as u8 }
    }

    #[inline(always)]
    pub(crate) const fn malformed(kind: ErrorKind, len: usize) -> Decoded {
        Decoded::Malformed { kind, len: len as u8 }
    }

    /// The length of the sequence in bytes, unless more bytes are needed to decide.
    #[inline(always)]
    pub(crate) fn len(self) -> Option<usize> {
        match self {
            Decoded::CodePoint { len, .. } | Decoded::Nothing { len } | Decoded::Malformed { len, .. } => {
                Some(len.into())
            }
            Decoded::Incomplete => None,
        }
    }
}

/// Properties of a form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Facts {
    /// The code points that the form carries, in words: `"scalar values"`.
    pub domain: &'static str,
    /// Bytes per code point, least and most. UTF-7 counts its shifts.
    pub width: (u8, u8),
    /// Bytes `00..=7F` are exactly the ASCII characters, wherever they stand.
    pub ascii_transparent: bool,
    /// From any byte (in UTF-16, UTF-32 and their relatives any code unit) the next boundary can be found without reading from the
    /// start.
    pub self_synchronising: bool,
    /// Texts compared byte by byte are in the same order as when compared by code points.
    pub order_preserving: bool,
    /// How the bytes of a sequence are laid out.
    pub layout: Layout,
    /// The document that defines the form, and what replaced it.
    pub source: &'static str,
}

/// How the bytes of a sequence are laid out. A new layout is a breaking change, so that the compiler finds every `match` over
/// them.
///
/// ```
/// use placemat::{Form, Layout};
///
/// assert_eq!(Form::Cesu8.facts().layout, Layout::Announced);
/// assert_eq!(Form::Utf16Be.facts().layout, Layout::Units { size: 2, big_endian: true });
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Layout {
    /// The leading ones of the lead byte announce the length, and continuation bytes are `80..=BF`: UTF-8 and its family.
    /// Errors can be counted by sequence.
    Announced,
    /// The leading ones announce the length, but continuation bytes are `80..=FF`: the FSS-UTF of July 1992.
    Biased,
    /// Code units of several bytes: UTF-16, UTF-32 and their relatives.
    Units {
        /// Bytes of a unit, 2 or 4.
        size: usize,
        /// Whether the most significant byte comes first.
        big_endian: bool,
    },
    /// Runs of base64, in which a byte by itself means nothing: UTF-7.
    Base64,
    /// No bits are reserved to mark lead or continuation bytes.
    Plain,
}
