//! `{}` in the arguments of a command.

use std::ffi::{OsStr, OsString};
use std::path::Path;

pub(super) fn holds_braces(argument: &OsStr) -> bool {
    argument.to_str().is_some_and(|argument| argument.contains("{}"))
}

/// The argument with the path in the place of each `{}`.
pub(super) fn with_path(argument: &OsStr, path: &Path) -> OsString {
    // An argument that is not UTF-8 is left alone.
    let Some(text) = argument.to_str() else { return argument.to_owned() };
    let mut whole = OsString::new();
    for (index, part) in text.split("{}").enumerate() {
        if index > 0 {
            whole.push(path);
        }
        whole.push(part);
    }
    whole
}
