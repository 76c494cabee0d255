//! The functions that C sees. Each checks what can be checked, and no panic leaves it.

use std::ffi::{CStr, CString, c_char, c_int, c_uint, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::slice;

use placemat_text::iconv::{Descriptor, Habit, Progress, Status, names as iconv_names};

use crate::border::{Side, codeset, errno};
use crate::live::{self, Handle};
use crate::next;

/// `(size_t) -1` and `(iconv_t) -1`.
const FAILED: usize = usize::MAX;

/// The version of GNU libiconv whose calls are here, as programs compare it.
#[unsafe(no_mangle)]
pub(crate) static _libiconv_version: c_int = 0x0112;

/// POSIX `iconv_open`: a descriptor for conversions from `fromcode` to `tocode`.
///
/// # Errors
/// -1, with `errno` EINVAL for a name of nothing or a null pointer, EMFILE for too many open descriptors.
///
/// # Safety
/// Each pointer is null or to bytes that end with a zero.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn iconv_open(tocode: *const c_char, fromcode: *const c_char) -> usize {
    guarded(|| {
        if tocode.is_null() || fromcode.is_null() {
            return Err(libc::EINVAL);
        }
        if let Some(next) = next::functions() {
            // SAFETY: neither is null, and both are strings, as in `<iconv.h>`. It has set `errno` itself.
            return Ok(unsafe { (next.open)(tocode, fromcode) });
        }
        // SAFETY: neither is null; POSIX: both are strings, which end with a zero.
        let (to, from) = unsafe { (CStr::from_ptr(tocode), CStr::from_ptr(fromcode)) };
        let (Ok(to), Ok(from)) = (to.to_str(), from.to_str()) else { return Err(libc::EINVAL) };
        let descriptor = Descriptor::open(to, from, &codeset(), habit()).map_err(|_| libc::EINVAL)?;
        live::open(descriptor).map(|Handle(handle)| handle).ok_or(libc::EMFILE)
    })
}

/// POSIX `iconv`: convert what there is and what fits; with no input, back to the initial state.
///
/// # Errors
/// -1, with `errno` EILSEQ, EINVAL and E2BIG as POSIX has them, EBADF for what is no open descriptor or is in use by another thread, EFAULT
/// for a missing pointer.
///
/// # Safety
/// Each pointer is null or to what POSIX says. Of `*outbuf` the whole room that `*outbytesleft` says may be overwritten.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn iconv(
    cd: usize,
    inbuf: *mut *mut c_char,
    inbytesleft: *mut usize,
    outbuf: *mut *mut c_char,
    outbytesleft: *mut usize,
) -> usize {
    guarded(|| {
        let Some(mut slot) = Handle(cd).get() else {
            let next = next::functions().filter(|_| cd != 0 && cd != FAILED).ok_or(libc::EBADF)?;
            // SAFETY: only glibc's iconv(1) comes here, which has opened it by a private function of the same library.
            let done = unsafe { (next.iconv)(cd, inbuf, inbytesleft, outbuf, outbytesleft) };
            // It has set `errno` itself.
            return Ok(done);
        };
        let descriptor = slot.descriptor().ok_or(libc::EBADF)?;
        // SAFETY: as the caller promises: each of the four is null or to a variable, and where a pointer to a buffer is not null, so many
        // bytes of it may be read or written. The two variables of a side are not used by anybody else during the call.
        let (input, mut output) = unsafe { (Side::of(inbuf, inbytesleft)?, Side::of(outbuf, outbytesleft)?) };
        let Some(mut input) = input else { return reset(descriptor, output.as_mut()) };
        let mut output = output.ok_or(libc::EFAULT)?;
        let own;
        let source = if input.overlaps(&output) {
            // SAFETY: the caller promises that these bytes may be read; the copy is made before anything is written.
            own = unsafe { slice::from_raw_parts(input.buffer.cast::<u8>(), input.len) }.to_vec();
            &own[..]
        } else {
            // SAFETY: the same; the room does not overlap them, so nothing changes them while they are borrowed.
            unsafe { slice::from_raw_parts(input.buffer.cast::<u8>(), input.len) }
        };
        // SAFETY: the caller promises that these bytes may be written; the borrowed source does not overlap them.
        let room = unsafe { slice::from_raw_parts_mut(output.buffer.cast::<u8>(), output.len) };
        let done = descriptor.convert(source, room);
        input.advance(done.read);
        output.advance(done.written);
        result(done)
    })
}

/// Back to the initial state, and what leads there into the room, if there is one.
#[cold]
fn reset(descriptor: &mut Descriptor, output: Option<&mut Side>) -> Result<usize, c_int> {
    let Some(output) = output else { return result(descriptor.reset(None)) };
    // SAFETY: `Side::of` checked it, and the caller of `iconv` promises that these bytes may be written.
    let room = unsafe { slice::from_raw_parts_mut(output.buffer.cast::<u8>(), output.len) };
    let done = descriptor.reset(Some(room));
    output.advance(done.written);
    result(done)
}

/// POSIX `iconv_close`.
///
/// # Errors
/// -1, with `errno` EBADF for what is no open descriptor or is in use by another thread.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn iconv_close(cd: usize) -> c_int {
    let closed = guarded(|| {
        if Handle(cd).close().is_some() {
            return Ok(0);
        }
        let next = next::functions().filter(|_| cd != 0 && cd != FAILED).ok_or(libc::EBADF)?;
        // SAFETY: as in `iconv`.
        Ok(unsafe { (next.close)(cd) } as usize)
    });
    if closed == 0 { 0 } else { -1 }
}

