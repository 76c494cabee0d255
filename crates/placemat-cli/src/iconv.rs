//! Started under the name `iconv` (a link), the command is iconv(1): its options, its defaults, its exit codes.

use std::env;
use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use clap::{ArgAction, CommandFactory, Parser};
use placemat_text::iconv::{self, Descriptor, Habit, Status};
use placemat_text::io::read_some;

use crate::console::{Stdout, plain};
use crate::escape;
use crate::outcome::{Outcome, is_broken_pipe};
use crate::replace::{Protection, Replacement, is_standard_output};

/// Bytes read at once.
const BLOCK: usize = 64 * 1024;

/// Convert the encoding of text
#[derive(Parser, Debug)]
#[command(
    name = "iconv",
    version,
    disable_help_flag = true,
    infer_long_args = true,
    after_help = "\
NAME may end in //TRANSLIT, //IGNORE or //NON_IDENTICAL_DISCARD; without -f or -t it is the codeset of the locale. \
The conversion stops at malformed input and at characters that the target lacks, unless -c or a suffix says otherwise.

Exit codes: 0 all was converted, 1 something was not, even if -c left it out. With PLACEMAT_ICONV=glibc in the environment -c ends \
with 0."
)]
struct Args {
    /// Encoding of the input
    #[arg(short, long, value_name = "NAME", default_value = "", hide_default_value = true)]
    from_code: String,

    /// Encoding of the output
    #[arg(short, long, value_name = "NAME", default_value = "", hide_default_value = true)]
    to_code: String,

    /// List the names of encodings
    #[arg(short, long)]
    list: bool,

    /// Leave out what cannot be converted
    #[arg(short = 'c')]
    discard: bool,

    /// Write to this file, once all is read
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,

    /// Say nothing of what cannot be converted
    #[arg(short, long)]
    silent: bool,

    /// Name each file on standard error
    #[arg(long)]
    verbose: bool,

    /// Print this help
    #[arg(short = '?', long, short_alias = 'h', action = ArgAction::Help)]
    help: Option<bool>,

    /// Print the options in a few lines
    #[arg(long)]
    usage: bool,

    /// Files; `-` or none is standard input
    files: Vec<PathBuf>,
}

/// Whether the command was started under that name.
pub(crate) fn is_meant(arguments: &[OsString]) -> bool {
    let program = arguments.first().map(Path::new).and_then(Path::file_stem);
    program.is_some_and(|name| name == "iconv")
}

/// The exit code of glibc's iconv(1) for options that have no meaning.
const WRONG_USE: u8 = 64;

/// Runs iconv(1) and returns its exit code.
pub(crate) fn main(arguments: &[OsString]) -> u8 {
    let ended = match Args::try_parse_from(arguments) {
        Ok(args) => args.run(),
        Err(instead) => match crate::cli::tell(&instead) {
            Ok(Outcome::Clean) => Ok(true),
            Ok(_) => return WRONG_USE,
            Err(error) => Err(error),
        },
    };
    match ended {
        Ok(is_clean) => u8::from(!is_clean),
        Err(error) if is_broken_pipe(&error) => 0,
        Err(error) => {
            say(&escape::message(&error));
            1
        }
    }
}

/// A conversion under way.
struct Conversion<'a> {
    args: &'a Args,
    descriptor: Descriptor,
    out: &'a mut dyn Write,
    room: Vec<u8>,
    /// Whether something was left out.
    has_discarded: bool,
}

impl Args {
    /// Converts or lists, and returns whether everything was converted.
    fn run(&self) -> Result<bool> {
        if self.usage {
            write!(plain(), "{}", usage())?;
            return Ok(true);
        }
        if self.list {
            list()?;
            return Ok(true);
        }
        match self.output.as_deref().filter(|path| !is_standard_output(path)) {
            None => self.convert(&mut Stdout::open()?),
            Some(path) => {
                let mut out = Replacement::of(path, Protection::default())?;
                let is_clean = self.convert(&mut out)?;
                out.commit(None)?;
                Ok(is_clean)
            }
        }
    }

