//! `placemat man`: manual pages, from the same definition as the help.

use std::fs;
use std::io::{self, Write as _};
use std::path::PathBuf;

use anyhow::{Context as _, Result};
use clap::builder::Resettable;
use clap::{Command, CommandFactory as _};
use clap_mangen::Man;

use super::Cli;
use crate::console;
use crate::escape;
use crate::outcome::Outcome;
use crate::replace::{Protection, Replacement};

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

fn render(mut command: Command) -> io::Result<Vec<u8>> {
    let usage = command.render_usage().to_string();
    let notes = command.get_after_help().map(ToString::to_string).unwrap_or_default();
    let command = command
        .override_usage(usage.trim_start_matches("Usage: ").to_owned())
        .after_help(Resettable::Reset)
        // A page has room for what the short help leaves out.
        .mut_args(|argument| argument.hide_short_help(false));
    let mut page = Vec::new();
    Man::new(command).source(concat!("placemat ", env!("CARGO_PKG_VERSION"))).render(&mut page)?;
    page.extend_from_slice(examples(&notes).as_bytes());
    Ok(page)
}

/// The end of a page: the text below the flags in the help. Lines that are indented stay as they are.
fn examples(notes: &str) -> String {
    let mut text = String::new();
    let mut is_example = false;
    for (index, line) in notes.lines().enumerate() {
        if line.starts_with("  ") != is_example && !line.is_empty() {
            is_example = !is_example;
            text += if is_example { ".PP\n.nf\n" } else { ".fi\n" };
        }
        match line {
            "" if is_example => text += "\n",
            "" => text += ".PP\n",
            _ if index == 0 && line.ends_with(':') => text += ".SH EXAMPLES\n",
            _ => {
                // At the start of a line these would begin a request.
                let guard = if line.starts_with(['.', '\'']) { "\\&" } else { "" };
                text += &format!(
                    "{guard}{}\n",
                    line.replace('\\', "\\e").replace('-', "\\-").replace('\'', "\\(aq")
                );
            }
        }
    }
    text
}

pub(crate) fn run(args: &Args) -> Result<Outcome> {
    let Some(dir) = &args.dir else {
        let command = args.command.clone().unwrap_or_else(definition);
        console::plain().write_all(&render(command)?)?;
        return Ok(Outcome::Clean);
    };
    let all = definition();
    fs::create_dir_all(dir).with_context(|| escape::path(dir).to_string())?;
    for command in std::iter::once(&all).chain(all.get_subcommands()) {
        let name = command.get_display_name().unwrap_or("placemat");
        let path = dir.join(format!("{name}.1"));
        let page = render(command.clone())?;
        let mut file = Replacement::of(&path, Protection::default())?;
        file.write_all(&page).with_context(|| escape::path(&path).to_string())?;
        file.commit(None)?;
    }
    Ok(Outcome::Clean)
}
