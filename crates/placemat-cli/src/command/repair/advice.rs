//! What to do with a file that is not to be repaired.

use std::path::Path;

use placemat_detect::{Detection, Second};

use crate::escape;
use crate::input::Input;
use placemat_text::charset::{Charset, guess};

/// Why it is refused, and the command that helps, which reads through compression if this one did.
pub(super) fn of(input: &Input, found: &Detection, unpack: bool) -> String {
    let Some(charset) = Charset::detected(found) else {
        return format!("looks like {}, not like UTF-8 with a few errors", found.encoding);
    };
    if found.confidence < LIKELY {
        return "is not UTF-8, and no other encoding is likely; --lossy or --on-error repairs it all the same".to_owned();
    }
    let looks = guess::looks(found);
    let unpack = if unpack { " -z" } else { "" };
    let path = match input {
        Input::Stdin => String::new(),
        Input::Named(_) | Input::Found(_) => format!(" {}", word(input.path())),
    };
    format!("{looks} {}: placemat convert{unpack} -f {charset}{path}", found.encoding)
}

/// A verdict that is less sure is none.
pub(super) const LIKELY: f32 = 0.3;

/// Why a mixed file is refused, and the command that helps.
pub(super) fn mixed(input: &Input, second: &Second, unpack: bool) -> String {
    let sure = guess::percent(second.confidence);
    if second.confidence < LIKELY {
        return "is UTF-8 with runs of another encoding, and none is likely: name it with --mend".to_owned();
    }
    let unpack = if unpack { " -z" } else { "" };
    let path = match input {
        Input::Stdin => String::new(),
        _ => format!(" {}", word(input.path())),
    };
    let encoding = second.encoding;
    format!(
        "is UTF-8 with runs that may be {encoding}, which is {sure} sure: placemat repair{unpack} --mend {encoding}{path}"
    )
}

/// A path as a word of a shell.
fn word(path: &Path) -> String {
    let shown = escape::path(path).to_string();
    let is_plain = |c: char| c.is_alphanumeric() || "._/+-@:,=%".contains(c);
    let here = if shown.starts_with('-') { "./" } else { "" };
    if path.to_str() != Some(&shown) {
        // What cannot be shown as it is.
        let escape = |&byte: &u8| match byte {
            b'\'' | b'\\' => format!("\\{}", char::from(byte)),
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

#[cfg(all(test, unix))]
mod tests {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt as _;

    use super::*;

    #[test]
    fn a_shell_reads_the_word_as_the_path() {
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
