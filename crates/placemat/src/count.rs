//! How many code points, and how long in another form: exact answers before converting.

#![forbid(unsafe_code)]

use crate::error::Error;
use crate::form::Form;
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
    crate::sequences(form, bytes).count()
}

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
