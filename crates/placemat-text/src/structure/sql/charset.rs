//! The encoding that a dump declares: `SET NAMES latin1`, `SET client_encoding = 'LATIN1'`; and that of a table,
//! `CHARSET=latin1`, if the server converts nothing (`SET NAMES binary`). Also whether a backslash escapes in all strings of PostgreSQL
//! (`SET standard_conforming_strings = off`).
//!
//! `mysqldump` writes the text of a trigger or routine in the encoding in which it was defined, after `SET character_set_client = latin1`.
//! `SET character_set_client = @saved_cs_client` follows it.

use crate::structure::scan::{Next, Token};

const OTHER: &str = "the dump says that its text is not in UTF-8 (SET NAMES, CHARSET, character_set_client, client_encoding), and a server \
would misread the repaired text: dump as utf8mb4 or UTF8, or correct that line if the text is UTF-8";

/// Names that declare nothing, or UTF-8 under another name.
const TAKEN: [&str; 6] = ["unicode", "sql_ascii", "binary", "ascii", "us_ascii", "default"];

/// The position in a statement.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Stage {
    #[default]
    Start,
    Set,
    /// The name of the encoding comes next.
    Names,
    /// The same for `character_set_client`, or a variable in which its former value was saved.
    Client,
    /// Whether strings are read by the standard comes next.
    Standard,
    Other,
    /// CHARACTER, before SET.
    Character,
    /// The name of the encoding of a table or column comes next.
    Table,
}

#[derive(Default)]
pub(super) struct Charset {
    stage: Stage,
    /// Whether text here is in another encoding than UTF-8.
    is_other: bool,
    /// The same outside of triggers and routines.
    was_other: bool,
    /// Whether the server stores text without conversion.
    is_raw: bool,
    /// Whether a backslash escapes in every string of PostgreSQL.
    escapes: bool,
}

/// Whether the name is that of another encoding than UTF-8.
pub(super) fn is_another(name: &[u8]) -> bool {
    let starts =
        |start: &str| name.get(..start.len()).is_some_and(|name| name.eq_ignore_ascii_case(start.as_bytes()));
    let is_utf8 = starts("utf8") || starts("utf-8");
    !is_utf8 && !TAKEN.iter().any(|taken| name.eq_ignore_ascii_case(taken.as_bytes()))
}

impl Charset {
    /// Whether the next word or quoted text is a value that matters.
    pub(super) fn is_awaited(&self) -> bool {
        matches!(self.stage, Stage::Names | Stage::Client | Stage::Standard)
    }

    pub(super) fn escapes(&self) -> bool {
        self.escapes
    }

    /// Reads a word, or a name in quotes.
    pub(super) fn word(&mut self, word: &[u8]) {
        let is = |name: &str| word.eq_ignore_ascii_case(name.as_bytes());
        self.stage = match self.stage {
            Stage::Start if is("set") => Stage::Set,
            Stage::Set if is("session") || is("local") => Stage::Set,
            Stage::Set if ["names", "client_encoding", "charset", "character"].into_iter().any(is) => {
                Stage::Names
            }
            Stage::Set if is("character_set_client") => Stage::Client,
            Stage::Set if is("standard_conforming_strings") => Stage::Standard,
            same @ (Stage::Names | Stage::Standard) if is("to") || is("set") => same,
            Stage::Standard => {
                self.escapes = ["off", "false", "no", "f", "n", "of", "0"].into_iter().any(is);
                Stage::Other
            }
            Stage::Names => {
                self.is_other = is_another(word);
                self.was_other = self.is_other;
                self.is_raw = is("binary");
                Stage::Other
            }
            Stage::Client => {
                self.is_other = is_another(word);
                Stage::Other
            }
            Stage::Table => {
                let is_other = self.is_raw && is_another(word);
                self.is_other |= is_other;
                self.was_other |= is_other;
                Stage::Other
            }
            Stage::Character if is("set") => Stage::Table,
            _ if is("charset") => Stage::Table,
            _ if is("character") => Stage::Character,
            _ => Stage::Other,
        };
    }

    pub(super) fn sign(&mut self, byte: u8) {
        if byte != b'=' {
            if self.stage == Stage::Client {
                self.is_other = self.was_other;
            }
            self.stage = Stage::Other;
        }
    }

    pub(super) fn end(&mut self) {
        self.stage = Stage::Start;
    }

    /// Passes a token on, unless it is text that a server would read in another encoding. An escape for a byte, which the server
    /// does not convert, stays as it is.
    pub(super) fn token(&self, token: Option<Token>, text: &[u8]) -> Next {
        match token {
            Some(Token::Text(length)) if self.is_other && !text[..length].is_ascii() => {
                Err((text.iter().position(|byte| !byte.is_ascii()).unwrap_or(0), OTHER))
            }
            Some(Token::Stands(length, (bytes, count))) if self.is_other && !bytes[..count].is_ascii() => {
                Ok(Some(Token::Text(length)))
            }
            token => Ok(token),
        }
    }
}
