//! Reads the output of programs that dump the bytes of a file.

use super::{EscapesError, Out};

/// Whether the first line is a line of a dump: an offset and bytes.
pub(super) fn is_seen_in(text: &str) -> bool {
    let first = text.lines().next().unwrap_or_default();
    offset(first).is_some_and(|(is_xxd, rest)| bytes(rest, is_xxd).is_some_and(|bytes| !bytes.is_empty()))
}

pub(super) fn read(text: &str, out: &mut Out) -> Result<(), EscapesError> {
    let (mut at, mut all) = (0, Vec::new());
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
        // The offset at the end is the length, octal or hexadecimal. Words of two bytes may have brought a zero more.
        let is_odd = |line: &str| line.ends_with(['1', '3', '5', '7', '9', 'b', 'd', 'f']);
        if bytes.is_empty() && is_odd(line) && all.len() % 2 == 0 && all.last() == Some(&0) {
            all.pop();
        }
        all.extend(bytes);
    }
    all.into_iter().try_for_each(|byte| out.byte(byte))
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
    let rest = rest.trim_start();
    if !is_xxd {
        let digits = rest.split(['|', '>']).next()?;
        let is_word = |group: &str| group.len() <= 4;
        return hexadecimal(digits, true).filter(|_| digits.split(' ').all(is_word));
    }
    let gap = rest.find("  ").unwrap_or(rest.len());
    // The last word of `xxd -e` stands at the right of its place.
    let word = &rest[gap..].trim_start();
    let end = rest.len() - word.len() + word.find("  ").unwrap_or(word.len());
    // The column of characters tells what the digits are: those of `xxd -e` and `xxd -b` look like others.
    let readings = [
        (hexadecimal(&rest[..gap], false), gap),
        (hexadecimal(&rest[..gap], true), gap),
        (hexadecimal(&rest[..end], true), end),
        (binary(&rest[..gap]), gap),
    ];
    let is_right = |(bytes, end): &(Option<Vec<u8>>, usize)| {
        bytes.as_ref().is_some_and(|bytes| is_shown(bytes, &rest[*end..]))
    };
    let right = readings.iter().position(is_right).unwrap_or(0);
    readings.into_iter().nth(right)?.0
}

/// The bytes of groups of hexadecimal digits; if `reverse`, in each group the last one first.
fn hexadecimal(digits: &str, reverse: bool) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    for group in digits.split_ascii_whitespace() {
        if group.len() % 2 != 0 || !group.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return None;
        }
        let start = bytes.len();
        let pair = |at: usize| u8::from_str_radix(&group[at..at + 2], 16).ok();
        bytes.extend((0..group.len()).step_by(2).filter_map(pair));
        if reverse {
            bytes[start..].reverse();
        }
    }
    Some(bytes)
}

/// The bytes of groups of eight binary digits.
fn binary(digits: &str) -> Option<Vec<u8>> {
    let byte = |group: &str| {
        u8::from_str_radix(group, 2).ok().filter(|_| group.len() == 8 && !group.starts_with('+'))
    };
    digits.split_ascii_whitespace().map(byte).collect()
}

/// Whether the column of characters is about these bytes.
fn is_shown(bytes: &[u8], column: &str) -> bool {
    let shown = |&byte: &u8| if matches!(byte, b' '..=b'~') { char::from(byte) } else { '.' };
    let shown: String = bytes.iter().map(shown).collect();
    column.strip_suffix(shown.trim_end()).is_some_and(|before| before.trim_start().is_empty())
}
