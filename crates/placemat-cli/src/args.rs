//! What was typed: the flags that all commands share. Each command's own stand beside it, in `command`.

use std::ffi::OsStr;
use std::io::{self, Write as _};

use anyhow::{Result, bail};
use clap::builder::{PossibleValue, TypedValueParser};
use clap::{Arg, Args, ColorChoice, CommandFactory as _, Parser, ValueEnum as _};
use placemat::Level;

use crate::command::Command;
use crate::console;
use crate::escape;
use crate::outcome::Outcome;
use crate::replace::heed_limits;

const LESSON: &str = "\
Where to begin:
  placemat check .                         what is malformed in this tree
  placemat detect notes.txt                which encoding, how sure, and why
  placemat repair notes.txt > mended.txt   well-formed UTF-8, no more touched
  placemat convert -f shift_jis -t utf-8 old.txt
  placemat explain --hex 'C0 AF'           what these bytes are, bit by bit

Forms and encodings go by many names, which `placemat forms` lists. Folders are read whole, as their .gitignore \
files say. Exit codes: 0 all is well, 1 something was found, 2 it could not be done. `placemat COMMAND --help` has \
examples of each.";

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

/// Flags of every command.
#[derive(Args, Debug)]
#[command(next_help_heading = "Everywhere")]
pub(crate) struct Common {
    /// Colours: by default on a terminal, unless NO_COLOR is set
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto", hide_default_value = true)]
    pub(crate) color: ColorChoice,

    /// Threads to use; by default as many as there are cores
    #[arg(long, short = 'j', global = true, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) jobs: Option<u16>,

    /// Use only this CPU level (scalar, sse42, avx2, avx512, neon, simd128); the result is the same on each
    #[arg(long, global = true, value_name = "LEVEL", hide_short_help = true, value_parser = levels(), hide_possible_values = true)]
    pub(crate) cpu: Option<Level>,
}

/// A parser of names that completions can offer.
#[derive(Clone)]
pub(crate) struct Named<P> {
    pub(crate) parser: P,
    pub(crate) names: Vec<&'static str>,
}

impl<P: TypedValueParser> TypedValueParser for Named<P> {
    type Value = P::Value;

    fn parse_ref(
        &self,
        command: &clap::Command,
        argument: Option<&Arg>,
        value: &OsStr,
    ) -> Result<P::Value, clap::Error> {
        self.parser.parse_ref(command, argument, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(self.names.iter().map(PossibleValue::new)))
    }
}

/// One of these names, and nothing else.
pub(crate) fn one_of<T: Clone + Send + Sync + 'static>(
    names: Vec<&'static str>,
    named: fn(&str) -> Option<T>,
) -> impl TypedValueParser<Value = T> {
    let expected = format!("one of {} is expected", names.join(", "));
    Named { parser: move |name: &str| named(name).ok_or_else(|| expected.clone()), names }
}

fn levels() -> impl TypedValueParser<Value = Level> {
    one_of(vec!["scalar", "sse42", "avx2", "avx512", "neon", "simd128"], Level::named)
}

impl Common {
    /// How many threads to use.
    pub(crate) fn threads(&self) -> usize {
        match self.jobs {
            Some(jobs) => usize::from(jobs),
            None => std::thread::available_parallelism().map_or(1, usize::from),
        }
    }
}

impl Cli {
    /// What was typed.
    ///
    /// # Errors
    /// What is to be told instead: help, or why it is refused. What a terminal would act on is escaped in it.
    pub(crate) fn typed() -> Result<Cli, clap::Error> {
        let arguments: Vec<_> = std::env::args_os().collect();
        Cli::try_parse_from(&arguments).map_err(|error| {
            let shown: Vec<_> =
                arguments.iter().map(|a| escape::bytes(a.as_encoded_bytes()).to_string()).collect();
            let again = Cli::command().color(color(&shown));
            let escaped = again.clone().try_get_matches_from(&shown);
            // Where only escaping made it right, it was not UTF-8, and that is told without the argument.
            escaped.and_then(|_| again.try_get_matches_from(&arguments)).err().unwrap_or(error)
        })
    }

    /// Apply what concerns the whole process.
    pub(crate) fn prepare(&self) -> Result<()> {
        heed_limits();
        match self.common.color {
            ColorChoice::Auto => {}
            ColorChoice::Always => anstream::ColorChoice::Always.write_global(),
            ColorChoice::Never => anstream::ColorChoice::Never.write_global(),
        }
        if let Some(level) = self.common.cpu
            && !level.force()
        {
            bail!("this CPU cannot run at level {}", level.name());
        }
        Ok(())
    }
}

/// The colours that were asked for, also by what is refused otherwise.
fn color(arguments: &[String]) -> ColorChoice {
    let flags = arguments.split(|argument| argument == "--").next().unwrap_or_default();
    let value = |(at, flag): (usize, &'_ String)| match flag.strip_prefix("--color")? {
        "" => ColorChoice::from_str(flags.get(at + 1)?, false).ok(),
        value => ColorChoice::from_str(value.strip_prefix('=')?, false).ok(),
    };
    flags.iter().enumerate().rev().find_map(value).unwrap_or_default()
}

/// Tell what is to be told instead of doing something.
///
/// # Errors
/// When it cannot be written.
pub(crate) fn tell(instead: &clap::Error) -> Result<Outcome> {
    let outcome = if instead.use_stderr() { Outcome::Trouble } else { Outcome::Clean };
    let written = instead.print().and_then(|()| io::stdout().flush());
    outcome.after(written.map_err(|error| console::named(&error).into()))
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    #[test]
    fn the_definition_is_consistent() {
        super::Cli::command().debug_assert();
    }
}