/// libiconv's `iconvctl`: what becomes of what cannot be converted.
///
/// # Errors
/// -1, with `errno` EINVAL for other requests and a null pointer, EBADF as `iconv`.
///
/// # Safety
/// `argument` is null or to an `int`.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn iconvctl(cd: usize, request: c_int, argument: *mut c_void) -> c_int {
    let done = guarded(|| {
        let mut slot = Handle(cd).get().ok_or(libc::EBADF)?;
        let descriptor = slot.descriptor().ok_or(libc::EBADF)?;
        let argument = argument.cast::<c_int>();
        if argument.is_null() || !argument.is_aligned() {
            return Err(libc::EINVAL);
        }
        let is_trivial = descriptor.is_trivial();
        let suffixes = descriptor.suffixes();
        // SAFETY: it is aligned and not null, and for all requests that are answered libiconv's manual makes it an `int`.
        let given = unsafe { *argument } != 0;
        let answer = match request {
            0 => is_trivial,
            1 => suffixes.transliterates,
            3 => suffixes.discards_malformed && suffixes.discards_lacking,
            11 => suffixes.discards_malformed,
            13 => suffixes.discards_lacking,
            2 | 4 | 12 | 14 => {
                match request {
                    2 => suffixes.transliterates = given,
                    4 => (suffixes.discards_malformed, suffixes.discards_lacking) = (given, given),
                    12 => suffixes.discards_malformed = given,
                    _ => suffixes.discards_lacking = given,
                }
                return Ok(0);
            }
            _ => return Err(libc::EINVAL),
        };
        // SAFETY: as above.
        unsafe { *argument = c_int::from(answer) };
        Ok(0)
    });
    if done == FAILED { -1 } else { 0 }
}

/// What `iconvlist` calls for each encoding, with its names; it goes on while the answer is 0.
type DoOne = unsafe extern "C" fn(c_uint, *const *const c_char, *mut c_void) -> c_int;

/// libiconv's `iconvlist`: call `do_one` with the names of each encoding.
///
/// # Safety
/// `do_one` may be called with `data`.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn iconvlist(do_one: Option<DoOne>, data: *mut c_void) {
    guarded(|| {
        let do_one = do_one.ok_or(libc::EINVAL)?;
        for names in iconv_names() {
            let names: Vec<CString> = names.into_iter().filter_map(|name| CString::new(name).ok()).collect();
            let pointers: Vec<_> = names.iter().map(|name| name.as_ptr()).collect();
            // SAFETY: the caller promises that it may be called; the names live until it returns.
            if unsafe { do_one(pointers.len() as c_uint, pointers.as_ptr(), data) } != 0 {
                break;
            }
        }
        Ok(0)
    });
}

/// libiconv's name of [`iconv_open`].
///
/// # Safety
/// As there.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn libiconv_open(tocode: *const c_char, fromcode: *const c_char) -> usize {
    // SAFETY: as the caller promises.
    unsafe { iconv_open(tocode, fromcode) }
}

/// libiconv's name of [`iconv`].
///
/// # Safety
/// As there.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn libiconv(
    cd: usize,
    inbuf: *mut *mut c_char,
    inbytesleft: *mut usize,
    outbuf: *mut *mut c_char,
    outbytesleft: *mut usize,
) -> usize {
    // SAFETY: as the caller promises.
    unsafe { iconv(cd, inbuf, inbytesleft, outbuf, outbytesleft) }
}

/// libiconv's name of [`iconv_close`].
#[unsafe(no_mangle)]
pub(crate) extern "C" fn libiconv_close(cd: usize) -> c_int {
    iconv_close(cd)
}

/// libiconv's name of [`iconvctl`].
///
/// # Safety
/// As there.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn libiconvctl(cd: usize, request: c_int, argument: *mut c_void) -> c_int {
    // SAFETY: as the caller promises.
    unsafe { iconvctl(cd, request, argument) }
}

/// libiconv's name of [`iconvlist`].
///
/// # Safety
/// As there.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn libiconvlist(do_one: Option<DoOne>, data: *mut c_void) {
    // SAFETY: as the caller promises.
    unsafe { iconvlist(do_one, data) }
}

/// What `iconv` returns.
fn result(done: Progress) -> Result<usize, c_int> {
    if done.status == Status::Done {
        return Ok(done.irreversible);
    }
    Err(failure(done.status))
}

/// Its number.
#[cold]
fn failure(status: Status) -> c_int {
    match status {
        Status::Done => 0,
        Status::Full => libc::E2BIG,
        Status::Malformed => libc::EILSEQ,
        Status::Incomplete => libc::EINVAL,
    }
}

/// Run what may fail or panic, and set `errno`.
fn guarded(run: impl FnOnce() -> Result<usize, c_int>) -> usize {
    let failed = |error| {
        // SAFETY: it is this thread's own variable.
        unsafe { *errno() = error };
        FAILED
    };
    // What is caught passes through memory, and one number does so faster than a `Result`.
    catch_unwind(AssertUnwindSafe(|| run().unwrap_or_else(failed))).unwrap_or_else(|_| failed(libc::EILSEQ))
}

/// Whose rules count: POSIX's, or glibc's where the environment says so.
fn habit() -> Habit {
    match std::env::var_os("PLACEMAT_ICONV") {
        Some(value) if value == "glibc" => Habit::Glibc,
        _ => Habit::Posix,
    }
}
