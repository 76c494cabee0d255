//! The inner loops, one instance for each form: many sequences to code points, many code points to sequences.

#![forbid(unsafe_code)]

use crate::code_point::CodePoint;
use crate::codec::{Codec, Decoded, Input, ROOM};
use crate::error::ErrorKind;

/// How many code points go from reader to writer at a time.
pub(crate) const BATCH: usize = 128;

/// How many, where a kernel is tried again soon.
pub(crate) const FEW: usize = 16;

/// What a reader did.
pub(crate) struct Run {
    /// Bytes that became code points (or nothing); what stopped the run starts here.
    pub(crate) read: usize,
    /// How many code points that is.
    pub(crate) len: usize,
    /// How many of them are U+FFFDs that stand for errors.
    pub(crate) replaced: usize,
    pub(crate) stop: Stop,
}

/// Why it stopped.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Stop {
    /// All bytes are read, or as many code points as were asked for.
    Full,
    /// An unfinished sequence stands at the end.
    Incomplete,
    /// An ill-formed sequence of `len` bytes stands here; the state is as after reading it.
    Malformed { kind: ErrorKind, len: u8 },
}

/// Read as many code points as `batch` has room for; with `replaces`, U+FFFD stands for each error.
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

/// Write code points until one is refused. `out` has [`ROOM`] for each. Returns how many were written, in how many bytes.
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
