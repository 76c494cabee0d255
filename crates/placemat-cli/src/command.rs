//! One file a command: its flags and what it does.

mod check;
mod completions;
mod convert;
mod count;
mod detect;
mod edit;
mod explain;
mod forms;
mod man;
pub(crate) mod repair;
mod survey;

use anyhow::Result;
use clap::Subcommand;

use crate::args::Common;
use crate::outcome::Outcome;

/// What to do.
#[derive(Debug, Subcommand)]
#[expect(clippy::large_enum_variant, reason = "there is one, made once")]
pub(crate) enum Command {
    Check(check::Args),
    Count(count::Args),
    Convert(convert::Args),
    Repair(repair::Args),
    Detect(detect::Args),
    Edit(edit::Args),
    Explain(explain::Args),
    Survey(survey::Args),
    Forms(forms::Args),
    Completions(completions::Args),
    Man(man::Args),
}

impl Command {
    pub(crate) fn run(&self, common: &Common) -> Result<Outcome> {
        match self {
            Command::Check(args) => check::run(args, common),
            Command::Count(args) => count::run(args, common),
            Command::Convert(args) => convert::run(args, common),
            Command::Repair(args) => repair::run(args, common),
            Command::Detect(args) => detect::run(args, common),
            Command::Edit(args) => edit::run(args),
            Command::Explain(args) => explain::run(args),
            Command::Survey(args) => survey::run(args, common),
            Command::Forms(args) => forms::run(args),
            Command::Completions(args) => completions::run(args),
            Command::Man(args) => man::run(args),
        }
    }
}
