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
    ($encode:ident, $decode:ident: $form:ty) => {
        /// Text in this form; borrowed if the bytes are the same.
        #[inline]
        pub(crate) fn $encode(text: &str) -> Cow<'_, [u8]> {
            encode::<$form>(text)
        }

        /// Bytes of this form as text; borrowed if the bytes are the same.
        pub(crate) fn $decode(bytes: &[u8]) -> Result<Cow<'_, str>, Error> {
            decode::<$form>(bytes)
        }
    };
}
related!(to_cesu8, from_cesu8: Cesu8);
related!(to_mutf8, from_mutf8: Mutf8<Strict>);

#[inline(always)]
fn encode<F: Known>(text: &str) -> Cow<'_, [u8]> {
    let bytes = text.as_bytes();
    let nul = F::FORM == Form::Mutf8;
    let same = match !nul && word::is_short_and_basic(bytes) {
        true => bytes.len(),
        false => kernels().common_prefix(nul, bytes),
    };
    match same {
        same if same == bytes.len() => Cow::Borrowed(bytes),
        same => Cow::Owned(encode_different::<F>(bytes, same)),
    }
}

/// Encode text whose first `same` bytes are the same in both forms. A sequence begins at `same`.
#[inline(never)]
fn encode_different<F: Known>(bytes: &[u8], same: usize) -> Vec<u8> {
    let mut out = Vec::with_capacity(bytes.len() + (bytes.len() - same) / 2 + ROOM);
    out.extend_from_slice(&bytes[..same]);
    // These forms can carry all text, so nothing can fail.
    let _ = convert::<Utf8, F>(bytes, same, &mut out);
    out
}

fn decode<F: Known>(bytes: &[u8]) -> Result<Cow<'_, str>, Error> {
    if kernels().common_prefix(F::FORM == Form::Mutf8, bytes) == bytes.len()
        && let Ok(text) = crate::validate(bytes)
    {
        return Ok(Cow::Borrowed(text));
    }
    decode_different::<F>(bytes).map(Cow::Owned)
}

#[inline(never)]
fn decode_different<F: Known>(bytes: &[u8]) -> Result<String, Error> {
    // The result is never longer than `bytes`.
    let mut out = Vec::with_capacity(bytes.len() + ROOM);
    convert::<F, Utf8>(bytes, 0, &mut out)?;
    // SAFETY: what a kernel writes in UTF-8 is well-formed, by its law, and the UTF-8 writer wrote the rest.
    Ok(unsafe { String::from_utf8_unchecked(out) })
}

/// Convert from `at` on, where a sequence begins, and append the result.
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
