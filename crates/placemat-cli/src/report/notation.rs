//! How bytes and objects are written for programs, and read again: see `placemat_text::notation`.

use std::io::Write;

use anyhow::Result;
use serde::Serialize;

pub(crate) use placemat_text::notation::{hex, json_text};

/// Writes one object as a line.
pub(crate) fn write_line(out: &mut impl Write, value: &impl Serialize) -> Result<()> {
    Ok(writeln!(out, "{}", json_text(value)?)?)
}
