//! simdutf: any shared library with its public C functions (`simdutf_c.h`), loaded at run time.

use libloading::Library;

use super::verdict;
use crate::buffer::Unit;
use crate::ops::{Answer, Table};
use crate::options::Named;

type Verdict<S> = unsafe extern "C" fn(*const S, usize) -> bool;
type Number<S> = unsafe extern "C" fn(*const S, usize) -> usize;
type Outcome<S> = unsafe extern "C" fn(*const S, usize) -> Counted;
type Conversion<S, D> = unsafe extern "C" fn(*const S, usize, *mut D) -> usize;

/// `simdutf_result`.
#[derive(Clone, Copy)]
#[repr(C)]
struct Counted {
    error: std::ffi::c_int,
    count: usize,
}

struct Peer<'t> {
    table: &'t mut Table,
    name: &'t str,
    library: &'static Library,
}

/// Adds the functions of a library under its name.
pub fn add(table: &mut Table, file: &Named) -> Result<(), String> {
    // SAFETY: whoever passes `--simdutf` trusts that library as much as a program that they run.
    let library = unsafe { Library::new(&file.path) };
    let library = library.map_err(|error| format!("{}: {error}", file.path.display()))?;
    // Never unloaded: its functions are used until the program ends.
    let library = Box::leak(Box::new(library));
    Peer { table, name: &file.name, library }
        .add_all()
        .map_err(|error| format!("{}: {error}", file.path.display()))
}

impl Peer<'_> {
    fn add_all(&mut self) -> Result<(), String> {
        self.verdict::<u8>("validate", "validate_utf8")?;
        self.verdict::<u16>("utf16-validate", "validate_utf16le")?;
        self.verdict::<u32>("utf32-validate", "validate_utf32")?;
        self.error()?;
        self.number::<u8>("count", "count_utf8")?;
        self.count_checked()?;
        self.number::<u8>("utf8-utf16-length", "utf16_length_from_utf8")?;
        self.number::<u16>("utf16-utf8-length", "utf8_length_from_utf16le")?;
        self.number::<u32>("utf32-utf8-length", "utf8_length_from_utf32")?;
        self.number::<u8>("latin1-utf8-length", "utf8_length_from_latin1")?;
        self.conversion::<u8, u16>("utf8-utf16", "convert_utf8_to_utf16le")?;
        self.conversion::<u8, u32>("utf8-utf32", "convert_utf8_to_utf32")?;
        self.conversion::<u8, u8>("utf8-latin1", "convert_utf8_to_latin1")?;
        self.conversion::<u8, u8>("latin1-utf8", "convert_latin1_to_utf8")?;
        self.conversion::<u16, u8>("utf16-utf8", "convert_utf16le_to_utf8")?;
        self.conversion::<u32, u8>("utf32-utf8", "convert_utf32_to_utf8")?;
        self.conversion::<u16, u32>("utf16-utf32", "convert_utf16le_to_utf32")?;
        self.conversion::<u32, u16>("utf32-utf16", "convert_utf32_to_utf16le")?;
        self.convert()
    }

    /// # Safety
    ///
    /// `F` is the type of the function.
    unsafe fn find<F: Copy>(&self, symbol: &str) -> Result<F, String> {
        // SAFETY: the caller ensures that `F` is the type of the function.
        let found = unsafe { self.library.get::<F>(format!("simdutf_{symbol}")) };
        found.map(|function| *function).map_err(|error| error.to_string())
    }

    fn verdict<S: Unit>(&mut self, op: &'static str, symbol: &str) -> Result<(), String> {
        // SAFETY: these are the types that `simdutf_c.h` declares for these names.
        let function: Verdict<S> = unsafe { self.find(symbol)? };
        self.table.add(op, self.name, move |src: &[S], _: &mut [u8]| {
            // SAFETY: `src` is valid for its length.
            verdict(unsafe { function(src.as_ptr(), src.len()) })
        });
        Ok(())
    }

    fn number<S: Unit>(&mut self, op: &'static str, symbol: &str) -> Result<(), String> {
        // SAFETY: as in `verdict`.
        let function: Number<S> = unsafe { self.find(symbol)? };
        self.table.add(op, self.name, move |src: &[S], _: &mut [u8]| {
            // SAFETY: as in `verdict`.
            Answer::Number(unsafe { function(src.as_ptr(), src.len()) })
        });
        Ok(())
    }

    fn error(&mut self) -> Result<(), String> {
        // SAFETY: as in `verdict`.
        let function: Outcome<u8> = unsafe { self.find("validate_utf8_with_errors")? };
        self.table.add("error", self.name, move |src: &[u8], _: &mut [u8]| {
            // SAFETY: as in `verdict`.
            let found = unsafe { function(src.as_ptr(), src.len()) };
            Answer::Number(if found.error == 0 { src.len() } else { found.count })
        });
        Ok(())
    }

    /// simdutf's lengths assume well-formed input, so this takes two calls.
    fn count_checked(&mut self) -> Result<(), String> {
        // SAFETY: as in `verdict`.
        let (check, count): (Verdict<u8>, Number<u8>) =
            unsafe { (self.find("validate_utf8")?, self.find("count_utf8")?) };
        self.table.add("count-checked", self.name, move |src: &[u8], _: &mut [u8]| {
            // SAFETY: as in `verdict`.
            let number =
                unsafe { if check(src.as_ptr(), src.len()) { count(src.as_ptr(), src.len()) } else { 0 } };
            Answer::Number(number)
        });
        Ok(())
    }

    fn conversion<S: Unit, D: Unit>(&mut self, op: &'static str, symbol: &str) -> Result<(), String> {
        // SAFETY: as in `verdict`.
        let function: Conversion<S, D> = unsafe { self.find(symbol)? };
        self.table.add(op, self.name, move |src: &[S], dst: &mut [D]| {
            // SAFETY: as in `verdict`; `dst` holds at least the result.
            Answer::Written(unsafe { function(src.as_ptr(), src.len(), dst.as_mut_ptr()) })
        });
        Ok(())
    }

    /// Converts into a vector of the length that the library computes.
    fn convert(&mut self) -> Result<(), String> {
        // SAFETY: as in `verdict`.
        let length: Number<u8> = unsafe { self.find("utf16_length_from_utf8")? };
        // SAFETY: as in `verdict`.
        let function: Conversion<u8, u16> = unsafe { self.find("convert_utf8_to_utf16le")? };
        self.table.add("convert", self.name, move |src: &[u8], _: &mut [u16]| {
            // SAFETY: as in `verdict`.
            let mut units = Vec::<u16>::with_capacity(unsafe { length(src.as_ptr(), src.len()) });
            // SAFETY: as in `verdict`; `dst` has room for the result, whose length was computed above.
            unsafe {
                let len = function(src.as_ptr(), src.len(), units.as_mut_ptr());
                units.set_len(len);
            }
            Answer::Units(units)
        });
        Ok(())
    }
}
