//! The names of characters.

#![forbid(unsafe_code)]

use core::fmt::Write as _;

use crate::session::Session;

impl Session {
    /// Writes the names of the code points in the input (numbers of 32 bits), one per line. A line is empty if the
    /// code point has no name.
    pub(crate) fn character_names(&mut self) {
        let mut text = String::new();
        for bytes in self.input.as_chunks().0 {
            let character = char::from_u32(u32::from_le_bytes(*bytes));
            if let Some(name) = character.and_then(unicode_names2::name) {
                // Writing to a string cannot fail.
                let _ = write!(text, "{name}");
            }
            text.push('\n');
        }
        self.output = text.into_bytes();
        self.tell(None);
    }
}
