//! The command line.

use std::path::PathBuf;

use placemat::Level;

use crate::ops::OPS;

pub const USAGE: &str = "\
bench [--quick] [--texts DIR] [--ops A,B] [--only WORD] [--cpu LEVEL] [--csv FILE] [--svg FILE] [--record]

  --quick      shorter texts and fewer rounds: less than 50 seconds
  --texts DIR  time the *.txt, *.json and *.html in DIR and below, not generated text
  --ops A,B    these operations only
  --only WORD  only texts whose names contain this
  --cpu LEVEL  placemat's and simdutf's kernels of this level: sse42, avx2, avx512
  --csv FILE   op,text,mode,peer,gb_per_s
  --svg FILE   a chart
  --record     keep CSV and tables in bench/record, by CPU and date, and by level if it is not the best";

#[derive(Default)]
pub struct Options {
    pub help: bool,
    pub quick: bool,
    pub record: bool,
    pub texts: Option<PathBuf>,
    pub csv: Option<PathBuf>,
    pub svg: Option<PathBuf>,
    pub ops: Vec<String>,
    pub only: String,
    pub cpu: Option<Level>,
}

impl Options {
    pub fn read(mut args: impl Iterator<Item = String>) -> Result<Options, String> {
        let mut options = Options::default();
        while let Some(arg) = args.next() {
            let mut value = || args.next().ok_or_else(|| format!("{arg} wants a value\n\n{USAGE}"));
            match arg.as_str() {
                "--quick" => options.quick = true,
                "--record" => options.record = true,
                "--texts" => options.texts = Some(value()?.into()),
                "--csv" => options.csv = Some(value()?.into()),
                "--svg" => options.svg = Some(value()?.into()),
                "--ops" => options.ops = value()?.split(',').map(str::to_owned).collect(),
                "--only" => options.only = value()?,
                "--help" | "-h" => options.help = true,
                "--cpu" => options.cpu = Some(Level::named(&value()?).ok_or("--cpu: no such level")?),
                _ => return Err(format!("{arg}?\n\n{USAGE}")),
            }
        }
        match options.ops.iter().find(|name| OPS.iter().all(|op| op.name != **name)) {
            Some(name) => {
                let names: Vec<_> = OPS.iter().map(|op| op.name).collect();
                Err(format!("--ops: no {name}; there are {}", names.join(" ")))
            }
            None => Ok(options),
        }
    }
}
