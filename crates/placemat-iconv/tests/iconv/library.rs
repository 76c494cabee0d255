//! Two libraries with the same functions: ours, loaded by its path, and the C library.

use std::ffi::{CStr, CString, c_char, c_int, c_uint, c_void};
use std::path::{Path, PathBuf};
use std::{env, mem, ptr, slice};

/// The functions of one library.
#[derive(Clone, Copy)]
pub(crate) struct Library {
    open: OpenFn,
    convert: ConvertFn,
    close: CloseFn,
}

type OpenFn = unsafe extern "C" fn(*const c_char, *const c_char) -> *mut c_void;
type ConvertFn =
    unsafe extern "C" fn(*mut c_void, *mut *mut c_char, *mut usize, *mut *mut c_char, *mut usize) -> usize;
type CloseFn = unsafe extern "C" fn(*mut c_void) -> c_int;

/// An open descriptor.
pub(crate) struct Open {
    library: Library,
    pub(crate) handle: *mut c_void,
}

/// The result of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Called {
    pub(crate) read: usize,
    pub(crate) written: usize,
    /// The return value, or `errno`.
    pub(crate) result: Result<usize, c_int>,
}

impl Library {
    /// The library of the operating system.
    pub(crate) fn system() -> Library {
        Library { open: libc::iconv_open, convert: libc::iconv, close: libc::iconv_close }
    }

    /// The library that this package builds.
    pub(crate) fn ours() -> Library {
        Library {
            // SAFETY: the functions have these signatures, as `<iconv.h>` says.
            open: unsafe { mem::transmute::<*mut c_void, OpenFn>(symbol("iconv_open")) },
            // SAFETY: as above.
            convert: unsafe { mem::transmute::<*mut c_void, ConvertFn>(symbol("iconv")) },
            // SAFETY: as above.
            close: unsafe { mem::transmute::<*mut c_void, CloseFn>(symbol("iconv_close")) },
        }
    }

    /// Opens a descriptor, or returns `errno`.
    pub(crate) fn open(self, to: &str, from: &str) -> Result<Open, c_int> {
        let (to, from) = (CString::new(to).unwrap(), CString::new(from).unwrap());
        // SAFETY: two strings.
        let handle = unsafe { (self.open)(to.as_ptr(), from.as_ptr()) };
        if handle.addr() == usize::MAX { Err(errno()) } else { Ok(Open { library: self, handle }) }
    }

    /// Returns `errno` after `iconv_open` with two null pointers.
    pub(crate) fn open_null(self) -> c_int {
        // SAFETY: our library checks whether the names are null.
        let handle = unsafe { (self.open)(ptr::null(), ptr::null()) };
        if handle.addr() == usize::MAX { errno() } else { 0 }
    }

    /// Closes a handle that need not be open. Returns 0 or `errno`.
    pub(crate) fn close(self, handle: *mut c_void) -> c_int {
        // SAFETY: our library only compares the number.
        if unsafe { (self.close)(handle) } == 0 { 0 } else { errno() }
    }

    /// Calls `iconv` on a handle that need not be open.
    pub(crate) fn convert(self, handle: *mut c_void, src: &[u8], dst: &mut [u8]) -> Called {
        let (mut input, mut left) = (src.as_ptr().cast_mut().cast::<c_char>(), src.len());
        let (mut output, mut room) = (dst.as_mut_ptr().cast::<c_char>(), dst.len());
        // SAFETY: two buffers with their lengths; the source is only read.
        let result =
            unsafe { (self.convert)(handle, &raw mut input, &raw mut left, &raw mut output, &raw mut room) };
        let result = if result == usize::MAX { Err(errno()) } else { Ok(result) };
        Called { read: src.len() - left, written: dst.len() - room, result }
    }

    /// Returns to the initial state, with or without a destination.
    pub(crate) fn reset(self, handle: *mut c_void, dst: Option<&mut [u8]>) -> Called {
        let Some(dst) = dst else {
            let null = ptr::null_mut();
            // SAFETY: POSIX allows four null pointers.
            let result = unsafe { (self.convert)(handle, null, null.cast(), null, null.cast()) };
            return Called {
                read: 0,
                written: 0,
                result: if result == usize::MAX { Err(errno()) } else { Ok(result) },
            };
        };
        let (mut output, mut room) = (dst.as_mut_ptr().cast::<c_char>(), dst.len());
        let null = ptr::null_mut();
        // SAFETY: no source, and a buffer with its length.
        let result = unsafe { (self.convert)(handle, null, null.cast(), &raw mut output, &raw mut room) };
        let result = if result == usize::MAX { Err(errno()) } else { Ok(result) };
        Called { read: 0, written: dst.len() - room, result }
    }
}

impl Open {
    pub(crate) fn convert(&self, src: &[u8], dst: &mut [u8]) -> Called {
        self.library.convert(self.handle, src, dst)
    }

    pub(crate) fn reset(&self, dst: Option<&mut [u8]>) -> Called {
        self.library.reset(self.handle, dst)
    }

