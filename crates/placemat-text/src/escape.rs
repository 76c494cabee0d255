//! What a file says never reaches a terminal raw: control and bidirectional characters are shown escaped; and in a build
//! whose log is read for commands, what would be one.

use std::fmt::{self, Write as _};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr as _};

/// A closure that displays (`std::fmt::from_fn` is younger than our MSRV).
struct Displayed<F>(F);

impl<F: Fn(&mut fmt::Formatter<'_>) -> fmt::Result> fmt::Display for Displayed<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0(f)
    }
}

/// Text as it may stand on a terminal: escapes as `\u{1b}`, line feeds too.
///
/// ```
/// assert_eq!(placemat_text::escape::text("a\x1B[31mé").to_string(), r"a\u{1b}[31mé");
/// ```
pub fn text(text: &str) -> impl fmt::Display + '_ {
    Displayed(move |f: &mut fmt::Formatter<'_>| piece(text, true, f))
}

/// A path as it may stand on a terminal; bytes that are not UTF-8 as `\xhh`.
///
/// ```
/// assert_eq!(placemat_text::escape::path("a\nb".as_ref()).to_string(), r"a\u{a}b");
/// ```
pub fn path(path: &Path) -> impl fmt::Display + '_ {
    bytes(path.as_os_str().as_encoded_bytes())
}

/// A path as a word of a POSIX shell, which names the file again; `$'…'` of bash where that is the only way to show it.
///
/// ```
/// assert_eq!(placemat_text::escape::word("it's.txt".as_ref()), r"'it'\''s.txt'");
/// ```
#[must_use]
pub fn word(path: &Path) -> String {
    let shown = self::path(path).to_string();
    let is_plain = |c: char| c.is_alphanumeric() || "._/+-@:,=%".contains(c);
    let here = if shown.starts_with('-') { "./" } else { "" };
    if path.to_str() != Some(&shown) {
        // What cannot be shown as it is.
        let escape = |&byte: &u8| match byte {
            b'\'' | b'\\' => format!("\\{}", char::from(byte)),
            // Else the word could be a command to whoever reads the log of a build.
            b':' | b'#' | b'[' if is_build() => format!("\\x{byte:02X}"),
            b' '..=b'~' => char::from(byte).to_string(),
            _ => format!("\\x{byte:02X}"),
        };
        let escaped: String = path.as_os_str().as_encoded_bytes().iter().map(escape).collect();
        return format!("$'{here}{escaped}'");
    }
    match shown.chars().all(is_plain) && here.is_empty() {
        true => shown,
        false => format!("'{here}{}'", shown.replace('\'', r"'\''")),
    }
}

/// Bytes as they may stand on a terminal: text where they are UTF-8, `\xhh` where not.
///
/// ```
/// assert_eq!(placemat_text::escape::bytes(b"caf\xE9").to_string(), r"caf\xE9");
/// ```
pub fn bytes(bytes: &[u8]) -> impl fmt::Display + '_ {
    Displayed(move |f: &mut fmt::Formatter<'_>| {
        for (index, chunk) in bytes.utf8_chunks().enumerate() {
            piece(chunk.valid(), index == 0, f)?;
            chunk.invalid().iter().try_for_each(|byte| write!(f, "\\x{byte:02X}"))?;
        }
        Ok(())
    })
}

/// A piece of text, which may be the first on its line.
fn piece(text: &str, mut may_begin: bool, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let mut before = None;
    for (at, c) in text.char_indices() {
        let rest = &text[at + c.len_utf8()..];
        let begins_command = may_begin && c == ':' && rest.starts_with(':') && is_build();
        if is_hostile(c) || begins_command || is_command(before, c, rest) {
            write!(f, "\\u{{{:x}}}", c as u32)?;
        } else {
            f.write_char(c)?;
        }
        may_begin &= c.is_whitespace();
        before = Some(c);
    }
    Ok(())
}

/// Whether what is shown may end in the log of a build.
static IS_BUILD: AtomicBool = AtomicBool::new(false);

/// Say whether what is shown from now on may end in the log of a build, where services read commands: GitHub's `::` at the
/// start of a line and `##[` anywhere, Azure's `##[` and `##vso[`, TeamCity's `##teamcity[`. Their first character is escaped
/// then. It holds for the whole process; before it is said, no log is thought of.
///
/// ```
/// use placemat_text::escape;
///
/// assert_eq!(escape::text("::error::").to_string(), "::error::");
/// escape::heed_build_logs(true);
/// assert_eq!(escape::text("::error::").to_string(), r"\u{3a}:error::");
/// ```
pub fn heed_build_logs(is_build: bool) {
    IS_BUILD.store(is_build, Ordering::Relaxed);
}

