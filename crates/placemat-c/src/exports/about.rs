//! The version; what the numbers mean.

use core::ffi::{CStr, c_char};
use core::ptr;

use crate::names;
use crate::status::STATUSES;

/// The version that this header is of: its first number. A greater one means that programs must be compiled again.
pub const PLACEMAT_VERSION_MAJOR: u32 = 0;
/// Its second number. A greater one means that something was added.
pub const PLACEMAT_VERSION_MINOR: u32 = 1;
/// Its third number.
pub const PLACEMAT_VERSION_PATCH: u32 = 0;

/// The version of the library that runs: major * 65536 + minor * 256 + patch.
///
/// Compare it with the header's PLACEMAT_VERSION_MAJOR and so on.
#[unsafe(no_mangle)]
pub extern "C" fn placemat_version() -> u32 {
    PLACEMAT_VERSION_MAJOR << 16 | PLACEMAT_VERSION_MINOR << 8 | PLACEMAT_VERSION_PATCH
}

/// The name of a status, such as "PLACEMAT_OK"; NULL for a number that is none. It is static.
#[unsafe(no_mangle)]
pub extern "C" fn placemat_status_name(status: u32) -> *const c_char {
    pointer(STATUSES.iter().find(|known| known.0 as u32 == status).map(|known| known.1))
}

/// What a status says, in a few English words in lower case; NULL for a number that is none. It is static.
#[unsafe(no_mangle)]
pub extern "C" fn placemat_status_message(status: u32) -> *const c_char {
    pointer(STATUSES.iter().find(|known| known.0 as u32 == status).map(|known| known.2))
}

/// The name of a placemat_kind, as the command prints it: "overlong"; NULL for 0 and for a number that is none. It is static.
#[unsafe(no_mangle)]
pub extern "C" fn placemat_kind_name(kind: u32) -> *const c_char {
    pointer(names::kind(kind))
}

/// The name of a placemat_policy, as the command takes it: "replace-byte"; NULL for a number that is none. It is static.
#[unsafe(no_mangle)]
pub extern "C" fn placemat_policy_name(policy: u32) -> *const c_char {
    pointer(names::policy(policy))
}

/// A name for C; NULL where there is none.
pub(crate) fn pointer(name: Option<&'static CStr>) -> *const c_char {
    name.map_or(ptr::null(), CStr::as_ptr)
}
