//! Declarations among the first lines of SQL dumps, of affixes of Hunspell, and of LaTeX.
#![forbid(unsafe_code)]

use core::ops::Range;

use super::header::lines;
use super::{begins, find, label};

/// The label of a line that is `SET NAMES latin1`, `SET client_encoding = 'LATIN1'` or, as Hunspell has it, `SET ISO8859-2`.
pub(super) fn set(text: &[u8]) -> Option<Range<usize>> {
    // Dumps begin with a comment.
    if !matches!(text.first(), Some(b'-' | b'/' | b'#' | b'S' | b's')) {
        return None;
    }
    lines(text).find_map(|(from, line)| {
        // `/*!40101 SET NAMES latin1 */;` is a statement to MySQL.
        let before =
            line.iter().take_while(|byte| matches!(byte, b'/' | b'*' | b'!' | b' ' | b'0'..=b'9')).count();
        let statement = &line[before..];
        if !begins(statement, b"set ") {
            return None;
        }
        let names: [&[u8]; 3] = [b"set names ", b"set client_encoding = ", b"set client_encoding to "];
        let name = names.into_iter().find(|name| begins(statement, name)).map_or(4, <[u8]>::len);
        let quote = usize::from(statement.get(name) == Some(&b'\''));
        let found = label(statement, name + quote)?;
        let is_all =
            statement[found.end..].iter().all(|byte| matches!(byte, b'\'' | b';' | b' ' | b'*' | b'/'));
        is_all.then_some(from + before + found.start..from + before + found.end)
    })
}

/// The label of `\usepackage[latin1]{inputenc}`, of which the last option counts.
pub(super) fn inputenc(text: &[u8]) -> Option<Range<usize>> {
    if !matches!(text.first(), Some(b'\\' | b'%')) {
        return None;
    }
    let end = find(text, b"]{inputenc}")?;
    let line = text[..end].rsplit(|byte| *byte == b'\n').next()?;
    let is_used = line.trim_ascii_start().starts_with(b"\\") && !line.contains(&b'%');
    let option = line.rsplit(|byte| matches!(byte, b'[' | b',' | b' ')).next()?;
    (is_used && !option.is_empty()).then_some(end - option.len()..end)
}
