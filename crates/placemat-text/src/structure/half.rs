//! Backslashes, quotes and delimiters that may be the second byte of a character. A reader of bytes takes that byte for an escape or a
//! delimiter, a reader of text does not. Both kinds of programs write files, and the file does not say which one wrote it.

pub(super) use crate::charset::half::{LONGEST_RUN, has_such, is_half, may_end_in_half};

pub(super) const ESCAPE: &str = "a backslash or quote may be half a character here";

pub(super) const DELIMITER: &str = "the delimiter may be the second byte of a character here: write the file with commas or tabs, or in UTF-8";
