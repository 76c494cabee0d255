//! The inner loops, one instance for each form: many sequences to code points, many code points to sequences.

#![forbid(unsafe_code)]

use crate::code_point::CodePoint;
use crate::codec::{Codec, Decoded, Input, ROOM};
use crate::error::ErrorKind;

/// How many code points go from reader to writer at a time.
pub(crate) const BATCH: usize = 128;

/// Code points on their way from one form to another.
pub(crate) struct Batch {
    code_points: [CodePoint; BATCH],
    len: usize,
}

impl Batch {
    pub(crate) const fn new() -> Batch {
        Batch { code_points: [CodePoint::of(0); BATCH], len: 0 }
    }

    pub(crate) fn code_points(&self) -> &[CodePoint] {
        &self.code_points[..self.len]
    }
}

/// How far a reader came.
pub(crate) struct Run {
    /// Bytes that became code points (or nothing); what stopped the run starts here.
    pub(crate) read: usize,
    pub(crate) stop: Stop,
}

/// Why it came no further.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Stop {
    /// All bytes are read.
    Empty,
    /// As many code points as were asked for.
    Full,
    /// An unfinished sequence stands at the end.
    Incomplete,
    /// An ill-formed sequence of `len` bytes stands here; the state is as after reading it.
    Malformed { kind: ErrorKind, len: u8 },
}

/// Read at most `limit` code points into `batch`.
pub(crate) fn decode<C: Codec>(
    state: &mut C::State,
    input: Input<'_>,
    batch: &mut Batch,
    limit: usize,
) -> Run {
    let limit = limit.min(BATCH);
    let mut read = 0;
    batch.len = 0;
    let stop = loop {
        if read == input.bytes.len() {
            break Stop::Empty;
        }
        if batch.len == limit {
            break Stop::Full;
        }
        match C::decode(state, Input { bytes: &input.bytes[read..], last: input.last }) {
            Decoded::CodePoint { value, len } => {
                batch.code_points[batch.len] = value;
                batch.len += 1;
                read += usize::from(len);
            }
            Decoded::Nothing { len } => read += usize::from(len),
            Decoded::Malformed { kind, len } => break Stop::Malformed { kind, len },
            Decoded::Incomplete => break Stop::Incomplete,
        }
    };
    Run { read, stop }
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
