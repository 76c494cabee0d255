//! `placemat forms`: lists every form and profile, with its properties.

use std::io::{self, Write};

use anyhow::Result;
use clap::ValueEnum;
use placemat_text::listing;
use placemat_text::models::FormsLine;

use crate::console;
use crate::naming::Naming;
use crate::outcome::Outcome;
use crate::report::{stdout, write_line};
use placemat_text::charset::Charset;

/// List every form and profile, its names and properties, and every policy
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  placemat forms                 every form
  placemat forms utf8 latin1     what these labels mean
  placemat forms --labels whatwg latin1
  placemat forms --format json | jq -r 'select(.type == \"form\") | .name'")]
pub(crate) struct Args {
    /// Only these
    #[arg(value_name = "FORM")]
    forms: Vec<String>,

    #[command(flatten)]
    naming: Naming,

    /// How to write the list
    #[arg(long, value_enum, default_value_t = Format::Text, hide_default_value = true)]
    format: Format,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Paragraphs
    Text,
    /// One JSON object a line
    Json,
}

pub(crate) fn run(args: &Args) -> Result<Outcome> {
    let named = args.forms.iter().map(|name| args.naming.charset(name));
    let named = named.collect::<Result<Vec<Charset>>>()?;
    match (args.format, args.forms.is_empty()) {
        (Format::Json, true) => json(&all(), true)?,
        (Format::Json, false) => json(&named, false)?,
        (Format::Text, true) => text_of_all()?,
        (Format::Text, false) => text(&named)?,
    }
    Ok(Outcome::Clean)
}

/// Everything that can be read, forms first.
fn all() -> Vec<Charset> {
    Charset::all().collect()
}

fn json(charsets: &[Charset], with_policies: bool) -> Result<()> {
    let mut out = stdout();
    for line in FormsLine::all(charsets, with_policies) {
        write_line(&mut out, &line)?;
    }
    Ok(out.flush()?)
}

fn text(charsets: &[Charset]) -> Result<()> {
    let mut out = io::BufWriter::new(console::coloured());
    for &charset in charsets {
        listing::paragraph(&mut out, charset)?;
    }
    Ok(out.flush()?)
}

fn text_of_all() -> Result<()> {
    let mut out = io::BufWriter::new(console::coloured());
    listing::all(&mut out)?;
    Ok(out.flush()?)
}
