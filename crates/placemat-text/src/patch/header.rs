//! Parses the headers of files and hunks in a diff.

use std::path::PathBuf;

/// The rest of a hunk.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Hunk {
    /// The number of lines of each old file that are still to come.
    old: Vec<u64>,
    /// The number of lines of the new file that are still to come.
    new: u64,
    /// The number of the next line of the new file.
    pub(super) line: u64,
}

impl Hunk {
    /// Parses `@@ -7,3 +7,4 @@`, or `@@@ -7,3 -8,2 +7,4 @@@` with two old files.
    pub(super) fn parse(line: &[u8]) -> Option<Hunk> {
        let signs = line.iter().take_while(|&&byte| byte == b'@').count();
        let line = str::from_utf8(line.get(signs..)?.split(|&byte| byte == b'@').next()?).ok()?;
        let mut ranges = line.strip_prefix(' ')?.split_ascii_whitespace();
        let old = (1..signs).map(|_| range(ranges.next()?.strip_prefix('-')?)).collect::<Option<Vec<_>>>()?;
        let (line, new) = range(ranges.next()?.strip_prefix('+')?)?;
        let is_hunk = !old.is_empty() && ranges.next().is_none();
        is_hunk.then(|| Hunk { old: old.into_iter().map(|(_, count)| count).collect(), new, line })
    }

    pub(super) fn is_over(&self) -> bool {
        self.new == 0 && self.old.iter().all(|&count| count == 0)
    }

    /// Counts a line of the hunk. Returns whether all old files lack the line, and the number of its signs; `None` if the line is
    /// not part of the hunk.
    pub(super) fn pass(&mut self, line: &[u8]) -> Option<(bool, usize)> {
        let signs = self.old.len();
        // The first is the note that a file lacks a line end at its end. An empty line may be one whose space a mail program removed.
        if line.starts_with(b"\\") {
            return Some((false, 0));
        }
        let empty = vec![b' '; signs];
        let columns = if line.is_empty() { &empty[..] } else { line.get(..signs)? };
        if columns.iter().any(|sign| !b" +-".contains(sign)) {
            return None;
        }
        let is_removed = columns.contains(&b'-');
        for (count, &sign) in self.old.iter_mut().zip(columns) {
            if sign == if is_removed { b'-' } else { b' ' } {
                *count = count.checked_sub(1)?;
            }
        }
        if is_removed {
            return Some((false, signs));
        }
        self.new = self.new.checked_sub(1)?;
        self.line = self.line.saturating_add(1);
        Some((columns.iter().all(|&sign| sign == b'+'), signs))
    }
}

/// Parses `7,3`, or `7` for one line: the first line and the number of lines.
fn range(text: &str) -> Option<(u64, u64)> {
    match text.split_once(',') {
        Some((first, count)) => Some((first.parse().ok()?, count.parse().ok()?)),
        None => Some((text.parse().ok()?, 1)),
    }
}

/// The name after `--- ` or `+++ `: in quotation marks with the escapes of C, or up to a tab (a date may follow).
pub(super) fn path(text: &[u8]) -> Vec<u8> {
    let Some(mut rest) = text.strip_prefix(b"\"") else {
        return text.split(|&byte| byte == b'\t').next().unwrap_or_default().to_vec();
    };
    let mut name = Vec::new();
    while let Some((&byte, more)) = rest.split_first() {
        rest = more;
        match byte {
            b'"' => break,
            b'\\' => {
                let digits = rest.iter().take(3).take_while(|digit| (b'0'..=b'7').contains(digit)).count();
                let value =
                    rest[..digits].iter().fold(0_u32, |value, digit| 8 * value + u32::from(digit - b'0'));
                let Some(&letter) = rest.first() else { break };
                name.push(if digits > 0 { value as u8 } else { escaped(letter) });
                rest = &rest[digits.max(1)..];
            }
            byte => name.push(byte),
        }
    }
    name
}

/// The byte that a letter after a backslash means.
fn escaped(letter: u8) -> u8 {
    match letter {
        b'a' => 7,
        b'b' => 8,
        b't' => b'\t',
        b'n' => b'\n',
        b'v' => 11,
        b'f' => 12,
        b'r' => b'\r',
        other => other,
    }
}

/// The path of the new file, without the letter that git puts before both names.
pub(super) fn new_name(old: &[u8], new: &[u8]) -> PathBuf {
    let has_letter =
        |name: &[u8]| matches!(name, [b'a' | b'b' | b'c' | b'i' | b'o' | b'w' | b'1' | b'2', b'/', ..]);
    let is_git = has_letter(new) && (has_letter(old) || old == b"/dev/null");
    let name = if is_git { &new[2..] } else { new };
    #[cfg(unix)]
    let name: &std::ffi::OsStr = std::os::unix::ffi::OsStrExt::from_bytes(name);
    #[cfg(not(unix))]
    let name = String::from_utf8_lossy(name).into_owned();
    PathBuf::from(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heads_are_read() {
        assert_eq!(Hunk::parse(b"@@ -1 +2,3 @@ fn x() {"), Some(Hunk { old: vec![1], new: 3, line: 2 }));
        assert_eq!(Hunk::parse(b"@@@ -1,2 -3 +4,0 @@@"), Some(Hunk { old: vec![2, 1], new: 0, line: 4 }));
        for none in ["@@ -1 @@", "@ -1 +1 @", "@@ +1 -1 @@", "@@ -x +1 @@", "@@", "", "@@ -1 +1 +1 @@"] {
            assert_eq!(Hunk::parse(none.as_bytes()), None, "{none}");
        }
    }

    #[test]
    fn names_are_read() {
        assert_eq!(path(b"b/a b.txt\t2026-01-01 00:00"), b"b/a b.txt");
        assert_eq!(path(br#""b/na\303\257ve \"x\"\t.txt""#), "b/naïve \"x\"\t.txt".as_bytes());
        assert_eq!(path(br#""b/\"#), b"b/");
        let name = |old: &str, new: &str| new_name(old.as_bytes(), new.as_bytes());
        assert_eq!(name("a/x", "b/x"), PathBuf::from("x"));
        assert_eq!(name("/dev/null", "b/x"), PathBuf::from("x"));
        assert_eq!(name("x.orig", "b/x"), PathBuf::from("b/x"));
    }
}
