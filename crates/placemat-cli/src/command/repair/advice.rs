//! What to do with a file that is not to be repaired.

use std::path::Path;

use placemat::label::Labels;
use placemat_detect::Detection;

use crate::charset::Charset;
use crate::input::Input;
use crate::shown;

/// Why it is refused, and the command that helps.
pub(super) fn of(input: &Input, found: &Detection) -> String {
    let name = match (found.bom, found.encoding) {
        // The forms that own their mark.
        (true, "utf-16le" | "utf-16be") => "utf-16",
        (true, "utf-32le" | "utf-32be") => "utf-32",
        (_, name) => name,
    };
    if name == "binary" || Charset::resolve(Labels::Lenient, name).is_err() {
        return format!("looks like {}, not like UTF-8 with a few errors", found.encoding);
    }
    let looks = if found.confidence >= 0.5 { "looks like" } else { "may be" };
    let path = match input {
        Input::Stdin => String::new(),
        _ => format!(" {}", word(input.path())),
    };
    format!("{looks} {}: placemat convert -f {name}{path}", found.encoding)
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
