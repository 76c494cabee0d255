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

/// Converts a stream from one form to another, in chunks of any size. It lives in storage of the caller, holds no memory of its own, and
/// needs no end: give the storage another use when you like.
///
/// One thread at a time may use it. Its bytes may be copied to other storage that is aligned as well, which makes a second one that
/// continues from the same place.
pub struct placemat_transcoder {
    /// [`MARK`], by which storage that holds none is known.
    mark: u64,
    transcoder: Transcoder,
}

/// How far one call came.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct placemat_step {
    /// Bytes of the input that need not be offered again.
    pub read: usize,
    /// Bytes written to the start of the room. What is behind them in it may have been overwritten.
    pub written: usize,
    /// With PLACEMAT_TEXT_ERROR what is wrong, else of kind PLACEMAT_NO_ERROR.
    pub error: placemat_error,
}

/// Storage of so many bytes is enough for a transcoder of every version with this PLACEMAT_VERSION_MAJOR.
pub const PLACEMAT_TRANSCODER_SIZE: usize = 1024;
/// Room of so many bytes is enough for a call to make progress.
pub const PLACEMAT_MIN_ROOM: usize = 16;

const MARK: u64 = 0x706C_6163_656D_6174;

const _: () = assert!(size_of::<placemat_transcoder>() <= PLACEMAT_TRANSCODER_SIZE);
const _: () = assert!(align_of::<placemat_transcoder>() <= align_of::<u64>());
const _: () = assert!(PLACEMAT_MIN_ROOM == Transcoder::<Policy>::MIN_OUTPUT);
// Storage may be given another use at any time, and copied.
const _: () = assert!(!needs_drop::<placemat_transcoder>());

/// A transcoder with these settings. The usual ones are those that it begins with, and each change of one copies all of it.
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

/// Make a transcoder in `size` bytes of `storage`; `*transcoder` becomes a pointer to it, or NULL.
///
/// `settings` may be NULL for the defaults. The storage must stay where it is for as long as the transcoder is used.
/// Errors: PLACEMAT_BAD_STORAGE if it is too small or not aligned, PLACEMAT_UNKNOWN_ENCODING (also for encodings that are no forms),
/// PLACEMAT_UNKNOWN_VALUE, PLACEMAT_UNSUITABLE, PLACEMAT_NULL_POINTER, PLACEMAT_TOO_LONG.
/// Cost: constant; allocates nothing.
///
/// # Safety
/// `storage` leads to `size` bytes that nobody else uses while the transcoder is in use; `settings` is NULL or leads to settings;
/// `transcoder` leads to a pointer outside the storage.
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
        apart(&[(storage, size), (transcoder.cast_const().cast(), size_of::<*mut c_void>())])?;
        // SAFETY: the caller's word is that of `border`.
        let (settings, place) = unsafe { (border::value(settings)?, border::place(transcoder)?) };
        place.write(ptr::null_mut());
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
        // SAFETY: aligned storage of at least its size, the call's alone by the caller's word.
        unsafe { own.write(placemat_transcoder { mark: MARK, transcoder }) };
        place.write(own);
        Ok(PLACEMAT_OK)
    })
}

/// Convert the next chunk of the input: `length` bytes of `data` into `room` bytes of `out`.
///
/// Returns PLACEMAT_NEED_INPUT when all of the chunk is read (bytes of an unfinished sequence are kept for the next call);
/// PLACEMAT_NEED_OUTPUT when the room is full, and PLACEMAT_TEXT_ERROR at an error: then offer the rest of the chunk, from `step->read` on,
/// again. After an error this goes on behind it. How the input and the room are divided changes nothing in what is written.
/// No character is written in parts, so fewer than PLACEMAT_MIN_ROOM bytes of room may not be enough for one.
/// Errors: PLACEMAT_BAD_STORAGE, PLACEMAT_OVERLAP, PLACEMAT_NULL_POINTER, PLACEMAT_TOO_LONG; nothing is read or written then, and the step, if
/// it is one, says so with zeros.
/// Cost: linear, with the vectors of this CPU for frequent pairs; allocates nothing.
///
/// # Safety
/// `transcoder` is one that placemat_transcoder_init made, in use by this thread alone; `data` leads to `length` bytes, `out` to room for
/// `room` bytes, `step` to a placemat_step.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn placemat_transcoder_push(
    transcoder: *mut placemat_transcoder,
    data: *const c_void,
    length: usize,
    out: *mut c_void,
    room: usize,
    step: *mut placemat_step,
) -> placemat_status {
    // SAFETY: the caller's word is that of `step`.
    guard(|| unsafe { run(transcoder, (data, length), (out, room), step, Transcoder::push) })
}

