//! The functions for C. Each checks what it can check, and none lets a panic out.

use std::ffi::{CStr, CString, c_char, c_int, c_uint, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::slice;

use placemat_text::iconv::{Descriptor, Habit, Progress, Status, names as iconv_names};

use crate::border::{Side, codeset, errno};
use crate::live::{self, Handle};
use crate::next;

/// `(size_t) -1` and `(iconv_t) -1`.
const FAILED: usize = usize::MAX;

/// The version of GNU libiconv whose functions these are. Programs compare it.
#[unsafe(no_mangle)]
pub(crate) static _libiconv_version: c_int = 0x0112;

/// POSIX `iconv_open`: opens a descriptor for conversions from `fromcode` to `tocode`.
///
/// # Errors
/// -1, with `errno` EINVAL for an unknown name or a null pointer, EMFILE for too many open descriptors.
///
/// # Safety
/// Each pointer is null or points to bytes that end with a NUL.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn iconv_open(tocode: *const c_char, fromcode: *const c_char) -> usize {
    guarded(|| {
        if tocode.is_null() || fromcode.is_null() {
            return Err(libc::EINVAL);
        }
        if let Some(next) = next::functions() {
            // SAFETY: neither is null, and both are strings, as in `<iconv.h>`. The function sets `errno` itself.
            return Ok(unsafe { (next.open)(tocode, fromcode) });
        }
        // SAFETY: neither is null; by POSIX both are strings, which end with a NUL.
        let (to, from) = unsafe { (CStr::from_ptr(tocode), CStr::from_ptr(fromcode)) };
        let (Ok(to), Ok(from)) = (to.to_str(), from.to_str()) else { return Err(libc::EINVAL) };
        let descriptor = Descriptor::open(to, from, &codeset(), habit()).map_err(|_| libc::EINVAL)?;
        live::open(descriptor).map(|Handle(handle)| handle).ok_or(libc::EMFILE)
    })
}

/// POSIX `iconv`: converts what fits; without input, returns to the initial state.
///
/// # Errors
/// -1, with `errno` EILSEQ, EINVAL and E2BIG as in POSIX, EBADF for a descriptor that is not open or that another thread uses,
/// EFAULT for a missing pointer.
///
/// # Safety
/// Each pointer is null or points to what POSIX says. All of the room at `*outbuf`, of `*outbytesleft` bytes, may be overwritten.
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
            // SAFETY: only glibc's iconv(1) gets here. It opened the descriptor by a private function of the same library.
            let done = unsafe { (next.iconv)(cd, inbuf, inbytesleft, outbuf, outbytesleft) };
            // The function sets `errno` itself.
            return Ok(done);
        };
        let descriptor = slot.descriptor().ok_or(libc::EBADF)?;
        // SAFETY: as the caller guarantees, each of the four is null or points to a variable, and if a pointer to a buffer is not
        // null, that many bytes of it may be read or written. Nobody else uses the two variables of a side during the call.
        let (input, mut output) = unsafe { (Side::of(inbuf, inbytesleft)?, Side::of(outbuf, outbytesleft)?) };
        let Some(mut input) = input else { return reset(descriptor, output.as_mut()) };
        let mut output = output.ok_or(libc::EFAULT)?;
        let own;
        let source = if input.overlaps(&output) {
            // SAFETY: the caller guarantees that these bytes may be read; the copy is made before anything is written.
            own = unsafe { slice::from_raw_parts(input.buffer.cast::<u8>(), input.len) }.to_vec();
            &own[..]
        } else {
            // SAFETY: as above; the room does not overlap the bytes, so nothing changes them while they are borrowed.
            unsafe { slice::from_raw_parts(input.buffer.cast::<u8>(), input.len) }
        };
        // SAFETY: the caller guarantees that these bytes may be written; the borrowed source does not overlap them.
        let room = unsafe { slice::from_raw_parts_mut(output.buffer.cast::<u8>(), output.len) };
        let done = descriptor.convert(source, room);
        input.advance(done.read);
        output.advance(done.written);
        result(done)
    })
}

/// Returns to the initial state. Writes the bytes that lead there to the room, if there is one.
#[cold]
fn reset(descriptor: &mut Descriptor, output: Option<&mut Side>) -> Result<usize, c_int> {
    let Some(output) = output else { return result(descriptor.reset(None)) };
    // SAFETY: `Side::of` checked it, and the caller of `iconv` guarantees that these bytes may be written.
    let room = unsafe { slice::from_raw_parts_mut(output.buffer.cast::<u8>(), output.len) };
    let done = descriptor.reset(Some(room));
    output.advance(done.written);
    result(done)
}

