//! `placemat convert`: from any encoding to any other.

mod in_place;
mod options;
mod source;
mod stopped;

use std::fs::File;
use std::io::{self, Read as _, Write};
use std::path::PathBuf;

use anyhow::{Context as _, Result, bail};

use self::options::Options;
use self::source::Source;
use crate::args::Common;
use crate::charset::Charset;
use crate::input::Input;
use crate::outcome::Outcome;
use crate::pipeline::{Halt, Pipeline, Place};
use crate::replace::Replacement;
use crate::shown;
use crate::walk::Selection;

/// Bytes read at once.
const BLOCK: usize = 128 * 1024;

/// Transcode text from any form or encoding to any other
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  placemat convert -f windows-1252 notes.txt > notes.utf8.txt
  placemat convert -f utf-8,windows-1252 --in-place src
  placemat convert -t utf-16le --bom add -o for-windows.txt notes.txt

Several inputs are decoded one by one and joined. What precedes an error is written to standard output; with -o and
--in-place the result appears whole or not at all.

Exit codes: 0 all is well (what a policy replaced is counted on standard error), 1 stopped at an error, 2 it could not
be done.")]
pub(crate) struct Args {
    #[command(flatten)]
    options: options::Conversion,

    /// Write to this file, whole or not at all
    #[arg(short, long, value_name = "FILE", conflicts_with = "in_place")]
    output: Option<PathBuf>,

    /// Replace each file by its conversion, whole or not at all; with SUFFIX keep the original beside it
    #[arg(long, value_name = "SUFFIX", num_args = 0..=1, require_equals = true)]
    in_place: Option<Option<String>>,

    #[command(flatten)]
    replacing: crate::replace::Protection,

    /// List every form and encoding
    #[arg(short, long)]
    list: bool,

    #[command(flatten)]
    selection: Selection,
}

pub(crate) fn run(args: &Args, common: &Common) -> Result<Outcome> {
    if args.list {
        return list();
    }
    let options = args.options.resolve()?;
    if let Some(suffix) = &args.in_place {
        let job = in_place::Job { options: &options, protection: args.replacing, suffix: suffix.as_deref() };
        return job.run(&args.selection, common);
    }
    match args.output.as_deref().filter(|path| path.as_os_str() != "-") {
        None => to_standard_output(args, &options),
        Some(path) => {
            let mut out = Replacement::of(path, args.replacing)?;
            let outcome = join(&args.inputs()?, &options, &mut out, &mut say)?;
            if outcome == Outcome::Clean {
                out.commit(None)?;
            }
            Ok(outcome)
        }
    }
}

impl Args {
    fn inputs(&self) -> Result<Vec<Input>> {
        let paths = self.selection.named()?;
        if paths.is_empty() && self.selection.files_from.is_none() {
            return Ok(vec![Input::Stdin]);
        }
        Ok(paths.into_iter().map(Input::named).collect())
    }
}

/// Say something on standard error.
fn say(text: String) {
    anstream::eprintln!("placemat: {text}");
}

fn list() -> Result<Outcome> {
    let mut out = anstream::stdout().lock();
    Charset::names().try_for_each(|name| writeln!(out, "{name}"))?;
    Ok(Outcome::Clean)
}

fn to_standard_output(args: &Args, options: &Options) -> Result<Outcome> {
    let mut out = stdout()?;
    let inputs = args.inputs()?;
    if let Some(input) = inputs.iter().find(|input| source::is_output(input, &out)) {
        bail!("{input}: is the output as well; --in-place replaces it");
    }
    join(&inputs, options, &mut out, &mut say)
}

/// Standard output without the line buffer that std puts before it.
#[cfg(unix)]
fn stdout() -> Result<File> {
    use std::os::fd::AsFd as _;
    let fd = io::stdout().as_fd().try_clone_to_owned().context("standard output")?;
    Ok(File::from(fd))
}

/// Decode the inputs one by one and write them as one text.
fn join(
    inputs: &[Input],
    options: &Options,
    out: &mut dyn Write,
    say: &mut dyn FnMut(String),
) -> Result<Outcome> {
    let mut outcome = Outcome::Clean;
    let mut pipeline: Option<Pipeline> = None;
    for input in inputs {
        let mut source = match Source::open(input, &options.from) {
            Ok(source) => source,
            Err(unread) => {
                outcome = outcome.max(unread.complain(input, say));
                continue;
            }
        };
        match &mut pipeline {
            Some(pipeline) => pipeline.next(source.charset()),
            None => pipeline = Some(Pipeline::new(source.charset(), options.settings)),
        }
        let Some(pipeline) = &mut pipeline else { continue };
        outcome = outcome.max(convert(input, &mut source, options.settings.to, pipeline, out, say)?);
    }
    let Some(mut pipeline) = pipeline else { return Ok(outcome) };
    match pipeline.finish(out) {
        Err(Halt::Output(error)) => return Err(error.into()),
        Err(Halt::Stopped(stopped)) => {
            if let Some(last) = inputs.last() {
                say(stopped::complaint(last, options.from[0], options.settings.to, None, &stopped));
            }
            outcome = outcome.max(Outcome::Found);
        }
        Ok(()) => {}
    }
    if !options.silent && pipeline.errors() > 0 && outcome == Outcome::Clean {
        let subject = if let [input] = inputs { format!("{input}: ") } else { String::new() };
        say(format!("{subject}{} replaced", pipeline.errors()));
    }
    Ok(outcome)
}

/// Convert one input up to its end, or to where the policy stops.
///
/// # Errors
/// When the output cannot be written. That of the input is told, and is no reason to leave the next one out.
fn convert(
    input: &Input,
    source: &mut Source,
    to: Charset,
    pipeline: &mut Pipeline,
    out: &mut dyn Write,
    say: &mut dyn FnMut(String),
) -> Result<Outcome> {
    // What can be read only once is counted as it passes.
    let mut place = (!source.is_rereadable()).then(|| Place::new(source.charset()));
    let mut block = vec![0; BLOCK];
    let mut offset = 0;
    let (halt, block) = loop {
        let read = match source.read(&mut block) {
            Ok(read) => read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => {
                say(format!("{input}: {}", shown::message(&error.into())));
                return Ok(Outcome::Trouble);
            }
        };
        let block = &block[..read];
        let done = if read == 0 { pipeline.finish_input(out) } else { pipeline.push(block, out) };
        match done {
            Err(halt) => break (halt, block),
            Ok(()) if read == 0 => return Ok(Outcome::Clean),
            Ok(()) => {}
        }
        offset += read as u64;
        if let Some(place) = &mut place {
            place.pass(block);
        }
    };
    match halt {
        Halt::Output(error) => Err(error.into()),
        Halt::Stopped(stopped) => {
            let at = stopped.error.offset();
            let place = match place {
                Some(mut place) => {
                    place.pass(&block[..at.saturating_sub(offset).min(block.len() as u64) as usize]);
                    Some(place)
                }
                None => source.place(at).ok(),
            };
            say(stopped::complaint(input, source.charset(), to, place.as_ref(), &stopped));
            Ok(Outcome::Found)
        }
    }
}
