//! The number of code points, and the exact length in another form, before converting.

#![forbid(unsafe_code)]

use crate::boundary::is_continuation;
use crate::codec::{Codec, Input};
use crate::dispatch::kernels;
use crate::error::Error;
use crate::form::Form;
use crate::form::utf8::Utf8;
use crate::glance::{Glance, Neighbours, ROWS, count_misread_plainly, neighbours_plainly};
use crate::kernel::measure::Measured;
use crate::kernel::utf8::unfinished;
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
#[inline]
pub fn count(form: Form, bytes: &[u8]) -> usize {
    if bytes.is_empty() {
        return 0;
    }
    if form == Form::Utf8 { count_utf8(bytes) } else { form_in_pieces(form, bytes) }
}

/// [`count`] for UTF-8 alone, so that the linker need not keep other forms.
#[inline]
fn count_utf8(bytes: &[u8]) -> usize {
    let kernels = kernels();
    // Only as much as is still in the cache for the second pass, which counts.
    if bytes.len() <= NEAR
        && kernels.is_utf8(bytes)
        && let Some(count) = kernels.count(bytes)
    {
        return count;
    }
    utf8_in_pieces(bytes)
}

/// Counts UTF-8 that is ill-formed or long.
#[inline(never)]
fn utf8_in_pieces(bytes: &[u8]) -> usize {
    in_pieces(
        bytes,
        |rest| utf8_well_formed(rest, false),
        |rest, most| {
            let (mut at, mut count) = (0, 0);
            while at < rest.len() && count < most {
                let sequence = Utf8::decode(&mut (), Input { bytes: &rest[at..], last: true });
                at += sequence.len().unwrap_or(rest.len() - at);
                count += 1;
            }
            (at, count)
        },
    )
}

#[inline(never)]
fn form_in_pieces(form: Form, bytes: &[u8]) -> usize {
    in_pieces(
        bytes,
        |rest| kernels().measure(form, rest),
        |rest, most| {
            let sequences = crate::sequences(form, rest).take(most);
            sequences.fold((0, 0), |(_, count), sequence| (sequence.range().end, count + 1))
        },
    )
}

/// The number of sequences. `measure` counts a well-formed prefix; behind it `one_by_one` reads up to the given number of
/// sequences, and returns how many bytes they take and how many they are.
fn in_pieces(
    bytes: &[u8],
    measure: impl Fn(&[u8]) -> Option<Measured>,
    one_by_one: impl Fn(&[u8], usize) -> (usize, usize),
) -> usize {
    let (mut at, mut count) = (0, 0);
    while at < bytes.len() {
        let Some(Measured { read, code_points, .. }) = measure(&bytes[at..]) else {
            // There is no kernel, so this is the start. The number of bytes does not matter: a shift of UTF-7 at the end is no
            // sequence.
            return one_by_one(bytes, usize::MAX).1;
        };
        (at, count) = (at + read, count + code_points);
        // The kernel stopped because an error is near. It is called again behind these sequences.
        let (read, sequences) = one_by_one(&bytes[at..], ONE_BY_ONE);
        (at, count) = (at + read, count + sequences);
    }
    count
}

/// The number of code points in text: [`count`] without the check. One pass; for short texts `str::chars().count()` may be as fast.
///
/// ```
/// assert_eq!(placemat::count_str("né\u{1F600}"), 3);
/// ```
#[must_use]
#[inline]
pub fn count_str(text: &str) -> usize {
    if text.len() <= FEW {
        return text.bytes().filter(|&byte| !is_continuation(byte)).count();
    }
    kernels().count(text.as_bytes()).unwrap_or_else(|| text.chars().count())
}

/// [`count_str`] for bytes that were validated together with other text. For columns only; it may change.
#[doc(hidden)]
#[must_use]
#[inline]
pub fn count_heads(text: &[u8]) -> usize {
    let plainly = || text.iter().filter(|&&byte| !is_continuation(byte)).count();
    kernels().count(text).unwrap_or_else(plainly)
}

/// The same for each row of a text. `ends` has the end of each row; if there are fewer than 64 rows, the last end is repeated.
/// `None` if one row after the other is faster, or if a row ends outside the text.
#[doc(hidden)]
#[must_use]
pub fn count_heads_of_each(text: &[u8], ends: [u32; ROWS]) -> Option<[u32; ROWS]> {
    kernels().count_each(text, ends)
}

/// Everything that detection needs to know about a block of text, in one pass. For detection only; it may change.
#[doc(hidden)]
#[must_use]
pub fn glance(bytes: &[u8]) -> Glance {
    kernels().glance(bytes).unwrap_or_else(|| Glance::plainly::<false>(bytes))
}

/// Like [`glance`], but also checks carriage returns.
#[doc(hidden)]
#[must_use]
pub fn glance_at_returns(bytes: &[u8]) -> Glance {
    kernels().glance_at_returns(bytes).unwrap_or_else(|| Glance::plainly::<true>(bytes))
}

/// Whether all bytes are ASCII. For detection only.
#[doc(hidden)]
#[must_use]
pub fn is_ascii(bytes: &[u8]) -> bool {
    kernels().ascii_prefix(bytes) == bytes.len()
}

