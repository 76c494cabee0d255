//! `placemat completions`: for shells, from the same definition as the help.

use std::io::Write as _;

use anyhow::Result;
use clap::CommandFactory as _;
use clap_complete::Shell;

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
    clap_complete::generate(args.shell, &mut Cli::command(), "placemat", &mut script);
    console::plain().write_all(&script)?;
    Ok(Outcome::Clean)
}
