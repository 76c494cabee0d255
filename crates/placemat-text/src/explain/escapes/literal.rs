//! Reads escapes with a backslash, in quotes or without.

use super::{Escapes, EscapesError, Out, hex_at};

/// Whether a text has a backslash, `next`, and this many digits: hexadecimal, or octal if `next` is empty.
pub(super) fn has(text: &str, next: &str, digits: usize) -> bool {
    let base = if next.is_empty() { 8 } else { 16 };
    text.split('\\').skip(1).filter_map(|piece| piece.strip_prefix(next)).any(|piece| {
        piece.len() >= digits && piece.bytes().take(digits).all(|byte| char::from(byte).is_digit(base))
    })
}

/// Reads a literal, several consecutive ones, or a text without quotes.
pub(super) fn read(text: &str, out: &mut Out) -> Result<(), EscapesError> {
    let end = text.trim_end().len();
    let mut at = end - text[..end].trim_start().len();
    let mut is_quoted = false;
    while let Some(open) = Open::at(&text[at..end], out.kind) {
        is_quoted = true;
        let inner = at + open.len;
        let close = close(&text[inner..end], &open).map(|len| inner + len);
        let Some(close) = close else { return Err(out.error(text, at, "its quote is not closed")) };
        body(text, inner..close, &open, out)?;
        at = close + open.close.len();
        at += text[at..end].len() - text[at..end].trim_start().len();
        if at == end {
            return Ok(());
        }
    }
    match is_quoted {
        true => Err(out.error(text, at, "nothing may follow the literal")),
        // Without quotes, an escape of C is a byte.
        false => body(text, 0..text.len(), &Open::default(), out),
    }
}

/// The start of a literal.
#[derive(Default)]
struct Open {
    len: usize,
    close: String,
    is_bytes: bool,
    is_raw: bool,
}

impl Open {
    fn at(text: &str, kind: Escapes) -> Option<Open> {
        let prefix = text.bytes().take_while(u8::is_ascii_alphabetic).count();
        let letters = text[..prefix].to_ascii_lowercase();
        let known: &[&str] = match kind {
            Escapes::Python => &["", "b", "r", "u", "f", "br", "rb", "fr", "rf"],
            Escapes::Rust => &["", "b", "r", "br", "c", "cr"],
            Escapes::C => &["", "l", "u", "u8"],
            _ => &[""],
        };
        if !known.contains(&&*letters) {
            return None;
        }
        let is_raw = letters.contains('r');
        let hashes = if is_raw && kind == Escapes::Rust {
            text[prefix..].bytes().take_while(|&byte| byte == b'#').count()
        } else {
            0
        };
        let rest = &text[prefix + hashes..];
        let quote =
            ["\"\"\"", "'''"].into_iter().find(|quote| kind == Escapes::Python && rest.starts_with(quote));
        let quote = quote.or_else(|| {
            let single = kind != Escapes::Json;
            ["\"", "'"].into_iter().find(|quote| rest.starts_with(quote) && (single || *quote == "\""))
        })?;
        let close = quote.to_owned() + &"#".repeat(hashes);
        let is_bytes = letters.contains('b');
        Some(Open { len: prefix + hashes + quote.len(), close, is_bytes, is_raw })
    }
}

/// The offset of the closing quote.
fn close(text: &str, open: &Open) -> Option<usize> {
    let mut at = 0;
    while at < text.len() {
        if text[at..].starts_with(&open.close) {
            return Some(at);
        }
        let mut chars = text[at..].chars();
        let first = chars.next()?;
        at += first.len_utf8();
        if first == '\\' && !open.is_raw {
            at += chars.next()?.len_utf8();
        }
    }
    None
}

fn body(text: &str, range: std::ops::Range<usize>, open: &Open, out: &mut Out) -> Result<(), EscapesError> {
    let text = &text[..range.end];
    let mut at = range.start;
    while at < range.end {
        let plain = if open.is_raw { None } else { text[at..].find('\\') };
        let backslash = plain.map_or(range.end, |len| at + len);
        out.text(&text[at..backslash])?;
        if backslash == range.end {
            break;
        }
        at = backslash + escape(text, backslash, open, out)?;
    }
    Ok(())
}

