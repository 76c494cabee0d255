//! Repairs text inside CSV, JSON Lines and SQL dumps: each field by itself. The bytes between fields are not changed.
//!
//! A grammar divides the input into *fields* (of CSV and COPY, strings, comments, names) and the bytes between. Where it cannot
//! read the input, it returns a [`Misfit`] with the line. Fields are unescaped first, so that `\u00c3\u00a9` in JSON is repaired
//! as mojibake, and escaped again by the same rules. Memory: one field up to [`LONGEST_FIELD`]; longer ones are repaired in
//! parts.

mod csv;
mod field;
mod half;
mod jsonl;
mod keys;
mod mend;
mod nested;
mod scan;
mod sql;
mod texts;
mod whole;

#[cfg(test)]
mod tests;

use std::str::FromStr;

use crate::charset::Charset;
use crate::error::{Error, refuse};
use crate::faults::announces_other_form;
use crate::repair::choice::LIKELY;

pub use crate::error::Misfit;
pub use crate::repair::mend::Cell;

pub use mend::{FieldMender, Mended};
pub use sql::Dialect;
pub use texts::{Texts, check};
pub use whole::whole;

/// The length in bytes above which a field is repaired in parts.
pub const LONGEST_FIELD: usize = 1 << 20;

/// The number of bytes at the start of an input by which it is known.
const HEAD: usize = 64 << 10;

/// The structure of an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Structure {
    /// CSV with the fields of RFC 4180 and this delimiter. Records may end with LF alone.
    Csv(u8),
    /// JSON Lines: the strings of JSON (RFC 8259), one value per line.
    JsonLines,
    /// A dump of a database. Without a dialect, the dialect is found in the dump itself.
    Sql(Option<Dialect>),
}

impl Structure {
    /// Returns CSV with a delimiter: one ASCII character, or `tab`.
    ///
    /// # Errors
    /// The text cannot be a delimiter.
    ///
    /// ```
    /// use placemat_text::structure::Structure;
    ///
    /// assert_eq!(Structure::csv(";").unwrap(), Structure::Csv(b';'));
    /// assert_eq!(Structure::csv("tab").unwrap(), Structure::Csv(b'\t'));
    /// assert!(Structure::csv("\"").is_err());
    /// ```
    pub fn csv(delimiter: &str) -> Result<Structure, Error> {
        match delimiter.as_bytes() {
            b"tab" | br"\t" => Ok(Structure::Csv(b'\t')),
            [byte] if byte.is_ascii() && !matches!(byte, b'"' | b'\n' | b'\r' | 0) => {
                Ok(Structure::Csv(*byte))
            }
            _ => refuse!("a delimiter is one ASCII character or tab, no quote and no line end"),
        }
    }

    /// Finds the dialect of a dump without one in `head`, the start of the input. Cost: linear in `head`.
    ///
    /// # Errors
    /// The dialect cannot be found.
    ///
    /// ```
    /// use placemat_text::structure::{Dialect, Structure};
    ///
    /// let dump = b"--\n-- PostgreSQL database dump\n--\n";
    /// let found = Structure::Sql(None).known(dump).unwrap();
    /// assert_eq!(found, Structure::Sql(Some(Dialect::Postgres)));
    /// assert!(Structure::Sql(None).known(b"SELECT 1;").is_err());
    /// ```
    pub fn known(self, head: &[u8]) -> Result<Structure, Error> {
        match self {
            Structure::Sql(_) if head.starts_with(b"PGDMP") => {
                refuse!("this is pg_dump's custom format: pg_restore -f dump.sql writes it as SQL")
            }
            Structure::Sql(None) => match Dialect::of(head) {
                Some(dialect) => Ok(Structure::Sql(Some(dialect))),
                None => refuse!(
                    "the dump does not say which database wrote it: choose --sql=postgres, --sql=mysql or --sql=sqlite"
                ),
            },
            known => Ok(known),
        }
    }
}

impl FromStr for Dialect {
    type Err = Error;

    fn from_str(name: &str) -> Result<Dialect, Error> {
        match name {
            "postgres" => Ok(Dialect::Postgres),
            "mysql" => Ok(Dialect::MySql),
            "sqlite" => Ok(Dialect::Sqlite),
            _ => refuse!("the known dialects are postgres, mysql (also MariaDB) and sqlite"),
        }
    }
}

/// Whether the input is in UTF-16 or UTF-32, by its byte order mark or, without one, by its first 64 KiB. Then it is not one of these
/// structures, which are read as bytes.
///
/// ```
/// use placemat_text::structure::is_wide;
///
/// assert!(is_wide(b"\xFF\xFEa\0") && is_wide(b"i\0d\0,\0n\0a\0m\0e\0\n\0001\0,\0A\0d\0a\0\n\0"));
/// assert!(!is_wide(b"\xEF\xBB\xBFa") && !is_wide(b"id\0,name\0\n1\0,Ada\0\n"));
/// ```
#[must_use]
pub fn is_wide(head: &[u8]) -> bool {
    if placemat::bom::sniff(head).is_some() {
        return announces_other_form(head);
    }
    let head = &head[..head.len().min(HEAD)];
    memchr::memchr(0, head).is_some() && {
        let found = placemat_detect::detect(head, false);
        found.confidence >= LIKELY && Charset::detected(&found).is_some_and(|charset| charset.unit() > 1)
    }
}
