//! The command `placemat`: check, convert, repair, detect and explain text bytes.
//!
//! `args` says what was typed, `command` what each command does with it; results go to standard output, everything that
//! is said about them to standard error.
#![forbid(unsafe_code)]

mod args;
mod charset;
mod command;
mod console;
mod crew;
mod escape;
mod input;
mod outcome;
mod pipeline;
mod progress;
mod replace;
mod report;
mod rules;
mod scan;
mod survey;
mod walk;

use std::process::ExitCode;

use crate::args::Cli;
use crate::outcome::Outcome;

fn main() -> ExitCode {
    let ended = match Cli::typed() {
        Ok(cli) => cli.prepare().and_then(|()| cli.command.run(&cli.common)),
        Err(instead) => args::tell(&instead),
    };
    match ended.or_else(|error| Outcome::Clean.after(Err(error))) {
        Ok(outcome) => outcome.into(),
        Err(error) => {
            console::say(&escape::message(&error));
            Outcome::Trouble.into()
        }
    }
}
