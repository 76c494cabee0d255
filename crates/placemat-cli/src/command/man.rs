//! `placemat man`: manual pages, from the same definition as the help.

use std::fs;
use std::io::{self, Write as _};
use std::path::PathBuf;

use anyhow::{Context as _, Result};
use clap::{Command, CommandFactory as _};
use clap_mangen::Man;

use crate::args::Cli;
use crate::outcome::Outcome;

/// Print a manual page, or write all of them to a folder
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  placemat man | man -l -                  the page of placemat
  placemat man check | man -l -            the page of a command
  placemat man --dir ~/.local/share/man/man1")]
pub(crate) struct Args {
    /// The page of this command
    #[arg(value_name = "COMMAND", value_parser = page)]
    command: Option<Command>,

    /// Write every page to this folder
    #[arg(long, value_name = "FOLDER", conflicts_with = "command")]
    dir: Option<PathBuf>,
}

/// The definition, with full names such as `placemat-check`.
fn definition() -> Command {
    let mut all = Cli::command().disable_help_subcommand(true);
    all.build();
    all
}

fn page(name: &str) -> Result<Command, String> {
    let all = definition();
    all.find_subcommand(name).cloned().ok_or_else(|| "there is no such command".to_owned())
}

fn render(command: Command) -> io::Result<Vec<u8>> {
    let mut page = Vec::new();
    Man::new(command).render(&mut page)?;
    Ok(page)
}

pub(crate) fn run(args: &Args) -> Result<Outcome> {
    let Some(dir) = &args.dir else {
        let command = args.command.clone().unwrap_or_else(definition);
        io::stdout().lock().write_all(&render(command)?)?;
        return Ok(Outcome::Clean);
    };
    let all = definition();
    for command in std::iter::once(&all).chain(all.get_subcommands()) {
        let name = command.get_display_name().unwrap_or("placemat");
        let path = dir.join(format!("{name}.1"));
        fs::write(&path, render(command.clone())?).with_context(|| path.display().to_string())?;
    }
    Ok(Outcome::Clean)
}
