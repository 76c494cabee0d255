//! glibc's own `iconv`, for its own iconv(1) only: that program opens by a private function and then calls the public ones, so that under
//! a preload its descriptors come here. In every other program a number that is no open descriptor of ours is an error.

use std::ffi::{CStr, c_char, c_int, c_void};
use std::path::Path;
use std::sync::OnceLock;
use std::{env, mem};

type Open = unsafe extern "C" fn(*const c_char, *const c_char) -> usize;
type Iconv = unsafe extern "C" fn(usize, *mut *mut c_char, *mut usize, *mut *mut c_char, *mut usize) -> usize;
type Close = unsafe extern "C" fn(usize) -> c_int;

/// The functions behind ours.
pub(crate) struct Next {
    /// Called by `iconv -l`, so that the C library reads its list.
    pub(crate) open: Open,
    pub(crate) iconv: Iconv,
    pub(crate) close: Close,
}

/// Those of glibc, if this is its iconv(1).
pub(crate) fn functions() -> Option<&'static Next> {
    static NEXT: OnceLock<Option<Next>> = OnceLock::new();
    NEXT.get_or_init(|| {
        let is_it = env::current_exe().is_ok_and(|path| path == Path::new("/usr/bin/iconv"));
        if !is_it || symbol(c"__gconv_open").is_none() {
            return None;
        }
        // SAFETY: `<iconv.h>` has these signatures; a descriptor is as wide as a pointer.
        let open = unsafe { mem::transmute::<*mut c_void, Open>(symbol(c"iconv_open")?) };
        // SAFETY: the same.
        let iconv = unsafe { mem::transmute::<*mut c_void, Iconv>(symbol(c"iconv")?) };
        // SAFETY: the same.
        let close = unsafe { mem::transmute::<*mut c_void, Close>(symbol(c"iconv_close")?) };
        Some(Next { open, iconv, close })
    })
    .as_ref()
}

fn symbol(name: &CStr) -> Option<*mut c_void> {
    // SAFETY: a string that ends with a zero.
    let found = unsafe { libc::dlsym(libc::RTLD_NEXT, name.as_ptr()) };
    (!found.is_null()).then_some(found)
}
