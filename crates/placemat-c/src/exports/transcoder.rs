//! Streams, in storage of the caller.

use core::ffi::c_void;
use core::mem::{MaybeUninit, align_of, needs_drop, size_of};
use core::ptr;

use placemat::{Bom, Form, Policy, Step, Transcoder};

use super::encodings::form_of;
use crate::border::{self, Answer, apart, caught, guard};
use crate::encoding::{self, placemat_encoding};
use crate::settings::placemat_settings;
use crate::status::placemat_status::{
    self, PLACEMAT_BAD_STORAGE, PLACEMAT_NULL_POINTER, PLACEMAT_OK, PLACEMAT_OVERLAP,
};
use crate::status::{of_step, placemat_error};

/// Converts a stream from one form to another, in chunks of any size. It lives in storage of the caller and allocates no memory,
/// so it need not be freed: use the storage for something else whenever you like.
///
/// Only one thread may use it at a time. Its bytes may be copied to other storage that is aligned, too; the copy is a second
/// transcoder that continues from the same position.
pub struct placemat_transcoder {
    /// [`MARK`], which identifies storage with a transcoder.
    mark: u64,
    transcoder: Transcoder,
}

/// The result of one call.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct placemat_step {
    /// The number of bytes of the input that were read; do not pass them again.
    pub read: usize,
    /// The number of bytes written to the start of the room. The bytes after them may have been overwritten.
    pub written: usize,
    /// The error with PLACEMAT_TEXT_ERROR; otherwise its kind is PLACEMAT_NO_ERROR.
    pub error: placemat_error,
}

/// The bytes of storage that are enough for a transcoder of every version with this PLACEMAT_VERSION_MAJOR.
pub const PLACEMAT_TRANSCODER_SIZE: usize = 1024;
/// The bytes of room that are enough for a call to make progress.
pub const PLACEMAT_MIN_ROOM: usize = 16;

const MARK: u64 = 0x706C_6163_656D_6174;

const _: () = assert!(size_of::<placemat_transcoder>() <= PLACEMAT_TRANSCODER_SIZE);
const _: () = assert!(align_of::<placemat_transcoder>() <= align_of::<u64>());
const _: () = assert!(PLACEMAT_MIN_ROOM == Transcoder::<Policy>::MIN_OUTPUT);
// Storage may be reused and copied at any time.
const _: () = assert!(!needs_drop::<placemat_transcoder>());

/// Creates a transcoder with these settings. A new one has the default settings, and changing one copies it as a whole.
#[inline]
pub(crate) fn made(from: Form, to: Form, policy: Policy, bom: Bom) -> Transcoder {
    let mut made = Transcoder::new(from, to);
    if policy != Policy::Stop {
        made = made.on_error(policy);
    }
    if bom != Bom::Keep {
        made = made.bom(bom);
    }
    made
}

/// The size of a transcoder in bytes; at most PLACEMAT_TRANSCODER_SIZE.
#[unsafe(no_mangle)]
pub extern "C" fn placemat_transcoder_size() -> usize {
    size_of::<placemat_transcoder>()
}

/// The alignment of a transcoder in bytes; at most that of uint64_t.
#[unsafe(no_mangle)]
pub extern "C" fn placemat_transcoder_align() -> usize {
    align_of::<placemat_transcoder>()
}