/// Reads the escape at `at`. Returns its length.
fn escape(text: &str, at: usize, open: &Open, out: &mut Out) -> Result<usize, EscapesError> {
    let kind = out.kind;
    let Some(next) = text[at + 1..].chars().next() else {
        return Err(out.error(text, at, "nothing follows the backslash"));
    };
    let fixed = |n: usize| hex_at(text, at + 2, n, n).map(|(value, len)| (value, len + 2));
    let within = |open: &str, base| {
        let digits = text[at + 2..].strip_prefix(open)?.split_once('}')?.0;
        let bare = digits.replace('_', "");
        let value = u32::from_str_radix(&bare, base).ok().filter(|_| !bare.starts_with('+'))?;
        Some((value, 2 + open.len() + digits.len() + 1))
    };
    let braced = || within("{", 16);
    let found = match (next, kind) {
        ('u', Escapes::Rust) => braced(),
        ('u', Escapes::Json) if text[at + 2..].starts_with('{') => braced(),
        ('u', Escapes::Java) => {
            let more = text[at + 2..].bytes().take_while(|&byte| byte == b'u').count();
            hex_at(text, at + 2 + more, 4, 4).map(|(value, len)| (value, len + 2 + more))
        }
        ('u', _) if !open.is_bytes => fixed(4),
        ('U', Escapes::Python | Escapes::C) if !open.is_bytes => fixed(8),
        ('x', Escapes::Perl) if text[at + 2..].starts_with('{') => braced(),
        ('N', Escapes::Perl) => within("{U+", 16),
        ('o', Escapes::Perl) => within("{", 8),
        ('x', Escapes::C | Escapes::Perl) => {
            let most = if kind == Escapes::C { 8 } else { 2 };
            return byte(text, at, hex_at(text, at + 2, 1, most), out);
        }
        ('x', Escapes::Python) if open.is_bytes => return byte(text, at, hex_at(text, at + 2, 2, 2), out),
        ('x', Escapes::Rust) if open.is_bytes => return byte(text, at, hex_at(text, at + 2, 2, 2), out),
        ('x', Escapes::Rust) => fixed(2).filter(|(value, _)| *value < 0x80),
        ('x', Escapes::Python | Escapes::Json) => fixed(2),
        ('0'..='7', Escapes::C | Escapes::Python | Escapes::Java | Escapes::Perl) => {
            let len = text[at + 1..].bytes().take(3).take_while(|byte| matches!(byte, b'0'..=b'7')).count();
            let value = u32::from_str_radix(&text[at + 1..at + 1 + len], 8).ok();
            if kind == Escapes::C || open.is_bytes {
                return byte(text, at, value.map(|value| (value, len - 1)), out);
            }
            value.map(|value| (value, len + 1))
        }
        ('0', Escapes::Rust | Escapes::Json) => Some((0, 2)),
        _ => simple(next, kind).map(|value| (value, 1 + next.len_utf8())),
    };
    let Some((value, len)) = found else { return Err(out.error(text, at, "it is unknown or incomplete")) };
    // A backslash at the end of a line joins the next line.
    if next != '\n' {
        out.value(value, at)?;
    }
    Ok(len)
}

/// Reads a byte whose digits follow the backslash and a letter.
fn byte(text: &str, at: usize, found: Option<(u32, usize)>, out: &mut Out) -> Result<usize, EscapesError> {
    let byte = found.and_then(|(value, len)| Some((u8::try_from(value).ok()?, len)));
    let Some((byte, len)) = byte else { return Err(out.error(text, at, "it is not a byte")) };
    out.byte(byte)?;
    Ok(len + 2)
}

fn simple(c: char, kind: Escapes) -> Option<u32> {
    let value = match c {
        'n' => '\n',
        'r' => '\r',
        't' => '\t',
        '\\' | '"' | '\'' => c,
        '\n' => c,
        '/' if kind == Escapes::Json => c,
        'b' if kind != Escapes::Rust => '\u{8}',
        'f' if kind != Escapes::Rust => '\u{C}',
        'a' if matches!(kind, Escapes::C | Escapes::Python | Escapes::Perl) => '\u{7}',
        'v' if matches!(kind, Escapes::C | Escapes::Python | Escapes::Json) => '\u{B}',
        'e' if matches!(kind, Escapes::C | Escapes::Perl) => '\u{1B}',
        's' if kind == Escapes::Java => ' ',
        '?' if kind == Escapes::C => c,
        _ => return None,
    };
    Some(u32::from(value))
}
