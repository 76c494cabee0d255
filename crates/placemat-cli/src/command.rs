//! One file a command: its flags and what it does.

mod check;
mod convert;
mod explain;
mod forms;

use anyhow::Result;
use clap::Subcommand;

use crate::args::Common;
use crate::outcome::Outcome;

/// What to do.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Check(check::Args),
    Convert(convert::Args),
    Explain(explain::Args),
    Forms(forms::Args),
}

impl Command {
    pub(crate) fn run(&self, common: &Common) -> Result<Outcome> {
        match self {
            Command::Check(args) => check::run(args, common),
            Command::Convert(args) => convert::run(args),
            Command::Explain(args) => explain::run(args),
            Command::Forms(args) => forms::run(args),
        }
    }
}