/// Creates a transcoder in `size` bytes of `storage`; `*transcoder` becomes a pointer to it, or NULL.
///
/// `settings` may be NULL for the defaults. The storage must not move while the transcoder is used.
/// Errors: PLACEMAT_BAD_STORAGE if it is too small or not aligned, PLACEMAT_UNKNOWN_ENCODING (also for encodings that are not forms),
/// PLACEMAT_UNKNOWN_VALUE, PLACEMAT_UNSUITABLE, PLACEMAT_NULL_POINTER, PLACEMAT_TOO_LONG.
/// Cost: constant; allocates nothing.
///
/// # Safety
/// `storage` points to `size` bytes that nobody else uses while the transcoder is in use; `settings` is NULL or points to settings;
/// `transcoder` points to a pointer outside the storage.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn placemat_transcoder_init(
    storage: *mut c_void,
    size: usize,
    from: placemat_encoding,
    to: placemat_encoding,
    settings: *const placemat_settings,
    transcoder: *mut *mut placemat_transcoder,
) -> placemat_status {
    guard(|| {
        // SAFETY: the caller guarantees what `border` requires.
        let place = unsafe { border::place(transcoder) }?;
        let parts = apart(&[(storage, size), (transcoder.cast_const().cast(), size_of::<*mut c_void>())]);
        // Before anything else fails, so that no old pointer stays there.
        if parts != Err(PLACEMAT_OVERLAP) {
            place.write(ptr::null_mut());
        }
        parts?;
        // SAFETY: the caller guarantees what `border` requires.
        let settings = unsafe { border::value(settings) }?;
        let own = storage.cast::<placemat_transcoder>();
        if own.is_null() {
            return Err(PLACEMAT_NULL_POINTER);
        }
        if size < size_of::<placemat_transcoder>() || !own.is_aligned() {
            return Err(PLACEMAT_BAD_STORAGE);
        }
        let (from, to) = (form_of(from)?, form_of(to)?);
        let (policy, bom) = settings.unwrap_or_default().between(from, to)?;
        let transcoder = made(from, to, policy, bom);
        // SAFETY: aligned storage of at least its size, which only the call uses, as the caller guarantees.
        unsafe { own.write(placemat_transcoder { mark: MARK, transcoder }) };
        place.write(own);
        Ok(PLACEMAT_OK)
    })
}

/// Converts the next chunk of the input: `length` bytes of `data` into `room` bytes of `out`.
///
/// Returns PLACEMAT_NEED_INPUT when the whole chunk is read (the bytes of an unfinished sequence are kept for the next call). Returns
/// PLACEMAT_NEED_OUTPUT when the room is full, and PLACEMAT_TEXT_ERROR at an error: then pass the rest of the chunk again, from `step->read`
/// on. After an error this continues after the error. The sizes of chunks and room do not change what is written. A character is never
/// written in parts, so less room than PLACEMAT_MIN_ROOM bytes may not be enough for one.
/// Errors: PLACEMAT_BAD_STORAGE, PLACEMAT_OVERLAP, PLACEMAT_NULL_POINTER, PLACEMAT_TOO_LONG; then nothing is read or written except the step,
/// if it is valid, which becomes zeros.
/// Cost: linear, with the vector instructions of this CPU for frequent pairs; allocates nothing.
///
/// # Safety
/// `transcoder` was returned by placemat_transcoder_init and is used by this thread only; `data` points to `length` bytes, `out`
/// to room for `room` bytes, `step` to a placemat_step.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn placemat_transcoder_push(
    transcoder: *mut placemat_transcoder,
    data: *const c_void,
    length: usize,
    out: *mut c_void,
    room: usize,
    step: *mut placemat_step,
) -> placemat_status {
    // SAFETY: the caller guarantees what `step` requires.
    guard(|| unsafe { run(transcoder, (data, length), (out, room), step, Transcoder::push) })
}

/// Ends the input: converts what was kept, and writes what the target needs at the end of a text.
///
/// Returns PLACEMAT_OK when everything is written. The transcoder is then at the start of a new stream, and another finish writes
/// nothing. After PLACEMAT_NEED_OUTPUT, call it again with new room; after PLACEMAT_TEXT_ERROR, call it again to continue after
/// the error.
/// Errors and cost: as placemat_transcoder_push.
///
/// # Safety
/// As placemat_transcoder_push.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn placemat_transcoder_finish(
    transcoder: *mut placemat_transcoder,
    out: *mut c_void,
    room: usize,
    step: *mut placemat_step,
) -> placemat_status {
    // SAFETY: the caller guarantees what `step` requires.
    guard(|| unsafe { run(transcoder, (ptr::null(), 0), (out, room), step, |own, _, room| own.finish(room)) })
}

/// Starts a new stream with the same encodings and settings. What was kept is dropped, and the number of errors becomes 0.
///
/// Errors: PLACEMAT_BAD_STORAGE, PLACEMAT_NULL_POINTER.
///
/// # Safety
/// As placemat_transcoder_push.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn placemat_transcoder_reset(transcoder: *mut placemat_transcoder) -> placemat_status {
    guard(|| {
        // SAFETY: the caller guarantees what `of` requires.
        unsafe { of(transcoder) }?.reset();
        Ok(PLACEMAT_OK)
    })
}

