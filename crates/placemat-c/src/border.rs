//! Checks what C passes in, and turns it into slices and references, in one place.
//!
//! Each function here is `unsafe` for one reason: the library cannot check whether a pointer points to as many bytes as its
//! caller says. What can be checked is checked, and the result is a status.

use core::ffi::{CStr, c_char, c_void};
use core::mem::MaybeUninit;
use core::ops::Range;
use core::slice;
use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::status::placemat_status::{
    self, PLACEMAT_BAD_STORAGE, PLACEMAT_INTERNAL, PLACEMAT_NULL_POINTER, PLACEMAT_OVERLAP, PLACEMAT_TOO_LONG,
};

/// The result of a call, or the status that says why it failed.
pub(crate) type Answer<T = placemat_status> = Result<T, placemat_status>;

/// Returns the status of a call. A panic, which would be a bug in this library, ends here.
pub(crate) fn guard(call: impl FnOnce() -> Answer) -> placemat_status {
    caught(|| call().unwrap_or_else(|status| status), PLACEMAT_INTERNAL)
}

/// Returns the value of a call, or `otherwise` if it panics.
pub(crate) fn caught<T>(call: impl FnOnce() -> T, otherwise: T) -> T {
    // A value that the call was changing when it panicked is not used again: the caller gets PLACEMAT_INTERNAL.
    catch_unwind(AssertUnwindSafe(call)).unwrap_or_else(|payload| {
        // Dropping the payload could panic again.
        core::mem::forget(payload);
        otherwise
    })
}

/// Returns the input of a call. NULL with length 0 is the empty input.
///
/// # Safety
/// `data` points to `length` bytes that nobody writes to during the call.
pub(crate) unsafe fn input<'a>(data: *const c_void, length: usize) -> Answer<&'a [u8]> {
    // SAFETY: the caller guarantees the same.
    unsafe { values(data.cast(), length) }
}

/// Returns an array of the caller. NULL with length 0 is the empty array.
///
/// # Safety
/// `values` points to `length` initialised values that nobody writes to during the call; every bit pattern is valid for the type.
pub(crate) unsafe fn values<'a, T: Copy>(values: *const T, length: usize) -> Answer<&'a [T]> {
    let bytes = length.checked_mul(size_of::<T>()).ok_or(PLACEMAT_TOO_LONG)?;
    match range(values.cast(), bytes)? {
        None => Ok(&[]),
        Some(_) if !values.is_aligned() => Err(PLACEMAT_BAD_STORAGE),
        // SAFETY: not NULL, aligned, and not longer than an object may be; the caller guarantees the rest.
        Some(_) => Ok(unsafe { slice::from_raw_parts(values, length) }),
    }
}

/// Returns the room that a call may write to. NULL with length 0 is no room.
///
/// # Safety
/// `data` points to `length` bytes that only the call uses.
pub(crate) unsafe fn room<'a>(data: *mut c_void, length: usize) -> Answer<&'a mut [u8]> {
    match range(data, length)? {
        None => Ok(&mut []),
        // SAFETY: not NULL and not longer than an object may be (`range`); the caller guarantees the rest. The bytes may be
        // uninitialised in C: they are only written here, never read.
        Some(_) => Ok(unsafe { slice::from_raw_parts_mut(data.cast(), length) }),
    }
}

/// Returns the array that a call may write to. NULL with length 0 is the empty array.
///
/// # Safety
/// `values` points to `length` values, initialised or not, that only the call uses.
pub(crate) unsafe fn places<'a, T>(values: *mut T, length: usize) -> Answer<&'a mut [MaybeUninit<T>]> {
    let bytes = length.checked_mul(size_of::<T>()).ok_or(PLACEMAT_TOO_LONG)?;
    match range(values.cast(), bytes)? {
        None => Ok(&mut []),
        Some(_) if !values.is_aligned() => Err(PLACEMAT_BAD_STORAGE),
        // SAFETY: not NULL, aligned, and not longer than an object may be; the caller guarantees the rest.
        Some(_) => Ok(unsafe { slice::from_raw_parts_mut(values.cast(), length) }),
    }
}

/// Returns the place for a result; `None` if the caller passed NULL.
///
/// # Safety
/// `place` is NULL or points to a value, initialised or not, that only the call uses.
pub(crate) unsafe fn wanted<'a, T>(place: *mut T) -> Answer<Option<&'a mut MaybeUninit<T>>> {
    let count = usize::from(!place.is_null());
    // SAFETY: one value or none, as the caller guarantees.
    Ok(unsafe { places(place, count) }?.first_mut())
}

/// Returns the place for a result, which must not be NULL.
///
/// # Safety
/// As [`wanted`].
pub(crate) unsafe fn place<'a, T>(place: *mut T) -> Answer<&'a mut MaybeUninit<T>> {
    // SAFETY: the caller guarantees the same.
    unsafe { wanted(place) }?.ok_or(PLACEMAT_NULL_POINTER)
}

