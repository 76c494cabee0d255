//! glibc's own `iconv`, only for glibc's iconv(1). That program opens a descriptor by a private function and then calls the
//! public ones, so under a preload such descriptors come here. In any other program, a number that is not our open descriptor is
//! an error.

use std::ffi::{CStr, c_char, c_int, c_void};
use std::path::Path;
use std::sync::OnceLock;
use std::{env, mem};

type Open = unsafe extern "C" fn(*const c_char, *const c_char) -> usize;
type Iconv = unsafe extern "C" fn(usize, *mut *mut c_char, *mut usize, *mut *mut c_char, *mut usize) -> usize;
type Close = unsafe extern "C" fn(usize) -> c_int;

/// The functions of the C library.
pub(crate) struct Next {
    /// `iconv -l` calls this, so that the C library reads its list.
    pub(crate) open: Open,
    pub(crate) iconv: Iconv,
    pub(crate) close: Close,
}

/// Returns the functions of glibc, if this process is its iconv(1).
pub(crate) fn functions() -> Option<&'static Next> {
    static NEXT: OnceLock<Option<Next>> = OnceLock::new();
    NEXT.get_or_init(|| {
        let is_it = env::current_exe().is_ok_and(|path| path == Path::new("/usr/bin/iconv"));
        if !is_it || symbol(c"__gconv_open").is_none() {
            return None;
        }
        // SAFETY: `<iconv.h>` has these signatures; a descriptor is as wide as a pointer.
        let open = unsafe { mem::transmute::<*mut c_void, Open>(symbol(c"iconv_open")?) };
        // SAFETY: as above.
        let iconv = unsafe { mem::transmute::<*mut c_void, Iconv>(symbol(c"iconv")?) };
        // SAFETY: as above.
        let close = unsafe { mem::transmute::<*mut c_void, Close>(symbol(c"iconv_close")?) };
        Some(Next { open, iconv, close })
    })
    .as_ref()
}

fn symbol(name: &CStr) -> Option<*mut c_void> {
    // SAFETY: a string that ends with a NUL.
    let found = unsafe { libc::dlsym(libc::RTLD_NEXT, name.as_ptr()) };
    (!found.is_null()).then_some(found)
}
