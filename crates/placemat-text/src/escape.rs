//! Escapes text from files for a terminal: control and bidirectional characters, and in the log of a build also what the
//! build service would take for a command.

use std::fmt::{self, Write as _};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr as _};

/// A closure that implements `Display` (`std::fmt::from_fn` is newer than our MSRV).
struct Displayed<F>(F);

impl<F: Fn(&mut fmt::Formatter<'_>) -> fmt::Result> fmt::Display for Displayed<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0(f)
    }
}

/// Escapes text for a terminal: ESC is shown as `\u{1b}`, and line feeds are escaped too.
///
/// ```
/// assert_eq!(placemat_text::escape::text("a\x1B[31mé").to_string(), r"a\u{1b}[31mé");
/// ```
pub fn text(text: &str) -> impl fmt::Display + '_ {
    Displayed(move |f: &mut fmt::Formatter<'_>| piece(text, true, f))
}

/// Escapes a path for a terminal; bytes that are not UTF-8 are shown as `\xhh`.
///
/// ```
/// assert_eq!(placemat_text::escape::path("a\nb".as_ref()).to_string(), r"a\u{a}b");
/// ```
pub fn path(path: &Path) -> impl fmt::Display + '_ {
    bytes(path.as_os_str().as_encoded_bytes())
}

/// Quotes a path for a POSIX shell, so that it names the same file. Uses the `$'…'` of bash if nothing else can show it.
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
        // The path cannot be shown as it is.
        let escape = |&byte: &u8| match byte {
            b'\'' | b'\\' => format!("\\{}", char::from(byte)),
            // Otherwise a build service could take the word for a command.
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

/// Escapes bytes for a terminal: UTF-8 is shown as text, other bytes as `\xhh`.
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

/// Escapes a piece of text; `may_begin` says whether it may be at the start of its line.
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

/// Whether the output may be part of the log of a build.
static IS_BUILD: AtomicBool = AtomicBool::new(false);

/// Sets whether the output from now on may be part of the log of a build. Services read commands in it: GitHub `::` at the
/// start of a line and `##[` anywhere, Azure `##[` and `##vso[`, TeamCity `##teamcity[`. The first character of these is then
/// escaped. The setting holds for the whole process; its default is false.
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

/// Whether `c` is the second `#` of a command. The command may continue in another piece of text.
pub(crate) fn is_command(before: Option<char>, c: char, rest: &str) -> bool {
    let goes_on = |name: &&str| match before {
        Some('#') => rest.starts_with(*name) || name.starts_with(rest),
        Some(_) => false,
        None => rest.starts_with(*name),
    };
    c == '#' && is_build() && ["[", "vso[", "teamcity["].iter().any(goes_on)
}

/// Whether `c` is a control (C0, DEL, C1), a bidirectional control, another invisible format character, a line separator or a tag.
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

/// The path as the last argument of a shell command, with a space before it; empty for standard input.
///
/// ```
/// assert_eq!(placemat_text::escape::argument(Some("a b".as_ref())), " 'a b'");
/// ```
#[must_use]
pub fn argument(file: Option<&Path>) -> String {
    file.map_or(String::new(), |file| format!(" {}", word(file)))
}

/// Escapes what HTML or XML would read as markup.
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

/// The part of a text that is left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cut {
    /// The start.
    Start,
    /// The middle.
    Middle,
    /// The end.
    End,
}

/// Shortens the text to at most `columns` columns, with an ellipsis for what is left out.
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

/// Wraps the text between words, at `columns` columns.
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
