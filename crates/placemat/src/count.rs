//! How many code points, and how long in another form: exact answers before converting.

#![forbid(unsafe_code)]

use crate::error::Error;
use crate::form::{Form, is_tail};
use crate::kernel::kernels;
use crate::policy::Handler;
use crate::transcode::{Status, Transcoder};

/// The number of code points in `bytes`, read as `form`; each error counts as one.
///
/// One pass, no allocation.
///
/// ```
/// use placemat::Form;
/// assert_eq!(placemat::count(Form::Utf8, "né\u{1F600}".as_bytes()), 3);
/// assert_eq!(placemat::count(Form::Utf8, b"n\xE9\xFF"), 3);
/// ```
#[must_use]
pub fn count(form: Form, bytes: &[u8]) -> usize {
    if form == Form::Utf8 { count_utf8(bytes) } else { crate::sequences(form, bytes).count() }
}

/// In well-formed UTF-8 there are as many code points as bytes that are not tails.
fn count_utf8(bytes: &[u8]) -> usize {
    let (mut at, mut count) = (0, 0);
    while at < bytes.len() {
        let valid = kernels().utf8_prefix(&bytes[at..]);
        // In bytes first, of which the compiler makes vectors; 255 of them cannot overflow one.
        let starts = |chunk: &[u8]| chunk.iter().map(|&byte| u8::from(!is_tail(byte))).sum::<u8>();
        count += bytes[at..at + valid].chunks(255).map(|chunk| usize::from(starts(chunk))).sum::<usize>();
        at += valid;
        // An error is near; beyond it the kernel pays again.
        let start = at;
        for sequence in crate::sequences(Form::Utf8, &bytes[start..]).take(CALM) {
            at = start + sequence.range().end;
            count += 1;
        }
    }
    count
}

/// Sequences that are counted one by one where the validator stopped.
const CALM: usize = 64;

/// The exact number of bytes that [`convert`](crate::convert) will write.
///
/// One pass, no allocation.
///
/// ```
/// use placemat::Form;
/// assert_eq!(placemat::length(Form::Utf8, Form::Utf16Le, "né\u{1F600}".as_bytes()), Ok(8));
/// ```
///
/// # Errors
/// The first error of the source, or the first code point that the target cannot carry.
pub fn length(from: Form, to: Form, bytes: &[u8]) -> Result<usize, Error> {
    length_with(Transcoder::new(from, to), bytes)
}

/// Like [`length`], under the transcoder's policy.
///
/// # Errors
/// As the policy decides.
pub fn length_with<H: Handler>(mut transcoder: Transcoder<H>, bytes: &[u8]) -> Result<usize, Error> {
    let mut scratch = [0; 2048];
    let (mut read, mut written) = (0, 0);
    loop {
        let rest = &bytes[read..];
        let step = if rest.is_empty() {
            transcoder.finish(&mut scratch)
        } else {
            transcoder.push(rest, &mut scratch)
        };
        read += step.read;
        written += step.written;
        match step.status {
            Status::Done => return Ok(written),
            Status::Failed(error) => return Err(error),
            Status::NeedInput | Status::NeedOutput => {}
        }
    }
}
