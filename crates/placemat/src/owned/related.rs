//! CESU-8 and Modified UTF-8 as whole strings. Each function uses two forms only, so that the linker need not keep the others.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;

use crate::codec::{self, Codec, ROOM};
use crate::dispatch::kernels;
use crate::error::Error;
use crate::form::Form;
use crate::form::cesu8::Cesu8;
use crate::form::mutf8::{Mutf8, Strict};
use crate::form::utf8::Utf8;
use crate::kernel::cesu8::{self, Join, Split, Supplementary};
use crate::kernel::word;
use crate::policy::Fixed;

/// A form that a kernel converts from or to.
trait Known: Codec<State = ()> {
    const FORM: Form;
}

impl Known for Utf8 {
    const FORM: Form = Form::Utf8;
}

impl Known for Cesu8 {
    const FORM: Form = Form::Cesu8;
}

impl Known for Mutf8<Strict> {
    const FORM: Form = Form::Mutf8;
}

/// The functions of one form.
macro_rules! related {
    ($encode:ident, $decode:ident: $form:ty, $nul:literal) => {
        /// Text in this form; borrowed if the bytes are the same.
        #[inline]
        pub(crate) fn $encode(text: &str) -> Cow<'_, [u8]> {
            encode::<$form, $nul>(text)
        }

        /// Bytes of this form as text; borrowed if the bytes are the same.
        pub(crate) fn $decode(bytes: &[u8]) -> Result<Cow<'_, str>, Error> {
            decode::<$form, $nul>(bytes)
        }
    };
}
related!(to_cesu8, from_cesu8: Cesu8, false);
related!(to_mutf8, from_mutf8: Mutf8<Strict>, true);

/// With `NUL`, the form is Modified UTF-8.
#[inline(always)]
fn encode<F: Known, const NUL: bool>(text: &str) -> Cow<'_, [u8]> {
    let bytes = text.as_bytes();
    if !NUL && word::is_short_and_basic(bytes) {
        return Cow::Borrowed(bytes);
    }
    // Text that begins with a four-byte sequence differs at once.
    let same = match bytes.first() {
        Some(0xF0..) => 0,
        _ if !NUL && bytes.len() <= 16 => 0,
        _ => kernels().common_prefix(NUL, bytes),
    };
    if same == bytes.len() {
        Cow::Borrowed(bytes)
    } else {
        Cow::Owned(encode_different::<F, NUL>(bytes, same))
    }
}

/// Encode text whose first `same` bytes are the same in both forms. A sequence begins at `same`.
#[inline(never)]
fn encode_different<F: Known, const NUL: bool>(bytes: &[u8], same: usize) -> Vec<u8> {
    let mut out = Vec::with_capacity(bytes.len() + (bytes.len() - same) / 2 + ROOM);
    out.extend_from_slice(&bytes[..same]);
    let read = same + by_words::<Split, NUL>(&bytes[same..], &mut out).0;
    if read < bytes.len() {
        // These forms can carry all text, so nothing can fail.
        let _ = convert::<Utf8, F>(bytes, read, &mut out);
    }
    out
}

fn decode<F: Known, const NUL: bool>(bytes: &[u8]) -> Result<Cow<'_, str>, Error> {
    let mut same = 0;
    // Text that begins with a surrogate is not searched for the first difference.
    if !matches!(bytes, [0xED, 0xA0..=0xFF, ..]) {
        same = kernels().common_prefix(NUL, bytes);
        if same == bytes.len()
            && let Ok(text) = crate::validate(bytes)
        {
            return Ok(Cow::Borrowed(text));
        }
    }
    decode_different::<F, NUL>(bytes, same).map(Cow::Owned)
}

/// Decode bytes whose first `same` bytes are the same in both forms. A sequence begins at `same`, unless those before it are ill-formed.
#[inline(never)]
fn decode_different<F: Known, const NUL: bool>(bytes: &[u8], same: usize) -> Result<String, Error> {
    // The result is never longer than `bytes`.
    let mut out = Vec::with_capacity(bytes.len() + ROOM);
    if bytes.len() - same <= cesu8::SHORT {
        out.extend_from_slice(&bytes[..same]);
        let (read, is_known) = by_words::<Join, NUL>(&bytes[same..], &mut out);
        if same + read == bytes.len()
            && (is_known && kernels().is_utf8(&bytes[..same]) || kernels().is_utf8(&out))
        {
            // SAFETY: `is_utf8` has just checked all of `out`, or its first `same` bytes; the rest is then ASCII and joined pairs, as
            // `is_known` says.
            return Ok(unsafe { String::from_utf8_unchecked(out) });
        }
        out.clear();
    }
    convert::<F, Utf8>(bytes, 0, &mut out)?;
    // SAFETY: what a kernel writes in UTF-8 is well-formed, by its law, and the UTF-8 writer wrote the rest.
    Ok(unsafe { String::from_utf8_unchecked(out) })
}

/// Append a short text without choosing a kernel, as far as there is room. Returns how many bytes of it were read, which are whole
/// sequences, and `is_known` of [`cesu8::by_words`].
#[inline(always)]
fn by_words<P: Supplementary, const NUL: bool>(text: &[u8], out: &mut Vec<u8>) -> (usize, bool) {
    if text.len() > cesu8::SHORT {
        return (0, false);
    }
    let room = out.spare_capacity_mut();
    let words = cesu8::by_words::<P, NUL>(text, room);
    let progress = words.progress();
    assert!(progress.written <= room.len(), "more was written than there was room for");
    // SAFETY: so many bytes of the spare room were just written, as asserted.
    unsafe { out.set_len(out.len() + progress.written) };
    (progress.read, words.is_known)
}

/// Append what follows `at`, where a sequence begins.
#[inline]
fn convert<R: Known, W: Known>(bytes: &[u8], mut at: usize, out: &mut Vec<u8>) -> Result<(), Error> {
    let kernel = kernels().find(R::FORM, W::FORM, Fixed::Stop);
    loop {
        let read = kernel.map_or(0, |kernel| kernel.append(&bytes[at..], out).read);
        at += read;
        if at == bytes.len() {
            return Ok(());
        }
        if read == 0 {
            return one_by_one::<R, W>(bytes, at, out);
        }
        // The kernel may have needed more room: no sequence becomes more than twice as long.
        out.reserve(2 * (bytes.len() - at) + ROOM);
    }
}

/// The same without a kernel.
#[cold]
fn one_by_one<R: Known, W: Known>(bytes: &[u8], mut at: usize, out: &mut Vec<u8>) -> Result<(), Error> {
    let mut room = [0; ROOM];
    while at < bytes.len() {
        let (c, end) = codec::read::<R>(bytes, at)?;
        let refused = |kind| Error::new(kind, at as u64, (end - at) as u8);
        let n = W::encode(&mut (), c, &mut room).map_err(refused)?;
        out.extend_from_slice(&room[..n]);
        at = end;
    }
    Ok(())
}
