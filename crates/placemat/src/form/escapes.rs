//! Forms in which bytes become code points (escapes), one each, and how their writers refuse escapes whose bytes form a
//! character.
//!
//! The bytes of adjacent escapes can be a well-formed sequence (`DCC3 DCA9` is `C3 A9`), which would be read back as a character.
//! No reader yields such escapes; they come from joining, editing or an attacker. Only runs of escapes must be checked: the bytes
//! of an escape never continue a complete character beside it.

#![forbid(unsafe_code)]

use core::marker::PhantomData;

use super::Form;
use crate::code_point::CodePoint;
use crate::codec::{Decoded, Input, Memory, ROOM};
use crate::error::ErrorKind;

impl Form {
    /// Whether the form carries surrogates but cannot distinguish escapes of bytes (PEP 383) from other surrogates.
    pub(crate) fn confuses_escapes(self) -> bool {
        let is_raw = matches!(self, Form::Utf8Surrogates | Form::Utf8Rfc2279Surrogates);
        !is_raw && !self.holds_escapes()
    }

    /// Whether the form is meant to hold lone surrogates, so that escapes of bytes may stand in it. More forms could encode them.
    pub(crate) fn holds_escapes(self) -> bool {
        let unmarked = self.marked().map_or(self, |marked| marked.unmarked);
        matches!(
            unmarked,
            Form::Utf8b
                | Form::Utf8bPython
                | Form::Utf16LeSurrogates
                | Form::Utf16BeSurrogates
                | Form::Ucs2Le
                | Form::Ucs2Be
                | Form::Ucs2LePairs
                | Form::Ucs2BePairs
                | Form::Ucs4Le
                | Form::Ucs4Be
        )
    }
}

/// What is well-formed in a form with escapes, and which code points escape the other bytes.
pub(crate) trait Escapes: 'static {
    /// Reads the first sequence, without escapes.
    fn sequence(input: Input<'_>) -> Decoded;
    /// The escape of a byte is this value plus the byte. Only `80..=FF` are ever escaped.
    const BASE: u32;
}

/// Whether the writer refuses escapes whose bytes form a character.
pub(crate) trait Guard: 'static {
    const ON: bool;
}

/// The default: such escapes are refused.
pub(crate) struct Guarded;

/// Python and MirBSD: such escapes are written.
pub(crate) struct Unguarded;

impl Guard for Guarded {
    const ON: bool = true;
}

impl Guard for Unguarded {
    const ON: bool = false;
}

/// Read one sequence. Of an ill-formed one, escape only the first byte: the other bytes are ill-formed too, and are read next.
pub(super) fn decode<E: Escapes>(input: Input<'_>) -> Decoded {
    match E::sequence(input) {
        Decoded::Malformed { .. } => Decoded::code_point(E::BASE + u32::from(input.bytes[0]), 1),
        other @ (Decoded::CodePoint { .. } | Decoded::Nothing { .. } | Decoded::Incomplete) => other,
    }
}

/// The bytes of the last escapes, if they begin a well-formed sequence.
pub(crate) struct Run<E, G> {
    bytes: [u8; 3],
    len: u8,
    rule: PhantomData<(E, G)>,
}

impl<E: Escapes, G: Guard> Run<E, G> {
    /// If `c` is an escape, write its byte.
    ///
    /// # Errors
    /// If the byte would complete a character.
    pub(super) fn escape(&mut self, c: CodePoint, out: &mut [u8; ROOM]) -> Result<Option<usize>, ErrorKind> {
        let byte = match c.value().checked_sub(E::BASE) {
            Some(byte @ 0x80..=0xFF) => byte as u8,
            _ => return Ok(None),
        };
        if G::ON {
            *self = self.then(byte)?;
        }
        out[0] = byte;
        Ok(Some(1))
    }

    fn then(self, byte: u8) -> Result<Self, ErrorKind> {
        let mut bytes = [0; 4];
        let len = usize::from(self.len);
        bytes[..len].copy_from_slice(&self.bytes[..len]);
        bytes[len] = byte;
        // Either the byte continues the run, or it begins a new one: continuation bytes are never lead bytes.
        for from in [0, len] {
            match E::sequence(Input { bytes: &bytes[from..=len], last: false }) {
                Decoded::CodePoint { .. } => return Err(ErrorKind::Unencodable),
                Decoded::Incomplete => {
                    let mut run = Run { len: (len + 1 - from) as u8, ..Run::default() };
                    run.bytes[..len + 1 - from].copy_from_slice(&bytes[from..=len]);
                    return Ok(run);
                }
                Decoded::Nothing { .. } | Decoded::Malformed { .. } => {}
            }
        }
        Ok(Run::default())
    }
}

/// Only writers have this state.
impl<E, G> Memory for Run<E, G> {}

impl<E, G> Clone for Run<E, G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<E, G> Copy for Run<E, G> {}

impl<E, G> Default for Run<E, G> {
    fn default() -> Self {
        Run { bytes: [0; 3], len: 0, rule: PhantomData }
    }
}

impl<E, G> PartialEq for Run<E, G> {
    fn eq(&self, other: &Self) -> bool {
        (self.bytes, self.len) == (other.bytes, other.len)
    }
}
