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
mod explain;
mod input;
mod outcome;
mod pipeline;
mod progress;
mod replace;
mod report;
mod rules;
mod scan;
mod shown;
mod survey;
mod walk;

use std::io;
use std::process::ExitCode;

use clap::Parser as _;

use crate::args::Cli;
use crate::outcome::Outcome;

fn main() -> ExitCode {
    let cli = Cli::parse();
    match cli.prepare().and_then(|()| cli.command.run(&cli.common)) {
        Ok(outcome) => outcome.into(),
        // Whoever read our output has seen enough.
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            anstream::eprintln!("placemat: {}", shown::message(&error));
            Outcome::Trouble.into()
        }
    }
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error
        .chain()
        .filter_map(|cause| cause.downcast_ref::<io::Error>())
        .any(|e| e.kind() == io::ErrorKind::BrokenPipe)
}
