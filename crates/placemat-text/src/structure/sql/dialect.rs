//! Detects the program that wrote a dump.

use memchr::memmem;

use crate::structure::HEAD;

/// The dialect of a dump. It decides what a backslash means in a string.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// PostgreSQL: a backslash is a character, except in `E'…'`.
    Postgres,
    /// MySQL and MariaDB: a backslash escapes.
    MySql,
    /// SQLite: a backslash is a character.
    Sqlite,
}

impl Dialect {
    /// Returns the dialect of a dump with this start, if it can be found. Cost: linear in the first 64 KiB.
    ///
    /// ```
    /// use placemat_text::structure::Dialect;
    ///
    /// assert_eq!(Dialect::of(b"-- MariaDB dump 10.19"), Some(Dialect::MySql));
    /// assert_eq!(Dialect::of(b"PRAGMA foreign_keys=OFF;\nBEGIN TRANSACTION;\n"), Some(Dialect::Sqlite));
    /// ```
    #[must_use]
    pub fn of(head: &[u8]) -> Option<Dialect> {
        static MARKS: [(&str, Dialect); 9] = [
            ("-- PostgreSQL database", Dialect::Postgres),
            ("-- MySQL dump", Dialect::MySql),
            ("-- MariaDB dump", Dialect::MySql),
            ("PRAGMA foreign_keys=OFF;", Dialect::Sqlite),
            (" FROM stdin;", Dialect::Postgres),
            ("SELECT pg_catalog.", Dialect::Postgres),
            ("/*!40", Dialect::MySql),
            ("INSERT INTO `", Dialect::MySql),
            ("BEGIN TRANSACTION;", Dialect::Sqlite),
        ];
        let head = &head[..head.len().min(HEAD)];
        // The first mark counts, because text inside the dump could hold another.
        let mut first = None;
        for (mark, dialect) in &MARKS {
            if let Some(at) = memmem::find(head, mark.as_bytes())
                && first.is_none_or(|(before, _)| at < before)
            {
                first = Some((at, *dialect));
            }
        }
        first.map(|(_, dialect)| dialect)
    }
}