/// The end of the input: convert what was kept, and write what the target needs at the end of a text.
///
/// Returns PLACEMAT_OK when all is written: the transcoder is then at the start of a new stream, and another finish writes nothing. After
/// PLACEMAT_NEED_OUTPUT call it again with new room, after PLACEMAT_TEXT_ERROR to go on behind the error.
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
    // SAFETY: the caller's word is that of `step`.
    guard(|| unsafe { run(transcoder, (ptr::null(), 0), (out, room), step, |own, _, room| own.finish(room)) })
}

/// Start a new stream with the same encodings and settings; what was kept is forgotten, and errors count from 0.
///
/// Errors: PLACEMAT_BAD_STORAGE, PLACEMAT_NULL_POINTER.
///
/// # Safety
/// As placemat_transcoder_push.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn placemat_transcoder_reset(transcoder: *mut placemat_transcoder) -> placemat_status {
    guard(|| {
        // SAFETY: the caller's word is that of `of`.
        unsafe { of(transcoder) }?.reset();
        Ok(PLACEMAT_OK)
    })
}

/// Errors so far: malformed sequences, and characters that the target could not hold. 0 for NULL.
///
/// # Safety
/// As placemat_transcoder_push.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn placemat_transcoder_errors(transcoder: *mut placemat_transcoder) -> u64 {
    // SAFETY: the caller's word is that of `of`.
    caught(|| unsafe { of(transcoder) }.map_or(0, |own| own.errors()), 0)
}

/// How many bytes of the input are converted: those read, less those of an unfinished sequence. 0 for NULL.
///
/// # Safety
/// As placemat_transcoder_push.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn placemat_transcoder_offset(transcoder: *mut placemat_transcoder) -> u64 {
    // SAFETY: the caller's word is that of `of`.
    caught(|| unsafe { of(transcoder) }.map_or(0, |own| own.offset()), 0)
}

/// The form that the input turned out to have: another than the one asked for only where a byte order mark decides. 0 for NULL.
///
/// # Safety
/// As placemat_transcoder_push.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn placemat_transcoder_source(
    transcoder: *mut placemat_transcoder,
) -> placemat_encoding {
    // SAFETY: the caller's word is that of `of`.
    caught(|| unsafe { of(transcoder) }.map_or(0, |own| encoding::number(own.source_form().into())), 0)
}

/// The transcoder behind a pointer.
///
/// # Safety
/// It is NULL, or one that `placemat_transcoder_init` made and that nobody else uses during the call, or aligned storage of its size
/// with anything but the mark in its place.
unsafe fn of<'a>(transcoder: *mut placemat_transcoder) -> Answer<&'a mut Transcoder> {
    if transcoder.is_null() {
        return Err(PLACEMAT_NULL_POINTER);
    }
    if !transcoder.is_aligned() {
        return Err(PLACEMAT_BAD_STORAGE);
    }
    // SAFETY: not NULL, aligned, and of its size by the caller's word.
    if unsafe { (&raw const (*transcoder).mark).read() } != MARK {
        return Err(PLACEMAT_BAD_STORAGE);
    }
    // SAFETY: `placemat_transcoder_init` wrote the mark together with a transcoder, and it is the call's alone.
    Ok(unsafe { &mut (*transcoder).transcoder })
}

/// One call: what `work` does with the input and the room.
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
    // SAFETY: the caller's word is that of `untouched`.
    let place = unsafe { untouched(step, &[own, (data, length), (out.cast_const(), room)]) }?;
    // SAFETY: the caller's word is that of `border`.
    let (input, room) = unsafe { (border::input(data, length)?, border::room(out, room)?) };
    // SAFETY: the same.
    let own = unsafe { of(transcoder) }?;
    let done = work(own, input, room);
    let (status, error) = of_step(done.status);
    place.write(placemat_step { read: done.read, written: done.written, error });
    Ok(status)
}

/// The place of a step, in which nothing has happened yet; it and the other parts of memory are apart.
///
/// # Safety
/// `step` is NULL or leads to a step, initialised or not, that is the call's alone.
pub(crate) unsafe fn untouched<'a>(
    step: *mut placemat_step,
    parts: &[(*const c_void, usize)],
) -> Answer<&'a mut MaybeUninit<placemat_step>> {
    let own = (step.cast_const().cast::<c_void>(), size_of::<placemat_step>());
    // SAFETY: the caller's word is the same.
    let place = unsafe { border::place(step) }?;
    if parts.iter().any(|&part| apart(&[own, part]) == Err(PLACEMAT_OVERLAP)) {
        return Err(PLACEMAT_OVERLAP);
    }
    place.write(placemat_step::default());
    apart(parts)?;
    Ok(place)
}
