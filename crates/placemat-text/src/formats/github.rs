//! Escapes text for the workflow commands of GitHub.

use std::path::Path;

use crate::escape;

/// Escapes a path so that the runner reads back the same path.
///
/// ```
/// assert_eq!(placemat_text::formats::github::property("a:b".as_ref()), "a%3Ab");
/// ```
#[must_use]
pub fn property(path: &Path) -> String {
    let mut text = String::new();
    for piece in path.as_os_str().as_encoded_bytes().split_inclusive(|byte| b"\n\r".contains(byte)) {
        let (name, end) = match piece.split_last() {
            Some((b'\n', name)) => (name, "%0A"),
            Some((b'\r', name)) => (name, "%0D"),
            _ => (piece, ""),
        };
        text += &escaped(&escape::bytes(name).to_string(), true);
        text += end;
    }
    text
}

/// Escapes what would end a command or begin another one; in a property (`is_property`) more than in the message.
///
/// ```
/// assert_eq!(placemat_text::formats::github::escaped("50 %: a", false), "50 %25: a");
/// ```
#[must_use]
pub fn escaped(text: &str, is_property: bool) -> String {
    let mut escaped = String::new();
    for c in escape::text(text).to_string().chars() {
        match c {
            '%' => escaped.push_str("%25"),
            ':' if is_property => escaped.push_str("%3A"),
            ',' if is_property => escaped.push_str("%2C"),
            _ => escaped.push(c),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_ends_a_command() {
        assert_eq!(escaped("a:b,c%\n::error::x", true), "a%3Ab%2Cc%25\\u{a}%3A%3Aerror%3A%3Ax");
        assert_eq!(escaped("50 %: a, b", false), "50 %25: a, b");
        assert_eq!(property(Path::new("a\nb\r:\u{1b}")), "a%0Ab%0D%3A\\u{1b}");
    }
}