/// Returns a value of the caller; `None` for NULL.
///
/// # Safety
/// `value` is NULL or points to an initialised value that nobody writes to during the call; every bit pattern is valid for the type.
pub(crate) unsafe fn value<T: Copy>(value: *const T) -> Answer<Option<T>> {
    match (value.is_null(), value.is_aligned()) {
        (true, _) => Ok(None),
        (false, false) => Err(PLACEMAT_BAD_STORAGE),
        // SAFETY: not NULL and aligned; the caller guarantees the rest.
        (false, true) => Ok(Some(unsafe { value.read() })),
    }
}

/// Returns a string that ends with a NUL.
///
/// # Safety
/// `name` is NULL or points to bytes of which one is NUL, and that nobody writes to during the call.
pub(crate) unsafe fn name<'a>(name: *const c_char) -> Answer<&'a str> {
    if name.is_null() {
        return Err(PLACEMAT_NULL_POINTER);
    }
    // SAFETY: not NULL; the caller guarantees the rest.
    let name = unsafe { CStr::from_ptr(name) };
    // Every name is UTF-8, so other bytes are no name.
    Ok(name.to_str().unwrap_or_default())
}

/// Fails if two of these memory ranges overlap.
pub(crate) fn apart(parts: &[(*const c_void, usize)]) -> Answer<()> {
    for (at, &(one, length)) in parts.iter().enumerate() {
        let Some(one) = range(one, length)? else { continue };
        for &(other, length) in &parts[..at] {
            if range(other, length)?.is_some_and(|other| one.start < other.end && other.start < one.end) {
                return Err(PLACEMAT_OVERLAP);
            }
        }
    }
    Ok(())
}

/// Returns the addresses of a memory range; `None` if it is empty.
fn range(data: *const c_void, length: usize) -> Answer<Option<Range<usize>>> {
    if length == 0 {
        return Ok(None);
    }
    if data.is_null() {
        return Err(PLACEMAT_NULL_POINTER);
    }
    let end = data.addr().checked_add(length).filter(|_| isize::try_from(length).is_ok());
    Ok(Some(data.addr()..end.ok_or(PLACEMAT_TOO_LONG)?))
}

#[cfg(test)]
mod tests {
    use core::ptr::{null, null_mut};

    use super::*;

    #[cfg(panic = "unwind")]
    #[test]
    fn a_panic_ends_at_the_border() {
        assert_eq!(guard(|| panic!("on purpose")), PLACEMAT_INTERNAL);
        assert_eq!(caught(|| panic!("on purpose"), 7), 7);
    }

    #[test]
    fn null_is_the_empty_input_and_nothing_else() {
        // SAFETY: NULL is refused unless the length is 0.
        unsafe {
            assert_eq!(input(null(), 0), Ok(&[][..]));
            assert_eq!(input(null(), 1), Err(PLACEMAT_NULL_POINTER));
            assert_eq!(room(null_mut(), 0), Ok(&mut [][..]));
            assert_eq!(room(null_mut(), 1), Err(PLACEMAT_NULL_POINTER));
            assert_eq!(value::<u32>(null()), Ok(None));
            assert_eq!(name(null()), Err(PLACEMAT_NULL_POINTER));
            assert!(place::<u32>(null_mut()).is_err());
        }
    }

    #[test]
    fn impossible_lengths_are_refused() {
        let data: *const c_void = [0_u8; 8].as_ptr().cast();
        // SAFETY: nothing is read at such lengths.
        unsafe {
            assert_eq!(input(data, usize::MAX), Err(PLACEMAT_TOO_LONG));
            assert_eq!(input(data, isize::MAX as usize + 1), Err(PLACEMAT_TOO_LONG));
            assert!(places::<u64>(data.cast_mut().cast(), usize::MAX / 4).is_err());
        }
    }

    #[test]
    fn what_is_not_aligned_is_refused() {
        let storage = [0_u64; 2];
        let odd = storage.as_ptr().cast::<u8>().wrapping_add(1).cast_mut();
        // SAFETY: it lies within `storage`.
        unsafe {
            assert!(place::<u32>(odd.cast()).is_err_and(|status| status == PLACEMAT_BAD_STORAGE));
            assert_eq!(value::<u32>(odd.cast()), Err(PLACEMAT_BAD_STORAGE));
        }
    }

    #[test]
    fn parts_that_touch_are_apart() {
        let data = [0_u8; 8];
        let at = |offset: usize| data.as_ptr().wrapping_add(offset).cast::<c_void>();
        assert_eq!(apart(&[(at(0), 4), (at(4), 4), (null(), 0)]), Ok(()));
        assert_eq!(apart(&[(at(0), 5), (at(4), 4)]), Err(PLACEMAT_OVERLAP));
        assert_eq!(apart(&[(at(0), 8), (null(), 0), (at(4), 1)]), Err(PLACEMAT_OVERLAP));
        assert_eq!(apart(&[(at(0), 8), (at(4), 0)]), Ok(()));
    }
}
