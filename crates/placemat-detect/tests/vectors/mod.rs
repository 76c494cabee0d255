//! Reads the tables of test vectors.
#![forbid(unsafe_code)]
#![allow(dead_code, reason = "each test takes what it needs")]

/// The rows of a table, split into cells at bars, without comments and empty lines.
pub(crate) fn rows(table: &str) -> impl Iterator<Item = Vec<&str>> {
    let lines = table.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.map(|line| line.split(" | ").map(str::trim).collect())
}

/// The bytes of a cell: hex bytes, `-` for none, or text in quotes with the escapes `\xNN`, `\0`, `\n`, `\r`, `\\`.
pub(crate) fn bytes(cell: &str) -> Vec<u8> {
    if cell == "-" {
        return Vec::new();
    }
    let Some(text) = cell.strip_prefix('"').and_then(|cell| cell.strip_suffix('"')) else {
        return cell.split(' ').map(|byte| u8::from_str_radix(byte, 16).unwrap()).collect();
    };
    let mut out = Vec::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        if c != '\\' {
            out.extend(c.to_string().bytes());
            rest = &rest[c.len_utf8()..];
            continue;
        }
        let (byte, len) = match rest.as_bytes()[1] {
            b'x' => (u8::from_str_radix(&rest[2..4], 16).unwrap(), 4),
            b'0' => (0, 2),
            b'n' => (b'\n', 2),
            b'r' => (b'\r', 2),
            b'\\' => (b'\\', 2),
            other => panic!("no such escape: {}", char::from(other)),
        };
        out.push(byte);
        rest = &rest[len..];
    }
    out
}
