//! One file a command: its flags and what it does.

mod forms;

use anyhow::Result;
use clap::Subcommand;

use crate::args::Common;
use crate::outcome::Outcome;

/// What to do.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Forms(forms::Args),
}

impl Command {
    pub(crate) fn run(&self, _common: &Common) -> Result<Outcome> {
        match self {
            Command::Forms(args) => forms::run(args),
        }
    }
}
