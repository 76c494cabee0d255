//! Parses the arguments, and applies the flags that concern the whole process.

use std::ffi::OsString;
use std::io::{self, Write as _};

use anyhow::{Result, bail};
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{ColorChoice, Command, CommandFactory as _, Parser, ValueEnum as _};

use crate::args::Common;
use crate::command::Cli;
use crate::console;
use crate::escape;
use crate::outcome::Outcome;
use crate::replace::heed_limits;

/// Parses the arguments.
///
/// # Errors
/// The text to print instead: help, or why the arguments are refused. Arguments are escaped in it, so that they cannot
/// control the terminal.
pub(crate) fn typed(arguments: &[OsString]) -> Result<Cli, clap::Error> {
    Cli::try_parse_from(arguments).map_err(|error| {
        let shown: Vec<_> =
            arguments.iter().map(|a| escape::bytes(a.as_encoded_bytes()).to_string()).collect();
        let again = Cli::command().color(color(&shown));
        let escaped = again.clone().try_get_matches_from(&shown);
        // If the escaped arguments parse, the fault was an argument that is not UTF-8. The message for that does not show the argument.
        let told = escaped.and_then(|_| again.try_get_matches_from(arguments)).err().unwrap_or(error);
        with_patch_or_names(with_format_for_json(told, &shown), &shown)
    })
}

/// Advises `--format json` where a command has that format and refuses `--json`, which ripgrep and others have.
fn with_format_for_json(mut error: clap::Error, arguments: &[String]) -> clap::Error {
    let is_json =
        matches!(error.get(ContextKind::InvalidArg), Some(ContextValue::String(arg)) if arg == "--json");
    let cli = Cli::command();
    let command = arguments.iter().skip(1).find_map(|argument| cli.find_subcommand(argument));
    let has_format =
        |command: &Command| command.get_arguments().any(|argument| argument.get_id() == "format");
    if is_json && command.is_some_and(has_format) {
        error.remove(ContextKind::Suggested);
        error.insert(ContextKind::SuggestedArg, ContextValue::String("--format json".into()));
    }
    error
}

/// Says what to do about `--patch` with `--names`.
fn with_patch_or_names(mut error: clap::Error, arguments: &[String]) -> clap::Error {
    let has =
        |flag: &str| arguments.iter().any(|argument| argument.split('=').next().is_some_and(|a| a == flag));
    if error.kind() == ErrorKind::ArgumentConflict && has("--patch") && has("--names") {
        let tip = "--patch checks the lines that a diff adds, --names the names in a tree: give one of them";
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip.into()]));
    }
    error
}

/// Applies what concerns the whole process: the limit on the length of files, colours, the CPU level.
pub(crate) fn prepare(common: &Common) -> Result<()> {
    heed_limits();
    match common.color {
        ColorChoice::Auto => {}
        ColorChoice::Always => anstream::ColorChoice::Always.write_global(),
        ColorChoice::Never => anstream::ColorChoice::Never.write_global(),
    }
    if let Some(level) = common.cpu
        && !level.force()
    {
        bail!("this CPU cannot run at level {}", level.name());
    }
    Ok(())
}

/// The value of `--color`, found even in arguments that do not parse.
fn color(arguments: &[String]) -> ColorChoice {
    let flags = arguments.split(|argument| argument == "--").next().unwrap_or_default();
    let value = |(at, flag): (usize, &'_ String)| match flag.strip_prefix("--color")? {
        "" => ColorChoice::from_str(flags.get(at + 1)?, false).ok(),
        value => ColorChoice::from_str(value.strip_prefix('=')?, false).ok(),
    };
    flags.iter().enumerate().rev().find_map(value).unwrap_or_default()
}

/// Prints the text that replaces the run: help, or why the arguments are refused.
///
/// # Errors
/// When the text cannot be written.
pub(crate) fn tell(instead: &clap::Error) -> Result<Outcome> {
    let outcome = if instead.use_stderr() { Outcome::Trouble } else { Outcome::Clean };
    let written = instead.print().and_then(|()| io::stdout().flush());
    outcome.after(written.map_err(|error| console::named(&error).into()))
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    #[test]
    fn the_definition_is_consistent() {
        super::Cli::command().debug_assert();
    }
}
