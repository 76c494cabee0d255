//! `placemat forms`: every form and profile, with what can be said of it.

use std::io::Write as _;

use anyhow::Result;
use placemat::Form;

use crate::outcome::Outcome;

/// List every form and profile
#[derive(clap::Args, Debug)]
pub(crate) struct Args {}

pub(crate) fn run(_args: &Args) -> Result<Outcome> {
    let mut out = anstream::stdout().lock();
    for form in Form::ALL {
        writeln!(out, "{form}")?;
    }
    Ok(Outcome::Clean)
}