    fn convert(&self, out: &mut dyn Write) -> Result<bool> {
        // A character that the target lacks stops the command: it must not become a question mark unasked.
        let mut descriptor = Descriptor::open(&self.to_code, &self.from_code, &codeset(), Habit::Glibc)?;
        if self.discard {
            let suffixes = descriptor.suffixes();
            (suffixes.discards_malformed, suffixes.discards_lacking) = (true, true);
        }
        let mut conversion =
            Conversion { args: self, descriptor, out, room: vec![0; 2 * BLOCK], has_discarded: false };
        let standard_input = [PathBuf::from("-")];
        let files = if self.files.is_empty() { &standard_input[..] } else { &self.files };
        let mut is_clean = true;
        for path in files {
            if self.verbose {
                say(&format!("{}:", escape::path(path)));
            }
            let opened: io::Result<Box<dyn Read>> = match path.to_str() {
                Some("-") => Ok(Box::new(io::stdin().lock())),
                _ => File::open(path).map(|file| Box::new(file) as Box<dyn Read>),
            };
            match opened {
                Err(error) => {
                    say(&format!("cannot open input file {}: {error}", escape::path(path)));
                    is_clean = false;
                }
                Ok(mut file) => {
                    if !conversion.file(&mut *file).with_context(|| escape::path(path).to_string())? {
                        return Ok(false);
                    }
                }
            }
        }
        let is_told = conversion.has_discarded && !(self.discard && is_glibc());
        Ok(is_clean && !is_told)
    }
}

impl Conversion<'_> {
    /// Converts one input and returns to the initial state. Returns whether that was possible.
    fn file(&mut self, file: &mut dyn Read) -> Result<bool> {
        let mut block = vec![0; BLOCK];
        let (mut kept, mut offset) = (0, 0u64);
        loop {
            let read = read_some(file, &mut block[kept..])?;
            let len = kept + read;
            let (used, status) = self.piece(&block[..len])?;
            offset += used as u64;
            match status {
                Status::Malformed => {
                    self.complain(&format!("illegal input sequence at position {offset}"));
                    return Ok(false);
                }
                Status::Incomplete if read == 0 => {
                    self.complain("incomplete character or shift sequence at end of buffer");
                    return Ok(false);
                }
                _ if read == 0 => break,
                _ => {}
            }
            block.copy_within(used..len, 0);
            kept = len - used;
        }
        let done = self.descriptor.reset(Some(&mut self.room));
        self.out.write_all(&self.room[..done.written])?;
        Ok(true)
    }

    /// Converts the complete characters. Returns how many bytes that were.
    fn piece(&mut self, src: &[u8]) -> Result<(usize, Status)> {
        let mut used = 0;
        loop {
            let done = self.descriptor.convert(&src[used..], &mut self.room);
            self.out.write_all(&self.room[..done.written])?;
            used += done.read;
            let is_left_out =
                done.status == Status::Malformed && self.descriptor.suffixes().discards_malformed;
            self.has_discarded |= is_left_out;
            match done.status {
                Status::Full => {}
                // All but an incomplete character was converted; the status only says that something was left out.
                Status::Malformed if is_left_out => return Ok((used, Status::Done)),
                status => return Ok((used, status)),
            }
        }
    }

    fn complain(&self, text: &str) {
        if !self.args.silent {
            say(text);
        }
    }
}

/// The options with their values, in lines of at most 80 columns.
fn usage() -> String {
    let command = Args::command();
    let words = command.get_arguments().filter(|option| !option.is_positional()).map(|option| {
        let value = option.get_value_names().filter(|_| option.get_action().takes_values());
        let value = |sign| {
            value.and_then(|names| names.first()).map_or(String::new(), |name| format!("{sign}{name}"))
        };
        let short = option.get_short().map(|short| format!("-{short}{}", value(" ")));
        let long = option.get_long().map(|long| format!("--{long}{}", value("=")));
        format!("[{}]", [short, long].into_iter().flatten().collect::<Vec<_>>().join("|"))
    });
    let (mut text, mut column) = ("Usage: iconv".to_owned(), 12);
    for word in words.chain(["[FILE...]".to_owned()]) {
        if column + 1 + word.len() > 80 {
            text += "\n           ";
            column = 11;
        }
        text += " ";
        text += &word;
        column += 1 + word.len();
    }
    text + "\n"
}

fn list() -> Result<()> {
    let mut out = plain();
    iconv::names().flatten().try_for_each(|name| writeln!(out, "{name}//"))?;
    Ok(())
}

fn say(text: &str) {
    // If standard error is closed, there is nowhere to report that.
    let _ = writeln!(io::stderr(), "iconv: {text}");
}

fn is_glibc() -> bool {
    env::var_os("PLACEMAT_ICONV").is_some_and(|value| value == "glibc")
}

/// The codeset that the environment's locale names; ASCII if it names none.
fn codeset() -> String {
    let set = |name| env::var(name).ok().filter(|value| !value.is_empty());
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().find_map(set).unwrap_or_default();
    let codeset = locale.split('@').next().and_then(|locale| locale.split_once('.'));
    codeset.map_or("US-ASCII", |(_, codeset)| codeset).to_owned()
}