fn is_build() -> bool {
    IS_BUILD.load(Ordering::Relaxed)
}

/// Whether the second `#` of a command, which may go on in another piece of text, stands between these.
pub(crate) fn is_command(before: Option<char>, c: char, rest: &str) -> bool {
    let goes_on = |name: &&str| match before {
        Some('#') => rest.starts_with(*name) || name.starts_with(rest),
        Some(_) => false,
        None => rest.starts_with(*name),
    };
    c == '#' && is_build() && ["[", "vso[", "teamcity["].iter().any(goes_on)
}

/// Controls (C0, DEL, C1), bidirectional controls and other invisible format characters, line separators, tags.
///
/// ```
/// assert!(placemat_text::escape::is_hostile('\u{202E}') && !placemat_text::escape::is_hostile('é'));
/// ```
pub fn is_hostile(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{61C}' | '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2060}'..='\u{206F}' | '\u{FEFF}'
            | '\u{FFF9}'..='\u{FFFB}' | '\u{E0000}'..='\u{E0FFF}')
}

/// The last argument of a command for a shell, with the space before it; nothing for standard input.
pub(crate) fn argument(file: Option<&Path>) -> String {
    file.map_or(String::new(), |file| format!(" {}", word(file)))
}

/// Text with what HTML or XML would read as markup escaped.
pub(crate) fn markup(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            _ => escaped.push(c),
        }
    }
    escaped
}

/// Which part of a text makes way.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Cut {
    /// The start.
    Start,
    /// The middle.
    Middle,
    /// The end.
    End,
}

/// The text in at most so many columns, with an ellipsis for what is left out.
///
/// ```
/// use placemat_text::escape::{Cut, shortened};
///
/// assert_eq!(shortened("placemat", 5, Cut::Middle), "pl…at");
/// ```
pub fn shortened(text: &str, columns: usize, cut: Cut) -> String {
    let width = |c: char| c.width().unwrap_or(0);
    if text.chars().map(width).sum::<usize>() <= columns {
        return text.to_owned();
    }
    let room = columns.saturating_sub(1);
    let (left, right) = match cut {
        Cut::Start => (0, room),
        Cut::Middle => (room / 2, room - room / 2),
        Cut::End => (room, 0),
    };
    let fitting = |used: &mut usize, most: usize, c: char| {
        *used += width(c);
        *used <= most
    };
    let (mut used, mut used_right) = (0, 0);
    let head: String = text.chars().take_while(|&c| fitting(&mut used, left, c)).collect();
    let tail: Vec<char> = text.chars().rev().take_while(|&c| fitting(&mut used_right, right, c)).collect();
    format!("{head}…{}", tail.into_iter().rev().collect::<String>())
}

/// The text in lines of so many columns, cut between words.
///
/// ```
/// assert_eq!(placemat_text::escape::wrapped("one two three", 7), ["one two", "three"]);
/// ```
pub fn wrapped(text: &str, columns: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split(' ') {
        match lines.last_mut() {
            Some(line) if line.width() + 1 + word.width() <= columns => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_reaches_a_terminal_raw() {
        assert_eq!(text("a\u{1b}[31m\u{202e}é\n").to_string(), "a\\u{1b}[31m\\u{202e}é\\u{a}");
        assert_eq!(bytes(b"a\xFFb\x07").to_string(), "a\\xFFb\\u{7}");
    }

    #[test]
    #[cfg(unix)]
    fn a_shell_reads_the_word_as_the_path() {
        use std::ffi::OsStr;
        use std::os::unix::ffi::OsStrExt as _;

        for (path, expected) in [
            (&b"a/b.txt"[..], "a/b.txt"),
            (b"-it's", r"'./-it'\''s'"),
            (b"caf\xC3\xA9 noir", "'café noir'"),
            (b"w\xE9b", r"$'w\xE9b'"),
            (b"-\\'\xC3\xA9\x1B[m\n", r"$'./-\\\'\xC3\xA9\x1B[m\x0A'"),
        ] {
            assert_eq!(word(Path::new(OsStr::from_bytes(path))), expected);
            let said =
                std::process::Command::new("bash").arg("-c").arg(format!("printf %s {expected}")).output();
            if let Ok(said) = said {
                let path = if path.starts_with(b"-") { [b"./", path].concat() } else { path.to_vec() };
                assert_eq!(said.stdout, path);
            }
        }
    }
}
