//! Reads the output of programs that dump the bytes of a file.

use super::{EscapesError, Out};

/// Whether the first line is a line of a dump: an offset and bytes.
pub(super) fn is_seen_in(text: &str) -> bool {
    let first = text.lines().next().unwrap_or_default();
    offset(first).is_some_and(|(is_xxd, rest)| bytes(rest, is_xxd).is_some_and(|bytes| !bytes.is_empty()))
}

pub(super) fn read(text: &str, out: &mut Out) -> Result<(), EscapesError> {
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let start = at;
        at += line.len();
        let line = line.trim_end();
        if line.is_empty() {
            continue;
        }
        if line == "*" {
            return Err(out.error(text, start, "it stands for lines that are missing"));
        }
        let Some((is_xxd, rest)) = offset(line) else {
            return Err(out.error(text, start, "no offset stands before the bytes"));
        };
        let Some(bytes) = bytes(rest, is_xxd) else {
            return Err(out.error(text, start, "no bytes follow the offset"));
        };
        bytes.into_iter().try_for_each(|byte| out.byte(byte))?;
    }
    Ok(())
}

/// Reads the offset. Returns whether it ends with a colon, as in xxd, and the rest of the line.
fn offset(line: &str) -> Option<(bool, &str)> {
    let len = line.bytes().take_while(u8::is_ascii_hexdigit).count();
    let rest = &line[len..];
    match rest.strip_prefix(':') {
        _ if len < 4 => None,
        Some(rest) => Some((true, rest)),
        None if rest.is_empty() || rest.starts_with(' ') => Some((false, rest)),
        None => None,
    }
}

/// The bytes before the column of characters. In words of two bytes the low byte is first, except in xxd.
fn bytes(rest: &str, is_xxd: bool) -> Option<Vec<u8>> {
    let rest = rest.split('|').next().unwrap_or_default().trim_start();
    let digits = if is_xxd { rest.split("  ").next().unwrap_or_default() } else { rest };
    let mut bytes = Vec::new();
    for group in digits.split_ascii_whitespace() {
        let is_hex = group.bytes().all(|byte| byte.is_ascii_hexdigit());
        if !is_hex || group.len() % 2 != 0 || !is_xxd && group.len() > 4 {
            return None;
        }
        let start = bytes.len();
        let pair = |at: usize| u8::from_str_radix(&group[at..at + 2], 16).ok();
        bytes.extend((0..group.len()).step_by(2).filter_map(pair));
        if !is_xxd {
            bytes[start..].reverse();
        }
    }
    Some(bytes)
}
