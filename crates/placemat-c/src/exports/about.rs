//! The version, and the names of numbers.

use core::ffi::{CStr, c_char};
use core::ptr;

use crate::names;
use crate::status::STATUSES;

/// The first number of this header's version. If it grows, programs must be compiled again.
pub const PLACEMAT_VERSION_MAJOR: u32 = 0;
/// The second number of this header's version. If it grows, something was added.
pub const PLACEMAT_VERSION_MINOR: u32 = 1;
/// The third number of this header's version.
pub const PLACEMAT_VERSION_PATCH: u32 = 0;

/// The version of the library at run time: major * 65536 + minor * 256 + patch.
///
/// Compare it with PLACEMAT_VERSION_MAJOR and the other two numbers of the header.
#[unsafe(no_mangle)]
pub extern "C" fn placemat_version() -> u32 {
    PLACEMAT_VERSION_MAJOR << 16 | PLACEMAT_VERSION_MINOR << 8 | PLACEMAT_VERSION_PATCH
}

/// The name of a status, such as "PLACEMAT_OK"; NULL if no status has this number. The string is static.
#[unsafe(no_mangle)]
pub extern "C" fn placemat_status_name(status: u32) -> *const c_char {
    pointer(STATUSES.iter().find(|known| known.0 as u32 == status).map(|known| known.1))
}

/// The meaning of a status, in a few English words in lower case; NULL if no status has this number. The string is static.
#[unsafe(no_mangle)]
pub extern "C" fn placemat_status_message(status: u32) -> *const c_char {
    pointer(STATUSES.iter().find(|known| known.0 as u32 == status).map(|known| known.2))
}

/// The name of a placemat_kind, as the command prints it: "overlong"; NULL for 0, and if no kind has this number. The string is static.
#[unsafe(no_mangle)]
pub extern "C" fn placemat_kind_name(kind: u32) -> *const c_char {
    pointer(names::kind(kind))
}

/// The name of a placemat_policy, as the command accepts it: "replace-byte"; NULL if no policy has this number. The string is static.
#[unsafe(no_mangle)]
pub extern "C" fn placemat_policy_name(policy: u32) -> *const c_char {
    pointer(names::policy(policy))
}

/// A name for C; NULL if there is none.
pub(crate) fn pointer(name: Option<&'static CStr>) -> *const c_char {
    name.map_or(ptr::null(), CStr::as_ptr)
}
