//! A whole text into room of the caller.

use core::ffi::c_void;

use placemat::Status;

use super::encodings::form_of;
use super::transcoder::{made, placemat_step, untouched};
use crate::border::{self, guard};
use crate::encoding::placemat_encoding;
use crate::settings::placemat_settings;
use crate::status::of_step;
use crate::status::placemat_status;

/// Convert a whole text from one form to another: `length` bytes of `data` into `room` bytes of `out`.
///
/// `settings` may be NULL for the defaults. Returns PLACEMAT_OK when all is converted. With PLACEMAT_NEED_OUTPUT and PLACEMAT_TEXT_ERROR the
/// step says how much of the input was read and how much written: whole characters, to the end of the room, or to the error and
/// with it. placemat_length says how much room is enough.
/// Errors: PLACEMAT_UNKNOWN_ENCODING (also for encodings that are no forms), PLACEMAT_UNKNOWN_VALUE, PLACEMAT_UNSUITABLE, PLACEMAT_OVERLAP,
/// PLACEMAT_NULL_POINTER, PLACEMAT_TOO_LONG; nothing is written then, and the step, if it is one, says so
/// with zeros.
/// Cost: linear, with the vectors of this CPU for frequent pairs; allocates nothing.
///
/// # Safety
/// `data` leads to `length` bytes, `out` to room for `room` bytes, `step` to a placemat_step; `settings` is NULL or leads to settings.
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
        // SAFETY: the caller's word is that of `untouched`.
        let place = unsafe { untouched(step, &[(data, length), (out.cast_const(), room)]) }?;
        // SAFETY: the caller's word is that of `border`.
        let (input, room) = unsafe { (border::input(data, length)?, border::room(out, room)?) };
        // SAFETY: the same.
        let settings = unsafe { border::value(settings) }?;
        let (from, to) = (form_of(from)?, form_of(to)?);
        let (policy, bom) = settings.unwrap_or_default().between(from, to)?;
        let mut transcoder = made(from, to, policy, bom);
        let mut done = transcoder.push(input, room);
        if matches!(done.status, Status::NeedInput) {
            let last = transcoder.finish(&mut room[done.written..]);
            (done.written, done.status) = (done.written + last.written, last.status);
        }
        if matches!(done.status, Status::NeedOutput) {
            // Up to what is written, so that the rest can be converted by itself.
            done.read = transcoder.pending_offset() as usize;
        }
        let (status, error) = of_step(done.status);
        place.write(placemat_step { read: done.read, written: done.written, error });
        Ok(status)
    })
}
