//! What to do with a file that is not to be repaired.

use std::path::Path;

use placemat_detect::Detection;

use crate::charset::{Charset, guess};
use crate::input::Input;
use crate::shown;

/// Why it is refused, and the command that helps, which reads through compression if this one did.
pub(super) fn of(input: &Input, found: &Detection, unpack: bool) -> String {
    let Some(charset) = Charset::detected(found) else {
        return format!("looks like {}, not like UTF-8 with a few errors", found.encoding);
    };
    let looks = guess::looks(found);
    let unpack = if unpack { " -z" } else { "" };
    let path = match input {
        Input::Stdin => String::new(),
        _ => format!(" {}", word(input.path())),
    };
    format!("{looks} {}: placemat convert{unpack} -f {charset}{path}", found.encoding)
}

/// A path as a word of a shell, as far as it can be shown.
fn word(path: &Path) -> String {
    let shown = shown::path(path).to_string();
    let is_plain = |c: char| c.is_alphanumeric() || "._/+-@:,=%".contains(c);
    match shown.chars().all(is_plain) && !shown.starts_with('-') {
        true => shown,
        false if shown.starts_with('-') => format!("'./{}'", shown.replace('\'', r"'\''")),
        false => format!("'{}'", shown.replace('\'', r"'\''")),
    }
}
