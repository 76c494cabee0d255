//! How a path is shown.

use crate::escape;

/// As people read it, with `-` for standard input.
pub(crate) fn shown(path: &std::path::Path) -> String {
    if path.as_os_str() == "-" { "<stdin>".to_owned() } else { escape::path(path).to_string() }
}