    /// Returns `errno` after a call with a source and no destination.
    pub(crate) fn convert_into_nothing(&self, src: &[u8]) -> c_int {
        let (mut input, mut left) = (src.as_ptr().cast_mut().cast::<c_char>(), src.len());
        let (source, length) = (&raw mut input, &raw mut left);
        // SAFETY: a source with its length; our library checks whether there is a destination.
        let result =
            unsafe { (self.library.convert)(self.handle, source, length, ptr::null_mut(), ptr::null_mut()) };
        if result == usize::MAX { errno() } else { 0 }
    }

    /// Converts the first `len` bytes of a buffer into the same buffer. Returns the number of bytes written.
    pub(crate) fn convert_in_place(&self, buffer: &mut [u8], len: usize) -> usize {
        let start = buffer.as_mut_ptr().cast::<c_char>();
        let (mut input, mut left, mut output, mut room) = (start, len, start, buffer.len());
        // SAFETY: both sides are within the buffer; our library copies the source if they overlap.
        unsafe {
            (self.library.convert)(
                self.handle,
                &raw mut input,
                &raw mut left,
                &raw mut output,
                &raw mut room,
            );
        }
        buffer.len() - room
    }
}

impl Drop for Open {
    fn drop(&mut self) {
        self.library.close(self.handle);
    }
}

/// Calls libiconv's `iconvctl` with that value. Returns its result and the value afterwards, or `errno`.
pub(crate) fn control(handle: *mut c_void, request: c_int, value: c_int) -> Result<(c_int, c_int), c_int> {
    type Control = unsafe extern "C" fn(*mut c_void, c_int, *mut c_void) -> c_int;
    // SAFETY: the function has this signature.
    let control: Control = unsafe { mem::transmute::<*mut c_void, Control>(symbol("iconvctl")) };
    let mut value = value;
    // SAFETY: a pointer to an `int`.
    let result = unsafe { control(handle, request, (&raw mut value).cast()) };
    if result == 0 { Ok((result, value)) } else { Err(errno()) }
}

/// libiconv's `_libiconv_version`.
pub(crate) fn version() -> c_int {
    // SAFETY: it is an `int`.
    unsafe { *symbol("_libiconv_version").cast::<c_int>() }
}

/// Returns the names that `iconvlist` lists.
pub(crate) fn names() -> Vec<Vec<String>> {
    type Note = unsafe extern "C" fn(c_uint, *const *const c_char, *mut c_void) -> c_int;
    type List = unsafe extern "C" fn(Note, *mut c_void);
    unsafe extern "C" fn note(count: c_uint, names: *const *const c_char, all: *mut c_void) -> c_int {
        // SAFETY: this many pointers to strings, and the pointer that was passed to `iconvlist`.
        unsafe {
            let names = slice::from_raw_parts(names, count as usize);
            let names = names.iter().map(|&name| CStr::from_ptr(name).to_str().unwrap().to_owned());
            (*all.cast::<Vec<Vec<String>>>()).push(names.collect());
        }
        0
    }
    let mut all: Vec<Vec<String>> = Vec::new();
    // SAFETY: the function has this signature.
    let list: List = unsafe { mem::transmute::<*mut c_void, List>(symbol("iconvlist")) };
    // SAFETY: `note` expects a pointer to the type of `all`.
    unsafe { list(note, (&raw mut all).cast()) };
    all
}

/// The folder with the library: two levels above a test, one above an example.
pub(crate) fn path() -> PathBuf {
    let own = env::current_exe().unwrap();
    let folders = own.ancestors().skip(1).map(|folder| folder.join("libplacemat_iconv.so"));
    let found = folders.into_iter().find(|path| path.exists());
    found.expect("the library is built with this program")
}

/// The address of the symbol that our library exports under that name.
pub(crate) fn symbol(name: &str) -> *mut c_void {
    let open = |path: &Path| {
        let path = CString::new(path.to_str().unwrap()).unwrap();
        // SAFETY: the library has no constructors of its own.
        unsafe { libc::dlopen(path.as_ptr(), libc::RTLD_NOW | libc::RTLD_LOCAL) }
    };
    let library = open(&path());
    assert!(!library.is_null(), "{} does not load: {}", path().display(), complaint());
    let symbol = CString::new(name).unwrap();
    // SAFETY: an open library and a string.
    let found = unsafe { libc::dlsym(library, symbol.as_ptr()) };
    assert!(!found.is_null(), "{name} is not exported");
    found
}

/// Why a library cannot be loaded.
fn complaint() -> String {
    // SAFETY: it returns null or a string that lives until the next call of these functions.
    let text = unsafe { libc::dlerror() };
    if text.is_null() {
        String::new()
    } else {
        // SAFETY: a string that lives until the next call, and is copied at once.
        unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned()
    }
}

fn errno() -> c_int {
    std::io::Error::last_os_error().raw_os_error().unwrap_or(0)
}
