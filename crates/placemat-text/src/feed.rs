//! A transcoder, fed to its end.

use placemat::{Handler, Status, Transcoder};

/// Convert a chunk, or (with none) the end, and hand over what `room` holds each time it is full; with `true` when an error
/// follows at which the policy would stop. Such errors are passed over.
pub fn feed<H: Handler>(
    transcoder: &mut Transcoder<H>,
    chunk: &[u8],
    room: &mut [u8],
    take: &mut dyn FnMut(&[u8], bool),
) {
    let mut at = 0;
    loop {
        let step = match chunk.is_empty() {
            true => transcoder.finish(room),
            false => transcoder.push(&chunk[at..], room),
        };
        at += step.read;
        take(&room[..step.written], matches!(step.status, Status::Failed(_)));
        match step.status {
            Status::NeedInput | Status::Done => return,
            Status::NeedOutput | Status::Failed(_) => {}
        }
    }
}
