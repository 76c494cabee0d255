//! How text, paths and errors are written to a terminal: see `placemat_text::escape`.

pub(crate) use placemat_text::escape::*;

/// An error and its causes in one line.
pub(crate) fn message(error: &anyhow::Error) -> String {
    text(&format!("{error:#}")).to_string()
}

/// Puts the name of the file before a message, unless the message begins with it.
pub(crate) fn about(subject: &str, message: &str) -> String {
    let is_named = message.strip_prefix(subject).is_some_and(|rest| rest.starts_with(": "));
    if is_named { message.to_owned() } else { format!("{subject}: {message}") }
}

/// Whether this runs on a build server, which looks for commands in the log.
pub(crate) fn is_in_build() -> bool {
    let all = ["CI", "GITHUB_ACTIONS", "TF_BUILD", "TEAMCITY_VERSION"];
    all.iter().any(|name| std::env::var_os(name).is_some_and(|value| !value.is_empty()))
}