/// POSIX `iconv_close`.
///
/// # Errors
/// -1, with `errno` EBADF for a descriptor that is not open or that another thread uses.
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

/// libiconv's `iconvctl`: gets or sets what to do with characters that cannot be converted.
///
/// # Errors
/// -1, with `errno` EINVAL for other requests and for a null pointer, EBADF as for `iconv`.
///
/// # Safety
/// `argument` is null or points to an `int`.
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
        // SAFETY: it is aligned and not null, and libiconv's manual makes it an `int` for all requests that are supported.
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

/// The function that `iconvlist` calls for each encoding, with its names, while it returns 0.
type DoOne = unsafe extern "C" fn(c_uint, *const *const c_char, *mut c_void) -> c_int;

/// libiconv's `iconvlist`: calls `do_one` with the names of each encoding.
///
/// # Safety
/// `do_one` can be called with `data`.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn iconvlist(do_one: Option<DoOne>, data: *mut c_void) {
    guarded(|| {
        let do_one = do_one.ok_or(libc::EINVAL)?;
        for names in iconv_names() {
            let names: Vec<CString> = names.into_iter().filter_map(|name| CString::new(name).ok()).collect();
            let pointers: Vec<_> = names.iter().map(|name| name.as_ptr()).collect();
            // SAFETY: the caller guarantees that it can be called; the names live until it returns.
            if unsafe { do_one(pointers.len() as c_uint, pointers.as_ptr(), data) } != 0 {
                break;
            }
        }
        Ok(0)
    });
}

/// libiconv's name for [`iconv_open`].
///
/// # Safety
/// As for [`iconv_open`].
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn libiconv_open(tocode: *const c_char, fromcode: *const c_char) -> usize {
    // SAFETY: as the caller guarantees.
    unsafe { iconv_open(tocode, fromcode) }
}

/// libiconv's name for [`iconv`].
///
/// # Safety
/// As for [`iconv`].
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn libiconv(
    cd: usize,
    inbuf: *mut *mut c_char,
    inbytesleft: *mut usize,
    outbuf: *mut *mut c_char,
    outbytesleft: *mut usize,
) -> usize {
    // SAFETY: as the caller guarantees.
    unsafe { iconv(cd, inbuf, inbytesleft, outbuf, outbytesleft) }
}

/// libiconv's name for [`iconv_close`].
#[unsafe(no_mangle)]
pub(crate) extern "C" fn libiconv_close(cd: usize) -> c_int {
    iconv_close(cd)
}

/// libiconv's name for [`iconvctl`].
///
/// # Safety
/// As for [`iconvctl`].
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn libiconvctl(cd: usize, request: c_int, argument: *mut c_void) -> c_int {
    // SAFETY: as the caller guarantees.
    unsafe { iconvctl(cd, request, argument) }
}

/// libiconv's name for [`iconvlist`].
///
/// # Safety
/// As for [`iconvlist`].
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn libiconvlist(do_one: Option<DoOne>, data: *mut c_void) {
    // SAFETY: as the caller guarantees.
    unsafe { iconvlist(do_one, data) }
}

/// The return value of `iconv`, or its `errno`.
fn result(done: Progress) -> Result<usize, c_int> {
    if done.status == Status::Done {
        return Ok(done.irreversible);
    }
    Err(failure(done.status))
}

/// The `errno` of a status.
#[cold]
fn failure(status: Status) -> c_int {
    match status {
        Status::Done => 0,
        Status::Full => libc::E2BIG,
        Status::Malformed => libc::EILSEQ,
        Status::Incomplete => libc::EINVAL,
    }
}

/// Runs a function that may fail or panic, and sets `errno`.
fn guarded(run: impl FnOnce() -> Result<usize, c_int>) -> usize {
    let failed = |error| {
        // SAFETY: `errno` is this thread's own variable.
        unsafe { *errno() = error };
        FAILED
    };
    // The result of `catch_unwind` passes through memory, and a single number is faster there than a `Result`.
    catch_unwind(AssertUnwindSafe(|| run().unwrap_or_else(failed))).unwrap_or_else(|_| failed(libc::EILSEQ))
}

/// The rules to follow: those of POSIX, or those of glibc if the environment says so.
fn habit() -> Habit {
    match std::env::var_os("PLACEMAT_ICONV") {
        Some(value) if value == "glibc" => Habit::Glibc,
        _ => Habit::Posix,
    }
}
