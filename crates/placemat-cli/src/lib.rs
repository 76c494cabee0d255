//! The command `placemat` as a library: check, convert, repair, detect and explain text bytes.
//!
//! [`main`] runs the command; [`unpacked`] reads compressed files as the command does. `cli` parses the arguments,
//! `command` has a module for each subcommand. Results go to standard output, messages to standard error.
#![forbid(unsafe_code)]

mod args;
mod choices;
mod cli;
mod command;
mod console;
mod escape;
mod iconv;
mod input;
mod large;
mod naming;
mod outcome;
mod pool;
mod portion;
mod progress;
mod replace;
mod report;
mod rules;
mod sections;
mod spans;
mod walk;

use std::ffi::OsString;

pub use crate::input::unpacked;
use crate::outcome::Outcome;

/// Runs the command with these arguments and returns its exit code, from 0 to 2. The first argument is the name of the
/// program: under the name `iconv` the command is iconv(1).
///
/// It writes to standard output and standard error, reacts to signals, and may be called only once in a process.
///
/// ```no_run
/// let _ = placemat_cli::main(&["placemat", "check", "."].map(Into::into));
/// ```
#[must_use]
pub fn main(arguments: &[OsString]) -> u8 {
    escape::heed_build_logs(escape::is_in_build());
    if iconv::is_meant(arguments) {
        return iconv::main(arguments);
    }
    let ended = match cli::typed(arguments) {
        Ok(typed) => cli::prepare(&typed.common).and_then(|()| typed.command.run(&typed.common)),
        Err(instead) => cli::tell(&instead),
    };
    match ended.or_else(|error| Outcome::Clean.after(Err(error))) {
        Ok(outcome) => outcome.into(),
        Err(error) => {
            console::say(&escape::message(&error));
            Outcome::Trouble.into()
        }
    }
}
