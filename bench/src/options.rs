//! The command line.

use std::path::PathBuf;
use std::time::Instant;

use placemat::Level;

use crate::ops::OPS;
use crate::strings::{BY_NAME, TEXTS};

pub const USAGE: &str = "\
bench [WHAT] [OPTIONS]

WHAT
  texts    GB/s on whole texts (the default)
  lengths  ns a call on strings of 0 to 4096 code units
  sizes    GB/s on texts of 1 KB to 64 MB, with what the memory can do
  weight   bytes that a call adds to a program, and seconds to compile each library; takes some minutes

OPTIONS
  --quick              less of everything: about a minute
  --simdutf [NAME=]SO  beside the simdutf in this shared library, which exports simdutf_c.h; may be given again. simdutf's
                       own build makes one: cmake -DBUILD_SHARED_LIBS=ON -DCMAKE_BUILD_TYPE=Release
  --op A,B             these operations only (also --ops)
  --cpu LEVEL          placemat's and simdutf's kernels of this level: scalar, sse42, avx2, avx512; below avx2 without the
                       libraries that choose by themselves
  --csv FILE           all numbers
  --svg FILE           a chart
  --rest               sleep as long as was worked, now and then: for a machine that others use too
  --record             keep numbers, tables and charts in bench/record, by CPU and date, and by level if it is not the best

texts
  --texts DIR          the *.txt, *.json and *.html in DIR and below, not generated text
  --only WORD          only texts whose names contain this

lengths
  --text A,B           these kinds of text only: ascii, french, russian, chinese, emoji, mixed, or chat, which is only
                       measured if it is named (sizes too, which else takes mixed, and french for ISO 8859-1)
  --length A,B-C       these lengths only, in code units of the input
  --exact              no more room than the result takes, for who does not ask for more

weight
  --simdutf-source DIR  beside the simdutf whose folders src and include are in DIR, made by $CXX or c++

Half of all buffers, input and output, are aligned to 64 bytes; the others begin 24 bytes later.";

/// A shared library and its name in the tables.
#[derive(Clone)]
pub struct Named {
    pub name: String,
    pub path: PathBuf,
}

#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub enum What {
    #[default]
    Texts,
    Lengths,
    Sizes,
    Weight,
}

#[derive(Default)]
pub struct Options {
    /// The options as they were given, without paths.
    pub line: String,
    pub what: What,
    pub help: bool,
    pub quick: bool,
    pub record: bool,
    pub exact: bool,
    pub rest: bool,
    pub folder: Option<PathBuf>,
    pub csv: Option<PathBuf>,
    pub svg: Option<PathBuf>,
    pub ops: Vec<String>,
    pub kinds: Vec<String>,
    pub lengths: Vec<usize>,
    pub only: String,
    pub cpu: Option<Level>,
    pub simdutf: Vec<Named>,
    pub simdutf_source: Option<PathBuf>,
}

impl Options {
    pub fn read(args: impl Iterator<Item = String>) -> Result<Options, String> {
        let args: Vec<_> = args.collect();
        let line = args.iter().map(|arg| format!(" {}", without_path(arg))).collect();
        let mut args = args.into_iter();
        let mut options = Options { line, ..Options::default() };
        while let Some(arg) = args.next() {
            let mut value = || args.next().ok_or_else(|| format!("{arg} wants a value\n\n{USAGE}"));
            match arg.as_str() {
                "texts" => options.what = What::Texts,
                "lengths" => options.what = What::Lengths,
                "sizes" => options.what = What::Sizes,
                "weight" => options.what = What::Weight,
                "--quick" => options.quick = true,
                "--record" => options.record = true,
                "--rest" => options.rest = true,
                "--exact" => options.exact = true,
                "--texts" => options.folder = Some(value()?.into()),
                "--csv" => options.csv = Some(value()?.into()),
                "--svg" => options.svg = Some(value()?.into()),
                "--op" | "--ops" => options.ops = list(&value()?),
                "--text" => options.kinds = list(&value()?),
                "--length" => options.lengths = ranges(&value()?)?,
                "--only" => options.only = value()?,
                "--help" | "-h" => options.help = true,
                "--cpu" => options.cpu = Some(Level::named(&value()?).ok_or("--cpu: no such level")?),
                "--simdutf" => options.simdutf.push(named(&value()?)),
                "--simdutf-source" => options.simdutf_source = Some(value()?.into()),
                _ => return Err(format!("{arg}?\n\n{USAGE}")),
            }
        }
        let names: Vec<_> = OPS.iter().map(|(name, ..)| *name).collect();
        known("--op", &options.ops, &names)?;
        let names: Vec<_> = TEXTS.iter().map(|(name, _)| *name).collect();
        known("--text", &options.kinds, &names)?;
        Ok(options)
    }

    /// Whether `--cpu` names a level below AVX2.
    pub fn is_below_avx2(&self) -> bool {
        matches!(self.cpu, Some(Level::Scalar | Level::Sse42))
    }

    /// Whether this operation was selected.
    pub fn wants(&self, op: &str) -> bool {
        self.ops.is_empty() || self.ops.iter().any(|name| name == op)
    }

    /// With `--rest`, sleep as long as the work took.
    pub fn rest(&self, since: Instant) {
        if self.rest {
            std::thread::sleep(since.elapsed());
        }
    }

    /// Whether this kind of text was selected.
    pub fn wants_text(&self, kind: &str) -> bool {
        self.kinds.is_empty() && kind != BY_NAME || self.kinds.iter().any(|name| name == kind)
    }
}

/// Paths mean nothing on another machine, so they are left out.
fn without_path(arg: &str) -> String {
    match arg.split_once('=') {
        Some((name, _)) => format!("{name}=…"),
        None if arg.contains('/') => "…".to_owned(),
        None => arg.to_owned(),
    }
}

fn list(value: &str) -> Vec<String> {
    value.split(',').map(str::to_owned).collect()
}

fn known(option: &str, given: &[String], names: &[&str]) -> Result<(), String> {
    match given.iter().find(|name| !names.contains(&name.as_str())) {
        Some(name) => Err(format!("{option}: no {name}; there are {}", names.join(" "))),
        None => Ok(()),
    }
}

fn ranges(value: &str) -> Result<Vec<usize>, String> {
    let number = |text: &str| text.parse::<usize>().map_err(|_| format!("--length: {value}?"));
    let mut lengths = Vec::new();
    for part in value.split(',') {
        let (from, to) = part.split_once('-').unwrap_or((part, part));
        lengths.extend(number(from)?..=number(to)?);
    }
    Ok(lengths)
}

/// The given name, or the file name without `lib` and without everything from `.so` on.
fn named(value: &str) -> Named {
    if let Some((name, path)) = value.split_once('=') {
        return Named { name: name.to_owned(), path: path.into() };
    }
    let path = PathBuf::from(value);
    let file = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let name = file.trim_start_matches("lib").split(".so").next().unwrap_or("simdutf");
    Named { name: name.to_owned(), path }
}
