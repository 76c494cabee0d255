//! How text, paths and errors are written to a terminal: see `placemat_text::escape`.

pub(crate) use placemat_text::escape::*;

/// An error and its causes in one line.
pub(crate) fn message(error: &anyhow::Error) -> String {
    text(&format!("{error:#}")).to_string()
}

/// A message about a file; some name it themselves.
pub(crate) fn about(subject: &str, message: &str) -> String {
    let is_named = message.strip_prefix(subject).is_some_and(|rest| rest.starts_with(": "));
    if is_named { message.to_owned() } else { format!("{subject}: {message}") }
}
