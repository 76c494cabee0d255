//! The inner loops, compiled once for each form: many sequences to code points, many code points to sequences.

#![forbid(unsafe_code)]

use crate::code_point::CodePoint;
use crate::codec::{Codec, Decoded, Input, ROOM};
use crate::error::ErrorKind;

/// The most code points that go from reader to writer at a time.
pub(crate) const BATCH: usize = 128;

/// The same, if a kernel is tried again soon.
pub(crate) const FEW: usize = 16;

/// How far a reader came.
pub(crate) struct Run {
    /// Bytes that became code points (or nothing). What stopped the reader starts here.
    pub(crate) read: usize,
    /// The number of code points read.
    pub(crate) len: usize,
    /// How many of these are U+FFFDs in place of errors.
    pub(crate) replaced: usize,
    pub(crate) stop: Stop,
}

/// Why a reader stopped.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Stop {
    /// All bytes are read, or `batch` is full.
    Full,
    /// There is an unfinished sequence at the end.
    Incomplete,
    /// There is an ill-formed sequence of `len` bytes; the state is the one behind it.
    Malformed { kind: ErrorKind, len: u8 },
}

/// Reads as many code points as `batch` has room for. With `replaces`, each error becomes U+FFFD.
pub(crate) fn decode<C: Codec>(
    state: &mut C::State,
    input: Input<'_>,
    batch: &mut [CodePoint],
    replaces: bool,
) -> Run {
    let (mut read, mut len, mut replaced) = (0, 0, 0);
    let stop = loop {
        if read == input.bytes.len() {
            break Stop::Full;
        }
        let Some(place) = batch.get_mut(len) else { break Stop::Full };
        match C::decode(state, Input { bytes: &input.bytes[read..], last: input.last }) {
            Decoded::CodePoint { value, len: bytes } => {
                *place = value;
                len += 1;
                read += usize::from(bytes);
            }
            Decoded::Nothing { len: bytes } => read += usize::from(bytes),
            Decoded::Malformed { len: bytes, .. } if replaces => {
                *place = CodePoint::REPLACEMENT;
                len += 1;
                replaced += 1;
                read += usize::from(bytes);
            }
            Decoded::Malformed { kind, len } => break Stop::Malformed { kind, len },
            Decoded::Incomplete => break Stop::Incomplete,
        }
    };
    Run { read, len, replaced, stop }
}

/// Writes code points until one is refused. `out` has [`ROOM`] bytes for each. Returns how many code points and how many bytes
/// were written.
pub(crate) fn encode<C: Codec>(
    state: &mut C::State,
    code_points: &[CodePoint],
    out: &mut [u8],
) -> (usize, usize) {
    let mut written = 0;
    for (index, &c) in code_points.iter().enumerate() {
        let Some(room) = out[written..].first_chunk_mut::<ROOM>() else { return (index, written) };
        match C::encode(state, c, room) {
            Ok(len) => written += len,
            Err(_) => return (index, written),
        }
    }
    (code_points.len(), written)
}
