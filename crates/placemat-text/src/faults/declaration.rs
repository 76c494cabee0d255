//! Finds text in UTF-8 that declares another encoding.

use std::io::{self, Read};

use placemat_detect::{Declared, REACH, declared};

use super::Kind;
use super::breach::Breach;
use crate::io::{fill, read_some};

/// Whether a text with this start may declare another encoding, so that reading on is worthwhile.
///
/// ```
/// use placemat_text::faults::declaration::may_contradict;
///
/// assert!(may_contradict(b"# coding: koi8-r\n") && !may_contradict(b"# coding: utf-8\n"));
/// ```
#[must_use]
pub fn may_contradict(head: &[u8]) -> bool {
    declared(head).is_some_and(|said| said.contradicts_utf8())
}

/// Finds a declaration of another encoding in a text that is UTF-8 with characters beyond ASCII. There is none if the text
/// declares nothing or is ASCII only. Reads up to the first byte beyond ASCII; if nothing is declared, only the head.
///
/// # Errors
/// Those of reading.
///
/// ```
/// use placemat_text::faults::declaration::contradiction;
///
/// let found = |text: &str| contradiction(&mut text.as_bytes()).unwrap();
/// let breach = found("# coding: koi8-r\nprint('Да')\n").unwrap();
/// assert_eq!((breach.kind.name(), breach.offset, breach.length), ("declared-encoding", 10, 6));
/// assert_eq!(found("# coding: utf-8\nprint('Да')\n"), None);
/// assert_eq!(found("# coding: koi8-r\nprint('Da')\n"), None);
/// ```
pub fn contradiction(input: &mut dyn Read) -> io::Result<Option<Breach>> {
    let mut block = vec![0; REACH];
    let filled = fill(input, &mut block)?;
    let Some(said) = declared(&block[..filled]).filter(Declared::contradicts_utf8) else {
        return Ok(None);
    };
    // The byte order mark does not count as a character beyond ASCII.
    let start = if block.starts_with(b"\xEF\xBB\xBF") { 3 } else { 0 };
    let mut is_ascii = block[start..filled].is_ascii();
    block.resize(64 << 10, 0);
    while is_ascii {
        match read_some(input, &mut block)? {
            0 => return Ok(None),
            read => is_ascii = block[..read].is_ascii(),
        }
    }
    let (offset, length) = (said.range.start as u64, said.range.len());
    Ok(Some(Breach { kind: Kind::Declared, offset, length }))
}