/// The number of errors so far: malformed sequences, and characters that the target could not hold. 0 for NULL.
///
/// # Safety
/// As placemat_transcoder_push.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn placemat_transcoder_errors(transcoder: *mut placemat_transcoder) -> u64 {
    // SAFETY: the caller guarantees what `of` requires.
    caught(|| unsafe { of(transcoder) }.map_or(0, |own| own.errors()), 0)
}

/// The number of bytes of the input that are converted: those read, without those of an unfinished sequence. 0 for NULL.
///
/// # Safety
/// As placemat_transcoder_push.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn placemat_transcoder_offset(transcoder: *mut placemat_transcoder) -> u64 {
    // SAFETY: the caller guarantees what `of` requires.
    caught(|| unsafe { of(transcoder) }.map_or(0, |own| own.offset()), 0)
}

/// The form of the input. It differs from the one asked for only if a byte order mark selected it. 0 for NULL.
///
/// # Safety
/// As placemat_transcoder_push.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn placemat_transcoder_source(
    transcoder: *mut placemat_transcoder,
) -> placemat_encoding {
    // SAFETY: the caller guarantees what `of` requires.
    caught(|| unsafe { of(transcoder) }.map_or(0, |own| encoding::number(own.source_form().into())), 0)
}

/// Returns the transcoder that a pointer points to.
///
/// # Safety
/// It is NULL, or was returned by `placemat_transcoder_init` and is not used by anybody else during the call, or is aligned
/// storage of that size without the mark.
unsafe fn of<'a>(transcoder: *mut placemat_transcoder) -> Answer<&'a mut Transcoder> {
    if transcoder.is_null() {
        return Err(PLACEMAT_NULL_POINTER);
    }
    if !transcoder.is_aligned() {
        return Err(PLACEMAT_BAD_STORAGE);
    }
    // SAFETY: not NULL, aligned, and of its size, as the caller guarantees.
    if unsafe { (&raw const (*transcoder).mark).read() } != MARK {
        return Err(PLACEMAT_BAD_STORAGE);
    }
    // SAFETY: `placemat_transcoder_init` wrote the mark together with a transcoder, and only the call uses it.
    Ok(unsafe { &mut (*transcoder).transcoder })
}

/// Runs one call: `work` converts the input into the room.
///
/// # Safety
/// As `placemat_transcoder_push`.
unsafe fn run(
    transcoder: *mut placemat_transcoder,
    (data, length): (*const c_void, usize),
    (out, room): (*mut c_void, usize),
    step: *mut placemat_step,
    work: impl FnOnce(&mut Transcoder, &[u8], &mut [u8]) -> Step,
) -> Answer {
    let own = (transcoder.cast_const().cast::<c_void>(), size_of::<placemat_transcoder>());
    // SAFETY: the caller guarantees what `untouched` requires.
    let place = unsafe { untouched(step, &[own, (data, length), (out.cast_const(), room)]) }?;
    // SAFETY: the caller guarantees what `border` requires.
    let (input, room) = unsafe { (border::input(data, length)?, border::room(out, room)?) };
    // SAFETY: as above.
    let own = unsafe { of(transcoder) }?;
    let done = work(own, input, room);
    let (status, error) = of_step(done.status);
    place.write(placemat_step { read: done.read, written: done.written, error });
    Ok(status)
}

/// Returns the place of a step, after setting it to zeros. Checks that it and the other memory ranges do not overlap.
///
/// # Safety
/// `step` is NULL or points to a step, initialised or not, that only the call uses.
pub(crate) unsafe fn untouched<'a>(
    step: *mut placemat_step,
    parts: &[(*const c_void, usize)],
) -> Answer<&'a mut MaybeUninit<placemat_step>> {
    let own = (step.cast_const().cast::<c_void>(), size_of::<placemat_step>());
    // SAFETY: the caller guarantees the same.
    let place = unsafe { border::place(step) }?;
    if parts.iter().any(|&part| apart(&[own, part]) == Err(PLACEMAT_OVERLAP)) {
        return Err(PLACEMAT_OVERLAP);
    }
    place.write(placemat_step::default());
    apart(parts)?;
    Ok(place)
}
