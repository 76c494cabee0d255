//! `placemat completions`: scripts for shells, from the same definition as the help.

use std::io::Write as _;

use anyhow::Result;
use clap::builder::PossibleValuesParser;
use clap::{Arg, Command, CommandFactory as _};
use clap_complete::Shell;
use placemat_text::charset::Charset;

use super::Cli;
use crate::console;
use crate::outcome::Outcome;

/// Print a completion script for a shell
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  placemat completions bash > /etc/bash_completion.d/placemat
  placemat completions zsh > ~/.zfunc/_placemat
  placemat completions fish > ~/.config/fish/completions/placemat.fish")]
pub(crate) struct Args {
    /// The shell
    #[arg(value_enum)]
    shell: Shell,
}

pub(crate) fn run(args: &Args) -> Result<Outcome> {
    let mut script = Vec::new();
    let mut definition = Cli::command().mut_subcommands(offer_names);
    clap_complete::generate(args.shell, &mut definition, "placemat", &mut script);
    console::plain().write_all(&script)?;
    Ok(Outcome::Clean)
}

/// Offers the names of all encodings to arguments that take one. Only completions list them: there are too many for the help.
fn offer_names(command: Command) -> Command {
    command.mut_args(|argument| match takes_a_form(&argument) {
        true => argument.value_parser(PossibleValuesParser::new(Charset::all().map(Charset::name))),
        false => argument,
    })
}

fn takes_a_form(argument: &Arg) -> bool {
    argument.get_value_names().is_some_and(|names| names.iter().any(|name| name == "FORM"))
}
