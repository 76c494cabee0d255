//! The flags that all commands share. The flags of one command are in its module, in `command`.

use clap::builder::TypedValueParser;
use clap::{Args, ColorChoice};
use placemat::Level;

use crate::choices::{number_in, one_of};

/// Flags of every command.
#[derive(Args, Debug)]
#[command(next_help_heading = "Everywhere")]
pub(crate) struct Common {
    /// Colours: by default on a terminal, unless NO_COLOR is set
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto", hide_default_value = true)]
    pub(crate) color: ColorChoice,

    /// Threads to use; by default as many as there are cores
    #[arg(long, short = 'j', global = true, value_name = "N", allow_negative_numbers = true, value_parser = number_in(1..=1024_u16))]
    pub(crate) jobs: Option<u16>,

    /// Use only this CPU level (scalar, sse42, avx2, avx512, neon, simd128); the result is the same on each
    #[arg(long, global = true, value_name = "LEVEL", hide_short_help = true, value_parser = levels(), hide_possible_values = true)]
    pub(crate) cpu: Option<Level>,
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
