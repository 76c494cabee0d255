//! Converts a whole text into the room of the caller.

use core::ffi::c_void;

use placemat::{Form, Status, latin1, utf16, utf32};

use super::encodings::form_of;
use super::transcoder::{made, placemat_step, untouched};
use crate::border::{self, guard};
use crate::encoding::placemat_encoding;
use crate::settings::placemat_settings;
use crate::status::of_step;
use crate::status::placemat_status;

/// Converts a whole text from one form to another: `length` bytes of `data` into `room` bytes of `out`.
///
/// `settings` may be NULL for the defaults. Returns PLACEMAT_OK when the whole text is converted. With PLACEMAT_NEED_OUTPUT and
/// PLACEMAT_TEXT_ERROR, the step says how much was read and written: whole characters up to the end of the room, or up to the error, which
/// then counts as read. placemat_length computes the room that is needed.
/// Errors: PLACEMAT_UNKNOWN_ENCODING (also for encodings that are not forms), PLACEMAT_UNKNOWN_VALUE, PLACEMAT_UNSUITABLE, PLACEMAT_OVERLAP,
/// PLACEMAT_NULL_POINTER, PLACEMAT_TOO_LONG; then nothing is written except the step, if it is valid, which becomes zeros.
/// Cost: linear, with the vector instructions of this CPU for frequent pairs; allocates nothing.
///
/// # Safety
/// `data` points to `length` bytes, `out` to room for `room` bytes, `step` to a placemat_step; `settings` is NULL or points to settings.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn placemat_convert_into(
    from: placemat_encoding,
    to: placemat_encoding,
    settings: *const placemat_settings,
    data: *const c_void,
    length: usize,
    out: *mut c_void,
    room: usize,
    step: *mut placemat_step,
) -> placemat_status {
    guard(|| {
        // SAFETY: the caller guarantees what `untouched` requires.
        let place = unsafe { untouched(step, &[(data, length), (out.cast_const(), room)]) }?;
        // SAFETY: the caller guarantees what `border` requires.
        let (input, room) = unsafe { (border::input(data, length)?, border::room(out, room)?) };
        // SAFETY: as above.
        let settings = unsafe { border::value(settings) }?;
        let (from, to) = (form_of(from)?, form_of(to)?);
        if input.len() <= SHORT
            && settings.is_none_or(|settings| settings == placemat_settings::default())
            && let Some(written) = quickly(from, to, input, room)
        {
            place.write(placemat_step { read: input.len(), written, ..placemat_step::default() });
            return Ok(placemat_status::PLACEMAT_OK);
        }
        let (policy, bom) = settings.unwrap_or_default().between(from, to)?;
        let mut transcoder = made(from, to, policy, bom);
        let mut done = transcoder.push(input, room);
        if matches!(done.status, Status::NeedInput) {
            let last = transcoder.finish(&mut room[done.written..]);
            (done.written, done.status) = (done.written + last.written, last.status);
        }
        if matches!(done.status, Status::NeedOutput) {
            // The part that is written, so that the rest can be converted by itself.
            done.read = transcoder.pending_offset() as usize;
        }
        let (status, error) = of_step(done.status);
        place.write(placemat_step { read: done.read, written: done.written, error });
        Ok(status)
    })
}

/// Up to this many bytes, making a transcoder would take most of the time.
const SHORT: usize = 256;

/// Converts, and returns the number of bytes written, if this is a frequent pair in the byte order of the machine, all is
/// well-formed, and it fits.
fn quickly(from: Form, to: Form, input: &[u8], room: &mut [u8]) -> Option<usize> {
    let step = match (from, to) {
        (Form::Utf8, UTF16) => utf16::from_utf8(input, units_mut(room)?),
        (Form::Utf8, UTF32) => utf32::from_utf8(input, units_mut(room)?),
        (UTF16, Form::Utf8) => utf16::to_utf8(units(input)?, room),
        (UTF32, Form::Utf8) => utf32::to_utf8(units(input)?, room),
        (Form::Iso8859_1, Form::Utf8) => latin1::to_utf8(input, room),
        (Form::Utf8, Form::Iso8859_1) => latin1::from_utf8(input, room),
        _ => return None,
    };
    let unit = usize::from(to.facts().width.0).max(1);
    (step.status == Status::Done).then_some(step.written * unit)
}

const UTF16: Form = if cfg!(target_endian = "big") { Form::Utf16Be } else { Form::Utf16Le };
const UTF32: Form = if cfg!(target_endian = "big") { Form::Utf32Be } else { Form::Utf32Le };

/// A number type for which every bit pattern is a value.
trait Unit {}
impl Unit for u16 {}
impl Unit for u32 {}

/// Returns the bytes as units, if they are aligned and no unit is incomplete.
fn units<U: Unit>(bytes: &[u8]) -> Option<&[U]> {
    // SAFETY: every bit pattern is a `Unit`.
    match unsafe { bytes.align_to() } {
        ([], units, []) => Some(units),
        _ => None,
    }
}

/// Returns the units that there is room for, if the room is aligned.
fn units_mut<U: Unit>(bytes: &mut [u8]) -> Option<&mut [U]> {
    // SAFETY: as above, and the bytes of every unit are valid.
    match unsafe { bytes.align_to_mut() } {
        ([], units, _) => Some(units),
        _ => None,
    }
}
