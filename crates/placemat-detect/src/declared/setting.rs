//! Declarations among the first lines of SQL dumps, of affixes of Hunspell, of scripts of Vim, and of LaTeX.
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
    statement(text, &[b"set names ", b"set client_encoding = ", b"set client_encoding to ", b"set "])
}

/// The label of a line that is `scriptencoding latin1`.
pub(super) fn script(text: &[u8]) -> Option<Range<usize>> {
    // Scripts begin with a comment, or with this.
    if !matches!(text.first(), Some(b'"' | b's')) {
        return None;
    }
    statement(text, &[b"scriptencoding "])
}

/// The label of the first line that consists of one of `names` (in lower case) and a label.
fn statement(text: &[u8], names: &[&[u8]]) -> Option<Range<usize>> {
    lines(text).find_map(|(from, line)| {
        // MySQL executes `/*!40101 SET NAMES latin1 */;`.
        let is_before = |byte: &u8| matches!(byte, b'/' | b'*' | b'!' | b' ' | b'\t' | b'0'..=b'9');
        let before = line.iter().take_while(|byte| is_before(byte)).count();
        let statement = &line[before..];
        let name = names.iter().find(|name| begins(statement, name))?.len();
        let quote = usize::from(statement.get(name) == Some(&b'\''));
        let found = label(statement, name + quote)?;
        let is_all =
            statement[found.end..].iter().all(|byte| matches!(byte, b'\'' | b';' | b' ' | b'*' | b'/'));
        is_all.then_some(from + before + found.start..from + before + found.end)
    })
}

/// The label of `\usepackage[latin1]{inputenc}`. Of several options the last one counts.
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
