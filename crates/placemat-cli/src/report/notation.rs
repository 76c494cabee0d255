//! How bytes and objects are written for programs, and read again: see `placemat_text::notation`.

use std::io::Write;
use std::path::PathBuf;

use anyhow::Result;
use serde::Serialize;

pub(crate) use placemat_text::notation::*;

#[cfg(unix)]
pub(crate) fn path_of(bytes: Vec<u8>) -> Result<PathBuf> {
    use std::os::unix::ffi::OsStringExt as _;
    Ok(std::ffi::OsString::from_vec(bytes).into())
}

#[cfg(not(unix))]
pub(crate) fn path_of(bytes: Vec<u8>) -> Result<PathBuf> {
    Ok(String::from_utf8(bytes)?.into())
}

/// Write one object as a line.
pub(crate) fn write_line(out: &mut impl Write, value: &impl Serialize) -> Result<()> {
    Ok(writeln!(out, "{}", json_text(value)?)?)
}
