//! Feeds input to a transcoder whose room is small.

use placemat::{CodePoint, Form, Handler, Status, Transcoder};

/// Whether a form carries lone surrogates (in UTF-8B only those that stand for bytes) or values above U+10FFFF.
pub(crate) fn exceeds_unicode(form: Form) -> bool {
    [0xD800, 0xDC80, 0x11_0000].into_iter().filter_map(CodePoint::new).any(|c| form.carries(c))
}

/// Returns the form of UTF-8 that carries all that `form` does. Where plain UTF-8 is enough, it is returned: kernels write it.
pub(crate) fn utf8_for(form: Form) -> Form {
    if exceeds_unicode(form) { Form::Utf8Rfc2279Surrogates } else { Form::Utf8 }
}

/// Converts a chunk (an empty one: the end of the input), and calls `take` with the output each time that `room` is
/// full. The flag is `true` where an error follows at which the policy would stop; such errors are skipped.
///
/// ```
/// use placemat::{Form, Transcoder};
/// use placemat_text::feed::feed;
///
/// let mut transcoder = Transcoder::new(Form::Utf8, Form::Utf8);
/// let (mut text, mut errors) = (Vec::new(), 0);
/// for chunk in [&b"caf\xC3"[..], b"\xA9 \xFF!", b""] {
///     feed(&mut transcoder, chunk, &mut [0; 64], &mut |bytes, is_error| {
///         text.extend_from_slice(bytes);
///         errors += u32::from(is_error);
///     });
/// }
/// assert_eq!((text, errors), ("café !".as_bytes().to_vec(), 1));
/// ```
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn utf8_carries_what_every_form_does() {
        for &form in Form::ALL {
            let lacks = |&value: &u32| {
                CodePoint::new(value).is_some_and(|c| form.carries(c) && !utf8_for(form).carries(c))
            };
            assert_eq!((0..0x11_0001).find(lacks), None, "{form}");
        }
    }
}
