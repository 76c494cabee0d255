//! The definition of the command line. Each subcommand has a module with its flags and what it does.

mod check;
mod completions;
mod convert;
mod count;
mod detect;
mod edit;
mod explain;
mod forms;
mod man;
mod names;
pub(crate) mod repair;
mod survey;

use anyhow::Result;
use clap::{Parser, Subcommand};

use crate::args::Common;
use crate::outcome::Outcome;

const LESSON: &str = "\
Where to begin:
  placemat check .                         what is malformed in this tree
  placemat detect notes.txt                which encoding, how sure, and why
  placemat repair notes.txt > mended.txt   make it valid UTF-8, no other change
  placemat convert -f shift_jis -t utf-8 old.txt
  placemat explain --hex 'C0 AF'           what these bytes are, bit by bit

`placemat forms` lists all names of forms and encodings. Folders are read with their subfolders, but without hidden \
files, binary files and what .gitignore leaves out. Exit codes: 0 all is well, 1 something was found, 2 it could not \
be done. `placemat COMMAND --help` has examples of each.";

/// Check, convert, repair, detect and explain text bytes: UTF-8 and everything around it.
#[derive(Debug, Parser)]
#[command(
    name = "placemat",
    version,
    max_term_width = 100,
    args_override_self = true,
    after_help = LESSON,
    subcommand_required = true,
    arg_required_else_help = true
)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
    #[command(flatten)]
    pub(crate) common: Common,
}

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