/// How often C3 stands two places before C2, C5, C6, CB or E2: such text may have been encoded twice. For detection only.
#[doc(hidden)]
#[must_use]
pub fn count_misread(bytes: &[u8]) -> usize {
    kernels().misread(bytes).unwrap_or_else(|| count_misread_plainly(bytes))
}

/// The first block of well-formed text with adjacent characters that may be mojibake. Only blocks with three bytes behind them
/// are checked.
#[doc(hidden)]
#[must_use]
pub fn neighbours(text: &[u8]) -> Neighbours {
    kernels().neighbours(text).unwrap_or_else(|| neighbours_plainly(text))
}

/// Measures of the well-formed prefix, if there is a kernel for `form`. Supplementary characters are counted only with `supplementary`.
fn well_formed(form: Form, bytes: &[u8], supplementary: bool) -> Option<Measured> {
    if form == Form::Utf8 { utf8_well_formed(bytes, supplementary) } else { kernels().measure(form, bytes) }
}

fn utf8_well_formed(bytes: &[u8], supplementary: bool) -> Option<Measured> {
    let kernels = kernels();
    // Check a chunk, then count it while it is still in the cache.
    let mut sum = Measured::default();
    loop {
        let rest = &bytes[sum.read..];
        let chunk = &rest[..rest.len().min(NEAR)];
        // A sequence that the end of the chunk cuts off is checked with the next chunk.
        let chunk = &chunk[..chunk.len() - if chunk.len() < rest.len() { unfinished(chunk) } else { 0 }];
        let valid = kernels.utf8_prefix(chunk);
        let text = &chunk[..valid];
        if supplementary {
            let measured = kernels.measure(Form::Utf8, text)?;
            sum.code_points += measured.code_points;
            sum.supplementary += measured.supplementary;
        } else {
            sum.code_points += kernels.count(text)?;
        }
        sum.read += valid;
        if valid < chunk.len() || chunk.len() == rest.len() {
            sum.utf8 = sum.read;
            return Some(sum);
        }
    }
}

/// Bytes that are checked at a time: they fit into the L2 cache.
const NEAR: usize = 1 << 16;

/// How many sequences are counted one by one where the validator stopped.
const ONE_BY_ONE: usize = 64;

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
    if matches!(to, Form::Utf8 | Form::Utf16Le | Form::Utf16Be | Form::Utf32Le | Form::Utf32Be)
        && let Some(measured) = well_formed(from, bytes, matches!(to, Form::Utf16Le | Form::Utf16Be))
        && measured.read == bytes.len()
    {
        return Ok(length_in(to, measured));
    }
    length_with(Transcoder::new(from, to), bytes)
}

/// How many bytes to reserve for `bytes` in another form: enough if they are well-formed, and never more than four times their
/// number.
#[cfg(feature = "alloc")]
pub(crate) fn expected(from: Form, to: Form, bytes: &[u8]) -> usize {
    let unmarked = |form: Form| form.marked().map_or(form, |marked| marked.unmarked);
    let (from, to) = (unmarked(from), unmarked(to));
    let is_measured =
        matches!(to, Form::Utf8 | Form::Utf16Le | Form::Utf16Be | Form::Utf32Le | Form::Utf32Be);
    if !is_measured || from == to {
        return bytes.len();
    }
    let rest = |measured: Measured| length_in(to, measured).saturating_add(bytes.len() - measured.read);
    kernels().measure(from, bytes).map_or(bytes.len(), rest)
}

/// The length of UTF-8 in UTF-16, in units; for memory to reserve, as [`expected`].
#[cfg(feature = "alloc")]
pub(crate) fn utf16_len(bytes: &[u8]) -> usize {
    kernels().utf8_in_utf16(bytes).unwrap_or(bytes.len())
}

/// The length in one of the forms that [`Measured`] covers, in bytes; saturates where `usize` has 32 bits.
#[inline(always)]
pub(crate) fn length_in(to: Form, measured: Measured) -> usize {
    match to {
        Form::Utf8 => measured.utf8,
        Form::Utf16Le | Form::Utf16Be => 2 * (measured.code_points + measured.supplementary),
        _ => measured.code_points.saturating_mul(4),
    }
}

/// Up to this many bytes are counted here, because the call of a kernel takes longer.
const FEW: usize = 3;

/// The length of text in UTF-16, in units.
#[inline]
pub(crate) fn utf16_len_of_str(text: &str) -> usize {
    if text.len() <= FEW {
        // There is no room for a pair.
        return count_str(text);
    }
    kernels().utf8_in_utf16(text.as_bytes()).unwrap_or_else(|| text.encode_utf16().count())
}

/// The length of ISO 8859-1 text in UTF-8.
#[inline]
pub(crate) fn utf8_len_of_latin1(bytes: &[u8]) -> usize {
    let plain = || bytes.len() + bytes.iter().filter(|byte| !byte.is_ascii()).count();
    if bytes.len() <= FEW {
        return plain();
    }
    kernels().latin1_in_utf8(bytes).unwrap_or_else(plain)
}

/// Like [`length`], under the transcoder's policy.
///
/// ```
/// use placemat::{Form, Policy, Transcoder, length_with};
/// let skipping = Transcoder::new(Form::Utf8, Form::Utf16Le).on_error(Policy::Skip);
/// assert_eq!(length_with(skipping, b"a\xFFb"), Ok(4));
/// ```
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
